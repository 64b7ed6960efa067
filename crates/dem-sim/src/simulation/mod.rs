//! A simulation: a world, what happens to it stage by stage, and the sources that pour into it.

mod contact_changes;
mod events;
mod field_changes;
mod new_walls;
mod pouring;
mod removal;
mod rest;
mod stages;

pub use events::Event;
pub use pouring::{Kind, PouringSource};
pub use stages::{Action, Condition, Measure, RestCriterion, Stage, StrainBound, StressReached};

use dem_core::DVec3;
use serde::{Deserialize, Serialize};

use crate::builder::{ContactDefinition, TimeStepChoice};
use crate::energy_guard;
use crate::error::StepError;
use crate::insertion::InsertionError;
use crate::measure::ChosenContact;
use crate::overlap_cause::OverlapCause;
use crate::phases::Phase;
use crate::pipeline::Pipeline;
use crate::step_control::StepRange;
use crate::wall_probes::WallProbes;
use crate::world::World;

/// Why a simulation ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StopReason {
    /// The last stage ended because the assembly came to rest.
    AtRest,
    /// The last stage ended by another of its conditions.
    StagesDone,
    /// The end of time was reached.
    EndOfTime,
    /// The end of time was reached in a stage of the scene that waits for rest.
    NotAtRest,
}

impl StopReason {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::AtRest, Self::StagesDone, Self::EndOfTime, Self::NotAtRest];

    /// As a sentence.
    pub fn describe(&self) -> &'static str {
        match self {
            Self::AtRest => "at rest",
            Self::StagesDone => "all stages done",
            Self::EndOfTime => "end of time reached",
            Self::NotAtRest => "end of time reached, not at rest",
        }
    }

    /// Whether a later end of time lets the simulation go on.
    pub fn is_for_time(&self) -> bool {
        matches!(self, Self::EndOfTime | Self::NotAtRest)
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
    /// What stages did.
    pub events: Vec<Event>,
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
    /// A wall that a stage brings in cuts spheres; it is not there yet.
    #[error(
        "stage \"{stage}\": the wall \"{wall}\" is not put in place: particle {particle} {what}; max_overlap of the wall allows it, and the energy is booked as exchanged"
    )]
    WallCutsSpheres {
        /// Name of the stage.
        stage: String,
        /// Name of the wall.
        wall: String,
        /// Id of the sphere that it cuts deepest.
        particle: u64,
        /// How deep.
        what: String,
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
    /// Contacts that are followed.
    pub chosen_contacts: Vec<ChosenContact>,
    /// How deep each wall may cut spheres where it is put in place, in proportion to the radius \[-\].
    pub(crate) cuts_allowed: Vec<f64>,
    pub(crate) warned: Vec<&'static str>,
    /// Whether the scene gives the domain.
    pub is_domain_given: bool,
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
            chosen_contacts: Vec::new(),
            cuts_allowed: Vec::new(),
            warned: Vec::new(),
            is_domain_given: true,
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
        self.step(f64::NEG_INFINITY, false)
    }

    /// The same for callers that do not ask for the forces of contacts between particles after a step that ends clearly before the time
    /// `look` \[s\], and may take up to `most` steps: as many as end clearly before it and need no look for another reason, at least one.
    /// Large assemblies need not keep these forces then, and steps begin together with the end of the one before, which makes them faster.
    /// After such steps [forces are no numbers](dem_contact::contact_forces::ContactForces::are_known); everything else
    /// is the same. Returns how many steps were taken, none once the simulation has ended.
    ///
    /// # Errors
    /// As [`Self::advance`]. Where a force is no number, some of the particles may have begun the next step.
    pub fn advance_unseen(&mut self, look: f64, most: u64) -> Result<u64, SimulationError> {
        let before = self.world.step;
        loop {
            let is_followed = self.world.step + 1 - before < most && self.is_followed_unseen(look);
            self.step(look, is_followed)?;
            if !is_followed {
                return Ok(self.world.step - before);
            }
        }
    }

    /// Whether nothing happens between the next step and the one after that, and nobody looks, if the caller does not before the
    /// time `look` \[s\].
    fn is_followed_unseen(&self, look: f64) -> bool {
        let is_pouring = self.sources.iter().any(|source| source.active && !source.pouring.is_finished());
        let world = &self.world;
        self.state.stopped.is_none()
            && self.state.entered
            && world.time + 3.0 * world.time_step < look
            && !self.is_seen(self.looks_after_step())
            && !(world.step + 1).is_multiple_of(self.monitor_interval())
            && !energy_guard::is_due(world.step + 1)
            && !is_pouring
            && self.probes.is_idle()
            && world.guides.is_idle()
            // measured at the start of a step, where particles are then
            && world.fields.porosity_cell().is_none()
            && world.wall_servos.iter().all(|servo| servo.hold().is_none())
            // what slides is loaded along normals at the end of the step
            && world.walls.iter().all(|wall| !wall.active || wall.motion.surface_velocity == DVec3::ZERO)
    }

    fn step(&mut self, look: f64, is_followed: bool) -> Result<(), SimulationError> {
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
        self.pipeline.is_followed = is_followed;
        let stepped = self.pipeline.step(&mut self.world);
        self.pipeline.is_followed = false;
        self.pipeline.forces.is_unseen = false;
        if stepped.is_err() && is_followed {
            self.pipeline.forces.load_all_walls(&mut self.world);
        }
        stepped.map_err(|error| self.name_new_wall(error))?;
        self.warn_of_lost_particles();
        self.watch_energy()?;
        self.pipeline.forces.lap(Phase::Checks);
        self.probes.add(&self.world, length);
        self.watch_time_step();
        let stage = self.state.stage;
        // lent for the call: a copy would be allocated in every step
        let condition = std::mem::take(&mut self.stages[stage].until);
        let ended = self.condition_holds(&condition, looks);
        let out_of_time = self.end.is_some_and(|end| self.world.has_reached(end));
        if condition.at_rest && (ended == Some(false) || ended.is_none() && out_of_time) {
            self.tell_of_unrest();
        }
        self.stages[stage].until = condition;
        if let Some(at_rest) = ended {
            if self.state.stage + 1 == self.stages.len() {
                self.state.stopped = Some(if at_rest { StopReason::AtRest } else { StopReason::StagesDone });
            } else {
                self.state.stage += 1;
                self.state.entered = false;
                self.state.rest_since = None;
            }
        }
        if self.state.stopped.is_none() && out_of_time {
            self.state.stopped = Some(self.end_of_time());
        }
        Ok(())
    }

    /// An overlap with a wall that the present stage has put in place by its last step but one comes from that.
    fn name_new_wall(&self, mut error: StepError) -> StepError {
        let stage = &self.stages[self.state.stage];
        if let StepError::Overlap { wall: Some(wall), cause, .. } = &mut error
            && self.world.step <= self.state.stage_step + 1
            && stage.actions.iter().any(|action| matches!(action, Action::AddWall(added) if added == wall))
        {
            **cause = OverlapCause::NewWall { stage: stage.name.clone() };
        }
        error
    }

    /// What the end of time means in the present stage.
    pub(crate) fn end_of_time(&self) -> StopReason {
        let stage = &self.stages[self.state.stage];
        // a scene without stages asks for rest or the end of time
        if stage.until.at_rest && !stage.is_implied() { StopReason::NotAtRest } else { StopReason::EndOfTime }
    }
}
