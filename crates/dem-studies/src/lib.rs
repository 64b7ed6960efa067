//! Studies: computations that answer one question and end in tables, plots and a statement.
//!
//! A study is a module with `Options` and a function from them to a [`Report`](dem_report::Report); the command `dem study NAME` fills the
//! options from its arguments and writes the report. Studies run the engine itself (world, stepper, laws) on workloads
//! ([`dem_workloads`]), and hold it against references that share no code with it ([`dem_reference`]).

#![forbid(unsafe_code)]

pub mod adhesion;
pub mod beverloo;
pub mod clusters;
pub mod compare;
pub mod error;
pub mod head_on;
pub mod impact;
pub mod integrator;
pub mod material;
pub mod members;
pub mod named_choice;
pub mod path;
pub mod probe;
pub mod rotation;
pub mod rotation_objectivity;
pub mod silo;
pub mod slice;
pub mod sliding;
pub mod sphere_and_partner;
pub mod triaxial;
pub mod yielding;

pub use error::StudyError;
