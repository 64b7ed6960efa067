//! Scenes, insertion, fields, integrators and the parallel stepper.
//!
//! [`builder`] turns a [`scene`] into a [`simulation::Simulation`]: a [`world::World`] (state), a [`pipeline::Pipeline`] (one step, in
//! order), stages and sources.
//!
//! ```
//! use dem_sim::{builder, measure};
//!
//! let text = r#"
//! [materials.glass]
//! density = "2500 kg/m^3"
//! young_modulus = "100 MPa"
//! poisson_ratio = 0.25
//!
//! [contact]
//! law = "hertz-mindlin"
//! friction = 0.4
//! restitution = 0.5
//!
//! [[walls]]
//! name = "floor"
//! material = "glass"
//! shape = { type = "plane", normal = [0, 0, 1] }
//!
//! [[particles]]
//! name = "block"
//! material = "glass"
//! sizes = { type = "single", radius = "5 mm" }
//! region = { type = "box", min = [0, 0, 0], max = ["3 cm", "3 cm", "3 cm"] }
//! fill = { type = "lattice" }
//!
//! [time]
//! end = "5 ms"
//! "#;
//! let scene = builder::parse_scene("block", text, &[])?;
//! let mut simulation = builder::build(&scene)?;
//! simulation.initialise()?;
//! while simulation.state.stopped.is_none() {
//!     simulation.advance()?;
//! }
//! assert!(simulation.world.particles.len() == 8 && simulation.world.time > 4.9e-3);
//! assert!(measure::value(&simulation, "coordination").is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod awake;
pub mod builder;
pub mod clock;
pub mod comparison;
mod conditions;
mod contact_views;
pub mod deformation;
pub mod driven;
mod energy_guard;
pub mod error;
pub mod fields;
pub mod forces;
pub mod guides;
mod id_order;
pub mod insertion;
mod instants;
pub mod integrators;
mod ledger;
pub mod load_overlap;
pub mod loads;
pub mod machine;
pub mod measure;
pub mod memory;
pub mod other_laws;
pub mod overlap_cause;
pub mod phases;
pub mod pipeline;
pub mod plausibility;
pub mod provenance;
mod row;
pub mod run;
pub mod sample;
pub mod saved_state;
pub mod scene;
pub mod simulation;
mod stability;
pub mod step_control;
mod sums;
mod threads;
pub mod time_scale;
mod travel;
mod tunnelling;
mod wall_overlaps;
pub mod wall_probes;
pub mod wall_servos;
pub mod whole;
pub mod world;
