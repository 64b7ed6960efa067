//! The rescaled Rodrigues vector `α = 2 tan(θ/2) e`: three numbers, no constraint, infinite at a rotation by π.
//!
//! | | |
//! |---|---|
//! | rotation matrix | `Q = I + 4/(4 + α²) (A + A²/2)`, `A v = α × v` |
//! | first α₁, then α₂ | `α = 4/(4 − α₁·α₂) (α₁ + α₂ − α₁ × α₂/2)` |
//! | quaternion | `w = 2/√(4 + α²)`, `v = w α/2` |
//!
//! Source: E. M. B. Campello, Comput. Part. Mech. 2 (2015) 109-125, Eqs. 9 to 11, after Rodrigues (1840). Departure: Eq. 10 prints `1 + α²`
//! for `4 + α²`, which is not orthogonal.
//!
//! Near π the vector is long but loses nothing: with w = cos(θ/2) its length is 2/w, and a relative rounding of it by ε turns the
//! orientation by ε sin θ. Only w = 0 itself has no vector. There the denominator is given the size of its own rounding error,
//! [`LEAST_COSINE`], which turns the orientation by at most twice that, so a composition can pass through and stop at π with three finite
//! numbers. The text of the paper excludes this case.

use glam::{DQuat, DVec3};

use super::{Parameterization, quaternion_from_rodrigues};
use crate::lanes::{Lanes, Mask, Vector};

/// Cosine of half the angle of the rotation nearest to π that has a vector: half the spacing of numbers at one.
pub const LEAST_COSINE: f64 = f64::EPSILON / 2.0;

/// The parameterization.
#[derive(Clone, Copy, Debug)]
pub struct RodriguesVector;

impl Parameterization<3> for RodriguesVector {
    const KEY: &'static str = "rodrigues";
    const SUMMARY: &'static str = "rescaled Rodrigues vector, 2 tan(angle/2) along the axis";

    fn from_quaternion(rotation: DQuat) -> [f64; 3] {
        let w = if rotation.w.abs() < LEAST_COSINE { LEAST_COSINE } else { rotation.w };
        (DVec3::new(rotation.x, rotation.y, rotation.z) * (2.0 / w)).to_array()
    }

    fn quaternion(numbers: [f64; 3]) -> DQuat {
        quaternion_from_rodrigues(numbers.into())
    }

    #[inline(always)]
    fn compose<R: Lanes>([x, y, z]: [R; 3], increment: Vector<R>) -> [R; 3] {
        let (half, one) = (R::splat(0.5), R::splat(1.0));
        let (first, second) = (Vector::new(x, y, z) * half, increment * half);
        let sum = (first + second).plus_cross(second, first);
        let mut cosine = one - first.dot(second);
        let vanishes = cosine.abs().less(R::splat(LEAST_COSINE));
        if vanishes.any() {
            cosine = R::select(vanishes, R::splat(LEAST_COSINE), cosine);
        }
        let turned = sum * (R::splat(2.0) / cosine);
        [turned.x, turned.y, turned.z]
    }

    #[inline(always)]
    fn rotate<R: Lanes>([x, y, z]: [R; 3], v: Vector<R>) -> Vector<R> {
        let a = Vector::new(x, y, z);
        let scale = R::splat(4.0) / (R::splat(4.0) + a.length_squared());
        let across = a.cross(v);
        v.plus_scaled(across.plus_scaled(a.cross(across), R::splat(0.5)), scale)
    }
}

/// Rescaled Rodrigues vector of the rotation `first` followed by `then`; see [`RodriguesVector`].
#[inline(always)]
pub fn compose_rodrigues(first: DVec3, then: DVec3) -> DVec3 {
    RodriguesVector::compose::<f64>(first.to_array(), then.into()).into()
}
