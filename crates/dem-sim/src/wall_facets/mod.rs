//! Load and wear of the facets of meshes, as far as they are known without a world: laws of wear, and what is summed.
//!
//! `wall_probes/facet_loads.rs` adds the contacts of a step, frames of the snapshots hold what was summed.

pub(crate) mod records;
pub(crate) mod wear;

pub use records::{FacetContact, FacetRecord, SavedFacets, WallFacets, WallRecords};
pub use wear::{Impact, Wear};
