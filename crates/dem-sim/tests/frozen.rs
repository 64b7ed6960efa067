//! Particles that cannot move: what they bear is no sign of motion, and a velocity that they are given is none.

#![allow(clippy::unwrap_used, reason = "a test fails by it")]

use dem_sim::builder::{build, parse_scene};
use dem_sim::measure;
use dem_sim::simulation::Simulation;

/// A rough base of frozen spheres with a bed on it; the velocity of the base is given and frozen.
const BED: &str = r#"
seed = 4
[domain]
min = [0, 0, -0.01]
max = [0.02, 0.02, 0.06]
x = "periodic"
y = "periodic"
[materials.glass]
density = 2500
young_modulus = 1e7
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
friction = 0.4
restitution = 0.3
[fields]
gravity = [0, 0, -9.81]
[groups.base]
frozen = ["translation", "rotation"]
[[particles]]
name = "base"
material = "glass"
group = "base"
sizes = { type = "single", radius = 0.001 }
region = { type = "box", min = [0, 0, -0.002], max = [0.02, 0.02, 0] }
fill = { type = "lattice", gap = 0.001 }
velocity = [0.3, -0.2, 0.1]
angular_velocity = [50, 0, 20]
[[particles]]
name = "bed"
material = "glass"
sizes = { type = "uniform", min = 0.0009, max = 0.0011 }
region = { type = "box", min = [0, 0, 0.0005], max = [0.02, 0.02, 0.02] }
fill = { type = "random", count = 500 }
[[stages]]
name = "settle"
until = { at_rest = true, time = 3 }
"#;

fn bed() -> Simulation {
    let mut simulation = build(&parse_scene("bed", BED, &[]).unwrap()).unwrap();
    simulation.initialise().unwrap();
    simulation
}

#[test]
fn a_bed_on_frozen_spheres_comes_to_rest() {
    let mut simulation = bed();
    let frozen = (0..simulation.world.particles.len()).filter(|&k| !simulation.world.particles.is_movable(k)).count();
    assert_eq!((frozen, simulation.world.particles.len()), (81, 581));
    while simulation.state.stopped.is_none() {
        simulation.advance().unwrap();
    }
    let world = &simulation.world;
    assert!(world.time < 2.0 && simulation.state.rest_since.is_some(), "t = {} s", world.time);
    let unbalanced = measure::unbalanced_force(world);
    assert!(unbalanced < 1e-3, "{unbalanced}");
    // the base bears the weight of the bed
    let p = &world.particles;
    let sum = |movable: bool, of: &dyn Fn(usize) -> f64| -> f64 {
        (0..p.len()).filter(|&k| p.is_movable(k) == movable).map(of).sum()
    };
    let weight = 9.81 * sum(true, &|k| p.mass[k]);
    let borne = -sum(false, &|k| p.force[k].z + 9.81 * p.mass[k]);
    assert!((borne / weight - 1.0).abs() < 1e-2, "{borne} {weight}");
}

#[test]
fn a_velocity_that_is_frozen_is_no_energy() {
    let mut simulation = bed();
    let p = &simulation.world.particles;
    for slot in (0..p.len()).filter(|&slot| !p.is_movable(slot)) {
        assert_eq!((p.velocity[slot].length(), p.angular_velocity[slot].length()), (0.0, 0.0));
    }
    let before = simulation.world.energy().balance();
    for _ in 0..200 {
        simulation.advance().unwrap();
    }
    let energy = simulation.world.energy();
    assert!((energy.balance() - before).abs() < 1e-4 * energy.kinetic(), "{} {before}", energy.balance());
}

/// A dashpot that scales with the mass has none to scale with where neither body can move: a wall that is driven into a frozen sphere meets its
/// spring alone.
#[test]
fn bodies_that_cannot_move_have_no_dashpot_between_them() {
    let scene = r#"
[domain]
min = [-1, -1, -1]
max = [1, 1, 1]
[fields]
gravity = [0, 0, 0]
[materials.glass]
density = 2500
young_modulus = 1e7
poisson_ratio = 0.25
[contact]
law = "linear"
normal_stiffness = 1e4
friction = 0.4
damping_ratio = 0.5
tangential_damping_ratio = 0.5
[time]
step = "1 us"
end = "2 ms"
[groups.held]
frozen = ["translation", "rotation"]
[[particles]]
name = "held"
material = "glass"
group = "held"
sizes = { type = "single", radius = 0.01 }
region = { type = "box", min = [0, 0, 0], max = [0.02, 0.02, 0.02] }
fill = { type = "lattice", count = 1 }
[[walls]]
name = "floor"
material = "glass"
shape = { type = "plane", point = [0, 0, 0], normal = [0, 0, 1] }
motion = { velocity = [0.02, 0, 0.05] }
"#;
    let mut simulation = build(&parse_scene("wall", scene, &[]).unwrap()).unwrap();
    simulation.initialise().unwrap();
    let mut touched = 0;
    for _ in 0..1000 {
        simulation.advance().unwrap();
        let world = &simulation.world;
        world.visit_contacts(&mut |c| {
            touched += 1;
            let force = world.particles.force[c.first];
            assert_eq!((c.dashpot_force(force), c.dashpots.normal, c.dashpots.tangential), (0.0, 0.0, 0.0));
            assert!((force.z / (1e4 * c.overlap) - 1.0).abs() < 1e-9, "{force} at {}", c.overlap);
            assert!(force.x > 0.0 && force.x <= 0.4 * force.z * (1.0 + 1e-12), "{force}");
        });
    }
    assert!(touched > 500, "{touched}");
}
