//! The increment of a step: from the rotation vector to the rescaled Rodrigues vector, and what it turns.

use glam::{DQuat, DVec3};

use crate::lanes::functions::alone;
use crate::lanes::{Lanes, Mask, Vector, inverse_root_near_one};

/// Rescaled Rodrigues vector `2 tan(|Θ|/2) Θ/|Θ|` of the rotation vector Θ `[rad]`.
///
/// Below 0.1 rad the Taylor series of `tan` is used up to x¹⁰, whose remainder is below 2·10⁻¹⁶ relative; above, the engine's own sine
/// and cosine, so that the bits are the same wherever they are computed. A rotation by π has no Rodrigues vector:
/// the result is then very large but finite.
#[inline(always)]
pub fn rodrigues_from_rotation_vector(rotation_vector: DVec3) -> DVec3 {
    rodrigues_in_lanes::<f64>(rotation_vector.into()).into()
}

/// [`rodrigues_from_rotation_vector`] of one rotation per lane.
#[inline(always)]
pub fn rodrigues_in_lanes<R: Lanes>(rotation_vector: Vector<R>) -> Vector<R> {
    let angle_squared = rotation_vector.length_squared();
    // tan(h)/h with h = |Θ|/2
    let h2 = R::splat(0.25) * angle_squared;
    let mut ratio = R::splat(1382.0 / 155_925.0);
    for coefficient in [62.0 / 2835.0, 17.0 / 315.0, 2.0 / 15.0, 1.0 / 3.0, 1.0] {
        ratio = R::splat(coefficient).plus_product(h2, ratio);
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
    2.0 * (alone::sin(0.5 * angle) / alone::cos(0.5 * angle)) / angle
}

/// Unit quaternion of the rotation whose rescaled Rodrigues vector is `a`.
#[inline]
pub fn quaternion_from_rodrigues(a: DVec3) -> DQuat {
    let h = 0.5 * a;
    let scale = 1.0 / (1.0 + h.length_squared()).sqrt();
    DQuat::from_xyzw(h.x * scale, h.y * scale, h.z * scale, scale)
}

/// Orientation after the incremental rotation `a` (rescaled Rodrigues vector, space frame), renormalised.
#[inline(always)]
pub fn rotate_orientation(orientation: DQuat, a: DVec3) -> DQuat {
    let [x, y, z, w] = rotate_in_lanes::<f64>(orientation.to_array(), a.into());
    DQuat::from_xyzw(x, y, z, w)
}

/// [`rotate_orientation`] of one orientation (x, y, z, w) per lane.
#[inline(always)]
pub fn rotate_in_lanes<R: Lanes>(orientation: [R; 4], a: Vector<R>) -> [R; 4] {
    // (1, a/2) has the right direction; one normalisation at the end serves for both
    let h = a * R::splat(0.5);
    let (v, w) = (Vector::from_slice(&orientation), orientation[3]);
    let turned = v.plus_scaled(h, w).plus_cross(h, v);
    let scalar = w.minus_product(h.x, v.x).minus_product(h.y, v.y).minus_product(h.z, v.z);
    let scale = inverse_root_near_one(turned.length_squared().plus_product(scalar, scalar));
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
