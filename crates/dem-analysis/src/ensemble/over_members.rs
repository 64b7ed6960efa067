//! A quantity of every member of an ensemble, over its seeds and against its parameters.

use std::path::Path;

use dem_report::drawing::{line, linear};
use dem_report::report::{Figure, Report};
use dem_report::statistics::MeanEstimate;
use dem_report::table::{Table, Value};
use dem_view::SeriesStyle;

use super::averages::Averages;
use super::finished::{Finished, Standing, member_directories, standing};
use super::parameters::order;
use crate::error::AnalysisError;

/// What a study measures of a run.
pub struct Quantity<'a> {
    /// Name of the tables and the figure; the second table is that of the members.
    pub names: [&'static str; 2],
    /// What it is, for sentences and axes, with its unit.
    pub title: &'a str,
    /// Its unit.
    pub unit: &'a str,
    /// End of the names of its columns, `angle_deg`.
    pub column: &'static str,
}

/// The quantity of a run and half the width of its own 95 % interval.
pub type Measured = [f64; 2];

struct Member {
    run: Finished,
    found: Measured,
}

/// Measures all members of an ensemble that have come to their end and puts those together that differ in their seed only. Members that a
/// quantity cannot be measured of are shortfalls.
///
/// # Errors
/// Members that cannot be read, or none that it can be measured of.
pub fn over_members(
    ensemble: &Path,
    quantity: &Quantity<'_>,
    measure: impl Fn(&Path) -> Result<Measured, AnalysisError>,
) -> Result<Report, AnalysisError> {
    let (mut members, mut shortfalls) = (Vec::new(), Vec::new());
    for folder in member_directories(ensemble)? {
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if standing(&folder)? != Standing::Finished {
            shortfalls.push(format!("{name} has not come to its end and is left out"));
            continue;
        }
        match measure(&folder) {
            Ok(found) => members.push(Member { run: Finished::read(&folder, &[], &Averages::default())?, found }),
            Err(AnalysisError::Unsuitable { why, .. }) => shortfalls.push(format!("{name} is left out: {why}")),
            Err(error) => return Err(error),
        }
    }
    if members.is_empty() {
        let why = if shortfalls.is_empty() { "it has no members".to_owned() } else { shortfalls.join("; ") };
        return Err(AnalysisError::Unsuitable { run: ensemble.display().to_string(), why });
    }
    members.sort_by(|a, b| order(&a.run, &b.run));
    let groups: Vec<&[Member]> = members.chunk_by(|a, b| a.run.parameters == b.run.parameters).collect();
    let findings = groups.iter().map(|group| finding(group, quantity)).collect();
    Ok(Report {
        tables: vec![means(&groups, quantity), singles(&members, quantity)],
        figures: figure(&groups, quantity).into_iter().collect(),
        findings,
        shortfalls,
        ..Report::default()
    })
}

/// Mean over the seeds and half the width of its 95 % interval: of one member its own.
fn estimate(group: &[Member]) -> Measured {
    match group {
        [only] => only.found,
        _ => {
            let values: Vec<f64> = group.iter().map(|member| member.found[0]).collect();
            let found = MeanEstimate::of(&values);
            [found.mean, found.half_width]
        }
    }
}

fn keys(group: &[Member]) -> Vec<String> {
    group.first().map(|member| member.run.keys.clone()).unwrap_or_default()
}

fn means(groups: &[&[Member]], quantity: &Quantity<'_>) -> Table {
    let keys = keys(groups[0]);
    let own = ["members".to_owned(), quantity.column.to_owned(), format!("half_width_{}", quantity.column)];
    let mut table = Table::with_columns(quantity.names[0], keys.into_iter().chain(own).collect());
    for group in groups {
        let [mean, half_width] = estimate(group);
        let row: Vec<Value> = group[0].run.parameters.clone();
        table.push(row.into_iter().chain([group.len().into(), mean.into(), half_width.into()]));
    }
    table
}

fn singles(members: &[Member], quantity: &Quantity<'_>) -> Table {
    let own =
        ["seed".to_owned(), quantity.column.to_owned(), format!("half_width_{}", quantity.column), "member".to_owned()];
    let mut table = Table::with_columns(quantity.names[1], keys(members).into_iter().chain(own).collect());
    for Member { run, found: [value, half_width] } in members {
        let own: [Value; 4] = [run.seed.into(), (*value).into(), (*half_width).into(), run.name.as_str().into()];
        table.push(run.parameters.iter().cloned().chain(own));
    }
    table
}

fn finding(group: &[Member], quantity: &Quantity<'_>) -> String {
    let [mean, half_width] = estimate(group);
    let run = &group[0].run;
    let named = run.keys.iter().zip(&run.parameters).map(|(key, value)| format!("{key} = {}", value.exact()));
    let named: Vec<String> = named.collect();
    let of = if named.is_empty() { String::new() } else { format!("{}: ", named.join(", ")) };
    let basis = match group.len() {
        1 => "of one run by itself".to_owned(),
        seeds => format!("from {seeds} seeds"),
    };
    format!("{of}{} {mean:.5} +- {half_width:.2} {} (95 %, {basis}).", quantity.title, quantity.unit)
}

/// The quantity against the parameter, if there is one and it is a number.
fn figure(groups: &[&[Member]], quantity: &Quantity<'_>) -> Option<Figure> {
    let keys = keys(groups[0]);
    let [key] = keys.as_slice() else { return None };
    let abscissa = |member: &Member| match member.run.parameters.first() {
        Some(Value::Number(x)) => Some(*x),
        Some(Value::Count(x)) => Some(*x as f64),
        _ => None,
    };
    let x: Vec<f64> = groups.iter().map(|group| abscissa(&group[0])).collect::<Option<_>>()?;
    let means: Vec<[f64; 2]> = x.iter().zip(groups).map(|(&x, group)| [x, estimate(group)[0]]).collect();
    let singles = x.iter().zip(groups).flat_map(|(&x, group)| group.iter().map(move |member| [x, member.found[0]]));
    let mut series = vec![
        line("mean over seeds", means, SeriesStyle::Line),
        line("members", singles.collect(), SeriesStyle::Markers),
    ];
    for (&x, group) in x.iter().zip(groups) {
        let [mean, half_width] = estimate(group);
        if half_width.is_finite() {
            series.push(line("", vec![[x, mean - half_width], [x, mean + half_width]], SeriesStyle::Line));
        }
    }
    let y_label = format!("{} [{}]", quantity.title, quantity.unit);
    Some(Figure { name: quantity.names[0], panels: vec![linear(quantity.title, key, &y_label, series)] })
}
