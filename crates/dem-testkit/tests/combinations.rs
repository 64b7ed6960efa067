//! Combinations of models that do not go together are refused when they are built, by name.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use std::collections::BTreeMap;

use dem_contact::ParameterValue;
use dem_contact::registry::{self, PairParameters};
use dem_core::material::PairMaterial;
use dem_testkit::worlds;

/// What a law says to parameters, nothing if it takes them.
fn refusal(law: &str, numbers: &[(&str, f64)], words: &[(&str, &str)]) -> Option<String> {
    let mut given: BTreeMap<String, ParameterValue> =
        worlds::parameters(&[numbers, &[("friction", 0.3)]].concat(), &[]);
    given.extend(worlds::words(words));
    let material = worlds::material(1e9);
    let pairs = vec![Some((PairMaterial::new(&material, &material), given))];
    let built = (registry::find(law).unwrap().build)(&PairParameters { materials: 1, pairs });
    built.err().map(|error| error.error.to_string())
}

#[track_caller]
fn assert_refused(law: &str, numbers: &[(&str, f64)], words: &[(&str, &str)], parameter: &str, part: &str) {
    let message = refusal(law, numbers, words).unwrap_or_else(|| panic!("{law} takes {numbers:?} {words:?}"));
    assert!(message.starts_with(parameter) && message.contains(part), "{law}: {message}");
}

const E: (&str, f64) = ("restitution", 0.8);
const ENERGY: (&str, f64) = ("surface_energy", 0.05);
const YIELD: (&str, f64) = ("yield_pressure", 1e7);
const VAN_DER_WAALS: [(&str, f64); 3] =
    [("hamaker_constant", 1e-19), ("separation_minimum", 4e-10), ("van_der_waals_cutoff", 1e-7)];
const LIQUID: [(&str, f64); 3] = [("surface_tension", 0.07), ("contact_angle", 0.2), ("bridge_volume", 1e-12)];
const LUDING: [(&str, f64); 3] =
    [("loading_stiffness", 1e4), ("unloading_stiffness_limit", 5e4), ("plasticity_depth", 0.05)];

#[test]
fn one_attraction_is_not_counted_twice() {
    let adhesive: [(&str, &[(&str, f64)]); 3] =
        [("jkr", &[E, ENERGY]), ("dmt", &[E, ENERGY]), ("thornton-ning", &[YIELD, ENERGY])];
    for (law, numbers) in adhesive {
        assert_eq!(refusal(law, numbers, &[]), None);
        let with = |more: &[(&'static str, f64)]| [numbers, more].concat();
        assert_refused(law, &with(&VAN_DER_WAALS), &[("near_field", "van-der-waals")], "near_field", "adhesive law");
        assert_refused(law, &with(&LIQUID), &[("near_field", "liquid-bridge")], "near_field", "adhesive law");
        for word in ["sjkr", "sjkr2"] {
            let numbers = with(&[("cohesion_energy_density", 1e4)]);
            assert_refused(law, &numbers, &[("adhesion", word)], "adhesion", "adhesive law");
        }
        assert_refused(law, &with(&[("pull", 1e-3)]), &[("adhesion", "constant")], "adhesion", "adhesive law");
    }
    // without a surface energy spheres that yield may have either
    let dry = |more: &[(&'static str, f64)]| [&[YIELD], more].concat();
    assert_eq!(refusal("thornton-ning", &dry(&VAN_DER_WAALS), &[("near_field", "van-der-waals")]), None);
    assert_eq!(refusal("thornton-ning", &dry(&[("pull", 1e-3)]), &[("adhesion", "constant")]), None);
    // two pulls that are laid over one law, or two forces at a distance
    let both = [&[E, ("pull", 1e-3)], &VAN_DER_WAALS[..]].concat();
    let words = [("adhesion", "constant"), ("near_field", "van-der-waals")];
    assert_refused("hertz-mindlin", &both, &words, "near_field", "adhesive law");
    let mie = [&[E, ("mie_cutoff", 1e-3)], &LIQUID[..]].concat();
    assert_refused("hertz-mindlin", &mie, &[("near_field", "liquid-bridge")], "mie_cutoff", "near_field");
}

#[test]
fn tangential_forces_that_are_derived_for_one_normal_force_take_no_other() {
    let normals: [(&str, &[(&str, f64)]); 6] = [
        ("jkr", &[E, ENERGY]),
        ("dmt", &[E, ENERGY]),
        ("thornton-ning", &[YIELD]),
        ("walton-braun", &[("loading_stiffness", 1e4), ("unloading_stiffness", 4e4)]),
        ("luding", &LUDING),
        ("edinburgh", &[("plasticity_ratio", 0.5)]),
    ];
    for (normal, numbers) in normals {
        // those whose stiffness does not grow with the load are refused by the tangential force that takes its area from it
        for law in ["mdr", "mindlin-deresiewicz"] {
            let message = refusal(law, numbers, &[("normal", normal)]).unwrap_or_default();
            let is_named = message.starts_with("normal: ") && message.contains("expected \"hertz\"")
                || message.starts_with("tangential: ") && message.contains("whose contact area grows with the load");
            assert!(is_named, "{law} with {normal}: {message}");
        }
        for law in ["kuhn", "conventional"] {
            let message = refusal(law, numbers, &[("normal", normal)]);
            assert!(message.is_some(), "{law} takes {normal}");
        }
    }
    // a linear spring in the place of Hertz
    for law in ["mdr", "mindlin-deresiewicz"] {
        assert!(
            refusal(law, &[E, ("normal_stiffness", 1e5)], &[("normal", "linear")]).is_some(),
            "{law} takes a linear spring"
        );
    }
    // a tangential stiffness in proportion to a normal one that varies
    for (normal, numbers) in &normals[..3] {
        assert!(refusal("linear", numbers, &[("normal", *normal)]).is_some(), "linear takes {normal}");
    }
}

#[test]
fn numbers_out_of_their_order_are_refused_with_both() {
    assert_refused("thornton-ning", &[("yield_pressure", -1e7)], &[], "yield_pressure", "-10000000");
    assert_refused("thornton-ning", &[("yield_pressure", 0.0)], &[], "yield_pressure", "expected");
    for limit in [1e4, 9e3] {
        let numbers = [LUDING[0], ("unloading_stiffness_limit", limit), LUDING[2]];
        assert_refused(
            "luding",
            &numbers,
            &[],
            "unloading_stiffness_limit",
            "expected more than loading_stiffness 10000",
        );
    }
    let walton = [("loading_stiffness", 1e4), ("unloading_stiffness", 9e3)];
    assert_refused("walton-braun", &walton, &[], "unloading_stiffness", "expected at least loading_stiffness 10000");
    assert_refused("edinburgh", &[("plasticity_ratio", 1.0)], &[], "plasticity_ratio", "expected");
    assert_refused(
        "edinburgh",
        &[("plasticity_ratio", 0.5), ("constant_pull", -1.0)],
        &[],
        "constant_pull",
        "expected",
    );
    let cutoff = [&[E], &VAN_DER_WAALS[..2], &[("van_der_waals_cutoff", 1e-10)]].concat();
    assert_refused(
        "hertz-mindlin",
        &cutoff,
        &[("near_field", "van-der-waals")],
        "van_der_waals_cutoff",
        "expected more than",
    );
}
