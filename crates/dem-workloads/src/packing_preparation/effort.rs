//! What a preparation has cost so far, and when it is to stop.

use std::sync::atomic::{AtomicBool, Ordering};

use dem_report::unfinished::Unfinished;
use dem_sim::measure;
use dem_sim::simulation::Simulation;

use crate::error::WorkloadError;

/// Steps so far and when to stop.
pub struct Effort<'a> {
    /// Maximum number of steps in one phase.
    pub max_steps: u64,
    /// Set when the user wants no more.
    pub interrupted: &'a AtomicBool,
    report: &'a mut dyn FnMut(&str),
    /// Where phases are kept.
    pub unfinished: &'a Unfinished,
    /// Steps of all phases so far.
    pub steps: u64,
    /// Wall time of all phases so far, those of calls that were interrupted included \[s\].
    pub seconds: f64,
    /// The part of it that was spent in those \[s\].
    pub earlier_seconds: f64,
}

impl<'a> Effort<'a> {
    /// Nothing done yet.
    pub fn new(
        max_steps: u64,
        interrupted: &'a AtomicBool,
        report: &'a mut dyn FnMut(&str),
        unfinished: &'a Unfinished,
    ) -> Self {
        Self { max_steps, interrupted, report, unfinished, steps: 0, seconds: 0.0, earlier_seconds: 0.0 }
    }

    /// Tells what goes on.
    pub fn say(&mut self, text: &str) {
        (self.report)(text);
    }

    /// Whether the user wants no more.
    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
}

/// A phase that did not end within the steps allowed.
pub fn no_end(simulation: &Simulation) -> WorkloadError {
    let unbalanced = measure::unbalanced_force(&simulation.world);
    WorkloadError::Convergence {
        method: "preparation of the packing",
        detail: format!(
            "stage \"{}\" has not ended after {} steps (unbalanced force {unbalanced:.2e}); allow more with --max-steps",
            simulation.stage_name(),
            simulation.world.step
        ),
    }
}
