//! Scenes, insertion, fields, integrators and the parallel stepper.
//!
//! [`builder`] turns a [`scene`] into a [`simulation::Simulation`]: a [`world::World`] (state), a [`pipeline::Pipeline`] (one step, in
//! order), stages and sources.

#![forbid(unsafe_code)]

pub mod builder;
pub mod comparison;
pub mod deformation;
mod energy_guard;
pub mod error;
pub mod fields;
pub mod forces;
pub mod guides;
mod id_order;
pub mod insertion;
pub mod integrators;
pub mod loads;
pub mod machine;
pub mod measure;
mod other_laws;
pub mod phases;
pub mod pipeline;
mod row;
pub mod run;
pub mod sample;
pub mod saved_state;
pub mod scene;
pub mod simulation;
mod stability;
pub mod step_control;
mod travel;
pub mod wall_probes;
pub mod wall_servos;
pub mod world;
