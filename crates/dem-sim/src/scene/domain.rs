//! The domain and its faces.

use schemars::JsonSchema;
use serde::Deserialize;

use super::quantities::LengthVector;

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
    /// Both faces perpendicular to x.
    pub x: Option<FaceScene>,
    /// Both faces perpendicular to y.
    pub y: Option<FaceScene>,
    /// Both faces perpendicular to z.
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
