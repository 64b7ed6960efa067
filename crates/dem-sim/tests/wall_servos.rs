//! Walls that press with a force: equilibrium with the contacts, rigid-wall triaxial tests, changes of the target, integrators, restart, the ledger.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use dem_core::DVec3;
use dem_core::cell::{Cell, FacePolicy};
use dem_core::wall::{Motion, Shape, Wall};
use dem_io::checkpoint::CheckpointReader;
use dem_io::document::Override;
use dem_sim::builder::{self, LoadedScene};
use dem_sim::checkpoint;
use dem_sim::error::StepError;
use dem_sim::measure;
use dem_sim::simulation::{Simulation, SimulationError};
use dem_sim::wall_servos::Assembly;
use dem_testkit::worlds;
use xxhash_rust::xxh3::xxh3_128;

/// Spheres between two plates, periodic across: loaded to 100 kPa and on to 150 kPa, then sheared by the upper plate under that pressure.
const PLATES: &str = r#"
seed = 5
[domain]
min = [0, 0, "-2 mm"]
max = ["22 mm", "22 mm", "30 mm"]
x = "periodic"
y = "periodic"
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
shape = { type = "plane", point = [0, 0, "18 mm"], normal = [0, 0, -1] }
motion = { servo = { pressure = "100 kPa", max_speed = "0.5 m/s" } }
[[particles]]
name = "sample"
material = "grain"
sizes = { type = "uniform", min = "0.8 mm", max = "1.2 mm" }
region = { type = "box", min = [0, 0, 0], max = ["22 mm", "22 mm", "18 mm"] }
fill = { type = "random", count = 600 }
[[stages]]
name = "load"
until = { stress_reached = { tolerance = "0.1 %", unbalanced_force = 1e-3 } }
[[stages]]
name = "load more"
actions = [{ type = "move_wall", wall = "top", motion = { servo = { pressure = "150 kPa" } } }]
until = { stress_reached = { tolerance = "0.1 %", unbalanced_force = 1e-3 } }
[[stages]]
name = "shear"
actions = [{ type = "move_wall", wall = "top", motion = { velocity = ["40 mm/s", 0, 0], servo = { pressure = "150 kPa" } } }]
until = { time = "20 ms" }
"#;

/// Spheres in a box of six planes, three of which press.
const BOX: &str = r#"
seed = 7
[domain]
min = ["-1 mm", "-1 mm", "-1 mm"]
max = ["16 mm", "16 mm", "16 mm"]
[fields]
gravity = [0, 0, 0]
[materials.grain]
density = 2600
young_modulus = 1e9
poisson_ratio = 0.2
[materials.plate]
density = 2600
young_modulus = 1e9
poisson_ratio = 0.2
[contact]
law = "linear"
normal_stiffness = "2e5 N/m"
stiffness_ratio = 1
friction = 0.3
damping_ratio = 0.5
[[pairs]]
materials = ["grain", "plate"]
friction = 0
[[walls]]
name = "x_low"
material = "plate"
shape = { type = "plane", normal = [1, 0, 0] }
[[walls]]
name = "y_low"
material = "plate"
shape = { type = "plane", normal = [0, 1, 0] }
[[walls]]
name = "z_low"
material = "plate"
shape = { type = "plane", normal = [0, 0, 1] }
[[walls]]
name = "x_high"
material = "plate"
shape = { type = "plane", point = ["14.5 mm", 0, 0], normal = [-1, 0, 0] }
motion = { servo = { pressure = "100 kPa", max_speed = "0.3 m/s" } }
[[walls]]
name = "y_high"
material = "plate"
shape = { type = "plane", point = [0, "14.5 mm", 0], normal = [0, -1, 0] }
motion = { servo = { pressure = "100 kPa", max_speed = "0.3 m/s" } }
[[walls]]
name = "z_high"
material = "plate"
shape = { type = "plane", point = [0, 0, "14.5 mm"], normal = [0, 0, -1] }
motion = { servo = { pressure = "100 kPa", max_speed = "0.3 m/s" } }
[[particles]]
name = "sample"
material = "grain"
sizes = { type = "uniform", min = "0.8 mm", max = "1.2 mm" }
region = { type = "box", min = [0, 0, 0], max = ["14.5 mm", "14.5 mm", "14.5 mm"] }
fill = { type = "random", count = 200 }
[[stages]]
name = "compress"
until = { stress_reached = { tolerance = "0.1 %", unbalanced_force = 1e-3 } }
[[stages]]
name = "shear"
actions = [{ type = "move_wall", wall = "z_high", motion = { velocity = [0, 0, "-2 mm/s"] } }]
until = { time = "30 ms" }
"#;

