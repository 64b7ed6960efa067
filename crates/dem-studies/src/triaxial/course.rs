//! A prepared sample and the courses of tests on it.

pub mod approach;

use std::path::Path;

use dem_contact::ParameterValue;
use dem_core::DMat3;
use dem_io::checkpoint::CheckpointReader;
use dem_report::progress::Teller;
use dem_report::unfinished::{Part, Unfinished};
use dem_sim::builder::{self, LoadedScene};
use dem_sim::checkpoint::{self, scene_fingerprint};
use dem_sim::deformation::control::{Component, Control, mean};
use dem_sim::measure::{self, StressMeasure, deviator};
use dem_sim::run::{Origin, first_state, state_path};
use dem_sim::simulation::Simulation;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use super::options::Options;
use super::point::{Course, Point, PreparedSample, SavedPoint};
use super::strength::sin_phi;
use crate::error::StudyError;
use crate::probe::LawChoice;

/// Strain that points are spread over if the scene has no condition for it.
const USUAL_STRAIN: f64 = 0.05;
/// Steps between two looks at q/p on the way to a state that is saved.
const LOOK_EVERY: u64 = 10;
/// Unbalanced force below which a state that is saved counts as at rest.
pub const AT_REST: f64 = 1e-6;
/// Most steps that are waited for it.
const PATIENCE: u64 = 100_000;

/// A sample at the beginning of the last stage of its scene.
pub struct Prepared<'a> {
    loaded: &'a LoadedScene,
    unfinished: &'a Unfinished,
    fingerprint: String,
    state: Vec<u8>,
    sample: PreparedSample,
    springs: Vec<f64>,
    in_vain: Vec<String>,
}

/// How far a preparation is.
#[derive(Default, Serialize, Deserialize)]
struct Progress {
    /// Stages that ended before what they wait for had come.
    in_vain: Vec<String>,
    /// What the sample is, if it is prepared.
    sample: Option<PreparedSample>,
}

/// How far a course is.
#[derive(Default, Serialize, Deserialize)]
struct Followed {
    points: Vec<Point>,
    /// Strain of the next point \[-\].
    next: f64,
    /// Steps of the whole course, if it is over.
    steps: Option<u64>,
}

/// A hash of a saved state, or of the latest of a run directory.
fn state_hash(path: &Path) -> Result<String, StudyError> {
    let file = state_path(path)?;
    let bytes = dem_io::regular_file::read(&file).map_err(dem_io::Error::system("read", &file))?;
    Ok(format!("{:032x}", xxh3_128(&bytes)))
}

fn refused(text: impl Into<String>) -> StudyError {
    StudyError::Triaxial(text.into())
}

