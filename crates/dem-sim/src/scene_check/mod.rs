//! What can be said about a scene before it runs.

pub(crate) mod clump_facts;
pub(crate) mod contact_facts;
pub(crate) mod load_overlap;
pub(crate) mod plausibility;
pub(crate) mod stage_bounds;

pub use clump_facts::{ClumpFacts, clump_facts};
pub use contact_facts::{contact_facts, real_contact_facts};
pub use load_overlap::{HeldImpact, LoadOverlap, deepest_held_impact, deepest_under_load};
pub use plausibility::{doubts, draws};
pub use stage_bounds::bounds_of_stages;
