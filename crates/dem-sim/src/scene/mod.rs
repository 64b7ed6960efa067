//! The scene: what a user writes in TOML. Plain data with units; [`crate::builder`] turns it into a world.
//!
//! Doc comments of the fields are the descriptions in the JSON Schema that editors show.

mod cell;
mod contact;
mod guide;
mod output;
mod schema;
mod servo;
mod source;
mod stage;
mod wall;

pub use cell::{
    CellScene, ComponentScene, DeformScene, DisplacementScene, SenseScene, StrainScene, StressReachedScene,
};
pub use contact::{ContactScene, ContactValue, MaterialScene, PairScene};
pub use guide::{GuideMotionScene, GuideScene, PathScene};
pub use output::{BodyScene, ChosenContactScene, ContactsScene, OutputScene, PictureScene, WallProbeScene};
pub use schema::schema;
pub use servo::ServoScene;
pub use source::{FillScene, LatticeName, RegionScene, SizeScene, SourceScene, TableBy};
pub use stage::{ActionScene, AtRestScene, ConditionScene, MeasureScene, StageScene};
pub use wall::{BoxFace, MotionScene, RotationScene, ShapeScene, TableEndsScene, WallScene};

use std::collections::BTreeMap;

use dem_broadphase::{Automatic, Broadphase, CellList, KdTree};
use dem_core::DVec3;
use dem_io::units::{
    Acceleration, AngularVelocity, Density, DragCoefficient, DynamicViscosity, Frequency, Length, Mass, Quantity,
    Ratio, Time, UncheckedQuantity, Velocity,
};
use schemars::JsonSchema;
use serde::Deserialize;

/// A point or vector of lengths.
pub type LengthVector = [Quantity<Length>; 3];
/// A velocity.
pub type VelocityVector = [Quantity<Velocity>; 3];

/// A simulation: materials, contact law, walls, particles, stages, output.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Title, shown in pictures and summaries.
    #[serde(default)]
    pub title: String,
    /// Seed of all random numbers. Same seed, same bits.
    #[serde(default)]
    pub seed: u64,
    /// Time step, end and integrator.
    #[serde(default)]
    pub time: TimeScene,
    /// Box in which particles may be. Default: around everything in the scene, open on all sides.
    pub domain: Option<DomainScene>,
    /// Measures the stress of the periodic cell, and lets stages deform it.
    pub cell: Option<CellScene>,
    /// Gravity, drag, damping.
    #[serde(default)]
    pub fields: FieldsScene,
    /// Materials by name.
    pub materials: BTreeMap<String, MaterialScene>,
    /// Contact law and its parameters for all pairs of materials.
    pub contact: ContactScene,
    /// Other parameters, or another law, for single pairs of materials.
    #[serde(default)]
    pub pairs: Vec<PairScene>,
    /// Groups of particles with frozen degrees of freedom.
    #[serde(default)]
    pub groups: BTreeMap<String, GroupScene>,
    /// Walls.
    #[serde(default)]
    pub walls: Vec<WallScene>,
    /// Where particles come from, in order.
    #[serde(default)]
    pub particles: Vec<SourceScene>,
    /// Paths that particles follow.
    #[serde(default)]
    pub guides: Vec<GuideScene>,
    /// Stages, one after the other. Default: one stage until at rest or the end of time.
    #[serde(default)]
    pub stages: Vec<StageScene>,
    /// When the assembly counts as at rest.
    #[serde(default)]
    pub at_rest: AtRestScene,
    /// Limits that stop a run.
    #[serde(default)]
    pub limits: LimitsScene,
    /// How pairs that may touch are found.
    #[serde(default)]
    pub contact_search: ContactSearchScene,
    /// What is written, and when.
    #[serde(default)]
    pub output: OutputScene,
}

/// Time step, end and integrator.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TimeScene {
    /// Time step, or "auto" (default) for the largest that all criteria admit, reduced during the run if the packing stiffens, or
    /// "adaptive" for one that follows the state and becomes longer again, too.
    pub step: Option<UncheckedQuantity>,
    /// Shortest adaptive step. Default: a thousandth of the automatic one.
    pub smallest_step: Option<Quantity<Time>>,
    /// Longest adaptive step. Default: ten times the automatic one.
    pub largest_step: Option<Quantity<Time>>,
    /// The run ends at this time at the latest. Default: no limit.
    pub end: Option<Quantity<Time>>,
    /// Integrator: its name, or a table of its name and options. Default: velocity-verlet.
    pub integrator: Option<IntegratorScene>,
    /// Largest relative speed of an impact that `auto` reckons with. Default: from velocities and the height of fall.
    pub expected_speed: Option<Quantity<Velocity>>,
}

