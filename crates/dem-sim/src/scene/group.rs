//! Groups of particles and their degrees of freedom.

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

/// A group of particles.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GroupScene {
    /// Degrees of freedom that do not move. A slice in the x-y plane freezes z, rotation_x and rotation_y.
    #[serde(default)]
    pub frozen: Vec<DegreeOfFreedom>,
}
