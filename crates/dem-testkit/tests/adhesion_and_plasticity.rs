//! Impacts on the laws of adhesion and plasticity in the engine against closed forms.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::BTreeMap;

use dem_contact::ParameterValue;
use dem_testkit::floor_impact::{FloorImpact, OF_YOUNG_MODULUS, Rebound};
use dem_testkit::worlds;

/// Radius of the spheres \[m\].
const RADIUS: f64 = 0.5e-3;

type Given = BTreeMap<String, ParameterValue>;

/// A sphere on the floor.
fn fall(law: &str, given: &Given, young_modulus: f64, speed: f64, steps: f64) -> Rebound {
    FloorImpact { law, given: given.clone(), young_modulus, radius: RADIUS, speed, steps }.run().unwrap()
}

fn mass() -> f64 {
    4.0 / 3.0 * std::f64::consts::PI * RADIUS.powi(3) * worlds::DENSITY
}

fn given(numbers: &[(&str, f64)]) -> Given {
    worlds::parameters(numbers, &[])
}

/// Johnson, Kendall and Roberts: bodies stick below v_s and rebound with √(1 − (v_s/v)²) above.
#[test]
fn adhesive_spheres_stick_below_the_right_speed() {
    let modulus = 2e9 / OF_YOUNG_MODULUS;
    let law = |numbers: &[(&str, f64)]| {
        given(&[&[("surface_energy", 0.05), ("restitution", 1.0), ("friction", 0.3)], numbers].concat())
    };
    let sticking = 2.415_865e-3;
    for (factor, steps) in
        [(0.98, 4000.0), (1.02, 4000.0), (1.05, 4000.0), (1.2, 2000.0), (2.0, 2000.0), (10.0, 2000.0)]
    {
        let found = fall("jkr", &law(&[]), modulus, factor * sticking, steps);
        let expected = (1.0f64 - 1.0 / (factor * factor)).max(0.0).sqrt();
        println!("{factor} v_s: {:.5}, expected {expected:.5}", found.restitution);
        assert!((found.restitution - expected).abs() < 3e-3, "{factor}: {} {expected}", found.restitution);
    }
    let mut at_peak = law(&[]);
    at_peak.extend(worlds::words(&[("separation", "peak")]));
    let found = fall("jkr", &at_peak, modulus, 1.2 * sticking, 2000.0).restitution;
    // published of a code that ends contacts there
    assert!((found - 0.811).abs() < 3e-3, "{found}");
    // the ledger, to first order in the step
    let off = |steps: f64| {
        let found = fall("jkr", &law(&[]), modulus, 2.0 * sticking, steps);
        let dissipated = found.end.further();
        (found.end.balance() - found.start.balance()).abs() / dissipated
    };
    let [coarse, fine] = [200.0, 800.0].map(off);
    println!("ledger off by {coarse:.1e} and {fine:.1e} of what is dissipated");
    assert!(coarse < 1e-3 && fine < 0.5 * coarse);
}

/// Thornton: restitution over speed in units of the yield speed.
#[test]
fn plastic_spheres_rebound_as_thornton_says() {
    let (effective, pressure) = (1e11f64, 1e8f64);
    let law = given(&[("yield_pressure", pressure), ("friction", 0.3)]);
    let yield_speed =
        (std::f64::consts::PI.powi(5) * RADIUS.powi(3) * pressure.powi(5) / (30.0 * mass() * effective.powi(4))).sqrt();
    for ratio in [0.5, 1.0, 2.0, 5.0, 20.0, 100.0, 1000.0] {
        let found = fall("thornton-ning", &law, effective / OF_YOUNG_MODULUS, ratio * yield_speed, 4000.0);
        let x: f64 = f64::min(1.0, 1.0 / ratio);
        let closed = (6.0 * 3.0f64.sqrt() / 5.0).sqrt()
            * (1.0 - x * x / 6.0).sqrt()
            * (x / (x + 2.0 * (1.2 - 0.2 * x * x).sqrt())).powf(0.25);
        println!("{ratio} v_y: {:.5}, expected {closed:.5}", found.restitution);
        assert!((found.restitution - closed).abs() < 3e-3, "{ratio}: {} {closed}", found.restitution);
    }
}