/// Integrator by name, with options or without.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected the name of an integrator, or a table of its name and options")]
pub enum IntegratorScene {
    /// Its name.
    Name(String),
    /// Its name and options.
    Options {
        /// Name of the integrator.
        name: String,
        /// Its options.
        #[serde(flatten)]
        options: BTreeMap<String, ContactValue>,
    },
}

/// What happens at a face of the domain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FaceScene {
    /// Particles that cross it are removed and counted.
    #[default]
    Open,
    /// Particles are mirrored.
    Reflect,
    /// The run stops with the particle's id.
    Error,
    /// Particles come in at the opposite face; give it for both faces of a direction.
    Periodic,
}

/// Box in which particles may be.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DomainScene {
    /// Lower corner.
    pub min: LengthVector,
    /// Upper corner.
    pub max: LengthVector,
    /// Both faces across x.
    pub x: Option<FaceScene>,
    /// Both faces across y.
    pub y: Option<FaceScene>,
    /// Both faces across z.
    pub z: Option<FaceScene>,
    /// One face; takes precedence over `x`.
    pub x_min: Option<FaceScene>,
    /// One face; takes precedence over `x`.
    pub x_max: Option<FaceScene>,
    /// One face; takes precedence over `y`.
    pub y_min: Option<FaceScene>,
    /// One face; takes precedence over `y`.
    pub y_max: Option<FaceScene>,
    /// One face; takes precedence over `z`.
    pub z_min: Option<FaceScene>,
    /// One face; takes precedence over `z`.
    pub z_max: Option<FaceScene>,
}

/// Gravity, drag, damping.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FieldsScene {
    /// Acceleration of gravity. Default: (0, 0, −9.81) m/s².
    pub gravity: Option<[Quantity<Acceleration>; 3]>,
    /// Angular velocity with which gravity turns in space, as seen from a slowly turning drum; the value above is that at time zero, or when a
    /// stage that sets fields begins.
    /// Centrifugal and Coriolis forces are not part of it.
    pub gravity_rotation: Option<[Quantity<AngularVelocity>; 3]>,
    /// Law of drag. Default: linear with a `drag_coefficient`, otherwise none.
    pub drag: Option<DragScene>,
    /// Coefficient c of linear drag, f = −c (v − fluid_velocity).
    pub drag_coefficient: Option<Quantity<DragCoefficient>>,
    /// Dynamic viscosity of the fluid, for the other laws of drag.
    pub fluid_viscosity: Option<Quantity<DynamicViscosity>>,
    /// Density of the fluid, for drag by Schiller-Naumann and Wen-Yu. Buoyancy is not part of drag.
    pub fluid_density: Option<Quantity<Density>>,
    /// Edge of the cubic cells in which Wen-Yu takes the local porosity, at least two of the largest diameters.
    pub porosity_cell: Option<Quantity<Length>>,
    /// Coefficient S of the Magnus force f = S ω × (v − fluid_velocity).
    pub magnus_coefficient: Option<Quantity<Mass>>,
    /// Velocity of the fluid that drags and deflects.
    pub fluid_velocity: Option<VelocityVector>,
    /// Local non-viscous damping, 0 ≤ value < 1. Makes free fall slower: for quasi-static work only.
    pub local_damping: Option<Quantity<Ratio>>,
    /// Global mass damping c of f = −c m v.
    pub mass_damping: Option<Quantity<Frequency>>,
}

/// How drag depends on the velocity u relative to the fluid, for a sphere of diameter d in a fluid of viscosity η and density ρ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DragScene {
    /// No drag.
    None,
    /// −c u.
    Linear,
    /// −3π η d u, for creeping flow.
    Stokes,
    /// −(π/8) C_d ρ d² |u| u with C_d = max(24/Re (1 + 0.15 Re^0.687), 0.44), Re = ρ |u| d/η.
    SchillerNaumann,
    /// The same times ε^−1.65 with Re = ε ρ |u| d/η, ε the local porosity in cells of `porosity_cell`: linear weights between cells,
    /// not below 0.2.
    WenYu,
}

