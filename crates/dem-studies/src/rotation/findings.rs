//! What the numbers of the study say.

use std::f64::consts::TAU;

use dem_core::rotation::{IncrementMap, Parameterization, RodriguesVector, UnitQuaternion};
use dem_report::statistics::{median, median_ratio, slope};
use dem_workloads::bed::DENSE;

use super::accuracy::SHOWN_ANGLE;
use super::cost::{BLOCK_COLUMN, EngineCost, Measurement};
use super::results::Results;
use super::runs::Outcome;

/// Changes of a step below this share count as "nearly the same".
const NEARLY_THE_SAME: f64 = 0.05;
/// Gains of a step below this share are no gain.
const NOTICEABLE: f64 = 0.01;

/// A sentence for each result.
pub fn all(results: &Results) -> Vec<String> {
    let mut findings = vec![constant_spin(results), literal_step(results), literal_turn(results), precession(results)];
    if let Some(measurement) = &results.measurement {
        findings.push(cost(results, measurement));
        findings.extend(measurement.engine.iter().map(|run| in_the_engine(results, measurement, run)));
    }
    findings.extend(results.runs.iter().flat_map(Outcome::findings));
    findings
}

/// `name number, name number` for all parameterizations.
fn each(results: &Results, mut number: impl FnMut(&str) -> String) -> String {
    let parts: Vec<String> = results.contestants.iter().map(|c| format!("{} {}", c.key, number(c.key))).collect();
    parts.join(", ")
}

fn constant_spin(results: &Results) -> String {
    let steps = results.constant_spin.first().map_or(0, |case| case.end().steps);
    let errors = each(results, |key| {
        let worst = results
            .constant_spin
            .iter()
            .filter(|case| case.contestant.key == key && case.map == IncrementMap::Exact)
            .map(|case| case.error_per_turn())
            .fold(0.0, f64::max);
        format!("{worst:.1e}")
    });
    format!(
        "Constant spin with the exact map is followed to rounding, half turns included; largest error per turn after {steps} steps \
         in rad: {errors}."
    )
}

fn literal_step(results: &Results) -> String {
    let small: Vec<[f64; 2]> = results.single_steps.iter().copied().filter(|p| p[0] < 0.11).collect();
    let worst = small.iter().map(|[angle, error]| (error / (-angle.powi(3) / 12.0) - 1.0).abs()).fold(0.0, f64::max);
    format!(
        "The literal map turns by too little in every step: its error is -(angle)^3/12 to within {:.2} % up to 0.1 rad, order {:.3}.",
        100.0 * worst,
        slope(&small)
    )
}

fn literal_turn(results: &Results) -> String {
    let errors: Vec<f64> = results
        .constant_spin
        .iter()
        .filter(|case| case.map == IncrementMap::Literal && case.angle == SHOWN_ANGLE)
        .filter_map(|case| case.first_turn)
        .map(|sample| sample.error)
        .collect();
    if errors.is_empty() {
        return format!("There are too few steps for a turn at {SHOWN_ANGLE} rad per step with the literal map.");
    }
    let least = errors.iter().copied().fold(f64::INFINITY, f64::min);
    let largest = errors.iter().copied().fold(0.0, f64::max);
    format!(
        "A turn in steps of {SHOWN_ANGLE} rad with the literal map ends {largest:.4e} rad behind (angle^2/12 of a turn: {:.4e} rad); \
         parameterizations differ by {:.0e} rad in it: the error is the map's, not theirs.",
        TAU * SHOWN_ANGLE * SHOWN_ANGLE / 12.0,
        largest - least
    )
}

fn precession(results: &Results) -> String {
    let departure = results.precession.iter().map(|case| (case.order() - 2.0).abs()).fold(0.0, f64::max);
    let finest = |map| {
        let case = results.precession.iter().find(|c| c.contestant.key == UnitQuaternion::KEY && c.map == map);
        case.and_then(|case| case.errors.last()).map_or(f64::NAN, |point| point[1])
    };
    format!(
        "Precessing spin, taken in the middle of each step, is followed to order 2 by every parameterization with either map (fitted, \
         to within {departure:.0e}); the literal map's error is {:.1} times that of the exact one.",
        finest(IncrementMap::Literal) / finest(IncrementMap::Exact)
    )
}

fn cost(results: &Results, measurement: &Measurement) -> String {
    let reference = measurement.of(UnitQuaternion::KEY, IncrementMap::Exact, BLOCK_COLUMN);
    let ratios = each(results, |key| match (measurement.of(key, IncrementMap::Exact, BLOCK_COLUMN), reference) {
        (Some(own), Some(reference)) => {
            format!("{:.2} ns ({:.2})", median(&own.rounds), median_ratio(&own.rounds, &reference.rounds))
        }
        _ => "-".to_owned(),
    });
    format!(
        "Cost of a turn per particle-step in a column of {BLOCK_COLUMN}, and its ratio to the quaternion: {ratios}."
    )
}

fn in_the_engine(results: &Results, measurement: &Measurement, run: &EngineCost) -> String {
    let relative = |key: &str| measurement.step_change(run, key).map_or(f64::NAN, |change| change.relative);
    let share = measurement.step_change(run, UnitQuaternion::KEY).map_or(f64::NAN, |change| change.share);
    let changes = each(results, |key| format!("{:+.2} %", 100.0 * relative(key)));
    let start = format!(
        "A step of {} spheres with {:.2} contacts each takes {:.0} ns per particle, {:.2} % of it the turn of the quaternion; another \
         state would change the step by: {changes}",
        run.run.particles,
        run.run.coordination,
        median(&run.rounds),
        100.0 * share
    );
    let verdict = if run.run.name == DENSE { dense_verdict(results, relative) } else { few_verdict(relative) };
    format!("{start}. {verdict}.")
}

/// "For dense systems performance will be nearly the same for all types of parameterizations."
fn dense_verdict(results: &Results, relative: impl Fn(&str) -> f64) -> String {
    let (same, other): (Vec<&str>, Vec<&str>) =
        results.contestants.iter().map(|c| c.key).partition(|key| relative(key).abs() < NEARLY_THE_SAME);
    let limit = 100.0 * NEARLY_THE_SAME;
    let same = same.join(", ");
    if other.is_empty() {
        return format!(
            "That all cost nearly the same in dense systems is confirmed, to within {limit:.0} % of a step"
        );
    }
    let other = other.join(", ");
    format!(
        "That all cost nearly the same in dense systems (to within {limit:.0} % of a step) is confirmed for {same}, refuted for {other}"
    )
}

/// "For systems of few particles the Rodrigues vector will be more efficient."
fn few_verdict(relative: impl Fn(&str) -> f64) -> String {
    let gain = -relative(RodriguesVector::KEY);
    let word = if gain > NOTICEABLE { "confirmed" } else { "refuted" };
    format!(
        "That Rodrigues vectors make systems of few particles faster than quaternions is {word}: they save {:.2} % of a step",
        100.0 * gain
    )
}
