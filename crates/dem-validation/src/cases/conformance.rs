//! The conformance table of the contact laws: every law of the registry against every property.

use dem_contact::registry::LAWS;
use dem_report::table::Table;
use dem_studies::error::StudyError;
use dem_testkit::conformance::{self, Outcome, PROPERTIES, departures};
use rayon::prelude::*;

use crate::case::{Case, Effort, Findings};
use crate::check::{Claim, Tier};

/// The case.
pub const CASE: Case = Case {
    name: "conformance",
    summary: "Every contact law of the registry against every property of the conformance table; a law departs from one only for a stated reason, and then must.",
    claims: &[STATED],
    run,
};

const STATED: Claim = Claim {
    source: "the property itself: symmetry, conservation, bounds, closed forms; see the conformance page of the guide",
    tier: Tier::ClosedForm,
    weakness: "defaults of each law, pairs of spheres, `combination` in one form",
};

fn run(_: Effort) -> Result<Findings, StudyError> {
    let cells: Vec<_> =
        LAWS.iter().flat_map(|law| PROPERTIES.iter().map(move |property| (law.key, property))).collect();
    let outcomes: Vec<Outcome> = cells.par_iter().map(|(law, property)| conformance::outcome(law, property)).collect();
    let mut findings = Findings::default();
    for property in PROPERTIES {
        let own = outcomes.iter().filter(|outcome| outcome.property == property.name);
        let stated = own.filter(|outcome| outcome.is_as_stated()).count();
        let quantity = format!("{}: laws that have it, or depart as stated", property.name);
        findings.checks.push(STATED.close(quantity, LAWS.len() as f64, stated as f64, 0.0));
    }
    findings.tables = vec![table(&outcomes)];
    findings.notes = departures()
        .into_iter()
        .map(|departure| format!("{}, {}, by design: {}.", departure.law, departure.property, departure.reason))
        .chain(outcomes.iter().filter_map(Outcome::unexpected))
        .collect();
    Ok(findings)
}

/// A row for each property, with the laws that have it and those that do not.
fn table(outcomes: &[Outcome]) -> Table {
    let mut table = Table::new("conformance", &["property", "laws", "by_design", "fails"]);
    for property in PROPERTIES {
        let named = |wanted: fn(&Outcome) -> bool| {
            let own = outcomes.iter().filter(|outcome| outcome.property == property.name && wanted(outcome));
            own.map(|outcome| outcome.law).collect::<Vec<_>>().join(", ")
        };
        table.push([
            property.name.into(),
            named(|outcome| outcome.found.is_ok()).into(),
            named(|outcome| outcome.found.is_err() && outcome.expected.is_some()).into(),
            named(|outcome| outcome.found.is_err() && outcome.expected.is_none()).into(),
        ]);
    }
    table
}
