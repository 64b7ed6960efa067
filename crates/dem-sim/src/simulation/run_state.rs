//! How far a simulation has come.

use dem_core::DVec3;
use serde::{Deserialize, Serialize};

use super::events::Event;
use crate::time_step::choice::StepRange;

/// Why a simulation ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StopReason {
    /// The last stage ended because the assembly came to rest.
    AtRest,
    /// The last stage ended by another of its conditions.
    StagesDone,
    /// The end of time was reached.
    EndOfTime,
    /// The end of time was reached in a stage of the scene that waits for rest.
    NotAtRest,
}

impl StopReason {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::AtRest, Self::StagesDone, Self::EndOfTime, Self::NotAtRest];

    /// As a sentence.
    pub fn describe(&self) -> &'static str {
        match self {
            Self::AtRest => "at rest",
            Self::StagesDone => "all stages done",
            Self::EndOfTime => "end of time reached",
            Self::NotAtRest => "end of time reached, not at rest",
        }
    }

    /// Whether a later end of time lets the simulation continue.
    pub fn is_for_time(&self) -> bool {
        matches!(self, Self::EndOfTime | Self::NotAtRest)
    }
}

/// How far a simulation has come; part of the checkpoint.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunState {
    /// Number of the present stage.
    pub stage: usize,
    /// Whether its actions have been done.
    pub entered: bool,
    /// Time at which it began \[s\].
    pub stage_time: f64,
    /// Step at which it began.
    pub stage_step: u64,
    /// Since when the assembly has been at rest \[s\].
    pub rest_since: Option<f64>,
    /// Forces on the walls summed over the checks since then \[N\].
    pub rest_wall_force: Vec<DVec3>,
    /// Number of checks since then.
    pub rest_looks: u64,
    /// Why it ended.
    pub stopped: Option<StopReason>,
    /// Criterion that set the present time step.
    pub time_step_criterion: String,
    /// Range of an adaptive time step.
    pub step_range: Option<StepRange>,
    /// Speed of impacts that bounds known beforehand reckon with \[m/s\].
    pub expected_speed: f64,
    /// Shortest and longest step taken \[s\]; zero before the first.
    pub steps_taken: [f64; 2],
    /// Time and discharged mass at the last row of the series, for the mass flow rate.
    pub last_row: (f64, f64),
    /// Rows, frames and checkpoints written so far, which place the next ones in time.
    pub outputs: [u64; 3],
    /// Intervals that they are counted in \[s\].
    pub output_intervals: [f64; 3],
    /// Energy balance before the first step \[J\].
    pub first_energy_balance: Option<f64>,
    /// What stages did.
    pub events: Vec<Event>,
}
