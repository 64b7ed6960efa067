//! What a wall presses on: the particles that are connected with it through contacts, their stiffness against its
//! displacement, their mass.

use serde::{Deserialize, Serialize};

/// The assembly that a wall presses on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Assembly {
    /// Force per displacement of the wall if every contact followed the mean strain \[N/m\], which no assembly exceeds;
    /// zero if the wall touches nothing.
    pub stiffness: f64,
    /// Mass of the particles connected with the wall \[kg\].
    pub mass: f64,
    /// Mean density of all grains \[kg/m³\].
    pub density: f64,
    /// Distance of the wall to the far side of the farthest of all particles \[m\].
    pub far_side: f64,
}
