//! The spheres of a packing before they are packed, and the space they get.

use dem_core::DVec3;

use super::extent::{Extent, base};
use super::options::{Container, Method, Options};

/// Gravity of depositions \[m/s²\].
pub const GRAVITY: f64 = 9.81;

/// What follows from the options before anything moves.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Volume of all spheres \[m³\].
    pub solid: f64,
    /// Mean diameter \[m\].
    pub diameter: f64,
    /// Density \[kg/m³\].
    pub density: f64,
    /// Pressure that springs and rates are measured by: the imposed one, or the weight per area of the floor \[Pa\].
    pub pressure: f64,
    /// Normal stiffness of linear springs \[N/m\].
    pub stiffness: f64,
    /// Lengths of the region in which the spheres are placed first \[m\].
    pub size: DVec3,
    /// Radius of the largest sphere that the sizes allow \[m\].
    pub largest: f64,
}

impl Layout {
    /// Weight of all spheres \[N\].
    pub fn weight(&self) -> f64 {
        self.solid * self.density * GRAVITY
    }

    /// Area of the floor \[m²\].
    pub fn floor(&self, options: &Options) -> f64 {
        base(options.container, self.size)
    }

    /// Where the spheres are placed first.
    pub fn extent(&self, options: &Options) -> Extent {
        let low = match options.container {
            Container::Cylinder => DVec3::new(-0.5, -0.5, 0.0) * self.size,
            _ => DVec3::ZERO,
        };
        Extent { low, high: low + self.size }
    }

    /// Time in which the pressure moves a sphere by its diameter \[s\].
    pub fn time(&self, options: &Options) -> f64 {
        match options.method {
            Method::Deposition => (self.diameter / GRAVITY).sqrt(),
            _ => self.diameter * (self.density / self.pressure).sqrt(),
        }
    }
}
