use std::f64::consts::PI;

use super::super::jkr;
use super::super::{Dmt, Jkr};
use super::*;

const RADIUS: f64 = 0.5e-3;
const YOUNG_MODULUS: f64 = 2e9;
const ENERGY: f64 = 0.05;

fn soft() -> Jkr {
    model(YOUNG_MODULUS, &[number("surface_energy", ENERGY), number("restitution", 1.0)])
}

/// Overlap and force of a contact radius, as published.
fn published(a: f64) -> [f64; 2] {
    let (e, g) = (YOUNG_MODULUS, ENERGY);
    [
        a * a / RADIUS - 2.0 * (PI * g * a / e).sqrt(),
        4.0 * e * a.powi(3) / (3.0 * RADIUS) - 4.0 * (PI * g * e).sqrt() * a.powf(1.5),
    ]
}

#[test]
fn overlap_and_force_are_the_published_functions_of_the_radius() {
    let model = soft();
    let [fold, unit] = model.units(RADIUS);
    for k in 0..400 {
        let a = fold * (1.0 + 1e-3 * f64::from(k) + 1e-2 * f64::from(k).powi(2));
        let [overlap, expected] = published(a);
        let s = jkr::root(overlap / unit);
        // a root near the fold is as well known as the square root of a rounding
        let tolerance = if k == 0 { 1e-7 } else { 1e-9 };
        assert!((fold * s * s / a - 1.0).abs() < tolerance, "{k}: {} {a}", fold * s * s);
        let found = model.force_unit(RADIUS) * jkr::force(s);
        assert!((found - expected).abs() < tolerance * 10.0 * model.twice_pull_off(RADIUS).max(expected.abs()), "{k}");
    }
}

#[test]
fn four_steps_of_newton_reach_rounding_everywhere() {
    for k in 0..=1200 {
        let d = -3.0 + libm::exp(-20.0 + 0.034 * f64::from(k));
        let s = jkr::root(d);
        // s⁴ − 4s − d, in terms that do not cancel
        let e = s - 1.0;
        let off = ((e + 4.0) * e + 6.0) * e * e - (d + 3.0);
        assert!(off.abs() <= 2e-14 * (d + 3.0) + 1e-15, "{d}: {off:e}");
    }
    assert_eq!(jkr::root(-3.0), 1.0);
}

#[test]
fn characteristic_points_are_those_of_the_theory() {
    let model = soft();
    let [fold, unit] = model.units(RADIUS);
    let pull_off = 0.5 * model.twice_pull_off(RADIUS);
    assert!((fold / 1.699_508e-6 - 1.0).abs() < 1e-6, "{fold}");
    assert!((3.0 * unit / 17.329_97e-9 - 1.0).abs() < 1e-6, "{unit}");
    assert!((pull_off / 0.235_619_4e-3 - 1.0).abs() < 1e-6, "{pull_off}");
    let mass = 4.0 / 3.0 * PI * RADIUS.powi(3) * 2500.0;
    assert!((model.sticking_speed(RADIUS, mass) / 2.415_865e-3 - 1.0).abs() < 1e-6);
    // the work of sticking in the words of the literature: 7.09 (w⁵ r⁴/E*²)^(1/3)
    let w: f64 = 2.0 * ENERGY;
    let scale = libm::cbrt(w.powi(5) * RADIUS.powi(4) / YOUNG_MODULUS.powi(2));
    let work = 0.5 * mass * model.sticking_speed(RADIUS, mass).powi(2);
    assert!((work / scale - 7.0922).abs() < 1e-4, "{}", work / scale);

    let force = |s: f64| model.force_unit(RADIUS) * jkr::force(s);
    for (cube, expected) in [(3.0, -1.0), (1.0, -5.0 / 9.0), (4.0, -8.0 / 9.0), (6.0, 0.0)] {
        assert!((force(libm::cbrt(cube)) / pull_off - expected).abs() < 1e-12, "s³ = {cube}");
    }
}

#[test]
fn surfaces_snap_together_at_touch_and_apart_at_the_fold() {
    let model = soft();
    let [radius, unit] = model.units(RADIUS);
    let energy = model.energy_unit(radius);
    let mut led = Led::new(model, RADIUS, -unit);
    // within reach, but not touched yet: the loop over contacts keeps it away from the law; from touch on
    led.overlap = 0.0;
    let pull = led.to(1e-9 * unit);
    assert!((pull / (-8.0 / 9.0 * 3.0 * PI * ENERGY * RADIUS) - 1.0).abs() < 1e-6);
    assert!((led.dissipated() / energy - 7.619_525).abs() < 1e-5, "{}", led.dissipated() / energy);
    led.lead(20.0 * unit, 100);
    led.lead(-2.999_999_9 * unit, 1000);
    let response = led.response.unwrap();
    assert!(response.elastic1 < 0.0 && response.limit1 > 0.0 && response.contact_radius1 > radius);
    assert!((led.dissipated() / energy - 7.619_525).abs() < 1e-5);
    led.to(-3.000_000_1 * unit);
    assert_eq!(led.response.unwrap().elastic1, 0.0);
    assert!((led.dissipated() / energy - 8.419_525).abs() < 1e-5, "{}", led.dissipated() / energy);
    assert_eq!(led.record()[0], 0.0);
}

