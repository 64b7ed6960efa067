//! Sums over particles and contacts do not depend on where these lie: with the slots shuffled and on any number of threads every row has the
//! same bits, and so has the state, also where sums steer. Sums that ran in the order of slots would fail.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use dem_sim::deformation::servo::AssemblyStiffness;
use dem_sim::simulation::Simulation;
use dem_sim::wall_servos::Assembly;
use dem_sim::{builder, checkpoint, measure};
use rayon::ThreadPoolBuilder;

pub const MATERIAL: &str = r#"
[materials.grain]
density = 2600
young_modulus = 2e7
poisson_ratio = 0.2
[limits]
overlap = 0.5
[contact]
law = "hertz-mindlin"
friction = 0.4
restitution = 0.5
"#;

/// Spheres in a periodic cell under stress control, with pair contacts that begin and end.
pub const CELL: &str = r#"
seed = 4
[time]
step = "8 us"
[domain]
min = [0, 0, 0]
max = ["20 mm", "20 mm", "20 mm"]
x = "periodic"
y = "periodic"
z = "periodic"
[cell]
positive = "compression"
[fields]
gravity = [0, 0, 0]
[[particles]]
name = "grains"
material = "grain"
sizes = { type = "uniform", min = "0.95 mm", max = "1 mm" }
region = { type = "box", min = [0, 0, 0], max = ["20 mm", "20 mm", "20 mm"] }
fill = { type = "lattice", gap = 0.005, jitter = 1 }
velocity = ["0.3 m/s", "-0.2 m/s", "0.5 m/s"]
[[stages]]
name = "compress"
deform = { xx = { rate = "60 1/s" }, yy = { rate = "60 1/s" }, zz = { rate = "60 1/s" } }
until = { steps = 200 }
[[stages]]
name = "servo"
deform = { xx = { stress = "400 kPa" }, yy = { stress = "300 kPa" }, zz = { rate = "30 1/s" }, max_rate = "60 1/s" }
until = { steps = 100000 }
"#;

/// Spheres that fall out of a box on a floor that slides, in a cylinder, pressed by a lid.
pub const WALLS: &str = r#"
seed = 6
[time]
step = "8 us"
[domain]
min = ["-12 mm", "-12 mm", "-2 mm"]
max = ["12 mm", "12 mm", "30 mm"]
[fields]
gravity = [0, 0, -9.81]
local_damping = 0.1
[[output.regions]]
name = "middle"
region = { type = "box", min = ["-5 mm", "-5 mm", "5 mm"], max = ["5 mm", "4 mm", "13 mm"] }
[[output.wall_probes]]
wall = "cylinder"
from = 0
to = "20 mm"
bins = 5
sectors = 3
[[output.wall_probes]]
wall = "lid"
bins = 2
[[walls]]
name = "floor"
material = "grain"
shape = { type = "plane", normal = [0, 0, 1] }
motion = { surface_velocity = ["0.1 m/s", 0, 0] }
[[walls]]
name = "cylinder"
material = "grain"
shape = { type = "cylinder", radius = "10 mm" }
[[walls]]
name = "lid"
material = "grain"
shape = { type = "disc", centre = [0, 0, "20 mm"], radius = "10 mm" }
motion = { servo = { force = "2 N", direction = [0, 0, -1], max_speed = "0.8 m/s" } }
[[particles]]
name = "grains"
material = "grain"
sizes = { type = "uniform", min = "0.95 mm", max = "1 mm" }
region = { type = "cylinder", base = [0, 0, 0], radius = "10 mm", height = "20 mm" }
fill = { type = "lattice", gap = 0.01, jitter = 1 }
velocity = ["0.4 m/s", 0, "-0.2 m/s"]
"#;

/// Slots in another order: every so many.
fn shuffle(simulation: &mut Simulation, stride: usize) {
    let count = simulation.world.particles.len();
    let order: Vec<u32> = (0..stride).flat_map(|first| (first..count).step_by(stride)).map(|at| at as u32).collect();
    simulation.world.particles.rearrange(&order);
}

/// Bits of all that is summed.
fn sums(simulation: &Simulation) -> Vec<u64> {
    let world = &simulation.world;
    let mut numbers = measure::series_row(simulation);
    let (linear, angular) = world.momentum();
    numbers.extend(linear.to_array().into_iter().chain(angular.to_array()));
    let AssemblyStiffness { normal, shear, diameter, density } = AssemblyStiffness::of(world);
    numbers.extend(normal.to_cols_array().into_iter().chain(shear.to_array()).chain([diameter, density]));
    for servo in &world.wall_servos {
        let Assembly { stiffness, mass, density, far_side } = Assembly::of(world, servo.wall, servo.direction);
        numbers.extend([stiffness, mass, density, far_side]);
    }
    numbers.into_iter().map(f64::to_bits).collect()
}

