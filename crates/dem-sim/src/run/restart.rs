//! Continuing the run of a directory.
//!
//! A restart checks everything first and refuses what it cannot continue. It changes something when it takes its first
//! step, in an order that leaves a run that can be continued whenever it is killed: the state it begins from is among
//! the checkpoints of the directory, then the later ones go, and then what was written after it. So `latest` always
//! names a state whose rows and frames are there.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use dem_io::checkpoint::CheckpointReader;
use dem_io::directory_lock::DirectoryLock;
use dem_io::series::SeriesWriter;
use dem_io::snapshot::{SnapshotWriter, truncate_after};
use dem_io::{checkpoint_folder, replacement};

use super::components::Run;
use super::continuation::Continuation;
use super::directory::{remove_strays, write_scene};
use super::error::RunError;
use super::log::Log;
use super::origin::{open_state, state_path};
use super::outputs::Outputs;
use super::own_files::{BEGINNING, CHECKPOINTS, CHOSEN_CONTACTS, LOG, PROFILES, SERIES, SNAPSHOTS, files_of_the_end};
use super::refusals;
use super::team::Team;
use super::writer::Writer;
use crate::builder::loaded_scene::LoadedScene;
use crate::checkpoint::fingerprint::scene_fingerprint;
use crate::checkpoint::read;
use crate::state::instants;
use crate::wall_probes::probes::WallProbes;
use crate::{builder, checkpoint, measure};

impl Run {
    /// Continues the run of a directory from a checkpoint, bit for bit. `state` names a checkpoint; `None` takes the latest. Nothing but
    /// leftovers of killed processes is changed before the first step.
    ///
    /// # Errors
    /// A directory in use or without a run; a checkpoint that is missing, damaged or of another scene; files of results that cannot be gone
    /// on with.
    pub fn restart(loaded: &LoadedScene, directory: &Path, state: Option<&Path>) -> Result<Self, RunError> {
        Self::restart_on(loaded, directory, state, None)
    }

    /// The same as the leader of several ranks, if there are: as many as before or others.
    ///
    /// # Errors
    /// As [`Self::restart`], and a scene that asks for what ranks cannot do.
    pub fn restart_on(
        loaded: &LoadedScene,
        directory: &Path,
        state: Option<&Path>,
        team: Option<Team>,
    ) -> Result<Self, RunError> {
        let log = Log::begin();
        log.listen(|| Self::restart_with(loaded, directory, state, team, &log))
    }

