//! Time integrators. Adding one is one file and one line in [`INTEGRATORS`].

mod velocity_verlet;

pub use velocity_verlet::VelocityVerlet;

use crate::error::StepError;
use crate::forces::ForceEvaluation;
use crate::world::World;

/// Advances a world by one step.
///
/// An integrator moves particles, may evaluate forces for as many trial states as it needs, and commits exactly once, when it
/// accepts the step. It sets `previous_position` and `rotation_increment` of every particle, from which contact laws take
/// displacements; positions at the start of a step are inside the periodic cell.
pub trait Integrator: Send {
    /// Name in scenes.
    fn key(&self) -> &'static str;

    /// Advances particles from `world.time` by `world.time_step`; walls have already moved. Does not touch time and step.
    ///
    /// # Errors
    /// What the evaluation of forces returns.
    fn advance(&mut self, world: &mut World, forces: &mut ForceEvaluation) -> Result<(), StepError>;
}

/// An integrator of the registry.
pub struct Entry {
    /// Name in scenes.
    pub key: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// Builds it.
    pub build: fn() -> Box<dyn Integrator>,
}

/// All integrators, the default first.
pub const INTEGRATORS: &[Entry] =
    &[Entry { key: VelocityVerlet::KEY, summary: VelocityVerlet::SUMMARY, build: || Box::new(VelocityVerlet) }];

/// Integrator of a name.
pub fn find(key: &str) -> Option<&'static Entry> {
    INTEGRATORS.iter().find(|entry| entry.key == key)
}
