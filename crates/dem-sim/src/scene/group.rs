//! Groups of particles and their degrees of freedom.

use dem_io::units::{Force, Quantity, Torque};
use schemars::JsonSchema;
use serde::Deserialize;

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

/// A group of particles: degrees of freedom that are frozen, loads, or both.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GroupScene {
    /// Degrees of freedom that do not move. A slice in the x-y plane freezes z, rotation_x and rotation_y.
    #[serde(default)]
    pub frozen: Vec<DegreeOfFreedom>,
    /// Constant force on each particle, on a rigid body at its centre of mass.
    pub force: Option<[Quantity<Force>; 3]>,
    /// Constant torque on each particle.
    pub torque: Option<[Quantity<Torque>; 3]>,
}