#[test]
fn energy_of_soft_and_stiff_contacts_closes() {
    let (model, dmt) =
        (soft(), model::<Dmt>(YOUNG_MODULUS, &[number("surface_energy", ENERGY), number("restitution", 1.0)]));
    let [_, unit] = model.units(RADIUS);
    let mut led = Led::new(model, RADIUS, 0.0);
    led.to(1e-9 * unit);
    led.work = 0.0;
    assert_energy_closes(led, &[30.0, -2.9, 12.0, -2.5].map(|x| x * unit), 4000, 1e-5);
    let mut led = Led::new(dmt, RADIUS, 0.0);
    led.to(1e-9 * unit);
    led.work = 0.0;
    assert_energy_closes(led, &[30.0, 2.0, 12.0, 1e-3].map(|x| x * unit), 4000, 1e-5);
}

#[test]
fn either_surface_energy_or_work_of_adhesion_is_given() {
    let build = |given: &[(String, ParameterValue)]| {
        let set = ParameterSet::resolve(&Jkr::parameters(), given.iter().cloned().collect())?;
        Jkr::new(&set, &pair(YOUNG_MODULUS))
    };
    let e = number("restitution", 1.0);
    let (energy, work) = (number("surface_energy", 0.05), number("work_of_adhesion", 0.1));
    let same =
        [build(&[e.clone(), energy.clone()]), build(&[e.clone(), work.clone()])].map(|model| model.unwrap().units(1.0));
    assert_eq!(same[0], same[1]);
    assert!(build(std::slice::from_ref(&e)).unwrap_err().message.contains("missing"));
    assert!(build(&[e, energy, work]).unwrap_err().message.contains("one of the two"));
}

/// Ferrari's solution of the quartic for the contact radius as public code prints it, and a closed form without cancellation, are the root of here.
#[test]
fn the_root_is_that_of_closed_forms() {
    let model = soft();
    let [fold, unit] = model.units(RADIUS);
    let (e, g) = (YOUNG_MODULUS, ENERGY);
    let ferrari = |overlap: f64| {
        let (dr, square) = (overlap * RADIUS, RADIUS * RADIUS);
        let t0 = g * g * square * square * e;
        let t1 = 27.0 * PI * PI * t0;
        let t2 = 8.0 * dr.powi(3) * e.powi(3);
        let under = (t0 * (t1 + 2.0 * t2)).max(0.0);
        let t4 = libm::cbrt(t1 + t2 + 3.0 * 3f64.sqrt() * PI * under.sqrt());
        let t5 = 4.0 * dr * dr * e / t4 + t4 / e;
        let t6 = (2.0 * dr + t5).max(0.0).sqrt();
        (t6 + (4.0 * dr - t5 + 6.0 * 6f64.sqrt() * g * PI * square / (e * t6)).max(0.0).sqrt()) / 6f64.sqrt()
    };
    let closed = |d: f64| {
        let s = (1.0 + d * d * d / 27.0).max(0.0).sqrt();
        let t = libm::cbrt(1.0 + s);
        let u = if d > 0.0 { 2.0 / (t * t + d / 3.0 + d * d / (9.0 * t * t)) } else { t - d / (3.0 * t) };
        let q = (2.0 * u).sqrt();
        0.5 * (q + (8.0 / q - q * q).max(0.0).sqrt())
    };
    for k in 0..=300 {
        // from just above the fold, where all roots lose half of their digits, to a thousand units
        let d = -2.999 + 1003.0 * (f64::from(k) / 300.0).powi(3);
        let s = jkr::root(d);
        assert!((closed(d) / s - 1.0).abs() < 1e-9, "{d}: {} {s}", closed(d));
        let a = ferrari(d * unit);
        assert!((a / (fold * s * s) - 1.0).abs() < 1e-9, "{d}: {a} {}", fold * s * s);
    }
}

