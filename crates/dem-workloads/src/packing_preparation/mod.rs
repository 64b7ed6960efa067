//! Packings of spheres prepared to a packing fraction or a pressure, for use in other scenes.
//!
//! | method | preparation | then |
//! |---|---|---|
//! | `random-sequential` | spheres placed one after the other where there is room | nothing: they do not touch |
//! | `deposition` | a dilute column falls onto a floor and comes to rest | rest under gravity |
//! | `growth` | radii grow in a periodic cell or a container until the stress is reached, the packing is scaled back to the radii asked for | equilibrium at the pressure |
//! | `compression` | a dilute periodic cell is compressed until its mean stress is reached | equilibrium at the pressure |
//!
//! Preparation runs with a friction of its own, which decides how dense the packing becomes. Afterwards the spheres are
//! put into a new scene with the final friction, at rest and without contact histories, and brought to equilibrium again. Where a packing
//! fraction is asked for, the friction of preparation is searched by bisection. Every step is one of the engine, in scenes of its own
//! format. A preparation that was interrupted goes on where it was, but for the last equilibrium, which is repeated.

mod confinement;
mod course;
mod delivery;
mod dimensioning;
mod effort;
mod equilibrium;
mod extent;
mod growth;
mod layout;
mod options;
mod phase;
mod preparation;
mod record;
mod scene_text;
mod search;
mod spheres;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use dem_report::ReportError;
use dem_report::output_directory::{OutputDirectory, UNFINISHED_PACKING};
use dem_report::unfinished::{self, Unfinished};
use dem_sim::run::{RunError, own_files};

pub use options::{Container, METHODS, Method, Options, Start};
pub use record::Record;
pub use search::Trial;

use crate::error::WorkloadError;
use delivery::deliver;
use dimensioning::lay_out;
use effort::Effort;
use preparation::Preparation;

/// Who owns the directory of a packing.
const COMMAND: &str = "dem pack";

/// Prepares a packing and writes it into a directory, which becomes a run directory with `packing.csv`, `packing.toml` and `packing.json`
/// beside the files of the last run. `report` hears what goes on.
///
/// Until there is a packing, the directory holds nothing new but a folder of what is done so far. The same call goes on from it with the same
/// bits; phases that a call with other options has in common are not done again. It goes when the packing is there, or when no packing can be.
///
/// # Errors
/// Options out of range, a directory in use, a preparation that finds no equilibrium within the steps allowed, an interruption. Nothing is
/// replaced before there is a packing. Where a packing fraction is out of reach, or the search does not come to it, the nearest
/// packing is written and its record says what it falls short of.
pub fn prepare_packing(
    options: &Options,
    directory: &Path,
    force: bool,
    interrupted: &AtomicBool,
    report: &mut dyn FnMut(&str),
) -> Result<Record, WorkloadError> {
    options.check()?;
    let own = OutputDirectory::resuming(directory, COMMAND, force, UNFINISHED_PACKING)?;
    let prepared = prepare(options, &own, force, interrupted, report);
    if let Err(error) = &prepared
        && !can_go_on(error)
    {
        unfinished::remove(directory, UNFINISHED_PACKING)?;
    }
    prepared
}

fn prepare(
    options: &Options,
    own: &OutputDirectory,
    force: bool,
    interrupted: &AtomicBool,
    report: &mut dyn FnMut(&str),
) -> Result<Record, WorkloadError> {
    let started = Instant::now();
    let unfinished = Unfinished::beside(own.path(), UNFINISHED_PACKING, dem_sim::machine::engine())?;
    unfinished.remove_strays()?;
    let mut effort = Effort::new(options.max_steps, interrupted, report, &unfinished);
    let layout = lay_out(options)?;
    let preparation = Preparation { options, layout: &layout };
    let found = search::choose_friction(&preparation, &mut effort)?;
    let new = own.begin()?;
    let mut record = deliver(&preparation, &found, &new.folder(), &mut effort)?;
    record.wall_seconds = started.elapsed().as_secs_f64() + effort.earlier_seconds;
    record.write(&new.folder())?;
    // packings of earlier versions are not all in their note
    let mut earlier = if force { own_files(own.path()).map_err(RunError::from)? } else { Vec::new() };
    earlier.extend(unfinished.names()?);
    own.put_in_place(new, earlier)?;
    Ok(record)
}

/// Whether what is done so far is of use after an error: with more time, more steps or more room on the disk.
fn can_go_on(error: &WorkloadError) -> bool {
    match error {
        WorkloadError::Interrupted | WorkloadError::Convergence { .. } | WorkloadError::File(_) => true,
        WorkloadError::Report(error) => matches!(error, ReportError::File(_)),
        WorkloadError::Run(error) => !error.is_simulation_failure(),
        _ => false,
    }
}
