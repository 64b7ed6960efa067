//! Free rigid bodies in the engine against Euler's equations solved by Jacobi's elliptic functions.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use dem_core::bodies::body::Body;
use dem_core::bodies::template::{Member, Template};
use dem_core::cell::Cell;
use dem_core::{DQuat, DVec3};
use dem_reference::free_top::FreeTop;
use dem_sim::pipeline::Pipeline;
use dem_sim::world::World;
use dem_testkit::bodies::{body, set_templates};
use dem_testkit::schemes::scheme;
use dem_testkit::worlds;

use crate::rigid_bodies::SCHEMES;

/// Moments of inertia \[kg m²\].
pub const MOMENTS: DVec3 = DVec3::new(1.0, 2.0, 3.0);
/// Angular velocity at the start of the tops that are followed \[rad/s\].
pub const SPIN: DVec3 = DVec3::new(0.3, 0.2, 1.0);

/// A body of mass one with [`MOMENTS`] and one sphere of radius one, at a place along its third axis.
pub fn top(at: f64) -> Template {
    Template {
        name: "top".to_owned(),
        members: vec![Member { position: DVec3::Z * at, radius: 1.0, material: 0, share: 1.0 }],
        volume: 1.0,
        moments: MOMENTS,
        principal: DQuat::IDENTITY,
        centre: DVec3::ZERO,
        bounding_radius: 1.0 + at.abs(),
    }
}

/// A top without forces whose axes are those of space at the start.
fn free_top(spin: DVec3, time_step: f64, name: &str) -> (World, Pipeline) {
    let mut world = worlds::world("linear", &worlds::common_parameters("linear", 0.0, 1.0), Cell::unbounded());
    set_templates(&mut world, vec![top(0.0)]);
    let mut new = body(DVec3::ZERO, DQuat::IDENTITY);
    (new.density, new.angular_velocity) = (1.0, spin);
    world.insert_body(new);
    world.time_step = time_step;
    let mut pipeline = worlds::pipeline_of(&scheme(name));
    pipeline.initialise(&mut world).unwrap();
    (world, pipeline)
}

fn only_body(world: &World) -> &Body {
    &world.particles.bodies.all[0]
}

#[test]
fn errors_of_the_orientation_are_those_of_the_splitting_and_fall_with_the_square_of_the_step() {
    let exact = FreeTop::new(MOMENTS.to_array(), SPIN.to_array()).unwrap().attitude(20.0);
    let exact = DQuat::from_array(exact);
    for name in SCHEMES {
        let errors = [(200, 6.6e-4), (400, 1.66e-4), (800, 4.1e-5)].map(|(steps, expected)| {
            let (mut world, mut pipeline) = free_top(SPIN, 20.0 / f64::from(steps), name);
            (0..steps).for_each(|_| pipeline.step(&mut world).unwrap());
            let error = 2.0 * (only_body(&world).orientation() * exact.conjugate()).xyz().length();
            println!("{name}, {steps} steps: {error:.3e} rad");
            // two digits are known
            assert!((error / expected - 1.0).abs() < 0.02, "{name}, {steps} steps: {error:e} {expected:e}");
            error
        });
        for pair in errors.windows(2) {
            assert!((pair[0] / pair[1] - 4.0).abs() < 0.05, "{name}: {errors:?}");
        }
    }
}

#[test]
fn energy_has_no_trend_in_twenty_thousand_steps_and_the_angular_momentum_keeps_its_bits() {
    for name in SCHEMES {
        let (mut world, mut pipeline) = free_top(SPIN, 0.1, name);
        let (start, momentum) = (only_body(&world).kinetic_energy()[1], only_body(&world).angular_momentum);
        // largest deviation and mean in each quarter
        let quarters = [0; 4].map(|_| {
            let (mut largest, mut sum) = (0.0f64, 0.0);
            for _ in 0..5000 {
                pipeline.step(&mut world).unwrap();
                let change = only_body(&world).kinetic_energy()[1] / start - 1.0;
                largest = largest.max(change.abs());
                sum += change;
            }
            [largest, sum / 5000.0]
        });
        assert_eq!(only_body(&world).angular_momentum, momentum, "{name}");
        println!("{name}: {quarters:?}");
        for [largest, mean] in quarters {
            assert!((largest / 3.7e-5 - 1.0).abs() < 0.02, "{name}: {quarters:?}");
            // a quarter does not end with a period
            assert!((mean - quarters[0][1]).abs() < 3e-7, "{name}: {quarters:?}");
        }
    }
}

/// Times at which the spin about the middle axis changes its sign.
fn flips(spin: DVec3, time_step: f64, count: usize) -> Vec<f64> {
    let (mut world, mut pipeline) = free_top(spin, time_step, "velocity-verlet");
    let about_middle = |world: &World| only_body(world).to_principal(only_body(world).angular_velocity()).y;
    let (mut before, mut times) = (about_middle(&world), Vec::new());
    while times.len() < count {
        pipeline.step(&mut world).unwrap();
        let now = about_middle(&world);
        if now * before < 0.0 {
            times.push(world.time - time_step * now / (now - before));
        }
        before = now;
    }
    times
}

/// The tennis racket theorem: a body that turns almost about its middle axis turns over every 2K(k)/λ.
#[test]
fn a_body_about_its_middle_axis_turns_over_at_the_times_of_elliptic_functions() {
    for (about_third, exact) in [(1e-2, 18.851_035_79), (1e-3, 26.828_560_93)] {
        let errors = [0.1, 0.05].map(|time_step| {
            let times = flips(DVec3::new(0.0, 1.0, about_third), time_step, 5);
            // at the start that spin is at its largest: the first change is after half the time between two
            let relative: Vec<f64> =
                times.iter().zip(0u32..).map(|(time, k)| time / (exact * (f64::from(k) + 0.5)) - 1.0).collect();
            println!("disturbed by {about_third}, |ω| dt = {time_step}: {relative:?}");
            relative
        });
        for (coarse, fine) in errors[0].iter().zip(&errors[1]) {
            assert!(coarse.abs() < 2e-4, "{about_third}: {coarse:e}");
            assert!((coarse / fine - 4.0).abs() < 0.3, "{about_third}: {coarse:e} {fine:e}");
        }
    }
}
