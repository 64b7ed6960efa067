//! Stress control of a small random packing, from a scene.

use std::path::Path;

use dem_core::DVec3;
use dem_io::checkpoint::CheckpointReader;
use dem_io::document::Override;
use dem_sim::builder;
use dem_sim::checkpoint;
use dem_sim::measure::{self, StressMeasure};
use dem_sim::simulation::Simulation;
use dem_sim::world::World;

/// Compressed to 100 kPa, then sheared by triaxial compression at constant mean stress.
const TRIAXIAL: &str = r#"
seed = 3
[domain]
min = [0, 0, 0]
max = ["12 mm", "12 mm", "12 mm"]
x = "periodic"
y = "periodic"
z = "periodic"
[cell]
positive = "compression"
[fields]
gravity = [0, 0, 0]
[materials.grain]
density = 2600
young_modulus = 1e9
poisson_ratio = 0.2
[contact]
law = "linear"
normal_stiffness = "2e5 N/m"
stiffness_ratio = 1
friction = 0.3
damping_ratio = 0.3
[[particles]]
name = "sample"
material = "grain"
sizes = { type = "uniform", min = "0.8 mm", max = "1.2 mm" }
region = { type = "box", min = [0, 0, 0], max = ["12 mm", "12 mm", "12 mm"] }
fill = { type = "random", count = 120 }
[[stages]]
name = "compress"
deform = { mean_stress = "100 kPa" }
until = { stress_reached = { tolerance = "0.2 %", unbalanced_force = 1e-3 } }
[[stages]]
name = "shear"
deform = { mean_stress = "100 kPa", zz = { rate = "0.3 1/s" } }
until = { strain = { zz = "1.2 %" } }
"#;

fn simulation(displacement: &str) -> (Simulation, builder::LoadedScene) {
    let displacement = Override::parse(&format!("cell.displacement={displacement}")).unwrap();
    let loaded = builder::parse_scene("triaxial", TRIAXIAL, &[displacement]).unwrap();
    let mut simulation = builder::build(&loaded).unwrap();
    simulation.initialise().unwrap();
    (simulation, loaded)
}

fn advance_to_stage(simulation: &mut Simulation, stage: usize) {
    while simulation.state.stage < stage {
        simulation.advance().unwrap();
        assert!(simulation.world.step < 400_000, "p = {:?}", measure::value(simulation, "mean_stress"));
    }
}

/// Forces through planes across the cell per area \[Pa\]: the largest difference of any plane normal to an axis from the Love-Weber stress.
fn largest_distance_of_tractions(world: &World) -> f64 {
    let stress = StressMeasure::of(world).contacts + StressMeasure::of(world).viscous;
    let size = world.cell.matrix() * DVec3::ONE;
    let mut worst = 0.0f64;
    for plane in 0..30u32 {
        let axis = (plane % 3) as usize;
        let area = world.cell.volume() / size[axis];
        let place = f64::from(plane / 3) * 0.1 * size[axis];
        let mut traction = DVec3::ZERO;
        for segment in &world.list.segments {
            for candidate in segment.start as usize..segment.end as usize {
                let Some(wrench) = world.forces.get(candidate) else { continue };
                let [first, second] = [world.list.first[candidate], world.list.second[candidate]]
                    .map(|slot| world.particles.position[slot as usize] - world.cell.origin);
                let branch = world.cell.nearest_image(second - first);
                // how many of the images of the plane lie between the centres
                let below = |x: f64| ((x - place) / size[axis]).floor();
                traction += wrench.force_on_first() * (below(first[axis] + branch[axis]) - below(first[axis]));
            }
        }
        worst = worst.max((traction / area - stress.row(axis)).length());
    }
    worst
}

#[test]
fn a_packing_is_compressed_and_sheared_at_constant_mean_stress() {
    let path = compress_and_shear("affine");
    assert!(path.usual < 5e-3 && path.median < 5e-4, "{path:?}");
}