fn load(text: &str, overrides: &[&str]) -> (Simulation, LoadedScene) {
    let overrides: Vec<Override> = overrides.iter().map(|text| Override::parse(text).unwrap()).collect();
    let loaded = builder::parse_scene("scene", text, &overrides).unwrap();
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
        assert!(simulation.world.step < 300_000, "{:?}", simulation.world.wall_servos);
    }
}

/// Place of the surface of a plane along an axis \[m\].
fn place(simulation: &Simulation, wall: &str, axis: usize) -> f64 {
    let wall = simulation.world.walls.iter().find(|known| known.name == wall).unwrap();
    match &wall.shape {
        Shape::Plane { point, .. } => (wall.pose.position + *point)[axis],
        _ => f64::NAN,
    }
}

#[test]
fn stress_of_the_contacts_between_plates_is_that_of_the_wall_and_its_work_is_in_the_ledger() {
    let (mut simulation, _) = load(PLATES, &[]);
    let start = simulation.world.energy().balance();
    let mut height = f64::NAN;
    for (stage, pressure) in [(1, 1e5), (2, 1.5e5)] {
        advance_to_stage(&mut simulation, stage);
        let lower = std::mem::replace(&mut height, place(&simulation, "top", 2) - place(&simulation, "floor", 2));
        assert!(lower.is_nan() || height < lower, "more pressure compresses more");
        let volume = 22e-3 * 22e-3 * height;
        let of_contacts = -value(&simulation, "virial_zz") / volume;
        let of_wall = value(&simulation, "wall_top_pressure");
        let of_floor = -value(&simulation, "wall_floor_force_z") / (22e-3 * 22e-3);
        println!(
            "step {}: {of_wall:.1} Pa of the wall, {of_floor:.1} Pa of the floor, {of_contacts:.1} Pa of the contacts",
            simulation.world.step
        );
        assert!((of_wall / pressure - 1.0).abs() < 1e-3);
        assert!((of_contacts / of_wall - 1.0).abs() < 5e-3 && (of_floor / of_wall - 1.0).abs() < 5e-3);
        assert!((value(&simulation, "wall_top_way") - (18e-3 - height)).abs() < 1e-12);
        assert!((value(&simulation, "wall_top_servo_error") - (of_wall / pressure - 1.0).abs()).abs() < 1e-12);
    }
    let (mut errors, mut mobilised) = (Vec::new(), Vec::new());
    let from = simulation.world.walls[1].pose.position;
    while simulation.state.stopped.is_none() {
        simulation.advance().unwrap();
        if !simulation.world.step.is_multiple_of(10) {
            continue;
        }
        let world = &simulation.world;
        errors.push(world.wall_servos[0].error(&world.cell, &world.walls));
        mobilised.push(-value(&simulation, "wall_top_force_x") / value(&simulation, "wall_top_force_z"));
    }
    let moved = simulation.world.walls[1].pose.position - from;
    assert!((moved.x - 8e-4).abs() < 4e-8 && moved.y == 0.0 && moved.z != 0.0, "{moved}");
    // the last quarter of the way, where the plate slides; about a hundred contacts: friction 0.15 to 0.16 with four seeds, 0.14 to 0.21
    // with a quarter of the spheres
    let mean = |values: &[f64]| values[values.len() * 3 / 4..].iter().sum::<f64>() / (values.len() / 4) as f64;
    let (error, friction) = (mean(&errors), mean(&mobilised));
    println!("sheared at a pressure within {error:.1e} in the mean, mobilised friction {friction:.2}");
    assert!(error < 0.02, "{error}");
    // it opposes the motion and no contact of the plate carries more than its limit
    assert!(friction > 0.1 && mobilised.iter().all(|&friction| friction <= 0.3), "{friction}");
    let ledger = simulation.world.energy();
    let residual = (ledger.balance() - start).abs() / ledger.walls;
    println!("work of the walls {:.3e} J, residual {residual:.1e}", ledger.walls);
    assert!(residual < 1e-3, "{residual}");
}

