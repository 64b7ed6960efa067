//! Finite rotations: the unit quaternion is the state, the rescaled Rodrigues vector is the increment of a step.
//!
//! For a rotation by the angle θ about the unit axis e the rescaled Rodrigues vector is `a = 2 tan(θ/2) e`
//! (Campello, Comput. Part. Mech. 2, 2015, Eq. 6). It turns the mean of a start and an end vector into their
//! difference, `R r − r = a × (r + R r)/2`, which is why contact slip is exact in terms of `a`, and it gives the
//! incremental quaternion `(1, a/2)/√(1 + a²/4)` without a trigonometric function.

use glam::{DQuat, DVec3};

use crate::lanes::{Mask, Real, Vector};

/// Rescaled Rodrigues vector `2 tan(|Θ|/2) Θ/|Θ|` of the rotation vector Θ `[rad]`.
///
/// Below 0.1 rad the Taylor series of `tan` is used up to x¹⁰, whose remainder is below 2·10⁻¹⁶ relative; above, the software
/// `tan` of `libm`, so that the bits do not depend on the system's maths library. A rotation by π has no Rodrigues vector:
/// the result is then very large but finite.
#[inline]
pub fn rodrigues_from_rotation_vector(rotation_vector: DVec3) -> DVec3 {
    rodrigues_in_lanes::<f64>(rotation_vector.into()).into()
}

/// [`rodrigues_from_rotation_vector`] of one rotation per lane.
#[inline(always)]
pub fn rodrigues_in_lanes<R: Real>(rotation_vector: Vector<R>) -> Vector<R> {
    let angle_squared = rotation_vector.length_squared();
    // tan(h)/h with h = |Θ|/2
    let h2 = R::splat(0.25) * angle_squared;
    let mut ratio = R::splat(1382.0 / 155_925.0);
    for coefficient in [62.0 / 2835.0, 17.0 / 315.0, 2.0 / 15.0, 1.0 / 3.0, 1.0] {
        ratio = R::splat(coefficient) + h2 * ratio;
    }
    let small = angle_squared.less(R::splat(1e-2));
    if !small.all() {
        let large = R::from_lanes(|lane| large_rodrigues_ratio(angle_squared.lane(lane)));
        ratio = R::select(small, ratio, large);
    }
    rotation_vector * ratio
}

/// `2 tan(|Θ|/2)/|Θ|`
#[cold]
fn large_rodrigues_ratio(angle_squared: f64) -> f64 {
    let angle = angle_squared.sqrt();
    2.0 * libm::tan(0.5 * angle) / angle
}

/// Rescaled Rodrigues vector of the rotation `first` followed by `then`: `4/(4 − a₁·a₂) (a₁ + a₂ − a₁ × a₂/2)`
/// (Campello, Comput. Part. Mech. 2, 2015, Eq. 11). Very large where both together are a rotation by π.
#[inline]
pub fn compose_rodrigues(first: DVec3, then: DVec3) -> DVec3 {
    (first + then - 0.5 * first.cross(then)) * (4.0 / (4.0 - first.dot(then)))
}

/// Unit quaternion of the rotation whose rescaled Rodrigues vector is `a`.
#[inline]
pub fn quaternion_from_rodrigues(a: DVec3) -> DQuat {
    let h = 0.5 * a;
    let scale = 1.0 / (1.0 + h.length_squared()).sqrt();
    DQuat::from_xyzw(h.x * scale, h.y * scale, h.z * scale, scale)
}

/// Orientation after the incremental rotation `a` (rescaled Rodrigues vector, space frame), renormalised.
#[inline]
pub fn rotate_orientation(orientation: DQuat, a: DVec3) -> DQuat {
    let [x, y, z, w] = rotate_in_lanes::<f64>(orientation.to_array(), a.into());
    DQuat::from_xyzw(x, y, z, w)
}

/// [`rotate_orientation`] of one orientation (x, y, z, w) per lane.
#[inline(always)]
pub fn rotate_in_lanes<R: Real>(orientation: [R; 4], a: Vector<R>) -> [R; 4] {
    // (1, a/2) has the right direction; one normalisation at the end serves for both
    let h = a * R::splat(0.5);
    let (v, w) = (Vector::from_slice(&orientation), orientation[3]);
    let turned = v + h * w + h.cross(v);
    let scalar = w - h.dot(v);
    let scale = R::splat(1.0) / (turned.length_squared() + scalar * scalar).sqrt();
    let turned = turned * scale;
    [turned.x, turned.y, turned.z, scalar * scale]
}

/// Rescaled Rodrigues vector of the rotation that leads from orientation `start` to orientation `end`.
///
/// Used where orientations are imposed. Undefined (very large) at a rotation of exactly π.
pub fn rodrigues_between(start: DQuat, end: DQuat) -> DVec3 {
    let increment = end * start.conjugate();
    DVec3::new(increment.x, increment.y, increment.z) * (2.0 / increment.w)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rotation_vectors() -> impl Iterator<Item = DVec3> {
        [1e-9, 1e-4, 0.05, 0.0999, 0.1001, 1.0, 3.0]
            .into_iter()
            .map(|angle| DVec3::new(0.6, -0.64, 0.48).normalize() * angle)
    }

    #[test]
    fn rodrigues_vector_matches_its_definition_on_both_branches() {
        for theta in rotation_vectors() {
            let angle = theta.length();
            let expected = theta / angle * 2.0 * (0.5 * angle).tan();
            let a = rodrigues_from_rotation_vector(theta);
            assert!((a - expected).length() <= 4e-16 * expected.length(), "{angle}");
        }
    }

    #[test]
    fn quaternion_of_an_increment_is_the_axis_angle_rotation() {
        for theta in rotation_vectors() {
            let q = quaternion_from_rodrigues(rodrigues_from_rotation_vector(theta));
            let expected = DQuat::from_scaled_axis(theta);
            assert!(q.abs_diff_eq(expected, 1e-15), "{theta}: {q} {expected}");
        }
    }

    #[test]
    fn composed_increments_turn_as_one_after_the_other() {
        let start = DQuat::from_scaled_axis(DVec3::new(-0.2, 0.5, 1.3));
        for theta in rotation_vectors() {
            let (first, then) = (rodrigues_from_rotation_vector(theta), DVec3::new(0.7, -0.2, 0.4));
            let both = rotate_orientation(start, compose_rodrigues(first, then));
            let expected = rotate_orientation(rotate_orientation(start, first), then);
            // q and −q are one rotation
            assert!((both.dot(expected).abs() - 1.0).abs() < 1e-14, "{theta}");
        }
        assert_eq!(compose_rodrigues(DVec3::ZERO, DVec3::X), DVec3::X);
    }

    #[test]
    fn difference_of_a_rotated_vector_is_the_cross_product_with_the_mean() {
        let r = DVec3::new(0.3, -1.1, 0.7);
        for theta in rotation_vectors() {
            let a = rodrigues_from_rotation_vector(theta);
            let end = quaternion_from_rodrigues(a) * r;
            assert!((end - r - a.cross(0.5 * (r + end))).length() < 1e-14 * (1.0 + a.length()));
        }
    }

    #[test]
    fn increment_between_orientations_inverts_the_update() {
        let start = DQuat::from_scaled_axis(DVec3::new(0.4, 2.0, -0.3));
        for theta in rotation_vectors() {
            let a = rodrigues_from_rotation_vector(theta);
            let end = rotate_orientation(start, a);
            assert!((rodrigues_between(start, end) - a).length() < 1e-14 * (1.0 + a.length_squared()));
        }
    }
}
