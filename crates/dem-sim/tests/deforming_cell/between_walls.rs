//! Cells that are periodic along two directions and enclosed by plates along the third.

use dem_core::DVec3;
use dem_core::cell::{Cell, FacePolicy};
use dem_core::wall::{Motion, Shape, Wall};
use dem_io::checkpoint::CheckpointReader;
use dem_io::document::Override;
use dem_sim::builder::{self, LoadedScene};
use dem_sim::checkpoint;
use dem_sim::deformation::Deformation;
use dem_sim::deformation::control::{Component, Constraint, Control};
use dem_sim::measure;
use dem_sim::simulation::Simulation;
use dem_testkit::worlds;

/// Rough plates and lateral stresses at 100 kPa, then the plates are pushed together at constant lateral stress, then the cell is sheared in the
/// plane of the plates until its edges are replaced.
const SCENE: &str = r#"
seed = 4
[domain]
min = [0, 0, "-2 mm"]
max = ["13 mm", "13 mm", "30 mm"]
x = "periodic"
y = "periodic"
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
damping_ratio = 0.5
[[walls]]
name = "floor"
material = "grain"
shape = { type = "plane", normal = [0, 0, 1] }
[[walls]]
name = "top"
material = "grain"
shape = { type = "plane", point = [0, 0, "13 mm"], normal = [0, 0, -1] }
motion = { servo = { pressure = "100 kPa", max_speed = "0.3 m/s" } }
[[particles]]
name = "sample"
material = "grain"
sizes = { type = "uniform", min = "0.8 mm", max = "1.2 mm" }
region = { type = "box", min = [0, 0, 0], max = ["13 mm", "13 mm", "13 mm"] }
fill = { type = "random", count = 150 }
[[stages]]
name = "compress"
deform = { xx = { stress = "100 kPa" }, yy = { stress = "100 kPa" } }
until = { stress_reached = { tolerance = "0.3 %", unbalanced_force = 5e-3 } }
[[stages]]
name = "triaxial"
actions = [{ type = "move_wall", wall = "top", motion = { velocity = [0, 0, "-5 mm/s"] } }]
deform = { xx = { stress = "100 kPa" }, yy = { stress = "100 kPa" } }
until = { strain = { zz = "0.4 %" } }
[[stages]]
name = "shear"
actions = [{ type = "move_wall", wall = "top", motion = { servo = { pressure = "100 kPa" } } }]
deform = { xy = { rate = "120 1/s" } }
until = { strain = { xy = "32 %" } }
"#;

fn load(overrides: &[&str]) -> (Simulation, LoadedScene) {
    let overrides: Vec<Override> = overrides.iter().map(|text| Override::parse(text).unwrap()).collect();
    let loaded = builder::parse_scene("scene", SCENE, &overrides).unwrap();
    let mut simulation = builder::build(&loaded).unwrap();
    simulation.initialise().unwrap();
    (simulation, loaded)
}

fn value(simulation: &Simulation, name: &str) -> f64 {
    measure::value(simulation, name).unwrap()
}

fn advance_to_stage(simulation: &mut Simulation, stage: usize) {
    while simulation.state.stage < stage {
        simulation.advance().unwrap();
        assert!(simulation.world.step < 200_000, "{:?}", simulation.world.wall_servos);
    }
}

/// Distance of the plates \[m\].
fn height(simulation: &Simulation) -> f64 {
    let [floor, top] = [0, 1].map(|k| &simulation.world.walls[k]).map(|wall| match &wall.shape {
        Shape::Plane { point, .. } => (wall.pose.position + *point).z,
        _ => f64::NAN,
    });
    top - floor
}

#[test]
fn a_column_that_is_asked_for_alone_has_the_value_of_its_row() {
    let (mut simulation, _) = load(&[]);
    for _ in 0..400 {
        simulation.advance().unwrap();
    }
    let (columns, row) = (measure::series_columns(&simulation.world), measure::series_row(&simulation));
    assert_eq!(columns.len(), row.len());
    for (column, expected) in columns.iter().zip(row) {
        let found = measure::value(&simulation, &column.name).unwrap();
        assert_eq!(found.to_bits(), expected.to_bits(), "{}: {found} and {expected}", column.name);
    }
    assert_eq!(measure::value(&simulation, "nothing"), None);
}