#[test]
fn rigid_walls_hold_the_lateral_pressure_of_a_triaxial_test() {
    let (mut simulation, _) = load(BOX, &[]);
    advance_to_stage(&mut simulation, 1);
    let edges = ["x", "y", "z"].map(|axis| {
        let k = ["x", "y", "z"].iter().position(|a| *a == axis).unwrap();
        place(&simulation, &format!("{axis}_high"), k)
    });
    let volume = edges[0] * edges[1] * edges[2];
    for axis in ["x", "y", "z"] {
        let of_contacts = -value(&simulation, &format!("virial_{axis}{axis}")) / volume;
        let of_wall = value(&simulation, &format!("wall_{axis}_high_pressure"));
        println!("{axis}: {of_wall:.1} Pa of the wall, {of_contacts:.1} Pa of the contacts");
        assert!((of_wall / 1e5 - 1.0).abs() < 1e-3 && (of_contacts / of_wall - 1.0).abs() < 5e-3);
    }
    let mut worst = 0.0f64;
    while simulation.state.stopped.is_none() {
        simulation.advance().unwrap();
        if simulation.world.step.is_multiple_of(50) {
            worst = worst.max(value(&simulation, "wall_x_high_servo_error"));
            worst = worst.max(value(&simulation, "wall_y_high_servo_error"));
        }
    }
    let axial = value(&simulation, "wall_z_high_pressure");
    println!("lateral pressure within {worst:.1e}, axial {axial:.0} Pa after {} steps", simulation.world.step);
    assert!(worst < 0.02, "{worst}");
    assert!(axial > 1.1e5, "{axial}");
    assert_eq!(value(&simulation, "wall_z_high_servo_error"), 0.0, "nothing is asked of it any more");
}

#[test]
fn a_restart_while_walls_press_changes_no_bit() {
    let (mut whole, loaded) = load(BOX, &[]);
    while whole.world.contact_count().walls < 30 {
        whole.advance().unwrap();
        assert!(whole.world.step < 100_000);
    }
    let bytes = checkpoint::save(&whole, "f").unwrap();
    let mut part = builder::build_empty(&loaded).unwrap();
    checkpoint::restore(&mut part, &CheckpointReader::from_bytes(bytes).unwrap(), "f").unwrap();
    for _ in 0..1037 {
        whole.advance().unwrap();
        part.advance().unwrap();
    }
    assert!(checkpoint::save(&whole, "f").unwrap() == checkpoint::save(&part, "f").unwrap());
    assert_eq!(measure::series_row(&whole), measure::series_row(&part));
    // and not into a scene whose walls do something else
    let (_, other) = load(BOX, &["walls.x_high.motion={}"]);
    let bytes = checkpoint::save(&whole, "f").unwrap();
    let mut part = builder::build_empty(&other).unwrap();
    let refused = checkpoint::restore(&mut part, &CheckpointReader::from_bytes(bytes).unwrap(), "f").unwrap_err();
    assert!(refused.to_string().contains("its walls with a servo"), "{refused}");
}

