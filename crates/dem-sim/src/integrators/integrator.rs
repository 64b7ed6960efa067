//! What a time integrator is.

use dem_contact::time_step::Fractions;

use crate::error::StepError;
use crate::forces::components::ForceEvaluation;
use crate::state::world::World;

/// Advances a world by one step.
///
/// An integrator moves particles, may evaluate forces for as many trial states as it needs, and commits exactly once for each part of the
/// step that it accepts; all but implicit ones take the step in one part. It sets `previous_position` and `rotation_increment` of every
/// particle, from which contact laws take displacements; positions at the start of a step are inside the periodic cell.
pub trait Integrator: Send + Sync {
    /// Name in scenes.
    fn key(&self) -> &'static str;

    /// Advances particles from `world.time` by `world.time_step`; walls have already moved. Time may be left at that of any part of the
    /// step, and is set to its end by the caller.
    ///
    /// # Errors
    /// What the evaluation of forces returns, and an iteration that does not converge.
    fn advance(&mut self, world: &mut World, forces: &mut ForceEvaluation) -> Result<(), StepError>;

    /// How long an automatic step is, in proportion to what contacts admit.
    fn fractions(&self) -> Fractions {
        Fractions::default()
    }

    /// Whether it moves all particles at once, so that others may move theirs at the same time.
    fn acts_in_parallel(&self) -> bool {
        true
    }

    /// What an iterating integrator has done since it was built.
    fn iterations(&self) -> Option<Iterations> {
        None
    }
}

/// Work of an iterating integrator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Iterations {
    /// Steps, or parts of steps, that were accepted.
    pub parts: u64,
    /// Iterations, those that led to nothing included.
    pub iterations: u64,
    /// Times that a step or a part of it was halved.
    pub halvings: u64,
}

impl Iterations {
    /// Mean number of iterations per part.
    pub fn mean(&self) -> f64 {
        self.iterations as f64 / self.parts.max(1) as f64
    }
}
