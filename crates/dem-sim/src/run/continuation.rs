//! What a restart finds in a directory, and what it does there before its first step.

use std::collections::BTreeMap;
use std::path::Path;

use dem_io::series::{SeriesBeginning, SeriesColumn};
use dem_io::snapshot::{FrameInfo, SnapshotReader};

use super::directory::metadata;
use super::error::RunError;
use super::gaps::{self, Found, Gap};
use super::own_files::{CHOSEN_CONTACTS, PROFILES, SERIES, SNAPSHOTS};
use crate::builder::loaded_scene::LoadedScene;
use crate::builder::named_files::NamedFile;
use crate::frames::frame::frame;
use crate::measure;
use crate::simulation::components::Simulation;
use crate::wall_probes::probes::WallProbes;

/// What a restart does before its first step, and not at all if it takes none.
pub(super) struct Continuation {
    /// The checkpoint, if it is not one of the directory.
    pub(super) foreign: Option<Vec<u8>>,
    pub(super) resolved: String,
    pub(super) files: Vec<NamedFile>,
    pub(super) metadata: BTreeMap<String, String>,
    /// Columns of the series.
    pub(super) columns: Vec<SeriesColumn>,
    /// Last steps whose rows and averages are kept.
    pub(super) rows_up_to: u64,
    pub(super) profiles_up_to: u64,
    /// Gaps that were known.
    pub(super) known: Vec<Gap>,
    /// Gaps that were found now.
    pub(super) found: Vec<Gap>,
}

impl Continuation {
    /// Checks what is there and refuses what cannot be continued; changes nothing. Returns the frames up to the
    /// checkpoint, too.
    pub(super) fn look(
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
        // an average that continues was written when the run was interrupted, and will be again in full
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
            SeriesBeginning::read(&path, &measure::chosen_contact_columns(&simulation.world), rows_up_to)
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
    pub(super) fn note_gaps(&self, directory: &Path) -> Result<(), RunError> {
        let all = [self.known.as_slice(), self.found.as_slice()].concat();
        if all != gaps::read(directory)? {
            gaps::write(directory, &all)?;
        }
        for gap in &self.found {
            tracing::warn!("{}; it is not written again, and gaps.json and the summary record the gap", gap.describe());
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
    // what is NaN is never due
    due.is_nan() || last.time + early >= due * (1.0 - 1e-9)
}

/// When the last frame up to the checkpoint was due \[s\].
fn last_frame_due(simulation: &Simulation) -> f64 {
    let state = &simulation.state;
    state.outputs[1].saturating_sub(1) as f64 * state.output_intervals[1]
}
