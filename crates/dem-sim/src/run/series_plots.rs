//! Plots of series.

use std::path::{Path, PathBuf};

use dem_io::atomic;
use dem_io::series::Series as SeriesTable;
use dem_view::{AxisScale, FigureSize, LinePlot, Series, draw_png};

use super::error::RunError;

/// Draws `energy.png` and `coordination.png` from the series of a run directory, and `profiles.png` if it has wall probes.
///
/// # Errors
/// A series that cannot be read, plots that cannot be written.
pub fn plot_series(directory: &Path) -> Result<Vec<PathBuf>, RunError> {
    plot_series_of(directory, false)
}

/// The same, or those of the plots that are missing.
pub(super) fn plot_series_of(directory: &Path, only_missing: bool) -> Result<Vec<PathBuf>, RunError> {
    let mut written = Vec::new();
    for (name, panels) in series_figures(directory)? {
        let path = directory.join(format!("{name}.png"));
        if only_missing && path.exists() {
            continue;
        }
        let image = draw_png(&panels, FigureSize::for_panels(panels.len()))?.encode_png()?;
        atomic::write_atomically(&path, &image)?;
        written.push(path);
    }
    Ok(written)
}

/// Names and panels of the plots of the series of a run directory; what has nothing to show is left out.
///
/// # Errors
/// A series that cannot be read.
pub fn series_figures(directory: &Path) -> Result<Vec<(&'static str, Vec<LinePlot>)>, RunError> {
    let table = SeriesTable::read(directory.join("series.csv"))?;
    let time = table.column("time").unwrap_or_default();
    let line = |name: &str, label: &str| Series {
        label: label.to_owned(),
        // what a diverged run leaves behind interrupts the line
        points: time
            .iter()
            .zip(table.column(name).unwrap_or_default())
            .map(|(&t, &y)| [t, if y.abs() < 1e300 { y } else { f64::NAN }])
            .collect(),
        ..Series::default()
    };
    let panel = |title: &str, y_label: &str, y_scale, series| LinePlot {
        title: title.to_owned(),
        x_label: "time [s]".to_owned(),
        y_label: y_label.to_owned(),
        y_scale,
        series,
        ..LinePlot::default()
    };
    let energy = [
        panel(
            "Energy",
            "energy [J]",
            AxisScale::Linear,
            vec![
                line("kinetic_energy", "kinetic"),
                line("gravity_energy", "gravity"),
                line("friction_work", "friction"),
                line("viscous_work", "damping"),
                line("exchanged_energy", "brought in"),
            ],
        ),
        panel(
            "Kinetic energy",
            "energy [J]",
            AxisScale::Logarithmic,
            vec![line("kinetic_translation", "translation"), line("kinetic_rotation", "rotation")],
        ),
    ];
    let coordination = [
        panel(
            "Coordination",
            "coordination number [-]",
            AxisScale::Linear,
            vec![line("coordination", "all"), line("coordination_without_rattlers", "without rattlers")],
        ),
        panel(
            "Particles",
            "number [-]",
            AxisScale::Linear,
            vec![line("particles", "present"), line("rattlers", "rattlers")],
        ),
    ];
    let mut figures = Vec::new();
    let profiles = crate::run::profile_plots::panels(directory)?;
    for (name, panels) in [("energy", energy.to_vec()), ("coordination", coordination.to_vec()), ("profiles", profiles)]
    {
        // a series that is zero throughout leaves nothing on a logarithmic axis
        let shows = |panel: &LinePlot, y: f64| y.is_finite() && (panel.y_scale == AxisScale::Linear || y > 0.0);
        let drawable: Vec<LinePlot> = panels
            .into_iter()
            .filter(|panel| panel.series.iter().any(|s| s.points.iter().any(|p| shows(panel, p[1]))))
            .collect();
        if !drawable.is_empty() {
            figures.push((name, drawable));
        }
    }
    Ok(figures)
}
