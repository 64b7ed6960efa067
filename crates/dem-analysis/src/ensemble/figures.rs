//! Overlaid series of the members, and what a swept number does to final values.

use dem_report::ReportError;
use dem_report::drawing::linear;
use dem_report::report::Figure;
use dem_report::statistics::MeanEstimate;
use dem_report::table::Value;
use dem_view::{AxisScale, LinePlot, Series, SeriesStyle};

use super::averages::{AVERAGE, check_columns};
use super::finished::Finished;
use super::parameters::label;
use crate::error::AnalysisError;

/// Columns of the series that are drawn unless others are asked for: name, label of the axis, whether it is logarithmic.
const USUAL: [(&str, &str, bool); 7] = [
    ("kinetic_energy", "kinetic energy [J]", true),
    ("coordination_without_rattlers", "coordination without rattlers [-]", false),
    ("sliding_share", "share of sliding contacts [-]", false),
    ("mobilised_friction", "mobilised friction [-]", false),
    ("bed_height", "bed height [m]", false),
    ("porosity", "porosity of the cell [-]", false),
    ("q_over_p", "deviator over mean stress [-]", false),
];
/// Final values that are drawn over a swept number.
const FINAL: [(&str, &str); 5] = [
    ("summary.packing_fraction", "packing fraction [-]"),
    ("summary.coordination_without_rattlers", "coordination without rattlers [-]"),
    ("series.sliding_share", "share of sliding contacts [-]"),
    ("series.mobilised_friction", "mobilised friction [-]"),
    ("summary.bed_height", "bed height [m]"),
];
/// Most curves in a panel.
const MOST_CURVES: usize = 64;
/// Most panels in a figure.
const MOST_PANELS: usize = 16;

/// Columns to draw.
pub fn columns(asked: &[String]) -> Vec<&str> {
    if asked.is_empty() {
        USUAL.iter().map(|(name, ..)| *name).collect()
    } else {
        asked.iter().map(String::as_str).collect()
    }
}

/// Refuses columns that the series do not have.
///
/// # Errors
/// A name that is none, more than fit into a figure.
pub fn check(asked: &[String], known: &[&str]) -> Result<(), AnalysisError> {
    if asked.len() > MOST_PANELS {
        let (value, allowed) = (format!("{} columns", asked.len()), format!("at most {MOST_PANELS}"));
        return Err(ReportError::Option { option: "--column", value, allowed }.into());
    }
    check_columns("--column", asked, known)
}

/// All figures of groups of members with the same parameters.
pub fn all(groups: &[&[Finished]]) -> Vec<Figure> {
    let mut figures = overlaid_series(groups);
    let panels = swept(groups);
    if !panels.is_empty() {
        figures.push(Figure { name: "sweep", panels });
    }
    figures
}

/// The figure of the series of groups of members, which share a colour.
pub fn overlaid_series(groups: &[&[Finished]]) -> Vec<Figure> {
    let panels = overlaid(groups);
    if panels.is_empty() { Vec::new() } else { vec![Figure { name: "series", panels }] }
}

/// A panel for each column; the members of a group share a colour.
fn overlaid(groups: &[&[Finished]]) -> Vec<LinePlot> {
    let names = groups[0][0].curves.iter().map(|(name, _)| name.as_str());
    names.map(|name| overlaid_column(groups, name)).filter(is_drawable).collect()
}

fn overlaid_column(groups: &[&[Finished]], name: &str) -> LinePlot {
    let usual = USUAL.iter().find(|(known, ..)| *known == name);
    let (y_label, logarithmic) = usual.map_or((name, false), |(_, label, logarithmic)| (*label, *logarithmic));
    let curve = |group: &&[Finished]| {
        // one series for all: a point that is no number parts the members
        let mut points = Vec::new();
        for (_, own) in group.iter().flat_map(|member| &member.curves).filter(|(known, _)| known == name) {
            points.extend(own.iter().map(|&[t, y]| [t, if y.abs() < 1e300 { y } else { f64::NAN }]));
            points.push([f64::NAN; 2]);
        }
        Series { label: label(&group[0]), points, style: SeriesStyle::Line }
    };
    let series: Vec<Series> = groups.iter().take(MOST_CURVES).map(curve).filter(|s| !s.points.is_empty()).collect();
    let shown = if groups.len() > MOST_CURVES {
        format!("{}, the first {MOST_CURVES} of {} sets of parameters", name.replace('_', " "), groups.len())
    } else {
        name.replace('_', " ")
    };
    let y_scale = if logarithmic { AxisScale::Logarithmic } else { AxisScale::Linear };
    LinePlot { y_scale, ..linear(shown, "time [s]", y_label, series) }
}

/// Means over time and final values over a single number that is swept: all members, and their means.
fn swept(groups: &[&[Finished]]) -> Vec<LinePlot> {
    let number = |member: &Finished| match member.parameters[..] {
        [Value::Number(x)] => Some(x),
        [Value::Count(x)] => Some(x as f64),
        _ => None,
    };
    if groups.len() < 2 || groups.iter().any(|group| number(&group[0]).is_none()) {
        return Vec::new();
    }
    let panel = |(name, y_label): (String, String)| {
        let (mut single, mut means) = (Vec::new(), Vec::new());
        for group in groups {
            let x = number(&group[0]).unwrap_or(f64::NAN);
            let values: Vec<f64> =
                group.iter().map(|member| member.quantity(&name)).filter(|y| y.is_finite()).collect();
            single.extend(values.iter().map(|&y| [x, y]));
            means.push([x, MeanEstimate::of(&values).mean]);
        }
        let series = vec![
            Series { label: "mean".into(), points: means, style: SeriesStyle::Line },
            Series { label: "members".into(), points: single, style: SeriesStyle::Markers },
        ];
        let series = series.into_iter().filter(|series| !series.points.is_empty()).collect();
        linear("", &groups[0][0].keys[0], &y_label, series)
    };
    let last = FINAL.iter().map(|&(name, y_label)| (name.to_owned(), y_label.to_owned()));
    let averages = groups[0][0].quantities.iter().filter_map(|(name, _)| {
        let column = name.strip_prefix(AVERAGE)?;
        let usual = USUAL.iter().find(|(known, ..)| *known == column).map_or(column, |(_, label, _)| label);
        Some((name.clone(), format!("mean {usual}")))
    });
    averages.chain(last).take(MOST_PANELS).map(panel).filter(is_drawable).collect()
}

/// Whether there is anything to see.
fn is_drawable(panel: &LinePlot) -> bool {
    let shows = |y: f64| y.is_finite() && (panel.y_scale == AxisScale::Linear || y > 0.0);
    panel.series.iter().any(|series| series.points.iter().any(|point| point[0].is_finite() && shows(point[1])))
}