/// A degree of freedom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DegreeOfFreedom {
    /// Translation along x.
    X,
    /// Translation along y.
    Y,
    /// Translation along z.
    Z,
    /// Rotation about x.
    RotationX,
    /// Rotation about y.
    RotationY,
    /// Rotation about z.
    RotationZ,
    /// All rotations.
    Rotation,
    /// All translations.
    Translation,
}

/// A group of particles.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GroupScene {
    /// Degrees of freedom that do not move. A slice in the x-y plane freezes z, rotation_x and rotation_y.
    #[serde(default)]
    pub frozen: Vec<DegreeOfFreedom>,
}

/// Limits that stop a run.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LimitsScene {
    /// Largest overlap in proportion to the smaller radius; beyond it the run stops. Default: 0.1.
    pub overlap: Option<Quantity<Ratio>>,
    /// Largest share of the energy that particles hold and have dissipated that may have come from nowhere; beyond it the run stops. 1
    /// never stops it. Default: 0.5.
    pub created_energy: Option<Quantity<Ratio>>,
}

/// How pairs that may touch are found. No result depends on it, only the time that a run takes.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContactSearchScene {
    /// Broadphase. Default: automatic.
    #[serde(default)]
    pub broadphase: BroadphaseScene,
    /// Gap up to which the contact list holds pairs, at most the largest diameter. Default: follows the motion.
    pub skin: Option<Quantity<Length>>,
}

/// Finds the pairs of the contact list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BroadphaseScene {
    /// By the sizes and places of the spheres: the hierarchical grid, or the k-d tree for clusters far apart.
    #[default]
    Automatic,
    /// Bins as wide as the largest spheres need.
    CellList,
    /// Bins for every octave of radii.
    HierarchicalGrid,
    /// k-d tree.
    KdTree,
}

impl BroadphaseScene {
    /// The broadphase.
    pub fn build(self) -> Box<dyn Broadphase> {
        match self {
            Self::Automatic => Box::new(Automatic::default()),
            Self::CellList => Box::new(CellList::default()),
            Self::HierarchicalGrid => Box::new(CellList::hierarchical()),
            Self::KdTree => Box::new(KdTree::default()),
        }
    }
}

impl FieldsScene {
    /// Acceleration of gravity \[m/s²\].
    pub fn gravity(&self) -> DVec3 {
        self.gravity.map_or(DVec3::new(0.0, 0.0, -9.81), Quantity::vector)
    }

    /// Whether nothing is given.
    pub fn is_empty(&self) -> bool {
        let Self {
            gravity,
            gravity_rotation,
            drag,
            drag_coefficient,
            fluid_viscosity,
            fluid_density,
            porosity_cell,
            magnus_coefficient,
            fluid_velocity,
            local_damping,
            mass_damping,
        } = self;
        let of_drag = drag.is_none()
            && [fluid_viscosity.is_none(), fluid_density.is_none(), porosity_cell.is_none()] == [true; 3]
            && drag_coefficient.is_none();
        let of_fluid = magnus_coefficient.is_none() && fluid_velocity.is_none();
        let of_gravity = gravity.is_none() && gravity_rotation.is_none();
        of_drag && of_fluid && of_gravity && local_damping.is_none() && mass_damping.is_none()
    }

    /// These fields with those that are given in others in their place. Another law of drag brings its own properties of the fluid along.
    pub fn changed_by(&self, change: &Self) -> Self {
        let nothing = Self::default();
        let of_drag = if change.drag.is_some() { &nothing } else { self };
        Self {
            gravity: change.gravity.or(self.gravity),
            gravity_rotation: change.gravity_rotation.or(self.gravity_rotation),
            drag: change.drag.or(self.drag),
            drag_coefficient: change.drag_coefficient.or(of_drag.drag_coefficient),
            fluid_viscosity: change.fluid_viscosity.or(of_drag.fluid_viscosity),
            fluid_density: change.fluid_density.or(of_drag.fluid_density),
            porosity_cell: change.porosity_cell.or(of_drag.porosity_cell),
            magnus_coefficient: change.magnus_coefficient.or(self.magnus_coefficient),
            fluid_velocity: change.fluid_velocity.or(self.fluid_velocity),
            local_damping: change.local_damping.or(self.local_damping),
            mass_damping: change.mass_damping.or(self.mass_damping),
        }
    }
}