impl<'a> Prepared<'a> {
    /// Runs a scene up to its last stage.
    ///
    /// # Errors
    /// A scene whose last stage does not deform the cell, a step that fails, a file of the unfinished test that cannot be used.
    /// A saved state that cannot be used.
    pub fn new(loaded: &'a LoadedScene, unfinished: &'a Unfinished, from: Option<&Path>) -> Result<Self, StudyError> {
        let fingerprint = scene_fingerprint(&loaded.resolved());
        let origin = from.map_or(Origin::Scene, |path| Origin::Branch(path.to_path_buf()));
        let begins = from.map(state_hash).transpose()?.unwrap_or_default();
        let mut part =
            unfinished.part("preparation", &loaded.resolved(), &format!("what it waits for, where it begins {begins}"));
        let left = part.read::<Progress>()?;
        let mut simulation = match &left {
            Some((_, state)) => restored(loaded, state, &fingerprint, |_| Ok(()))?,
            None => first_state(loaded, &origin)?.0,
        };
        let last = simulation.stages.len() - 1;
        if simulation.stages[last].deform.is_none() {
            let name = simulation.stages[last].name.clone();
            return Err(refused(format!("the last stage \"{name}\" does not deform the cell: it is the test")));
        }
        if simulation.world.cell.periodic != [true; 3] {
            return Err(refused("the cell is not periodic along x, y and z: a test between walls is a run of its own"));
        }
        let mut progress = match left {
            Some((Progress { in_vain, sample: Some(sample) }, state)) => {
                let springs = normal_stiffnesses(&simulation);
                return Ok(Self { loaded, unfinished, state, fingerprint, sample, springs, in_vain });
            }
            Some((progress, _)) => progress,
            None => Progress::default(),
        };
        let teller = Teller::begin();
        while simulation.state.stage < last {
            let (stage, begin) = (simulation.state.stage, simulation.state.stage_time);
            simulation.advance()?;
            if simulation.state.stage > stage {
                progress.in_vain.extend(waited_in_vain(&simulation, stage, begin));
            }
            teller.tell(|| {
                let (stage, world) = (simulation.stage_name(), &simulation.world);
                let unbalanced = measure::unbalanced_force(world);
                format!(
                    "stage {stage}: t = {:.4e} s, step {}, unbalanced force {unbalanced:.1e}",
                    world.time, world.step
                )
            });
            if simulation.state.stopped.is_some() {
                return Err(refused("time.end comes before the last stage begins"));
            }
            part.keep(&progress, || checkpoint::save(&simulation, &fingerprint).map_err(StudyError::from))?;
        }
        let point = point_of(&simulation, 0)?;
        // nothing is asked of the cell yet, and strains count from here
        let origin = Point { strain: 0.0, volumetric_strain: 0.0, inertial_number: 0.0, stress_error: 0.0, ..point };
        let fabric = StressMeasure::of(&simulation.world).fabric;
        let sample = PreparedSample {
            particles: simulation.world.particles.len(),
            porosity: point.porosity,
            coordination: point.coordination,
            mean_stress: point.mean_stress,
            stiffness_number: measure::value(&simulation, "stiffness_number").unwrap_or(f64::NAN),
            time_step: simulation.world.time_step,
            origin,
            fabric: [0, 1, 2].map(|axis| fabric.col(axis)[axis]),
        };
        let state = checkpoint::save(&simulation, &fingerprint)?;
        progress.sample = Some(sample);
        part.write(&progress, &state)?;
        let springs = normal_stiffnesses(&simulation);
        Ok(Self { loaded, unfinished, state, fingerprint, sample, springs, in_vain: progress.in_vain })
    }

    /// What the sample is.
    pub fn describe(&self) -> PreparedSample {
        self.sample
    }

    /// Stages that ended before what they wait for had come, a sentence each.
    pub fn in_vain(&self) -> &[String] {
        &self.in_vain
    }

    /// Whether the scene has no stage before the test.
    pub fn is_only_tested(&self) -> bool {
        self.loaded.scene.stages.len() <= 1
    }

    /// Spring constants of the law, if it has any \[N/m\].
    pub fn normal_stiffnesses(&self) -> Vec<f64> {
        self.springs.clone()
    }

    /// A course at its first point, the sample as it is prepared.
    fn beginning(&self, options: &Options) -> Followed {
        let origin = Point { fabric: self.sample.fabric[options.axis], ..self.sample.origin };
        Followed { points: vec![origin], ..Followed::default() }
    }

    /// What tells this sample from others of the same scene.
    fn sample_key(&self) -> String {
        format!("{:032x}", xxh3_128(&self.state))
    }

    fn restored(&self, state: &[u8]) -> Result<Simulation, StudyError> {
        restored(self.loaded, state, &self.fingerprint, |_| Ok(()))
    }

    /// The same with all rates of the last stage, and the time that conditions allow, changed by a factor.
    fn restored_at(&self, state: &[u8], factor: f64) -> Result<Simulation, StudyError> {
        restored(self.loaded, state, &self.fingerprint, |simulation| {
            let last = simulation.stages.len() - 1;
            let stage = &mut simulation.stages[last];
            stage.deform = stage.deform.map(|control| scaled(&control, factor)).transpose()?;
            stage.until.time = stage.until.time.map(|time| time / factor);
            stage.until.steps = stage.until.steps.map(|steps| (steps as f64 / factor) as u64);
            Ok(())
        })
    }