/// Bits of the sums on the way and of the state at the end, with slots in order of every `stride`-th.
fn run(scene: &str, stride: usize, threads: usize, steps: u32) -> (Vec<Vec<u64>>, Vec<u8>, Simulation) {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let loaded = builder::parse_scene("scene", &format!("{scene}{MATERIAL}"), &[]).unwrap();
        let mut simulation = builder::build(&loaded).unwrap();
        shuffle(&mut simulation, stride);
        simulation.initialise().unwrap();
        let mut rows = vec![sums(&simulation)];
        for step in 1..=steps {
            simulation.advance().unwrap();
            if step % 50 == 0 {
                rows.push(sums(&simulation));
            }
        }
        (rows, checkpoint::save(&simulation, "scene").unwrap(), simulation)
    })
}

fn assert_no_order_matters(scene: &str, steps: u32) -> Simulation {
    let (rows, state, simulation) = run(scene, 1, 1, steps);
    for (stride, threads) in [(7, 1), (1, 2), (13, 3)] {
        let (other_rows, other_state, other) = run(scene, stride, threads, steps);
        if stride > 1 {
            assert!(other.world.particles.id != simulation.world.particles.id, "slots are the same in the end");
        }
        for (at, (row, other)) in rows.iter().zip(&other_rows).enumerate() {
            let names = measure::series_columns(&simulation.world);
            let differing: Vec<&str> = (row.iter().zip(other).enumerate())
                .filter(|(_, (a, b))| a != b)
                .map(|(column, _)| names.get(column).map_or("beyond the row", |name| name.name.as_str()))
                .collect();
            assert!(differing.is_empty(), "row {at}, every {stride}th slot, {threads} threads: {differing:?}");
        }
        assert!(state == other_state, "another state with every {stride}th slot on {threads} threads");
    }
    simulation
}

#[test]
fn slots_change_no_bit_of_a_cell_under_stress_control() {
    let simulation = assert_no_order_matters(CELL, 300);
    let world = &simulation.world;
    assert!(simulation.state.stage == 1 && world.contact_count().pairs > 100, "{:?}", world.contact_count());
}

#[test]
fn slots_change_no_bit_of_walls_that_slide_and_press() {
    let simulation = assert_no_order_matters(WALLS, 700);
    let world = &simulation.world;
    assert!(world.contact_count().walls > 30, "{:?}", world.contact_count());
    assert!(world.walls.iter().all(|wall| wall.force.length() > 0.0), "all walls bear something");
    assert!(world.walls[0].surface_force.length() > 0.0 && world.walls[2].work != 0.0);
    assert!(world.accumulated.separated.viscous > 0.0, "contacts have ended");
    let loaded = simulation.probes.rows(world).iter().filter(|row| row.contacts > 0.0).count();
    assert!(loaded > 5, "{loaded} bins with contacts");
}

/// Loads of walls that do not move are summed in steps after which somebody may look, and are the same then.
#[test]
fn loads_of_fixed_walls_are_known_after_steps_that_nobody_has_seen() {
    let fixed = WALLS
        .replace("motion = { surface_velocity = [\"0.1 m/s\", 0, 0] }\n", "")
        .replace("motion = { servo = { force = \"2 N\", direction = [0, 0, -1], max_speed = \"0.8 m/s\" } }\n", "");
    let fixed = fixed.split_once("[[output").unwrap().0.to_owned() + &fixed[fixed.find("[[walls]]").unwrap()..];
    let (_, state, expected) = run(&fixed, 1, 1, 400);
    let loaded = builder::parse_scene("scene", &format!("{fixed}{MATERIAL}"), &[]).unwrap();
    let mut simulation = builder::build(&loaded).unwrap();
    simulation.initialise().unwrap();
    let mut calls = 0;
    while simulation.world.step < 400 {
        simulation.advance_unseen(f64::INFINITY, 400 - simulation.world.step).unwrap();
        calls += 1;
    }
    assert!(calls < 100, "{calls} calls");
    let force = |simulation: &Simulation| simulation.world.walls.iter().map(|wall| wall.force).collect::<Vec<_>>();
    assert!(force(&expected)[..2].iter().all(|force| force.length() > 0.0), "{:?}", force(&expected));
    assert_eq!(force(&simulation), force(&expected));
    assert!(checkpoint::save(&simulation, "scene").unwrap() == state, "another state");
}
