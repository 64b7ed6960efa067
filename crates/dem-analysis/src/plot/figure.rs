//! From a request to panels.

use std::path::Path;

use dem_io::nearest;
use dem_io::units::{DimensionVector, parse_quantity};
use dem_report::words::{describe, label, of_unit};
use dem_view::{AxisScale, LinePlot, Series, SeriesStyle};

use super::column::ColumnChoice;
use super::request::Request;
use super::table::DataTable;
use crate::error::AnalysisError;

/// Most curves of a panel.
const MOST_CURVES: usize = 64;

/// The panels of a request.
///
/// # Errors
/// Tables that cannot be read, columns that they do not have, units that do not fit.
pub fn draw(request: &Request) -> Result<Vec<LinePlot>, AnalysisError> {
    let tables = request.sources.iter().map(|source| find_table(request, source)).collect::<Result<Vec<_>, _>>()?;
    let mut panels = Vec::new();
    for (number, ordinates) in request.panels.iter().enumerate() {
        let mut panel = panel(request, ordinates, &tables)?;
        if number == 0 {
            panel.title.clone_from(&request.title);
        }
        panels.push(panel);
    }
    Ok(panels)
}

/// The first table of a source that has all columns, with the rows that are drawn.
fn find_table(request: &Request, source: &Path) -> Result<DataTable, AnalysisError> {
    let wanted: Vec<&str> = std::iter::once(&request.x)
        .chain(request.panels.iter().flatten())
        .map(|column| column.name.as_str())
        .chain(request.conditions.iter().map(|condition| condition.column.as_str()))
        .chain(request.by.as_deref())
        .collect();
    let mut paths = DataTable::paths(source)?;
    if let Some(name) = &request.table {
        let stem = |path: &std::path::PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let known: Vec<String> = paths.iter().filter_map(stem).collect();
        let asked = name.trim_end_matches(".csv");
        paths.retain(|path| stem(path).as_deref() == Some(asked));
        if paths.is_empty() {
            return Err(unknown(&format!("{}: no table", source.display()), asked, &known));
        }
    }
    let mut best: Option<(usize, DataTable)> = None;
    for path in &paths {
        let table = match DataTable::read(path) {
            Ok(table) => table,
            Err(error) if paths.len() == 1 => return Err(error),
            Err(_) => continue,
        };
        let lacks = wanted.iter().filter(|name| !table.names.iter().any(|known| known == *name)).count();
        if best.as_ref().is_none_or(|(least, _)| lacks < *least) {
            best = Some((lacks, table));
        }
        if lacks == 0 {
            break;
        }
    }
    let (_, mut table) =
        best.ok_or_else(|| AnalysisError::Plot(format!("{}: no table can be read", source.display())))?;
    if let Some(missing) = wanted.iter().find(|name| !table.names.iter().any(|known| known == *name)) {
        let mut error = unknown(&format!("{}: no column", table.path.display()), missing, &table.names);
        if let (AnalysisError::Plot(message), true) = (&mut error, paths.len() > 1) {
            let others = paths.iter().filter(|path| **path != table.path).filter_map(|path| path.file_name());
            let others: Vec<_> = others.map(|name| name.to_string_lossy().into_owned()).collect();
            message.push_str(&format!("; other tables of the directory: {}", others.join(", ")));
        }
        return Err(error);
    }
    table.describe();
    for condition in &request.conditions {
        let column = table.text(&condition.column).unwrap_or_default();
        let value = match condition.value.as_str() {
            "last" => column.last().copied().unwrap_or_default().to_owned(),
            value => value.to_owned(),
        };
        let number: Option<f64> = value.parse().ok();
        table.keep(&condition.column, |cell| cell == value || number.is_some() && cell.parse::<f64>().ok() == number);
    }
    if table.len() == 0 {
        return Err(AnalysisError::Plot(format!("{}: no row is left to draw", table.path.display())));
    }
    Ok(table)
}

fn unknown(what: &str, name: &str, known: &[String]) -> AnalysisError {
    let meant = nearest(name, known.iter().map(String::as_str));
    let help = meant.map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"));
    AnalysisError::Plot(format!("{what} `{name}`, expected one of {}{help}", known.join(", ")))
}

