//! Beginning a run in a directory, and going on with one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use dem_io::checkpoint::CheckpointReader;
use dem_io::run_lock::RunLock;
use dem_io::series::SeriesWriter;
use dem_io::snapshot::SnapshotWriter;
use dem_io::{atomic, checkpoint_folder};

use super::writer::Writer;
use super::{Beginning, PictureRequest, Run, RunError, next_output};
use crate::builder::{self, LoadedScene};
use crate::machine::{self, Machine};
use crate::measure;
use crate::saved_state::{self, Branched, SavedStateError, scene_fingerprint};
use crate::simulation::{Simulation, StopReason};
use crate::wall_probes::WallProbes;

/// Files of a run directory that belong to the engine and that `--force` removes.
const OWN_FILES: &[&str] = &[
    "scene.resolved.toml",
    "snapshots.vtkhdf",
    "series.csv",
    "profiles.csv",
    "beginning.json",
    "summary.json",
    "picture.png",
    "energy.png",
    "coordination.png",
    "profiles.png",
];

/// Where the particles come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// From the scene.
    Scene,
    /// From a saved state, as a new branch.
    Branch(PathBuf),
}

impl Run {
    /// Begins a run in a new directory, or with `force` in place of the run that is in it.
    ///
    /// # Errors
    /// Nothing is written if the scene is wrong or the directory is in use.
    pub fn begin(loaded: &LoadedScene, directory: &Path, origin: &Origin, force: bool) -> Result<Self, RunError> {
        let occupied = directory.exists()
            && std::fs::read_dir(directory).map_err(dem_io::Error::system("read", directory))?.next().is_some();
        if occupied && !force {
            return Err(RunError::DirectoryExists(directory.to_path_buf()));
        }
        let fingerprint = scene_fingerprint(&loaded.resolved());
        let (simulation, branched) = first_state(loaded, origin)?;
        std::fs::create_dir_all(directory).map_err(dem_io::Error::system("create", directory))?;
        let lock = RunLock::acquire(directory)?;
        remove_strays(directory)?;
        clear(loaded, directory)?;
        write_scene(loaded, directory)?;
        Beginning::of(&simulation, branched.clone()).write(directory)?;
        let snapshots =
            SnapshotWriter::create(&directory.join("snapshots.vtkhdf"), &metadata(loaded, &fingerprint, &simulation))?;
        let series = SeriesWriter::create(directory.join("series.csv"), &measure::series_columns(&simulation.world))?;
        let path = directory.join("profiles.csv");
        let profiles = (!simulation.probes.is_idle()).then(|| SeriesWriter::create(path, &WallProbes::columns()));
        let profiles = profiles.transpose()?;
        let mut run = Self::assemble(loaded, directory, simulation, fingerprint, series, profiles, snapshots, lock);
        run.branched = branched;
        run.write_due()?;
        // no step is taken if the first frame cannot be written
        run.writer.flush()?;
        Ok(run)
    }

    /// Continues the run of a directory from a checkpoint, bit for bit. `state` names a checkpoint; `None` takes the latest.
    ///
    /// # Errors
    /// A checkpoint that is missing, damaged or of another scene; nothing is changed then.
    pub fn restart(loaded: &LoadedScene, directory: &Path, state: Option<&Path>) -> Result<Self, RunError> {
        let path = match state {
            Some(path) => state_path(path)?,
            None => {
                checkpoint_folder::latest(&directory.join("checkpoints"))?
                    .ok_or_else(|| RunError::NoCheckpoint(directory.to_path_buf()))?
                    .1
            }
        };
        let fingerprint = scene_fingerprint(&loaded.resolved());
        let mut simulation = builder::build_empty(loaded)?;
        open_state(&path)
            .and_then(|reader| saved_state::restore(&mut simulation, &reader, &fingerprint))
            .map_err(|error| RunError::SavedState { path, error })?;
        // more time than before may have been given
        if simulation.state.stopped.as_ref().is_some_and(StopReason::is_for_time)
            && simulation.end.is_none_or(|end| simulation.world.time < end)
        {
            simulation.state.stopped = None;
        }
        let lock = RunLock::acquire(directory)?;
        remove_strays(directory)?;
        let step = simulation.world.step;
        let frames = directory.join("snapshots.vtkhdf");
        let snapshots = if frames.exists() {
            dem_io::snapshot::truncate_after(&frames, step)?;
            SnapshotWriter::open_existing(&frames)?
        } else {
            SnapshotWriter::create(&frames, &metadata(loaded, &fingerprint, &simulation))?
        };
        let columns = measure::series_columns(&simulation.world);
        let rows = directory.join("series.csv");
        // if it goes on, the row goes that the end of the earlier call wrote out of turn: the series is that of a run without interruption
        let state = &simulation.state;
        let out_of_turn = state.stopped.is_none() && state.last_row.0 < simulation.world.time;
        let series = if rows.exists() {
            SeriesWriter::resume(rows, &columns, if out_of_turn { step.saturating_sub(1) } else { step })?
        } else {
            SeriesWriter::create(rows, &columns)?
        };
        write_scene(loaded, directory)?;
        let profiles = if simulation.probes.is_idle() {
            None
        } else {
            // an average that goes on was written when the run was interrupted, and will be again in full
            let unfinished = simulation.probes.duration() > 0.0;
            let kept = if unfinished { step.saturating_sub(1) } else { step };
            Some(SeriesWriter::resume(directory.join("profiles.csv"), &WallProbes::columns(), kept)?)
        };
        Ok(Self::assemble(loaded, directory, simulation, fingerprint, series, profiles, snapshots, lock))
    }

