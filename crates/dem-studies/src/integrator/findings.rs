//! What the numbers of the study say.

use dem_report::statistics::{median, median_ratio};

use super::order::Motion;
use super::results::Results;
use super::rolling::{ROLLING_EXPECTED, SPINNING_EXPECTED};

/// A sentence for each result.
pub fn all(results: &Results) -> Vec<String> {
    let mut findings: Vec<String> = Motion::ALL.iter().map(|&motion| order(results, motion)).collect();
    findings.push(energy(results));
    findings.push(gas(results));
    findings.push(spinning(results));
    findings.push(three(results));
    if !results.costs.is_empty() {
        findings.push(cost(results));
    }
    findings
}

/// `name text, name text` for all schemes.
fn each(results: &Results, mut text: impl FnMut(usize) -> String) -> String {
    let parts: Vec<String> =
        results.schemes.iter().enumerate().map(|(k, scheme)| format!("{scheme} {}", text(k))).collect();
    parts.join(", ")
}

fn order(results: &Results, motion: Motion) -> String {
    let orders = each(results, |k| {
        let case = results.convergence.iter().find(|case| case.motion == motion && case.scheme == results.schemes[k]);
        format!("{:.2}", case.map_or(f64::NAN, |case| case.order()))
    });
    format!("Order of convergence, {}: {orders}.", motion.key())
}

fn energy(results: &Results) -> String {
    let drifts = each(results, |k| {
        let course = &results.oscillation[k];
        format!("{:+.1e} ({:.0e})", course.drift(), course.ripple)
    });
    format!(
        "Relative change of the energy of an undamped Hertz oscillation in {} steps, 40 to a period, and in brackets its ripple within \
         the first period: {drifts}.",
        results.steps
    )
}

fn gas(results: &Results) -> String {
    let drifts = each(results, |k| format!("{:+.1e}", results.gas[k].drift()));
    format!("Relative change of the energy of a gas of elastic spheres, 25 steps to an impact: {drifts}.")
}

fn spinning(results: &Results) -> String {
    let largest = |at: usize| {
        let departure = |value: f64| (value - SPINNING_EXPECTED[at].2).abs();
        results.rolling.iter().map(|case| departure(case.spinning[at])).fold(0.0, f64::max)
    };
    let ringing = results.rolling.iter().map(|case| case.ringing).fold(0.0, f64::max);
    format!(
        "Example 5.1: every scheme is within {:.1e} s of t_roll = 2.68542 s, {:.1e} m/s of v_roll = 8.94100 m/s and {:.1e} rad/s of \
         omega_roll = -44.7050 rad/s in the mean; the undamped tangential spring rings by up to {ringing:.4} m/s about it.",
        largest(0),
        largest(1),
        largest(2)
    )
}

fn three(results: &Results) -> String {
    let worst: Vec<String> = ROLLING_EXPECTED
        .iter()
        .enumerate()
        .map(|(at, (name, _, expected))| {
            let departure =
                results.rolling.iter().map(|case| (case.three[at] / expected - 1.0).abs()).fold(0.0, f64::max);
            format!("{name} {:.2} %", 100.0 * departure)
        })
        .collect();
    format!(
        "Example 5.2, largest departure of any scheme from the event-by-event solution: {} (a step is 2.1 % of the collision).",
        worst.join(", ")
    )
}

fn cost(results: &Results) -> String {
    let ratios = each(results, |k| {
        let cost = &results.costs[k];
        let iterations = cost.iterations.map_or_else(String::new, |count| format!(", {count:.2} iterations per step"));
        format!(
            "{:.0} ns ({:.2}{iterations})",
            median(&cost.rounds),
            median_ratio(&cost.rounds, &results.costs[0].rounds)
        )
    });
    let (particles, coordination) =
        results.costs.first().map_or((0, f64::NAN), |cost| (cost.run.particles, cost.run.coordination));
    format!(
        "Cost of a step per particle in a packing of {particles} spheres with {coordination:.2} contacts each, and its ratio to the \
         default: {ratios}."
    )
}
