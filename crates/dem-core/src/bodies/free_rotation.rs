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

use crate::lanes::{Lanes, Mask, Real, Vector};
use crate::rotation::parameterization::Parameterization;
use crate::rotation::{UnitQuaternion, rodrigues_in_lanes, rotate_in_lanes};

/// `tan(h)` but for a relative error of the sixth order.
#[inline(always)]
fn tangent<R: Real>(h: R) -> R {
    let (squared, fifteen) = (h * h, R::constant(15.0));
    h * (fifteen - squared) / (fifteen - R::constant(6.0) * squared)
}

/// Turns bodies about their principal axes `AXIS`: the orientations, and against them the components of constant vectors in the principal frames. An
/// angle of zero leaves all bits.
#[inline(always)]
fn turn<R: Real, const AXIS: usize>(q: &mut [R; 4], m: &mut [R; 3], angle: R) {
    let turns = R::zero().less(angle.abs());
    if !turns.any() {
        return;
    }
    let (one, t) = (R::constant(1.0), tangent(R::constant(0.5) * angle));
    let (j, k) = ((AXIS + 1) % 3, (AXIS + 2) % 3);
    let inverse = one / one.plus_product(t, t);
    // of q (t e, 1)
    let scale = inverse.sqrt();
    let turned = [
        q[AXIS].plus_product(t, q[3]) * scale,
        q[j].plus_product(t, q[k]) * scale,
        q[k].minus_product(t, q[j]) * scale,
        q[3].minus_product(t, q[AXIS]) * scale,
    ];
    for (to, now) in [AXIS, j, k, 3].into_iter().zip(turned) {
        q[to] = R::select(turns, now, q[to]);
    }
    let (cosine, sine) = (one.minus_product(t, t) * inverse, (t + t) * inverse);
    let turned = [(cosine * m[j]).plus_product(sine, m[k]), (cosine * m[k]).minus_product(sine, m[j])];
    for (to, now) in [j, k].into_iter().zip(turned) {
        m[to] = R::select(turns, now, m[to]);
    }
}

/// Orientation after a free rotation; `impulse` is the angular momentum in space times the step \[kg m²\].
pub fn free_rotation(orientation: [f64; 4], impulse: DVec3, moments: DVec3) -> [f64; 4] {
    free_rotation_in_lanes::<f64>(orientation, impulse.into(), moments.into())
}

