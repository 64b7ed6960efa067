//! A simulation: a world, what happens to it stage by stage, and the sources that pour into it.

use dem_core::DVec3;
use dem_core::history::transcribed;
use serde::{Deserialize, Serialize};

use crate::builder::{ContactDefinition, TimeStepChoice};
use crate::deformation::control::Control;
use crate::error::StepError;
use crate::insertion::{InsertionError, Pouring};
use crate::phases::Phase;
use crate::pipeline::Pipeline;
use crate::step_control::StepRange;
use crate::wall_probes::WallProbes;
use crate::wall_servos::WallMotion;
use crate::world::World;

/// What the particles of a source have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Kind {
    /// Index of the material.
    pub material: u16,
    /// Density \[kg/m³\].
    pub density: f64,
    /// Groups as a bit mask.
    pub group: u32,
    /// Frozen degrees of freedom.
    pub frozen: u8,
    /// Initial velocity \[m/s\].
    pub velocity: DVec3,
    /// Initial angular velocity \[rad/s\].
    pub angular_velocity: DVec3,
}

/// A source that pours during the run.
#[derive(Clone, Debug)]
pub struct PouringSource {
    /// Name.
    pub name: String,
    /// What its particles have in common.
    pub kind: Kind,
    /// Rate, region, sizes and how far it has come.
    pub pouring: Pouring,
    /// Whether it pours now.
    pub active: bool,
    /// Corners of its region \[m\].
    pub bounds: (DVec3, DVec3),
    /// Smallest radius \[m\].
    pub smallest: f64,
    /// Largest radius \[m\].
    pub largest: f64,
}

/// A bound of a column of the series.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// Column.
    pub quantity: String,
    /// Holds below this value.
    pub below: Option<f64>,
    /// Holds above this value.
    pub above: Option<f64>,
}

/// A true strain of the cell since the stage began.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrainBound {
    /// Row and column; none for that of the volume.
    pub component: Option<(usize, usize)>,
    /// Reached from the side of zero, positive in extension \[-\].
    pub value: f64,
}

/// When the stresses that are asked of the cell and the forces that are asked of walls count as reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StressReached {
    /// Largest distance from a target in proportion to the largest target \[-\].
    pub tolerance: f64,
    /// Largest mean net force in proportion to the mean contact force \[-\].
    pub unbalanced_force: f64,
}

/// Conditions of which any one ends a stage.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Condition {
    /// Time in the stage \[s\].
    pub time: Option<f64>,
    /// Steps in the stage.
    pub steps: Option<u64>,
    /// At rest with nothing left to pour.
    pub at_rest: bool,
    /// Nothing left to pour.
    pub poured: bool,
    /// Strains of the cell.
    pub strain: Vec<StrainBound>,
    /// Stresses of the cell.
    pub stress_reached: Option<StressReached>,
    /// A measured quantity.
    pub measure: Option<Measure>,
}

/// Something done at the start of a stage; walls by number, sources by name.
#[derive(Clone)]
pub enum Action {
    /// Takes a wall away.
    RemoveWall(usize),
    /// Puts a wall in place.
    AddWall(usize),
    /// Gives a wall a new motion.
    MoveWall(usize, Box<WallMotion>),
    /// Changes contact parameters.
    SetContact(Box<ContactDefinition>),
    /// Gives the particles of a guide a velocity along its path \[m/s\].
    DriveGuide(String, f64),
    /// Lets a source pour.
    StartPouring(String),
    /// Stops a source.
    StopPouring(String),
}

/// A stage.
#[derive(Clone)]
pub struct Stage {
    /// Name.
    pub name: String,
    /// Done when it begins.
    pub actions: Vec<Action>,
    /// What is asked of the cell while it lasts.
    pub deform: Option<Control>,
    /// When it ends.
    pub until: Condition,
}

/// When the assembly counts as at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RestCriterion {
    /// Kinetic energy per particle in proportion to m g d \[-\].
    pub kinetic_energy: f64,
    /// Mean net force in proportion to the mean contact force \[-\].
    pub unbalanced_force: f64,
    /// For how long \[s\].
    pub duration: f64,
}

impl Default for RestCriterion {
    fn default() -> Self {
        Self { kinetic_energy: 1e-7, unbalanced_force: 1e-3, duration: 0.05 }
    }
}

