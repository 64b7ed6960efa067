//! All probes of a saved state: what they are, doing them side by side.
//!
//! Every probe is a small file of its own (`files.rs`), written whole or not at all, so that a campaign can be interrupted at any time, divided among
//! independent jobs and put together again. A file is good for one campaign only: that of its state, laws and directions.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use dem_io::atomic::{remove_unfinished, write_atomically};
use dem_io::checkpoint::CheckpointReader;
use dem_io::directory_lock::DirectoryHandle;
use dem_io::document::Override;
use dem_report::ReportError;
use dem_report::shard::Shard;
use dem_sim::builder::{self, LoadedScene, load_scene};
use dem_sim::checkpoint::TakenOver;
use dem_sim::checkpoint::{self, scene_fingerprint};
use dem_sim::simulation::Simulation;
use xxhash_rust::xxh3::xxh3_128;

use super::description::{Description, Task};
use super::files::{CampaignFile, DESCRIPTION_FILE, PROBES, ProbeFile, path_of, read_probe, to_json};
use super::law_choice::LawChoice;
use super::options::Options;
use super::plane::combine;
use super::response::{Procedure, Response, probe};
use crate::error::StudyError;

/// A saved state with the scenes of its laws.
pub struct Campaign {
    /// What is probed and how.
    pub description: Description,
    base: LoadedScene,
    scene_fingerprint: String,
    state: Vec<u8>,
    laws: Vec<LawScene>,
    strains: Vec<[f64; 6]>,
}

/// The scene with another law.
struct LawScene {
    scene: LoadedScene,
    friction: Option<f64>,
}

impl Campaign {
    /// Reads scene and state and finds out whether they can be probed with all laws.
    ///
    /// # Errors
    /// A scene or state that cannot be used, a law that the scene refuses.
    pub fn new(options: &Options) -> Result<Self, StudyError> {
        let load = |changes: &[String]| {
            let texts = options.set.iter().chain(changes);
            let overrides = texts.map(|text| Override::parse(text)).collect::<Result<Vec<_>, _>>()?;
            load_scene(&options.scene, &overrides)
        };
        let base = load(&[])?;
        let state =
            dem_io::regular_file::read(&options.state).map_err(dem_io::Error::system("read", &options.state))?;
        let mut choices = options.laws.clone();
        if choices.is_empty() {
            choices.push(LawChoice::of_scene(&base.scene));
        }
        choices.push(LawChoice::elastic());
        let mut names = Vec::new();
        let mut laws = Vec::new();
        for choice in &choices {
            let scene = load(&choice.changes)?;
            let friction = choice.friction.map_or_else(String::new, |friction| format!(" friction {friction}"));
            names.push((choice.label.clone(), scene_fingerprint(&scene.resolved()) + &friction));
            laws.push(LawScene { scene, friction: choice.friction });
        }
        let axis = options.axis;
        let basis = options.plane.basis(axis);
        let directions = options.plane.directions(options.directions, options.seed);
        let mut campaign = Self {
            description: Description {
                engine: dem_sim::machine::engine(),
                state: format!("{:032x}", xxh3_128(&state)),
                particles: 0,
                time_step: 0.0,
                axis,
                plane: options.plane,
                directions: directions.len(),
                seed: options.seed,
                laws: names,
                histories: Vec::new(),
                steps: options.steps.clone(),
                relax: options.relax.clone(),
                magnitudes: options.magnitudes.iter().map(|magnitude| format!("{magnitude:e}")).collect(),
                unload: options.unload,
                sliding_share: 0.0,
                mobilised_share: 0.0,
            },
            scene_fingerprint: scene_fingerprint(&base.resolved()),
            base,
            state,
            laws,
            strains: directions.iter().map(|direction| combine(&basis, direction)).collect(),
        };
        for law in 0..campaign.laws.len() {
            let (mut simulation, taken) = campaign.restored(law)?;
            if taken.dropped > 0 && !options.drop_histories {
                let (label, of) = (&campaign.description.laws[law].0, taken.kept + taken.dropped);
                return Err(StudyError::Probe(format!(
                    "{label} does not go on from the histories of {}, the law of the state: {} of {of} contacts would begin anew; give a law that \
                     does, or --drop-histories",
                    LawChoice::of_scene(&campaign.base.scene).label,
                    taken.dropped
                )));
            }
            campaign.description.histories.push(taken);
            if simulation.world.deformation.is_none() || simulation.world.cell.periodic != [true; 3] {
                let text =
                    "the scene has no [cell] that is periodic along x, y and z: only periodic samples can be probed";
                return Err(StudyError::Probe(text.to_owned()));
            }
            if law == 0 {
                // a restored state has histories but no forces: one step shows which contacts slide
                let description = &mut campaign.description;
                description.particles = simulation.world.particles.len() as u64;
                description.time_step = simulation.world.time_step;
                let nothing = Procedure { steps: 1, relax: 0, magnitude: 1e-6, unload: 0 };
                let response = probe(&mut simulation, [0.0; 6], &nothing)?;
                description.sliding_share = response.sliding_share;
                description.mobilised_share = response.mobilised_share;
            }
        }
        Ok(campaign)
    }

