//! A run: a simulation, its directory, and what is written there when.
//!
//! | file | contents |
//! |---|---|
//! | `scene.resolved.toml` | the scene with all overrides |
//! | `meshes/`, `tables/` | the meshes and tables of particles that it names |
//! | `snapshots.vtkhdf` | frames: particles, contacts, walls |
//! | `series.csv` | one row per output time |
//! | `profiles.csv` | averages of wall probes, if there are any |
//! | `contacts.csv` | contacts that are followed, if there are any |
//! | `checkpoints/step_<12 digits>.ckpt` | the last state, and one at least an interval earlier |
//! | `beginning.json` | what the run began with |
//! | `gaps.json` | rows and frames that were missing at a restart, if any were |
//! | `summary.json` | what the run came to |
//! | `picture.png`, `energy.png`, `coordination.png`, `profiles.png` | to look at |

mod beginning;
mod columns;
mod contact_rows;
mod course_summary;
mod error;
mod frame;
mod gaps;
mod geometry;
mod opening;
mod output;
mod outputs;
mod own_files;
mod pictures;
mod pouring_summary;
mod profile_plots;
mod progress;
mod restart;
mod sample_summary;
mod summary;
mod time_by_phase;
mod wall_surface;
mod writer;

pub use beginning::Beginning;
pub use course_summary::{DrivenSummary, OutflowSummary};
pub use error::RunError;
pub use frame::{cell_edges, frame};
pub use gaps::Gap;
pub use geometry::{cell_lines, contact_lines, wall_surfaces};
pub use opening::{Origin, first_state, state_path};
pub use output::is_drawn;
pub use own_files::own_files;
pub use pictures::{PictureRequest, plot_series, render_frame, series_figures};
pub use pouring_summary::PouringSummary;
pub use progress::Status;
pub use sample_summary::{CellSummary, Components, PistonSummary, PressedSample};
pub use summary::{Summary, WallSummary};
pub use time_by_phase::{PhaseTime, TimeByPhase};

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use dem_io::directory_lock::DirectoryLock;

use crate::saved_state::{self, Branched};
use crate::simulation::{Simulation, SimulationError};
use outputs::Outputs;
use restart::Continuation;

/// Bounds of this call, absolute also after a restart.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RunBounds {
    /// Stop at this step.
    pub step: Option<u64>,
    /// Stop at this time \[s\].
    pub time: Option<f64>,
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

/// A run.
pub struct Run {
    /// The simulation.
    pub simulation: Simulation,
    /// What happened to contact histories if the run branched from a saved state.
    pub branched: Option<Branched>,
    directory: PathBuf,
    fingerprint: String,
    title: String,
    seed: u64,
    /// What is drawn at the end; none to draw nothing.
    picture: Option<PictureRequest>,
    /// None before the first step of a restart.
    outputs: Option<Outputs>,
    /// What a restart does before its first step.
    continuation: Option<Continuation>,
    intervals: [f64; 3],
    contacts: bool,
    started: Instant,
    /// How long steps have taken, without output.
    stepping: Duration,
    /// How long steps have waited for output.
    waited: Duration,
    particle_steps: f64,
    /// Steps and times of the checkpoints that this call has written or begun from, the last ones.
    checkpoints: Vec<(u64, f64)>,
    failure: Option<String>,
    /// That of the present state, once it is written.
    summary: Option<Summary>,
    lock: Arc<DirectoryLock>,
}

/// Steps between two looks at the clock for reports of progress, and the most that are taken before an interruption is noticed.
const REPORT_EVERY: u64 = 16;

impl Run {
    /// Directory of the run.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// How the run has come to its end, or to a bound; none if it has not.
    pub fn reached(&self, bounds: &RunBounds) -> Option<Ended> {
        if self.simulation.state.stopped.is_some() {
            return Some(Ended::Finished);
        }
        let world = &self.simulation.world;
        let is_at_bound = bounds.step.is_some_and(|step| world.step >= step)
            || bounds.time.is_some_and(|time| world.has_reached(time));
        is_at_bound.then_some(Ended::Bound)
    }

    /// Runs until the simulation ends, a bound is reached, or `interrupted` becomes true. Writes what is due on the way and, at the
    /// end, a last row, frame, summary and checkpoint, in this order: a run that is killed before the checkpoint of its end does its last steps
    /// again. A restart that takes no step writes nothing.
    ///
    /// # Errors
    /// A failed step: the last state, row and frame are written first. A file that cannot be written; that a frame or checkpoint could
    /// not be is told with one of the next, at the latest at the end. A directory that was moved or removed: nothing is written then.
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
            // one more step if the last row and frame could not tell forces
            if is_interrupted && world.forces.are_known() {
                break Ended::Interrupted;
            }
            self.go_on()?;
            let world = &self.simulation.world;
            let is_last = is_interrupted || bounds.step.is_some_and(|step| world.step + 1 >= step);
            let look = if is_last { f64::NEG_INFINITY } else { self.next_look(bounds) };
            let until_report = REPORT_EVERY - world.step % REPORT_EVERY;
            // the last step by itself: it is seen
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
        saved_state::check(&self.simulation).map_err(|error| self.fail(error))?;
        self.write_last(ended)?;
        Ok(ended)
    }

    /// Writes what there is of a simulation that cannot go on, and says why it cannot.
    fn fail(&mut self, error: SimulationError) -> RunError {
        self.failure = Some(error.to_string());
        match self.write_last(Ended::Failed) {
            Ok(()) => error.into(),
            Err(file) => RunError::Unsaved { error, file: Box::new(file) },
        }
    }
}