/// Why a simulation ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StopReason {
    /// The last stage ended because the assembly came to rest.
    AtRest,
    /// The last stage ended by another of its conditions.
    StagesDone,
    /// The end of time was reached.
    EndOfTime,
}

impl StopReason {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::AtRest, Self::StagesDone, Self::EndOfTime];

    /// As a sentence.
    pub fn describe(&self) -> &'static str {
        match self {
            Self::AtRest => "at rest",
            Self::StagesDone => "all stages done",
            Self::EndOfTime => "end of time reached",
        }
    }
}

/// How far a simulation has come; part of the checkpoint.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunState {
    /// Number of the present stage.
    pub stage: usize,
    /// Whether its actions have been done.
    pub entered: bool,
    /// Time at which it began \[s\].
    pub stage_time: f64,
    /// Step at which it began.
    pub stage_step: u64,
    /// Since when the assembly has been at rest \[s\].
    pub rest_since: Option<f64>,
    /// Forces on the walls summed over the looks since then \[N\].
    pub rest_wall_force: Vec<DVec3>,
    /// Number of looks since then.
    pub rest_looks: u64,
    /// Why it ended.
    pub stopped: Option<StopReason>,
    /// Criterion that set the present time step.
    pub time_step_criterion: String,
    /// Range of an adaptive time step.
    pub step_range: Option<StepRange>,
    /// Speed of impacts that bounds known beforehand reckon with \[m/s\].
    pub expected_speed: f64,
    /// Shortest and longest step taken \[s\]; zero before the first.
    pub steps_taken: [f64; 2],
    /// Time and discharged mass at the last row of the series, for the mass flow rate.
    pub last_row: (f64, f64),
    /// Rows, frames and checkpoints written so far, which place the next ones in time.
    pub outputs: [u64; 3],
    /// Intervals that they are counted in \[s\].
    pub output_intervals: [f64; 3],
    /// Energy balance before the first step \[J\].
    pub first_energy_balance: Option<f64>,
}

/// Why a simulation could not go on.
#[derive(Debug, thiserror::Error)]
pub enum SimulationError {
    /// A step failed.
    #[error("{0}")]
    Step(#[from] StepError),
    /// Pouring failed.
    #[error("source \"{source_name}\": {error}")]
    Pouring {
        /// Name of the source.
        source_name: String,
        /// What failed.
        error: InsertionError,
    },
    /// A law refused parameters that were set by a stage.
    #[error("contact parameters of stage \"{stage}\": {message}")]
    Contact {
        /// Name of the stage.
        stage: String,
        /// What is wrong.
        message: String,
    },
}

/// A simulation.
pub struct Simulation {
    /// State.
    pub world: World,
    /// Stepper.
    pub pipeline: Pipeline,
    /// Law and parameters of every pair of materials.
    pub contact: ContactDefinition,
    /// Sources that pour.
    pub sources: Vec<PouringSource>,
    /// Stages.
    pub stages: Vec<Stage>,
    /// When the assembly counts as at rest.
    pub rest: RestCriterion,
    /// End of time \[s\].
    pub end: Option<f64>,
    /// How the time step was chosen.
    pub time_step: TimeStepChoice,
    /// How far it has come.
    pub state: RunState,
    /// What is averaged on walls.
    pub probes: WallProbes,
    pub(crate) warned: Vec<&'static str>,
}

impl Simulation {
    pub(crate) fn new(
        world: World,
        pipeline: Pipeline,
        contact: ContactDefinition,
        sources: Vec<PouringSource>,
        stages: Vec<Stage>,
        rest: RestCriterion,
        end: Option<f64>,
        time_step: TimeStepChoice,
    ) -> Self {
        let state = RunState::default();
        let mut new = Self {
            world,
            pipeline,
            contact,
            sources,
            stages,
            rest,
            end,
            time_step: time_step.clone(),
            state,
            probes: WallProbes::default(),
            warned: Vec::new(),
        };
        new.set_time_step(time_step);
        new
    }

    /// Evaluates the forces of the initial state and compares the time step with its contacts.
    ///
    /// # Errors
    /// A periodic cell that is too narrow.
    pub fn initialise(&mut self) -> Result<(), SimulationError> {
        self.pipeline.initialise(&mut self.world)?;
        self.admit_initial_state();
        Ok(())
    }

    /// Name of the present stage.
    pub fn stage_name(&self) -> &str {
        self.stages.get(self.state.stage).map_or("", |stage| stage.name.as_str())
    }

