//! Guides as a user writes them.

use dem_io::units::{AngularVelocity, Length, Quantity, Ratio, Velocity};
use schemars::JsonSchema;
use serde::Deserialize;

use super::quantities::LengthVector;

/// A path that the particles of a source follow.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GuideScene {
    /// Name, unique among the guides.
    pub name: String,
    /// Source whose particles follow the path, one that acts at the start; their centres, of bodies those of mass, are on the path to a millionth of their radius.
    pub particles: String,
    /// The path.
    pub path: PathScene,
    /// What moves the particles along it. Default: the forces that act on them, from rest.
    #[serde(default)]
    pub motion: GuideMotionScene,
    /// Angular velocity that its particles keep, whatever resists: with a prescribed motion a body is a moving wall. Default: they turn freely.
    pub angular_velocity: Option<[Quantity<AngularVelocity>; 3]>,
    /// Coefficient of friction between guide and particles, only with a free motion. Default: 0.
    pub friction: Option<Quantity<Ratio>>,
    /// Whether a circle only pushes outwards, and releases a particle that it would have to pull. Only with a free motion. Default: no.
    #[serde(default)]
    pub one_sided: bool,
}

/// A straight line without ends or a circle.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum PathScene {
    /// A straight line.
    Line {
        /// A point of it. Default: the origin.
        point: Option<LengthVector>,
        /// Positive direction, any length.
        direction: [f64; 3],
    },
    /// A circle.
    Circle {
        /// Centre. Default: the origin.
        centre: Option<LengthVector>,
        /// Normal of its plane, any length; the positive direction turns about it by the right hand. Default: z.
        normal: Option<[f64; 3]>,
        /// Radius.
        radius: Quantity<Length>,
    },
}

/// What moves guided particles.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum GuideMotionScene {
    /// The forces along the path.
    Free {
        /// Velocity along the path at the start. Default: 0.
        velocity: Option<Quantity<Velocity>>,
    },
    /// A given velocity along the path, whatever resists.
    Prescribed {
        /// The velocity.
        velocity: Quantity<Velocity>,
    },
}

impl Default for GuideMotionScene {
    fn default() -> Self {
        Self::Free { velocity: None }
    }
}
