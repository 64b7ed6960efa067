//! The angle of a free surface: angle of repose of a heap or of what a hopper keeps, dynamic angle in a drum.
//!
//! The surface is cut into slices, sectors about the axis of a heap or strips along that of a drum, and these into cells two diameters wide.
//! The height of a cell is the highest point of its particles, of which only those count that touch at least two others if contacts are
//! known, because grains in flight are no surface; a rigid body touches what its spheres touch. Cells of a sector grow with the distance from the axis, and the highest of many particles is higher than
//! that of few: they are cut into parts of about equal area, whose heights are averaged. A straight line through the cells of the middle of every slice, averaged over the frames,
//! gives one angle for each slice; their scatter tells how well the mean is known.

mod options;
mod outcome;
mod relief;

#[cfg(test)]
mod tests;

use dem_report::report::Report;

use crate::ensemble::{Quantity, is_ensemble, over_members};
use crate::error::AnalysisError;
use crate::profile::source::Source;
use relief::Relief;

pub use options::{Kind, Options};

/// Measures the surface of a run, or those of an ensemble against its parameters.
///
/// # Errors
/// Snapshots that cannot be read, a drum without an axis, a surface that is too small for a line.
pub fn run(options: &Options) -> Result<Report, AnalysisError> {
    if is_ensemble(&options.run) {
        let quantity = Quantity {
            names: ["surface", "surface_members"],
            title: "inclination of the surface",
            unit: "deg",
            column: "angle_deg",
        };
        return over_members(&options.run, &quantity, |member| {
            let own = Options { run: member.to_path_buf(), ..options.clone() };
            let (_, angle) = outcome::angle(&own, &reliefs(&own)?)?;
            Ok([angle.angle.abs(), angle.half_width])
        });
    }
    outcome::report(options, &reliefs(options)?)
}

fn reliefs(options: &Options) -> Result<Vec<Relief>, AnalysisError> {
    let source = Source::open(&options.run)?;
    let frames = source.frames(options.frame, options.window)?;
    frames.iter().map(|&frame| Relief::of(&source.assembly(frame)?, options.kind)).collect()
}