    /// Takes one step, with everything that is due before and after it. Does nothing once the simulation has ended.
    ///
    /// # Errors
    /// See [`SimulationError`]; the world is then that after the failed step.
    pub fn advance(&mut self) -> Result<(), SimulationError> {
        self.advance_unseen(f64::NEG_INFINITY)
    }

    /// The same for callers that do not ask for the forces of contacts between particles after steps that end clearly before the time
    /// `look` \[s\]: large assemblies need not keep them then, which makes steps faster. After such steps
    /// [they are no numbers](dem_contact::contact_forces::ContactForces::are_known); everything else is the same.
    ///
    /// # Errors
    /// As [`Self::advance`].
    pub fn advance_unseen(&mut self, look: f64) -> Result<(), SimulationError> {
        if self.state.stopped.is_some() {
            return Ok(());
        }
        if !self.state.entered {
            self.enter_stage()?;
            self.adapt_to_stage();
        }
        self.note_energy_balance();
        self.pour()?;
        self.note_step();
        let length = self.world.time_step;
        let looks = self.looks_after_step();
        // the step after this one may be longer
        self.pipeline.forces.is_unseen = self.world.time + 3.0 * length < look && !self.is_seen(looks);
        let stepped = self.pipeline.step(&mut self.world);
        self.pipeline.forces.is_unseen = false;
        stepped?;
        self.watch_energy()?;
        self.pipeline.forces.lap(Phase::Checks);
        self.probes.add(&self.world, length);
        self.watch_time_step();
        let condition = self.stages[self.state.stage].until.clone();
        if let Some(at_rest) = self.condition_holds(&condition, looks) {
            if self.state.stage + 1 == self.stages.len() {
                self.state.stopped = Some(if at_rest { StopReason::AtRest } else { StopReason::StagesDone });
            } else {
                self.state.stage += 1;
                self.state.entered = false;
                self.state.rest_since = None;
            }
        }
        if self.state.stopped.is_none() && self.end.is_some_and(|end| self.world.time >= end) {
            self.state.stopped = Some(StopReason::EndOfTime);
        }
        Ok(())
    }

    fn enter_stage(&mut self) -> Result<(), SimulationError> {
        let stage = self.stages[self.state.stage].clone();
        for action in stage.actions {
            self.act(action)?;
        }
        if let Some(deformation) = &mut self.world.deformation {
            deformation.begin_stage(stage.deform);
        }
        self.state.entered = true;
        self.state.stage_time = self.world.time;
        self.state.stage_step = self.world.step;
        tracing::info!("stage \"{}\" begins at t = {:.6} s", stage.name, self.world.time);
        Ok(())
    }

    fn act(&mut self, action: Action) -> Result<(), SimulationError> {
        match action {
            Action::RemoveWall(wall) | Action::AddWall(wall) => {
                self.world.walls[wall].active = matches!(action, Action::AddWall(_));
                if !self.world.walls[wall].active {
                    // what its contacts held elastically leaves with it
                    let before = self.world.energy().balance();
                    let world = &mut self.world;
                    world.walls[wall].force = DVec3::ZERO;
                    world.walls[wall].torque = DVec3::ZERO;
                    self.pipeline.forces.rebuild(world)?;
                    world.accumulated.exchanged += world.energy().balance() - before;
                }
                self.pipeline.forces.invalidate();
            }
            Action::MoveWall(wall, motion) => {
                let world = &mut self.world;
                world.walls[wall].set_motion(motion.prescribed, world.time);
                if let Some(servo) = world.wall_servos.iter_mut().find(|servo| servo.wall == wall) {
                    servo.begin(motion.hold);
                }
                // how far a turning wall reaches is looked at when the list is rebuilt
                self.pipeline.forces.invalidate();
            }
            Action::SetContact(contact) => {
                self.set_contact(*contact)?;
                self.admit_contact_change();
            }
            Action::DriveGuide(name, velocity) => self.world.drive_guide(&name, velocity),
            Action::StartPouring(name) => self.set_pouring(&name, true),
            Action::StopPouring(name) => self.set_pouring(&name, false),
        }
        Ok(())
    }

    fn set_pouring(&mut self, name: &str, active: bool) {
        for source in self.sources.iter_mut().filter(|source| source.name == name) {
            source.active = active;
        }
    }

