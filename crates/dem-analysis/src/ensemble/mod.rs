//! Many runs of one scene, over seeds and over values of its keys, put together in one table.
//!
//! Each has a folder of its own below `members/`, and [`merge`] reads nothing but these folders. So it does not matter whether the runs were
//! interrupted, or computed in parts on several machines.

mod averages;
mod figures;
mod finished;
mod merging;
mod over_members;
mod parameters;

pub use averages::Averages;
pub use figures::overlaid_series;
pub use finished::{
    Finished, MEMBER_FILE, Standing, is_ensemble, member_directories, resolved_scene, standing, summary,
};
pub use merging::{Merged, merge};
pub use over_members::{Measured, Quantity, over_members};
