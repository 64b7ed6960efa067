//! A sphere of a rigid body.

use glam::DVec3;

/// A sphere of a rigid body, in the frame in which the body is described.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MemberSphere {
    /// Centre \[m\].
    pub position: DVec3,
    /// Radius, greater than zero \[m\].
    pub radius: f64,
}

impl MemberSphere {
    /// Whether two spheres have a volume in common.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.position.distance(other.position) < self.radius + other.radius
    }

    /// Whether no point of this sphere is outside the other one.
    pub fn is_within(&self, other: &Self) -> bool {
        self.position.distance(other.position) <= other.radius - self.radius
    }
}
