//! The scheme for one sphere or rigid body after the other.

use crate::forces::trial_loads::TrialLoads;
use crate::integrators::mobile::{Mobile, MobileTask};

/// To the end of the step, with the velocity `v₀ + dt a₀` for the evaluation.
pub(super) struct Prediction {
    /// Step \[s\].
    pub dt: f64,
}

impl MobileTask for Prediction {
    #[inline(always)]
    fn act<M: Mobile>(&self, mobile: &mut M) {
        mobile.begin();
        let (v, a) = (mobile.velocity(), mobile.acceleration());
        mobile.shift((v + a * (0.5 * self.dt)) * self.dt);
        mobile.set_velocity(v + a * self.dt);
    }
}

/// From there to `v₀ + dt/2 (a₀ + a₁)`.
pub(super) struct Correction<'a> {
    /// Step \[s\].
    pub dt: f64,
    /// At the end of the step.
    pub loads: TrialLoads<'a>,
}

impl MobileTask for Correction<'_> {
    #[inline(always)]
    fn act<M: Mobile>(&self, mobile: &mut M) {
        let gained = mobile.acceleration_on_trial(&self.loads) - mobile.acceleration();
        mobile.set_velocity(mobile.velocity() + gained * (0.5 * self.dt));
    }
}
