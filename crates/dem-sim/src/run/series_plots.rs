//! The plots that a run draws by itself: those of what happens in it, then energies and coordination.

use std::path::{Path, PathBuf};

use dem_io::atomic;
use dem_view::{AxisScale, DEFAULT_RESOLUTION, FigureSize, LinePlot, draw_png};

use super::error::RunError;
use super::series_curves::{SeriesCurves, over_time, shows};
use super::{drive_plots, flow_plots, profile_plots, strain_plots};
use crate::builder;

/// Draws the [plots](series_figures) of a run directory.
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
        let size = FigureSize::for_panels(panels.len());
        let image = draw_png(&panels, size, DEFAULT_RESOLUTION)?.encode_png()?;
        atomic::write_atomically(&path, &image)?;
        written.push(path);
    }
    Ok(written)
}

/// Names and panels of the plots of a run directory; what has nothing to show is left out: `flow` where particles leave the domain,
/// `strain` of a cell that deforms or of pistons, `drives` of driven walls, `mixing` of materials, `energy`, `coordination`, and `profiles` of
/// wall probes.
///
/// # Errors
/// A series that cannot be read.
pub fn series_figures(directory: &Path) -> Result<Vec<(&'static str, Vec<LinePlot>)>, RunError> {
    let curves = SeriesCurves::read(directory)?;
    let scene = builder::load_scene(&directory.join("scene.resolved.toml"), &[]).ok().map(|loaded| loaded.scene);
    let line = |name: &str, label: &str| curves.line(name, label);
    let energy = vec![
        over_time(
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
        over_time(
            "Kinetic energy",
            "energy [J]",
            AxisScale::Logarithmic,
            vec![line("kinetic_translation", "translation"), line("kinetic_rotation", "rotation")],
        ),
    ];
    let coordination = vec![
        over_time(
            "Coordination",
            "coordination number [-]",
            AxisScale::Linear,
            vec![line("coordination", "all"), line("coordination_without_rattlers", "without rattlers")],
        ),
        over_time(
            "Particles",
            "number [-]",
            AxisScale::Linear,
            vec![line("particles", "present"), line("rattlers", "rattlers")],
        ),
    ];
    let figures = [
        ("flow", flow_plots::flow(&curves)),
        ("strain", strain_plots::panels(&curves, directory)),
        ("drives", drive_plots::panels(&curves, scene.as_ref())),
        ("mixing", flow_plots::mixing(&curves)),
        ("energy", energy),
        ("coordination", coordination),
        ("profiles", profile_plots::panels(directory)?),
    ];
    let drawable = figures.into_iter().map(|(name, panels)| {
        let panels: Vec<LinePlot> = panels.into_iter().filter(shows).collect();
        (name, panels)
    });
    Ok(drawable.filter(|(_, panels)| !panels.is_empty()).collect())
}
