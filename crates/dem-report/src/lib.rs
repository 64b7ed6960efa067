//! What every computation shares that answers a question and ends in tables, figures and statements.
//!
//! - What a user asks for: quantities and lists of the command line ([`given`]), a part of the work ([`shard`]).
//! - What comes out: [`table`], [`drawing`], [`report`], [`page`], and the numbers under them ([`statistics`]).
//! - Where it goes: [`output_directory`], and what an interrupted command has done so far ([`unfinished`]).
//! - How it gets done: [`parallel_runs`], [`progress`].
//!
//! Nothing here knows of particles, contacts or scenes.
//!
//! ```
//! use dem_report::{Table, Value};
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

pub mod drawing;
pub mod error;
pub mod given;
pub mod output_directory;
pub mod page;
pub mod parallel_runs;
pub mod progress;
pub mod report;
pub mod shard;
pub mod statistics;
pub mod table;
pub mod unfinished;
pub mod words;

pub use error::ReportError;
pub use report::{Figure, Picture, Report};
pub use table::{Table, Value};
