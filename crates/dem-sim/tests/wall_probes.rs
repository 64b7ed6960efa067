//! Averages of wall probes against the loads of the walls.
#![expect(clippy::unwrap_used, reason = "functions that tests share fail as tests do")]

use dem_core::DVec3;
use dem_sim::builder::{build, parse_scene};
use dem_sim::simulation::Simulation;
use dem_sim::wall_probes::ProbeRow;

const MATERIAL: &str = r#"
[materials.glass]
density = 2500
young_modulus = 5e6
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
friction = 0.5
restitution = 0.3
tangential_damping_ratio = 0.5
"#;

fn simulation(text: &str) -> Simulation {
    let mut simulation = build(&parse_scene("probes", &format!("{text}{MATERIAL}"), &[]).unwrap()).unwrap();
    simulation.initialise().unwrap();
    simulation
}

/// Sum over the rows of a probe of a column times the area.
fn total(simulation: &Simulation, probe: usize, column: fn(&ProbeRow) -> f64) -> f64 {
    let rows = simulation.probes.rows(&simulation.world);
    rows.iter().filter(|row| row.probe == probe as f64).map(|row| column(row) * row.area).sum()
}

const PRESSURE: fn(&ProbeRow) -> f64 = |row| row.pressure;
const SHEAR_ALONG: fn(&ProbeRow) -> f64 = |row| row.shear_along;
const SHEAR_AROUND: fn(&ProbeRow) -> f64 = |row| row.shear_around;

#[test]
fn bins_add_up_to_the_mean_load_of_the_wall() {
    // gravity is inclined and the cylinder turns, so that no component is zero by symmetry
    let mut simulation = simulation(
        r#"
[time]
end = 0.06
[fields]
gravity = [3, 1, -9]
[[output.wall_probes]]
wall = "floor"
bins = 4
[[output.wall_probes]]
wall = "cylinder"
bins = 7
sectors = 5
[[walls]]
name = "floor"
material = "glass"
shape = { type = "disc", radius = 0.02 }
[[walls]]
name = "cylinder"
material = "glass"
shape = { type = "cylinder", radius = 0.02, height = 0.2 }
motion = { angular_velocity = [0, 0, 5] }
[[particles]]
name = "beads"
material = "glass"
sizes = { type = "uniform", min = 0.0015, max = 0.002 }
region = { type = "cylinder", radius = 0.019, height = 0.04 }
fill = { type = "random", count = 250 }
"#,
    );
    let mut sums = [DVec3::ZERO; 3];
    let mut time = 0.0;
    while simulation.state.stopped.is_none() {
        let step = simulation.world.time_step;
        simulation.advance().unwrap();
        let walls = &simulation.world.walls;
        for (sum, load) in sums.iter_mut().zip([walls[0].force, walls[1].force, walls[1].torque]) {
            *sum += load * step;
        }
        time += step;
    }
    let [floor, side, torque] = sums.map(|sum| sum / time);
    assert!((simulation.probes.duration() - time).abs() < 1e-12);
    let expect = |found: f64, expected: f64, tolerance: f64| {
        assert!((found - expected).abs() < tolerance * expected.abs(), "{found} {expected}");
    };
    // the same terms in another order
    expect(total(&simulation, 0, PRESSURE), -floor.z, 1e-12);
    expect(total(&simulation, 1, SHEAR_ALONG), side.z, 1e-12);
    // contact points lie half the overlap off the surface, at most some per cent of a hundredth of the radius
    expect(total(&simulation, 1, SHEAR_AROUND) * 0.02, torque.z, 2e-3);
    // gravity leans towards x and y: angles of the first quarter bear most
    let rows = simulation.probes.rows(&simulation.world);
    let sector =
        |k: f64| rows.iter().filter(|row| row.probe == 1.0 && row.sector == k).map(|row| row.pressure).sum::<f64>();
    assert!(sector(0.0) > sector(2.0) && sector(0.0) > 4.0 * sector(3.0).max(0.0));
}

#[test]
fn a_sphere_held_by_friction_shows_weight_shear_and_mobilised_friction() {
    let mut simulation = simulation(
        r#"
[time]
end = 0.5
[fields]
gravity = [2, 1, -9]
[groups.block]
frozen = ["rotation"]
[[output.wall_probes]]
wall = "table"
bins = 2
[[walls]]
name = "table"
material = "glass"
shape = { type = "rectangle", centre = [0, 0, 0], edge_u = [0, 0.04, 0], edge_v = [0.04, 0, 0] }
[[particles]]
name = "one"
material = "glass"
group = "block"
sizes = { type = "single", radius = 0.002 }
region = { type = "box", min = [0.008, 0.008, 0], max = [0.012, 0.012, 0.004] }
fill = { type = "lattice" }
[[stages]]
name = "rest"
until = { time = 0.4 }
[[stages]]
name = "measure"
until = { time = 0.1 }
"#,
    );
    while simulation.state.stopped.is_none() {
        simulation.advance().unwrap();
        if simulation.state.stage == 0 {
            simulation.probes.restart();
        }
    }
    let mass = simulation.world.particles.mass[0];
    for (column, expected) in [(PRESSURE, 9.0 * mass), (SHEAR_ALONG, mass), (SHEAR_AROUND, 2.0 * mass)] {
        let found = total(&simulation, 0, column);
        assert!((found - expected).abs() < 1e-6 * expected, "{found} {expected}");
    }
    let rows = simulation.probes.rows(&simulation.world);
    // it lies in the upper half of the first edge
    assert!(rows[0].mobilised_friction.is_nan() && rows[0].contacts == 0.0 && (rows[1].contacts - 1.0).abs() < 1e-9);
    assert!((rows[1].mobilised_friction - 5.0f64.sqrt() / 9.0).abs() < 1e-6, "{}", rows[1].mobilised_friction);
    assert_eq!((rows[0].position, rows[1].position), (0.01, 0.03));
}

#[test]
fn a_simulation_without_probes_sums_nothing() {
    let mut simulation = simulation(
        r#"
[time]
end = 0.001
[[particles]]
name = "one"
material = "glass"
sizes = { type = "single", radius = 0.002 }
region = { type = "box", min = [0, 0, 0], max = [0.004, 0.004, 0.004] }
fill = { type = "lattice" }
"#,
    );
    simulation.advance().unwrap();
    assert!(simulation.probes.is_idle() && simulation.probes.duration() == 0.0);
    assert!(simulation.probes.rows(&simulation.world).is_empty());
}
