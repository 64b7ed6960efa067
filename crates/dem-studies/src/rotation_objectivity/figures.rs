//! Figure of the study.

use dem_report::drawing::{line, logarithmic};
use dem_report::report::Figure;
use dem_view::{LinePlot, SeriesStyle};

use super::results::Results;
use super::turns::choices;

/// Least error that a logarithmic axis shows.
const FLOOR: f64 = 1e-16;

/// Error of the stress against the number of increments, a panel for each axis.
pub fn all(results: &Results) -> Vec<Figure> {
    let mut axes: Vec<&'static str> = results.outcomes.iter().map(|outcome| outcome.axis.name).collect();
    axes.dedup();
    vec![Figure { name: "rotation_objectivity", panels: axes.into_iter().map(|axis| panel(results, axis)).collect() }]
}

fn panel(results: &Results, axis: &str) -> LinePlot {
    let series = choices().into_iter().map(|choice| {
        let own = results.outcomes.iter().filter(|o| o.choice == choice && o.axis.name == axis);
        let mut points: Vec<[f64; 2]> = own.map(|o| [o.increments as f64, o.error.max(FLOOR)]).collect();
        points.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]));
        let style = if points.len() > 1 { SeriesStyle::Line } else { SeriesStyle::Markers };
        line(choice.describe(), points, style)
    });
    let title = format!("Stress after a quarter turn about {axis}, turned back");
    logarithmic(title, "increments", "change over norm of the stress", series.collect())
}
