//! The state that a run begins from.

use std::path::{Path, PathBuf};

use dem_io::checkpoint::CheckpointReader;
use dem_io::checkpoint_folder;

use super::error::RunError;
use super::own_files::CHECKPOINTS;
use crate::builder::loaded_scene::LoadedScene;
use crate::builder::{self, simulation};
use crate::checkpoint;
use crate::checkpoint::branch::Branched;
use crate::checkpoint::format::SavedStateError;
use crate::simulation::components::Simulation;

/// Where the particles come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// From the scene.
    Scene,
    /// From a saved state, as a new branch.
    Branch(PathBuf),
}

/// What a run of a scene begins with, and what became of the saved state if it branches from one.
///
/// # Errors
/// A scene that cannot be built, a saved state that cannot be used.
pub fn first_state(loaded: &LoadedScene, origin: &Origin) -> Result<(Simulation, Option<Branched>), RunError> {
    match origin {
        Origin::Scene => {
            let mut simulation = builder::build(loaded)?;
            simulation.initialise()?;
            Ok((simulation, None))
        }
        Origin::Branch(path) => {
            let path = state_path(path)?;
            let mut simulation = builder::build_empty(loaded)?;
            let branched = open_state(&path)
                .and_then(|reader| checkpoint::branch(&mut simulation, loaded, &reader))
                .map_err(|error| RunError::SavedState { path, error })?;
            simulation::check_walls(loaded, &simulation)?;
            Ok((simulation, Some(branched)))
        }
    }
}

/// A checkpoint named directly, or the latest of a run directory.
///
/// # Errors
/// A directory that holds none, or cannot be read.
pub fn state_path(path: &Path) -> Result<PathBuf, RunError> {
    if !path.is_dir() {
        return Ok(path.to_path_buf());
    }
    let folder = path.join(CHECKPOINTS);
    let folder = if folder.is_dir() { folder } else { path.to_path_buf() };
    Ok(checkpoint_folder::latest(&folder)?.ok_or_else(|| RunError::NoCheckpoint(path.to_path_buf()))?.1)
}

pub(super) fn open_state(path: &Path) -> Result<CheckpointReader, SavedStateError> {
    Ok(CheckpointReader::open(path)?)
}
