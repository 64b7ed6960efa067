//! How long a step may be, and who decides on it.

pub(crate) mod a_priori;
pub(crate) mod choice;
pub(crate) mod criteria;
pub(crate) mod driving;
pub(crate) mod state_bounds;
pub(crate) mod time_scale;

pub use choice::{ExpectedImpact, StepControl, StepRange, TimeStepChoice};
pub use time_scale::{TimeScale, describe};
