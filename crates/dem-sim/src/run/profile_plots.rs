//! Plots of the averages of wall probes.

use std::path::Path;

use dem_io::series::Series as SeriesTable;
use dem_view::{LinePlot, Series};

use super::error::RunError;
use crate::builder;
use crate::wall_probes::row::ProbeRow;

/// Most lines of a panel.
const MOST_LINES: usize = 16;

/// Panels of the last averages in `profiles.csv` of a run directory; none without the file or a row.
///
/// # Errors
/// A file that cannot be read.
pub(super) fn panels(directory: &Path) -> Result<Vec<LinePlot>, RunError> {
    let path = directory.join("profiles.csv");
    if !path.exists() {
        return Ok(Vec::new());
    }
    let rows = ProbeRow::last_of(&SeriesTable::read(path)?).unwrap_or_default();
    let probes: Vec<f64> = rows.iter().filter(|row| row.bin + row.sector == 0.0).map(|row| row.probe).collect();
    if probes.is_empty() {
        return Ok(Vec::new());
    }
    let names = builder::load_scene(&directory.join("scene.resolved.toml"), &[])
        .map(|loaded| loaded.scene.walls.into_iter().map(|wall| wall.name).collect::<Vec<_>>())
        .unwrap_or_default();
    let label = |probe: f64| {
        let wall = rows.iter().find(|row| row.probe == probe).map_or(0, |row| row.wall as usize);
        format!("{} ({probe})", names.get(wall).map_or("wall", String::as_str))
    };
    let panel = |x_label: &str, y_label: &str, series: Vec<Series>| LinePlot {
        x_label: x_label.to_owned(),
        y_label: y_label.to_owned(),
        series,
        ..LinePlot::default()
    };
    let over_position = |value: fn(&ProbeRow) -> [f64; 2]| {
        let series = probes.iter().take(MOST_LINES).map(|&probe| Series {
            label: label(probe),
            points: averages(&rows, probe, value, |row| (row.bin, row.position)),
            ..Series::default()
        });
        series.collect::<Vec<_>>()
    };
    let mut panels = vec![
        panel("position [m]", "pressure [Pa]", over_position(pressure)),
        panel("position [m]", "shear along [Pa]", over_position(|row| [row.shear_along, 1.0])),
        panel("position [m]", "mobilised friction [-]", over_position(|row| [row.mobilised_friction, row.contacts])),
    ];
    let is_cut = |probe: &&f64| rows.iter().any(|row| row.probe == **probe && row.sector > 0.0);
    let around: Vec<Series> = probes
        .iter()
        .filter(is_cut)
        .take(MOST_LINES)
        .map(|&probe| Series {
            label: label(probe),
            points: averages(&rows, probe, pressure, |row| (row.sector, row.angle.to_degrees())),
            ..Series::default()
        })
        .collect();
    if !around.is_empty() {
        panels.push(panel("angle [deg]", "pressure [Pa]", around));
    }
    Ok(panels)
}

fn pressure(row: &ProbeRow) -> [f64; 2] {
    [row.pressure, 1.0]
}

/// Mean of a value, given with its weight, over the rows of a probe that have the same number, in order of numbers.
fn averages(
    rows: &[ProbeRow],
    probe: f64,
    value: fn(&ProbeRow) -> [f64; 2],
    place: impl Fn(&ProbeRow) -> (f64, f64),
) -> Vec<[f64; 2]> {
    let mut sums: Vec<(f64, f64, f64)> = Vec::new();
    for row in rows.iter().filter(|row| row.probe == probe) {
        let (number, x) = place(row);
        let number = number as usize;
        if sums.len() <= number {
            sums.resize(number + 1, (f64::NAN, 0.0, 0.0));
        }
        let (at, sum, all) = &mut sums[number];
        let [value, weight] = value(row);
        *at = x;
        if weight > 0.0 {
            *sum += weight * value;
            *all += weight;
        }
    }
    sums.into_iter().map(|(x, sum, weight)| [x, sum / weight]).collect()
}
