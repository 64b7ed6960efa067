//! Runs of one scene over seeds and over values of its keys, side by side.
//!
//! A [`Plan`] says which [`Member`]s there are, and [`run_members`] runs those that have not come to their end yet, each in a folder of its own
//! below `members/` that is named for its parameters. [`dem_analysis::ensemble`] puts them together.

mod origins;
mod plan;
mod running;
mod sweep;

pub use origins::Origins;
pub use plan::{Member, Plan, Request};
pub use running::{Outcome, Settings, run_members};
pub use sweep::parse_seeds;
