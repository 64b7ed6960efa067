//! Rupture, energy and viscous force of one bridge.

use std::collections::BTreeMap;

use super::*;
use crate::near_field::NEAR_FIELD;
use crate::parameter::ParameterValue;

const R: f64 = 1e-3;
const TENSION: f64 = 0.073;

fn given(words: &[(&str, &str)], numbers: &[(&str, f64)]) -> Result<LiquidBridge, LawError> {
    let mut all: BTreeMap<String, ParameterValue> = BTreeMap::new();
    for (name, value) in [("surface_tension", TENSION), ("contact_angle", 0.0), ("bridge_volume", 1e-3 * R * R * R)] {
        all.insert(name.to_owned(), ParameterValue::Number(value));
    }
    all.extend(numbers.iter().map(|&(name, value)| (name.to_owned(), ParameterValue::Number(value))));
    all.extend(words.iter().map(|&(name, word)| (name.to_owned(), ParameterValue::Word(word.to_owned()))));
    LiquidBridge::new(&ParameterSet::resolve(&LiquidBridge::parameters(), all)?)
}

const VOLUME: f64 = 1e-3 * R * R * R;
/// Equal spheres of the radius R.
const EFFECTIVE: f64 = 0.5 * R;

#[test]
fn rupture_is_within_a_percent_of_the_young_laplace_equation() {
    for (volume, exact) in [(1e-4, 0.04665), (1e-3, 0.10078), (1e-2, 0.21905)] {
        let law = given(&[], &[("bridge_volume", volume * R * R * R)]).unwrap();
        let found = law.between(EFFECTIVE, volume * R * R * R).rupture / R;
        assert!((found / exact - 1.0).abs() < 0.006, "{volume}: {found}");
        let lian = given(&[("bridge_rupture", "lian")], &[("bridge_volume", volume * R * R * R)]).unwrap();
        assert!((lian.between(EFFECTIVE, volume * R * R * R).rupture / (R * libm::cbrt(volume)) - 1.0).abs() < 1e-14);
        // the range bounds the rupture distance of all bodies
        for factor in [0.1, 1.0, 10.0, 1e4] {
            assert!(law.between(factor * EFFECTIVE, volume * R * R * R).rupture <= law.range());
            assert!(lian.between(factor * EFFECTIVE, volume * R * R * R).rupture <= lian.range());
        }
    }
    let wide = given(&[], &[("contact_angle", 0.5)]).unwrap();
    assert!(
        (wide.between(EFFECTIVE, VOLUME).rupture / given(&[], &[]).unwrap().between(EFFECTIVE, VOLUME).rupture - 1.25)
            .abs()
            < 1e-14
    );
}

#[test]
fn the_force_is_the_slope_of_the_energy_and_of_the_right_size() {
    for form in ["willett", "willett-closed", "lambert", "rabinovich", "soulie"] {
        let law = given(&[("bridge_form", form)], &[]).unwrap();
        let between = law.between(EFFECTIVE, VOLUME);
        assert!((between.force(0.0) / (TAU * R * TENSION * 0.9361) - 1.0).abs() < 0.1, "{form}");
        for overlap in [1e-5, 1e-6, -1e-5, -5e-5, -0.09 * R] {
            let h = 1e-4 * f64::abs(overlap);
            let slope = (between.energy(overlap - h) - between.energy(overlap + h)) / (2.0 * h);
            let expected = between.force((-overlap).max(0.0));
            assert!((slope / expected - 1.0).abs() < 1e-5, "{form} {overlap}: {slope} {expected}");
        }
        assert_eq!(between.energy(-between.rupture), 0.0);
        assert!(between.energy(-between.rupture * (1.0 - 1e-9)).abs() < 1e-8 * between.energy(0.0).abs());
    }
}

/// `dem check` shows 2πRσ cos θ for the forms that have it at contact, and for films that of the largest bridge.
#[test]
fn the_pull_at_contact_is_that_of_the_form() {
    let liquid = [("contact_angle", 0.6)];
    for words in [vec![("bridge_form", "willett-closed")], vec![("bridge_form", "lambert"), ("bridge_liquid", "films")]]
    {
        let shown = given(&words, &liquid).unwrap().pull_at_contact(EFFECTIVE);
        assert!((shown.value / (TAU * R * TENSION * libm::cos(0.6)) - 1.0).abs() < 1e-14, "{words:?} {}", shown.value);
    }
    // the Young-Laplace equation has 0.9361 of 2πRσ for this volume and perfect wetting
    let shown = given(&[], &[]).unwrap().pull_at_contact(EFFECTIVE);
    assert!((shown.value / (0.9361 * TAU * R * TENSION) - 1.0).abs() < 0.034, "{}", shown.value);
}

#[test]
fn parameters_without_meaning_are_refused_with_what_is_allowed() {
    let message = |found: Result<LiquidBridge, LawError>| found.unwrap_err().to_string();
    let steep = [("contact_angle", 1.0)];
    assert!(message(given(&[], &steep)).contains("<= 50 deg"));
    assert!(given(&[("bridge_form", "lambert")], &steep).is_ok());
    assert!(message(given(&[], &[("liquid_viscosity", 1e-3)])).contains("separation_minimum: missing"));
    assert!(message(given(&[], &[("separation_minimum", 1e-6)])).contains("liquid_viscosity > 0"));
    assert!(given(&[], &[("separation_minimum", 1e-6), ("liquid_viscosity", 1e-3)]).is_ok());
}

#[test]
fn lubrication_grows_up_to_the_smallest_separation() {
    let law = given(&[], &[("separation_minimum", 1e-6), ("liquid_viscosity", 1e-3)]).unwrap();
    let [normal, tangential] = law.viscosities(EFFECTIVE, -1e-5);
    assert!((normal / (6.0 * PI * 1e-3 * EFFECTIVE * EFFECTIVE / 1e-5) - 1.0).abs() < 1e-14);
    let expected = 6.0 * PI * 1e-3 * EFFECTIVE * (8.0 / 15.0 * libm::log(50.0) + 0.9588);
    assert!((tangential / expected - 1.0).abs() < 1e-14);
    let contact = law.viscosities(EFFECTIVE, 1e-6);
    assert_eq!(contact, law.viscosities(EFFECTIVE, -1e-6));
    assert_eq!(law.dashpots(EFFECTIVE, 0.0), Dashpots { normal: contact[0], tangential: contact[1], rolling: 0.0 });
}

#[test]
fn volumes_that_no_form_is_made_for_are_told_with_their_number() {
    let mut given = BTreeMap::from([
        (NEAR_FIELD.to_owned(), ParameterValue::Word("liquid-bridge".to_owned())),
        ("bridge_volume".to_owned(), ParameterValue::Number(1e-3 * R * R * R)),
    ]);
    assert_eq!(beyond_validity(&given, [EFFECTIVE; 2]), None);
    assert!(beyond_validity(&given, [0.1 * EFFECTIVE, EFFECTIVE]).is_some_and(|told| told.contains("1.0e0 R^3")));
    assert!(beyond_validity(&given, [EFFECTIVE, 10.0 * EFFECTIVE]).is_some_and(|told| told.contains("1.0e-6 R^3")));
    given.insert("bridge_form".to_owned(), ParameterValue::Word("soulie".to_owned()));
    assert_eq!(beyond_validity(&given, [EFFECTIVE, 10.0 * EFFECTIVE]), None);
    given.insert(NEAR_FIELD.to_owned(), ParameterValue::Word("none".to_owned()));
    assert_eq!(beyond_validity(&given, [0.1 * EFFECTIVE; 2]), None);
}
