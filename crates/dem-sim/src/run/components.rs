//! What a run is made of.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use dem_io::directory_lock::DirectoryLock;

use super::bounds::{Ended, RunBounds};
use super::continuation::Continuation;
use super::log::Log;
use super::outputs::Outputs;
use super::summary::Summary;
use super::team::Team;
use crate::checkpoint::branch::Branched;
use crate::pictures::request::PictureRequest;
use crate::simulation::components::Simulation;

/// A run.
pub struct Run {
    /// The simulation.
    pub simulation: Simulation,
    /// What happened to contact histories if the run branched from a saved state.
    pub branched: Option<Branched>,
    pub(super) directory: PathBuf,
    pub(super) fingerprint: String,
    pub(super) title: String,
    pub(super) seed: u64,
    /// What is drawn at the end; none to draw nothing.
    pub(super) picture: Option<PictureRequest>,
    /// Names of the walls that move at some time.
    pub(super) moving_walls: BTreeSet<String>,
    /// None before the first step of a restart.
    pub(super) outputs: Option<Outputs>,
    /// What a restart does before its first step.
    pub(super) continuation: Option<Continuation>,
    pub(super) contacts: bool,
    pub(super) started: Instant,
    /// How long steps have taken, without output.
    pub(super) stepping: Duration,
    /// How long steps have waited for output.
    pub(super) waited: Duration,
    pub(super) particle_steps: f64,
    /// Steps and times of the checkpoints that this call has written or begun from, the last ones.
    pub(super) checkpoints: Vec<(u64, f64)>,
    pub(super) failure: Option<String>,
    /// That of the present state, once it is written.
    pub(super) summary: Option<Summary>,
    /// The ranks that it is on, if there are several.
    pub(super) team: Option<Team>,
    pub(super) lock: Arc<DirectoryLock>,
    pub(super) log: Log,
}

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
}