    fn assemble(
        loaded: &LoadedScene,
        directory: &Path,
        mut simulation: Simulation,
        fingerprint: String,
        series: SeriesWriter,
        profiles: Option<SeriesWriter>,
        snapshots: SnapshotWriter,
        lock: RunLock,
    ) -> Self {
        let output = &loaded.scene.output;
        let interval = |given: Option<dem_io::units::Quantity<dem_io::units::Time>>, default: f64| {
            given.map_or(default, |t| t.si())
        };
        let intervals =
            [interval(output.series, 0.01), interval(output.snapshots, 0.1), interval(output.checkpoints, 0.5)];
        // a checkpoint counts in the intervals of its time, which may have been longer or shorter
        let now = simulation.world.time + 0.5 * simulation.world.time_step;
        let state = &mut simulation.state;
        for (next, (interval, counted)) in
            state.outputs.iter_mut().zip(intervals.into_iter().zip(state.output_intervals))
        {
            if interval != counted {
                *next = next_output(now, interval).min(*next);
            }
        }
        state.output_intervals = intervals;
        Self {
            simulation,
            branched: None,
            directory: directory.to_path_buf(),
            fingerprint,
            title: loaded.scene.title.clone(),
            seed: loaded.scene.seed,
            picture: PictureRequest::from_scene(&output.picture),
            series,
            profiles,
            writer: Writer::new(snapshots, directory.join("checkpoints")),
            intervals,
            contacts: output.contacts.unwrap_or(true),
            started: Instant::now(),
            waited: Duration::ZERO,
            particle_steps: 0.0,
            last_checkpoint: None,
            failure: None,
            _lock: lock,
        }
    }
}

/// What a run of a scene begins with, and what became of the saved state if it branches from one.
///
/// # Errors
/// A scene that cannot be built, a saved state that cannot be used.
pub fn first_state(loaded: &LoadedScene, origin: &Origin) -> Result<(Simulation, Option<Branched>), RunError> {
    match origin {
        Origin::Scene => {
            let mut simulation = builder::build(loaded)?;
            simulation.initialise()?;
            Ok((simulation, None))
        }
        Origin::Branch(path) => {
            let path = state_path(path)?;
            let mut simulation = builder::build_empty(loaded)?;
            let branched = open_state(&path)
                .and_then(|reader| saved_state::branch(&mut simulation, loaded, &reader))
                .map_err(|error| RunError::SavedState { path, error })?;
            builder::check_walls(loaded, &simulation)?;
            Ok((simulation, Some(branched)))
        }
    }
}

/// A checkpoint named directly, or the latest of a run directory.
fn state_path(path: &Path) -> Result<PathBuf, RunError> {
    if !path.is_dir() {
        return Ok(path.to_path_buf());
    }
    let folder = path.join("checkpoints");
    let folder = if folder.is_dir() { folder } else { path.to_path_buf() };
    Ok(checkpoint_folder::latest(&folder)?.ok_or_else(|| RunError::NoCheckpoint(path.to_path_buf()))?.1)
}

fn open_state(path: &Path) -> Result<CheckpointReader, SavedStateError> {
    Ok(CheckpointReader::open(path)?)
}

/// Removes what a process has left that was killed while it wrote, in a directory that nobody else writes to now.
fn remove_strays(directory: &Path) -> Result<(), RunError> {
    for folder in ["", "checkpoints"].into_iter().chain(builder::copy_folders()) {
        atomic::remove_unfinished(&directory.join(folder))?;
    }
    Ok(())
}

/// Removes the engine's own files of an earlier run; anything else in the directory is left alone.
fn clear(loaded: &LoadedScene, directory: &Path) -> Result<(), RunError> {
    for name in OWN_FILES {
        let path = directory.join(name);
        if path.exists() {
            std::fs::remove_file(&path).map_err(dem_io::Error::system("remove", &path))?;
        }
    }
    let folder = directory.join("checkpoints");
    if folder.is_dir() {
        for (_, path) in checkpoint_folder::list(&folder)? {
            std::fs::remove_file(&path).map_err(dem_io::Error::system("remove", &path))?;
        }
    }
    builder::remove_copies(loaded, directory)?;
    Ok(())
}

/// Writes the scene with all overrides, and copies of the files that it names.
fn write_scene(loaded: &LoadedScene, directory: &Path) -> Result<(), RunError> {
    builder::write_copies(loaded, directory)?;
    let path = directory.join("scene.resolved.toml");
    atomic::write_atomically(&path, loaded.resolved().to_string().as_bytes())?;
    Ok(())
}

/// Provenance of the frames.
fn metadata(loaded: &LoadedScene, fingerprint: &str, simulation: &Simulation) -> BTreeMap<String, String> {
    let materials: Vec<&str> = simulation.world.materials.iter().map(|m| m.name.as_str()).collect();
    let walls: Vec<&str> = simulation.world.walls.iter().map(|w| w.name.as_str()).collect();
    BTreeMap::from([
        ("engine".to_owned(), machine::engine()),
        ("title".to_owned(), loaded.scene.title.clone()),
        ("scene_fingerprint".to_owned(), fingerprint.to_owned()),
        ("scene".to_owned(), loaded.resolved().to_string()),
        ("machine".to_owned(), Machine::here(simulation.pipeline.forces.width.name()).to_string()),
        ("seed".to_owned(), loaded.scene.seed.to_string()),
        ("materials".to_owned(), materials.join("\n")),
        ("walls".to_owned(), walls.join("\n")),
        ("time_step_criterion".to_owned(), simulation.state.time_step_criterion.clone()),
    ])
}