fn panel(request: &Request, ordinates: &[ColumnChoice], tables: &[DataTable]) -> Result<LinePlot, AnalysisError> {
    let mut series = Vec::new();
    let (mut x_label, mut units, mut names) = (String::new(), Vec::new(), Vec::new());
    for (source, table) in request.sources.iter().zip(tables) {
        let x = values(table, &request.x)?;
        x_label = label(&x.name, &x.unit);
        let groups = groups(table, request.by.as_deref());
        for choice in ordinates {
            let y = values(table, choice)?;
            for (group, rows) in &groups {
                let points = rows.iter().map(|&row| [x.numbers[row], y.numbers[row]]).collect();
                let of_source = (tables.len() > 1).then(|| name_of(source));
                let of_column = (ordinates.len() > 1).then(|| y.name.clone());
                let parts: Vec<String> = [of_column, group.clone(), of_source].into_iter().flatten().collect();
                let style = if request.points { SeriesStyle::Markers } else { SeriesStyle::Line };
                series.push(Series { label: parts.join(", "), points, style });
            }
            units.push(y.unit);
            names.push(y.name);
        }
    }
    if series.len() > MOST_CURVES {
        return Err(AnalysisError::Plot(format!("{} curves in a panel, expected at most {MOST_CURVES}", series.len())));
    }
    let unit = units.first().cloned().unwrap_or_default();
    let is_one_unit = units.iter().all(|other| *other == unit);
    let y_label = match ordinates.len() {
        1 => label(&names[0], &unit),
        _ if is_one_unit => label(of_unit(&unit), &unit),
        _ => {
            // every curve says its own unit
            let count = series.len() / units.len().max(1);
            for (k, curve) in series.iter_mut().enumerate() {
                curve.label = label(&curve.label, &units[k / count.max(1)]);
            }
            String::new()
        }
    };
    let scale = |logarithmic: bool| if logarithmic { AxisScale::Logarithmic } else { AxisScale::Linear };
    let [x_given, y_given] = request.labels.clone();
    Ok(LinePlot {
        title: String::new(),
        x_label: x_given.unwrap_or(x_label),
        y_label: y_given.unwrap_or(y_label),
        series,
        x_scale: scale(request.logarithmic[0]),
        y_scale: scale(request.logarithmic[1]),
        x_ends: request.ends[0],
        y_ends: request.ends[1],
    })
}

