//! A run: a simulation, its directory, and what is written there when.
//!
//! | file | contents |
//! |---|---|
//! | `scene.resolved.toml` | the scene with all overrides |
//! | `meshes/` | the meshes that it names |
//! | `snapshots.vtkhdf` | frames: particles, contacts, walls |
//! | `series.csv` | one row per output time |
//! | `profiles.csv` | averages of wall probes, if there are any |
//! | `checkpoints/step_<12 digits>.ckpt` | the last two states |
//! | `beginning.json` | what the run began with |
//! | `summary.json` | what the run came to |
//! | `picture.png`, `energy.png`, `coordination.png`, `profiles.png` | to look at |

mod beginning;
mod frame;
mod pictures;
mod profile_plots;
mod summary;

pub use beginning::Beginning;
pub use frame::{CELL_EDGES, frame};
pub use pictures::{PictureRequest, plot_series, render_frame, series_figures};
pub use summary::Summary;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use dem_io::checkpoint::CheckpointReader;
use dem_io::document::SceneError;
use dem_io::run_lock::RunLock;
use dem_io::series::{SeriesError, SeriesWriter};
use dem_io::snapshot::SnapshotWriter;
use dem_io::{atomic, checkpoint_folder};

use crate::builder::{self, LoadedScene};
use crate::machine::{self, Machine};
use crate::measure;
use crate::saved_state::{self, Branched, SavedStateError, scene_fingerprint};
use crate::simulation::{Simulation, SimulationError};
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
/// Checkpoints that are kept.
const KEPT_CHECKPOINTS: usize = 2;