/// The same through its boundary alone: the servo waits for the wave to cross the sample, and is that much slower.
#[test]
fn a_packing_is_compressed_and_sheared_at_its_boundary() {
    let path = compress_and_shear("boundary");
    // it depends on last bits, as above: of the seeds 1 to 8 it is 2.2e-3 to 6.6e-3, with sums that were rounded otherwise 3.6e-3 to 1.0e-2
    assert!(path.median < 1.2e-2, "{path:?}");
}

/// Distance of the mean stress from what is asked while a sample is sheared \[-\]. Quantiles, not the largest: when a sample of so few spheres
/// rearranges itself, its pressure drops by several percent before the servo can do anything, and when that happens depends on the last bit of
/// every force.
#[derive(Debug)]
struct Distance {
    /// In 19 of 20 instants it is less.
    usual: f64,
    median: f64,
}

impl Distance {
    fn of(mut distances: Vec<f64>) -> Self {
        distances.sort_unstable_by(f64::total_cmp);
        Self { usual: distances[distances.len() * 19 / 20], median: distances[distances.len() / 2] }
    }
}

#[expect(clippy::print_stdout, reason = "shown with --nocapture")]
fn compress_and_shear(displacement: &str) -> Distance {
    let (mut simulation, _) = simulation(displacement);
    let start = simulation.world.energy().balance();
    advance_to_stage(&mut simulation, 1);
    let value = |simulation: &Simulation, name: &str| measure::value(simulation, name).unwrap();
    println!(
        "compressed after {} steps: p = {:.1} Pa, porosity {:.3}, coordination {:.2}",
        simulation.world.step,
        value(&simulation, "mean_stress"),
        value(&simulation, "porosity"),
        value(&simulation, "coordination")
    );
    assert!((value(&simulation, "mean_stress") / 1e5 - 1.0).abs() < 2e-3);
    let tractions = largest_distance_of_tractions(&simulation.world) / 1e5;
    println!("tractions on planes are those of the stress of contacts within {tractions:.1e} of p");
    assert!(tractions < 5e-3, "{tractions}");
    let (mut inertia, mut largest_ratio) = (0.0f64, 0.0f64);
    let mut distances = Vec::new();
    while simulation.state.stopped.is_none() {
        simulation.advance().unwrap();
        if simulation.world.step.is_multiple_of(100) {
            distances.push((value(&simulation, "mean_stress") / 1e5 - 1.0).abs());
            inertia = inertia.max(value(&simulation, "inertial_number"));
            // not that of the end, where so few spheres may just have rearranged themselves
            largest_ratio = largest_ratio.max(value(&simulation, "q_over_p"));
        }
    }
    let path = Distance::of(distances);
    println!("p held within {path:?} at inertial numbers up to {inertia:.1e}, q/p up to {largest_ratio:.3}");
    assert!(largest_ratio > 0.2);
    assert!(value(&simulation, "strain_zz") > 0.012, "compression is positive");
    let ledger = simulation.world.energy();
    let residual = (ledger.balance() - start).abs() / ledger.cell;
    println!("work of the cell {:.3e} J, residual {residual:.1e}", ledger.cell);
    assert!(residual < 1e-3, "{residual}");
    path
}

#[test]
fn a_restart_in_the_middle_of_a_deformation_changes_no_bit() {
    for displacement in ["affine", "boundary"] {
        let (mut whole, loaded) = simulation(displacement);
        for _ in 0..3000 {
            whole.advance().unwrap();
        }
        let bytes = checkpoint::save(&whole, "f").unwrap();
        let mut part = builder::build_empty(&loaded).unwrap();
        checkpoint::restore(&mut part, &CheckpointReader::from_bytes(bytes).unwrap(), "f").unwrap();
        for _ in 0..2017 {
            whole.advance().unwrap();
            part.advance().unwrap();
        }
        assert!(checkpoint::save(&whole, "f").unwrap() == checkpoint::save(&part, "f").unwrap());
        // as bits: what has no value is not a number
        let bits = |simulation| measure::series_row(simulation).into_iter().map(f64::to_bits).collect::<Vec<_>>();
        assert_eq!(bits(&whole), bits(&part));
    }
}

