//! Does the engine do what its sources say? A registry of cases, each of which compares numbers of the engine with a reference.
//!
//! A [`Case`] is a function from an [`Effort`] to a [`Findings`]: [`Check`]s and figures. Adding one is a file in `cases/` and a
//! line in [`CASES`]. `dem validate` runs them, prints the table, and fails if a check does; [`page`] puts everything on one page.

pub mod cases;
pub mod check;
pub mod markdown;
pub mod page;

#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::error::StudyError;
use crate::progress::Teller;
use crate::report::Figure;
use crate::table::Table;
pub use cases::CASES;
pub use check::{Check, Claim, Tier};

/// How much work a case may make of its checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// What a few seconds suffice for.
    Quick,
    /// The finest resolution.
    Full,
}

impl Effort {
    /// One of two values.
    pub fn pick<T>(self, quick: T, full: T) -> T {
        match self {
            Self::Quick => quick,
            Self::Full => full,
        }
    }
}

/// A validation case.
#[derive(Clone, Copy)]
pub struct Case {
    /// Name on the command line.
    pub name: &'static str,
    /// What it is about, in a sentence.
    pub summary: &'static str,
    /// What stands behind its references; every check refers to one of them.
    pub claims: &'static [Claim],
    /// Runs it.
    pub run: fn(Effort) -> Result<Findings, StudyError>,
}

/// What a case found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// Comparisons.
    pub checks: Vec<Check>,
    /// Tables for the page.
    pub tables: Vec<Table>,
    /// Figures for the page.
    pub figures: Vec<Figure>,
    /// What else is to be said, a sentence each.
    pub notes: Vec<String>,
}

/// A case that has run.
pub struct Outcome {
    /// The case.
    pub case: Case,
    /// What it found.
    pub findings: Findings,
    /// How long it took.
    pub duration: Duration,
}

/// Cases by name; all if none is given.
///
/// # Errors
/// A name that does not exist.
pub fn select(names: &[String]) -> Result<Vec<Case>, StudyError> {
    if names.is_empty() {
        return Ok(CASES.to_vec());
    }
    let find = |name: &String| {
        CASES.iter().find(|case| case.name == name).copied().ok_or_else(|| {
            let known: Vec<&str> = CASES.iter().map(|case| case.name).collect();
            StudyError::Option {
                option: "--case",
                value: name.clone(),
                allowed: format!("one of {}", known.join(", ")),
            }
        })
    };
    names.iter().map(find).collect()
}

/// Runs cases. One that cannot be run to its end is a failed check, so that the others are not lost.
pub fn run(cases: &[Case], effort: Effort) -> Vec<Outcome> {
    let (teller, finished) = (Teller::new(), AtomicUsize::new(0));
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
