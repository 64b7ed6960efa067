//! Does the engine do what its sources say? A registry of cases, each of which compares numbers of the engine with a reference.
//!
//! A [`Case`] is a function from an [`Effort`] to [`Findings`]: [`Check`]s and figures. Adding one is a file in `cases/` and a
//! line in [`CASES`]. `dem validate` runs them, prints the table, and fails if a check does; [`page`] puts everything on one page.

#![forbid(unsafe_code)]

mod case;
pub mod cases;
pub mod check;
pub mod markdown;
mod outcome;
pub mod page;

#[cfg(test)]
mod tests;

pub use case::{Case, Effort, Findings};
pub use cases::{CASES, select};
pub use check::{Check, Claim, Tier};
pub use outcome::{Outcome, all_pass, count_of_references, run, table};
