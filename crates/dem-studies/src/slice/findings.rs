//! What the numbers of the study say.

use dem_report::statistics::{MeanEstimate, median};

use super::course::{Course, Pair};
use super::results::Results;
use super::tables::with_first;

/// Run times within this share of each other count as roughly the same.
const ROUGHLY_THE_SAME: f64 = 0.2;

/// Differences of order, pair by pair and together.
pub struct Differences {
    /// With minus without, by seed.
    pub each: Vec<f64>,
    /// Together.
    pub summary: MeanEstimate,
}

/// Differences of the mean |ψ₆| with and without rotation.
pub fn differences(results: &Results) -> Differences {
    let each: Vec<f64> = results.pairs.iter().map(|pair| pair.with.order.equal - pair.without.order.equal).collect();
    Differences { summary: MeanEstimate::of(&each), each }
}

/// A sentence for each result.
pub fn all(results: &Results) -> Vec<String> {
    let mut findings = vec![order(results), order_by_sides(results), rest(results), rotation(results), cost(results)];
    if !results.others.is_empty() {
        findings.push(integrators(results));
    }
    findings
}

fn mean(results: &Results, of: impl Fn(&Pair) -> f64) -> f64 {
    results.pairs.iter().map(of).sum::<f64>() / results.pairs.len() as f64
}

fn verdict(summary: &MeanEstimate) -> &'static str {
    match (summary.is_significant(), summary.mean > 0.0) {
        (true, true) => "confirmed",
        (true, false) => "refuted, the opposite holds",
        (false, _) => "not confirmed: no difference can be told from chance",
    }
}

fn order(results: &Results) -> String {
    let Differences { each, summary } = differences(results);
    let [low, high] = summary.interval();
    format!(
        "Mean |psi6| of the final packing, {:.0} discs of it inside, over {} starts: {:.4} with and {:.4} without rotation; difference of \
         pairs {:+.4}, 95 % interval {low:+.4} to {high:+.4}, positive in {} of {}. That rotation makes the packing more ordered is {}.",
        mean(results, |pair| pair.with.order.inside as f64),
        each.len(),
        mean(results, |pair| pair.with.order.equal),
        mean(results, |pair| pair.without.order.equal),
        summary.mean,
        each.iter().filter(|&&d| d > 0.0).count(),
        each.len(),
        verdict(&summary),
    )
}

fn order_by_sides(results: &Results) -> String {
    let each: Vec<f64> =
        results.pairs.iter().map(|pair| pair.with.order.by_sides - pair.without.order.by_sides).collect();
    let summary = MeanEstimate::of(&each);
    format!(
        "With the sides of the Voronoi cells as weights: {:.4} and {:.4}, difference {:+.4} +- {:.4}, {}.",
        mean(results, |pair| pair.with.order.by_sides),
        mean(results, |pair| pair.without.order.by_sides),
        summary.mean,
        summary.half_width,
        verdict(&summary)
    )
}

fn rest(results: &Results) -> String {
    let times = |of: fn(&Course) -> f64| {
        [true, false].map(|with_rotation| {
            let course = |pair: &Pair| of(if with_rotation { &pair.with } else { &pair.without });
            let all: Vec<f64> = results.pairs.iter().map(course).filter(|time| time.is_finite()).collect();
            let ends = all.iter().fold((f64::NAN, f64::NAN), |(low, high), &time| (time.min(low), time.max(high)));
            let runs = format!("{} of {} runs", all.len(), results.pairs.len());
            format!("{:.2} s ({:.2} to {:.2} s, {runs})", median(&all), ends.0, ends.1)
        })
    };
    let ([with, without], [quiet_with, quiet_without]) = (times(|course| course.rest), times(Course::quiet));
    format!(
        "At rest from {with} on with and {without} without rotation (medians); kinetic energy below a thousandth of its peak from \
         {quiet_with} and {quiet_without}. The paper has about 4.0 s in a container whose measures it does not give."
    )
}

fn rotation(results: &Results) -> String {
    let shares: Vec<f64> = results.pairs.iter().map(|pair| pair.with.rotation_peak_share()).collect();
    let ratios: Vec<f64> = results.pairs.iter().map(|pair| pair.with.rotation_largest_ratio()).collect();
    let largest = ratios.iter().copied().fold(0.0, f64::max);
    let word = if largest < 1.0 { "confirmed" } else { "refuted" };
    format!(
        "The peak of the rotational energy is {:.2} % of that of the translational one (median over starts); at no time before the packing \
         is quiet is the ratio above {:.2} % (median), {:.2} % in the worst start: that it is only a fraction at all times is {word}.",
        100.0 * median(&shares),
        100.0 * median(&ratios),
        100.0 * largest
    )
}

fn cost(results: &Results) -> String {
    let ratios = |of: fn(&Course) -> f64| {
        let ratios: Vec<f64> = results.pairs.iter().map(|pair| of(&pair.with) / of(&pair.without)).collect();
        median(&ratios)
    };
    let (step, run) = (ratios(Course::step_cost), ratios(|course| course.elapsed));
    let word = |ratio: f64| if (ratio - 1.0).abs() < ROUGHLY_THE_SAME { "confirmed" } else { "refuted" };
    format!(
        "A step with rotation takes {step:.3} times as long as one without (median of pairs), a run until rest {run:.3} times: that run \
         times are roughly the same (to {:.0} %) is {} for a step and {} for a run.",
        100.0 * ROUGHLY_THE_SAME,
        word(step),
        word(run)
    )
}

fn integrators(results: &Results) -> String {
    let all = with_first(results);
    let parts: Vec<String> = all
        .iter()
        .map(|pair| {
            format!(
                "{} {:.2} s and {:.2} s, {:.3} and {:.3}",
                pair.scheme, pair.with.rest, pair.without.rest, pair.with.order.equal, pair.without.order.equal
            )
        })
        .collect();
    format!(
        "Rest and mean |psi6| of the first start with and without rotation under each integrator: {}.",
        parts.join("; ")
    )
}