/// Replaces the first occurrence of a number in a section of a checkpoint, and renews the checksums.
fn forge(bytes: &[u8], section: &str, from: f64, to: f64) -> Vec<u8> {
    // mark, version, count, length of the table, checksum of all that and the table
    const HEADER: usize = 40;
    let mut bytes = bytes.to_vec();
    let number = |bytes: &[u8], at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
    let table = HEADER..HEADER + number(&bytes, 16);
    let name = [&(section.len() as u16).to_le_bytes(), section.as_bytes()].concat();
    let entry =
        table.start + bytes[table.clone()].windows(name.len()).position(|found| found == name).unwrap() + name.len();
    let start = number(&bytes, entry + 16);
    let payload = start..start + number(&bytes, entry) * number(&bytes, entry + 8);
    let at = bytes[payload.clone()].windows(8).position(|found| found == from.to_le_bytes());
    let at = payload.start + at.unwrap_or_else(|| panic!("{section} does not hold {from}"));
    bytes[at..at + 8].copy_from_slice(&to.to_le_bytes());
    let checksum = xxh3_128(&bytes[payload]);
    bytes[entry + 24..entry + 40].copy_from_slice(&checksum.to_le_bytes());
    let checksum = xxh3_128(&[&bytes[..24], &bytes[table]].concat());
    bytes[24..HEADER].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

#[test]
fn forged_values_of_walls_that_press_are_refused() {
    let (mut simulation, loaded) = load(BOX, &[]);
    while simulation.world.contact_count().walls < 30 {
        simulation.advance().unwrap();
        assert!(simulation.world.step < 100_000);
    }
    let good = checkpoint::save(&simulation, "f").unwrap();
    let read = |bytes: &[u8]| {
        let mut part = builder::build_empty(&loaded).unwrap();
        checkpoint::restore(&mut part, &CheckpointReader::from_bytes(bytes.to_vec()).unwrap(), "f")
    };
    read(&good).unwrap();
    // fields of the first of them that are nobody's business, by how they are printed
    let text = format!("{:?}", simulation.world.wall_servos[0]);
    let fields = ["Pressure(", "max_speed: Some(", "response: ", "integral: ", ", travel: ", "limit: Some("];
    for field in fields.into_iter().chain(["stiffness: ", "mass: ", "density: ", "far_side: "]) {
        let rest = text.split_once(field).unwrap_or_else(|| panic!("no {field} in {text}")).1;
        let value = rest.split([',', ')', '}']).next().unwrap().trim();
        let value: f64 = value.parse().unwrap_or_else(|_| panic!("{field}{value} in {text}"));
        for forged in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e200] {
            let refused = read(&forge(&good, "wall servos", value, forged)).unwrap_err().to_string();
            assert_eq!(refused, "the servo of its wall \"x_high\" has impossible values", "{field}{forged}");
        }
    }
}

/// Integrators that take a step in parts move the walls in parts, too.
#[test]
fn every_integrator_holds_the_pressure() {
    for integrator in ["semi-implicit-euler", "newmark", "gear", "generalized-trapezoidal"] {
        let overrides = [
            &format!("time.integrator=\"{integrator}\"")[..],
            "particles.sample.fill.count=40",
            "domain.max=[0.0065, 0.0065, 0.03]",
            "particles.sample.region.max=[0.0065, 0.0065, 0.014]",
            "walls.top.shape.point=[0, 0, 0.014]",
            "stages.load.until={ stress_reached = { tolerance = \"0.5 %\", unbalanced_force = 10 } }",
        ];
        let (mut simulation, _) = load(PLATES, &overrides);
        let start = simulation.world.energy().balance();
        advance_to_stage(&mut simulation, 1);
        let ledger = simulation.world.energy();
        let residual = (ledger.balance() - start).abs() / ledger.walls;
        println!("{integrator}: {} steps, residual of the ledger {residual:.1e}", simulation.world.step);
        assert!(residual < 0.02, "{integrator}: {residual}");
    }
}

