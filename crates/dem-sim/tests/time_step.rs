//! The automatic time step follows the fastest spin.

#![allow(clippy::unwrap_used, reason = "a test fails by it")]

use dem_core::DVec3;
use dem_sim::builder;
use dem_sim::simulation::Simulation;

fn spinning(spin: f64) -> Simulation {
    let scene = format!(
        r#"
[fields]
gravity = [0, 0, 0]
[time]
end = "100 s"
expected_speed = "1 mm/s"
[materials.grain]
density = 2500
young_modulus = 1e5
poisson_ratio = 0.25
[contact]
law = "hertz-mindlin"
friction = 0.5
restitution = 0.5
[[particles]]
name = "one"
material = "grain"
sizes = {{ type = "single", radius = "0.1 m" }}
region = {{ type = "box", min = [0, 0, 0], max = [1, 1, 1] }}
fill = {{ type = "random", count = 1 }}
angular_velocity = [0, 0, {spin}]
"#
    );
    let mut simulation = builder::build(&builder::parse_scene("spin", &scene, &[]).unwrap()).unwrap();
    simulation.initialise().unwrap();
    simulation
}

#[test]
fn fast_spin_bounds_the_step_to_a_twentieth_of_a_radian() {
    let fast = spinning(1e4);
    assert_eq!(fast.state.time_step_criterion, "rotation per step");
    assert!((fast.world.time_step - 5e-6).abs() < 1e-18, "{}", fast.world.time_step);
    let slow = spinning(1e-3);
    assert_ne!(slow.state.time_step_criterion, "rotation per step");
    assert!(slow.world.time_step > fast.world.time_step);
}

#[test]
fn step_is_reduced_when_a_particle_spins_up() {
    let mut simulation = spinning(1.0);
    let before = simulation.world.time_step;
    simulation.world.particles.angular_velocity[0] = DVec3::X * (0.2 / before);
    for _ in 0..1000 {
        simulation.advance().unwrap();
    }
    assert_eq!(simulation.state.time_step_criterion, "rotation per step");
    assert!((simulation.world.time_step - 0.9 * before / 4.0).abs() < 1e-12 * before);
}
