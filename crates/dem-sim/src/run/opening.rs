//! Beginning a run in a directory.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use dem_io::checkpoint::CheckpointReader;
use dem_io::directory_lock::{DirectoryLock, is_unused};
use dem_io::replacement::{self, Replacement};
use dem_io::series::SeriesWriter;
use dem_io::snapshot::SnapshotWriter;
use dem_io::{atomic, checkpoint_folder};

use super::outputs::Outputs;
use super::own_files::{CHECKPOINTS, CHOSEN_CONTACTS, PROFILES, SCENE, SERIES, SNAPSHOTS, own_files};
use super::writer::Writer;
use super::{Beginning, PictureRequest, Run, RunError};
use crate::builder::{self, LoadedScene, NamedFile};
use crate::instants;
use crate::machine::{self, Machine};
use crate::measure;
use crate::phases::PhaseClock;
use crate::saved_state::{self, Branched, SavedStateError, scene_fingerprint};
use crate::simulation::Simulation;
use crate::wall_probes::WallProbes;

/// Where the particles come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// From the scene.
    Scene,
    /// From a saved state, as a new branch.
    Branch(PathBuf),
}

impl Run {
    /// Begins a run in a new directory, or with `force` in place of the run that is in it. An earlier run goes when the new one is there with
    /// its first row and frame.
    ///
    /// # Errors
    /// Nothing is written, and nothing of an earlier run is lost, if the scene is wrong, the directory is in use or holds something else, or
    /// something cannot be written.
    pub fn begin(loaded: &LoadedScene, directory: &Path, origin: &Origin, force: bool) -> Result<Self, RunError> {
        // told before the work of building it
        refuse_occupied(directory, force)?;
        let resolved = loaded.resolved();
        let fingerprint = scene_fingerprint(&resolved);
        let (simulation, branched) = first_state(loaded, origin)?;
        let lock = Arc::new(DirectoryLock::acquire(directory)?);
        replacement::complete(directory)?;
        // asked of the owner: another run may have begun there meanwhile
        refuse_occupied(directory, force)?;
        remove_strays(directory)?;
        let new = Replacement::begin(directory)?;
        let folder = new.folder();
        write_scene(&resolved.to_string(), &loaded.files, &folder)?;
        Beginning::of(&simulation, branched.clone()).write(&folder)?;
        let metadata = metadata(loaded, &fingerprint, &simulation);
        let snapshots = SnapshotWriter::create(&folder.join(SNAPSHOTS), &metadata)?;
        let series = SeriesWriter::create(folder.join(SERIES), &measure::series_columns(&simulation.world))?;
        let path = folder.join(PROFILES);
        let profiles = (!simulation.probes.is_idle()).then(|| SeriesWriter::create(path, &WallProbes::columns()));
        let profiles = profiles.transpose()?;
        let path = folder.join(CHOSEN_CONTACTS);
        let contacts = (!simulation.chosen_contacts.is_empty())
            .then(|| SeriesWriter::create(path, &measure::chosen_contact_columns()))
            .transpose()?;
        let writer = Writer::new(snapshots, folder.join(CHECKPOINTS), Arc::clone(&lock));
        // held here, too, so that what is given up goes before the claim
        let mut run = Self::assemble(loaded, directory, simulation, fingerprint, Arc::clone(&lock));
        run.outputs = Some(Outputs { series, profiles, contacts, writer });
        run.branched = branched;
        let begun = Instant::now();
        run.write_due(true)?;
        // no step is taken if the first frame cannot be written
        run.flush()?;
        run.waited += begun.elapsed();
        run.lock.check()?;
        new.put_in_place(&own_files(directory)?)?;
        if let Some(outputs) = &mut run.outputs {
            outputs.move_to(directory)?;
        }
        Ok(run)
    }

    pub(super) fn assemble(
        loaded: &LoadedScene,
        directory: &Path,
        mut simulation: Simulation,
        fingerprint: String,
        lock: Arc<DirectoryLock>,
    ) -> Self {
        let output = &loaded.scene.output;
        let interval = |given: Option<dem_io::units::Quantity<dem_io::units::Time>>, default: f64| {
            given.map_or(default, |t| t.si())
        };
        let intervals =
            [interval(output.series, 0.01), interval(output.snapshots, 0.1), interval(output.checkpoints, 0.5)];
        // a checkpoint counts in the intervals of its time, which may have been longer or shorter
        let now = instants::now(&simulation.world);
        let state = &mut simulation.state;
        for (next, (interval, counted)) in
            state.outputs.iter_mut().zip(intervals.into_iter().zip(state.output_intervals))
        {
            if interval != counted {
                *next = instants::next(now, interval).min(*next);
            }
        }
        state.output_intervals = intervals;
        simulation.pipeline.forces.clock = Some(PhaseClock::sampling());
        Self {
            simulation,
            branched: None,
            directory: directory.to_path_buf(),
            fingerprint,
            title: loaded.scene.title.clone(),
            seed: loaded.scene.seed,
            picture: output.pictures.unwrap_or(true).then(|| PictureRequest::from_scene(&output.picture)),
            outputs: None,
            continuation: None,
            intervals,
            contacts: output.contacts_in_snapshots(),
            started: Instant::now(),
            stepping: Duration::ZERO,
            waited: Duration::ZERO,
            particle_steps: 0.0,
            checkpoints: Vec::new(),
            failure: None,
            summary: None,
            lock,
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
///
/// # Errors
/// A directory that holds none, or cannot be read.
pub fn state_path(path: &Path) -> Result<PathBuf, RunError> {
    if !path.is_dir() {
        return Ok(path.to_path_buf());
    }
    let folder = path.join(CHECKPOINTS);
    let folder = if folder.is_dir() { folder } else { path.to_path_buf() };
    Ok(checkpoint_folder::latest(&folder)?.ok_or_else(|| RunError::NoCheckpoint(path.to_path_buf()))?.1)
}

pub(super) fn open_state(path: &Path) -> Result<CheckpointReader, SavedStateError> {
    Ok(CheckpointReader::open(path)?)
}

/// Refuses a directory that holds anything but what killed processes leave, unless it is to be replaced.
fn refuse_occupied(directory: &Path, force: bool) -> Result<(), RunError> {
    if force || is_unused(directory)? { Ok(()) } else { Err(RunError::DirectoryExists(directory.to_path_buf())) }
}

/// Removes what a process has left that was killed while it wrote, in a directory that nobody else writes to now.
pub(super) fn remove_strays(directory: &Path) -> Result<(), RunError> {
    for folder in ["", CHECKPOINTS].into_iter().chain(builder::copy_folders()) {
        atomic::remove_unfinished(&directory.join(folder))?;
    }
    Ok(())
}

/// Writes the scene with all overrides, and copies of the files that it names.
pub(super) fn write_scene(resolved: &str, files: &[NamedFile], directory: &Path) -> Result<(), RunError> {
    builder::write_copies(files, directory)?;
    atomic::write_atomically(&directory.join(SCENE), resolved.as_bytes())?;
    Ok(())
}

/// Provenance of the frames.
pub(super) fn metadata(loaded: &LoadedScene, fingerprint: &str, simulation: &Simulation) -> BTreeMap<String, String> {
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
        ("sources".to_owned(), simulation.world.provenance.names().join("\n")),
        ("time_step_criterion".to_owned(), simulation.state.time_step_criterion.clone()),
    ])
}
