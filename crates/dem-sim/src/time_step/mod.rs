//! How long a step may be.
//!
//! Bounds are known beforehand (`a_priori`), by what drives a run (`driving`), or by the present contacts and motion
//! (`state_bounds`); their `criteria` have names, and most are a fraction of a physical time (`time_scale`). `choice`
//! is what a scene makes of them.

pub(crate) mod a_priori;
pub(crate) mod choice;
pub(crate) mod criteria;
pub(crate) mod driving;
pub(crate) mod state_bounds;
pub(crate) mod time_scale;

pub use choice::{ExpectedImpact, StepControl, StepRange, TimeStepChoice};
pub use time_scale::{TimeScale, describe};
