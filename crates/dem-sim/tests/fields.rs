//! Forces on free particles against closed forms.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_sim::fields::{Drag, Fields, Magnus};
use dem_sim::world::World;
use dem_testkit::worlds;

const RADIUS: f64 = 0.01;

fn free_sphere(fields: Fields, velocity: DVec3, spin: DVec3) -> World {
    let mut world = worlds::world("linear", &worlds::common_parameters("linear", 0.0, 1.0), Cell::unbounded());
    world.fields = fields;
    let mut sphere = worlds::sphere(DVec3::ZERO, RADIUS);
    sphere.velocity = velocity;
    sphere.angular_velocity = spin;
    world.insert(sphere);
    world
}

fn run(world: &mut World, steps: u32) {
    let mut pipeline = worlds::pipeline();
    pipeline.initialise(world).unwrap();
    for _ in 0..steps {
        pipeline.step(world).unwrap();
    }
}

/// With a constant spin across the velocity the path through the fluid is a circle, run through at the rate S ω/m.
#[test]
fn the_magnus_force_bends_the_path_through_the_fluid_into_a_circle() {
    for wind in [DVec3::ZERO, DVec3::new(0.3, -0.2, 0.1)] {
        let (speed, spin) = (2.0, DVec3::new(0.0, 0.0, 50.0));
        let coefficient = 1e-3;
        let fields = Fields { magnus: Some(Magnus { coefficient, fluid_velocity: wind }), ..Fields::default() };
        let mut world = free_sphere(fields, wind + DVec3::new(speed, 0.0, 0.0), spin);
        let rate = coefficient * spin.z / world.particles.mass[0];
        let steps = 20_000;
        let time = 0.75 * std::f64::consts::TAU / rate;
        world.time_step = time / f64::from(steps);
        let kinetic = world.energy().kinetic();
        let balance = world.energy().balance();
        run(&mut world, steps);
        // three quarters of a turn
        let velocity = world.particles.velocity[0] - wind;
        let position = world.particles.position[0] - wind * time;
        let radius = speed / rate;
        assert!((velocity - DVec3::new(0.0, -speed, 0.0)).length() < 1e-6 * speed, "{velocity}");
        assert!((position - DVec3::new(-radius, radius, 0.0)).length() < 1e-6 * radius, "{position}");
        let ledger = world.energy();
        let residual = (ledger.balance() - balance).abs() / kinetic;
        println!("wind {wind}: work of the fluid {:.2e} of {kinetic:.2e} J, residual {residual:.1e}", -ledger.fields);
        assert_eq!(ledger.fields == 0.0, wind == DVec3::ZERO);
        // the power is taken at the end of a step
        assert!(residual < if wind == DVec3::ZERO { 1e-7 } else { 1e-4 }, "{residual}");
    }
}

/// `g(t) = g (−sin Ωt, 0, −cos Ωt)` integrates to a velocity on a circle and a position on a trochoid.
#[test]
fn turning_gravity_moves_a_free_sphere_along_a_trochoid() {
    let (gravity, rate) = (9.81, 3.0);
    let fields = Fields {
        gravity: DVec3::new(0.0, 0.0, -gravity),
        gravity_rotation: DVec3::new(0.0, rate, 0.0),
        ..Fields::default()
    };
    let mut world = free_sphere(fields, DVec3::ZERO, DVec3::ZERO);
    let (steps, time) = (20_000, 1.7);
    world.time_step = time / f64::from(steps);
    let balance = world.energy().balance();
    run(&mut world, steps);
    let (sine, cosine) = (rate * time).sin_cos();
    let velocity = gravity / rate * DVec3::new(cosine - 1.0, 0.0, -sine);
    let position = gravity / rate * DVec3::new(sine / rate - time, 0.0, (cosine - 1.0) / rate);
    let p = &world.particles;
    assert!((p.velocity[0] - velocity).length() < 1e-7 * gravity / rate, "{} {velocity}", p.velocity[0]);
    assert!((p.position[0] - position).length() < 1e-7 * position.length(), "{} {position}", p.position[0]);
    let ledger = world.energy();
    assert_eq!(ledger.gravity, 0.0);
    let residual = (ledger.balance() - balance).abs() / ledger.kinetic();
    println!("work of turning gravity {:.3e} J, residual {residual:.1e}", -ledger.fields);
    assert!(ledger.fields < 0.0 && residual < 1e-9, "{residual}");
}

#[test]
fn drag_takes_a_sphere_along_with_the_fluid_exponentially() {
    let (coefficient, wind) = (0.01, DVec3::new(0.5, 0.0, -1.0));
    let fields = Fields { drag: Some(Drag { coefficient, fluid_velocity: wind }), ..Fields::default() };
    let mut world = free_sphere(fields, DVec3::ZERO, DVec3::ZERO);
    let relaxation = world.particles.mass[0] / coefficient;
    world.time_step = relaxation / 5_000.0;
    let balance = world.energy().balance();
    run(&mut world, 10_000);
    let expected = wind * (1.0 - (-2.0f64).exp());
    assert!((world.particles.velocity[0] - expected).length() < 1e-7, "{} {expected}", world.particles.velocity[0]);
    let ledger = world.energy();
    assert!((ledger.balance() - balance).abs() < 1e-3 * ledger.kinetic());
}
