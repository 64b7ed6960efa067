//! Going on with the run of a directory.
//!
//! A restart looks at everything first and refuses what it cannot go on with. It changes something when it takes its first step, in an
//! order that leaves a run to go on with whenever it is killed: the state it begins from is among the checkpoints of the directory, then the later ones go, and
//! then what was written after it. So `latest` always names a state whose rows and frames are there.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dem_io::checkpoint::CheckpointReader;
use dem_io::checkpoint_folder;
use dem_io::directory_lock::DirectoryLock;
use dem_io::replacement;
use dem_io::series::{SeriesBeginning, SeriesColumn, SeriesWriter};
use dem_io::snapshot::{FrameInfo, SnapshotReader, SnapshotWriter, truncate_after};

use super::gaps::{self, Found, Gap};
use super::opening::{metadata, open_state, remove_strays, state_path, write_scene};
use super::outputs::Outputs;
use super::own_files::{CHECKPOINTS, CHOSEN_CONTACTS, PROFILES, SERIES, SNAPSHOTS, files_of_the_end};
use super::writer::Writer;
use super::{Run, RunError, frame};
use crate::builder::{self, LoadedScene, NamedFile};
use crate::instants;
use crate::measure;
use crate::saved_state::{self, scene_fingerprint};
use crate::simulation::Simulation;
use crate::wall_probes::WallProbes;

/// What a restart does before its first step, and not at all if it takes none.
pub(super) struct Continuation {
    /// The checkpoint, if it is not one of the directory.
    foreign: Option<Vec<u8>>,
    resolved: String,
    files: Vec<NamedFile>,
    metadata: BTreeMap<String, String>,
    /// Columns of the series.
    columns: Vec<SeriesColumn>,
    /// Last steps whose rows and averages are kept.
    rows_up_to: u64,
    profiles_up_to: u64,
    /// Gaps that were known.
    known: Vec<Gap>,
    /// Gaps that were found now.
    found: Vec<Gap>,
}

impl Run {
    /// Continues the run of a directory from a checkpoint, bit for bit. `state` names a checkpoint; `None` takes the latest. Nothing but
    /// leftovers of killed processes is changed before the first step.
    ///
    /// # Errors
    /// A directory in use or without a run; a checkpoint that is missing, damaged or of another scene; files of results that cannot be gone
    /// on with.
    pub fn restart(loaded: &LoadedScene, directory: &Path, state: Option<&Path>) -> Result<Self, RunError> {
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
                open(latest.ok_or_else(|| RunError::NoCheckpoint(directory.to_path_buf()))?.1)?
            }
        };
        let fingerprint = scene_fingerprint(&loaded.resolved());
        let mut simulation = builder::build_empty(loaded)?;
        saved_state::restore(&mut simulation, &reader, &fingerprint).map_err(saved(&path))?;
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
        let read = || std::fs::read(&path).map_err(dem_io::Error::system("read", &path));
        let foreign = (!is_own).then(read).transpose()?;
        let (continuation, frames) = Continuation::look(loaded, directory, &fingerprint, &simulation, foreign)?;
        remove_strays(directory)?;
        let [_, counted, _] = simulation.state.output_intervals;
        let mut run = Self::assemble(loaded, directory, simulation, fingerprint, lock);
        let [_, interval, _] = run.intervals;
        if let Some(last) = frames.last().filter(|_| interval != counted) {
            // what was due since then by the new interval is due at once, so that a missing frame can be told from one that was not asked for
            let since = instants::next(instants::now_at(last.time, run.simulation.world.time_step), interval);
            let next = &mut run.simulation.state.outputs[1];
            *next = since.min(*next);
        }
        run.continuation = Some(continuation);
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
                SeriesWriter::resume(path, &measure::chosen_contact_columns(), next.rows_up_to)
            })
            .transpose()?;
        let writer = Writer::new(snapshots, checkpoints, Arc::clone(&self.lock));
        self.outputs = Some(Outputs { series, profiles, contacts, writer });
        Ok(())
    }
}

