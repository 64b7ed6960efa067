//! One step of a homogeneous deformation, which carries every particle of a cell along.
//!
//! Positions go from x to `F x`. With the velocity gradient L of the step, F is its Cayley transform `(1 − L Δt/2)⁻¹ (1 + L Δt/2)`: the
//! displacement is `L Δt` times the mean of start and end, a gradient that is a spin gives a rotation to round-off, a simple shear
//! exactly `1 + L Δt`, and the inverse is the transform of −L. It differs from the exponential by the cube of the increment.
//!
//! Spheres turn with the spin of the cell, the axial vector of the skew part of L. Anything beyond that is peculiar: velocities and angular
//! velocities of particles are measured against the deformation, so that kinetic energy and damping see the peculiar motion only, and
//! the superposition of a rigid rotation changes nothing between particles.

use glam::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

use crate::lanes::{Real, Vector};

/// A step of a homogeneous deformation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AffineStep {
    /// Velocity gradient L \[1/s\].
    pub velocity_gradient: DMat3,
    /// Deformation gradient F of the step \[-\].
    pub gradient: DMat3,
    /// Its inverse \[-\].
    pub inverse: DMat3,
    /// Angular velocity of the deformation, that of spheres without peculiar motion \[rad/s\].
    pub spin: DVec3,
    /// Rotation of the step as a rescaled Rodrigues vector.
    pub rotation: DVec3,
}

/// Matrix times one vector per lane.
#[inline(always)]
pub fn product<R: Real>(m: &DMat3, v: Vector<R>) -> Vector<R> {
    Vector::parameter(m.x_axis) * v.x + Vector::parameter(m.y_axis) * v.y + Vector::parameter(m.z_axis) * v.z
}

/// Frobenius norm of `MᵀM − 1` \[-\]: zero for a rotation.
fn distance_from_rotation(m: DMat3) -> f64 {
    let excess = m.transpose() * m - DMat3::IDENTITY;
    (excess.x_axis.length_squared() + excess.y_axis.length_squared() + excess.z_axis.length_squared()).sqrt()
}

/// Bound of the share by which a linear map makes any vector shorter \[-\], 1 if it may be all of it.
pub fn largest_shrinkage(m: DMat3) -> f64 {
    1.0 - (1.0 - distance_from_rotation(m)).max(0.0).sqrt()
}

impl AffineStep {
    /// Step of `time_step` \[s\] by a velocity gradient \[1/s\]; none if it would turn the cell inside out.
    pub fn new(velocity_gradient: DMat3, time_step: f64) -> Option<Self> {
        let half = velocity_gradient * (0.5 * time_step);
        let (forward, backward) = (DMat3::IDENTITY + half, DMat3::IDENTITY - half);
        if !(forward.determinant() > 0.0 && backward.determinant() > 0.0) {
            return None;
        }
        let l = velocity_gradient;
        let spin = 0.5 * DVec3::new(l.y_axis.z - l.z_axis.y, l.z_axis.x - l.x_axis.z, l.x_axis.y - l.y_axis.x);
        let (gradient, inverse) = (backward.inverse() * forward, forward.inverse() * backward);
        let finite = gradient.is_finite() && inverse.is_finite();
        finite.then_some(Self { velocity_gradient, gradient, inverse, spin, rotation: spin * time_step })
    }

    /// Rate of deformation, the symmetric part of the velocity gradient \[1/s\].
    pub fn stretching(&self) -> DMat3 {
        (self.velocity_gradient + self.velocity_gradient.transpose()) * 0.5
    }

    /// Bound of the share by which any length changes \[-\].
    pub fn strain(&self) -> f64 {
        let excess = distance_from_rotation(self.gradient);
        // 1 − √(1 − n) is at most (n + n²)/2, and √(1 + n) − 1 is less
        0.5 * excess * (1.0 + excess)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spin_gives_a_rotation_and_shear_a_shear() {
        let spin = DVec3::new(0.3, -0.8, 0.5);
        let columns = DVec3::AXES.map(|axis| spin.cross(axis));
        let l = DMat3::from_cols(columns[0], columns[1], columns[2]);
        let step = AffineStep::new(l, 0.7).unwrap();
        assert!((step.spin - spin).length() < 1e-15);
        assert!(step.strain() < 1e-15 && largest_shrinkage(step.gradient) < 1e-15);
        let turned = crate::rotation::quaternion_from_rodrigues(step.rotation) * DVec3::new(1.0, 2.0, 3.0);
        assert!((step.gradient * DVec3::new(1.0, 2.0, 3.0) - turned).length() < 1e-14);
        let shear = DMat3::from_cols(DVec3::ZERO, DVec3::X * 0.25, DVec3::ZERO);
        let step = AffineStep::new(shear, 2.0).unwrap();
        assert_eq!(step.gradient, DMat3::IDENTITY + shear * 2.0);
        assert!((step.gradient * step.inverse - DMat3::IDENTITY).abs().to_cols_array().iter().all(|&x| x < 1e-15));
    }

    #[test]
    fn bounds_of_strain_hold_for_every_direction() {
        let l = DMat3::from_cols(DVec3::new(-0.2, 0.1, 0.0), DVec3::new(0.3, 0.1, -0.1), DVec3::new(0.0, 0.2, 0.15));
        let step = AffineStep::new(l, 0.2).unwrap();
        let (mut shortest, mut longest) = (f64::INFINITY, 0.0f64);
        for k in 0..1000 {
            let v = DVec3::new(f64::from(k % 10) - 4.6, f64::from(k / 10 % 10) - 4.4, f64::from(k / 100) - 4.5);
            let ratio = (step.gradient * v).length() / v.length();
            (shortest, longest) = (shortest.min(ratio), longest.max(ratio));
        }
        assert!(1.0 - shortest < largest_shrinkage(step.gradient) && 1.0 - shortest < step.strain());
        assert!(longest - 1.0 < step.strain() && step.strain() < 5.0 * (longest - 1.0));
        assert!(AffineStep::new(DMat3::IDENTITY * -3.0, 1.0).is_none());
        assert!(AffineStep::new(DMat3::IDENTITY * f64::NAN, 1.0).is_none());
    }
}
