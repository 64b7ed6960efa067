//! The largest pull of dents: of the Edinburgh model and of spheres that yield and adhere.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::f64::consts::PI;

use dem_testkit::conformance::path::OVERLAP;

use crate::cohesive_subjects::{MODULUS, Subject, at, leg, radius, subjects};

fn subject(name: &str) -> Subject {
    subjects().into_iter().find(|subject| subject.name == name).unwrap()
}

/// Overlap \[m\] and force of a contact that is loaded to an overlap in units of [`OVERLAP`] and drawn apart.
fn drawn_out(subject: &Subject, deepest: f64) -> Vec<[f64; 2]> {
    let mut pair = subject.pair(&at(-0.2));
    for pose in leg(-0.2, deepest, 0.0, 100) {
        pair.step(&pose);
    }
    let apart: Vec<_> = leg(deepest, -3.0, 0.0, 40_000).collect();
    let overlap = |k: usize| OVERLAP * (deepest - (deepest + 3.0) * (k + 1) as f64 / 40_000.0);
    apart.iter().enumerate().map(|(k, pose)| [overlap(k), pair.step(pose).normal_force(pose)]).collect()
}

fn strongest(curve: &[[f64; 2]]) -> [f64; 2] {
    curve.iter().copied().min_by(|a, b| a[1].total_cmp(&b[1])).unwrap()
}

/// On the flat area that a dent δ_p leaves, of the radius √(2 r* δ_p), it is (3/2) π Δγ √(2 r* δ_p), but at most k₂ δ_pⁿ/2, and it is reached where the line of
/// unloading has come to it.
#[test]
fn the_strongest_pull_of_a_dent_is_that_of_its_flat_area() {
    let plasticity = 0.7;
    for (name, loading, n) in
        [("edinburgh", 4.0 / 3.0 * MODULUS * radius().sqrt(), 1.5), ("edinburgh, linear", 1e6, 1.0)]
    {
        for (energy, deepest) in [(100.0, 1.0), (300.0, 2.0), (1e6, 1.0)] {
            let mut subject = subject(name);
            subject.given.extend(dem_testkit::worlds::parameters(&[("surface_energy", energy)], &[]));
            subject.given.remove("constant_pull");
            let unloading = loading / (1.0 - plasticity);
            let dent = plasticity * (deepest * OVERLAP).powf(n);
            let flat = (2.0 * radius() * dent.powf(1.0 / n)).sqrt();
            let pull = (1.5 * PI * 2.0 * energy * flat).min(0.5 * unloading * dent);
            let place = (dent - pull / unloading).powf(1.0 / n);
            let [overlap, least] = strongest(&drawn_out(&subject, deepest));
            assert!((least / -pull - 1.0).abs() < 1e-3, "{name}, {energy}: {least} {pull}");
            assert!((overlap / place - 1.0).abs() < 1e-3, "{name}, {energy}: {overlap:e} {place:e}");
        }
    }
}

/// Thornton and Ning: force of first loading, pull-off 3πγ r_p of the flattened surfaces and the end of the contact at −5/9 of it. All radii are found by
/// bisection of their definitions.
#[test]
fn dented_spheres_hold_on_with_their_flattened_radius() {
    let subject = subject("thornton-ning, adhesive");
    let number = |name: &str| match subject.given.get(name) {
        Some(dem_contact::ParameterValue::Number(x)) => *x,
        _ => f64::NAN,
    };
    let (pressure, energy, r, e) = (number("yield_pressure"), number("surface_energy"), radius(), MODULUS);
    let w = 2.0 * energy;
    let bisected = |excess: &dyn Fn(f64) -> f64, mut low: f64, mut high: f64| {
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if excess(middle) < 0.0 { low = middle } else { high = middle }
        }
        low
    };
    let at_yield = bisected(&|a| 2.0 * e * a / (PI * r) - (2.0 * w * e / (PI * a)).sqrt() - pressure, 1e-9, 1e-2);
    let jkr = |a: f64| 4.0 * e * a.powi(3) / (3.0 * r) - (8.0 * PI * w * e * a.powi(3)).sqrt();
    for deepest in [2.0, 4.0] {
        let overlap = deepest * OVERLAP;
        let widest =
            bisected(&|a| a * a / r - 2.0 * (PI * energy * a / e).sqrt() - overlap, (overlap * r).sqrt(), 1e-2);
        assert!(widest > at_yield);
        let force = jkr(at_yield) + PI * pressure * (widest.powi(2) - at_yield.powi(2))
            - 2.0 * at_yield * (2.0 * PI * w * e).sqrt() * (widest.sqrt() - at_yield.sqrt());
        let flattened = 4.0 / 3.0 * e * widest.powi(3) / (force + (8.0 * PI * w * e * widest.powi(3)).sqrt());
        assert!(flattened > 1.05 * r);

        let mut pair = subject.pair(&at(-0.2));
        let loads = pair.follow(&leg(-0.2, deepest, 0.0, 500).collect::<Vec<_>>());
        let found = loads[loads.len() - 1].normal_force(&at(deepest));
        assert!((found / force - 1.0).abs() < 1e-8, "{deepest}: {found} {force}");
        let curve = drawn_out(&subject, deepest);
        let pull_off = 3.0 * PI * energy * flattened;
        let [_, least] = strongest(&curve);
        assert!((least / -pull_off - 1.0).abs() < 1e-5, "{deepest}: {least} {pull_off}");
        // the last force before it snaps: next to the fold it goes with the root of the distance
        let last = curve.iter().rev().find(|point| point[1] != 0.0).unwrap()[1];
        assert!((last / (-5.0 / 9.0 * pull_off) - 1.0).abs() < 0.1, "{deepest}: {last} {pull_off}");
    }
}
