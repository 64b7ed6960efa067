//! Every law of the registry against every property.

use std::collections::BTreeSet;
use std::path::Path;

use dem_contact::registry::{self, Entry, LAWS};
use dem_testkit::conformance::{self, Outcome, PROPERTIES, page};
use dem_testkit::worlds;

#[test]
fn every_law_has_every_property_or_a_stated_reason() {
    let outcomes = conformance::outcomes();
    assert_eq!(outcomes.len(), LAWS.len() * PROPERTIES.len());
    println!("{}", page::table(&outcomes));
    for outcome in &outcomes {
        if let Err(found) = &outcome.found {
            println!("{}, {}: {found}", outcome.law, outcome.property);
        }
    }
    let wrong: Vec<String> = outcomes.iter().filter_map(Outcome::unexpected).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));

    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page::PATH);
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    // a law at work is on no page yet; continuous integration demands it
    let is_at_work = |law: &Entry| !committed.contains(&format!("| `{}` |", law.key));
    if LAWS.iter().any(is_at_work) && std::env::var_os("CI").is_none() {
        return;
    }
    assert!(
        committed == page::text(&outcomes),
        "{} differs from the outcome: run `cargo run -p dem-testkit --example conformance_page`",
        page::PATH
    );
}

#[test]
fn laws_name_properties_and_parameters_that_exist_once() {
    for law in worlds::all_laws().into_iter().filter_map(registry::find) {
        let stated = law.conformance;
        let parameters = (law.parameters)();
        let (departures, idle) = (names(stated.departures), names(stated.idle));
        for name in &departures {
            assert!(PROPERTIES.iter().any(|property| property.name == *name), "{}: no property {name}", law.key);
        }
        for name in idle.iter().copied().chain(stated.sample.iter().map(|(name, _)| *name)) {
            assert!(parameters.iter().any(|spec| spec.name == name), "{}: no parameter {name}", law.key);
        }
        for names in [departures, idle] {
            let distinct: BTreeSet<&str> = names.iter().copied().collect();
            assert_eq!(distinct.len(), names.len(), "{}: {names:?} are not each there once", law.key);
        }
    }
}

fn names(stated: &[(&'static str, &'static str)]) -> Vec<&'static str> {
    stated.iter().map(|(name, _)| *name).collect()
}
