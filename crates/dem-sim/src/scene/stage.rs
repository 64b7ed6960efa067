//! Stages of a run as a user writes them.

use std::collections::BTreeMap;

use dem_io::units::{AngularVelocity, Quantity, Ratio, Time, Velocity};
use schemars::JsonSchema;
use serde::Deserialize;

use super::cell::{DeformScene, StrainScene, StressReachedScene};
use super::contact::ContactValue;
use super::fields::FieldsScene;
use super::source::RegionScene;
use super::wall::MotionScene;

/// A stage: actions at its start, then the run until one of its conditions holds.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StageScene {
    /// Name, shown in logs and the summary.
    pub name: String,
    /// What is done when the stage begins.
    #[serde(default)]
    pub actions: Vec<ActionScene>,
    /// How the periodic cell deforms during the stage. Default: it keeps its shape.
    pub deform: Option<DeformScene>,
    /// When it ends: as soon as any of the conditions holds.
    pub until: ConditionScene,
}

/// Conditions of which any one ends a stage.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConditionScene {
    /// After this time in the stage.
    pub time: Option<Quantity<Time>>,
    /// After so many steps in the stage.
    pub steps: Option<u64>,
    /// When the assembly is at rest (see `at_rest`) and all sources have finished or have no room left.
    #[serde(default)]
    pub at_rest: bool,
    /// When all active sources have poured their `count` or `mass`.
    #[serde(default)]
    pub poured: bool,
    /// When a true strain of the cell since the stage began is reached.
    pub strain: Option<StrainScene>,
    /// When the target stresses of `deform` are reached in equilibrium.
    pub stress_reached: Option<StressReachedScene>,
    /// When a measured quantity passes a bound.
    pub measure: Option<MeasureScene>,
}

/// A bound of a measured quantity.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeasureScene {
    /// A column of series.csv.
    pub quantity: String,
    /// Holds when the quantity is below this number in SI.
    pub below: Option<f64>,
    /// Holds when the quantity is above this number in SI.
    pub above: Option<f64>,
}

/// Something done at the start of a stage.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum ActionScene {
    /// Takes a wall away.
    RemoveWall {
        /// Name of the wall.
        wall: String,
    },
    /// Puts a wall with `active = false` in place.
    AddWall {
        /// Name of the wall.
        wall: String,
    },
    /// Gives a wall a new motion from where it is; an empty motion stops it.
    MoveWall {
        /// Name of the wall.
        wall: String,
        /// The motion.
        #[serde(default)]
        motion: Box<MotionScene>,
    },
    /// Changes parameters of the contact law, for example friction; contact histories are kept.
    SetContact {
        /// Only for this pair of materials. Default: all pairs.
        materials: Option<[String; 2]>,
        /// New values by name.
        parameters: BTreeMap<String, ContactValue>,
    },
    /// Changes gravity and other fields: keys that are given replace those of the scene and of earlier stages, `drag` with all that belongs to it.
    SetFields {
        /// The new values, as in the table `fields`.
        fields: FieldsScene,
    },
    /// Takes out all particles with their centres in a region.
    RemoveParticles {
        /// The region. Along periodic axes it lies in the domain.
        region: RegionScene,
    },
    /// Gives the particles of a guide a velocity along the path: the new prescribed one, or an impulse to free ones.
    DriveGuide {
        /// Name of the guide.
        guide: String,
        /// The velocity.
        velocity: Quantity<Velocity>,
        /// The new angular velocity, of a guide that has one. Default: it stays.
        angular_velocity: Option<[Quantity<AngularVelocity>; 3]>,
    },
    /// Lets a source pour.
    StartPouring {
        /// Name of the source.
        source: String,
    },
    /// Stops a source.
    StopPouring {
        /// Name of the source.
        source: String,
    },
}

/// When the assembly counts as at rest: both bounds hold for the whole duration.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AtRestScene {
    /// Kinetic energy per particle in proportion to m g d with the mean mass and diameter. Default: 1e-7.
    pub kinetic_energy: Option<Quantity<Ratio>>,
    /// Mean net force in proportion to the mean contact force. Default: 1e-3.
    pub unbalanced_force: Option<Quantity<Ratio>>,
    /// Time for which both bounds must hold. Default: 0.05 s.
    pub duration: Option<Quantity<Time>>,
}
