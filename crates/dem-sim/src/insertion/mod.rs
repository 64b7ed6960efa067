//! Centres and radii of new spheres, the same bits from the same seed on every platform.
//!
//! Three ways to fill a [`Region`] with spheres, or rigid [bodies](BodySource), of a [`SizeDistribution`]: a [`lattice`], random
//! [`sequential_addition`], and [`pouring`] at a rate while a run proceeds. All of them place spheres clear of what
//! [`Occupied`] holds (spheres already there, periodic images, walls) and none of them knows contact laws or scenes.
//!
//! Reproducibility: every random number comes from the caller's
//! [`rand_pcg::Pcg64Mcg`] through the integer-to-float conversion of this module;
//! transcendental functions come from `libm`, never from the system; everything runs on
//! one thread.

pub(crate) mod addition_settings;
pub mod body_addition;
pub(crate) mod body_source;
pub(crate) mod error;
pub(crate) mod frustum;
pub(crate) mod interval;
pub mod lattice;
pub(crate) mod normal_probability;
pub mod obstacles;
pub(crate) mod orientations;
pub(crate) mod periodic_lengths;
pub mod pouring;
pub(crate) mod pouring_source;
pub(crate) mod random_stream;
pub mod region;
pub(crate) mod relaxation;
pub(crate) mod sequence;
pub mod sequential_addition;
pub mod size_distribution;
pub(crate) mod sphere;
pub(crate) mod uniform;
pub(crate) mod voxel_list;
pub(crate) mod wetness;

#[cfg(test)]
mod tests;

pub use addition_settings::{AdditionTarget, SectionPlane, SequentialAddition};
pub use body_addition::add_bodies;
pub use body_source::{BodySource, NewGrain};
pub use error::InsertionError;
pub use lattice::{Lattice, LatticeKind, fill_lattice};
pub use obstacles::Occupied;
pub use orientations::{OrientationLaw, Orientations};
pub use periodic_lengths::PeriodicLengths;
pub use pouring::{Pouring, PouringLimit, PouringRate, PouringSettings, PouringState};
pub use region::Region;
pub use sequential_addition::{AddedSpheres, add_sequentially};
pub use size_distribution::{SizeDistribution, WeightedBy};
pub use sphere::{MAXIMUM_SPHERES, NewSphere};
