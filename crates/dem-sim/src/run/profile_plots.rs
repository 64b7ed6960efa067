//! Plots of the averages of wall probes.

use std::path::Path;

use dem_io::series::Series as SeriesTable;
use dem_view::{LinePlot, Series};

use super::RunError;
use crate::builder;

/// Most lines of a panel.
const MOST_LINES: usize = 16;

/// One row of the last output.
struct Row {
    probe: usize,
    wall: usize,
    bin: usize,
    sector: usize,
    position: f64,
    angle: f64,
    contacts: f64,
    /// Pressure, shear along, mobilised friction.
    values: [f64; 3],
}

/// Panels of the last averages in `profiles.csv` of a run directory; none without the file or a row.
///
/// # Errors
/// A file that cannot be read.
pub(super) fn panels(directory: &Path) -> Result<Vec<LinePlot>, RunError> {
    let path = directory.join("profiles.csv");
    if !path.exists() {
        return Ok(Vec::new());
    }
    let rows = last_rows(&SeriesTable::read(path)?);
    let probes: Vec<usize> = rows.iter().filter(|row| row.bin + row.sector == 0).map(|row| row.probe).collect();
    if probes.is_empty() {
        return Ok(Vec::new());
    }
    let names = builder::load_scene(&directory.join("scene.resolved.toml"), &[])
        .map(|loaded| loaded.scene.walls.into_iter().map(|wall| wall.name).collect::<Vec<_>>())
        .unwrap_or_default();
    let label = |probe: usize| {
        let wall = rows.iter().find(|row| row.probe == probe).map_or(0, |row| row.wall);
        format!("{} ({probe})", names.get(wall).map_or("wall", String::as_str))
    };
    let panel = |x_label: &str, y_label: &str, series: Vec<Series>| LinePlot {
        x_label: x_label.to_owned(),
        y_label: y_label.to_owned(),
        series,
        ..LinePlot::default()
    };
    let over_position = |value: usize| {
        let series = probes.iter().take(MOST_LINES).map(|&probe| Series {
            label: label(probe),
            points: averages(&rows, probe, value, |row| (row.bin, row.position)),
            ..Series::default()
        });
        series.collect::<Vec<_>>()
    };
    let mut panels = vec![
        panel("position [m]", "pressure [Pa]", over_position(0)),
        panel("position [m]", "shear along [Pa]", over_position(1)),
        panel("position [m]", "mobilised friction [-]", over_position(2)),
    ];
    let is_cut = |probe: &&usize| rows.iter().any(|row| row.probe == **probe && row.sector > 0);
    let around: Vec<Series> = probes
        .iter()
        .filter(is_cut)
        .take(MOST_LINES)
        .map(|&probe| Series {
            label: label(probe),
            points: averages(&rows, probe, 0, |row| (row.sector, row.angle.to_degrees())),
            ..Series::default()
        })
        .collect();
    if !around.is_empty() {
        panels.push(panel("angle [deg]", "pressure [Pa]", around));
    }
    Ok(panels)
}

/// Rows of the last output.
fn last_rows(table: &SeriesTable) -> Vec<Row> {
    let column = |name: &str| table.column(name).unwrap_or_default();
    let steps = column("step");
    let Some(last) = steps.last() else { return Vec::new() };
    let names = ["probe", "wall", "bin", "sector", "position", "angle", "contacts", "pressure", "shear_along"];
    let columns: Vec<&[f64]> = names.iter().map(|name| column(name)).collect();
    let friction = column("mobilised_friction");
    let row = |k: usize| {
        let number = |at: usize| columns[at].get(k).copied().unwrap_or(f64::NAN);
        Row {
            probe: number(0) as usize,
            wall: number(1) as usize,
            bin: number(2) as usize,
            sector: number(3) as usize,
            position: number(4),
            angle: number(5),
            contacts: number(6),
            values: [number(7), number(8), friction.get(k).copied().unwrap_or(f64::NAN)],
        }
    };
    (0..steps.len()).filter(|&k| steps[k] == *last).map(row).collect()
}

/// Mean of a value over the rows of a probe that have the same number, in order of numbers; ratios are weighted by contacts.
fn averages(rows: &[Row], probe: usize, value: usize, place: impl Fn(&Row) -> (usize, f64)) -> Vec<[f64; 2]> {
    let mut sums: Vec<(f64, f64, f64)> = Vec::new();
    for row in rows.iter().filter(|row| row.probe == probe) {
        let (number, x) = place(row);
        if sums.len() <= number {
            sums.resize(number + 1, (f64::NAN, 0.0, 0.0));
        }
        let (at, sum, weight) = &mut sums[number];
        let share = if value == 2 { row.contacts } else { 1.0 };
        *at = x;
        if share > 0.0 {
            *sum += share * row.values[value];
            *weight += share;
        }
    }
    sums.into_iter().map(|(x, sum, weight)| [x, sum / weight]).collect()
}
