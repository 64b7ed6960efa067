//! Studies: computations that answer one question and end in tables, plots and a statement.
//!
//! A study is a module with `Options` and a function from them to a [`Report`]; the command `dem study NAME` fills the options from
//! its arguments and writes the report. Studies run the engine itself (world, stepper, laws). References against which they hold
//! it share no code with it.
//!
//! ```
//! use dem_studies::{Table, Value};
//!
//! let mut table = Table::new("fall", &["time [s]", "height [m]"]);
//! for k in 0..3 {
//!     let time = 0.1 * f64::from(k);
//!     table.push([Value::from(time), Value::from(1.0 - 4.905 * time * time)]);
//! }
//! assert_eq!(table.numbers("height [m]")[0], 1.0);
//! assert_eq!(table.to_csv().lines().count(), 4);
//! ```

#![forbid(unsafe_code)]

pub mod benchmark;
pub mod beverloo;
mod bibliography;
pub mod compare;
pub mod discharge;
mod drawing;
pub mod ensemble;
pub mod error;
pub mod given;
pub mod impact;
pub mod integrator;
pub mod material;
pub mod methods;
pub mod order;
pub mod output_directory;
mod packing;
pub mod packing_preparation;
pub mod page;
pub mod path;
pub mod probe;
pub mod profile;
pub mod progress;
pub mod references;
pub mod report;
pub mod rotation;
pub mod rotation_objectivity;
mod run_kinds;
pub mod run_record;
pub mod run_report;
mod scenes;
pub mod selection;
pub mod shard;
mod side_by_side;
pub mod silo;
pub mod slice;
pub mod sliding;
pub mod statistics;
pub mod surface;
pub mod table;
pub mod triaxial;
pub mod two_bodies;
mod unfinished;
pub mod validation;

pub use error::StudyError;
pub use report::{Figure, Picture, Report};
pub use table::{Table, Value};
