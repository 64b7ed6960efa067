//! Why a run could not begin or continue.

use std::path::PathBuf;

use dem_io::document::SceneError;
use dem_io::series::SeriesError;

use crate::checkpoint::format::SavedStateError;
use crate::error::StepError;
use crate::simulation::error::SimulationError;

/// Steps of the limits of overlaps that are proposed, of one.
const LIMITS: f64 = 20.0;

/// Why a run could not begin or continue.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The scene is wrong.
    #[error("{0}")]
    Scene(#[from] SceneError),
    /// A file could not be written or read.
    #[error("{0}")]
    File(#[from] dem_io::Error),
    /// The series could not be written.
    #[error("{0}")]
    Series(#[from] SeriesError),
    /// A picture or plot could not be drawn.
    #[error("{0}")]
    View(#[from] dem_view::ViewError),
    /// The saved state could not be used.
    #[error("{path}: {error}")]
    SavedState {
        /// The checkpoint.
        path: PathBuf,
        /// What is wrong with it.
        error: SavedStateError,
    },
    /// The directory holds something already.
    #[error(
        "{0} exists already: give --force to replace the run in it, --restart latest to continue it, or another --out"
    )]
    DirectoryExists(PathBuf),
    /// The scene asks for what ranks cannot do.
    #[error("{0}: run this scene on one rank")]
    Ranks(String),
    /// A rank has another program or scene.
    #[error(
        "rank {0} reads another scene than rank 0, or is another version of the program: give all ranks the same files"
    )]
    OtherRank(usize),
    /// A rank cannot begin.
    #[error("{0}")]
    Rank(String),
    /// Ranks could not bring the assembly together.
    #[error("the ranks could not bring the assembly together")]
    Scattered,
    /// There is no checkpoint to continue from.
    #[error("{0} holds no checkpoint")]
    NoCheckpoint(PathBuf),
    /// A run was stopped before its first checkpoint.
    #[error("{0} holds no checkpoint: its run was stopped before the first one; give --force to begin it anew")]
    BeforeCheckpoints(PathBuf),
    /// There is no run to continue.
    #[error(
        "{0} is not a directory: --restart continues the run in the directory that --out names; --from instead starts a new run there from a saved state"
    )]
    NoRun(PathBuf),
    /// The frames that a restart would write have other columns than those of the file.
    #[error(
        "{path}: {reason}: set output.contacts, output.orientations and output.total_rotation as before, or move the file away, and the restart creates a new one"
    )]
    OtherColumns {
        /// The snapshots.
        path: PathBuf,
        /// What differs.
        reason: String,
    },
    /// The averages that a restart would write are of other bins than those of the file.
    #[error(
        "{0}: the wall probes differ from those of the checkpoint: set output.wall_probes as before, or move the file away, and the restart creates a new one"
    )]
    OtherProbes(PathBuf),
    /// A restart cannot continue a file of results.
    #[error("{error}; move {path} away, and the restart creates a new one and records what is missing")]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: String,
    },
    /// The simulation failed; what there was has been written.
    #[error("{0}")]
    Simulation(#[from] SimulationError),
    /// The simulation failed, and what there was could not be written.
    #[error("{error}; the state could not be saved: {file}")]
    Unsaved {
        /// Why the simulation failed.
        error: SimulationError,
        /// Why it could not be written.
        file: Box<RunError>,
    },
}

impl RunError {
    /// Whether the simulation itself failed, as opposed to its input or its files.
    pub fn is_simulation_failure(&self) -> bool {
        matches!(self, Self::Simulation(_) | Self::Unsaved { .. })
    }

    /// The value of `limits.overlap` under which a run that an overlap has stopped may continue; none if the overlap is
    /// beyond all use, or another reason stopped it.
    pub fn overlap_to_allow(&self) -> Option<f64> {
        let Self::Simulation(SimulationError::Step(StepError::Overlap { ratio, .. })) = self else { return None };
        let limit = (1.5 * ratio * LIMITS).ceil() / LIMITS;
        (limit <= 1.0).then_some(limit)
    }

    /// Whether the directory of the run is not at its path any more: what is there is another's.
    pub fn is_directory_lost(&self) -> bool {
        matches!(self, Self::File(dem_io::Error::DirectoryLost { .. }))
    }
}
