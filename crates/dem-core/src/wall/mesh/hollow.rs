//! Faces that close around an axis in shallow valleys: cones, hoppers and tubes of many facets.
//!
//! In shallow valleys only the nearest face counts. Where a sphere overlaps such a ring all around, the nearest face brings along those in the
//! directions of [`ring`](super::super::ring), as the smooth surface does.

use glam::DVec3;

use super::half_space::HalfSpace;
use crate::wall::ring;

/// A face as seen from the axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stave {
    pub face: u32,
    pub origin: DVec3,
    /// Normal towards the axis.
    pub inward: DVec3,
}

/// The one of a ring that is nearest to a point inside. Near the axis all are equally far but for rounding, so that many have nearer ones on
/// neither side.
pub(super) fn leader(ring: &[Stave], point: DVec3) -> Option<u32> {
    let distance = |stave: &Stave| (point - stave.origin).dot(stave.inward);
    let mut nearest = ring.first().map(|stave| (distance(stave), stave.face))?;
    for stave in &ring[1..] {
        let other = distance(stave);
        if other < nearest.0 {
            nearest = (other, stave.face);
        }
    }
    Some(nearest.1)
}

/// What a face of a ring needs of the others.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Hollow {
    /// Number of the ring.
    pub ring: u32,
    /// A point of the axis.
    pub origin: DVec3,
    /// Unit vector of the axis.
    pub axis: DVec3,
    /// Normal of the face towards the axis.
    pub inward: DVec3,
    /// Part of the normals perpendicular to the axis.
    pub across: f64,
    /// Sides behind which the ring does not go on.
    pub ends: Vec<HalfSpace>,
    /// Points near the axis are farther from the face than this \[m\].
    pub least_height: f64,
    /// Faces that make this one count, too, when they are the nearest, ascending.
    pub leaders: Vec<u32>,
}

impl Hollow {
    /// Whether a point at a height over the face, of which `on_face` is a point, on either side, sees it from inside, between the ends of the ring, and is near the axis.
    #[inline]
    pub fn surrounds(&self, on_face: DVec3, point: DVec3, height: f64) -> bool {
        // nearly all that touch are not
        height.abs() >= self.least_height && self.is_near_axis(on_face, point)
    }

    /// How far a point at a height over the face may move before it may be near the axis \[m\].
    pub fn stays_aside(&self, height: f64) -> f64 {
        (self.least_height - height.abs()).max(0.0)
    }

    fn is_near_axis(&self, on_face: DVec3, point: DVec3) -> bool {
        let offset = point - self.origin;
        let along = self.axis * offset.dot(self.axis);
        let from_face = (self.origin + along - on_face).dot(self.inward);
        let reach = ring::NEAR_AXIS * self.across * from_face;
        (offset - along).length_squared() < reach * reach
            && reach > 0.0
            && (point - on_face).dot(self.inward) > 0.0
            && self.ends.iter().all(|side| side.depth(point) >= 0.0)
    }

    /// How far points are from the face at least that are near the axis, given what is at its ends and its corners \[m\].
    ///
    /// A foot between two ends across the axis is, seen along the axis, no nearer to it than the corners are, and the point is as far along or where
    /// the ring is wider. Within [`ring::NEAR_AXIS`] of the distance of the axis from the face, at least the rest of it is left.
    pub fn least_height(&self, on_face: DVec3, normal: DVec3, ends: &[HalfSpace], corners: &[DVec3]) -> f64 {
        let are_across = ends.len() >= 2
            && ends.iter().all(|side| {
                let along = side.inward.cross(normal);
                along.dot(self.axis).abs() < 1e-6
            });
        let from_axis = |corner: &DVec3| {
            let along = self.axis * (*corner - self.origin).dot(self.axis);
            (self.origin + along - on_face).dot(self.inward)
        };
        let nearest = corners.iter().map(from_axis).fold(f64::INFINITY, f64::min);
        if are_across && nearest.is_finite() { 0.98 * (1.0 - ring::NEAR_AXIS) * nearest.max(0.0) } else { 0.0 }
    }

    /// Whether [`Self::surrounds`] may be true of a place within `margin` of a point \[m\].
    pub fn may_surround(&self, on_face: DVec3, point: DVec3, margin: f64) -> bool {
        let offset = point - self.origin;
        let along = self.axis * offset.dot(self.axis);
        let from_face = (self.origin + along - on_face).dot(self.inward) + margin;
        let reach = ring::NEAR_AXIS * self.across * from_face + margin;
        from_face > 0.0
            && (offset - along).length_squared() < reach * reach
            && self.ends.iter().all(|side| side.depth(point) >= -margin)
    }
}
