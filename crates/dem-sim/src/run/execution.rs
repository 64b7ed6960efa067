//! Takes the steps of a run until it ends or comes to a bound.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::bounds::{Ended, RunBounds};
use super::components::Run;
use super::error::RunError;
use super::status::Status;
use crate::checkpoint;
use crate::simulation::error::SimulationError;

/// Steps between two clock readings for reports of progress, and the most that are taken before an interruption is
/// noticed.
const REPORT_EVERY: u64 = 16;

impl Run {
    /// Runs until the simulation ends, a bound is reached, or `interrupted` becomes true. Writes what is due meanwhile
    /// and, at the end, a last row, frame, summary and checkpoint, in this order: a run that is killed before the
    /// checkpoint of its end does its last steps again. A restart that takes no step writes nothing.
    ///
    /// # Errors
    /// A failed step: the last state, row and frame are written first. A file that cannot be written; that a frame or
    /// checkpoint could not be is reported with one of the next, at the latest at the end. A directory that was moved
    /// or removed: nothing is written then.
    pub fn execute(
        &mut self,
        bounds: &RunBounds,
        interrupted: &AtomicBool,
        report: &mut dyn FnMut(&Status),
    ) -> Result<Ended, RunError> {
        let ended = self.step_to_the_end(bounds, interrupted, report);
        ended.map_err(|error| match self.lock.check() {
            // whatever file is not found then
            Err(lost) if !error.is_simulation_failure() => lost.into(),
            _ => error,
        })
    }

    fn step_to_the_end(
        &mut self,
        bounds: &RunBounds,
        interrupted: &AtomicBool,
        report: &mut dyn FnMut(&Status),
    ) -> Result<Ended, RunError> {
        let mut last_report = (Instant::now(), self.particle_steps);
        let begin = (Instant::now(), self.progress(bounds));
        let mut since = Instant::now();
        let ended = loop {
            if let Some(ended) = self.reached(bounds) {
                break ended;
            }
            let world = &self.simulation.world;
            let is_interrupted = interrupted.load(Ordering::Relaxed);
            // one more step if the last row and frame could not report forces
            if is_interrupted && world.forces.are_known() {
                break Ended::Interrupted;
            }
            self.go_on()?;
            let world = &self.simulation.world;
            let is_last = is_interrupted || bounds.step.is_some_and(|step| world.step + 1 >= step);
            let look = if is_last { f64::NEG_INFINITY } else { self.next_look(bounds) };
            let until_report = REPORT_EVERY - world.step % REPORT_EVERY;
            // the last step by itself: its state is read
            let most = bounds.step.map_or(until_report, |step| until_report.min(step - world.step - 1)).max(1);
            let advanced = self.simulation.advance_unseen(look, most);
            let stepped = Instant::now();
            self.stepping += stepped - since;
            let steps = match advanced {
                Ok(steps) => steps,
                Err(error) => return Err(self.fail(error)),
            };
            self.particle_steps += steps as f64 * self.simulation.world.particles.len() as f64;
            // that of the end comes after the summary
            match self.write_due(self.reached(bounds).is_none()) {
                Err(RunError::Simulation(error)) => return Err(self.fail(error)),
                written => written?,
            }
            since = Instant::now();
            self.waited += since - stepped;
            if self.simulation.world.step.is_multiple_of(REPORT_EVERY)
                && last_report.0.elapsed() >= Duration::from_millis(500)
            {
                let status = self.status(bounds, &begin, &last_report);
                report(&status);
                since = Instant::now();
                last_report = (since, self.particle_steps);
            }
        };
        report(&self.status(bounds, &begin, &last_report));
        if self.continuation.is_some() {
            return Ok(ended);
        }
        checkpoint::check(&self.simulation).map_err(|error| self.fail(error))?;
        self.write_last(ended)?;
        Ok(ended)
    }

    /// Writes what there is of a simulation that cannot continue, and reports why it cannot.
    fn fail(&mut self, error: SimulationError) -> RunError {
        self.failure = Some(error.to_string());
        match self.write_last(Ended::Failed) {
            Ok(()) => error.into(),
            Err(file) => RunError::Unsaved { error, file: Box::new(file) },
        }
    }
}
