//! The world, and queries about all of it.
//!
//! [`world`] is what a checkpoint saves, [`clock`] its time, [`provenance`] where its particles come from,
//! `contact_parameters` laws and materials, `measured_region` parts of space, [`mixing_grid`] sample cells, [`material_flow`] what has left of a material, [`liquid`] what films and bridges hold. `sums`, `contacts` and `energy` sum over
//! particles and contacts, of all parts of an assembly through [`whole`]. `other_loads` is what acts in addition to
//! contacts, `insertion` and `wall_overlaps` what comes in.

pub mod clock;
pub(crate) mod contact_parameters;
pub(crate) mod contacts;
pub(crate) mod energy;
pub(crate) mod insertion;
pub(crate) mod instants;
pub mod liquid;
pub mod liquid_books;
pub mod material_flow;
pub(crate) mod measured_region;
pub mod mixing_grid;
pub(crate) mod movers;
pub(crate) mod other_loads;
pub mod provenance;
pub(crate) mod sums;
pub(crate) mod wall_overlaps;
pub mod whole;
pub mod world;