#[test]
fn springs_that_yield_rebound_as_published() {
    let m = mass();
    // Luding: with a pull until it sticks; d = v √(m/k₁) is 0.64 of the limit overlap
    let (k1, kp) = (1e4f64, 5e4);
    let depth = kp / (kp - k1) * 0.05 * 2.0 * RADIUS;
    let speed = 0.64 * depth * (k1 / m).sqrt();
    for (cohesive, expected) in [(0.0, (1e4f64 / 35_600.0).sqrt()), (1e3, 0.480_209), (3e3, 0.371_246)] {
        let law = given(&[
            ("loading_stiffness", k1),
            ("unloading_stiffness_limit", kp),
            ("cohesive_stiffness", cohesive),
            ("plasticity_depth", 0.05),
            ("friction", 0.3),
        ]);
        let found = fall("luding", &law, 1e9, speed, 2000.0).restitution;
        assert!((found - expected).abs() < 3e-3, "{cohesive}: {found} {expected}");
    }
    // Walton and Braun
    let law = given(&[("loading_stiffness", 1e4), ("unloading_stiffness", 4e4), ("friction", 0.3)]);
    let found = fall("walton-braun", &law, 1e9, 0.1, 2000.0).restitution;
    assert!((found - 0.5).abs() < 3e-3, "{found}");
    let (k1, stiffening, speed) = (1e4f64, 5e4, 0.2);
    let law = given(&[("loading_stiffness", k1), ("stiffening", stiffening), ("friction", 0.3)]);
    let found = fall("walton-braun", &law, 1e9, speed, 2000.0).restitution;
    let expected = (1.0 + stiffening * speed * (m / k1).sqrt()).powf(-0.5);
    assert!((found - expected).abs() < 3e-3, "{found} {expected}");
    // Edinburgh without pull
    for speed in [0.01, 1.0] {
        let law = given(&[("plasticity_ratio", 0.7), ("friction", 0.3)]);
        let found = fall("edinburgh", &law, 1e9, speed, 2000.0).restitution;
        assert!((found - 0.509_222).abs() < 3e-3, "{speed}: {found}");
    }
}

/// A pull of twice the loading stiffness holds bodies that one of a tenth lets go, the published rule of the memory changes nothing on the way out, and
/// beyond the limit overlap an impact loses no more than at it.
#[test]
fn springs_that_pull_hold_what_they_must() {
    let m = mass();
    let (k1, kp, share) = (1e4f64, 5e4, 0.05);
    let limit = kp / (kp - k1) * share * 2.0 * RADIUS;
    let law = |cohesive: f64| {
        given(&[
            ("loading_stiffness", k1),
            ("unloading_stiffness_limit", kp),
            ("cohesive_stiffness", cohesive),
            ("plasticity_depth", share),
            ("friction", 0.3),
        ])
    };
    let speed = |share: f64| share * limit * (k1 / m).sqrt();
    assert_eq!(fall("luding", &law(2e4), 1e9, speed(0.64), 2000.0).restitution, 0.0);
    for (cohesive, expected) in [(1e3, 0.480_209), (3e3, 0.371_246)] {
        let mut literal = law(cohesive);
        literal.extend(worlds::words(&[("memory", "literal")]));
        let found = fall("luding", &literal, 1e9, speed(0.64), 2000.0).restitution;
        assert!((found - expected).abs() < 3e-3, "{cohesive}: {found} {expected}");
    }
    // of the limit overlap: e² = k₁/k_p − (k_c/k₁) k_p/(k_p + k_c) (1 − k₁/k_p)²
    for cohesive in [0.0, 1e3] {
        let kept = k1 / kp - cohesive / k1 * kp / (kp + cohesive) * (1.0 - k1 / kp).powi(2);
        // energies of impact in units of that of loading to the limit
        for ratio in [1.0f64, 3.0, 30.0] {
            let speed = speed(1.0) * ratio.sqrt();
            let found = fall("luding", &law(cohesive), 1e9, speed, 4000.0).restitution;
            let expected = (1.0 - (1.0 - kept) / ratio).sqrt();
            assert!((found - expected).abs() < 3e-3, "{cohesive}, {ratio}: {found} {expected}");
        }
    }
}

