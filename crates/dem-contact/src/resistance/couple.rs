//! The couple of a spring, a dashpot and a slider on a rotation.
//!
//! Springs hold no couple while a contact that separates under tension, which is cut off, carries no load.

use dem_core::lanes::{Real, Vector};

use crate::law::Kinematics;
use crate::submodels::coulomb::{self, Bounds, Dashing, SlidingDashpot, Trial};

/// A couple on i at the end of a step, and where the work of the step went.
#[derive(Clone, Copy, Debug)]
pub(super) struct Couple<R> {
    /// All of it \[N m\].
    pub total: Vector<R>,
    /// What the next step starts from \[N m\].
    pub spring: Vector<R>,
    /// Work stored in the spring \[J\].
    pub stored: R,
    /// Work dissipated \[J\].
    pub dissipated: R,
}

impl<R: Real> Couple<R> {
    #[inline(always)]
    pub fn none() -> Self {
        Self { total: Vector::zero(), spring: Vector::zero(), stored: R::zero(), dissipated: R::zero() }
    }

    /// Spring, dashpot and slider on the motion that `motion` has as its slip.
    #[inline(always)]
    pub fn limited(motion: &Kinematics<R>, limit: R, start: Vector<R>, spring: R, dashpot: Option<R>) -> Self {
        let bounds = Bounds { stick: limit, slide: limit };
        // the limit at the start of the step is not known; the work of friction is then of first order
        let sliding = SlidingDashpot::Kelvin;
        let dashpot = dashpot.map(|viscosity| Dashing { viscosity, sliding, slide0: limit });
        let trial = Trial { start, base: start, elastic: start - motion.slip * spring, dashpot };
        let limited = coulomb::limit(motion, &bounds, &trial, spring);
        // A contact that separates under tension, which is cut off, carries no load for a while. Its spring would relax
        // by a dashpot that fades with the stiffness, and the work of that has no limit for short steps; a contact
        // without a load holds no couple.
        let zero = R::zero();
        let keeps = limit.greater(zero) | motion.overlap1.at_most(zero);
        let held = R::constant(0.5) * coulomb::compliance(spring) * start.length_squared();
        Self {
            total: limited.response.force,
            spring: Vector::select(keeps, limited.elastic, Vector::zero()),
            stored: R::select(keeps, limited.response.stored, -held),
            dissipated: R::select(keeps, limited.response.friction + limited.response.viscous, held),
        }
    }
}
