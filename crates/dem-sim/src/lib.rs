//! Scenes, insertion, fields, integrators and the parallel stepper.

pub mod error;
pub mod fields;
pub mod forces;
pub mod integrators;
pub mod pipeline;
pub mod world;
