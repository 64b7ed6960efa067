//! The world and all that it is made of.

pub mod clock;
pub(crate) mod contact_parameters;
pub(crate) mod contacts;
pub(crate) mod energy;
pub(crate) mod insertion;
pub(crate) mod instants;
pub(crate) mod measured_region;
pub(crate) mod other_loads;
pub mod provenance;
pub(crate) mod sums;
pub(crate) mod wall_overlaps;
pub mod whole;
pub mod world;
