//! Sources that pour during a run.

use dem_core::DVec3;

use super::pouring::Pouring;

/// What the particles of a source have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Kind {
    /// Index of the material.
    pub material: u16,
    /// Density \[kg/m³\].
    pub density: f64,
    /// Groups as a bit mask.
    pub group: u32,
    /// Frozen degrees of freedom.
    pub frozen: u8,
    /// Initial velocity \[m/s\].
    pub velocity: DVec3,
    /// Initial angular velocity \[rad/s\].
    pub angular_velocity: DVec3,
}

/// A source that pours during the run.
#[derive(Clone, Debug)]
pub struct PouringSource {
    /// Name.
    pub name: String,
    /// What its particles have in common.
    pub kind: Kind,
    /// Rate, region, sizes and how far it has come.
    pub pouring: Pouring,
    /// Whether it pours now.
    pub active: bool,
    /// Corners of its region \[m\].
    pub bounds: (DVec3, DVec3),
    /// Smallest radius \[m\].
    pub smallest: f64,
    /// Largest radius \[m\].
    pub largest: f64,
}

impl PouringSource {
    /// Whether some of the requested particles are missing, and it finds no place for them.
    pub fn lacks_room(&self) -> bool {
        self.active && self.pouring.settings().limit.is_some() && self.pouring.is_blocked()
    }
}
