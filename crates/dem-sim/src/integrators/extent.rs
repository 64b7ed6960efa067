//! What a pass over particles finds out.

use crate::forces::components::ForceEvaluation;

/// What a pass over all particles did.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    /// Square of the length of the longest move \[m²\].
    pub longest_squared: f64,
    /// Whether all positions and velocities are finite.
    pub finite: bool,
}

impl Extent {
    /// Nothing moved.
    pub const NOTHING: Self = Self { longest_squared: 0.0, finite: true };

    /// Length of the longest move \[m\].
    pub fn longest(self) -> f64 {
        self.longest_squared.sqrt()
    }

    /// Both passes, for particles that either has moved, each once.
    pub fn and(self, other: Self) -> Self {
        Self { longest_squared: self.longest_squared.max(other.longest_squared), finite: self.finite && other.finite }
    }

    /// Tells the force evaluation what was done since or after it.
    pub fn tell(self, forces: &mut ForceEvaluation) {
        forces.bound_displacement(self.longest());
        forces.is_finite &= self.finite;
    }
}
