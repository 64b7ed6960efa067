//! The time step of a run, who sets it, and why it is what it is.

use dem_contact::time_step::{Bound, Fractions};
use serde::{Deserialize, Serialize};

/// The time step of a run and why.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeStepChoice {
    /// The step \[s\].
    pub time_step: f64,
    /// Whether it may change during the run.
    pub control: StepControl,
    /// Range of an adaptive step.
    pub range: Option<StepRange>,
    /// All bounds, the tightest first.
    pub bounds: Vec<Bound>,
    /// Shares of physical times that they are.
    pub fractions: Fractions,
    /// Speed of impacts that the bounds reckon with \[m/s\].
    pub expected_speed: f64,
    /// Whether the scene gives it.
    pub is_speed_given: bool,
    /// The impact at that speed that reaches the largest overlap.
    pub deepest: Option<ExpectedImpact>,
}

/// An impact that may happen.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectedImpact {
    /// Overlap in proportion to the smaller radius.
    pub overlap_ratio: f64,
    /// Who hits whom.
    pub between: String,
}

impl TimeStepChoice {
    /// Name of the criterion that set the step.
    pub fn criterion(&self) -> &'static str {
        self.bounds.first().filter(|_| self.control != StepControl::Given).map_or("given", |bound| bound.criterion)
    }
}

/// Who sets the time step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepControl {
    /// The user; bounds that it exceeds cause warnings.
    Given,
    /// The tightest of all bounds; it may become shorter during the run, and longer again.
    Automatic,
    /// The state at every check, within a range.
    Adaptive,
}

/// Range of an adaptive step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepRange {
    /// Shortest \[s\].
    pub smallest: f64,
    /// Longest \[s\].
    pub largest: f64,
    /// Longest while a source pours, whose particles no check has covered \[s\].
    pub while_pouring: f64,
}

impl StepRange {
    /// The step of the range that is nearest to a wanted one \[s\].
    pub fn clamp(&self, wanted: f64) -> f64 {
        wanted.min(self.largest).max(self.smallest)
    }
}
