//! Shapes of walls: which points of a surface are nearest to a sphere's centre.
//!
//! A shape has one or more *features*; a sphere can touch each feature once, where the distance from its centre is shortest. Surfaces that
//! surround a sphere have a feature for each direction in which it touches them near their axis (`ring`). All surfaces but the plane are thin and
//! two-sided: the contact is on the side of the centre. The plane is a half-space. Rims, edges and corners are part of
//! the surface, so a sphere rolls over them.

use std::sync::Arc;

use glam::{DVec2, DVec3};
use serde::{Deserialize, Serialize};

use super::mesh::Mesh;
use super::revolution::Revolution;
use super::ring;
use super::surface_point::{ROUNDING, SurfacePoint};

/// Closed faces of a box, in the order x_min, x_max, y_min, y_max, z_min, z_max.
pub type BoxFaces = [bool; 6];

/// Shape of a wall.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Shape {
    /// Half-space behind the plane through `point` with the outward `normal` (unit).
    Plane {
        /// A point of the plane \[m\].
        point: DVec3,
        /// Unit normal towards the particles.
        normal: DVec3,
    },
    /// Finite rectangle.
    Rectangle {
        /// Centre \[m\].
        centre: DVec3,
        /// Half of the first edge \[m\].
        half_u: DVec3,
        /// Half of the second edge, perpendicular to the first \[m\].
        half_v: DVec3,
    },
    /// Axis-parallel box seen from inside; open faces have no surface.
    Box {
        /// Lower corner \[m\].
        low: DVec3,
        /// Upper corner \[m\].
        high: DVec3,
        /// Which faces are closed.
        closed: BoxFaces,
    },
    /// Surface swept by a straight generator turned about an axis: cylinder, frustum (cone, hopper), disc, annulus.
    Revolution {
        /// Origin of the axis \[m\].
        base: DVec3,
        /// Unit vector of the axis.
        axis: DVec3,
        /// Start of the generator: (distance from the axis, height) \[m\].
        start: DVec2,
        /// End of the generator \[m\].
        end: DVec2,
    },
    /// Spherical shell.
    Sphere {
        /// Centre \[m\].
        centre: DVec3,
        /// Radius \[m\].
        radius: f64,
    },
    /// Triangle mesh.
    Mesh {
        /// Facets. They come from the scene: a saved shape gets them back by [`Shape::adopt`].
        #[serde(skip)]
        mesh: Arc<Mesh>,
        /// Where the origin of the mesh is \[m\].
        at: DVec3,
    },
}

impl Shape {
    /// Number of features.
    pub fn features(&self) -> u32 {
        match self {
            Self::Box { .. } => 6,
            Self::Revolution { .. } | Self::Sphere { .. } => ring::MOST,
            Self::Mesh { mesh, .. } => mesh.features(),
            _ => 1,
        }
    }

    /// Whether a sphere that moves along the surface may pass from one feature to another and take its contact along.
    pub fn hands_contacts_on(&self) -> bool {
        matches!(self, Self::Mesh { .. } | Self::Box { .. })
    }

    /// Takes over what is not saved with a shape from the same shape.
    pub fn adopt(&mut self, same: &Self) {
        if let (Self::Mesh { mesh, .. }, Self::Mesh { mesh: own, .. }) = (self, same) {
            *mesh = Arc::clone(own);
        }
    }

    /// Calls `visit` for every feature that can be touched over a distance of `reach` from some place within `margin` of a point \[m\], for
    /// some more than once.
    pub fn visit_near(&self, point: DVec3, reach: f64, margin: f64, visit: &mut dyn FnMut(u32)) {
        match self {
            Self::Mesh { mesh, at } => mesh.visit_near(point - *at, reach, margin, visit),
            // the nearest point comes first, and the others are never nearer
            Self::Revolution { .. } | Self::Sphere { .. }
                if self.surface_point(0, point).distance >= reach + margin => {}
            _ => {
                let reach = reach + margin;
                for feature in (0..self.features()).filter(|&f| self.surface_point(f, point).distance < reach) {
                    visit(feature);
                }
            }
        }
    }

    /// Distance from a point to the surface \[m\]; negative inside a half-space.
    pub fn distance(&self, point: DVec3) -> f64 {
        match self {
            Self::Mesh { mesh, at } => mesh.distance(point - *at),
            Self::Revolution { .. } | Self::Sphere { .. } => self.surface_point(0, point).distance,
            _ => (0..self.features()).map(|f| self.surface_point(f, point).distance).fold(f64::INFINITY, f64::min),
        }
    }

