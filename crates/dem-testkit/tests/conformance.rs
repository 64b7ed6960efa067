//! Every law of the registry against every property.

use std::path::Path;

use dem_contact::registry::{self, LAWS};
use dem_testkit::conformance::{self, DEPARTURES, PROPERTIES, page};

#[test]
fn every_law_has_every_property_or_a_stated_reason() {
    let outcomes = conformance::outcomes();
    assert_eq!(outcomes.len(), LAWS.len() * PROPERTIES.len());
    println!("{}", page::table(&outcomes));
    let mut wrong = Vec::new();
    for outcome in &outcomes {
        if let Err(found) = &outcome.found {
            println!("{}, {}: {found}", outcome.law, outcome.property);
        }
        if !outcome.is_as_stated() {
            let what =
                outcome.found.as_ref().err().map_or("listed as a departure, but has the property", String::as_str);
            wrong.push(format!("{}, {}: {what}", outcome.law, outcome.property));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));

    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page::PATH);
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        committed == page::text(&outcomes),
        "{} differs from the outcome: run `cargo run -p dem-testkit --example conformance_page`",
        page::PATH
    );
}

#[test]
fn departures_name_laws_and_properties_that_exist_once() {
    for (k, departure) in DEPARTURES.iter().enumerate() {
        assert!(registry::find(departure.law).is_some(), "{departure:?}");
        assert!(PROPERTIES.iter().any(|property| property.name == departure.property), "{departure:?}");
        let same = |other: &&conformance::Departure| (other.law, other.property) == (departure.law, departure.property);
        assert!(!DEPARTURES[..k].iter().any(|other| same(&other)), "{departure:?} is listed twice");
    }
}
