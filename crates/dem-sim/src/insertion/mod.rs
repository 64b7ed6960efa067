//! Centres and radii of new spheres, the same bits from the same seed on every platform.
//!
//! Three ways to fill a [`Region`] with spheres of a [`SizeDistribution`]: a
//! [`lattice`], random [`sequential_addition`], and [`pouring`] at a rate while a run
//! goes on. All of them place spheres clear of what [`Occupied`] holds (spheres already
//! there, periodic images, walls) and none of them knows contact laws or scenes.
//!
//! Reproducibility: every random number comes from the caller's
//! [`rand_pcg::Pcg64Mcg`] through the integer-to-float conversion of this module;
//! transcendental functions come from `libm`, never from the system; everything runs on
//! one thread.

mod error;
mod frustum;
pub mod lattice;
mod normal_probability;
pub mod obstacles;
mod periodic_lengths;
pub mod pouring;
pub mod region;
mod relaxation;
mod sequence;
pub mod sequential_addition;
pub mod size_distribution;
mod uniform;
mod voxel_list;

#[cfg(test)]
mod tests;

pub use error::InsertionError;
pub use lattice::{Lattice, LatticeKind, fill_lattice};
pub use obstacles::Occupied;
pub use periodic_lengths::PeriodicLengths;
pub use pouring::{Pouring, PouringLimit, PouringRate, PouringSettings, PouringState};
pub use region::Region;
pub use sequential_addition::{AddedSpheres, AdditionTarget, SectionPlane, SequentialAddition, add_sequentially};
pub use size_distribution::{SizeDistribution, WeightedBy};

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

/// Share of a length by which rounding of coordinates may make touching look like
/// overlapping: a first layer flush with a floor must count as clear of it. The
/// repulsion of an overlap this small is far below the weight of the sphere.
pub(crate) const ROUNDING: f64 = 1e-10;
