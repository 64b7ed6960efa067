//! What a row of a table says.

use std::sync::Arc;

use glam::{DQuat, DVec3};

/// One particle of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct ParticleRow {
    /// Centre `[m]`.
    pub position: DVec3,
    /// Radius `[m]`, greater than zero.
    pub radius: f64,
    /// Velocity of the centre `[m/s]`, zero where the table has no such column.
    pub velocity: DVec3,
    /// Angular velocity `[rad/s]`, zero where the table has no such column.
    pub angular_velocity: DVec3,
    /// Orientation as a unit quaternion x, y, z, w; `None` where the table has no such columns.
    pub orientation: Option<DQuat>,
    /// Name of the material; `None` where the table has no such column or the field is empty.
    pub material: Option<Arc<str>>,
}