/// The example with a quarter of its spheres, up to a small strain.
#[test]
fn the_triaxial_example_holds_its_mean_stress() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/triaxial_small.toml");
    let smaller = [
        "domain.max=[0.0157, 0.0157, 0.0157]",
        "particles.sample.region.max=[0.0157, 0.0157, 0.0157]",
        "particles.sample.fill.count=250",
        "stages.shear.until={ strain = { zz = 0.004 } }",
    ];
    let smaller = smaller.map(|text| Override::parse(text).unwrap());
    let loaded = builder::load_scene(&path, &smaller).unwrap();
    let mut simulation = builder::build(&loaded).unwrap();
    simulation.initialise().unwrap();
    assert_eq!(simulation.world.particles.len(), 250);
    advance_to_stage(&mut simulation, 1);
    let value = |simulation: &Simulation, name: &str| measure::value(simulation, name).unwrap();
    println!(
        "{} steps to {:.1} Pa, porosity {:.3}, unbalanced {:.1e}",
        simulation.world.step,
        value(&simulation, "mean_stress"),
        value(&simulation, "porosity"),
        value(&simulation, "unbalanced_force")
    );
    let mut distances = Vec::new();
    while simulation.state.stopped.is_none() {
        simulation.advance().unwrap();
        if simulation.world.step.is_multiple_of(200) {
            distances.push((value(&simulation, "mean_stress") / 1e5 - 1.0).abs());
        }
    }
    let path = Distance::of(distances);
    println!(
        "{} steps: p held within {path:?} at I = {:.1e}, q/p = {:.3}",
        simulation.world.step,
        value(&simulation, "inertial_number"),
        value(&simulation, "q_over_p")
    );
    assert!(path.usual < 5e-3, "{path:?}");
    assert!(value(&simulation, "q_over_p") > 0.3 && value(&simulation, "fabric_zz") > 1.0 / 3.0);
}

/// `positive = "compression"` turns the whole tensor of strain round, shear included: `xy` is then the velocity along x that falls along y.
#[test]
fn positive_compression_turns_rates_of_shear_round_as_those_of_length() {
    let sheared = |positive: &str| {
        let text = format!(
            r#"
[time]
step = "10 us"
end = "1 ms"
[domain]
min = [0, 0, 0]
max = [1, 1, 1]
x = "periodic"
y = "periodic"
z = "periodic"
[cell]
positive = "{positive}"
[fields]
gravity = [0, 0, 0]
[materials.m]
density = 2500
young_modulus = 1e7
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
friction = 0.5
restitution = 0.5
[[particles]]
name = "s"
material = "m"
sizes = {{ type = "single", radius = 0.01 }}
region = {{ type = "box", min = [0, 0, 0], max = [1, 1, 1] }}
fill = {{ type = "lattice", gap = 0, count = 1 }}
[[stages]]
name = "shear"
deform = {{ xy = {{ rate = 2 }}, zz = {{ rate = -1 }} }}
until = {{ strain = {{ xy = 0.05 }} }}
"#
        );
        let mut simulation = builder::build(&builder::parse_scene("shear", &text, &[]).unwrap()).unwrap();
        simulation.initialise().unwrap();
        while simulation.state.stopped.is_none() {
            simulation.advance().unwrap();
        }
        let edges = simulation.world.cell.matrix();
        let strain = |name: &str| dem_sim::measure::value(&simulation, name).unwrap();
        (edges.y_axis.x, edges.z_axis.z, strain("strain_xy"), strain("strain_zz"))
    };
    let (tension, compression) = (sheared("tension"), sheared("compression"));
    // the cell leans along x by twice the strain, and back
    assert!(tension.0 > 0.0 && tension.1 < 1.0 && tension.2 > 0.0 && tension.3 < 0.0, "{tension:?}");
    assert!(compression.0 < 0.0 && compression.1 > 1.0, "{compression:?}");
    // what is asked for is what the series tells
    assert!(compression.2 > 0.0 && compression.3 < 0.0, "{compression:?}");
    assert!((tension.0 + compression.0).abs() < 1e-2 * tension.0, "{tension:?} {compression:?}");
}
