//! A sphere to be inserted, and the limits that all ways of insertion share.

use glam::DVec3;

/// A sphere to be put into the simulation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NewSphere {
    /// Centre `[m]`.
    pub centre: DVec3,
    /// Radius `[m]`.
    pub radius: f64,
}

/// Largest number of spheres one call generates; more is refused before anything is
/// allocated.
pub const MAXIMUM_SPHERES: usize = 20_000_000;

/// Fraction of a length by which rounding of coordinates may make touching look like overlapping: a first layer flush
/// with a floor must count as clear of it. The repulsion of an overlap this small is far below the weight of the
/// sphere.
pub(crate) const ROUNDING: f64 = 1e-10;
