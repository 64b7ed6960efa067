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