/// Viscoelastic spheres: the restitution at `β = (3/2) A (k_H/m*)^(2/5) v^(1/5)`, with tension until the surfaces part and without.
#[test]
fn viscoelastic_spheres_rebound_as_their_equation_of_motion_says() {
    let effective = 2e9;
    let rate = 4.0 / 3.0 * effective * RADIUS.sqrt() / mass();
    for (beta, pulling, clipped) in [
        (0.01, 0.988_545, 0.988_547),
        (0.05, 0.944_260, 0.944_397),
        (0.2, 0.797_550, 0.800_965),
        (0.5, 0.573_825, 0.595_251),
    ] {
        for (no_tension, expected) in [(false, pulling), (true, clipped)] {
            for speed in [0.03f64, 1.0] {
                let time = beta / (1.5 * rate.powf(0.4) * speed.powf(0.2));
                let law =
                    worlds::parameters(&[("dissipation_time", time), ("friction", 0.3)], &[("no_tension", no_tension)]);
                let found = fall("hertz-mindlin", &law, effective / OF_YOUNG_MODULUS, speed, 2000.0).restitution;
                assert!((found - expected).abs() < 1e-3, "{beta} {no_tension} {speed}: {found} {expected}");
            }
        }
    }
}

/// Any normal model beside any tangential one that goes with it: the rebound is that of the normal model.
#[test]
fn a_normal_model_may_stand_in_the_place_of_that_of_a_law() {
    let impact = |law: &str, normal: &str, numbers: &[(&str, f64)]| {
        let mut all = given(&[numbers, &[("friction", 0.3)]].concat());
        all.extend(worlds::words(&[("normal", normal)]));
        fall(law, &all, 1e9, 0.1, 2000.0).restitution
    };
    let spring = [("loading_stiffness", 1e4), ("unloading_stiffness", 4e4), ("stiffness_ratio", 0.8)];
    assert!((impact("linear", "walton-braun", &spring) - 0.5).abs() < 3e-3);
    let jkr = [("surface_energy", 0.05), ("restitution", 0.8)];
    let (alone, beside) = (
        fall("jkr", &given(&[&jkr[..], &[("friction", 0.3)]].concat()), 1e9, 0.1, 2000.0).restitution,
        impact("hertz-mindlin", "jkr", &jkr),
    );
    assert_eq!(alone.to_bits(), beside.to_bits(), "{alone} {beside}");
    // what does not go together is refused with the reason
    let refused = |law: &str, normal: &str, numbers: &[(&str, f64)]| {
        let mut all = given(&[numbers, &[("friction", 0.3)]].concat());
        all.extend(worlds::words(&[("normal", normal)]));
        !worlds::accepts(law, &all)
    };
    assert!(refused(
        "kuhn",
        "luding",
        &[("loading_stiffness", 1e4), ("unloading_stiffness_limit", 5e4), ("plasticity_depth", 0.05)]
    ));
    assert!(refused("linear", "jkr", &jkr));
    assert!(refused("mdr", "jkr", &jkr) && refused("mindlin-deresiewicz", "dmt", &jkr));
    assert!(!refused("mindlin", "jkr", &jkr) && !refused("mindlin-total", "dmt", &jkr));
}
