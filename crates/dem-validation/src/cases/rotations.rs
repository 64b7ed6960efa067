//! Parameterizations of rotations against motions that are known: constant and precessing spin, with both maps of the increment.

use dem_report::statistics::slope;
use dem_report::table::Table;
use dem_studies::error::StudyError;
use dem_studies::rotation::{self, Options};

use crate::case::{Case, Effort, Findings};
use crate::check::{Claim, Tier};

/// The case.
pub const CASE: Case = Case {
    name: "rotations",
    summary: "Orientation under constant and precessing spin for every parameterization, through half turns, with the exact increment and the literal one of Campello (2015).",
    claims: &[SPIN, LITERAL, PRECESSION],
    run,
};

const SPIN: Claim = Claim {
    source: "turn by the angle times the number of steps",
    tier: Tier::ClosedForm,
    weakness: "constant spin, eight axes, four angles per step",
};

const LITERAL: Claim = Claim {
    source: "theta - 2 atan(theta/2) = theta^3/12 - ... for the literal increment of E. M. B. Campello, Comput. Part. Mech. 2 (2015) 109-125",
    tier: Tier::ClosedForm,
    weakness: "a fixed axis",
};

const PRECESSION: Claim = Claim {
    source: "closed form of a spin that precesses about a fixed axis",
    tier: Tier::ClosedForm,
    weakness: "one rate, four inclinations, four turns",
};

fn run(effort: Effort) -> Result<Findings, StudyError> {
    let report = rotation::run(&Options { steps: effort.pick(100_000, 1_000_000), bench: None, runs: None })?;
    let mut findings = Findings::default();
    let [summary, single, constant, ..] = &report.tables[..] else {
        return Err(StudyError::Convergence { method: "rotations", detail: "three tables expected".to_owned() });
    };
    let exact = |table: &Table, k: usize| table.rows()[k][1] == "exact".into();
    let name = |k: usize| summary.rows()[k][0].readable();
    for (k, error) in summary.numbers("error_per_turn_rad").into_iter().enumerate().filter(|(k, _)| exact(summary, *k))
    {
        findings.checks.push(SPIN.close(format!("{}, exact map: error per turn [rad]", name(k)), 0.0, error, 1e-12));
    }
    for (k, order) in summary.numbers("precession_order").into_iter().enumerate() {
        let map = summary.rows()[k][1].readable();
        findings.checks.push(PRECESSION.close(format!("{}, {map} map: order", name(k)), 2.0, order, 0.02));
    }
    let (angles, errors) = (single.numbers("angle_rad"), single.numbers("error_rad"));
    let small: Vec<[f64; 2]> = angles.iter().zip(&errors).map(|(&a, &e)| [a, e]).filter(|p| p[0] < 0.11).collect();
    let worst = small.iter().map(|[angle, error]| (error / (-angle.powi(3) / 12.0) - 1.0).abs()).fold(0.0, f64::max);
    findings.checks.extend([
        LITERAL.close("error of a step over -(angle^3)/12 less one, up to 0.1 rad", 0.0, worst, 2e-3),
        LITERAL.close("order of the error of a step", 3.0, slope(&small), 1e-3),
    ]);
    let (steps, turn) = (constant.numbers("angle_per_step_rad"), constant.numbers("first_turn_error_rad"));
    // steps of 0.001 rad are off by so little that it is rounding which is seen
    let literal = (0..steps.len()).filter(|&k| !exact(constant, k) && steps[k] > 5e-3);
    let off = literal.map(|k| {
        let expected = (std::f64::consts::TAU / steps[k]).round() * steps[k].powi(3) / 12.0;
        (turn[k] / expected - 1.0).abs() / (steps[k] * steps[k])
    });
    findings.checks.push(LITERAL.close(
        "every parameterization, a turn in steps from 0.01 rad on: one less error over (angle^2)/12 of it, by angle^2",
        0.15,
        off.fold(0.0, f64::max),
        0.005,
    ));
    findings.tables = report.tables.into_iter().take(1).map(|table| table.without(COSTS)).collect();
    findings.figures = report.figures;
    Ok(findings)
}

/// Columns of timings, which validation does not take.
const COSTS: &[&str] = &["cost_ns", "cost_ratio_to_quaternion", "share_of_dense_step"];