    fn restart_with(
        loaded: &LoadedScene,
        directory: &Path,
        state: Option<&Path>,
        team: Option<Team>,
        log: &Log,
    ) -> Result<Self, RunError> {
        let saved = |path: &Path| {
            let path = path.to_path_buf();
            |error| RunError::SavedState { path, error }
        };
        let open = |path: PathBuf| match open_state(&path) {
            Ok(reader) => Ok((path, reader)),
            Err(error) => Err(saved(&path)(error)),
        };
        let named: Option<(PathBuf, CheckpointReader)> =
            state.map(|path| state_path(path).and_then(open)).transpose()?;
        if !directory.is_dir() {
            let directory = directory.to_path_buf();
            return Err(if named.is_some() { RunError::NoRun(directory) } else { RunError::NoCheckpoint(directory) });
        }
        let lock = Arc::new(DirectoryLock::acquire(directory)?);
        replacement::complete(directory)?;
        let checkpoints = directory.join(CHECKPOINTS);
        let (path, reader) = match named {
            Some(named) => named,
            None => {
                let latest = checkpoint_folder::latest(&checkpoints)?;
                let is_begun = directory.join(BEGINNING).exists();
                let none = if is_begun { RunError::BeforeCheckpoints } else { RunError::NoCheckpoint };
                open(latest.ok_or_else(|| none(directory.to_path_buf()))?.1)?
            }
        };
        // of one that is damaged the error tells
        if let Ok((step, time)) = read::place_of(&reader) {
            log.reach(step, time);
        }
        log.note_restart(&path);
        let fingerprint = scene_fingerprint(&loaded.resolved());
        let mut simulation = builder::build_empty(loaded)?;
        checkpoint::restore(&mut simulation, &reader, &fingerprint).map_err(saved(&path))?;
        if let Some(team) = &team {
            refusals::check(&simulation)?;
            team.compare(&loaded.resolved())?;
        }
        let is_past_the_end = simulation.end.is_some_and(|end| simulation.world.has_reached(end));
        match simulation.state.stopped {
            // more time than before may have been given
            Some(reason) if reason.is_for_time() && !is_past_the_end => simulation.state.stopped = None,
            // or less
            None if is_past_the_end => simulation.state.stopped = Some(simulation.end_of_time()),
            _ => {}
        }
        let own = checkpoints.join(checkpoint_folder::file_name(simulation.world.step));
        let is_own = matches!((path.canonicalize(), own.canonicalize()), (Ok(a), Ok(b)) if a == b);
        let read_state = || std::fs::read(&path).map_err(dem_io::Error::system("read", &path));
        let foreign = (!is_own).then(read_state).transpose()?;
        let (continuation, frames) = Continuation::look(loaded, directory, &fingerprint, &simulation, foreign)?;
        remove_strays(directory)?;
        let [_, counted, _] = simulation.state.output_intervals;
        let mut run = Self::assemble(loaded, directory, simulation, fingerprint, lock, log.clone());
        let [_, interval, _] = run.simulation.state.output_intervals;
        if let Some(last) = frames.last().filter(|_| interval != counted) {
            // what was due since then by the new interval is due at once, so that a missing frame can be distinguished
            // from one that was not requested
            let since = instants::next(instants::now_at(last.time, run.simulation.world.time_step), interval);
            let next = &mut run.simulation.state.outputs[1];
            *next = since.min(*next);
        }
        run.continuation = Some(continuation);
        run.team = team;
        Ok(run)
    }

    /// Does what is to be done before the first step of a restart.
    pub(super) fn go_on(&mut self) -> Result<(), RunError> {
        let Some(next) = self.continuation.take() else { return Ok(()) };
        let (directory, step) = (&self.directory, self.simulation.world.step);
        self.lock.check()?;
        let checkpoints = directory.join(CHECKPOINTS);
        if let Some(bytes) = &next.foreign {
            checkpoint_folder::write(&checkpoints, step, bytes)?;
            self.lock.check()?;
        }
        self.log.write_to(&directory.join(LOG));
        self.checkpoints = vec![(step, self.simulation.world.time)];
        if checkpoint_folder::remove_after(&checkpoints, step)? > 0 {
            tracing::info!("rows, frames and checkpoints later than step {step} are dropped");
        }
        for name in files_of_the_end() {
            let path = directory.join(name);
            match std::fs::remove_file(&path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(dem_io::Error::system("remove", &path)(error).into());
                }
                _ => {}
            }
        }
        write_scene(&next.resolved, &next.files, directory)?;
        next.note_gaps(directory)?;
        let frames = directory.join(SNAPSHOTS);
        let snapshots = if frames.exists() {
            truncate_after(&frames, step)?;
            SnapshotWriter::open_existing(&frames)?
        } else {
            SnapshotWriter::create(&frames, &next.metadata)?
        };
        let series = SeriesWriter::resume(directory.join(SERIES), &next.columns, next.rows_up_to)?;
        let profiles = (!self.simulation.probes.is_idle())
            .then(|| SeriesWriter::resume(directory.join(PROFILES), &WallProbes::columns(), next.profiles_up_to))
            .transpose()?;
        let contacts = (!self.simulation.chosen_contacts.is_empty())
            .then(|| {
                let path = directory.join(CHOSEN_CONTACTS);
                SeriesWriter::resume(path, &measure::chosen_contact_columns(&self.simulation.world), next.rows_up_to)
            })
            .transpose()?;
        let writer = Writer::new(snapshots, checkpoints, Arc::clone(&self.lock), self.log.lines());
        self.outputs = Some(Outputs { series, profiles, contacts, writer });
        Ok(())
    }
}
