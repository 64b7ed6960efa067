//! What the study finds out.

use dem_core::DMat3;

use super::turns::{Axis, Choice};

/// What one turn left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// How contacts were described.
    pub choice: Choice,
    /// About what it turned.
    pub axis: Axis,
    /// In how many steps.
    pub increments: u64,
    /// Stress in the frame of the start, positive in tension \[Pa\].
    pub stress: DMat3,
    /// Norm of the change over norm of the stress before \[-\].
    pub error: f64,
}

/// Everything that was found out.
pub struct Results {
    /// Spheres.
    pub particles: usize,
    /// Rigid bodies that they are members of.
    pub bodies: usize,
    /// Deviator over mean stress \[-\].
    pub q_over_p: f64,
    /// Mean overlap of a contact over the mean diameter \[-\].
    pub overlap: f64,
    /// Stress before, positive in tension \[Pa\].
    pub before: DMat3,
    /// All turns.
    pub outcomes: Vec<Outcome>,
}