    /// Replaces the contact parameters; histories are kept as far as the new models know their fields, and the energy that the change adds or takes is booked.
    pub(crate) fn set_contact(&mut self, contact: ContactDefinition) -> Result<(), SimulationError> {
        let before = self.world.energy().balance();
        let mut kernels = contact.kernels().map_err(|(law, error)| SimulationError::Contact {
            stage: self.stage_name().to_owned(),
            message: format!("law {law}: {error}"),
        })?;
        let world = &mut self.world;
        for (law, (new, old)) in kernels.iter_mut().zip(&world.kernels).enumerate() {
            let mut saved = old.save(&world.list, &world.particles.id);
            if new.fields() != old.fields() {
                for contact in &mut saved {
                    contact.record = transcribed(&contact.record, old.fields(), new.fields());
                }
            }
            new.restore(&world.list, law, &world.particles.id, &saved);
        }
        world.kernels = kernels;
        // the new laws may reach farther than the list does
        self.pipeline.forces.invalidate();
        self.contact = contact;
        self.world.accumulated.exchanged += self.world.energy().balance() - before;
        Ok(())
    }

    /// Applies the changes of contact parameters of all stages entered so far, for a restart.
    ///
    /// # Errors
    /// Parameters that a law refuses.
    pub(crate) fn replay_contact_changes(&mut self) -> Result<(), SimulationError> {
        let entered = self.state.stage + usize::from(self.state.entered);
        let last = self.stages[..entered.min(self.stages.len())]
            .iter()
            .flat_map(|stage| &stage.actions)
            .filter_map(|action| match action {
                Action::SetContact(contact) => Some(contact.clone()),
                _ => None,
            })
            .next_back();
        match last {
            Some(contact) => self.set_contact(*contact),
            None => Ok(()),
        }
    }

    fn pour(&mut self) -> Result<(), SimulationError> {
        for index in 0..self.sources.len() {
            if !self.sources[index].active {
                continue;
            }
            let source = &mut self.sources[index];
            let world = &self.world;
            let mut near: Option<Vec<(DVec3, f64)>> = None;
            let (bounds, reach) = (source.bounds, source.largest);
            let mut is_free = |centre: DVec3, radius: f64| {
                let near = near.get_or_insert_with(|| particles_near(world, bounds, reach));
                let clear = near
                    .iter()
                    .all(|&(x, r)| world.cell.nearest_image(x - centre).length_squared() >= (r + radius).powi(2));
                clear && world.walls.iter().filter(|wall| wall.active).all(|wall| wall.distance(centre) >= radius)
            };
            let spheres = source
                .pouring
                .due(world.time_step, &mut is_free)
                .map_err(|error| SimulationError::Pouring { source_name: source.name.clone(), error })?;
            if !spheres.is_empty() {
                let kind = source.kind.clone();
                for sphere in spheres {
                    crate::builder::insert_sphere(&mut self.world, &kind, sphere, DVec3::ZERO);
                }
                self.pipeline.forces.invalidate();
            }
        }
        self.warn_blocked_pouring();
        Ok(())
    }

    fn warn_blocked_pouring(&mut self) {
        let blocked = self.sources.iter().find(|s| s.active && s.pouring.blocked_time() > 0.1);
        if let Some(source) = blocked
            && !self.warned.contains(&"pouring")
        {
            tracing::warn!(
                "source \"{}\" found no free place for {:.2} s in all: its region is too small for the rate",
                source.name,
                source.pouring.blocked_time()
            );
            self.warned.push("pouring");
        }
    }

    /// Whether every active source has poured what it was asked to.
    pub fn is_poured(&self) -> bool {
        self.sources.iter().all(|source| !source.active || source.pouring.is_finished())
    }
}

/// Particles that a sphere of radius up to `reach` with its centre within `bounds` may touch.
fn particles_near(world: &World, bounds: (DVec3, DVec3), reach: f64) -> Vec<(DVec3, f64)> {
    let centre = 0.5 * (bounds.0 + bounds.1);
    let half = 0.5 * (bounds.1 - bounds.0);
    let p = &world.particles;
    (0..p.len())
        .filter(|&slot| {
            let d = world.cell.nearest_image(p.position[slot] - centre).abs();
            d.cmple(half + DVec3::splat(p.radius[slot] + reach)).all() || world.cell.is_periodic()
        })
        .map(|slot| (p.position[slot], p.radius[slot]))
        .collect()
}
