//! Momentum and energy.

use std::f64::consts::PI;

use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_sim::world::World;
use dem_testkit::gas::Gas;
use dem_testkit::schemes::{Scheme, all_schemes, scheme};
use dem_testkit::worlds;

use super::implicit::{oscillation, spring};
use super::{alone, take_steps};

/// Two spheres that meet off centre, spinning, with friction; until they are apart again.
fn oblique_impact(scheme: &Scheme) -> [World; 2] {
    let start = || {
        let mut world = worlds::world_of(
            "hertz-mindlin",
            &worlds::parameters(&[("friction", 0.3), ("restitution", 0.8)], &[]),
            Cell::unbounded(),
            1e8,
        );
        for side in [-1.0, 1.0] {
            let mut sphere =
                worlds::sphere(DVec3::new(0.0101, 0.004, 0.0) * side, if side > 0.0 { 0.01 } else { 0.012 });
            sphere.velocity = DVec3::new(-0.5, 0.0, 0.1) * side;
            sphere.angular_velocity = DVec3::new(3.0, 10.0 * side, -20.0);
            world.insert(sphere);
        }
        let duration = world.kernels[0].contact_duration(0, 0, 0.0055, 0.007, 1.0);
        world.time_step = duration / 50.0;
        world
    };
    let mut world = start();
    let mut pipeline = worlds::pipeline_of(scheme);
    pipeline.initialise(&mut world).unwrap();
    let before = start();
    let mut touched = false;
    for _ in 0..2000 {
        take_steps(&mut pipeline, &mut world, 1);
        let touches = world.contact_count().pairs > 0;
        if touched && !touches {
            return [before, world];
        }
        touched |= touches;
    }
    unreachable!("they meet and part")
}

#[test]
fn an_oblique_impact_keeps_linear_and_angular_momentum() {
    alone(|| {
        for scheme in all_schemes() {
            let [before, after] = oblique_impact(&scheme);
            assert!(after.energy().friction > 0.0);
            let ((p0, l0), (p1, l1)) = (before.momentum(), after.momentum());
            let speed = before.particles.mass[0] * before.particles.velocity[0].length();
            let (linear, angular) = ((p1 - p0).length() / speed, (l1 - l0).length() / l0.length());
            println!("{scheme}: change of linear momentum {linear:.1e}, of angular momentum {angular:.1e}");
            // a sweep that takes the newest states sees a contact twice, once for each of its sides
            let sequential = scheme.to_string().contains("gauss-seidel");
            assert!(linear < if sequential { 1e-4 } else { 1e-13 }, "{scheme}: {linear:e}");
            // forces are kicks at fixed places in these schemes, so that angular momentum is kept to rounding; the others move by forces
            // too and keep it to the order of the scheme
            let exact = matches!(scheme.integrator, "velocity-verlet" | "semi-implicit-euler");
            assert!(angular < if exact { 1e-12 } else { 2e-3 }, "{scheme}: {angular:e}");
        }
    });
}

/// Over 100 periods of 40 steps.
#[test]
fn newmark_keeps_an_oscillation_in_one_evaluation_and_drains_it_in_two() {
    let share = |name: &str| {
        let mut world = spring();
        let mut pipeline = worlds::pipeline_of(&scheme(name));
        pipeline.initialise(&mut world).unwrap();
        let before = oscillation(&world);
        alone(|| take_steps(&mut pipeline, &mut world, 4000));
        oscillation(&world) / before
    };
    let [once, twice] = ["newmark", "newmark mode=\"pece\""].map(share);
    // one evaluation: bounded by (ω dt)²/4, whatever the time
    assert!((once - 1.0).abs() < 0.02, "{once}");
    let drained = (1.0 - (2.0 * PI / 40.0).powi(4) / 16.0).powi(4000);
    assert!((twice / drained - 1.0).abs() < 0.02, "{twice} {drained}");
}

/// The ledger of a gas with friction and damping, over three mean free times.
#[test]
fn the_ledger_of_a_gas_closes_under_every_scheme() {
    let gas = Gas { count: 64, ..Gas::default() };
    alone(|| {
        for scheme in all_schemes() {
            let residual = |steps: f64| {
                let mut world = gas.world("hertz-mindlin", &Gas::parameters("hertz-mindlin", 0.4, 0.8));
                world.time_step = gas.contact_duration(&world) / steps;
                let mut pipeline = worlds::pipeline_of(&scheme);
                pipeline.limits.overlap_ratio = 1.0;
                pipeline.initialise(&mut world).unwrap();
                let start = world.energy().balance();
                while world.time < 3.0 * gas.mean_free_time() {
                    take_steps(&mut pipeline, &mut world, 1);
                }
                let end = world.energy();
                assert!(end.friction + end.viscous > 0.05 * start);
                (end.balance() - start).abs() / (end.friction + end.viscous)
            };
            let [coarse, fine] = [50.0, 200.0].map(residual);
            println!("{scheme}: residual of the ledger by dissipation {coarse:.1e} at T_c/50, {fine:.1e} at T_c/200");
            // dissipation is booked by displacements and end-of-step forces, which is first order
            assert!(fine < 0.02, "{scheme}: {fine}");
            assert!(fine < 0.5 * coarse || fine < 2e-3, "{scheme}: {coarse} {fine}");
        }
    });
}
