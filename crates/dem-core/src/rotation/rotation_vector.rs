//! The Euler rotation vector `θ e` with 0 ≤ θ ≤ π: three numbers, no constraint; jumps from θ = π to θ = −π about the same axis.
//!
//! It has no composition of its own: a turn goes through the quaternion, with a sine and a cosine on the way there and an arc tangent on
//! the way back. These come from `libm`, one lane after the other. Rotation matrix: `Q = I + sin θ/θ S + (1 − cos θ)/θ² S²`.

use glam::DQuat;

use super::{Parameterization, UnitQuaternion, rotate_in_lanes};
use crate::lanes::{Lanes, MOST_LANES, Vector};

/// The parameterization.
#[derive(Clone, Copy, Debug)]
pub struct RotationVector;

impl Parameterization<3> for RotationVector {
    const KEY: &'static str = "rotation-vector";
    const SUMMARY: &'static str = "Euler rotation vector, the angle along the axis, through the quaternion";

    fn from_quaternion(rotation: DQuat) -> [f64; 3] {
        vector_of(rotation.to_array())
    }

    fn quaternion(numbers: [f64; 3]) -> DQuat {
        DQuat::from_array(quaternion_of(numbers))
    }

    #[inline(always)]
    fn compose<R: Lanes>(numbers: [R; 3], increment: Vector<R>) -> [R; 3] {
        vector_of(rotate_in_lanes(quaternion_of(numbers), increment))
    }

    #[inline(always)]
    fn rotate<R: Lanes>(numbers: [R; 3], v: Vector<R>) -> Vector<R> {
        UnitQuaternion::rotate(quaternion_of(numbers), v)
    }
}

/// Sines and cosines, one lane after the other.
#[inline(always)]
pub(super) fn sine_cosine<R: Lanes>(angle: R) -> (R, R) {
    let angles = angle.to_lanes();
    let (mut sine, mut cosine) = ([0.0; MOST_LANES], [0.0; MOST_LANES]);
    for lane in 0..R::LANES {
        (sine[lane], cosine[lane]) = libm::sincos(angles[lane]);
    }
    (R::from_lanes(|lane| sine[lane]), R::from_lanes(|lane| cosine[lane]))
}

/// Angles of points in a plane, one lane after the other.
#[inline(always)]
pub(super) fn arc_tangent<R: Lanes>(y: R, x: R) -> R {
    let (y, x) = (y.to_lanes(), x.to_lanes());
    R::from_lanes(|lane| libm::atan2(y[lane], x[lane]))
}

#[inline(always)]
fn quaternion_of<R: Lanes>([x, y, z]: [R; 3]) -> [R; 4] {
    let vector = Vector::new(x, y, z);
    // far below any angle that turns something, and sin(h)/h is one there
    let half = (vector.length() * R::splat(0.5)).maximum(R::splat(1e-150));
    let (sine, cosine) = sine_cosine(half);
    let u = vector * (R::splat(0.5) * sine / half);
    [u.x, u.y, u.z, cosine]
}

#[inline(always)]
fn vector_of<R: Lanes>([x, y, z, w]: [R; 4]) -> [R; 3] {
    // of q and −q, the same rotation, that with the angle up to π
    let sign = R::select(w.less(R::zero()), R::splat(-1.0), R::splat(1.0));
    let u = Vector::new(x, y, z) * sign;
    let sine = u.length();
    // below 1e-9 the angle is twice the sine to the last bit
    let tiny = sine.less(R::splat(1e-9));
    let guarded = R::select(tiny, R::splat(1.0), sine);
    let ratio = R::select(tiny, R::splat(2.0), R::splat(2.0) * arc_tangent(sine, w * sign) / guarded);
    let vector = u * ratio;
    [vector.x, vector.y, vector.z]
}
