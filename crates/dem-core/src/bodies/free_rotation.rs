//! Free rotation of a rigid body over a step, by splitting.
//!
//! With the angular momentum L, constant in space, `m = RᵀL` in the principal frame and `J = 1/I`, `J₁ ≥ J₂ ≥ J₃`, the energy of rotation is
//! `J₂|m|²/2 + (J₁ − J₂) m₁²/2 + (J₃ − J₂) m₃²/2`. The flow of each term is a turn: that of the first one in space about L, those of the others
//! about a principal axis by an angle in proportion to the component of m along it. A step turns by half the second, the third, half the second
//! and the first. It is of second order, time-reversible and symplectic, keeps L to the bit, and is exact for bodies with two equal moments; for
//! three it is the update of a sphere.
//!
//! Angles about principal axes are replaced by a rational approximation of the tangent of their half, whose error is of the seventh order: any
//! angle that depends on the component along its axis only leaves the scheme symplectic.
//!
//! Sources: splittings of the free rigid body in A. Dullweber, B. Leimkuhler, R. McLachlan, J. Chem. Phys. 107 (1997) 5840, and F. Fassò,
//! J. Comput. Phys. 189 (2003) 527, whose splitting off of a symmetric top this is.

use glam::DVec3;

use crate::rotation::parameterization::Parameterization;
use crate::rotation::{UnitQuaternion, rodrigues_from_rotation_vector, rotate_in_lanes};

/// `tan(h)` but for a relative error of the sixth order.
#[inline(always)]
fn tangent(h: f64) -> f64 {
    let squared = h * h;
    h * (15.0 - squared) / (15.0 - 6.0 * squared)
}

/// Turns a body about its principal axis `axis`: the orientation, and against it the components of a constant vector in the principal frame.
#[inline(always)]
fn turn(orientation: &mut [f64; 4], m: &mut DVec3, axis: usize, angle: f64) {
    let t = tangent(0.5 * angle);
    let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
    // q (t e, 1): renormalised with the rest
    let q = *orientation;
    let scale = 1.0 / (1.0 + t * t).sqrt();
    orientation[axis] = (q[axis] + t * q[3]) * scale;
    orientation[j] = (q[j] + t * q[k]) * scale;
    orientation[k] = (q[k] - t * q[j]) * scale;
    orientation[3] = (q[3] - t * q[axis]) * scale;
    let scale = 1.0 / (1.0 + t * t);
    let (cosine, sine) = ((1.0 - t * t) * scale, 2.0 * t * scale);
    let (mj, mk) = (m[j], m[k]);
    m[j] = cosine * mj + sine * mk;
    m[k] = cosine * mk - sine * mj;
}

/// Orientation after a free rotation; `impulse` is the angular momentum in space times the step \[kg m²\].
#[inline(always)]
pub fn free_rotation(orientation: [f64; 4], impulse: DVec3, moments: DVec3) -> [f64; 4] {
    let mut q = orientation;
    if moments.x != moments.z {
        let [x, y, z, w] = q;
        let mut m: DVec3 = UnitQuaternion::rotate::<f64>([-x, -y, -z, w], impulse.into()).into();
        let inverse = moments.recip();
        let (first, last) = (inverse.x - inverse.y, inverse.z - inverse.y);
        let angle = 0.5 * first * m.x;
        turn(&mut q, &mut m, 0, angle);
        let angle = last * m.z;
        turn(&mut q, &mut m, 2, angle);
        let angle = 0.5 * first * m.x;
        turn(&mut q, &mut m, 0, angle);
    }
    rotate_in_lanes::<f64>(q, rodrigues_from_rotation_vector(impulse / moments.y).into())
}
