//! Studies: computations that answer one question and end in tables, plots and a statement.
//!
//! A study is a module with `Options` and a function from them to a [`Report`]; the command `dem study NAME` fills the options from
//! its arguments and writes the report. Studies run the engine itself (world, stepper, laws). References against which they hold
//! it share no code with it.

pub mod benchmark;
pub mod error;
pub mod references;
pub mod report;
pub mod rotation;
pub mod table;

pub use error::StudyError;
pub use report::{Figure, Report};
pub use table::{Table, Value};