/// Last part of a path, as the name of a run.
fn name_of(source: &Path) -> String {
    let path = source.canonicalize().unwrap_or_else(|_| source.to_path_buf());
    path.file_name().map_or_else(|| source.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// Rows of every value of a column, in the order in which the values come; all rows without a column.
fn groups(table: &DataTable, by: Option<&str>) -> Vec<(Option<String>, Vec<usize>)> {
    let Some(by) = by else { return vec![(None, (0..table.len()).collect())] };
    let mut groups: Vec<(Option<String>, Vec<usize>)> = Vec::new();
    let (words, _) = describe(by, None);
    for (row, cell) in table.text(by).unwrap_or_default().into_iter().enumerate() {
        let name = if cell.parse::<f64>().is_ok() { format!("{words} {cell}") } else { cell.to_owned() };
        match groups.iter_mut().find(|(known, _)| known.as_deref() == Some(name.as_str())) {
            Some((_, rows)) => rows.push(row),
            None => groups.push((Some(name), vec![row])),
        }
    }
    groups
}

/// Numbers as they are drawn, their name and unit.
struct Values {
    numbers: Vec<f64>,
    name: String,
    unit: String,
}

fn values(table: &DataTable, choice: &ColumnChoice) -> Result<Values, AnalysisError> {
    let known = table.unit(&choice.name);
    let (mut name, mut unit) = describe(&choice.name, known);
    let mut numbers = table.numbers(&choice.name).unwrap_or_default();
    if choice.is_rate {
        let time = ["time", "time_s"].iter().find_map(|time| table.numbers(time));
        let time = time.ok_or_else(|| {
            AnalysisError::Plot(format!("rate:{}: {} has no column `time`", choice.name, table.path.display()))
        })?;
        numbers = rates(&time, &numbers);
        name = format!("rate of {name}");
        unit = match unit.as_str() {
            "J" => "W".to_owned(),
            "" | "-" => "1/s".to_owned(),
            unit => format!("{unit}/s"),
        };
    }
    if let Some(wanted) = &choice.unit {
        let factor = factor(&unit, wanted).ok_or_else(|| {
            let allowed = if unit.is_empty() {
                "no unit: that of the column is not known".to_owned()
            } else {
                format!("a unit of {unit}")
            };
            AnalysisError::Plot(format!("{}:{wanted}, expected {allowed}", choice.name))
        })?;
        numbers.iter_mut().for_each(|number| *number *= factor);
        unit.clone_from(wanted);
    }
    Ok(Values { numbers, name, unit })
}

/// How many of one unit are one of another.
fn factor(from: &str, to: &str) -> Option<f64> {
    if (from, to) == ("-", "%") {
        return Some(100.0);
    }
    let of = |unit: &str| match unit {
        "-" => Some(1.0),
        unit => parse_quantity(&format!("1 {unit}"), DimensionVector::from_unit_text(from).ok()?).ok(),
    };
    Some(of(from)? / of(to)?)
}

/// Rates of change over time, each over a fiftieth of the rows.
fn rates(time: &[f64], values: &[f64]) -> Vec<f64> {
    let half = (time.len() / 100).max(1);
    let last = time.len().saturating_sub(1);
    (0..time.len().min(values.len()))
        .map(|row| {
            let (from, to) = (row.saturating_sub(half), (row + half).min(last));
            let elapsed = time[to] - time[from];
            if elapsed > 0.0 { (values[to] - values[from]) / elapsed } else { f64::NAN }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_converted_by_their_dimension() {
        for (from, to, expected) in [("Pa", "kPa", 1e-3), ("-", "%", 100.0), ("m", "mm", 1e3), ("N m", "mJ", 1e3)] {
            let found = factor(from, to).unwrap_or(f64::NAN);
            assert!((found / expected - 1.0).abs() < 1e-12, "{from} {to}: {found}");
        }
        for (from, to) in [("Pa", "mm"), ("", "s"), ("-", "kg"), ("s", "nonsense")] {
            assert_eq!(factor(from, to), None, "{from} {to}");
        }
    }

    #[test]
    fn rate_of_a_straight_line_is_its_slope() {
        let time: Vec<f64> = (0..500).map(|k| 0.01 * f64::from(k)).collect();
        let line: Vec<f64> = time.iter().map(|t| 3.0 * t - 1.0).collect();
        assert!(rates(&time, &line).iter().all(|rate| (rate - 3.0).abs() < 1e-9));
        assert!(rates(&[0.0], &[1.0])[0].is_nan());
    }

    fn request(folder: &Path, columns: &[&str]) -> Result<Request, AnalysisError> {
        let words: Vec<String> = columns.iter().map(|word| (*word).to_owned()).collect();
        Ok(Request { sources: vec![folder.to_path_buf()], ..Request::of_columns(&words)? })
    }

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("series.csv"), "step,time,energy_J\n0,0,1\n10,0.5,2\n20,1,NaN\n30,1.5,4\n")
            .unwrap();
        let courses = "course,strain,stress_Pa\ntest,0,0\ntest,0.1,500\nslower,0,0\nslower,0.1,450\n";
        std::fs::write(folder.path().join("courses.csv"), courses).unwrap();
        folder
    }

    #[test]
    fn panels_stand_between_commas_and_take_the_table_that_has_their_columns() {
        let folder = folder();
        let panels =
            draw(&request(folder.path(), &["time", "energy_J", "step", ",", "rate:energy_J"]).unwrap()).unwrap();
        assert_eq!(panels.len(), 2);
        assert_eq!((panels[0].series.len(), panels[0].x_label.as_str()), (2, "time"));
        assert_eq!((panels[0].series[0].label.as_str(), panels[0].series[1].label.as_str()), ("energy [J]", "step"));
        assert_eq!(panels[1].y_label, "rate of energy [W]");
        let mut by = request(folder.path(), &["strain", "stress_Pa:kPa"]).unwrap();
        by.by = Some("course".into());
        let panels = draw(&by).unwrap();
        assert_eq!(panels[0].series[1].label, "slower");
        assert_eq!(panels[0].series[1].points, [[0.0, 0.0], [0.1, 0.45]]);
        assert_eq!(panels[0].y_label, "stress [kPa]");
    }

    #[test]
    fn several_runs_are_told_apart_and_rows_are_chosen() {
        let (one, two) = (folder(), folder());
        let mut both = request(one.path(), &["strain", "stress_Pa"]).unwrap();
        both.sources.push(two.path().to_path_buf());
        both.conditions = vec![super::super::request::Condition { column: "course".into(), value: "last".into() }];
        let panels = draw(&both).unwrap();
        assert_eq!((panels[0].series.len(), panels[0].series[0].points.len()), (2, 2));
        assert_ne!(panels[0].series[0].label, panels[0].series[1].label);
    }

    #[test]
    fn what_is_not_there_is_answered_with_what_is() {
        let folder = folder();
        let message = |columns: &[&str]| match request(folder.path(), columns) {
            Ok(request) => draw(&request).unwrap_err().to_string(),
            Err(error) => error.to_string(),
        };
        let text = message(&["time", "enrgy_J"]);
        assert!(text.contains("series.csv: no column `enrgy_J`, expected one of step, time, energy_J"), "{text}");
        assert!(text.contains("did you mean `energy_J`?") && text.contains("courses.csv"), "{text}");
        assert!(message(&["time"]).contains("expected a column for the abscissa"));
        assert!(message(&["time", "energy_J", ",", ","]).contains("expected a column for the abscissa"));
        assert!(message(&["time", "energy_J:mm"]).contains("expected a unit of J"));
        let mut other = request(folder.path(), &["strain", "stress_Pa"]).unwrap();
        other.table = Some("course".into());
        let text = draw(&other).unwrap_err().to_string();
        assert!(text.contains("no table `course`, expected one of series, courses; did you mean `courses`?"), "{text}");
        other.sources = vec!["nowhere".into()];
        assert!(draw(&other).unwrap_err().to_string().contains("no such directory or file"));
    }
}
