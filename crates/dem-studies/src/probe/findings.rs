//! What the numbers of a campaign say.

use super::analysis::{LARGEST_NULL_STRESS, Results};
use super::circle::Side;
use super::tables::UNBALANCED;

/// Why moduli and directions are not those that were asked for, a sentence for each series that has no valid ones.
pub fn shortfalls(results: &Results) -> Vec<String> {
    let drifting = results.series.iter().filter(|series| series.drifts());
    let sentence = |series: &super::analysis::Series| {
        if series.null_stress.is_nan() {
            return format!("{}: there is no probe without strain to compare the others with", results.label(series));
        }
        format!(
            "{}: the probe without strain changed the stress by {:.2} % of the smallest probe, expected at most {} %: the state does not stay as it is \
             under this law",
            results.label(series),
            100.0 * series.null_stress,
            100.0 * LARGEST_NULL_STRESS
        )
    };
    drifting.map(sentence).collect()
}

/// A sentence for each result.
pub fn all(results: &Results) -> Vec<String> {
    let d = &results.description;
    let mut findings = vec![format!(
        "{} spheres, {} directions ({}), axis {}; {:.2} % of the contacts slide at the start, {:.2} % with those within 0.001 % of the limit. Stresses and strains are positive in compression.",
        d.particles,
        d.directions,
        d.plane.name(),
        ["x", "y", "z"][d.axis],
        100.0 * d.sliding_share,
        100.0 * d.mobilised_share
    )];
    for (law, (label, _)) in d.laws.iter().enumerate() {
        if d.dropped(law) > 0 {
            let (dropped, all) = (d.dropped(law), d.dropped(law).saturating_add(d.histories[law].kept));
            findings.push(format!("Under {label} {dropped} of {all} contacts began without the history of the state."));
        }
    }
    let way = |series: usize| {
        let s = &results.series[series];
        let p = s.procedure;
        format!("{}, {} steps with {} at rest, strain {:e}", results.label(s), p.steps, p.relax, p.magnitude)
    };
    for found in results.circles.iter().filter(|found| found.side == Side::Loading) {
        let c = &found.circle;
        findings.push(format!(
            "{}, by {}: plastic modulus {:.4} MPa (95 %: {:.4} to {:.4}), yield direction {:.2} deg, flow {:.2} deg; misfit {:.1} %, origin {:.1} % of the diameter.",
            way(found.series),
            found.split.name(),
            1e-6 * c.plastic_modulus(),
            1e-6 * found.interval[0],
            1e-6 * found.interval[1],
            c.yield_direction().to_degrees(),
            c.flow.to_degrees(),
            100.0 * c.misfit,
            100.0 * c.origin
        ));
    }
    for difference in &results.differences {
        findings.push(format!(
            "{}, by {}: plastic modulus {:+.2e} of that of {} apart from it (95 %: {:+.2e} to {:+.2e}).",
            way(difference.series),
            difference.split.name(),
            difference.relative,
            d.laws[0].0,
            difference.interval[0],
            difference.interval[1]
        ));
    }
    for (k, series) in results.series.iter().enumerate() {
        let flagged = series.responses.iter().filter(|r| r.unbalanced_force >= UNBALANCED).count();
        if flagged > 0 {
            findings.push(format!(
                "{}: {flagged} of {} probes ended with an unbalanced force of {UNBALANCED:e} or more.",
                way(k),
                series.responses.len()
            ));
        }
        if series.null_stress.is_nan() || series.null_stress > 0.01 {
            findings.push(format!(
                "{}: the probe without strain changed the stress by {:.2} % of the smallest probe.",
                way(k),
                100.0 * series.null_stress
            ));
        }
        if let Some(first) = series.failures.first() {
            findings.push(format!("{}: {} probes failed, the first is {first}.", way(k), series.failures.len()));
        }
    }
    findings
}
