//! The point of a surface that is nearest to a place.

use glam::DVec3;

/// Surface point of a feature nearest to a given point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// Distance from the point to the surface \[m\]; negative inside a half-space, infinite for a face that is open.
    pub distance: f64,
    /// Unit normal from the surface to the point.
    pub normal: DVec3,
    /// Mean of the curvatures seen by the sphere \[1/m\]: positive where the wall bulges towards it, negative where it surrounds it.
    pub curvature: f64,
    /// Whether a sphere can touch the feature there. If not, another feature is nearer along the surface, and the point continues this one.
    pub is_nearest: bool,
}

impl SurfacePoint {
    /// No point: that of a face that is open.
    pub const NONE: Self = Self { distance: f64::INFINITY, normal: DVec3::Z, curvature: 0.0, is_nearest: false };

    /// The point that an `offset` from the surface belongs to \[m\]. Where no more than `rounding` \[m\] is left of it the point lies in the
    /// surface, and the direction of what is left says nothing: the normal is that `of_surface` then.
    #[inline]
    pub(super) fn towards(offset: DVec3, rounding: f64, of_surface: impl Fn() -> DVec3) -> Self {
        let distance = offset.length();
        let normal = if distance > rounding { offset / distance } else { of_surface() };
        Self { distance, normal, curvature: 0.0, is_nearest: true }
    }
}

/// Rounding of a distance from a surface, in proportion to the size of the surface: that of a few sums and products.
pub(super) const ROUNDING: f64 = 16.0 * f64::EPSILON;
