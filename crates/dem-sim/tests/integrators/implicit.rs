//! The generalised trapezoidal rule: energy, iterations, sweeps, halving.

use std::collections::BTreeMap;

use dem_contact::ParameterValue;
use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_sim::error::StepError;
use dem_sim::world::World;
use dem_testkit::gas::Gas;
use dem_testkit::schemes::{Scheme, scheme};
use dem_testkit::worlds;

use super::{alone, take_steps};

fn trapezoidal(numbers: &[(&str, f64)], sweep: &str) -> Scheme {
    let mut options: BTreeMap<String, ParameterValue> = worlds::parameters(numbers, &[]);
    options.extend(worlds::words(&[("sweep", sweep)]));
    Scheme::new("generalized-trapezoidal", options)
}

const SWEEPS: [&str; 2] = ["jacobi", "gauss-seidel"];

/// A sphere on a linear spring under gravity, which never leaves it.
pub(super) fn spring() -> World {
    let given = worlds::parameters(&[("friction", 0.0), ("damping_ratio", 0.0), ("normal_stiffness", 1e4)], &[]);
    let mut world = worlds::world("linear", &given, Cell::unbounded());
    worlds::add_floor(&mut world);
    world.fields.gravity = -9.81 * DVec3::Z;
    world.insert(worlds::sphere(DVec3::Z * (0.01 - 5e-6), 0.01));
    let omega = (1e4 / world.particles.mass[0]).sqrt();
    world.time_step = 2.0 * std::f64::consts::PI / omega / 40.0;
    world
}

/// Energy of its oscillation about the static overlap \[J\].
pub(super) fn oscillation(world: &World) -> f64 {
    let p = &world.particles;
    let x = 0.01 - p.position[0].z - p.mass[0] * 9.81 / 1e4;
    0.5 * p.mass[0] * p.velocity[0].length_squared() + 0.5 * 1e4 * x * x
}

#[test]
fn the_trapezoidal_rule_keeps_the_energy_of_a_linear_spring() {
    for sweep in SWEEPS {
        let drift = |phi: f64| {
            let mut world = spring();
            let scheme = trapezoidal(&[("phi", phi), ("tolerance", 1e-10), ("most_iterations", 100.0)], sweep);
            let mut pipeline = worlds::pipeline_of(&scheme);
            pipeline.initialise(&mut world).unwrap();
            let before = oscillation(&world);
            alone(|| take_steps(&mut pipeline, &mut world, 4000));
            oscillation(&world) / before - 1.0
        };
        let [backward, middle] = [0.6, 0.5].map(drift);
        println!("{sweep}: change of energy over 100 periods {middle:.1e}, with phi = 0.6 {backward:.1e}");
        // 4000 steps, each to the tolerance
        assert!(middle.abs() < 1e-6, "{sweep}: {middle}");
        assert!(backward < -0.5, "{sweep}: {backward}");
    }
}

/// A head-on impact of two spheres at a twentieth of its duration.
#[test]
fn about_three_iterations_suffice_at_a_twentieth_of_an_impact() {
    for sweep in SWEEPS {
        let given = worlds::parameters(&[("friction", 0.0), ("restitution", 1.0)], &[]);
        let mut world = worlds::world("hertz-mindlin", &given, Cell::unbounded());
        for side in [-1.0, 1.0] {
            let mut sphere = worlds::sphere(DVec3::X * side * 0.01, 0.01);
            sphere.velocity.x = -0.5 * side;
            world.insert(sphere);
        }
        let duration = world.kernels[0].contact_duration(0, 0, 0.005, 0.5 * world.particles.mass[0], 1.0);
        world.time_step = duration / 20.0;
        let mut pipeline = worlds::pipeline_of(&trapezoidal(&[], sweep));
        pipeline.initialise(&mut world).unwrap();
        take_steps(&mut pipeline, &mut world, 20);
        let count = pipeline.integrator.iterations().unwrap();
        println!("{sweep}: {:.2} iterations per step", count.mean());
        assert!((2.5..4.0).contains(&count.mean()), "{sweep}: {count:?}");
        assert_eq!((count.parts, count.halvings), (20, 0), "{sweep}");
        // the impact is over and has lost nothing but errors of a step of this size
        let speed = world.particles.velocity[1].x;
        assert!((speed - 0.5).abs() < 0.01, "{sweep}: {speed}");
    }
}

