//! The last equilibrium of a packing, as a run whose directory holds all that other scenes need.

use std::path::Path;

use dem_sim::run::{Ended, Origin, Run, RunBounds};

use super::effort::{Effort, no_end};
use super::options::Method;
use super::preparation::Preparation;
use super::record::Record;
use super::scene_text::{Source, Stage};
use super::search::Found;
use super::spheres::PREPARED;
use crate::error::WorkloadError;

/// Table of the packing.
pub const TABLE: &str = "packing.csv";
/// Scene that is filled from it.
pub const SCENE: &str = "packing.toml";

/// Runs the last equilibrium in an empty directory and describes the packing.
///
/// # Errors
/// A run that fails or does not end, files that cannot be written.
pub fn deliver(
    preparation: &Preparation,
    found: &Found,
    directory: &Path,
    effort: &mut Effort,
) -> Result<Record, WorkloadError> {
    let options = preparation.options;
    let folder = tempfile::tempdir().map_err(dem_io::Error::system("create", Path::new("a temporary folder")))?;
    found.spheres.write(&folder.path().join(PREPARED))?;
    let text = preparation.text(options.friction);
    let source = Source::Table { folder: folder.path(), name: PREPARED, spheres: &found.spheres };
    let loaded = text.load(&source, Stage::Equilibrium)?;
    let mut run = Run::begin(&loaded, directory, &Origin::Scene, false)?;
    let most = if options.method == Method::RandomSequential { 0 } else { effort.max_steps };
    let bounds = RunBounds { step: Some(most), time: None };
    let ended = run.execute(&bounds, effort.interrupted, &mut |_| {})?;
    run.finish(ended)?;
    effort.steps += run.simulation.world.step;
    match ended {
        Ended::Interrupted => return Err(WorkloadError::Interrupted),
        Ended::Bound if most > 0 => return Err(no_end(&run.simulation)),
        _ => {}
    }
    let packed = preparation.spheres(&run.simulation.world, found.spheres.extent);
    packed.write(&directory.join(TABLE))?;
    let source = Source::Table { folder: directory, name: TABLE, spheres: &packed };
    let scene = text.load(&source, Stage::Equilibrium)?;
    let scene = scene.document.resolved().to_string();
    dem_io::atomic::write_atomically(&directory.join(SCENE), scene.as_bytes())?;
    Record::of(preparation, found, &run.simulation, effort.steps)
}