    /// Follows the last stage with all rates, and the time that conditions allow, changed by a factor.
    ///
    /// # Errors
    /// A step that fails, a file of the unfinished test that cannot be used.
    pub fn follow(&self, name: &str, options: &Options, factor: f64) -> Result<Course, StudyError> {
        let settings = format!("from zero {factor} {} {} {}", options.axis, options.points, self.sample_key());
        let mut part = self.unfinished.part(name, &self.loaded.resolved(), &settings);
        let (followed, state) = part.read()?.unwrap_or_else(|| (self.beginning(options), self.state.clone()));
        if let Followed { points, steps: Some(steps), .. } = followed {
            return Ok(Course { name: name.to_owned(), points, steps });
        }
        let simulation = self.restored_at(&state, factor)?;
        let keep = |part: &mut Part, followed: &Followed, simulation: &Simulation| {
            part.keep(followed, || checkpoint::save(simulation, &self.fingerprint).map_err(StudyError::from))
        };
        follow_from(simulation, followed, name, options, &mut part, keep)
    }

    /// Follows the last stage under the contact laws of another scene, which take over after its first step, when its actions have been done.
    ///
    /// # Errors
    /// A scene with other materials, a step that fails, a file of the unfinished test that cannot be used.
    pub fn follow_under(&self, name: &str, options: &Options, other: &LoadedScene) -> Result<Course, StudyError> {
        // the sample is that of its own scene
        let sample = self.sample_key();
        let settings = format!("from zero {} {} {sample} {}", options.axis, options.points, self.loaded.resolved());
        let mut simulation = self.restored(&self.state)?;
        simulation.advance()?;
        let taken = simulation.adopt_contact(other, None)?;
        let name = &match taken.dropped {
            0 => name.to_owned(),
            dropped if options.drop_histories => {
                format!("{name} ({dropped} of {} histories dropped)", taken.kept + dropped)
            }
            dropped => {
                return Err(refused(format!(
                    "the test {name} does not go on from the histories of {}: {dropped} of {} contacts would begin anew; give a law that does, \
                     or --drop-histories",
                    LawChoice::of_scene(&self.loaded.scene).label,
                    taken.kept + dropped
                )));
            }
        };
        let mut part = self.unfinished.part(name, &other.resolved(), &settings);
        if let Some((Followed { points, steps: Some(steps), .. }, _)) = part.read()? {
            return Ok(Course { name: name.to_owned(), points, steps });
        }
        // a state under other laws than those of the scene cannot be gone on from: only the whole course is kept
        follow_from(simulation, self.beginning(options), name, options, &mut part, |_, _, _| Ok(()))
    }