/// `dN/dδ = 2E* a (s³ − 3)/(s³ − 1)`: the pull is largest at s³ = 3, and at the fold the force falls without limit.
#[test]
fn stiffness_is_zero_at_the_peak_of_the_pull_and_without_bound_at_the_fold() {
    let model = soft();
    let [fold, unit] = model.units(RADIUS);
    let force = |d: f64| model.force_unit(RADIUS) * jkr::force(jkr::root(d));
    for cube in [1.05f64, 1.5, 2.5, 3.5, 4.0, 6.0, 50.0] {
        let s = libm::cbrt(cube);
        let (d, h) = (s.powi(4) - 4.0 * s, 1e-5 * (cube - 1.0) * (cube - 1.0).min(1.0));
        let slope = (force(d + h) - force(d - h)) / (2.0 * h * unit);
        let expected = 2.0 * YOUNG_MODULUS * fold * s * s * (cube - 3.0) / (cube - 1.0);
        assert!((slope / expected - 1.0).abs() < 1e-5, "{cube}: {slope} {expected}");
    }
    // the closed form of the distance at the peak, −(3π²γ² r*/(16 E*²))^(1/3)
    let peak = -libm::cbrt(3.0 * (PI * ENERGY / YOUNG_MODULUS).powi(2) * RADIUS / 16.0);
    let least = (-2999..=9000).map(|k| 1e-3 * f64::from(k)).min_by(|a, b| force(*a).total_cmp(&force(*b))).unwrap();
    assert!((least * unit / peak - 1.0).abs() < 1e-3, "{} {peak}", least * unit);
    assert!((force(peak / unit) / (-3.0 * PI * ENERGY * RADIUS) - 1.0).abs() < 1e-12);
}

/// A loop from touch to the fold loses the same whatever its depth: `e = √(1 − (v_s/v)²)`. The work is summed along the path that the law is led along.
#[test]
fn restitution_follows_from_the_work_of_a_loop() {
    let model = soft();
    let [_, unit] = model.units(RADIUS);
    let mass = 4.0 / 3.0 * PI * RADIUS.powi(3) * 2500.0;
    let sticking = 2.415_865e-3;
    for deepest in [14.0, 30.0, 300.0] {
        let mut led = Led::new(soft(), RADIUS, 0.0);
        led.to(1e-12 * unit);
        led.work = 0.0;
        led.lead(deepest * unit, 20_000);
        let put_in = led.work;
        // next to the fold the force goes with the root of the distance: steps in that
        let (top, count) = ((deepest + 3.0).sqrt(), 40_000);
        for k in 1..=count {
            let left = top * (1.0 - f64::from(k) / f64::from(count));
            led.to((left * left - 3.0 + 1e-13) * unit);
        }
        let speed = (2.0 * put_in / mass).sqrt();
        let found = (1.0 - led.work / put_in).max(0.0).sqrt();
        let expected = (1.0 - (sticking / speed).powi(2)).sqrt();
        println!("{:.3} v_s: {found:.8} {expected:.8}", speed / sticking);
        assert!((found - expected).abs() < 1e-6, "{deepest}: {found} {expected}");
    }
}

/// Friction is limited by the elastic force plus twice the pull-off force for soft bodies, by Hertz's part for stiff ones.
#[test]
fn limits_of_friction_do_not_vanish_under_a_pull() {
    let pull_off = 3.0 * PI * ENERGY * RADIUS;
    let [_, unit] = soft().units(RADIUS);
    let mut led = Led::new(soft(), RADIUS, 0.0);
    for d in [1e-9, 3.0, 20.0, 0.0, -1.0, -2.5] {
        let force = led.to(d * unit);
        let limit = led.response.unwrap().limit1;
        assert!((limit - (force + 2.0 * pull_off)).abs() < 1e-12 * pull_off && limit >= pull_off, "{d}: {limit}");
    }
    let word = |word: &str| ("friction_limit".to_owned(), ParameterValue::Word(word.to_owned()));
    let given = [number("surface_energy", ENERGY), number("restitution", 1.0)];
    for (choice, pulls) in [("hertz", 0.0), ("hertz-plus-twice-pull", 2.0)] {
        let mut led = Led::new(model::<Dmt>(YOUNG_MODULUS, &[&given[..], &[word(choice)]].concat()), RADIUS, 0.0);
        for overlap in [1e-9, 2e-8, 1e-7] {
            let hertz = 4.0 / 3.0 * YOUNG_MODULUS * RADIUS.sqrt() * f64::powf(overlap, 1.5);
            let pull = 4.0 * PI * ENERGY * RADIUS;
            assert!((led.to(overlap) - (hertz - pull)).abs() < 1e-12 * pull);
            assert!((led.response.unwrap().limit1 - (hertz + pulls * pull)).abs() < 1e-12 * pull.max(hertz));
        }
    }
}
