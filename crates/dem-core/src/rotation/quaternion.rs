//! The unit quaternion `(x, y, z, w) = (sin(θ/2) e, cos(θ/2))`: four numbers, one constraint, no singularity. The state of the engine.
//!
//! An increment a multiplies it by `(a/2, 1)`, which has the right direction; one normalisation then serves both for the increment and
//! against the growth of rounding errors.

use glam::DQuat;

use super::{Parameterization, rotate_in_lanes};
use crate::lanes::{Lanes, Vector};

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