/// [`free_rotation`] of one body per lane.
#[inline(always)]
pub fn free_rotation_in_lanes<R: Lanes>(orientation: [R; 4], impulse: Vector<R>, moments: Vector<R>) -> [R; 4] {
    let (zero, half, one) = (R::zero(), R::splat(0.5), R::splat(1.0));
    let mut q = orientation;
    let middle = one / moments.y;
    let (first, last) = (one / moments.x - middle, one / moments.z - middle);
    let turns = zero.less(first.abs()) | zero.less(last.abs());
    if turns.any() {
        let [x, y, z, w] = q;
        let m = UnitQuaternion::rotate([-x, -y, -z, w], impulse);
        let mut m = [m.x, m.y, m.z];
        // of a symmetric top one turn is left
        let alone = last.abs().at_most(zero);
        let angle = first * m[0];
        turn::<R, 0>(&mut q, &mut m, R::select(alone, angle, half * angle));
        let angle = last * m[2];
        turn::<R, 2>(&mut q, &mut m, angle);
        let angle = half * first * m[0];
        turn::<R, 0>(&mut q, &mut m, R::select(alone, zero, angle));
    }
    rotate_in_lanes(q, rodrigues_in_lanes(impulse * middle))
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;

    const MOMENTS: DVec3 = DVec3::new(1.0, 2.0, 3.0);
    const SPIN: DVec3 = DVec3::new(0.3, 0.2, 1.0);

    fn rotate(steps: usize, time: f64) -> ([f64; 4], DVec3) {
        // the start is the identity, so that body and space agree in it
        let momentum = SPIN * MOMENTS;
        let mut q = [0.0, 0.0, 0.0, 1.0];
        for _ in 0..steps {
            q = free_rotation(q, momentum * (time / steps as f64), MOMENTS);
        }
        (q, momentum)
    }

    /// Euler's equations in the body frame with the attitude, `q' = q (ω, 0)/2`, by the classical Runge-Kutta method.
    fn reference(time: f64, steps: usize) -> DQuat {
        let rate = |q: DQuat, w: DVec3| {
            let turning = q * DQuat::from_xyzw(w.x, w.y, w.z, 0.0) * 0.5;
            (turning, (MOMENTS * w).cross(w) / MOMENTS)
        };
        let (mut q, mut w, dt) = (DQuat::IDENTITY, SPIN, time / steps as f64);
        for _ in 0..steps {
            let (a, wa) = rate(q, w);
            let (b, wb) = rate(q + a * (0.5 * dt), w + wa * (0.5 * dt));
            let (c, wc) = rate(q + b * (0.5 * dt), w + wb * (0.5 * dt));
            let (d, wd) = rate(q + c * dt, w + wc * dt);
            q += (a + (b + c) * 2.0 + d) * (dt / 6.0);
            w += (wa + (wb + wc) * 2.0 + wd) * (dt / 6.0);
        }
        q.normalize()
    }

    #[test]
    fn errors_are_those_of_the_splitting() {
        let exact = reference(20.0, 40_000);
        for (steps, expected) in [(200, 6.6e-4), (400, 1.66e-4), (800, 4.1e-5)] {
            let (q, _) = rotate(steps, 20.0);
            let error = 2.0 * (DQuat::from_array(q) * exact.conjugate()).xyz().length();
            assert!((error / expected - 1.0).abs() < 0.05, "{steps} steps: {error:.3e}, expected {expected:.2e}");
        }
    }

    #[test]
    fn the_energy_stays_within_bounds() {
        let energy = |q: [f64; 4], momentum: DVec3| {
            let m = DQuat::from_array(q).conjugate() * momentum;
            0.5 * m.dot(m / MOMENTS)
        };
        let dt = 0.1;
        let momentum = SPIN * MOMENTS;
        let (mut q, mut worst, mut late) = ([0.0, 0.0, 0.0, 1.0], 0.0f64, 0.0f64);
        let start = energy(q, momentum);
        for step in 0..20_000 {
            q = free_rotation(q, momentum * dt, MOMENTS);
            let change = (energy(q, momentum) / start - 1.0).abs();
            worst = worst.max(change);
            late = if step >= 15_000 { late.max(change) } else { late };
        }
        assert!(worst < 4e-5 && late > 0.9 * worst, "{worst:.2e}, at the end {late:.2e}");
    }

    #[test]
    fn the_step_can_be_taken_back() {
        let impulse = DVec3::new(0.3, -0.5, 0.2);
        let start = DQuat::from_xyzw(0.1, 0.7, -0.3, 0.5).normalize().to_array();
        let end = free_rotation(free_rotation(start, impulse, MOMENTS), -impulse, MOMENTS);
        for (a, b) in start.iter().zip(end) {
            assert!((a - b).abs() < 1e-15);
        }
    }

    #[test]
    fn a_symmetric_top_is_exact() {
        // about its axis by (1/I₃ − 1/I₁) m₃ t, about the momentum by |L| t/I₁
        for moments in [DVec3::new(1.0, 1.0, 1.7), DVec3::new(0.6, 1.0, 1.0)] {
            let axis = if moments.x == moments.y { DVec3::Z } else { DVec3::X };
            let momentum = DVec3::new(0.4, 0.3, 0.9);
            let time = 3.0;
            let along = (1.0 / moments.dot(axis) - 1.0) * momentum.dot(axis) * time;
            let exact = DQuat::from_scaled_axis(momentum * time) * DQuat::from_axis_angle(axis, along);
            let mut q = [0.0, 0.0, 0.0, 1.0];
            for _ in 0..300 {
                q = free_rotation(q, momentum * (time / 300.0), moments);
            }
            let error = 2.0 * (DQuat::from_array(q) * exact.conjugate()).xyz().length();
            assert!(error < 1e-12, "{moments}: {error:e}");
        }
    }
}
