//! Figures of the study.

use dem_report::drawing::{line, linear};
use dem_report::report::Figure;
use dem_view::{AxisScale, LinePlot, SeriesStyle};

use super::course::{Course, Look, Pair};
use super::findings;
use super::results::Results;
use super::tables::with_first;

/// All figures.
pub fn all(results: &Results) -> Vec<Figure> {
    vec![
        Figure { name: "slice_energy", panels: vec![translation(results), rotation(results), settling(results)] },
        Figure { name: "slice_integrators", panels: vec![integrators(results, true), integrators(results, false)] },
        Figure { name: "slice_order", panels: vec![order(results), differences(results)] },
    ]
    .into_iter()
    .map(|figure| Figure { panels: figure.panels.into_iter().filter(has_points).collect(), ..figure })
    .filter(|figure| !figure.panels.is_empty())
    .collect()
}

/// Whether there is something to draw: few discs have none that is away from the boundary, and no order.
fn has_points(plot: &LinePlot) -> bool {
    plot.series.iter().flat_map(|series| &series.points).any(|point| point[1].is_finite())
}

const TIME: &str = "time [s]";

fn points(course: &Course, of: fn(&Look) -> f64) -> Vec<[f64; 2]> {
    course.looks.iter().map(|look| [look.time, of(look)]).collect()
}

fn translation(results: &Results) -> LinePlot {
    let both = results.pairs.iter().take(1).flat_map(|pair| pair.both());
    let series = both.map(|(name, course)| line(name, points(course, |look| look.translation), SeriesStyle::Line));
    linear("Kinetic energy of translation, first seed", TIME, "energy [J]", series.collect())
}

fn rotation(results: &Results) -> LinePlot {
    let series =
        results.pairs.iter().take(1).map(|pair| line("", points(&pair.with, |look| look.rotation), SeriesStyle::Line));
    linear("Kinetic energy of rotation, first seed", TIME, "energy [J]", series.collect())
}

/// The way to rest, which a linear axis does not show.
fn settling(results: &Results) -> LinePlot {
    let mut series = Vec::new();
    for (name, course) in results.pairs.iter().take(1).flat_map(|pair| pair.both()) {
        series.push(line(format!("translation, {name}"), points(course, |look| look.translation), SeriesStyle::Line));
    }
    if let Some(pair) = results.pairs.first() {
        series.push(line("rotation", points(&pair.with, |look| look.rotation), SeriesStyle::Line));
    }
    let plot = linear("The same, logarithmic", TIME, "energy [J]", series);
    LinePlot { y_scale: AxisScale::Logarithmic, ..plot }
}

fn integrators(results: &Results, with_rotation: bool) -> LinePlot {
    let pairs = with_first(results);
    let series = pairs.iter().map(|pair| {
        let course = if with_rotation { &pair.with } else { &pair.without };
        line(pair.scheme.to_string(), points(course, |look| look.translation), SeriesStyle::Line)
    });
    let title = if with_rotation { "with rotation" } else { "without rotation" };
    let plot =
        linear(format!("Kinetic energy of translation, first seed, {title}"), TIME, "energy [J]", series.collect());
    LinePlot { y_scale: AxisScale::Logarithmic, ..plot }
}

fn order(results: &Results) -> LinePlot {
    let series = [true, false].map(|with_rotation| {
        let of = |pair: &Pair| if with_rotation { pair.with.order.equal } else { pair.without.order.equal };
        let points = results.pairs.iter().map(|pair| [pair.seed as f64, of(pair)]).collect();
        line(if with_rotation { "with rotation" } else { "without rotation" }, points, SeriesStyle::Markers)
    });
    linear("Order of the final packing, boundary left out", "seed", "mean |psi6| [-]", series.to_vec())
}

fn differences(results: &Results) -> LinePlot {
    let differences = findings::differences(results);
    let points = results.pairs.iter().zip(&differences.each).map(|(pair, &d)| [pair.seed as f64, d]).collect();
    let ends = [1.0, results.pairs.len() as f64];
    let level = |y: f64| ends.map(|x| [x, y]).to_vec();
    let [low, high] = differences.summary.interval();
    let [first, last] = ends;
    // one line, so that both sides are drawn and named alike
    let interval = vec![[first, low], [last, low], [last, high], [first, high], [first, low]];
    let series = vec![
        line("with minus without", points, SeriesStyle::Markers),
        line("mean", level(differences.summary.mean), SeriesStyle::Line),
        line("95 % interval of the mean", interval, SeriesStyle::Dashes),
        line("no difference", level(0.0), SeriesStyle::Line),
    ];
    linear("Difference of order by rotation, same start", "seed", "difference of mean |psi6| [-]", series)
}
