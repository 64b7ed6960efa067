//! What has left the domain of one material.

use serde::{Deserialize, Serialize};

/// Particles of a material that left through open faces of the domain, for a series that follows the material.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MaterialFlow {
    /// The material.
    pub material: u16,
    /// Particles so far, a rigid body counted as one.
    pub particles: u64,
    /// Their mass \[kg\].
    pub mass: f64,
}
