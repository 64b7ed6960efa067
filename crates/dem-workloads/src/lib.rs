//! What the engine is given to run: scenes of the examples with changes ([`scenes`]), beds of spheres at rest ([`bed`]), packings prepared to
//! a packing fraction or a pressure ([`packing_preparation`]), and the fixed workloads by which its speed is measured ([`benchmark`]).

#![forbid(unsafe_code)]

pub mod bed;
pub mod benchmark;
pub mod error;
pub mod packing_preparation;
pub mod scenes;

pub use error::WorkloadError;
