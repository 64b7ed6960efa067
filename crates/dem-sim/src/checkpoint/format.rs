//! Sections of a checkpoint, and what they hold.

use dem_contact::ParameterValue;
use dem_core::bodies::template::Template;
use dem_core::contact_list::ContactKey;
use dem_core::energy::AccumulatedEnergy;
use dem_core::history::FieldSpec;
use dem_core::{DMat3, DVec3};
use dem_io::document::SceneError;
use serde::{Deserialize, Serialize};

use crate::deformation::deforming_cell::DeformationState;
use crate::insertion::pouring::PouringState;
use crate::simulation::components::Simulation;
use crate::simulation::error::SimulationError;
use crate::state::clock::StepClock;

/// Why a saved state could not be used.
#[derive(Debug, thiserror::Error)]
pub enum SavedStateError {
    /// The container is damaged or of another kind.
    #[error("{0}")]
    Container(#[from] dem_io::Error),
    /// The contents contradict each other or the scene.
    #[error("{0}")]
    Contents(String),
    /// The scene does not go with it.
    #[error("{0}")]
    Scene(#[from] SceneError),
    /// The simulation refused the state.
    #[error("{0}")]
    Simulation(#[from] SimulationError),
}

/// Section of the loads that the user puts on particles, if there are any.
pub(crate) const EXTERNAL_LOADS: &str = "external loads";

/// Section of the cell, if it may deform.
pub(crate) const CELL: &str = "cell";

/// Section of what a multi-value integrator remembers of particles, if there is one.
pub(crate) const HIGHER_DERIVATIVES: &str = "higher derivatives";

/// Section that names the version of the engine; nothing depends on it.
pub(crate) const ENGINE: &str = "engine";

/// Section of the guides, if there are any.
pub(crate) const GUIDES: &str = "guides";
/// Section of the rotations that guides give, if any do.
pub(crate) const GUIDE_TURNS: &str = "guide turns";

/// Section of the walls that press with a force, if there are any.
pub(crate) const WALL_SERVOS: &str = "wall servos";

/// Section of the contact parameters, if a program has changed them: those of every pair of materials, row by row.
pub(crate) const CONTACT_PARAMETERS: &str = "contact parameters";

/// Section of the fields, which stages may change.
pub(crate) const FIELDS: &str = "fields";

/// Section of which sources particles come from.
pub(crate) const PROVENANCE: &str = "provenance";

/// Section of the names of the materials.
pub(crate) const MATERIALS: &str = "materials";

/// Section of the averages of wall probes, if there are any.
pub(crate) const WALL_PROBES: &str = "wall probes";

/// Section of the load and wear of facets of meshes, if any are asked for.
pub(crate) const WALL_FACETS: &str = "wall facets";

/// Section of the liquid that particles have brought and taken along, where bridges share films.
pub(crate) const LIQUID: &str = "liquid";

/// Section of what has left of the materials that the series follows.
pub(crate) const MATERIAL_FLOWS: &str = "material flows";

/// Section of what rigid bodies have in common, if there have been any; every column of theirs has one of its own.
pub(crate) const BODIES: &str = "bodies";

pub(crate) fn contents(message: impl Into<String>) -> SavedStateError {
    SavedStateError::Contents(message.into())
}

/// Counters and scalars.
#[derive(Serialize, Deserialize)]
pub(crate) struct Header {
    pub(crate) scene: String,
    pub(crate) step: u64,
    pub(crate) time: f64,
    pub(crate) time_step: f64,
    pub(crate) clock: StepClock,
    pub(crate) particles: u64,
    pub(crate) next_id: u64,
    pub(crate) inserted: u64,
    pub(crate) removed: u64,
    pub(crate) removed_mass: f64,
    pub(crate) removed_by_stages: u64,
    pub(crate) peak_overlap_ratio: f64,
    pub(crate) accumulated: AccumulatedEnergy,
}

impl Header {
    pub(crate) fn of(simulation: &Simulation, fingerprint: &str) -> Self {
        let world = &simulation.world;
        Self {
            scene: fingerprint.to_owned(),
            step: world.step,
            time: world.time,
            time_step: world.time_step,
            clock: world.clock,
            particles: world.particles.len() as u64,
            next_id: world.particles.next_id,
            inserted: world.inserted,
            removed: world.removed,
            removed_mass: world.removed_mass,
            removed_by_stages: world.removed_by_stages,
            peak_overlap_ratio: world.peak_overlap_ratio,
            accumulated: world.accumulated,
        }
    }
}

/// A contact parameter.
#[derive(Serialize, Deserialize)]
pub(crate) enum SavedParameter {
    Number(f64),
    Flag(bool),
    Word(String),
}

/// Contact parameters of a pair of materials by name.
pub(crate) type SavedPair = Vec<(String, SavedParameter)>;

impl SavedParameter {
    pub(crate) fn of(value: &ParameterValue) -> Self {
        match value {
            ParameterValue::Number(number) => Self::Number(*number),
            ParameterValue::Flag(flag) => Self::Flag(*flag),
            ParameterValue::Word(word) => Self::Word(word.clone()),
        }
    }

    pub(crate) fn into_value(self) -> ParameterValue {
        match self {
            Self::Number(number) => ParameterValue::Number(number),
            Self::Flag(flag) => ParameterValue::Flag(flag),
            Self::Word(word) => ParameterValue::Word(word),
        }
    }
}

/// A cell that may deform.
#[derive(Serialize, Deserialize)]
pub(crate) struct SavedCell {
    pub(crate) origin: DVec3,
    pub(crate) matrix: DMat3,
    pub(crate) state: DeformationState,
}

/// What rigid bodies have in common.
#[derive(Serialize, Deserialize)]
pub(crate) struct SavedBodies {
    /// Id that the next body gets.
    pub(crate) next_id: u32,
    pub(crate) templates: Vec<Template>,
}

/// Sources by name: whether they pour, and how far they have come.
pub(crate) type SavedSources = Vec<(String, bool, PouringState)>;

/// A named part of the records of a law.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SavedField {
    pub(crate) name: String,
    pub(crate) width: u64,
}

impl SavedField {
    pub(crate) fn of(field: &FieldSpec) -> Self {
        Self { name: field.name.to_owned(), width: field.width as u64 }
    }
}

/// Histories of one law: what their records hold, keys, and records one after the other.
#[derive(Serialize, Deserialize)]
pub(crate) struct SavedHistories {
    pub(crate) law: String,
    pub(crate) fields: Vec<SavedField>,
    pub(crate) stride: u64,
    pub(crate) keys: Vec<ContactKey>,
    pub(crate) records: Vec<f64>,
}
