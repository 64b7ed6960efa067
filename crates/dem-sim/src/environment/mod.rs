//! The machine that a run computes on: its memory, its threads, the time that phases of a step take.

pub(crate) mod awake;
pub mod machine;
pub mod memory;
pub(crate) mod threads;
pub mod timing;
