//! A cell that deforms, as a user writes it.

use dem_io::units::{Pressure, Quantity, Ratio, StrainRate};
use schemars::JsonSchema;
use serde::Deserialize;

/// Which sense of stress and strain is positive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SenseScene {
    /// Tension and extension, as in continuum mechanics.
    #[default]
    Tension,
    /// Compression and shortening, as in soil mechanics.
    Compression,
}

/// How the deformation of the cell moves the particles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DisplacementScene {
    /// All particles are displaced affinely and move relative to that.
    #[default]
    Affine,
    /// Only the periodic images are displaced: the boundary drives the sample through its contacts.
    Boundary,
}

/// The periodic cell as a sample: its stress is measured and stages may deform it.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CellScene {
    /// What counts as positive in stresses, strains and rates of this scene and in series.csv. With compression the sign of all components is
    /// reversed, that of shear included. Default: tension.
    #[serde(default)]
    pub positive: SenseScene,
    /// How the deformation of the cell moves the particles. Default: affine, all particles.
    #[serde(default)]
    pub displacement: DisplacementScene,
    /// Response time of the stress servo, as a multiple of the travel time of an elastic wave across a grain, or across the cell with
    /// displacement = "boundary". Default: 5.
    pub response: Option<Quantity<Ratio>>,
}

/// Target of one component: a rate or a stress.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ComponentScene {
    /// Component of the velocity gradient.
    pub rate: Option<Quantity<StrainRate>>,
    /// Target stress, which the component of the velocity gradient reaches and holds.
    pub stress: Option<Quantity<Pressure>>,
}

/// How the cell deforms during a stage. Components that are not given have the rate zero. With `mean_stress` or `constant_volume`, however,
/// those of xx, yy, zz that are not given share one rate, which fulfils that condition. `xy` is the gradient along y of the velocity along x,
/// with compression positive with the opposite sign.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeformScene {
    /// Along x.
    pub xx: Option<ComponentScene>,
    /// Along y.
    pub yy: Option<ComponentScene>,
    /// Along z.
    pub zz: Option<ComponentScene>,
    /// Gradient along y of the velocity along x; with compression positive, with the opposite sign.
    pub xy: Option<ComponentScene>,
    /// Gradient along z of the velocity along x; with compression positive, with the opposite sign.
    pub xz: Option<ComponentScene>,
    /// Gradient along x of the velocity along y; with compression positive, with the opposite sign.
    pub yx: Option<ComponentScene>,
    /// Gradient along z of the velocity along y; with compression positive, with the opposite sign.
    pub yz: Option<ComponentScene>,
    /// Gradient along x of the velocity along z; with compression positive, with the opposite sign.
    pub zx: Option<ComponentScene>,
    /// Gradient along y of the velocity along z; with compression positive, with the opposite sign.
    pub zy: Option<ComponentScene>,
    /// Target of the mean stress, a third of the trace, which the directions that are not given reach and hold.
    pub mean_stress: Option<Quantity<Pressure>>,
    /// Whether the directions that are not given keep the volume constant.
    #[serde(default)]
    pub constant_volume: bool,
    /// Largest rate of a component that holds a stress. Default: that of an inertial number of 0.01 at the largest stress.
    pub max_rate: Option<Quantity<StrainRate>>,
}

/// True strains since the stage began. A positive one is reached from below, a negative one from above.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StrainScene {
    /// Along x.
    pub xx: Option<Quantity<Ratio>>,
    /// Along y.
    pub yy: Option<Quantity<Ratio>>,
    /// Along z.
    pub zz: Option<Quantity<Ratio>>,
    /// Shear in the plane yz, half of the change of angle.
    pub yz: Option<Quantity<Ratio>>,
    /// Shear in the plane xz.
    pub xz: Option<Quantity<Ratio>>,
    /// Shear in the plane xy.
    pub xy: Option<Quantity<Ratio>>,
    /// Of the volume.
    pub volume: Option<Quantity<Ratio>>,
}

/// All target stresses are reached and the particles are in equilibrium.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StressReachedScene {
    /// Largest deviation from a target, relative to the largest target. Default: 0.5 %.
    pub tolerance: Option<Quantity<Ratio>>,
    /// Mean net force in proportion to the mean contact force. Default: 1e-3.
    pub unbalanced_force: Option<Quantity<Ratio>>,
}
