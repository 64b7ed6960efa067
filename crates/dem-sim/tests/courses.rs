//! A selection of near pairs that follows spheres on their courses changes no bit: no contact begins that it does not have.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use dem_sim::simulation::Simulation;
use dem_sim::{builder, measure};

/// 864 spheres that fly about between two walls and collide: fast ones among slow ones. One of the walls comes nearer for a while.
const GAS: &str = r#"
seed = 3
[time]
step = "5 us"
[domain]
min = [0, 0, 0]
max = ["22 mm", "22 mm", "22 mm"]
x = "periodic"
y = "periodic"
[fields]
gravity = [0, 0, -9.81]
[materials.a]
density = 2500
young_modulus = 1e7
poisson_ratio = 0.25
[limits]
overlap = 0.5
[contact]
law = "LAW"
friction = 0.4
PARAMETERS
[[walls]]
name = "floor"
material = "a"
shape = FLOOR
[[walls]]
name = "lid"
material = "a"
shape = { type = "plane", point = [0, 0, "22 mm"], normal = [0, 0, -1] }
[[particles]]
name = "fast"
material = "a"
sizes = { type = "uniform", min = "0.8 mm", max = "1 mm" }
region = { type = "box", min = [0, 0, 0], max = ["22 mm", "22 mm", "11 mm"] }
fill = { type = "random", count = 432 }
velocity = ["2 m/s", "1 m/s", "1.5 m/s"]
[[particles]]
name = "slow"
material = "a"
sizes = { type = "uniform", min = "0.9 mm", max = "1 mm" }
region = { type = "box", min = [0, 0, "11 mm"], max = ["22 mm", "22 mm", "22 mm"] }
fill = { type = "random", count = 432 }
velocity = ["-0.1 m/s", 0, 0]
[[stages]]
name = "fly"
until = { steps = 500 }
[[stages]]
name = "press"
actions = [{ type = "move_wall", wall = "lid", motion = { velocity = [0, 0, "-0.5 m/s"] } }]
until = { steps = 500 }
[[stages]]
name = "hold"
actions = [{ type = "move_wall", wall = "lid", motion = { velocity = [0, 0, 0] } }]
until = { steps = 100000 }
"#;

const STEPS: u32 = 1500;

/// A run, with a new list and a new selection in every step if it is `anew`; rows on the way, and in how many steps courses were followed.
fn run(law: &str, parameters: &str, floor: &str, anew: bool) -> (Simulation, Vec<u64>, u32) {
    let scene = GAS.replace("LAW", law).replace("PARAMETERS", parameters).replace("FLOOR", floor);
    let loaded = builder::parse_scene("gas", &scene, &[]).unwrap();
    let mut simulation = builder::build(&loaded).unwrap();
    simulation.initialise().unwrap();
    let (mut rows, mut followed) = (Vec::new(), 0);
    for step in 1..=STEPS {
        if anew {
            simulation.pipeline.forces.invalidate();
        }
        let particles = simulation.world.particles.len();
        followed += u32::from(simulation.pipeline.forces.course(particles).is_some());
        simulation.advance().unwrap();
        if step % 50 == 0 {
            rows.extend(measure::series_row(&simulation).into_iter().map(f64::to_bits));
        }
    }
    (simulation, rows, followed)
}

fn state(simulation: &Simulation) -> Vec<(u64, [u64; 12])> {
    let p = &simulation.world.particles;
    let mut all: Vec<_> = (0..p.len())
        .map(|slot| {
            let columns = [p.position[slot], p.velocity[slot], p.angular_velocity[slot], p.force[slot]];
            let mut bits = columns.iter().flat_map(|column| column.to_array()).map(f64::to_bits);
            (p.id[slot], std::array::from_fn(|_| bits.next().unwrap()))
        })
        .collect();
    all.sort_unstable();
    all
}

#[test]
fn following_courses_changes_no_bit() {
    let plane = r#"{ type = "plane", normal = [0, 0, 1] }"#;
    // spheres pass from face to face at its edges
    let crate_of_faces = r#"{ type = "box", min = [0, 0, 0], max = ["22 mm", "22 mm", "22 mm"], open = ["z_max"] }"#;
    let laws = [
        ("hertz-mindlin", "restitution = 0.7", plane),
        ("hertz-mindlin", "restitution = 0.7", crate_of_faces),
        // acts at a distance
        (
            "linear",
            r#"normal_stiffness = 2e4
            stiffness_ratio = 0.5
            damping_ratio = 0.1
            near_field = "mie"
            mie_attraction = 1e-12
            mie_attraction_exponent = 3
            mie_repulsion = 1e-24
            mie_repulsion_exponent = 7.5
            mie_cutoff = "2.4 mm""#,
            crate_of_faces,
        ),
    ];
    for (law, parameters, floor) in laws {
        let (expected, rows, never) = run(law, parameters, floor, true);
        let (found, other_rows, followed) = run(law, parameters, floor, false);
        assert_eq!(never, 0);
        assert!(followed > STEPS * 9 / 10, "{law}: {followed} steps of {STEPS} followed courses");
        let (anew, rebuilds) = (expected.pipeline.forces.rebuilds, found.pipeline.forces.rebuilds);
        assert!(anew > u64::from(STEPS - 1) && rebuilds < anew / 10, "{law}: {anew} and {rebuilds} rebuilds");
        assert!(found.world.accumulated.separated.friction > 0.0, "{law}: no contacts ended");
        assert!(state(&found) == state(&expected), "{law}: another state");
        assert!(other_rows == rows, "{law}: other rows");
    }
}
