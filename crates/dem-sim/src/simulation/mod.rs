//! A simulation: a world, what happens to it stage by stage, and the sources that pour into it.
//!
//! `components` is what it is made of, `stage` and `run_state` what is requested of it and its progress. `driver` takes
//! a step with all that is due before and after: actions of a stage that begins (`stage_entry`, with `contact_changes`,
//! `field_changes`, `new_walls`, `removal`), `pouring`, the `energy_guard`, `time_step_control`, `conditions` and
//! `rest`. `sharing` makes it that of several ranks, and `gathered` brings it together again for files and measures.

pub(crate) mod components;
pub(crate) mod conditions;
pub(crate) mod contact_changes;
pub(crate) mod driver;
pub(crate) mod energy_guard;
pub(crate) mod error;
pub(crate) mod events;
pub(crate) mod field_changes;
pub(crate) mod gathered;
pub(crate) mod new_walls;
pub(crate) mod pouring;
pub(crate) mod removal;
pub(crate) mod rest;
pub(crate) mod run_state;
pub(crate) mod sharing;
pub(crate) mod stage;
pub(crate) mod stage_entry;
pub(crate) mod time_step_control;

pub use crate::insertion::pouring_source::{Kind, PouringSource};
pub use crate::ranks::RankLoad;
pub use components::Simulation;
pub use error::SimulationError;
pub use events::Event;
pub use run_state::{RunState, StopReason};
pub use stage::{Action, Condition, Measure, RestCriterion, Stage, StrainBound, StressReached};