#[test]
fn plates_and_periodic_faces_hold_their_stresses_together_and_the_ledger_closes() {
    let (mut simulation, _) = load(&[]);
    let (start, first_height) = (simulation.world.energy().balance(), height(&simulation));
    advance_to_stage(&mut simulation, 1);
    let plates = value(&simulation, "wall_top_pressure");
    let stress = ["xx", "yy", "zz"]
        .map(|c| value(&simulation, &format!("stress_{c}")) + value(&simulation, &format!("viscous_stress_{c}")));
    println!("{} steps: plates {plates:.1} Pa, contacts {stress:.1?} Pa", simulation.world.step);
    for stress in stress {
        assert!((stress / 1e5 - 1.0).abs() < 5e-3, "{stress}");
    }
    assert!((stress[2] / plates - 1.0).abs() < 5e-3);
    let expected = (first_height / height(&simulation)).ln();
    assert!((value(&simulation, "strain_zz") / expected - 1.0).abs() < 1e-9, "of {expected}");
    let engineering = 1.0 - height(&simulation) / first_height;
    assert!((value(&simulation, "engineering_strain_zz") / engineering - 1.0).abs() < 1e-9, "of {engineering}");
    let solid =
        simulation.world.particles.sum(|k| dem_core::particles::sphere_volume(simulation.world.particles.radius[k]));
    let cell = simulation.world.cell.matrix();
    let porosity = 1.0 - solid / (cell.x_axis.x * cell.y_axis.y * height(&simulation));
    assert!((value(&simulation, "porosity") - porosity).abs() < 1e-12);

    let (mut errors, mut ratios) = (Vec::new(), Vec::new());
    while simulation.state.stage == 1 {
        simulation.advance().unwrap();
        if simulation.world.step.is_multiple_of(100) {
            errors.push(value(&simulation, "stress_error"));
            ratios.push(value(&simulation, "q_over_p"));
        }
    }
    // not the mean: a rearrangement of so few spheres throws the stresses off for an instant
    errors.sort_unstable_by(f64::total_cmp);
    let median = errors[errors.len() / 2];
    // and not the end: when so few spheres rearrange themselves depends on the last bit of every force
    let largest_ratio = ratios.into_iter().fold(0.0, f64::max);
    println!(
        "{} steps: lateral stresses held within {median:.1e} in the median, q/p up to {largest_ratio:.3}, I = {:.1e}",
        simulation.world.step,
        value(&simulation, "inertial_number")
    );
    // far more than the stresses are off: the sample resists
    assert!(median < 0.02 && largest_ratio > 10.0 * median, "{median}, {largest_ratio}");
    assert!(value(&simulation, "inertial_number") > 1e-5, "walls strain the sample, too");
    let ledger = simulation.world.energy();
    let (given, residual) = (ledger.cell + ledger.walls, ledger.balance() - start);
    println!("work of the cell {:.3e} J, of the plates {:.3e} J, residual {residual:.1e} J", ledger.cell, ledger.walls);
    assert!(ledger.cell > 0.0 && ledger.walls > 0.0 && residual.abs() < 1e-3 * given, "{residual:e} of {given:e}");

    let edges = simulation.world.cell.matrix();
    let mut replaced = false;
    while simulation.state.stopped.is_none() {
        simulation.advance().unwrap();
        replaced |= (simulation.world.cell.matrix().y_axis.x - edges.y_axis.x) < 0.0;
    }
    let ledger = simulation.world.energy();
    let (given, residual) = (ledger.cell + ledger.walls, ledger.balance() - start);
    println!(
        "sheared: work {given:.3e} J, residual {residual:.1e} J, plates at {:.0} Pa",
        value(&simulation, "wall_top_pressure")
    );
    assert!(replaced && residual.abs() < 2e-3 * given, "{residual:e} of {given:e}");
}

#[test]
fn a_restart_between_walls_changes_no_bit() {
    let (mut whole, loaded) = load(&["stages.compress.until={ steps = 9000 }"]);
    for _ in 0..9500 {
        whole.advance().unwrap();
    }
    assert_eq!(whole.state.stage, 1);
    let bytes = checkpoint::save(&whole, "f").unwrap();
    let mut part = builder::build_empty(&loaded).unwrap();
    checkpoint::restore(&mut part, &CheckpointReader::from_bytes(bytes).unwrap(), "f").unwrap();
    for _ in 0..1017 {
        whole.advance().unwrap();
        part.advance().unwrap();
    }
    assert!(checkpoint::save(&whole, "f").unwrap() == checkpoint::save(&part, "f").unwrap());
    assert_eq!(measure::series_row(&whole), measure::series_row(&part));
}

/// A sphere between the plates of a cell that is stretched along them: it slips by its peculiar motion, of which there is none, at every place.
#[test]
fn plates_stretch_with_the_cell() {
    for place in [0.1, 2.0, 4.9] {
        let size = DVec3::new(5.0, 5.0, 1.0);
        let cell = Cell::orthogonal(DVec3::ZERO, size, [true, true, false], [[FacePolicy::Open; 2]; 3]);
        let law = [("normal_stiffness", 1e5), ("friction", 0.5), ("stiffness_ratio", 1.0), ("restitution", 1.0)];
        let mut world = worlds::world("linear", &worlds::parameters(&law, &[]), cell);
        world.insert(worlds::sphere(DVec3::new(place, 1.0, 0.499), 0.5));
        worlds::add_floor(&mut world);
        let top = Shape::Plane { point: DVec3::Z * 0.998, normal: DVec3::NEG_Z };
        world.walls.push(Wall::new("top", top, DVec3::Z * 0.998, 0, Motion::default()));
        world.deformation = Some(Deformation::default());
        world.time_step = 1e-5;
        let mut pipeline = worlds::pipeline();
        pipeline.initialise(&mut world).unwrap();
        let mut component = [[Component::Unasked; 3]; 3];
        (component[0][0], component[1][1]) = (Component::Rate(2.0), Component::Rate(-1.0));
        let control =
            Control::new(component, Constraint::None, None).unwrap().of_periodic(world.cell.periodic).unwrap();
        world.deformation.as_mut().unwrap().begin_stage(Some(control));
        for _ in 0..1000 {
            pipeline.step(&mut world).unwrap();
        }
        let x = world.cell.unwrap(world.particles.position[0], world.particles.image[0]).x;
        assert!((x / (place * 0.02_f64.exp()) - 1.0).abs() < 1e-9, "{x}");
        let force = world.walls[0].force;
        assert!((force.z + 100.0).abs() < 1e-6 && force.x.abs() + force.y.abs() < 1e-9, "{place}: {force} N");
        // the stress of the contacts with the plates is that of the sample between them
        let stress = world
            .deformation
            .as_ref()
            .unwrap()
            .stress(dem_sim::deformation::sampled_body::volume(&world.cell, &world.walls));
        let area = world.cell.matrix().x_axis.x * world.cell.matrix().y_axis.y;
        assert!((stress.z_axis.z * area / -100.0 - 1.0).abs() < 2e-3, "{stress}");
        assert!((dem_sim::measure::StressMeasure::of(&world).total().z_axis.z / stress.z_axis.z - 1.0).abs() < 1e-12);
    }
}
