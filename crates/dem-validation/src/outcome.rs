//! Cases that have run, and what became of their checks.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use dem_report::progress::Teller;
use dem_report::table::Table;
use rayon::prelude::*;

use crate::case::{Case, Effort, Findings};
use crate::check::{Check, Tier};

/// A case that has run.
pub struct Outcome {
    /// The case.
    pub case: Case,
    /// What it found.
    pub findings: Findings,
    /// How long it took.
    pub duration: Duration,
}

/// Runs cases. One that cannot be run to its end is a failed check, so that the others are not lost.
pub fn run(cases: &[Case], effort: Effort) -> Vec<Outcome> {
    let (teller, finished) = (Teller::begin(), AtomicUsize::new(0));
    let one = |case: &Case| {
        let clock = Instant::now();
        // single runs log stages and time steps, which would bury the outcome
        let silent = tracing::subscriber::NoSubscriber::default();
        let mut findings = tracing::subscriber::with_default(silent, || (case.run)(effort))
            .unwrap_or_else(|error| Findings { checks: vec![Check::unable(error.to_string())], ..Findings::default() });
        if findings.checks.iter().any(|check| !case.claims.contains(&check.claim) && !check.is_unable()) {
            findings.checks.push(Check::unable(format!("{} makes a check whose claim it does not list", case.name)));
        }
        teller.tell_count(finished.fetch_add(1, Ordering::Relaxed) + 1, cases.len());
        Outcome { case: *case, findings, duration: clock.elapsed() }
    };
    cases.par_iter().map(one).collect()
}

/// Whether every check of every case passes. A case without checks proves nothing.
pub fn all_pass(outcomes: &[Outcome]) -> bool {
    outcomes.iter().all(|o| !o.findings.checks.is_empty() && o.findings.checks.iter().all(Check::passes))
}

/// How many checks have which kind of reference.
pub fn count_of_references(outcomes: &[Outcome]) -> String {
    let checks = || outcomes.iter().flat_map(|outcome| &outcome.findings.checks);
    let of = |tier: Tier| {
        let count = checks().filter(|check| check.claim.tier == tier).count();
        format!("{count} against {}", tier.name())
    };
    format!("{} checks: {} references.", checks().count(), Tier::ALL.map(of).join(", "))
}

/// All checks as a table, one row each.
pub fn table(outcomes: &[Outcome]) -> Table {
    let mut table = Table::new(
        "validation",
        &["case", "quantity", "reference", "result", "tolerance", "verdict", "tier", "source", "weakness"],
    );
    for outcome in outcomes {
        for check in &outcome.findings.checks {
            let verdict = if check.passes() { "pass" } else { "fail" };
            table.push([
                outcome.case.name.into(),
                check.quantity.as_str().into(),
                check.reference.into(),
                check.result.into(),
                check.tolerance.into(),
                verdict.into(),
                check.claim.tier.name().into(),
                check.claim.source.into(),
                check.claim.weakness.into(),
            ]);
        }
    }
    table
}
