//! The Coulomb limit and the book-keeping of tangential work, shared by laws with an elastic trial force.

use dem_core::lanes::{Mask, Real, Vector};

use crate::law::Kinematics;
use crate::parameter::{Interval, ParameterKind, ParameterSpec};
use crate::tangential::TangentialResponse;

/// Friction coefficient.
pub const FRICTION: ParameterSpec = ParameterSpec {
    name: "friction",
    unit: "-",
    meaning: "Coulomb friction coefficient μ",
    kind: ParameterKind::Required(Interval::NOT_NEGATIVE),
};

/// Tangential damping ratio.
pub const TANGENTIAL_DAMPING_RATIO: ParameterSpec = ParameterSpec {
    name: "tangential_damping_ratio",
    unit: "-",
    meaning: "damping of the tangential spring as a fraction of critical, with the effective mass; acts while the contact sticks",
    kind: ParameterKind::Default(0.0, Interval::NOT_NEGATIVE),
};

/// Tangential force after the limit, and its elastic part.
#[derive(Clone, Copy, Debug)]
pub struct Limited<R: Real = f64> {
    /// Force and work.
    pub response: TangentialResponse<R>,
    /// Elastic part of the force \[N\].
    pub elastic: Vector<R>,
}

/// Viscosity of a tangential dashpot, `2ζ √(k_t m*)` \[N s/m\].
#[inline(always)]
pub fn dashpot<R: Real>(ratio: f64, stiffness: R, effective_mass: R) -> R {
    if ratio > 0.0 { R::splat(2.0 * ratio) * (stiffness * effective_mass).sqrt() } else { R::zero() }
}

/// Applies the limit `μN` to an elastic trial force and a dashpot.
///
/// `start` is the elastic force at the start of the step, already carried; `trial` the elastic force if nothing slides;
/// `dashpot` the viscosity \[N s/m\]; `spring` the tangential stiffness of the step \[N/m\]. When the sum exceeds the limit the
/// force is the limit in its direction, all of it elastic: a sliding contact has no dashpot.
///
/// The work of the force on the slip is taken by the trapezoidal rule of the elastic force; what the spring did not
/// take is friction, and the dashpot's share is its mean power.
#[inline(always)]
pub fn limit<R: Real>(
    k: &Kinematics<R>,
    limit: R,
    start: Vector<R>,
    trial: Vector<R>,
    spring: R,
    dashpot: R,
) -> Limited<R> {
    let (zero, one, half) = (R::zero(), R::splat(1.0), R::splat(0.5));
    let total = trial - k.tangential_velocity * dashpot;
    let size_squared = total.length_squared();
    let sticks = size_squared.at_most(limit * limit);
    let viscous = dashpot * k.slip.length_squared() * R::splat(1.0 / k.time_step);
    if sticks.all() {
        let stored = -((start + trial) * half).dot(k.slip);
        let loaded = limit.greater(zero);
        let response = TangentialResponse { force: total, loaded, slides: !sticks, stored, friction: zero, viscous };
        return Limited { response, elastic: trial };
    }
    let cut = total * (limit / size_squared.sqrt());
    let relaxed = (start - cut) * R::select(spring.greater(zero), one / spring, zero);
    let elastic_slip = Vector::select(sticks, k.slip, relaxed);
    let elastic = Vector::select(sticks, trial, cut);
    let mean = (start + elastic) * half;
    let response = TangentialResponse {
        force: Vector::select(sticks, total, cut),
        loaded: limit.greater(zero),
        slides: !sticks,
        stored: -mean.dot(elastic_slip),
        friction: R::select(sticks, zero, -mean.dot(k.slip - elastic_slip)),
        viscous: R::select(sticks, viscous, zero),
    };
    Limited { response, elastic }
}
