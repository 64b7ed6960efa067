//! Surface points of surfaces of revolution.

use glam::{DVec2, DVec3};

use super::ring;
use super::surface_point::{ROUNDING, SurfacePoint};

/// A straight generator turned about an axis through the origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Revolution {
    /// Unit vector of the axis.
    pub axis: DVec3,
    /// Start of the generator: (distance from the axis, height) \[m\].
    pub start: DVec2,
    /// End of the generator \[m\].
    pub end: DVec2,
}

impl Revolution {
    /// Distance from the axis below which its direction is rounding \[m\].
    #[inline]
    pub fn on_axis(&self) -> f64 {
        ring::ON_AXIS * self.start.x.max(self.end.x)
    }

    /// Distance from the surface that is nothing but rounding \[m\].
    #[inline]
    pub fn rounding(&self) -> f64 {
        let Self { start, end, .. } = *self;
        let heights = if start.y.is_finite() && end.y.is_finite() { start.y.abs() + end.y.abs() } else { 0.0 };
        ROUNDING * (start.x + end.x + heights)
    }

    /// Normal of the surface in a half-plane: (away from the axis, along it). Towards the axis, for a disc along it.
    pub fn normal_of_generator(&self) -> DVec2 {
        let Self { start, end, .. } = *self;
        if !(start.y.is_finite() && end.y.is_finite()) {
            return DVec2::NEG_X;
        }
        let across = (end - start).perp().normalize();
        if across.x > 0.0 || across.x == 0.0 && across.y < 0.0 { -across } else { across }
    }

    /// Point of the generator nearest to a point of its half-plane, and whether it lies between the ends.
    #[inline]
    fn nearest(&self, p: DVec2) -> (DVec2, bool) {
        let Self { start, end, .. } = *self;
        if start.y.is_finite() && end.y.is_finite() {
            let along = end - start;
            let t = (p - start).dot(along) / along.length_squared();
            (start + along * t.clamp(0.0, 1.0), (0.0..=1.0).contains(&t))
        } else {
            (DVec2::new(start.x, p.y), true)
        }
    }

    /// Height of a point, and where it is seen from the axis: distance and direction.
    #[inline]
    fn cylindrical(&self, d: DVec3) -> (f64, f64, DVec3) {
        let height = d.dot(self.axis);
        let radial_vector = d - self.axis * height;
        let radius = radial_vector.length();
        if radius > self.on_axis() {
            return (height, radius, radial_vector / radius);
        }
        let radial = self.axis.any_orthonormal_vector();
        (height, radial_vector.dot(radial), radial)
    }

    /// Nearest point: by symmetry it lies in the half-plane of the point.
    #[inline]
    pub fn surface_point(&self, d: DVec3) -> SurfacePoint {
        let (height, radius, radial) = self.cylindrical(d);
        self.in_half_plane(DVec2::new(radius, height), radial)
    }

    fn in_half_plane(&self, p: DVec2, radial: DVec3) -> SurfacePoint {
        let (nearest, interior) = self.nearest(p);
        let offset = p - nearest;
        let along = |v: DVec2| radial * v.x + self.axis * v.y;
        let mut surface = SurfacePoint::towards(along(offset), self.rounding(), || along(self.normal_of_generator()));
        if interior && nearest.x > 0.0 {
            // none along the generator, cos(half angle)/radius around, seen from the side of the point. With half of that in the effective radius the
            // force is within half a per cent of that of the elliptical contact for walls of five radii of the sphere, and within 4 % for two
            let across = surface.normal.dot(radial);
            surface.curvature = 0.5 * (across / nearest.x);
        }
        surface
    }

    /// Where the surface is touched in another direction than that of the nearest point, `turn` parts of the circle from it.
    pub fn turned(&self, turn: u32, d: DVec3) -> SurfacePoint {
        let (height, radius, radial) = self.cylindrical(d);
        // what the axis sees at this height says how wide and how steep the ring is, wherever the sphere is across it
        let (foot, _) = self.nearest(DVec2::new(0.0, height));
        let from_axis = foot.distance(DVec2::new(0.0, height));
        if foot.x <= 0.0 {
            return SurfacePoint::NONE;
        }
        let number = ring::directions(foot.x / from_axis);
        if turn >= number {
            // with the distance that the direction has if there are more
            return SurfacePoint { distance: from_axis, is_nearest: false, ..SurfacePoint::NONE };
        }
        let direction = ring::direction(turn, number);
        let p = DVec2::new(radius * direction.x, height);
        let turned = radial * direction.x + self.axis.cross(radial) * direction.y;
        let is_nearest = radius < ring::NEAR_AXIS * foot.x && self.nearest(p).0.x > 0.0;
        SurfacePoint { is_nearest, ..self.in_half_plane(p, turned) }
    }
}