#[test]
fn what_bears_no_force_stops_the_run_before_the_step() {
    // nothing on the other side: the plate pushes the spheres before it until it has come as far as they reached
    let few = "particles.sample.fill.count=150";
    let (mut simulation, _) = load(PLATES, &[few, "walls.floor.shape.point=[0, 0, -0.5]", "domain.min=[0, 0, -0.2]"]);
    let refused = loop {
        let before = (simulation.world.time, simulation.world.walls[1].pose);
        match simulation.advance() {
            Ok(()) => assert!(simulation.world.step < 200_000),
            Err(error) => {
                assert_eq!(before, (simulation.world.time, simulation.world.walls[1].pose));
                break error;
            }
        }
    };
    let SimulationError::Step(StepError::ForceOutOfReach { wall, travel, limit, target, .. }) = &refused else {
        unreachable!("{refused}")
    };
    assert_eq!(wall, "top");
    assert!(*travel > *limit && *limit > 17e-3 && *limit < 18e-3, "{refused}");
    assert!((target - 1e5 * 484e-6).abs() < 1e-9);
    // a bound of the way does the same sooner
    let bound = [few, "walls.top.motion.servo.max_travel=\"1 mm\"", "walls.floor.shape.point=[0, 0, -0.5]"];
    let (mut simulation, _) = load(PLATES, &bound);
    let refused = loop {
        if let Err(error) = simulation.advance() {
            break error.to_string();
        }
    };
    assert!(refused.contains("limit 1.0000e-3 m"), "{refused}");
}

#[test]
fn pressure_without_the_walls_of_its_area_stops_the_run() {
    let (mut simulation, _) = load(
        BOX,
        &[
            "stages.shear.actions=[{ type = \"remove_wall\", wall = \"y_low\" }]",
            "stages.compress.until={ steps = 100 }",
        ],
    );
    let refused = loop {
        if let Err(error) = simulation.advance() {
            break error;
        }
        assert!(simulation.world.step < 200);
    };
    assert!(refused.to_string().contains("the walls that bound its area have been removed"), "{refused}");
}

/// Columns of spheres between two plates, beside spheres that no plate reaches: every contact of a column takes its share of the way.
#[test]
fn assembly_has_the_stiffness_of_what_is_connected_with_the_wall() {
    let law = [("normal_stiffness", 1e5), ("friction", 0.3), ("stiffness_ratio", 0.5), ("restitution", 1.0)];
    let size = DVec3::new(8.0, 8.0, 40.0);
    let cell = Cell::orthogonal(DVec3::ZERO, size, [true, true, false], [[FacePolicy::Error; 2]; 3]);
    let mut world = worlds::world("linear", &worlds::parameters(&law, &[]), cell);
    let [diameter, spacing] = [1.0, 0.998];
    for (column, layer) in (0..4).flat_map(|column| (0..8).map(move |layer| (column, layer))) {
        let place = DVec3::new(1.0 + 4.0 * f64::from(column % 2), 1.0 + 4.0 * f64::from(column / 2), 0.0);
        let height = 0.5 * spacing + f64::from(layer) * spacing;
        world.insert(worlds::sphere(place + DVec3::Z * height, 0.5 * diameter));
    }
    world.insert(worlds::sphere(DVec3::new(3.0, 3.0, 4.0), 0.5));
    worlds::add_floor(&mut world);
    let top = Shape::Plane { point: DVec3::Z * 8.0 * spacing, normal: DVec3::NEG_Z };
    world.walls.push(Wall::new("top", top, DVec3::Z * 8.0 * spacing, 0, Motion::default()));
    worlds::pipeline().initialise(&mut world).unwrap();
    let assembly = Assembly::of(&world, 1, DVec3::NEG_Z);
    println!("{assembly:?}, {:?}", world.contact_count());
    let length = 7.0 * spacing + diameter;
    let expected = 4.0 * 1e5 * (7.0 * spacing.powi(2) + 2.0 * (0.5 * diameter - 0.25 * (diameter - spacing)).powi(2))
        / length.powi(2);
    assert!((assembly.stiffness / expected - 1.0).abs() < 1e-12, "{} of {expected}", assembly.stiffness);
    let mass = worlds::DENSITY * dem_core::particles::sphere_volume(0.5);
    assert!((assembly.mass / (32.0 * mass) - 1.0).abs() < 1e-12, "the single sphere is not part of it");
    assert!((assembly.density / worlds::DENSITY - 1.0).abs() < 1e-12);
    assert!((assembly.far_side - (8.0 * spacing + 0.001)).abs() < 1e-12, "{}", assembly.far_side);
    // seen from a wall that touches nothing
    world.walls[1].pose.position.z = 30.0;
    worlds::pipeline().initialise(&mut world).unwrap();
    assert_eq!(Assembly::of(&world, 1, DVec3::NEG_Z).stiffness, 0.0);
}

