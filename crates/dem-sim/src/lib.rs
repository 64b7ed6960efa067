//! Scenes, insertion, fields, integrators and the parallel stepper.
//!
//! [`builder`] turns a [`scene`] into a [`simulation::Simulation`]: a [`world::World`] (state), a [`pipeline::Pipeline`] (one step, in
//! order), stages and sources.
//!
//! Folders, each of which knows those above it only:
//!
//! | folder | contents |
//! |---|---|
//! | `environment/` | machine, memory, threads, timing of phases |
//! | `fields/`, `guides/`, `insertion/`, `deformation/`, `wall_servos/`, `wall_facets/` | what a world is made of, without a world |
//! | `state/` | the world, its sums, contacts and energies |
//! | `ranks/` | parts of an assembly in several ranks: who owns what, who is told of it |
//! | `forces/` | evaluation of all forces, and the ghosts that it needs |
//! | `integrators/` | time integrators |
//! | `time_step/` | how long a step may be |
//! | `step/` | one step, in order |
//! | `measure/`, `wall_probes/` | what is measured of a world |
//! | `scene/` | scenes as they are written |
//! | `frames/`, `pictures/` | frames of snapshots, and pictures of them |
//! | `simulation/` | stages, sources, rest, the choice of the time step: what happens over time |
//! | `builder/` | from a scene to a simulation |
//! | `scene_check/` | what can be said about a scene before it runs |
//! | `checkpoint/` | the state of a simulation in a checkpoint |
//! | `program/` | changes that a program makes between steps |
//! | `run/` | a simulation and its directory |
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

pub mod builder;
pub mod checkpoint;
pub mod deformation;
mod environment;
pub mod error;
pub mod fields;
pub mod forces;
mod frames;
pub mod guides;
pub mod insertion;
pub mod integrators;
mod limits;
pub mod measure;
pub mod overlap_cause;
mod pictures;
pub mod program;
mod ranks;
mod resolution;
pub mod run;
pub mod scene;
pub mod scene_check;
pub mod simulation;
mod state;
mod step;
pub mod time_step;
pub mod wall_facets;
pub mod wall_probes;
pub mod wall_servos;

pub use environment::{machine, memory, timing};
pub use state::{clock, provenance, whole, world};
pub use step::pipeline;
