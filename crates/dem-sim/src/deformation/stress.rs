//! Sums over contacts and particles that make the stress of a periodic cell. They are needed after every step.

use dem_core::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

/// Stress times volume \[J\].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StressSums {
    /// Symmetric part of `Σ f ⊗ l` over contacts, f the force on the first body and l the vector from its centre of
    /// mass to that of the second, or to the contact point on a wall.
    pub contacts: DMat3,
    /// `Σ m v ⊗ v` over spheres and bodies, of peculiar velocities.
    pub motion: DMat3,
}

/// `a ⊗ b`, row by a, column by b.
pub fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// The symmetric part.
pub fn symmetric(m: DMat3) -> DMat3 {
    (m + m.transpose()) * 0.5
}

/// `a : b`
pub fn contraction(a: DMat3, b: DMat3) -> f64 {
    a.x_axis.dot(b.x_axis) + a.y_axis.dot(b.y_axis) + a.z_axis.dot(b.z_axis)
}

impl StressSums {
    /// No stress.
    pub const ZERO: Self = Self { contacts: DMat3::ZERO, motion: DMat3::ZERO };

    /// Stress of contacts and motion, symmetric part, in a volume \[m³\], positive in tension \[Pa\].
    pub fn stress(&self, volume: f64) -> DMat3 {
        (self.contacts - self.motion) * (1.0 / volume)
    }
}
