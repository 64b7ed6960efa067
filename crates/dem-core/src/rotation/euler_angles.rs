//! Euler angles ψ, θ, φ: three numbers, no constraint, and directions of the body in which two of the axes coincide.
//!
//! Campello (Comput. Part. Mech. 2, 2015, section 1) means three rotations about moving axes and notes that there are twelve orders of them,
//! without choosing one. Here it is z, y′, x″ (yaw, pitch, roll): `Q = R_z(ψ) R_y(θ) R_x(φ)` with −π < ψ, φ ≤ π and −π/2 ≤ θ ≤ π/2, because
//! it is regular where particles start, at no rotation, unlike z, x′, z″.
//!
//! Singularity: at θ = ±π/2 only ψ ∓ φ is determined. Near it the angles change by amounts of order one for the smallest turn, and ψ is
//! whatever rounding makes of it; but φ is computed for the ψ that was chosen, so that the *orientation* is accurate to rounding there as
//! well. What is lost is the meaning of the angles: they cannot be interpolated, differentiated or averaged across it.
//!
//! An increment goes through the matrix: three sines and cosines on the way there, three arc tangents on the way back, from `libm`.

use glam::DQuat;

use super::rotation_vector::{arc_tangent, sine_cosine};
use super::{Parameterization, RotationMatrix};
use crate::lanes::{Lanes, Vector};

/// The parameterization: yaw ψ, pitch θ and roll φ \[rad\].
#[derive(Clone, Copy, Debug)]
pub struct EulerAngles;

impl EulerAngles {
    /// Cosine of the pitch: how far the angles are from their singularity, where it is zero \[-\].
    pub fn distance_from_singularity([_, pitch, _]: [f64; 3]) -> f64 {
        libm::cos(pitch)
    }
}

impl Parameterization<3> for EulerAngles {
    const KEY: &'static str = "euler-angles";
    const SUMMARY: &'static str = "Euler angles about z, y' and x'', through the matrix";

    fn from_quaternion(rotation: DQuat) -> [f64; 3] {
        angles_of(RotationMatrix::from_quaternion(rotation))
    }

    fn quaternion(numbers: [f64; 3]) -> DQuat {
        RotationMatrix::quaternion(matrix_of(numbers))
    }

    #[inline(always)]
    fn compose<R: Lanes>(numbers: [R; 3], increment: Vector<R>) -> [R; 3] {
        angles_of(RotationMatrix::compose(matrix_of(numbers), increment))
    }

    #[inline(always)]
    fn rotate<R: Lanes>(numbers: [R; 3], v: Vector<R>) -> Vector<R> {
        RotationMatrix::rotate(matrix_of(numbers), v)
    }
}

/// Matrix by columns.
#[inline(always)]
fn matrix_of<R: Lanes>([yaw, pitch, roll]: [R; 3]) -> [R; 9] {
    let ((sy, cy), (sp, cp), (sr, cr)) = (sine_cosine(yaw), sine_cosine(pitch), sine_cosine(roll));
    [
        cy * cp,
        sy * cp,
        -sp,
        cy * sp * sr - sy * cr,
        sy * sp * sr + cy * cr,
        cp * sr,
        cy * sp * cr + sy * sr,
        sy * sp * cr - cy * sr,
        cp * cr,
    ]
}

#[inline(always)]
fn angles_of<R: Lanes>([x0, y0, z0, x1, y1, _, x2, y2, _]: [R; 9]) -> [R; 3] {
    let yaw = arc_tangent(y0, x0);
    // sine and cosine of the yaw that was chosen; zero length only where any yaw will do
    let across = (x0 * x0 + y0 * y0).sqrt();
    let vertical = across.less(R::splat(1e-150));
    let guarded = R::select(vertical, R::splat(1.0), across);
    let sine = R::select(vertical, R::zero(), y0 / guarded);
    let cosine = R::select(vertical, R::splat(1.0), x0 / guarded);
    let yaw = R::select(vertical, R::zero(), yaw);
    let pitch = arc_tangent(-z0, across);
    let roll = arc_tangent(sine * x2 - cosine * y2, cosine * y1 - sine * x1);
    [yaw, pitch, roll]
}
