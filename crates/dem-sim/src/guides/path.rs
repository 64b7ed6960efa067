//! Paths of guided particles.

use dem_core::DVec3;
use serde::{Deserialize, Serialize};

/// An infinite or closed path.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Path {
    /// A straight line.
    Line {
        /// A point of it \[m\].
        point: DVec3,
        /// Unit vector of the positive direction.
        direction: DVec3,
    },
    /// A circle.
    Circle {
        /// Centre \[m\].
        centre: DVec3,
        /// Unit normal of its plane; the positive direction turns about it by the right hand.
        normal: DVec3,
        /// Radius \[m\].
        radius: f64,
    },
}

/// A path at one of its points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// The point \[m\].
    pub point: DVec3,
    /// Unit vector of the positive direction.
    pub tangent: DVec3,
    /// Curvature, towards the centre \[1/m\].
    pub curvature: DVec3,
}

impl Path {
    /// The path where it is nearest to a point \[m\]; NaN on the axis of a circle.
    pub fn nearest(&self, position: DVec3) -> Frame {
        match *self {
            Self::Line { point, direction } => Frame {
                point: point + direction * (position - point).dot(direction),
                tangent: direction,
                curvature: DVec3::ZERO,
            },
            Self::Circle { centre, normal, radius } => {
                let arm = position - centre;
                Self::on_circle(centre, normal, radius, (arm - normal * arm.dot(normal)).normalize())
            }
        }
    }

    /// The path a length of arc \[m\] on from one of its points.
    pub fn onward(&self, origin: DVec3, arc: f64) -> Frame {
        match *self {
            Self::Line { direction, .. } => {
                Frame { point: origin + direction * arc, tangent: direction, curvature: DVec3::ZERO }
            }
            Self::Circle { centre, normal, radius } => {
                let (sine, cosine) = libm::sincos(arc / radius);
                let out = (origin - centre) / radius;
                Self::on_circle(centre, normal, radius, (out * cosine + normal.cross(out) * sine).normalize())
            }
        }
    }

    /// Length of arc \[m\] from one point of the path to another, the shorter way round a circle.
    pub fn arc(&self, from: DVec3, to: DVec3) -> f64 {
        match *self {
            Self::Line { direction, .. } => (to - from).dot(direction),
            Self::Circle { centre, normal, radius } => {
                let (a, b) = (from - centre, to - centre);
                radius * libm::atan2(a.cross(b).dot(normal), a.dot(b))
            }
        }
    }

    fn on_circle(centre: DVec3, normal: DVec3, radius: f64, out: DVec3) -> Frame {
        Frame { point: centre + out * radius, tangent: normal.cross(out), curvature: -out / radius }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths() -> [Path; 2] {
        let normal = DVec3::new(1.0, -2.0, 0.5).normalize();
        let centre = DVec3::new(0.3, -1.0, 2.0);
        [Path::Line { point: centre, direction: normal }, Path::Circle { centre, normal, radius: 1.7 }]
    }

    #[test]
    fn a_point_onward_is_on_the_path_and_as_far_as_asked_for() {
        for path in paths() {
            let start = path.nearest(DVec3::new(3.0, 1.0, 1.0)).point;
            for arc in [-4.0, -0.2, 0.0, 1e-9, 2.5] {
                let frame = path.onward(start, arc);
                assert!((path.nearest(frame.point).point - frame.point).length() < 1e-14);
                assert!((path.arc(start, frame.point) - arc).abs() < 1e-14, "{path:?} {arc}");
            }
        }
    }

    #[test]
    fn tangent_and_curvature_are_the_derivatives_of_the_point() {
        for path in paths() {
            let start = path.nearest(DVec3::new(3.0, 1.0, 1.0)).point;
            let h = 1e-4;
            let (before, at, after) =
                (path.onward(start, 0.7 - h), path.onward(start, 0.7), path.onward(start, 0.7 + h));
            let tangent = (after.point - before.point) / (2.0 * h);
            let curvature = (after.point + before.point - 2.0 * at.point) / (h * h);
            // the central differences are off by h²/6 and h²/12 of the next derivatives, the second also by 1e-16/h²
            assert!((tangent - at.tangent).length() < 1e-8, "{path:?}");
            assert!((curvature - at.curvature).length() < 1e-6, "{path:?}");
        }
    }
}
