//! The order of the pass over all contacts, and which thread computes what.

pub(crate) mod first_reads;
pub mod pass_over_contacts;
pub(crate) mod prefetch;
pub mod schedule;
pub(crate) mod segment_at_work;
pub(crate) mod turn;

pub use pass_over_contacts::{SweepMemory, evaluate};
