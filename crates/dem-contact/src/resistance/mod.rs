//! Resistance against rolling and twisting, laid over any law: [`Resisted`].

mod couple;
mod record;
mod resisted;
mod rolling;
mod twisting;

pub use record::{ResistedRecord, fields};
pub use resisted::Resisted;
pub use rolling::Rolling;
pub use twisting::Twisting;
