//! What a simulation is made of.

use super::run_state::RunState;
use super::stage::{RestCriterion, Stage};
use crate::insertion::pouring_source::PouringSource;
use crate::measure::chosen_contacts::ChosenContact;
use crate::measure::series::SeriesSource;
use crate::state::contact_parameters::ContactDefinition;
use crate::state::world::World;
use crate::step::pipeline::Pipeline;
use crate::time_step::choice::TimeStepChoice;
use crate::wall_probes::probes::WallProbes;

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
    /// Whether a program has changed contact parameters since the last stage that sets them.
    pub(crate) contact_is_of_program: bool,
}

impl Simulation {
    /// Number of stages whose actions have been done.
    pub(crate) fn stages_entered(&self) -> usize {
        self.state.stage + usize::from(self.state.entered)
    }

    /// Name of the present stage.
    pub fn stage_name(&self) -> &str {
        self.stages.get(self.state.stage).map_or("", |stage| stage.name.as_str())
    }
}

impl SeriesSource for Simulation {
    fn world(&self) -> &World {
        &self.world
    }

    fn contact(&self) -> &ContactDefinition {
        &self.contact
    }

    fn stage(&self) -> usize {
        self.state.stage
    }

    fn last_row(&self) -> (f64, f64) {
        self.state.last_row
    }
}
