//! Surface points of several points at once, for the shapes that containers are mostly made of.
//!
//! Every operation is that of [`Shape::surface_point`], in the same order and rounded alike, so that both give the same bits.

use glam::DQuat;

use super::revolution::Revolution;
use super::{Pose, Shape, SurfacePoint, Wall};
use crate::lanes::{Lanes, MOST_LANES, Mask, Real, Vector};

/// A [`SurfacePoint`] per lane.
#[derive(Clone, Copy, Debug)]
pub struct SurfacePoints<R: Lanes> {
    /// Distances from the points to the surface \[m\].
    pub distance: R,
    /// Unit normals from the surface to the points.
    pub normal: Vector<R>,
    /// Mean of the curvatures seen by the spheres \[1/m\].
    pub curvature: R,
    /// Where a sphere can touch the feature there.
    pub is_nearest: R::Mask,
}

impl<R: Lanes> SurfacePoints<R> {
    /// From one per lane.
    #[inline(always)]
    pub fn from_lanes(point: impl Fn(usize) -> SurfacePoint) -> Self {
        Self {
            distance: R::from_lanes(|lane| point(lane).distance),
            normal: Vector::from_lanes(|lane| point(lane).normal),
            curvature: R::from_lanes(|lane| point(lane).curvature),
            is_nearest: R::zero().less(R::from_lanes(|lane| if point(lane).is_nearest { 1.0 } else { 0.0 })),
        }
    }

    /// Lanes whose points can be touched.
    #[inline(always)]
    fn touchable(distance: R, normal: Vector<R>, curvature: R) -> Self {
        Self { distance, normal, curvature, is_nearest: R::zero().at_most(R::zero()) }
    }
}

impl Wall {
    /// Nearest surface points to points of the space frame, for a pose of the wall, bit for bit as [`Self::surface_point`] finds them for
    /// the features of the lanes; none if the shape branches too much, or is turned, or a feature is not the first.
    #[inline(always)]
    pub fn surface_points<R: Lanes>(
        &self,
        pose: &Pose,
        features: &[u32; MOST_LANES],
        points: Vector<R>,
    ) -> Option<SurfacePoints<R>> {
        if pose.orientation != DQuat::IDENTITY || features[..R::LANES].iter().any(|&feature| feature != 0) {
            return None;
        }
        let points = points - Vector::splat(pose.position);
        match self.shape {
            Shape::Plane { point, normal } => {
                let normal = Vector::splat(normal);
                let distance = dot(points - Vector::splat(point), normal);
                Some(SurfacePoints::touchable(distance, normal, R::zero()))
            }
            Shape::Revolution { base, axis, start, end } => {
                Some(revolution(&Revolution { axis, start, end }, points - Vector::splat(base)))
            }
            _ => None,
        }
    }
}

/// Every product and sum rounded, as glam does it.
#[inline(always)]
fn dot<R: Real>(a: Vector<R>, b: Vector<R>) -> R {
    a.x * b.x + a.y * b.y + a.z * b.z
}

/// `v / a`
#[inline(always)]
fn over<R: Real>(v: Vector<R>, a: R) -> Vector<R> {
    Vector::new(v.x / a, v.y / a, v.z / a)
}

/// [`Revolution::surface_point`].
#[inline(always)]
fn revolution<R: Lanes>(surface: &Revolution, d: Vector<R>) -> SurfacePoints<R> {
    let (zero, one) = (R::zero(), R::splat(1.0));
    let Revolution { axis, start, end } = *surface;
    let across_axis = Vector::splat(axis.any_orthonormal_vector());
    let is_limited = start.y.is_finite() && end.y.is_finite();
    let axis = Vector::splat(axis);
    let height = dot(d, axis);
    let radial_vector = d - axis * height;
    let radius = dot(radial_vector, radial_vector).sqrt();
    let has_direction = R::splat(surface.on_axis()).less(radius);
    let radial = Vector::select(has_direction, over(radial_vector, radius), across_axis);
    let radius = R::select(has_direction, radius, dot(radial_vector, across_axis));
    let mut nearest = (R::splat(start.x), height);
    let mut interior = zero.at_most(zero);
    if is_limited {
        let along = end - start;
        let (from, by) = ((R::splat(start.x), R::splat(start.y)), (R::splat(along.x), R::splat(along.y)));
        let t = ((radius - from.0) * by.0 + (height - from.1) * by.1) / R::splat(along.length_squared());
        let clamped = R::select(t.less(zero), zero, t);
        let clamped = R::select(one.less(clamped), one, clamped);
        nearest = (from.0 + by.0 * clamped, from.1 + by.1 * clamped);
        interior = zero.at_most(t) & t.at_most(one);
    }
    let offset = radial * (radius - nearest.0) + axis * (height - nearest.1);
    let distance = dot(offset, offset).sqrt();
    let is_off = R::splat(surface.rounding()).less(distance);
    let mut normal = over(offset, distance);
    if !is_off.all() {
        let across = surface.normal_of_generator();
        normal = Vector::select(is_off, normal, radial * R::splat(across.x) + axis * R::splat(across.y));
    }
    let around = dot(normal, radial) / nearest.0;
    let curvature = R::select(interior & zero.less(nearest.0), R::splat(0.5) * around, zero);
    SurfacePoints::touchable(distance, normal, curvature)
}

