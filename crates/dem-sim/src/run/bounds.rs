//! Bounds of a call, and how it ended.

/// Bounds of this call, absolute also after a restart.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RunBounds {
    /// Stop at this step.
    pub step: Option<u64>,
    /// Stop at this time \[s\].
    pub time: Option<f64>,
}

impl RunBounds {
    /// Those of this and another that come first.
    pub(super) fn nearer(&self, other: &Self) -> Self {
        let step = self.step.into_iter().chain(other.step).min();
        let time = self.time.into_iter().chain(other.time).reduce(f64::min);
        Self { step, time }
    }
}

/// How an execution ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The simulation came to its own end.
    Finished,
    /// A bound of this call was reached.
    Bound,
    /// The user interrupted it.
    Interrupted,
    /// A step failed.
    Failed,
}
