//! The time step of laws that adhere and yield: it resolves the pull.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::f64::consts::PI;

use dem_contact::time_step::{Fractions, contact_bounds};
use dem_core::DVec3;
use dem_core::cell::Cell;
use dem_testkit::floor_impact::OF_YOUNG_MODULUS;
use dem_testkit::worlds;

const RADIUS: f64 = 0.5e-3;
const MODULUS: f64 = 2e9;
const ENERGY: f64 = 0.05;
const STICKING: f64 = 2.415_865e-3;

fn mass() -> f64 {
    4.0 / 3.0 * PI * RADIUS.powi(3) * worlds::DENSITY
}

/// The step of a single contact at a speed, and the criterion that bounds it.
fn step(law: &str, numbers: &[(&str, f64)], words: &[(&str, &str)], speed: f64) -> (f64, &'static str) {
    let mut given = worlds::parameters(&[numbers, &[("friction", 0.3)]].concat(), &[]);
    given.extend(worlds::words(words));
    let kernel = worlds::kernel(law, &given, &worlds::material(MODULUS / OF_YOUNG_MODULUS));
    let bounds = contact_bounds(kernel.as_ref(), (0, 0), RADIUS, mass(), speed, &Fractions::default());
    let least = bounds.into_iter().min_by(|a, b| a.time_step.total_cmp(&b.time_step)).unwrap();
    (least.time_step, least.criterion)
}

/// `√(m* δ_f/F_c)`: the time of the pull that a contact ends with, δ_f = 3a_f²/r*, F_c = 3πγ r*.
fn pull_time() -> f64 {
    let fold = libm::cbrt(PI * ENERGY * RADIUS * RADIUS / (4.0 * MODULUS));
    (mass() * 3.0 * fold * fold / RADIUS / (3.0 * PI * ENERGY * RADIUS)).sqrt()
}

/// The step is at most 0.04π √(m* δ_f/F_c) so that the tensile branch is resolved, whatever the speed, and exactly that in slow contacts, where the impact
/// of bodies drawn in by the work of touch, 4.8·4^(1/3) πγ a_f², lasts longer.
#[test]
fn steps_of_adhesive_contacts_resolve_the_pull() {
    let jkr = [("surface_energy", ENERGY), ("restitution", 1.0)];
    // the same without yield
    let hard = [("surface_energy", ENERGY), ("yield_pressure", 1e12)];
    let speeds = [0.0, 1e-3, 0.5, 1.0, 2.0, 10.0, 100.0].map(|factor| factor * STICKING);
    for (law, numbers) in [("jkr", jkr), ("thornton-ning", hard)] {
        let mut before = f64::INFINITY;
        for speed in speeds {
            let (step, criterion) = step(law, &numbers, &[], speed);
            println!(
                "{law} at {:.3} v_s: {:.4} of 0.04 pi sqrt(m d_f/F_c), {criterion}",
                speed / STICKING,
                step / (0.04 * PI * pull_time())
            );
            assert!(step <= before * (1.0 + 1e-9), "{law}: a faster impact has a longer step");
            assert!(step <= 0.04 * PI * pull_time() * (1.0 + 1e-12), "{law} at {speed}: {step:e} by {criterion}");
            before = step;
        }
    }
    let (found, criterion) = step("jkr", &jkr, &[], 0.0);
    assert_eq!(criterion, "pull of adhesion");
    assert!((found / (0.04 * PI * pull_time()) - 1.0).abs() < 1e-12, "{found:e}");
}

/// A dented contact pulls more: the force grows with r_p and its length with the cube root, so that the step falls with r_p^(1/3).
#[test]
fn steps_of_dented_contacts_resolve_their_pull() {
    let soft = [("surface_energy", ENERGY), ("yield_pressure", 1e7)];
    let speed = 10.0 * STICKING;
    let given = worlds::parameters(&[&soft[..], &[("friction", 0.3)]].concat(), &[]);
    let kernel = worlds::kernel("thornton-ning", &given, &worlds::material(MODULUS / OF_YOUNG_MODULUS));
    let flat = kernel.pull_duration(0, 0, RADIUS, mass(), 0.0);
    let dented = kernel.pull_duration(0, 0, RADIUS, mass(), speed);
    assert!((flat / (PI * pull_time()) - 1.0).abs() < 1e-12, "{flat:e}");
    assert!(dented < 0.9 * flat, "{dented:e} {flat:e}");
}

/// Restitution of a sphere that falls from a gap over a floor, in steps of a length.
fn rebound(law: &str, numbers: &[(&str, f64)], speed: f64, time_step: f64, gap: f64) -> f64 {
    let given = worlds::parameters(&[numbers, &[("friction", 0.3)]].concat(), &[]);
    let mut world = worlds::world_of(law, &given, Cell::unbounded(), MODULUS / OF_YOUNG_MODULUS);
    worlds::add_floor(&mut world);
    let mut sphere = worlds::sphere(DVec3::Z * (RADIUS + gap), RADIUS);
    sphere.velocity = DVec3::Z * -speed;
    world.insert(sphere);
    world.time_step = time_step;
    let mut pipeline = worlds::pipeline();
    pipeline.initialise(&mut world).unwrap();
    for _ in 0..200 {
        pipeline.step(&mut world).unwrap();
        let mut contacts = 0;
        world.visit_contacts(&mut |_| contacts += 1);
        let velocity = world.particles.velocity[0].z;
        if velocity > 0.0 && contacts == 0 {
            return velocity / speed;
        }
    }
    0.0
}