    /// The shape moved by `by` \[m\].
    #[must_use]
    pub fn shifted(mut self, by: DVec3) -> Self {
        match &mut self {
            Self::Plane { point: at, .. }
            | Self::Rectangle { centre: at, .. }
            | Self::Revolution { base: at, .. }
            | Self::Sphere { centre: at, .. }
            | Self::Mesh { at, .. } => *at += by,
            Self::Box { low, high, .. } => {
                *low += by;
                *high += by;
            }
        }
        self
    }

    /// Corners of a box that holds the surface \[m\]; `None` if it is unlimited.
    pub fn bounds(&self) -> Option<(DVec3, DVec3)> {
        match *self {
            Self::Plane { .. } => None,
            Self::Rectangle { centre, half_u, half_v } => {
                let half = half_u.abs() + half_v.abs();
                Some((centre - half, centre + half))
            }
            Self::Box { low, high, .. } => Some((low, high)),
            Self::Revolution { base, axis, start, end } => {
                if !(start.y.is_finite() && end.y.is_finite()) {
                    return None;
                }
                let across = (DVec3::ONE - axis * axis).max(DVec3::ZERO);
                let reach = DVec3::new(across.x.sqrt(), across.y.sqrt(), across.z.sqrt());
                let ring = |p: DVec2| (base + axis * p.y - reach * p.x, base + axis * p.y + reach * p.x);
                let ((a, b), (c, d)) = (ring(start), ring(end));
                Some((a.min(c), b.max(d)))
            }
            Self::Sphere { centre, radius } => Some((centre - radius, centre + radius)),
            Self::Mesh { ref mesh, at } => {
                let (low, high) = mesh.bounds();
                Some((low + at, high + at))
            }
        }
    }

    /// Whether rotations about the axis through the origin of the body frame map the surface onto itself.
    pub fn is_invariant_about(&self, axis: DVec3) -> bool {
        let parallel = |a: DVec3| a.cross(axis).length() <= 1e-12 * a.length() * axis.length();
        match *self {
            Self::Plane { normal, .. } => parallel(normal),
            Self::Revolution { base, axis: own, .. } => {
                parallel(own) && base.cross(own).length() <= 1e-12 * base.length()
            }
            Self::Sphere { centre, .. } => centre == DVec3::ZERO,
            Self::Rectangle { .. } | Self::Box { .. } | Self::Mesh { .. } => false,
        }
    }

    /// Nearest surface point of a feature.
    #[inline]
    pub fn surface_point(&self, feature: u32, point: DVec3) -> SurfacePoint {
        match *self {
            Self::Plane { point: origin, normal } => {
                SurfacePoint { distance: (point - origin).dot(normal), normal, curvature: 0.0, is_nearest: true }
            }
            Self::Rectangle { centre, half_u, half_v } => {
                let d = point - centre;
                let u = (d.dot(half_u) / half_u.length_squared()).clamp(-1.0, 1.0);
                let v = (d.dot(half_v) / half_v.length_squared()).clamp(-1.0, 1.0);
                let rounding = ROUNDING * (half_u.length_squared() + half_v.length_squared()).sqrt();
                SurfacePoint::towards(d - half_u * u - half_v * v, rounding, || half_u.cross(half_v).normalize())
            }
            Self::Box { low, high, closed } => box_face(low, high, closed, feature as usize, point),
            Self::Revolution { base, axis, start, end } => {
                let surface = Revolution { axis, start, end };
                if feature == 0 { surface.surface_point(point - base) } else { surface.turned(feature, point - base) }
            }
            Self::Sphere { centre, radius } => shell(radius, feature, point - centre),
            Self::Mesh { ref mesh, at } => mesh.surface_point(feature, point - at, f64::INFINITY),
        }
    }

    /// The same; whether it is [nearest](SurfacePoint::is_nearest) is not needed where it is not nearer than `reach` \[m\].
    #[inline]
    pub fn surface_point_within(&self, feature: u32, point: DVec3, reach: f64) -> SurfacePoint {
        match *self {
            Self::Mesh { ref mesh, at } => mesh.surface_point(feature, point - at, reach),
            _ => self.surface_point(feature, point),
        }
    }

    /// How far a point may move before the answer may change whether a feature can be touched there \[m\]: positive if it can, negative if it
    /// cannot, zero if that is not known.
    pub fn certainty(&self, feature: u32, point: DVec3) -> f64 {
        match self {
            Self::Mesh { mesh, at } => mesh.certainty(feature, point - *at),
            _ => 0.0,
        }
    }
}

