//! Convergence with the time step of every contact law, resistance and integrator, in impacts and in sheared beds.

use dem_contact::registry::LAWS;
use dem_report::table::Table;
use dem_studies::error::StudyError;
use dem_testkit::step_convergence::convergence::Convergence;
use dem_testkit::step_convergence::stated::{self as suite, Manner, SCATTER};
use dem_testkit::step_convergence::trials::{Extent, Outcome, Trial, trials};
use rayon::prelude::*;

use crate::case::{Case, Effort, Findings};
use crate::check::{Check, Claim, Tier};

/// The case.
pub const CASE: Case = Case {
    name: "step-convergence",
    summary: "Every contact law, resistance, option and integrator in impacts in space and in beds under cyclic shear, with the automatic step and four halves of it.",
    claims: &[ORDER, DISTANCE, AS_STATED],
    run,
};

const ORDER: Claim = Claim {
    source: "smallest order of what happens on the way, derived in the documentation of the suite",
    tier: Tier::ClosedForm,
    weakness: "a law that converges to something else than its equations passes; the lowest of all orders stands for the others",
};

const DISTANCE: Claim = Claim {
    source: "the same run with a sixteenth of the step; bounds about what was found",
    tier: Tier::Own,
    weakness: "root mean square over impacts or marked times, in proportion to the speed of approach or the peak of the stress; small, slow shear",
};

const AS_STATED: Claim = Claim {
    source: "orders, distances and departures that the suite states",
    tier: Tier::Own,
    weakness: "one bed for each normal spring, 128 impacts of each kind",
};

const SETTINGS: [&str; 3] = ["impacts", "sheared cell", "sheared between plates"];

fn run(effort: Effort) -> Result<Findings, StudyError> {
    let laws: Vec<&str> = LAWS.iter().map(|law| law.key).collect();
    let trials = trials(effort.pick(Extent::Short, Extent::Long), &laws);
    let outcomes: Vec<Outcome> = trials.par_iter().map(Trial::run).collect();
    let mut findings = Findings::default();
    for setting in SETTINGS {
        let own: Vec<&Outcome> = outcomes.iter().filter(|outcome| outcome.setting == setting).collect();
        findings.checks.extend(checks(setting, &own));
    }
    findings.tables.push(table(&outcomes));
    findings.notes = outcomes.iter().filter_map(note).collect();
    Ok(findings)
}

/// What is stated and found of the states and of the works of an outcome.
fn parts(outcome: &Outcome) -> Vec<(&'static str, suite::Claim, &Convergence)> {
    let Ok((states, works)) = &outcome.found else { return Vec::new() };
    let of_works = works.as_ref().map(|works| ("works", outcome.stated.works, works));
    [("states", outcome.stated.states, states)].into_iter().chain(of_works).collect()
}

fn checks(setting: &str, outcomes: &[&Outcome]) -> Vec<Check> {
    let mut checks = Vec::new();
    let parts_of_all =
        || outcomes.iter().flat_map(|outcome| parts(outcome).into_iter().map(move |part| (*outcome, part)));
    for order in [1.0, 2.0] {
        let stated = parts_of_all().filter(|(_, (_, claim, _))| claim.manner == Manner::Order(order));
        let lowest = stated.map(|(_, (.., found))| found.order()).fold(f64::INFINITY, f64::min);
        if lowest.is_finite() {
            let label = format!("{setting}: lowest order of what has order {order:.0} or more");
            checks.push(ORDER.close(label, order, lowest.min(order), SCATTER));
        }
    }
    let distances = parts_of_all().filter(|(_, (_, claim, _))| !matches!(claim.manner, Manner::Departs { .. }));
    let furthest = distances.max_by(|(_, (.., a)), (_, (.., b))| a.first_to_last.total_cmp(&b.first_to_last));
    if let Some((outcome, (what, claim, found))) = furthest {
        let label = format!("{setting}: largest distance at the automatic step, {what}, {}", outcome.case);
        checks.push(DISTANCE.close(label, 0.0, found.first_to_last, claim.distance));
    }
    let stated = outcomes.iter().filter(|outcome| outcome.check().is_ok()).count();
    checks.push(AS_STATED.close(
        format!("{setting}: cases that converge, or depart, as stated"),
        outcomes.len() as f64,
        stated as f64,
        0.0,
    ));
    checks
}

fn note(outcome: &Outcome) -> Option<String> {
    let name = format!("{}, {}", outcome.setting, outcome.case);
    if let Err(found) = outcome.check() {
        return Some(format!("{name}: {found}."));
    }
    let reasons = parts(outcome).into_iter().filter_map(|(what, claim, _)| match claim.manner {
        Manner::Order(_) => None,
        Manner::Jumps { largest, reason } => Some(format!("{what} jump by up to {largest:.0e}: {reason}")),
        Manner::Departs { reason } => Some(format!("{what} do not converge, by design: {reason}")),
    });
    let reasons: Vec<String> = reasons.collect();
    (!reasons.is_empty()).then(|| format!("{name}: {}.", reasons.join("; ")))
}

fn table(outcomes: &[Outcome]) -> Table {
    let mut table = Table::new(
        "step_convergence",
        &[
            "setting",
            "case",
            "order",
            "difference_of_last_halving",
            "distance_at_automatic_step",
            "order_of_works",
            "distance_of_works",
        ],
    );
    for outcome in outcomes {
        let Ok((states, works)) = &outcome.found else { continue };
        let of_works = |of: fn(&Convergence) -> f64| works.as_ref().map_or(f64::NAN, of);
        table.push([
            outcome.setting.into(),
            outcome.case.as_str().into(),
            states.order().into(),
            states.differences.last().copied().unwrap_or(f64::NAN).into(),
            states.first_to_last.into(),
            of_works(Convergence::order).into(),
            of_works(|works| works.first_to_last).into(),
        ]);
    }
    table
}