/// Why a run could not begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The scene is wrong.
    #[error("{0}")]
    Scene(#[from] SceneError),
    /// A file could not be written or read.
    #[error("{0}")]
    File(#[from] dem_io::Error),
    /// The series could not be written.
    #[error("{0}")]
    Series(#[from] SeriesError),
    /// A picture or plot could not be drawn.
    #[error("{0}")]
    View(#[from] dem_view::ViewError),
    /// The saved state could not be used.
    #[error("{path}: {error}")]
    SavedState {
        /// The checkpoint.
        path: PathBuf,
        /// What is wrong with it.
        error: SavedStateError,
    },
    /// The directory holds something already.
    #[error(
        "{0} exists already: give --force to replace the run in it, --restart latest to continue it, or another --out"
    )]
    DirectoryExists(PathBuf),
    /// There is no checkpoint to continue from.
    #[error("{0} holds no checkpoint")]
    NoCheckpoint(PathBuf),
    /// The simulation failed; what there was has been written.
    #[error("{0}")]
    Simulation(#[from] SimulationError),
    /// The simulation failed, and what there was could not be written.
    #[error("{error}; the state could not be saved: {file}")]
    Unsaved {
        /// Why the simulation failed.
        error: SimulationError,
        /// Why it could not be written.
        file: Box<RunError>,
    },
}

impl RunError {
    /// Whether the simulation itself failed, as opposed to its input or its files.
    pub fn is_simulation_failure(&self) -> bool {
        matches!(self, Self::Simulation(_) | Self::Unsaved { .. })
    }
}

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

/// What progress reports show.
#[derive(Clone, Debug, PartialEq)]
pub struct Status {
    /// Step.
    pub step: u64,
    /// Time \[s\].
    pub time: f64,
    /// Stage.
    pub stage: String,
    /// Particles.
    pub particles: usize,
    /// Touching contacts.
    pub contacts: usize,
    /// Kinetic energy \[J\].
    pub kinetic_energy: f64,
    /// Particle-steps per second of wall time since the last report.
    pub rate: f64,
    /// Share of the run that is done, if it can be told.
    pub done: Option<f64>,
    /// Wall time left at the present pace, if it can be told.
    pub remaining: Option<Duration>,
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
    picture: PictureRequest,
    series: SeriesWriter,
    /// Only with wall probes.
    profiles: Option<SeriesWriter>,
    snapshots: SnapshotWriter,
    intervals: [f64; 3],
    contacts: bool,
    started: Instant,
    particle_steps: f64,
    last_checkpoint: Option<u64>,
    failure: Option<String>,
    _lock: RunLock,
}

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
        atomic::remove_unfinished(directory)?;
        clear(directory)?;
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
        if simulation.state.stopped == Some(crate::simulation::StopReason::EndOfTime)
            && simulation.end.is_none_or(|end| simulation.world.time < end)
        {
            simulation.state.stopped = None;
        }
        let lock = RunLock::acquire(directory)?;
        atomic::remove_unfinished(directory)?;
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
            snapshots,
            intervals,
            contacts: output.contacts.unwrap_or(true),
            started: Instant::now(),
            particle_steps: 0.0,
            last_checkpoint: None,
            failure: None,
            _lock: lock,
        }
    }

    /// Directory of the run.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Runs until the simulation ends, a bound is reached, or `interrupted` becomes true. Writes what is due on the way and, at the
    /// end, a last row, frame and checkpoint.
    ///
    /// # Errors
    /// A failed step: the last state, row and frame are written first. A file that cannot be written.
    pub fn execute(
        &mut self,
        bounds: &RunBounds,
        interrupted: &AtomicBool,
        report: &mut dyn FnMut(&Status),
    ) -> Result<Ended, RunError> {
        let mut last_report = (Instant::now(), self.particle_steps);
        let begin = (Instant::now(), self.progress(bounds));
        let ended = loop {
            if self.simulation.state.stopped.is_some() {
                break Ended::Finished;
            }
            let world = &self.simulation.world;
            if bounds.step.is_some_and(|step| world.step >= step) || bounds.time.is_some_and(|time| world.time >= time)
            {
                break Ended::Bound;
            }
            if interrupted.load(Ordering::Relaxed) {
                break Ended::Interrupted;
            }
            if let Err(error) = self.simulation.advance() {
                self.failure = Some(error.to_string());
                return Err(match self.write_last() {
                    Ok(()) => error.into(),
                    Err(file) => RunError::Unsaved { error, file: Box::new(file) },
                });
            }
            self.particle_steps += self.simulation.world.particles.len() as f64;
            self.write_due()?;
            if self.simulation.world.step.is_multiple_of(16) && last_report.0.elapsed() >= Duration::from_millis(500) {
                let status = self.status(bounds, &begin, &last_report);
                report(&status);
                last_report = (Instant::now(), self.particle_steps);
            }
        };
        report(&self.status(bounds, &begin, &last_report));
        self.write_last()?;
        Ok(ended)
    }

    /// Share of the run that is done, if the end is known.
    fn progress(&self, bounds: &RunBounds) -> Option<f64> {
        let world = &self.simulation.world;
        let by_time = [bounds.time, self.simulation.end].into_iter().flatten().fold(f64::INFINITY, f64::min);
        let by_step = bounds.step.map_or(0.0, |step| world.step as f64 / step.max(1) as f64);
        let done = (world.time / by_time).max(by_step);
        (done > 0.0 || by_time.is_finite() || bounds.step.is_some()).then_some(done.min(1.0))
    }

    fn status(&self, bounds: &RunBounds, begin: &(Instant, Option<f64>), last: &(Instant, f64)) -> Status {
        let world = &self.simulation.world;
        let count = world.contact_count();
        let p = &world.particles;
        let done = self.progress(bounds);
        let remaining = done.zip(begin.1).and_then(|(done, start)| {
            let gained = done - start;
            (gained > 1e-6).then(|| begin.0.elapsed().mul_f64(((1.0 - done) / gained).clamp(0.0, 1e9)))
        });
        Status {
            step: world.step,
            time: world.time,
            stage: self.simulation.stage_name().to_owned(),
            particles: p.len(),
            contacts: count.pairs + count.walls,
            kinetic_energy: (0..p.len())
                .map(|s| {
                    0.5 * p.mass[s] * p.velocity[s].length_squared()
                        + 0.5 * p.inertia(s) * p.angular_velocity[s].length_squared()
                })
                .fold(0.0, |total, energy| total + energy),
            rate: (self.particle_steps - last.1) / last.0.elapsed().as_secs_f64().max(1e-9),
            done,
            remaining,
        }
    }

    /// Writes the rows, frames and checkpoints whose time has come.
    fn write_due(&mut self) -> Result<(), RunError> {
        let world = &self.simulation.world;
        let now = world.time + 0.5 * world.time_step;
        let mut due = [false; 3];
        for kind in 0..3 {
            let next = &mut self.simulation.state.outputs[kind];
            if now >= *next as f64 * self.intervals[kind] {
                *next = next_output(now, self.intervals[kind]);
                due[kind] = true;
            }
        }
        if due[0] {
            let row = measure::series_row(&self.simulation);
            self.series.append(&row)?;
            let world = &self.simulation.world;
            self.simulation.state.last_row = (world.time, world.removed_mass);
        }
        if self.simulation.probes.take_due(now, next_output) {
            self.append_profiles()?;
            self.simulation.probes.restart();
        }
        if due[1] {
            self.snapshots.append(&frame(&self.simulation.world, self.contacts))?;
        }
        // nothing has happened yet at step 0 that a checkpoint could save
        if due[2] && self.simulation.world.step > 0 {
            self.write_checkpoint()?;
        }
        Ok(())
    }

    /// Writes the averages of the wall probes so far.
    fn append_profiles(&mut self) -> Result<(), RunError> {
        if let Some(profiles) = &mut self.profiles {
            for row in self.simulation.probes.rows(&self.simulation.world) {
                profiles.append(&row)?;
            }
        }
        Ok(())
    }

    fn write_checkpoint(&mut self) -> Result<(), RunError> {
        let step = self.simulation.world.step;
        if self.last_checkpoint == Some(step) {
            return Ok(());
        }
        let bytes = saved_state::save(&self.simulation, &self.fingerprint)
            .map_err(|error| RunError::SavedState { path: self.directory.clone(), error })?;
        // what the checkpoint continues from must be on disk before it
        self.sync_tables()?;
        checkpoint_folder::write_and_prune(&self.directory.join("checkpoints"), step, &bytes, KEPT_CHECKPOINTS)?;
        self.last_checkpoint = Some(step);
        Ok(())
    }

    /// Waits until all rows are on the disk.
    fn sync_tables(&mut self) -> Result<(), RunError> {
        self.series.sync()?;
        if let Some(profiles) = &mut self.profiles {
            profiles.sync()?;
        }
        Ok(())
    }

    /// Writes the present state in full; changes nothing of it.
    fn write_last(&mut self) -> Result<(), RunError> {
        let p = &self.simulation.world.particles;
        let finite = [&p.position, &p.velocity, &p.angular_velocity].iter().all(|v| v.iter().all(|x| x.is_finite()));
        let step = self.simulation.world.step;
        if self.series.last_step().is_none_or(|last| last < step as f64) {
            let row = measure::series_row(&self.simulation);
            self.series.append(&row)?;
        }
        let is_written = |table: &SeriesWriter| table.last_step().is_some_and(|last| last >= step as f64);
        if self.simulation.probes.duration() > 0.0 && !self.profiles.as_ref().is_some_and(is_written) {
            self.append_profiles()?;
        }
        if finite && self.snapshots.last_step().is_none_or(|last| last < step) {
            self.snapshots.append(&frame(&self.simulation.world, self.contacts))?;
        }
        if finite {
            self.write_checkpoint()?;
        }
        self.sync_tables()
    }

    /// Writes summary, picture and plots of the present state and returns the summary.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn finish(&mut self, ended: Ended) -> Result<Summary, RunError> {
        let mut summary = Summary::of(
            &self.simulation,
            &self.title,
            self.seed,
            ended,
            self.started.elapsed(),
            self.particle_steps,
            &self.fingerprint,
        );
        if let Some(failure) = &self.failure {
            summary.stop_reason = format!("failed: {failure}");
        }
        let text = summary.to_json();
        atomic::write_atomically(&self.directory.join("summary.json"), text.as_bytes())?;
        match pictures::render_world(&self.simulation, &self.title, &self.picture) {
            Ok(image) => atomic::write_atomically(&self.directory.join("picture.png"), &image)?,
            // an empty or a diverged world; the results are written all the same
            Err(error) => tracing::warn!("no picture: {error}"),
        }
        match pictures::plot_series(&self.directory) {
            Err(RunError::View(error)) => tracing::warn!("no plots: {error}"),
            drawn => drop(drawn?),
        }
        Ok(summary)
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
            Ok((simulation, Some(branched)))
        }
    }
}

/// Number of the first output after `now`; they lie at whole multiples of `interval`.
pub(crate) fn next_output(now: f64, interval: f64) -> u64 {
    ((now / interval).floor() as u64).saturating_add(1)
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

/// Removes the engine's own files of an earlier run; anything else in the directory is left alone.
fn clear(directory: &Path) -> Result<(), RunError> {
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
    builder::remove_copies(directory)?;
    Ok(())
}

/// Writes the scene with all overrides, and copies of its meshes.
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