/// Shell of a ball about the origin: the nearest point, or one of those around it that a ball inside touches, too, near the middle.
fn shell(radius: f64, feature: u32, d: DVec3) -> SurfacePoint {
    let from_centre = d.length();
    let is_in_middle = from_centre <= ring::ON_AXIS * radius;
    let outward = if is_in_middle { DVec3::Z } else { d / from_centre };
    if from_centre >= radius {
        let distance = if feature == 0 { from_centre - radius } else { f64::INFINITY };
        return SurfacePoint { distance, normal: outward, curvature: 1.0 / radius, is_nearest: feature == 0 };
    }
    let (towards, along) = match feature {
        0 if !is_in_middle => (outward, from_centre),
        _ => {
            let towards = ring::corner_of_icosahedron(feature, outward);
            (towards, d.dot(towards))
        }
    };
    let is_nearest = feature == 0 || from_centre < ring::NEAR_AXIS * radius;
    SurfacePoint { distance: radius - along, normal: -towards, curvature: -1.0 / radius, is_nearest }
}

/// Face `feature` of a box. A point nearest to an edge shared by closed faces belongs to the lowest of them, so that a sphere
/// outside does not touch the same edge twice.
fn box_face(low: DVec3, high: DVec3, closed: BoxFaces, feature: usize, point: DVec3) -> SurfacePoint {
    if !closed[feature] {
        return SurfacePoint::NONE;
    }
    let plane = |face: usize| {
        if face.is_multiple_of(2) { low[face / 2] } else { high[face / 2] }
    };
    let mut nearest = point.clamp(low, high);
    nearest[feature / 2] = plane(feature);
    let on_lower_face =
        (0..feature).any(|face| face / 2 != feature / 2 && closed[face] && nearest[face / 2] == plane(face));
    let beyond = point.cmplt(low).any() || point.cmpgt(high).any();
    let mut inward = DVec3::ZERO;
    inward[feature / 2] = if feature.is_multiple_of(2) { 1.0 } else { -1.0 };
    SurfacePoint { is_nearest: !(beyond && on_lower_face), ..SurfacePoint::towards(point - nearest, 0.0, || inward) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cylinder() -> Shape {
        Shape::Revolution {
            base: DVec3::new(1.0, 0.0, 0.0),
            axis: DVec3::Z,
            start: DVec2::new(2.0, 0.0),
            end: DVec2::new(2.0, 5.0),
        }
    }

    #[test]
    fn cylinder_is_two_sided_and_has_a_rim() {
        let inside = cylinder().surface_point(0, DVec3::new(2.5, 0.0, 1.0));
        assert!((inside.distance - 0.5).abs() < 1e-15);
        assert!((inside.normal + DVec3::X).length() < 1e-15);
        assert!((inside.curvature + 0.25).abs() < 1e-15);
        let outside = cylinder().surface_point(0, DVec3::new(4.0, 0.0, 1.0));
        assert!((outside.normal - DVec3::X).length() < 1e-15 && (outside.curvature - 0.25).abs() < 1e-15);
        let rim = cylinder().surface_point(0, DVec3::new(3.0, 0.0, 5.25));
        assert!((rim.distance - 0.25).abs() < 1e-15 && (rim.normal - DVec3::Z).length() < 1e-15);
    }

    #[test]
    fn frustum_normal_is_perpendicular_to_its_generator() {
        let cone = Shape::Revolution {
            base: DVec3::ZERO,
            axis: DVec3::Z,
            start: DVec2::new(1.0, 0.0),
            end: DVec2::new(2.0, 1.0),
        };
        let surface = cone.surface_point(0, DVec3::new(1.0, 0.0, 0.5));
        let expected = DVec3::new(-1.0, 0.0, 1.0).normalize();
        assert!((surface.normal - expected).length() < 1e-15);
        assert!((surface.distance - 0.5f64.sqrt() / 2.0).abs() < 1e-15);
    }

    #[test]
    fn disc_holds_a_sphere_on_its_axis() {
        let disc =
            Shape::Revolution { base: DVec3::ZERO, axis: DVec3::Z, start: DVec2::ZERO, end: DVec2::new(1.0, 0.0) };
        let surface = disc.surface_point(0, DVec3::new(0.0, 0.0, 0.1));
        assert_eq!((surface.distance, surface.normal), (0.1, DVec3::Z));
    }

    /// A centre in the surface itself: its side is undetermined, but the wall does not push along itself.
    #[test]
    fn centre_in_a_thin_surface_gets_the_normal_of_the_surface() {
        let axis = DVec3::new(0.3, -0.2, 0.9).normalize();
        let (u, v) = axis.any_orthonormal_pair();
        let base = DVec3::new(0.1, 0.2, -0.3);
        let turned = |start, end| Shape::Revolution { base, axis, start, end };
        let in_plane = [
            Shape::Rectangle { centre: base, half_u: u * 0.7, half_v: v * 0.5 },
            turned(DVec2::new(0.0, 0.0), DVec2::new(0.8, 0.0)),
            turned(DVec2::new(0.05, 0.0), DVec2::new(0.8, 0.0)),
            turned(DVec2::new(0.8, 0.0), DVec2::new(0.05, 0.0)),
        ];
        let cone = turned(DVec2::new(0.2, -0.5), DVec2::new(0.7, 0.5));
        let tube = turned(DVec2::new(0.4, -1.0), DVec2::new(0.4, 1.0));
        let mut number = 0.37f64;
        let mut next = || {
            number = (number * 997.0).fract();
            2.0 * number - 1.0
        };
        for _ in 0..500 {
            let (a, b) = (0.45 * next(), 0.45 * next());
            if a.hypot(b) < 0.1 {
                continue;
            }
            for shape in &in_plane {
                for beside in [0.0, 1e-17, -1e-17] {
                    let found = shape.surface_point(0, base + u * a + v * b + axis * beside);
                    assert!(
                        found.distance < 1e-15 && found.normal.dot(axis).abs() > 1.0 - 1e-12,
                        "{shape:?}: {found:?}"
                    );
                }
            }
            let around = (u * a + v * b) / a.hypot(b);
            for (shape, radius, generator) in
                [(&cone, 0.45 + 0.5 * a, (around * 0.5 + axis).normalize()), (&tube, 0.4, axis)]
            {
                let found = shape.surface_point(0, base + around * radius + axis * a);
                assert!(found.distance < 1e-15 && found.normal.dot(generator).abs() < 1e-12, "{shape:?}: {found:?}");
                assert!(found.normal.dot(around) < 0.0, "towards the axis, as ever: {found:?}");
            }
        }
    }

    #[test]
    fn box_corner_inside_touches_three_faces_and_outside_edge_one() {
        let shape = Shape::Box { low: DVec3::ZERO, high: DVec3::ONE, closed: [true; 6] };
        let near = |p: DVec3| {
            let touches = |f: &u32| {
                let surface = shape.surface_point(*f, p);
                surface.is_nearest && surface.distance < 0.15
            };
            (0..6).filter(touches).count()
        };
        assert_eq!(near(DVec3::splat(0.1)), 3);
        assert_eq!(near(DVec3::new(-0.05, -0.05, 0.5)), 1);
        assert_eq!(near(DVec3::new(-0.05, -0.05, -0.05)), 1);
        let beside = shape.surface_point(2, DVec3::new(-0.05, -0.05, 0.5));
        assert!(!beside.is_nearest && beside.distance < 0.1, "the contact belongs to the lower face: {beside:?}");
        let open = Shape::Box { low: DVec3::ZERO, high: DVec3::ONE, closed: [true, true, true, true, true, false] };
        assert_eq!(open.surface_point(5, DVec3::splat(0.5)).distance, f64::INFINITY);
    }

    #[test]
    fn every_feature_agrees_with_dense_sampling_of_its_surface() {
        let shape = Shape::Rectangle {
            centre: DVec3::new(0.0, 0.0, 1.0),
            half_u: DVec3::new(1.0, 1.0, 0.0),
            half_v: DVec3::new(-0.5, 0.5, 0.0),
        };
        for p in [DVec3::new(0.1, 0.2, 1.3), DVec3::new(3.0, 0.0, 0.0), DVec3::new(-0.4, 1.7, 1.0)] {
            let mut shortest = f64::INFINITY;
            for a in 0..=200 {
                for b in 0..=200 {
                    let (u, v) = (f64::from(a) / 100.0 - 1.0, f64::from(b) / 100.0 - 1.0);
                    let q = DVec3::new(u - 0.5 * v, u + 0.5 * v, 1.0);
                    shortest = shortest.min(p.distance(q));
                }
            }
            assert!((shape.surface_point(0, p).distance - shortest).abs() < 1e-2);
        }
    }

    #[test]
    fn bounds_hold_a_tilted_cylinder() {
        let tilted = Shape::Revolution {
            base: DVec3::ZERO,
            axis: DVec3::new(1.0, 0.0, 1.0).normalize(),
            start: DVec2::new(1.0, 0.0),
            end: DVec2::new(1.0, 2.0),
        };
        let (low, high) = tilted.bounds().unwrap();
        assert!((low.y + 1.0).abs() < 1e-15 && (high.y - 1.0).abs() < 1e-15);
        assert!((low.x + 0.5f64.sqrt()).abs() < 1e-15);
        assert!((high.z - 1.5 * 2.0f64.sqrt()).abs() < 1e-14);
    }
}
