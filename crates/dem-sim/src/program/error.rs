//! What a program may do wrong.

use dem_core::figure::Figure;
use dem_io::document::SceneError;

use crate::error::StepError;
use crate::simulation::error::SimulationError;

/// Why a change was not made. The state is as before, but for [`Self::Simulation`].
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// An action that is none, or that the scene does not allow.
    #[error("{0}")]
    Action(#[from] SceneError),
    /// The simulation cannot go on after it.
    #[error("{0}")]
    Simulation(#[from] SimulationError),
    /// Another number of values than there are particles.
    #[error("expected {expected} rows, one for each particle, got {given}")]
    Length {
        /// Particles.
        expected: usize,
        /// Rows.
        given: usize,
    },
    /// A number that is not finite, or out of range.
    #[error("{what} of row {row} is {value}, expected {allowed}")]
    Value {
        /// Quantity.
        what: &'static str,
        /// Row from 0.
        row: usize,
        /// Its value, the first component that is wrong.
        value: f64,
        /// What is allowed.
        allowed: &'static str,
    },
    /// A sphere of a rigid body takes this from its body.
    #[error("particle {particle} belongs to body {body}, which its {what} follows from")]
    Member {
        /// Id.
        particle: u64,
        /// Id of the body.
        body: u32,
        /// What was to be set.
        what: &'static str,
    },
    /// No particle has this id.
    #[error("no particle has the id {0}")]
    NoParticle(u64),
    /// No wall has this number, or it presses with nothing.
    #[error("wall \"{0}\" presses with nothing: give it a motion with a servo first")]
    NoServo(String),
    /// A new sphere overlaps another one.
    #[error(
        "row {row} and {partner} overlap by {} % of the radius, expected at most {} %",
        Figure::new(100.0 * ratio, 3),
        Figure::new(100.0 * limit, 3)
    )]
    Overlap {
        /// Row from 0.
        row: usize,
        /// What it overlaps.
        partner: Partner,
        /// In proportion to the smaller radius.
        ratio: f64,
        /// Largest admissible ratio.
        limit: f64,
    },
    /// A new sphere is not in the domain.
    #[error("row {row} is at {position:?} m, outside of the domain")]
    Outside {
        /// Row from 0.
        row: usize,
        /// Centre \[m\].
        position: [f64; 3],
    },
    /// Nothing knows about the forces now.
    #[error("the state is in the middle of a step")]
    Unfinished,
}

/// What a new sphere overlaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Partner {
    /// A particle by its id.
    Particle(u64),
    /// Another row.
    Row(usize),
    /// A wall by its name.
    Wall(String),
}

impl std::fmt::Display for Partner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Particle(id) => write!(f, "particle {id}"),
            Self::Row(row) => write!(f, "row {row}"),
            Self::Wall(name) => write!(f, "wall \"{name}\""),
        }
    }
}

impl From<StepError> for ProgramError {
    fn from(error: StepError) -> Self {
        Self::Simulation(error.into())
    }
}
