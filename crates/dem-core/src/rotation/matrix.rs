//! The rotation matrix: nine numbers, six constraints, no singularity. Stored by columns, the images of the axes of the body.
//!
//! An increment a turns each column by `c + 4/(4 + a²) (a × c + a × (a × c)/2)`. Nothing restores the constraints: they are lost by rounding
//! alone, and a run that is long enough to care may call [`orthonormal`].

use glam::{DMat3, DQuat, DVec3};

use super::{Parameterization, RodriguesVector};
use crate::lanes::{Lanes, Vector};

/// The parameterization.
#[derive(Clone, Copy, Debug)]
pub struct RotationMatrix;

impl Parameterization<9> for RotationMatrix {
    const KEY: &'static str = "matrix";
    const SUMMARY: &'static str = "rotation matrix, not orthonormalised";

    fn from_quaternion(rotation: DQuat) -> [f64; 9] {
        DMat3::from_quat(rotation).to_cols_array()
    }

    /// Of a matrix that is not orthonormal the quaternion has a length other than one to first order in the defect, and is normalised.
    fn quaternion(numbers: [f64; 9]) -> DQuat {
        let [c0, c1, c2]: [DVec3; 3] = std::array::from_fn(|k| DVec3::from_slice(&numbers[3 * k..]));
        // four times the squares of w, x, y, z: the largest one is at least 1, so that no division loses digits
        let squares =
            [1.0 + c0.x + c1.y + c2.z, 1.0 + c0.x - c1.y - c2.z, 1.0 - c0.x + c1.y - c2.z, 1.0 - c0.x - c1.y + c2.z];
        let largest = (0..4).fold(0, |best, k| if squares[k] > squares[best] { k } else { best });
        let s = squares[largest];
        let [w, x, y, z] = match largest {
            0 => [s, c1.z - c2.y, c2.x - c0.z, c0.y - c1.x],
            1 => [c1.z - c2.y, s, c0.y + c1.x, c2.x + c0.z],
            2 => [c2.x - c0.z, c0.y + c1.x, s, c1.z + c2.y],
            _ => [c0.y - c1.x, c2.x + c0.z, c1.z + c2.y, s],
        };
        DQuat::from_xyzw(x, y, z, w).normalize()
    }

    #[inline(always)]
    fn compose<R: Lanes>(numbers: [R; 9], increment: Vector<R>) -> [R; 9] {
        let a = [increment.x, increment.y, increment.z];
        let [c0, c1, c2] = columns(numbers);
        // no closure: what is in one is not compiled with the instructions of the width
        let (c0, c1, c2) =
            (RodriguesVector::rotate(a, c0), RodriguesVector::rotate(a, c1), RodriguesVector::rotate(a, c2));
        [c0.x, c0.y, c0.z, c1.x, c1.y, c1.z, c2.x, c2.y, c2.z]
    }

    #[inline(always)]
    fn rotate<R: Lanes>(numbers: [R; 9], v: Vector<R>) -> Vector<R> {
        let [c0, c1, c2] = columns(numbers);
        c0 * v.x + c1 * v.y + c2 * v.z
    }

    fn defect(numbers: [f64; 9]) -> f64 {
        let q = DMat3::from_cols_array(&numbers);
        let excess = q.transpose() * q - DMat3::IDENTITY;
        excess.to_cols_array().into_iter().fold(0.0, |worst, x| x.abs().max(worst))
    }
}

#[inline(always)]
fn columns<R: Lanes>(numbers: [R; 9]) -> [Vector<R>; 3] {
    let [x0, y0, z0, x1, y1, z1, x2, y2, z2] = numbers;
    [Vector::new(x0, y0, z0), Vector::new(x1, y1, z1), Vector::new(x2, y2, z2)]
}

/// The matrix with its defect squared: one step `Q (3 I − QᵀQ)/2` of the iteration towards the nearest rotation. For matrices that are
/// almost rotations.
pub fn orthonormal(numbers: [f64; 9]) -> [f64; 9] {
    let q = DMat3::from_cols_array(&numbers);
    (q * (3.0 * DMat3::IDENTITY - q.transpose() * q) * 0.5).to_cols_array()
}