#[test]
fn both_sweeps_converge_to_one_result() {
    let gas = Gas { count: 64, ..Gas::default() };
    let ends = |tolerance: f64| {
        SWEEPS.map(|sweep| {
            let mut world = gas.world("hertz-mindlin", &Gas::parameters("hertz-mindlin", 0.4, 0.8));
            world.time_step = gas.contact_duration(&world) / 40.0;
            let mut pipeline =
                worlds::pipeline_of(&trapezoidal(&[("tolerance", tolerance), ("most_iterations", 100.0)], sweep));
            pipeline.limits.overlap_ratio = 1.0;
            pipeline.initialise(&mut world).unwrap();
            alone(|| take_steps(&mut pipeline, &mut world, 200));
            assert!(world.energy().friction > 0.0);
            let p = &world.particles;
            p.slots_by_id().into_iter().map(|slot| p.velocity[slot as usize]).collect::<Vec<_>>()
        })
    };
    let difference = |tolerance: f64| {
        let [jacobi, gauss_seidel] = ends(tolerance);
        jacobi.iter().zip(&gauss_seidel).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max)
    };
    let [coarse, fine] = [1e-4, 1e-10].map(difference);
    println!("largest difference of velocities after 200 steps: {coarse:.1e} m/s, {fine:.1e} m/s");
    // speeds are about 1 m/s; collisions enlarge what iterations leave
    assert!(coarse < 1e-2 && fine < 1e-7, "{coarse} {fine}");
}

/// A step that the iteration cannot solve is cut into parts, which keep the energy as the trapezoidal rule does.
#[test]
fn a_step_that_is_too_long_is_halved() {
    for sweep in SWEEPS {
        let run = |factor: f64, steps: u32| {
            let mut world = spring();
            world.time_step *= factor;
            let mut pipeline = worlds::pipeline_of(&trapezoidal(&[], sweep));
            pipeline.initialise(&mut world).unwrap();
            alone(|| take_steps(&mut pipeline, &mut world, steps));
            (oscillation(&world), world.time, pipeline.integrator.iterations().unwrap())
        };
        let (fine, end, one) = run(1.0, 640);
        let (coarse, same_end, many) = run(64.0, 10);
        println!("{sweep}: {one:?}, {many:?}");
        assert_eq!(one.halvings, 0, "{sweep}");
        assert!(many.halvings > 0 && many.parts > 10, "{sweep}: {many:?}");
        assert!((end - same_end).abs() < 1e-12 * end);
        // each part to the tolerance of 1e-4; the parts are a fifth of a period long
        let start = oscillation(&spring());
        assert!((fine / start - 1.0).abs() < 1e-3, "{sweep}: {fine} {start}");
        assert!((coarse / start - 1.0).abs() < 1e-2, "{sweep}: {coarse} {start}");
    }
}

#[test]
fn halving_ends_with_a_message_and_the_state_before() {
    for sweep in SWEEPS {
        let mut world = spring();
        world.particles.velocity[0].x = 0.1;
        let before = (world.particles.position[0], world.particles.velocity[0]);
        // a thousandth of it is still far too long
        world.time_step *= 1e5;
        let mut pipeline = worlds::pipeline_of(&trapezoidal(&[], sweep));
        pipeline.initialise(&mut world).unwrap();
        let error = pipeline.step(&mut world).unwrap_err();
        assert!(matches!(error, StepError::NotConverged { step: 0, .. }), "{error:?}");
        assert!(error.to_string().contains("does not converge even with the time step cut to"), "{error}");
        assert_eq!((world.particles.position[0], world.particles.velocity[0]), before, "{sweep}");
        assert_eq!(pipeline.integrator.iterations().unwrap().halvings, 10, "{sweep}");
    }
}

/// A packing at rest must not be cut to pieces because nothing but round-off is left to converge.
#[test]
fn rest_converges_at_once() {
    for sweep in SWEEPS {
        let given = worlds::parameters(&[("friction", 0.3), ("damping_ratio", 0.5), ("normal_stiffness", 1e4)], &[]);
        let mut world = worlds::world("linear", &given, Cell::unbounded());
        worlds::add_floor(&mut world);
        world.fields.gravity = -9.81 * DVec3::Z;
        for k in 0..3 {
            world.insert(worlds::sphere(DVec3::new(3.0, 2.0, 0.01 + 0.02 * f64::from(k)), 0.01));
        }
        world.time_step = 1e-4;
        let mut pipeline = worlds::pipeline_of(&trapezoidal(&[], sweep));
        pipeline.initialise(&mut world).unwrap();
        alone(|| take_steps(&mut pipeline, &mut world, 20_000));
        let count = pipeline.integrator.iterations().unwrap();
        assert_eq!(count.halvings, 0, "{sweep}: {count:?}");
        assert!(world.energy().kinetic() < 1e-20, "{sweep}");
    }
}

#[test]
fn all_schemes_names_both_sweeps() {
    for sweep in ["generalized-trapezoidal", "generalized-trapezoidal sweep=\"gauss-seidel\""] {
        assert_eq!(scheme(sweep).integrator, "generalized-trapezoidal");
    }
}
