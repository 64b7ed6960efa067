//! Why a simulation could not continue.

use crate::error::StepError;
use crate::insertion::error::InsertionError;

/// Why a simulation could not continue.
#[derive(Debug, thiserror::Error)]
pub enum SimulationError {
    /// A step failed.
    #[error("{0}")]
    Step(#[from] StepError),
    /// Pouring failed.
    #[error("source \"{source_name}\": {error}")]
    Pouring {
        /// Name of the source.
        source_name: String,
        /// What failed.
        error: InsertionError,
    },
    /// A wall that a stage brings in cuts spheres; it is not there yet.
    #[error(
        "stage \"{stage}\": the wall \"{wall}\" is not put in place: particle {particle} {what}; max_overlap of the wall allows it, and the energy is booked as exchanged"
    )]
    WallCutsSpheres {
        /// Name of the stage.
        stage: String,
        /// Name of the wall.
        wall: String,
        /// Id of the sphere that it cuts deepest.
        particle: u64,
        /// How deep.
        what: String,
    },
    /// A law refused parameters that were set by a stage.
    #[error("contact parameters of stage \"{stage}\": {message}")]
    Contact {
        /// Name of the stage.
        stage: String,
        /// What is wrong.
        message: String,
    },
}
