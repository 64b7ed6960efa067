//! Takes the steps of a run until it ends or comes to a bound.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::bounds::{Ended, RunBounds};
use super::components::Run;
use super::error::RunError;
use super::status::Status;
use crate::checkpoint;
use crate::simulation::error::SimulationError;

/// Steps between two clock readings for reports of progress.
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
        let interrupted = &mut || interrupted.load(Ordering::Relaxed);
        let ended = self.step_and_log(bounds, &RunBounds::default(), interrupted, report)?;
        self.conclude(ended)?;
        Ok(ended)
    }

    /// Takes steps up to a pause and writes what is due meanwhile, nothing for the pause itself: whoever goes on does so as if there had been none.
    /// `interrupted` is asked before every step. [`Self::conclude`] writes what a run ends with.
    ///
    /// # Errors
    /// As [`Self::execute`].
    pub fn proceed(
        &mut self,
        pause: &RunBounds,
        interrupted: &mut dyn FnMut() -> bool,
        report: &mut dyn FnMut(&Status),
    ) -> Result<Ended, RunError> {
        self.step_and_log(&RunBounds::default(), pause, interrupted, report)
    }

    fn step_and_log(
        &mut self,
        bounds: &RunBounds,
        pause: &RunBounds,
        interrupted: &mut dyn FnMut() -> bool,
        report: &mut dyn FnMut(&Status),
    ) -> Result<Ended, RunError> {
        let log = self.log.clone();
        let ended = log.listen(|| self.step_to_the_end(bounds, pause, interrupted, report));
        ended.map_err(|error| self.lost_or(error)).inspect_err(|error| log.note(&format!("stops: {error}")))
    }

    /// Writes the last row, frame, summary and checkpoint of a run that goes on no farther.
    ///
    /// # Errors
    /// As [`Self::execute`].
    pub fn conclude(&mut self, ended: Ended) -> Result<(), RunError> {
        if self.continuation.is_some() {
            return Ok(());
        }
        let log = self.log.clone();
        let written = log.listen(|| {
            self.with_all(|run| match checkpoint::check(&run.simulation) {
                Err(error) => Err(run.fail(error)),
                Ok(()) => run.write_last(ended).map_err(|error| run.lost_or(error)),
            })
        });
        match &written {
            Ok(()) => log.note(&format!("ends: {}", self.summary.as_ref().map_or("", |s| s.stop_reason.as_str()))),
            Err(error) => log.note(&format!("stops: {error}")),
        }
        written
    }

    /// A directory that is not there any more, whatever file is not found then; otherwise the error itself.
    fn lost_or(&self, error: RunError) -> RunError {
        match self.lock.check() {
            Err(lost) if !error.is_simulation_failure() => lost.into(),
            _ => error,
        }
    }

    fn step_to_the_end(
        &mut self,
        bounds: &RunBounds,
        pause: &RunBounds,
        interrupted: &mut dyn FnMut() -> bool,
        report: &mut dyn FnMut(&Status),
    ) -> Result<Ended, RunError> {
        let nearer = bounds.nearer(pause);
        let mut last_report = (Instant::now(), self.particle_steps);
        let begin = (Instant::now(), self.progress(&nearer));
        let mut since = Instant::now();
        let mut is_interrupted = false;
        let ended = loop {
            if let Some(ended) = self.reached(&nearer) {
                break ended;
            }
            let world = &self.simulation.world;
            is_interrupted = is_interrupted || interrupted();
            // one more step if the last row and frame could not report forces
            if is_interrupted && world.forces.are_known() {
                break Ended::Interrupted;
            }
            self.go_on()?;
            let world = &self.simulation.world;
            let is_last = is_interrupted || nearer.step.is_some_and(|step| world.step + 1 >= step);
            let look = if is_last { f64::NEG_INFINITY } else { self.next_look(&nearer) };
            let until_report = REPORT_EVERY - world.step % REPORT_EVERY;
            // the last step by itself: its state is read
            let most = nearer.step.map_or(until_report, |step| until_report.min(step - world.step - 1)).max(1);
            let mut stop = || {
                is_interrupted = is_interrupted || interrupted();
                is_interrupted
            };
            self.log.reach(world.step, world.time);
            let advanced = match &mut self.team {
                None => self.simulation.advance_unseen_unless(look, most, &mut stop),
                // all ranks take as many steps
                Some(team) => {
                    team.begin(&mut self.simulation, &self.fingerprint)?;
                    team.advance(&mut self.simulation, look, most)
                }
            };
            let stepped = Instant::now();
            self.stepping += stepped - since;
            let steps = match advanced {
                Ok(steps) => steps,
                Err(error) => return Err(self.fail(error)),
            };
            let world = &self.simulation.world;
            self.log.reach(world.step, world.time);
            let particles = self.simulation.pipeline.forces.particles_of_ranks().unwrap_or(world.particles.len());
            self.particle_steps += steps as f64 * particles as f64;
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
                self.status_of_all()?;
                let status = self.status(&nearer, &begin, &last_report);
                report(&status);
                since = Instant::now();
                last_report = (since, self.particle_steps);
            }
        };
        self.status_of_all()?;
        report(&self.status(&nearer, &begin, &last_report));
        Ok(ended)
    }

    /// Writes what there is of a simulation that cannot continue, and reports why it cannot.
    fn fail(&mut self, error: SimulationError) -> RunError {
        self.failure = Some(error.to_string());
        match self.with_all(|run| run.write_last(Ended::Failed)) {
            Ok(()) => error.into(),
            Err(file) => RunError::Unsaved { error, file: Box::new(file) },
        }
    }
}
