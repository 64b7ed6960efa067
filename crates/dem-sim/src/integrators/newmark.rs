//! Newmark's predictor-corrector with β = 1/4 and γ = 1/2.
//!
//! Predict `xp = x₀ + dt v₀ + dt²/4 a₀`, `vp = v₀ + dt/2 a₀`; evaluate a₁ there; correct `x₁ = xp + dt²/4 a₁`,
//! `v₁ = vp + dt/2 a₁`; spins and rotations likewise. Forces that depend on the velocity use `v₀ + dt a₀`, the velocity
//! at the end of the step, unless `corrected = false` selects the published vp, with which the scheme drops to first
//! order under damping.
//!
//! - `pec`: one evaluation per step, at the predicted state. Contacts then live on the path of the predicted positions: their slip is
//!   taken from one predicted state to the next, because slip from the corrected to the predicted one would leave out `dt²/4 a` in every
//!   step, which acts like a negative damping of the order dt. On that path the scheme is velocity Verlet:
//!   `xp₁ = xp₀ + dt²/4 a₀ + dt v₀ + dt²/4 a₀`. The corrected positions, those of the output, differ from it by `dt²/4 a`.
//! - `pece`: a second evaluation at the corrected state, from the contact state of the start of the step: the first is rolled back. The
//!   scheme is second order, and slowly drains undamped oscillations, by (ω dt)⁴/16 of their energy per step (one less the determinant of
//!   the step of a linear oscillator).
//!
//! Source: N. M. Newmark, J. Eng. Mech. Div. ASCE 85 (1959) 67; D. Zabulionis et al., Bull. Pol. Acad. Sci. Tech. Sci. 60 (2012) 265, Eqs. 53–60, where 0.25
//! stands for the 0.5 of the velocities, which would give three quarters of the acceleration in free fall.

use dem_contact::kernel::Acceptance;
use dem_contact::{ParameterKind, ParameterSet, ParameterSpec};

use super::integrator::Integrator;
use super::mobile::{Mobile, MobileTask};
use super::options::CORRECTED;
use super::passes;
use crate::error::StepError;
use crate::forces::components::ForceEvaluation;
use crate::forces::trial_loads::TrialLoads;
use crate::state::world::World;

/// The scheme.
#[derive(Clone, Copy, Debug)]
pub struct Newmark {
    /// Whether forces are evaluated again at the corrected state.
    pub evaluates_twice: bool,
    /// Whether forces use velocities at the end of the step.
    pub corrected: bool,
}

impl Newmark {
    /// Name in scenes.
    pub const KEY: &'static str = "newmark";
    /// One sentence.
    pub const SUMMARY: &'static str = "Newmark predictor-corrector (β = 1/4, γ = 1/2), second order";
    /// Whether it moves rigid bodies.
    pub const MOVES_BODIES: bool = true;
    /// Options in scenes.
    pub const OPTIONS: &'static [ParameterSpec] = &[
        ParameterSpec {
            name: "mode",
            unit: "-",
            meaning: "\"pec\" evaluates forces at the predicted state, \"pece\" again at the corrected one",
            kind: ParameterKind::Choice(&["pec", "pece"]),
        },
        CORRECTED,
    ];

    /// From its options.
    pub fn new(options: &ParameterSet) -> Self {
        Self { evaluates_twice: options.choice("mode") == "pece", corrected: options.flag("corrected") }
    }
}

impl Integrator for Newmark {
    fn key(&self) -> &'static str {
        Self::KEY
    }

    fn advance(&mut self, world: &mut World, forces: &mut ForceEvaluation) -> Result<(), StepError> {
        let dt = world.time_step;
        let twice = self.evaluates_twice;
        let ahead = if self.corrected { 0.5 * dt } else { 0.0 };
        let moved = passes::each(world, &Prediction { dt, twice, ahead });
        let first = if twice { Acceptance::Trial } else { Acceptance::Final };
        passes::evaluate(world, forces, moved, first)?;
        let loads = forces.trial_loads();
        let corrected = passes::each(world, &Correction { dt, ahead, loads });
        if twice {
            passes::evaluate(world, forces, corrected, Acceptance::Final)?;
        } else {
            corrected.tell(forces);
        }
        forces.commit(world);
        Ok(())
    }
}

struct Prediction {
    dt: f64,
    twice: bool,
    /// By how much of the step the velocity for the evaluation is ahead of the published one \[s\].
    ahead: f64,
}

impl MobileTask for Prediction {
    #[inline(always)]
    fn act<M: Mobile>(&self, mobile: &mut M) {
        let Self { dt, twice, ahead } = *self;
        let quarter = 0.25 * dt * dt;
        let a = mobile.acceleration();
        let v = mobile.velocity();
        if twice {
            mobile.begin();
        } else {
            mobile.begin_behind(a * quarter);
        }
        mobile.shift(v * dt + a * quarter);
        mobile.set_velocity(v + a * (0.5 * dt + ahead));
    }
}

struct Correction<'a> {
    dt: f64,
    ahead: f64,
    loads: TrialLoads<'a>,
}

impl MobileTask for Correction<'_> {
    #[inline(always)]
    fn act<M: Mobile>(&self, mobile: &mut M) {
        let a = mobile.acceleration_on_trial(&self.loads);
        let v = mobile.velocity() + a * (0.5 * self.dt) - mobile.acceleration() * self.ahead;
        mobile.shift(a * (0.25 * self.dt * self.dt));
        mobile.set_velocity(v);
    }
}
