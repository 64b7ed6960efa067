//! Velocity Verlet with predicted velocities.
//!
//! With accelerations a₀ of the last step: `x₁ = x₀ + dt v₀ + dt²/2 a₀`; forces at x₁ and at the predicted velocity
//! `v₀ + dt a₀`; then `v₁ = v₀ + dt/2 (a₀ + a₁)`. Angular velocities likewise, and the orientation turns by the
//! rotation vector `dt (ω₀ + dt/2 α₀)`. Forces that depend on the velocity use it at the end of the step, not at its
//! middle: the scheme stays second order with damping. With `corrected = false` they use the velocity at its middle,
//! `v₀ + dt/2 a₀`, as published codes have it, and the order drops to one. Where a force jumps the order is one.
//! Source: W. C. Swope et al., J. Chem. Phys. 76 (1982) 637.

use dem_contact::fused_integration::FusedIntegration;
use dem_contact::kernel::Acceptance;
use dem_contact::{ParameterSet, ParameterSpec};
use dem_core::rotation::IncrementMap;

use super::correction::{EarlyCorrection, correct, correct_bodies};
use super::one_by_one::{Correction, Prediction};
use super::prediction::{Predicted, predict};
use super::transition::{EarlyTransition, correct_and_predict};
use crate::environment::timing::Phase;
use crate::error::StepError;
use crate::forces::components::ForceEvaluation;
use crate::forces::particle_loads::HeldLoads;
use crate::forces::trial_loads::TrialLoads;
use crate::integrators::integrator::Integrator;
use crate::integrators::mobile::{Mobile, MobileTask};
use crate::integrators::options::CORRECTED;
use crate::integrators::passes;
use crate::state::world::World;

/// The scheme.
#[derive(Clone, Copy, Debug)]
pub struct VelocityVerlet {
    /// Whether forces use velocities at the end of the step rather than at its middle.
    pub corrected: bool,
    /// What was found out when the next step was predicted together with the end of the last one.
    begun: Option<Predicted>,
}

impl Default for VelocityVerlet {
    fn default() -> Self {
        Self { corrected: true, begun: None }
    }
}

impl VelocityVerlet {
    /// Name in scenes.
    pub const KEY: &'static str = "velocity-verlet";
    /// One sentence.
    pub const SUMMARY: &'static str = "velocity Verlet with predicted velocities, second order";
    /// Whether it moves rigid bodies.
    pub const MOVES_BODIES: bool = true;
    /// Options in scenes.
    pub const OPTIONS: &'static [ParameterSpec] = &[CORRECTED];

    /// From its options.
    pub fn new(options: &ParameterSet) -> Self {
        Self { corrected: options.flag("corrected"), ..Self::default() }
    }
}

impl Integrator for VelocityVerlet {
    fn key(&self) -> &'static str {
        Self::KEY
    }

    fn advance(&mut self, world: &mut World, forces: &mut ForceEvaluation) -> Result<(), StepError> {
        if !self.corrected {
            return advance_by_mid_step_velocities(world, forces);
        }
        if world.rotation.increment == IncrementMap::Literal {
            return advance_one_by_one(world, forces);
        }
        let course = forces.course(world.particles.len());
        let predicted = self.begun.take().unwrap_or_else(|| predict(world, course, forces.width));
        let deviation = course.map(|_| predicted.deviation_squared.sqrt());
        forces.bound_course(predicted.longest_squared.sqrt(), deviation);
        let end = world.end_of_step(world.time_step);
        let prepared = forces.prepare(world, world.time_step, end, Acceptance::Final)?;
        // guides need the sums of contacts at the end of the step, which are not stored once particles have been
        // advanced
        let may_go_on = world.guides.is_idle();
        let bodies = !world.particles.bodies.is_empty();
        // with what is held here they may while contacts are evaluated in the world
        let held = HeldLoads::take(world);
        let finite = if forces.may_begin_next(world, may_go_on && !bodies) {
            let early = EarlyTransition::new(world, held.loads());
            let (next, finite) = if forces.evaluate_prepared(world, prepared, Some(&early)) {
                early.end(world)
            } else {
                correct_and_predict(world, &held.loads(), forces)
            };
            // no step continues from forces that are NaN
            self.begun = finite.then_some(next);
            forces.begun_early += 1;
            finite
        } else {
            let early = EarlyCorrection::new(world.time_step, held.loads(), world.particles.independent());
            let finite =
                if forces.evaluate_prepared(world, prepared, may_go_on.then_some(&early as &dyn FusedIntegration)) {
                    early.found_finite()
                } else {
                    correct(world, &held.loads(), forces.width)
                };
            finite & correct_bodies(world, &held.loads(), forces)
        };
        held.put_back(world);
        forces.is_finite = finite && predicted.finite;
        forces.commit_contacts(world);
        forces.lap(Phase::Gather);
        Ok(())
    }
}

/// The scheme with forces at the velocity in the middle of the step.
fn advance_by_mid_step_velocities(world: &mut World, forces: &mut ForceEvaluation) -> Result<(), StepError> {
    let (dt, half) = (world.time_step, 0.5 * world.time_step);
    let moved = passes::each(world, &PredictionAtHalf { dt });
    passes::evaluate(world, forces, moved, Acceptance::Final)?;
    let loads = forces.trial_loads();
    let corrected = passes::each(world, &CorrectionFromHalf { half, loads });
    corrected.tell(forces);
    forces.commit(world);
    Ok(())
}

/// The scheme without lanes and fusion, for increments that nobody uses at speed.
fn advance_one_by_one(world: &mut World, forces: &mut ForceEvaluation) -> Result<(), StepError> {
    let dt = world.time_step;
    let moved = passes::each(world, &Prediction { dt });
    passes::evaluate(world, forces, moved, Acceptance::Final)?;
    let loads = forces.trial_loads();
    let corrected = passes::each(world, &Correction { dt, loads });
    corrected.tell(forces);
    forces.commit(world);
    Ok(())
}

struct PredictionAtHalf {
    dt: f64,
}

impl MobileTask for PredictionAtHalf {
    #[inline(always)]
    fn act<M: Mobile>(&self, mobile: &mut M) {
        mobile.begin();
        let velocity = mobile.velocity() + mobile.acceleration() * (0.5 * self.dt);
        mobile.shift(velocity * self.dt);
        mobile.set_velocity(velocity);
    }
}

struct CorrectionFromHalf<'a> {
    half: f64,
    loads: TrialLoads<'a>,
}

impl MobileTask for CorrectionFromHalf<'_> {
    #[inline(always)]
    fn act<M: Mobile>(&self, mobile: &mut M) {
        let a = mobile.acceleration_on_trial(&self.loads);
        mobile.set_velocity(mobile.velocity() + a * self.half);
    }
}
