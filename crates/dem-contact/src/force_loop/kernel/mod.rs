//! The contact kernel: calls a law for the near candidates of a chunk, and keeps the histories.
//!
//! `force_kernel` is the interface for the time stepper, `law_kernel` runs a law over its segments of the contact list;
//! `chunk` is the loop, and the only code that is compiled for the type of a law (`law_table`).

pub(crate) mod bridges;
pub(crate) mod chunk;
pub(crate) mod chunk_data;
pub(crate) mod evaluation;
pub mod evaluator;
pub(crate) mod force_kernel;
pub(crate) mod group_law;
#[cfg(test)]
pub(crate) mod lane_equality;
pub(crate) mod law_kernel;
pub(crate) mod law_table;
pub(crate) mod mode_bytes;
pub(crate) mod pulled_group;
pub(crate) mod segment_pass;
pub(crate) mod segment_state;

pub use bridges::{BridgeEvents, BrokenBridge, FormingBridge};
pub use evaluation::Evaluation;
pub use force_kernel::{Acceptance, ForceKernel};
pub use law_kernel::LawKernel;
