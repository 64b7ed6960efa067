//! Rigid bodies of spheres (clumps) as a user writes them.

use std::path::PathBuf;

use dem_io::units::{Angle, Length, Mass, MomentOfInertia, Quantity, Ratio};
use schemars::JsonSchema;
use serde::Deserialize;

use super::quantities::LengthVector;

/// A kind of rigid bodies made of spheres.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClumpScene {
    /// The spheres, which may overlap; alternative to file.
    pub spheres: Option<Vec<ClumpSphereScene>>,
    /// File of spheres, relative to the scene.
    pub file: Option<PathBuf>,
    /// Program that the file is of.
    pub format: Option<ClumpFormatScene>,
    /// Length of one unit of the file, which does not say it.
    pub unit: Option<Quantity<Length>>,
    /// Mass of one unit of the file. Default: 1 kg.
    pub mass_unit: Option<Quantity<Mass>>,
    /// Number of the clump, in a file that has several.
    pub number: Option<i64>,
    /// Where mass, centre and inertia come from. Default: union.
    #[serde(default)]
    pub mass_from: MassFromScene,
    /// Mass at scale 1, with `mass_from = "given"`.
    pub mass: Option<Quantity<Mass>>,
    /// Inertia at scale 1 about the centre of mass, with `mass_from = "given"`: the components xx, yy, zz, xy, xz, yz of the tensor (products with the
    /// sign that they have there, xy = -∫xy dm), or three moments about the axes of the spheres' frame. Default: that of the union.
    pub inertia: Option<InertiaScene>,
    /// Centre of mass in the frame of the spheres, with `mass_from = "given"`. Default: that of the union.
    pub centre: Option<LengthVector>,
    /// Factor on all lengths; masses go with its third power, inertia with its fifth. Default: 1.
    pub scale: Option<Quantity<Ratio>>,
}

/// A sphere of a clump.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClumpSphereScene {
    /// Centre, in any frame that all spheres share.
    pub position: LengthVector,
    /// Radius.
    pub radius: Quantity<Length>,
    /// Material of its contacts, for all spheres or for none. The density of the body is that of the first one. Default: that of the source.
    pub material: Option<String>,
}

/// Programs whose files of clumps are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ClumpFormatScene {
    /// LIGGGHTS: lines of x y z r.
    Liggghts,
    /// DEM-Engine (Project Chrono): a table with the columns x, y, z, r.
    DemEngine,
    /// LAMMPS: a molecule template of finite spheres.
    LammpsMolecule,
    /// Yade: lines of x y z r and the number of the clump.
    Yade,
}

/// Where mass, centre and inertia of a clump come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MassFromScene {
    /// Each point of the spheres has mass once.
    #[default]
    Union,
    /// Every sphere has its full mass: overlaps count as often as spheres share them.
    Spheres,
    /// Given here, or in a file that has them.
    Given,
}

/// Inertia of a clump.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "expected 3 moments of inertia, or 6 components xx, yy, zz, xy, xz, yz, such as \"3e-9 kg m^2\""
)]
pub enum InertiaScene {
    /// Moments about the axes of the spheres' frame.
    Moments([Quantity<MomentOfInertia>; 3]),
    /// Components xx, yy, zz, xy, xz, yz.
    Components([Quantity<MomentOfInertia>; 6]),
}

/// How bodies are turned when they are inserted.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(
    untagged,
    deny_unknown_fields,
    expecting = "expected \"random\", \"fixed\", { fixed = [x, y, z, w] } or { axis = [x, y, z], spread = \"10 deg\" }"
)]
pub enum OrientationScene {
    /// In a word.
    Word(OrientationWord),
    /// Turned by a rotation from the frame in which the spheres are written.
    Fixed {
        /// Unit quaternion x, y, z, w.
        fixed: [f64; 4],
    },
    /// An axis of the body about a direction, turned about it at random.
    Axis {
        /// The direction, any length.
        axis: [f64; 3],
        /// Largest angle between them; evenly over the cone. Default: 0.
        spread: Option<Quantity<Angle>>,
        /// Which axis of the body. Default: long.
        #[serde(default)]
        of: BodyAxis,
    },
}

/// Orientations that need no numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OrientationWord {
    /// Uniform over all orientations.
    Random,
    /// As the spheres are written.
    Fixed,
}

/// An axis of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BodyAxis {
    /// The principal axis of the smallest moment, along which a body is long.
    #[default]
    Long,
    /// That of the largest moment, along which it is flat.
    Short,
}
