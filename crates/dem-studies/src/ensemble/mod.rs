//! Many runs of one scene: over seeds and over values of its keys, run side by side and put together in one table.
//!
//! A [`Plan`] says which [`Member`]s there are, [`run_members`] runs those that have not come to their end yet, each in a folder of its
//! own below `members/` that is named for its parameters, and [`merge`] reads nothing but these folders. So it does not matter whether the
//! runs were interrupted, or computed in parts on several machines.

mod averages;
mod figures;
mod finished;
mod merging;
mod over_members;
mod plan;
mod running;
mod sweep;

pub use averages::Averages;
pub use figures::overlaid_series;
pub use finished::{Finished, Standing, is_ensemble, member_directories, standing, summary};
pub use merging::{Merged, merge};
pub(crate) use over_members::{Quantity, over_members};
pub(crate) use plan::Origins;
pub use plan::{Member, Plan, Request};
pub use running::{Outcome, Settings, run_members};
pub use sweep::parse_seeds;

/// Folder of an ensemble that holds a folder for each member.
pub const MEMBERS: &str = "members";
/// File in the folder of a member that names the keys that are swept.
const MEMBER_FILE: &str = "member.json";