    /// The saved state under a law.
    fn restored(&self, law: usize) -> Result<(Simulation, TakenOver), StudyError> {
        let mut simulation = builder::build_empty(&self.base)?;
        let reader = CheckpointReader::from_bytes(self.state.clone())?;
        checkpoint::restore(&mut simulation, &reader, &self.scene_fingerprint)?;
        let LawScene { scene, friction } = &self.laws[law];
        let taken = simulation.adopt_contact(scene, *friction)?;
        Ok((simulation, taken))
    }

    fn respond(&self, task: &Task) -> Result<Response, StudyError> {
        let strain = task.direction.map_or([0.0; 6], |k| self.strains[k].map(|x| x * task.procedure.magnitude));
        probe(&mut self.restored(task.law)?.0, strain, &task.procedure)
    }

    /// Does the probes of a part of the campaign that a folder does not hold yet, each by one of some threads. `tell` hears how many of how many are
    /// done.
    ///
    /// # Errors
    /// A folder of another campaign, a file that cannot be written. A probe that fails is no error: its file says why.
    pub fn work(
        &self,
        folder: &Path,
        shard: Shard,
        threads: usize,
        tell: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<(), StudyError> {
        let campaign = CampaignFile::new(self.description.clone())?;
        if let Some(present) = CampaignFile::read(folder)? {
            campaign.must_be(&present, folder)?;
        }
        let probes = folder.join(PROBES);
        // described before anything else is there: one that is killed in between is known for its own when it is called again
        std::fs::create_dir_all(folder).map_err(dem_io::Error::system("create directory", folder))?;
        let held = DirectoryHandle::open(folder)?;
        // what an interrupted call left; other jobs may be writing theirs
        let is_alone = shard == Shard::WHOLE;
        if is_alone {
            remove_unfinished(folder)?;
        }
        write_atomically(&folder.join(DESCRIPTION_FILE), to_json(&campaign, DESCRIPTION_FILE)?.as_bytes())?;
        std::fs::create_dir_all(&probes).map_err(dem_io::Error::system("create directory", &probes))?;
        if is_alone {
            remove_unfinished(&probes)?;
        }
        let all = self.description.tasks();
        let own = all.into_iter().enumerate().filter(|&(index, _)| shard.holds(index)).map(|(_, task)| task);
        let own: Vec<Task> = own.collect();
        let total = own.len();
        let mut due = Vec::new();
        for task in own {
            // one that failed is tried again
            if !matches!(read_probe(&probes, &task.name, &campaign.fingerprint)?, Some(Ok(_))) {
                due.push(task);
            }
        }
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(total - due.len()));
        let error = Mutex::new(None);
        let work = || -> Result<(), StudyError> {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(ReportError::from)?;
            while let Some(task) = due.get(next.fetch_add(1, Ordering::Relaxed)) {
                let outcome = pool.install(|| self.respond(task));
                let (response, failure) = match outcome {
                    Ok(response) => (Some(response), None),
                    Err(error) => (None, Some(error.to_string())),
                };
                let file = ProbeFile { campaign: campaign.fingerprint.clone(), response, failure };
                let text = to_json(&file, &task.name)?;
                held.check()?;
                write_atomically(&path_of(&probes, &task.name), text.as_bytes())?;
                tell(done.fetch_add(1, Ordering::Relaxed) + 1, total);
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            for _ in 0..threads.min(due.len()) {
                scope.spawn(|| {
                    if let Err(found) = work() {
                        // nobody begins another probe
                        next.store(due.len(), Ordering::Relaxed);
                        *error.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(found);
                    }
                });
            }
        });
        error.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).map_or(Ok(()), Err)
    }
}