    /// Follows the last stage up to each fraction of the peak of a course, lets the sample come to rest there in a cell that holds still, and saves it.
    ///
    /// # Errors
    /// A step that fails.
    pub fn save_on_the_way(&self, options: &Options, course: &Course) -> Result<Vec<SavedPoint>, StudyError> {
        let Some(peak) = course.peak().map(|point| point.q_over_p) else { return Ok(Vec::new()) };
        let mut fractions = options.fractions.clone();
        fractions.sort_unstable_by(f64::total_cmp);
        fractions.dedup();
        let settings = format!("{fractions:?} {peak:?} {} {}", options.axis, self.sample_key());
        let mut part = self.unfinished.part("states", &self.loaded.resolved(), &settings);
        let left = part.read::<Vec<SavedPoint>>()?;
        let (mut saved, state) = left.unwrap_or_else(|| (Vec::new(), self.state.clone()));
        let mut simulation = self.restored(&state)?;
        let mut waiting = fractions.into_iter().skip(saved.len()).peekable();
        let teller = Teller::begin();
        while let Some(&fraction) = waiting.peek() {
            if simulation.state.stopped.is_some() {
                break;
            }
            simulation.advance()?;
            teller.tell(|| format!("on the way to states: q/p {:.3} of {:.3}", q_over_p(&simulation), fraction * peak));
            if simulation.world.step.is_multiple_of(LOOK_EVERY) && q_over_p(&simulation) >= fraction * peak {
                let reached = marked(&simulation, options.axis)?;
                let bytes = checkpoint::save(&simulation, &self.fingerprint)?;
                let mut resting = self.restored(&bytes)?;
                come_to_rest(&mut resting)?;
                let rested = marked(&resting, options.axis)?;
                saved.push(SavedPoint {
                    fraction,
                    reached: reached.0,
                    at_rest: rested.0,
                    mobilised: [reached.1, rested.1],
                    bytes: checkpoint::save(&resting, &self.fingerprint)?,
                });
                waiting.next();
            }
            part.keep(&saved, || checkpoint::save(&simulation, &self.fingerprint).map_err(StudyError::from))?;
        }
        Ok(saved)
    }
}

/// Says what a stage that began at `begin` \[s\] and has just ended was waiting for, if its time ended it.
fn waited_in_vain(simulation: &Simulation, stage: usize, begin: f64) -> Option<String> {
    let Simulation { world, stages, .. } = simulation;
    let stage = stages.get(stage)?;
    let until = &stage.until;
    let elapsed = world.time - begin;
    let is_over = until.time.is_some_and(|time| elapsed >= time);
    let awaited = match (until.at_rest, until.stress_reached.is_some()) {
        (true, _) => "rest",
        (_, true) => "its stress at equilibrium",
        _ => return None,
    };
    // the cell has begun its next stage: what is left of this one is the state of the spheres
    let unbalanced = measure::unbalanced_force(world);
    is_over.then(|| {
        format!(
            "stage \"{}\" waited for {awaited} for {elapsed} s in vain, unbalanced force {unbalanced:.1e}",
            stage.name
        )
    })
}

/// A simulation in a saved state of its scene; `adjust` may change its stages before.
fn restored(
    loaded: &LoadedScene,
    state: &[u8],
    fingerprint: &str,
    adjust: impl FnOnce(&mut Simulation) -> Result<(), StudyError>,
) -> Result<Simulation, StudyError> {
    let mut simulation = builder::build_empty(loaded)?;
    adjust(&mut simulation)?;
    let reader = CheckpointReader::from_bytes(state.to_vec())?;
    checkpoint::restore(&mut simulation, &reader, fingerprint)?;
    Ok(simulation)
}

/// Follows the last stage from where a course is to its end; `keep` may write how far it is.
fn follow_from(
    mut simulation: Simulation,
    mut followed: Followed,
    name: &str,
    options: &Options,
    part: &mut Part,
    keep: impl Fn(&mut Part, &Followed, &Simulation) -> Result<(), StudyError>,
) -> Result<Course, StudyError> {
    let axis = options.axis;
    let along = |bound: &&dem_sim::simulation::StrainBound| bound.component == Some((axis, axis));
    let stage = &simulation.stages[simulation.state.stage];
    let end = stage.until.strain.iter().find(along).map_or(USUAL_STRAIN, |bound| bound.value.abs());
    let spacing = end / options.points as f64;
    if followed.next == 0.0 {
        followed.next = spacing;
    }
    let teller = Teller::begin();
    while simulation.state.stopped.is_none() {
        simulation.advance()?;
        teller.tell(|| {
            let [strain, end] = [axial_strain(&simulation, axis), end].map(|strain| 100.0 * strain.abs());
            format!("{name}: strain {strain:.3} of {end:.3} %, q/p {:.3}", q_over_p(&simulation))
        });
        if axial_strain(&simulation, axis).abs() >= followed.next || simulation.state.stopped.is_some() {
            followed.points.push(point_of(&simulation, axis)?);
            followed.next = axial_strain(&simulation, axis).abs() + spacing * 0.999;
        }
        keep(part, &followed, &simulation)?;
    }
    let steps = simulation.world.step - simulation.state.stage_step;
    followed.steps = Some(steps);
    part.write(&followed, &[])?;
    Ok(Course { name: name.to_owned(), points: followed.points, steps })
}