#[cfg(test)]
mod tests {
    use glam::{DVec2, DVec3};

    use super::*;
    use crate::lanes::{LaneTask, Width};
    use crate::wall::Motion;

    struct Compare<'a> {
        wall: &'a Wall,
        points: [DVec3; MOST_LANES],
    }

    impl LaneTask for Compare<'_> {
        type Output = ();
        #[inline(always)]
        fn run<R: Lanes>(self) {
            let features = [0; MOST_LANES];
            let Some(found) =
                self.wall.surface_points::<R>(&self.wall.pose, &features, Vector::from_lanes(|k| self.points[k]))
            else {
                unreachable!("{} is found point by point", self.wall.name)
            };
            for (lane, &point) in self.points.iter().enumerate().take(R::LANES) {
                let expected = self.wall.surface_point(&self.wall.pose, 0, point);
                let bits = |v: [f64; 5]| v.map(f64::to_bits);
                let numbers = |distance: f64, normal: DVec3, curvature: f64| {
                    bits([distance, normal.x, normal.y, normal.z, curvature])
                };
                assert_eq!(
                    numbers(found.distance.lane(lane), found.normal.lane(lane), found.curvature.lane(lane)),
                    numbers(expected.distance, expected.normal, expected.curvature),
                    "{} at {point}",
                    self.wall.name
                );
                assert_eq!(crate::lanes::LaneMask::bits(found.is_nearest) >> lane & 1 == 1, expected.is_nearest);
            }
        }
    }

    #[test]
    fn lanes_have_the_bits_of_points_one_by_one() {
        let axis = DVec3::new(0.3, -0.2, 0.9).normalize();
        let turned =
            |start: DVec2, end: DVec2| Shape::Revolution { base: DVec3::new(0.1, 0.2, -0.3), axis, start, end };
        let unlimited = DVec2::new(1.0, f64::INFINITY);
        let shapes = [
            ("plane", Shape::Plane { point: DVec3::new(0.5, 0.0, 0.1), normal: axis }),
            ("cylinder", turned(DVec2::new(1.0, 0.0), DVec2::new(1.0, 2.0))),
            ("cone", turned(DVec2::new(0.2, -1.0), DVec2::new(1.5, 1.0))),
            ("disc", turned(DVec2::new(0.0, 0.5), DVec2::new(1.0, 0.5))),
            ("pipe", turned(DVec2::new(1.0, f64::NEG_INFINITY), unlimited)),
        ];
        for (name, shape) in shapes {
            let base = if let Shape::Revolution { base, .. } = shape { base } else { DVec3::ZERO };
            let wall = Wall::new(name, shape, DVec3::new(0.01, 0.02, 0.03), 0, Motion::default());
            let mut number = 0.37f64;
            let mut next = || {
                number = (number * 997.0).fract();
                4.0 * number - 2.0
            };
            for turn in 0..200 {
                let mut points: [DVec3; MOST_LANES] = std::array::from_fn(|_| DVec3::new(next(), next(), next()));
                // on the axis, where no radial direction is, and in the surface, or nearly, where no side is
                points[turn % MOST_LANES] = base + wall.pose.position + axis * next();
                if let Shape::Revolution { start, end, .. } = wall.shape
                    && turn % 3 == 0
                {
                    let across = axis.any_orthonormal_vector();
                    let share = 0.25 * (next() + 2.0);
                    let height = if start.y.is_finite() { start.y + share * (end.y - start.y) } else { next() };
                    let on = across * (start.x + share * (end.x - start.x)) + axis * height;
                    points[(turn + 1) % MOST_LANES] = base + wall.pose.position + on;
                }
                for width in Width::available() {
                    width.run(Compare { wall: &wall, points });
                }
            }
        }
    }
}