impl Continuation {
    /// Looks at what is there and refuses what cannot be gone on with; changes nothing. Returns the frames up to the checkpoint, too.
    fn look(
        loaded: &LoadedScene,
        directory: &Path,
        fingerprint: &str,
        simulation: &Simulation,
        foreign: Option<Vec<u8>>,
    ) -> Result<(Self, Vec<FrameInfo>), RunError> {
        let (world, state) = (&simulation.world, &simulation.state);
        let step = world.step;
        // the row goes that the end of the earlier call wrote out of turn: the series is that of a run without interruption
        let is_out_of_turn = state.stopped.is_none() && state.last_row.0 < world.time;
        let rows_up_to = if is_out_of_turn { step.saturating_sub(1) } else { step };
        // an average that goes on was written when the run was interrupted, and will be again in full
        let is_unfinished = simulation.probes.duration() > 0.0;
        let profiles_up_to = if is_unfinished { step.saturating_sub(1) } else { step };
        let columns = measure::series_columns(world);
        let known = gaps::before(gaps::read(directory)?, (step, world.time));
        let mut found = Vec::new();

        let path = directory.join(SERIES);
        let rows = SeriesBeginning::read(&path, &columns, rows_up_to).map_err(|error| unusable(&path, &error))?;
        // without a number there never was one
        if state.outputs[0] > 0 {
            let [first, last] = [rows.and_then(|rows| rows.first), rows.and_then(|rows| rows.last)];
            let rows = Found {
                file: SERIES,
                first: first.map(|row| row.step as u64),
                last: last.map(|row| row.step as u64),
                is_complete: last.is_some_and(|row| row.time >= state.last_row.0),
                due: state.last_row.0,
                place: (step, world.time),
            };
            found.extend(rows.gaps(&known));
        }
        if !simulation.probes.is_idle() {
            let path = directory.join(PROFILES);
            if simulation.probes.are_others() && path.exists() {
                return Err(RunError::OtherProbes(path));
            }
            SeriesBeginning::read(&path, &WallProbes::columns(), profiles_up_to)
                .map_err(|error| unusable(&path, &error))?;
        }
        if !simulation.chosen_contacts.is_empty() {
            let path = directory.join(CHOSEN_CONTACTS);
            SeriesBeginning::read(&path, &measure::chosen_contact_columns(), rows_up_to)
                .map_err(|error| unusable(&path, &error))?;
        }
        let path = directory.join(SNAPSHOTS);
        let mut frames = Vec::new();
        if path.exists() {
            let contacts = loaded.scene.output.contacts_in_snapshots();
            let looked = SnapshotReader::open(&path).and_then(|reader| {
                reader.check_columns(&frame(world, contacts))?;
                Ok(reader.frames().to_vec())
            });
            frames = looked.map_err(|error| match error {
                dem_io::Error::SnapshotColumns { path, reason } => RunError::OtherColumns { path, reason },
                error => unusable(&path, &error),
            })?;
            frames.retain(|frame| frame.step <= step);
        }
        if state.outputs[1] > 0 {
            let frames = Found {
                file: SNAPSHOTS,
                first: frames.first().map(|frame| frame.step),
                last: frames.last().map(|frame| frame.step),
                is_complete: frames.last().is_some_and(|last| is_last_due(last, simulation)),
                due: last_frame_due(simulation),
                place: (step, world.time),
            };
            found.extend(frames.gaps(&known));
        }
        let continuation = Self {
            foreign,
            resolved: loaded.resolved().to_string(),
            files: loaded.files.clone(),
            metadata: metadata(loaded, fingerprint, simulation),
            columns,
            rows_up_to,
            profiles_up_to,
            known,
            found,
        };
        Ok((continuation, frames))
    }

    /// Tells what is missing, and notes it for good.
    fn note_gaps(&self, directory: &Path) -> Result<(), RunError> {
        let all = [self.known.as_slice(), self.found.as_slice()].concat();
        if all != gaps::read(directory)? {
            gaps::write(directory, &all)?;
        }
        for gap in &self.found {
            tracing::warn!("{}; it is not made again, which gaps.json and the summary keep in mind", gap.describe());
        }
        Ok(())
    }
}

fn unusable(path: &Path, error: &dyn std::fmt::Display) -> RunError {
    RunError::Unusable { path: path.to_path_buf(), error: error.to_string() }
}

/// Whether no frame was due between one of them and the checkpoint.
fn is_last_due(last: &FrameInfo, simulation: &Simulation) -> bool {
    let (state, world) = (&simulation.state, &simulation.world);
    // half a step early is in time, and steps may have been longer
    let early = 0.5 * state.steps_taken[1].max(world.time_step);
    let due = last_frame_due(simulation);
    // what is no number is never due
    due.is_nan() || last.time + early >= due * (1.0 - 1e-9)
}

/// When the last frame up to the checkpoint was due \[s\].
fn last_frame_due(simulation: &Simulation) -> f64 {
    let state = &simulation.state;
    state.outputs[1].saturating_sub(1) as f64 * state.output_intervals[1]
}
