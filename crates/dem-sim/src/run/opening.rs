//! Beginning a run in a directory.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dem_io::directory_lock::{DirectoryLock, is_unused};
use dem_io::replacement::{self, Replacement};
use dem_io::series::SeriesWriter;
use dem_io::snapshot::SnapshotWriter;

use super::beginning::Beginning;
use super::components::Run;
use super::directory::{metadata, remove_strays, write_scene};
use super::due;
use super::error::RunError;
use super::log::Log;
use super::origin::{Origin, first_state};
use super::outputs::Outputs;
use super::own_files::{CHECKPOINTS, CHOSEN_CONTACTS, LOG, PROFILES, SERIES, SNAPSHOTS, own_files};
use super::refusals;
use super::team::Team;
use super::writer::Writer;
use crate::builder::loaded_scene::LoadedScene;
use crate::builder::scenery::moving_walls;
use crate::checkpoint::fingerprint::scene_fingerprint;
use crate::environment::timing::PhaseClock;
use crate::measure;
use crate::pictures::request::PictureRequest;
use crate::scene_check::plausibility::doubts_of_a_run;
use crate::simulation::components::Simulation;
use crate::wall_probes::probes::WallProbes;

impl Run {
    /// Begins a run in a new directory, or with `force` in place of the run that is in it. An earlier run goes when the new one is there with
    /// its first row and frame.
    ///
    /// # Errors
    /// Nothing is written, and nothing of an earlier run is lost, if the scene is wrong, the directory is in use or holds something else, or
    /// something cannot be written.
    pub fn begin(loaded: &LoadedScene, directory: &Path, origin: &Origin, force: bool) -> Result<Self, RunError> {
        Self::begin_on(loaded, directory, origin, force, None)
    }

    /// The same as the leader of several ranks, if there are: the others [follow](super::follow). The files are the same.
    ///
    /// # Errors
    /// As [`Self::begin`], and a scene that asks for what ranks cannot do.
    pub fn begin_on(
        loaded: &LoadedScene,
        directory: &Path,
        origin: &Origin,
        force: bool,
        team: Option<Team>,
    ) -> Result<Self, RunError> {
        let log = Log::begin();
        log.note_beginning(&loaded.scene.title);
        log.listen(|| Self::begin_with(loaded, directory, origin, force, team, &log))
    }

    fn begin_with(
        loaded: &LoadedScene,
        directory: &Path,
        origin: &Origin,
        force: bool,
        team: Option<Team>,
        log: &Log,
    ) -> Result<Self, RunError> {
        // reported before the work of building it
        refuse_occupied(directory, force)?;
        let resolved = loaded.resolved();
        let fingerprint = scene_fingerprint(&resolved);
        let (simulation, branched) = first_state(loaded, origin)?;
        if let Some(team) = &team {
            refusals::check(&simulation)?;
            team.compare(&resolved)?;
        }
        log.reach(simulation.world.step, simulation.world.time);
        if let Origin::Branch(state) = origin {
            log.note(&format!("begins from {}", state.display()));
        }
        for doubt in doubts_of_a_run(loaded, &simulation) {
            tracing::warn!("{doubt}");
        }
        let lock = Arc::new(DirectoryLock::acquire(directory)?);
        replacement::complete(directory)?;
        // checked with the owner: another run may have begun there meanwhile
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
            .then(|| SeriesWriter::create(path, &measure::chosen_contact_columns(&simulation.world)))
            .transpose()?;
        let writer = Writer::new(snapshots, folder.join(CHECKPOINTS), Arc::clone(&lock), log.lines());
        // held here, too, so that what is given up goes before the claim
        let mut run = Self::assemble(loaded, directory, simulation, fingerprint, Arc::clone(&lock), log.clone());
        run.outputs = Some(Outputs { series, profiles, contacts, writer });
        run.branched = branched;
        run.team = team;
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
        log.write_to(&directory.join(LOG));
        Ok(run)
    }

    pub(super) fn assemble(
        loaded: &LoadedScene,
        directory: &Path,
        mut simulation: Simulation,
        fingerprint: String,
        lock: Arc<DirectoryLock>,
        log: Log,
    ) -> Self {
        let output = &loaded.scene.output;
        due::count_outputs(&mut simulation, output);
        simulation.pipeline.forces.clock = Some(PhaseClock::sampling());
        Self {
            simulation,
            branched: None,
            directory: directory.to_path_buf(),
            fingerprint,
            title: loaded.scene.title.clone(),
            seed: loaded.scene.seed,
            picture: output.pictures.unwrap_or(true).then(|| PictureRequest::from_scene(&output.picture)),
            moving_walls: moving_walls(&loaded.scene),
            outputs: None,
            continuation: None,
            contacts: output.contacts_in_snapshots(),
            started: Instant::now(),
            stepping: Duration::ZERO,
            waited: Duration::ZERO,
            particle_steps: 0.0,
            checkpoints: Vec::new(),
            failure: None,
            summary: None,
            team: None,
            lock,
            log,
        }
    }
}

/// Refuses a directory that holds anything but what killed processes leave, unless it is to be replaced.
fn refuse_occupied(directory: &Path, force: bool) -> Result<(), RunError> {
    if force || is_unused(directory)? { Ok(()) } else { Err(RunError::DirectoryExists(directory.to_path_buf())) }
}
