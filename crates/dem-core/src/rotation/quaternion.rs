//! The unit quaternion `(x, y, z, w) = (sin(θ/2) e, cos(θ/2))`: four numbers, one constraint, no singularity. The state of the engine.
//!
//! An increment a multiplies it by `(a/2, 1)`, which has the right direction; one normalisation then serves both for the increment and
//! against the growth of rounding errors.

use glam::DQuat;

use super::{Parameterization, rotate_in_lanes};
use crate::lanes::{Lanes, Real, Vector};

/// The parameterization.
#[derive(Clone, Copy, Debug)]
pub struct UnitQuaternion;

impl Parameterization<4> for UnitQuaternion {
    const KEY: &'static str = "quaternion";
    const SUMMARY: &'static str = "unit quaternion, normalised in every step";

    fn from_quaternion(rotation: DQuat) -> [f64; 4] {
        rotation.to_array()
    }

    fn quaternion(numbers: [f64; 4]) -> DQuat {
        DQuat::from_array(numbers)
    }

    #[inline(always)]
    fn compose<R: Lanes>(numbers: [R; 4], increment: Vector<R>) -> [R; 4] {
        rotate_in_lanes(numbers, increment)
    }

    #[inline(always)]
    fn rotate<R: Lanes>([x, y, z, w]: [R; 4], v: Vector<R>) -> Vector<R> {
        // v + 2 u × (u × v + w v) with the vector part u
        let u = Vector::new(x, y, z);
        v.plus_scaled(u.cross(u.cross(v).plus_scaled(v, w)), R::splat(2.0))
    }

    fn defect(numbers: [f64; 4]) -> f64 {
        (DQuat::from_array(numbers).length() - 1.0).abs()
    }
}

/// The axes of turned frames, of orientations x, y, z, w: columns of the rotation matrices.
#[inline(always)]
pub fn axes_of<R: Real>([x, y, z, w]: [R; 4]) -> [Vector<R>; 3] {
    let one = R::constant(1.0);
    let (x2, y2, z2) = (x + x, y + y, z + z);
    let (xx, yy, zz) = (x * x2, y * y2, z * z2);
    let (xy, yz, zx) = (x * y2, y * z2, z * x2);
    let (wx, wy, wz) = (w * x2, w * y2, w * z2);
    [
        Vector::new(one - (yy + zz), xy + wz, zx - wy),
        Vector::new(xy - wz, one - (zz + xx), yz + wx),
        Vector::new(zx + wy, yz - wx, one - (xx + yy)),
    ]
}
