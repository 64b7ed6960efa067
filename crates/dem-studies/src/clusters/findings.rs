//! What the numbers say.

use dem_report::statistics::MeanEstimate;

use super::results::{Moment, Probed, Results, Tested};
use super::tables::{all_faults, density_remark};

/// Largest part by which cutting forces back to the friction cone, instead of turning them, changes the change of force within a probe of 30 steps, if all
/// contacts slide evenly along it in evenly spread directions.
const BOUND: f64 = 4.7e-3;

/// A sentence for each result.
pub fn all(results: &Results) -> Vec<String> {
    let mut findings: Vec<String> = Vec::new();
    for scanned in &results.scanned {
        let remark = density_remark(results, scanned);
        let remark = if remark.is_empty() { remark } else { format!(" ({remark})") };
        findings.push(format!(
            "{}: compressed with a friction of {} to a void ratio of {}{remark}; peak of q/p {}, over {} assemblies.",
            scanned.shape.label(),
            scanned.friction,
            with_interval(&scanned.mean(Tested::void_ratio), 4),
            with_interval(&scanned.mean(Tested::peak), 3),
            scanned.tested.len()
        ));
    }
    let best = results.best();
    findings.push(format!(
        "Nearest to a peak of {} is {}: {}.",
        results.options.peak,
        best.shape.label(),
        with_interval(&best.mean(Tested::peak), 3)
    ));
    findings.extend(results.larger.iter().map(|larger| {
        format!(
            "{} clusters of that shape: void ratio {:.4}, peak {:.3}, {:+.1} % against the mean of {}.",
            larger.clusters,
            larger.void_ratio(),
            larger.peak(),
            100.0 * (larger.peak() / best.mean(Tested::peak).mean - 1.0),
            results.options.clusters
        )
    }));
    findings.extend([Moment::AtRest, Moment::Moving].into_iter().filter_map(|moment| probes(results, moment)));
    findings
}

fn probes(results: &Results, moment: Moment) -> Option<String> {
    let of_moment: Vec<&Probed> = results.probed.iter().filter(|probed| probed.moment == moment).collect();
    let mean = |value: fn(&Probed) -> f64| {
        MeanEstimate::over_seeds(&of_moment.iter().map(|probed| value(probed)).collect::<Vec<_>>())
    };
    let difference = mean(|probed| probed.difference);
    let [low, high] = difference.interval();
    let within = if low.abs() <= BOUND && high.abs() <= BOUND { "within" } else { "not within" };
    (!of_moment.is_empty()).then(|| {
        format!(
            "Probes of {} assemblies {} at q/p = {}: {:.2} % of the contacts at the friction limit, plastic modulus of kuhn {} MPa, that of \
             conventional {:+.2e} of it apart (95 %: {low:+.2e} to {high:+.2e}), {within} the {:.2} % that even slip in a probe admits.",
            of_moment.len(),
            moment.name(),
            with_interval(&mean(|probed| probed.q_over_p), 3),
            100.0 * mean(|probed| probed.mobilised_share).mean,
            with_interval(&mean(|probed| probed.modulus), 1),
            difference.mean,
            100.0 * BOUND
        )
    })
}

/// A mean with half the width of its interval.
fn with_interval(found: &MeanEstimate, decimals: usize) -> String {
    if found.half_width.is_nan() {
        return format!("{:.decimals$}", found.mean);
    }
    format!("{:.decimals$} +- {:.decimals$} (95 %)", found.mean, found.half_width)
}

/// In what respects the result is not what was asked for.
pub fn shortfalls(results: &Results) -> Vec<String> {
    let mut found = all_faults(results);
    for scanned in &results.scanned {
        let remark = density_remark(results, scanned);
        if !remark.is_empty() {
            found.push(format!("{}: {remark}", scanned.shape.label()));
        }
    }
    let asked = results.options.directions.map_or(0, |_| 2 * results.best().tested.len());
    if results.probed.len() < asked {
        found.push(format!(
            "{} of {asked} states were probed: the other assemblies do not reach q/p = {}",
            results.probed.len(),
            results.options.probed_at
        ));
    }
    let drifting = results.probed.iter().filter(|probed| !probed.remark.is_empty());
    found.extend(
        drifting.map(|probed| format!("probes of seed {}, {}: {}", probed.seed, probed.moment.name(), probed.remark)),
    );
    found
}
