//! A simulation: a world, what happens to it stage by stage, and the sources that pour into it.

use dem_core::DVec3;

use super::components::Simulation;
use super::energy_guard;
use super::error::SimulationError;
use super::run_state::{RunState, StopReason};
use super::stage::{Action, RestCriterion, Stage};
use crate::environment::timing::Phase;
use crate::error::StepError;
use crate::insertion::pouring_source::PouringSource;
use crate::overlap_cause::OverlapCause;
use crate::state::contact_parameters::ContactDefinition;
use crate::state::world::World;
use crate::step::pipeline::Pipeline;
use crate::time_step::choice::TimeStepChoice;
use crate::wall_probes::facet_loads;
use crate::wall_probes::probes::WallProbes;

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
            contact_is_of_program: false,
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

    /// Takes one step, with everything that is due before and after it. Does nothing once the simulation has ended.
    ///
    /// # Errors
    /// See [`SimulationError`]; the world is then that after the failed step.
    pub fn advance(&mut self) -> Result<(), SimulationError> {
        self.step(f64::NEG_INFINITY, false)
    }

    /// The same for callers that do not read the forces of contacts between particles after a step that ends clearly
    /// before the time `look` \[s\], and may take up to `most` steps: as many as end clearly before it and need no
    /// check for another reason, at least one. Large assemblies need not store these forces then, and steps are fused
    /// with the end of the one before, which makes them faster. After such steps [forces are NaN,
    /// unavailable](dem_contact::contact_forces::ContactForces::are_known); everything else is the same. Returns how
    /// many steps were taken, none once the simulation has ended.
    ///
    /// # Errors
    /// As [`Self::advance`]. Where a force is NaN, some of the particles may have begun the next step.
    pub fn advance_unseen(&mut self, look: f64, most: u64) -> Result<u64, SimulationError> {
        self.advance_unseen_unless(look, most, &mut || false)
    }

    /// The same, but no step follows another one once `stop` says so: it is asked before every step.
    ///
    /// # Errors
    /// As [`Self::advance_unseen`].
    pub fn advance_unseen_unless(
        &mut self,
        look: f64,
        most: u64,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<u64, SimulationError> {
        let before = self.world.step;
        loop {
            let is_followed = self.world.step + 1 - before < most && self.is_followed_unseen(look) && !stop();
            self.step(look, is_followed)?;
            if !is_followed {
                return Ok(self.world.step - before);
            }
        }
    }

    /// Whether nothing happens between the next step and the one after that, and the state is not read, if the caller
    /// does not read it before the time `look` \[s\].
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
            && world.facets.is_idle()
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
            self.adapt_to_stage()?;
        }
        energy_guard::note_balance(&self.world, &mut self.state);
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
        energy_guard::watch(&self.world, &self.state, self.pipeline.limits.created_energy)?;
        self.pipeline.forces.lap(Phase::Checks);
        self.probes.add(&self.world, length);
        facet_loads::add(&mut self.world, length);
        self.watch_time_step()?;
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
            self.leave_stage(at_rest);
        }
        if self.state.stopped.is_none() && out_of_time {
            self.state.stopped = Some(self.end_of_time());
        }
        Ok(())
    }

    /// Goes on to the next stage, or ends.
    pub(crate) fn leave_stage(&mut self, at_rest: bool) {
        if self.state.stage + 1 == self.stages.len() {
            self.state.stopped = Some(if at_rest { StopReason::AtRest } else { StopReason::StagesDone });
        } else {
            self.state.stage += 1;
            self.state.entered = false;
            self.state.rest_since = None;
        }
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
        // a scene without stages waits for rest or the end of time
        if stage.until.at_rest && !stage.is_implied() { StopReason::NotAtRest } else { StopReason::EndOfTime }
    }
}
