//! What a wall is to press with, as a user writes it.

use dem_io::units::{Area, Force, Length, Pressure, Quantity, Ratio, Velocity};
use schemars::JsonSchema;
use serde::Deserialize;

/// Moves a wall so that it presses on the particles with a pressure or a force: one of the two, positive.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ServoScene {
    /// Force per area.
    pub pressure: Option<Quantity<Pressure>>,
    /// Force.
    pub force: Option<Quantity<Force>>,
    /// Area that the pressure acts on. Default: that of a disc or a rectangle; of a plane across an axis that of the sample between its
    /// periodic faces and the walls that face each other, as it is at the time.
    pub area: Option<Quantity<Area>>,
    /// Direction in which the wall presses, any length. Default: the normal of a plane; needed for other shapes.
    pub direction: Option<[f64; 3]>,
    /// Largest speed in that direction. Default: that of an inertial number of 0.01 across a grain at the pressure.
    pub max_speed: Option<Quantity<Velocity>>,
    /// Largest travel of the wall; beyond it the run stops, because the particles do not carry the force. Default: to the far side of all particles.
    pub max_travel: Option<Quantity<Length>>,
    /// Response time of the servo, as a multiple of the travel time of an elastic wave across the sample under the wall. Default: 5.
    pub response: Option<Quantity<Ratio>>,
}
