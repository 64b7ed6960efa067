//! What reports of progress show.

use std::time::Duration;

/// What progress reports show.
#[derive(Clone, Debug, PartialEq)]
pub struct Status {
    /// Step.
    pub step: u64,
    /// Time \[s\].
    pub time: f64,
    /// Stage.
    pub stage: String,
    /// Particles.
    pub particles: usize,
    /// Rigid bodies; their spheres are among the particles.
    pub bodies: usize,
    /// Touching contacts.
    pub contacts: usize,
    /// Kinetic energy \[J\].
    pub kinetic_energy: f64,
    /// Particle-steps per second of wall time since the last report.
    pub rate: f64,
    /// Fraction of the run that is done, if it is known.
    pub done: Option<f64>,
    /// Wall time left at the present pace, if it is known.
    pub remaining: Option<Duration>,
}
