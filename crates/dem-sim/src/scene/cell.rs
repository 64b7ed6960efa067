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

/// What follows the cell by itself when it deforms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DisplacementScene {
    /// All particles, by the affine step; they move relative to that.
    #[default]
    Affine,
    /// The periodic images only: the boundary drives the sample, which follows as its contacts push it.
    Boundary,
}

/// The periodic cell as a sample: its stress is measured and stages may deform it.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CellScene {
    /// What counts as positive in stresses, strains and rates of this scene and in series.csv. Compression turns all components round, those of
    /// shear, too: `xy` is then the velocity along x that falls along y. Default: tension.
    #[serde(default)]
    pub positive: SenseScene,
    /// What follows the cell by itself when it deforms. Default: affine, all particles.
    #[serde(default)]
    pub displacement: DisplacementScene,
    /// Time in which the servo approaches a stress, in times of an elastic wave across a grain, with displacement at the boundary across the
    /// cell. Default: 5.
    pub response: Option<Quantity<Ratio>>,
}

/// What is asked of one component: a rate or a stress.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ComponentScene {
    /// Component of the velocity gradient.
    pub rate: Option<Quantity<StrainRate>>,
    /// Stress that the component of the velocity gradient is to reach and hold.
    pub stress: Option<Quantity<Pressure>>,
}

/// How the cell deforms during a stage. Components that are not mentioned do not move, but for the diagonal under `mean_stress` or
/// `constant_volume`: those of xx, yy, zz that are not mentioned then move alike, as it demands. `xy` is the velocity along x that grows along y,
/// with compression positive that falls along y.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeformScene {
    /// Along x.
    pub xx: Option<ComponentScene>,
    /// Along y.
    pub yy: Option<ComponentScene>,
    /// Along z.
    pub zz: Option<ComponentScene>,
    /// Velocity along x that grows along y; with compression positive, that falls.
    pub xy: Option<ComponentScene>,
    /// Velocity along x that grows along z; with compression positive, that falls.
    pub xz: Option<ComponentScene>,
    /// Velocity along y that grows along x; with compression positive, that falls.
    pub yx: Option<ComponentScene>,
    /// Velocity along y that grows along z; with compression positive, that falls.
    pub yz: Option<ComponentScene>,
    /// Velocity along z that grows along x; with compression positive, that falls.
    pub zx: Option<ComponentScene>,
    /// Velocity along z that grows along y; with compression positive, that falls.
    pub zy: Option<ComponentScene>,
    /// Mean stress, a third of the trace, that the directions not mentioned are to reach and hold.
    pub mean_stress: Option<Quantity<Pressure>>,
    /// Whether the directions not mentioned keep the volume as it is.
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

/// All stresses that are asked for are reached and the grains are in equilibrium.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StressReachedScene {
    /// Largest distance from a target in proportion to the largest target. Default: 0.5 %.
    pub tolerance: Option<Quantity<Ratio>>,
    /// Mean net force in proportion to the mean contact force. Default: 1e-3.
    pub unbalanced_force: Option<Quantity<Ratio>>,
}
