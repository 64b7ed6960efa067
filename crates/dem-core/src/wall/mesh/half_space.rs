//! Halves of space.

use glam::DVec3;

/// Half of space beyond a side of a facet, perpendicular to its face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct HalfSpace {
    pub(super) origin: DVec3,
    pub(super) inward: DVec3,
}

impl HalfSpace {
    /// Distance from the boundary, positive inside.
    #[inline]
    pub(super) fn depth(&self, point: DVec3) -> f64 {
        (point - self.origin).dot(self.inward)
    }
}