/// Spring constants of the law, if it has any \[N/m\].
fn normal_stiffnesses(simulation: &Simulation) -> Vec<f64> {
    let springs = simulation.contact.pairs().into_iter().flat_map(|pair| pair.parameters);
    let springs = springs.filter_map(|(name, value)| match value {
        ParameterValue::Number(stiffness) if name == "normal_stiffness" => Some(stiffness),
        _ => None,
    });
    springs.collect()
}

/// A point and the share of contacts at the friction limit.
fn marked(simulation: &Simulation, axis: usize) -> Result<(Point, f64), StudyError> {
    let share = measure::mobilised_share(&simulation.world, &simulation.contact);
    Ok((point_of(simulation, axis)?, share))
}

fn come_to_rest(simulation: &mut Simulation) -> Result<(), StudyError> {
    let Simulation { world, pipeline, .. } = simulation;
    if let Some(deformation) = &mut world.deformation {
        deformation.control = None;
    }
    for step in 1..=PATIENCE {
        pipeline.step(world)?;
        if step.is_multiple_of(100) && measure::unbalanced_force(world) < AT_REST {
            break;
        }
    }
    Ok(())
}

/// The same with all rates times a factor.
fn scaled(control: &Control, factor: f64) -> Result<Control, StudyError> {
    let component = |i: usize, j: usize| match control.component(i, j) {
        Component::Rate(rate) => Component::Rate(rate * factor),
        other => other,
    };
    let components = std::array::from_fn(|i| std::array::from_fn(|j| component(i, j)));
    Control::new(components, control.constraint(), control.max_rate()).map_err(|refusal| refused(refusal.expected))
}

fn no_cell() -> StudyError {
    refused("the scene has no [cell]")
}

/// True strain along the axis since the stage began, positive in compression.
fn axial_strain(simulation: &Simulation, axis: usize) -> f64 {
    simulation.world.deformation.as_ref().map_or(0.0, |deformation| 0.0 - deformation.stage_strain().col(axis)[axis])
}

fn q_over_p(simulation: &Simulation) -> f64 {
    let world = &simulation.world;
    let stress = world.deformation.as_ref().map_or(DMat3::ZERO, |d| d.stress(world.cell.volume()));
    deviator(stress) / mean(stress).abs()
}

fn point_of(simulation: &Simulation, axis: usize) -> Result<Point, StudyError> {
    let world = &simulation.world;
    let deformation = world.deformation.as_ref().ok_or_else(no_cell)?;
    let measured = StressMeasure::of(world);
    let stress = measured.total();
    let l = deformation.state.velocity_gradient;
    let pressure = 0.0 - mean(stress);
    let contacts = measure::coordination(world, 2);
    Ok(Point {
        strain: axial_strain(simulation, axis),
        volumetric_strain: 0.0 - 3.0 * mean(deformation.stage_strain()),
        q_over_p: deviator(stress) / pressure.abs(),
        mean_stress: pressure,
        sin_phi: sin_phi(stress * -1.0),
        fabric: measured.fabric.col(axis)[axis],
        fabric_deviator: deviator(measured.fabric),
        coordination: contacts.all,
        sliding_share: contacts.sliding_share,
        inertial_number: measure::inertial_number(world, (l + l.transpose()) * 0.5, pressure),
        unbalanced_force: measure::unbalanced_force(world),
        stress_error: deformation.stress_error(world.cell.volume()),
        porosity: measure::porosity(world),
    })
}
