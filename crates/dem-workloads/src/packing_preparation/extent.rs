//! The space that spheres are in.

use dem_core::DVec3;
use serde::{Deserialize, Serialize};

use super::options::Container;

/// Corners of a container, or of the box around it if it is a cylinder, or of a periodic cell.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Extent {
    /// Lower corner \[m\].
    pub low: DVec3,
    /// Upper corner \[m\].
    pub high: DVec3,
}

impl Extent {
    /// Lengths \[m\].
    pub fn size(self) -> DVec3 {
        self.high - self.low
    }

    /// All lengths multiplied by a factor.
    pub fn scaled(self, factor: f64) -> Self {
        Self { low: self.low * factor, high: self.high * factor }
    }

    /// Volume of a container that fits into it \[m³\].
    pub fn volume(self, container: Container) -> f64 {
        base(container, self.size()) * self.size().z
    }
}

/// Area of the floor of a container with these lengths \[m²\].
pub fn base(container: Container, size: DVec3) -> f64 {
    let square = size.x * size.y;
    if container == Container::Cylinder { std::f64::consts::FRAC_PI_4 * square } else { square }
}