/// Impacts with the step that the bounds give. Both jumps of the force fall somewhere in a step, so that one impact is right to first order; the mean over
/// the places where they may fall, of both independently, is much nearer.
#[test]
fn impacts_at_the_step_of_the_bounds_stick_and_rebound_rightly() {
    /// Where in a step bodies meet, and lengths of the step from 0.9 of the bound up, which shift where they part.
    const PLACES: u32 = 32;
    const LENGTHS: u32 = 16;
    let jkr = [("surface_energy", ENERGY), ("restitution", 1.0)];
    let hard = [("surface_energy", ENERGY), ("yield_pressure", 1e12)];
    for (law, numbers) in [("jkr", jkr), ("thornton-ning", hard)] {
        for factor in [0.7, 1.5, 2.0, 5.0, 10.0] {
            let speed = factor * STICKING;
            let (time_step, _) = step(law, &numbers, &[], speed);
            let starts = (0..PLACES).flat_map(|place| (0..LENGTHS).map(move |length| [place, length]));
            let found: Vec<f64> = starts
                .map(|[place, length]| {
                    let time_step = time_step * (1.0 - 0.1 * f64::from(length) / f64::from(LENGTHS));
                    let gap = (f64::from(place) + 0.5) / f64::from(PLACES) * speed * time_step;
                    rebound(law, &numbers, speed, time_step, gap)
                })
                .collect();
            let mean = found.iter().sum::<f64>() / found.len() as f64;
            let range = found.iter().fold([f64::INFINITY, 0.0], |[low, high], &e| [e.min(low), e.max(high)]);
            let expected = (1.0f64 - 1.0 / (factor * factor)).max(0.0).sqrt();
            println!("{law}, {factor} v_s: {mean:.4} in {range:.4?}, expected {expected:.4}");
            assert!((mean - expected).abs() < 0.003, "{law}, {factor}: {mean} {expected}");
            assert!(range.into_iter().all(|e| (e - expected).abs() < 0.06), "{law}, {factor}: {range:?} {expected}");
        }
    }
}

/// Springs that yield bound the step by the stiffness of unloading, forces at a distance by their steepest slope.
#[test]
fn steps_are_bounded_by_the_stiffness_of_unloading_and_of_forces_at_a_distance() {
    let oscillation = |stiffness: f64| 0.4 * (mass() / stiffness).sqrt();
    let (k1, kp) = (1e4, 5e4);
    let luding = [("loading_stiffness", k1), ("unloading_stiffness_limit", kp), ("plasticity_depth", 0.05)];
    let walton = [("loading_stiffness", k1), ("unloading_stiffness", kp)];
    for (law, numbers) in [("luding", &luding[..]), ("walton-braun", &walton)] {
        let (found, _) = step(law, numbers, &[], 0.01);
        assert!(found <= oscillation(kp) * (1.0 + 1e-12), "{law}: {found:e}");
    }
    // A r*/3h₀³ beside Hertz at rest
    let (hamaker, smallest) = (1e-15, 1e-8);
    let van_der_waals = [
        ("restitution", 1.0),
        ("hamaker_constant", hamaker),
        ("separation_minimum", smallest),
        ("van_der_waals_cutoff", 1e-6),
    ];
    let (found, criterion) = step("hertz-mindlin", &van_der_waals, &[("near_field", "van-der-waals")], 0.0);
    let expected = oscillation(hamaker * RADIUS / (3.0 * smallest.powi(3)));
    assert!((found / expected - 1.0).abs() < 1e-9, "{found:e} {expected:e}, {criterion}");
    // a bridge is nowhere steeper than that, and at least as stiff as its pull over its length
    let (tension, volume) = (0.073, 1e-3 * (2.0 * RADIUS).powi(3));
    let wet = [("restitution", 1.0), ("surface_tension", tension), ("contact_angle", 0.0), ("bridge_volume", volume)];
    let words = [("near_field", "liquid-bridge"), ("bridge_form", "willett-closed")];
    let (found, _) = step("hertz-mindlin", &wet, &words, 0.0);
    let pull = 2.0 * PI * 2.0 * RADIUS * tension;
    assert!(found < oscillation(pull / (0.101 * 2.0 * RADIUS)), "{found:e}");
    // of 1/(1 + 2.1x + 10x²), x = S/2 √(R/V), the slope is steepest at x = 0.105 or at contact
    let slope = (0..1000).map(|k| f64::from(k) * 1e-3).map(|x| (2.1 + 20.0 * x) / (1.0 + x * (2.1 + 10.0 * x)).powi(2));
    let steepest = slope.fold(0.0, f64::max) * pull * 0.5 * (2.0 * RADIUS / volume).sqrt();
    assert!(
        found <= oscillation(steepest) && found > 0.9 * oscillation(steepest),
        "{found:e} {:e}",
        oscillation(steepest)
    );
}