/// The example with a sixth of its spheres: every pressure is reached, and that of the contacts is that of the piston.
#[test]
fn the_oedometer_example_reaches_its_pressures() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/oedometer.toml");
    let smaller = [
        "walls.ring.shape.radius=\"5 mm\"",
        "walls.piston.shape.radius=\"5 mm\"",
        "walls.piston.shape.centre=[0, 0, \"20 mm\"]",
        "particles.sample.region={ type = \"cylinder\", base = [0, 0, 0], radius = \"5 mm\", height = \"20 mm\" }",
        "particles.sample.fill.count=65",
    ];
    let smaller = smaller.map(|text| Override::parse(text).unwrap());
    let loaded = builder::load_scene(&path, &smaller).unwrap();
    let mut simulation = builder::build(&loaded).unwrap();
    simulation.initialise().unwrap();
    let area = std::f64::consts::PI * 25e-6;
    let mut heights = Vec::new();
    for (stage, pressure) in [25e3, 50e3, 100e3, 200e3, 50e3].into_iter().enumerate() {
        while simulation.state.stage == stage && simulation.state.stopped.is_none() {
            simulation.advance().unwrap();
            assert!(simulation.world.step < 600_000, "{:?}", simulation.world.wall_servos);
        }
        let height = 20e-3 - value(&simulation, "wall_piston_way");
        let of_contacts = -value(&simulation, "virial_zz") / (area * height);
        let of_piston = value(&simulation, "wall_piston_pressure");
        println!(
            "step {}: {of_piston:.0} Pa of the piston, {of_contacts:.0} Pa of the contacts, height {height:.4e} m, K0 {:.2}",
            simulation.world.step,
            value(&simulation, "virial_xx") / value(&simulation, "virial_zz")
        );
        assert!((of_piston / pressure - 1.0).abs() < 5e-3 && (of_contacts / of_piston - 1.0).abs() < 5e-3);
        heights.push(height);
    }
    assert!(heights.windows(2).take(3).all(|pair| pair[1] < pair[0]) && heights[4] > heights[3], "{heights:?}");
}

/// A controller that decides at longer intervals than it answers in swings; the step follows it.
#[test]
fn the_response_of_a_wall_that_presses_bounds_the_step() {
    let (mut simulation, _) = load(PLATES, &["walls.top.motion.servo.response=0.02"]);
    let before = simulation.world.time_step;
    while simulation.state.time_step_criterion != "response of a servo" {
        simulation.advance().unwrap();
        assert!(simulation.world.step <= 4000, "{}", simulation.state.time_step_criterion);
    }
    let servo = &simulation.world.wall_servos[0];
    let response = servo.response_time().unwrap();
    assert!(simulation.world.time_step < before);
    assert!((simulation.world.time_step / (0.9 * 0.25 * response) - 1.0).abs() < 1e-12);
}
