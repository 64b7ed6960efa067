//! Semi-implicit (symplectic) Euler.
//!
//! `v₁ = v₀ + dt a₀`, `x₁ = x₀ + dt v₁` with the accelerations a₀ at x₀ and v₀; spins and rotations likewise. First order, but it keeps
//! the energy of a conservative system bounded: its positions are those of velocity Verlet from a start that is shifted by half a step
//! in velocity. Source: E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, 2nd ed. (2006), Section I.1.2.

use dem_contact::kernel::Acceptance;

use super::integrator::Integrator;
use super::mobile::{Mobile, MobileTask};
use super::passes;
use crate::error::StepError;
use crate::forces::components::ForceEvaluation;
use crate::state::world::World;

/// The scheme.
#[derive(Clone, Copy, Debug, Default)]
pub struct SemiImplicitEuler;

impl SemiImplicitEuler {
    /// Name in scenes.
    pub const KEY: &'static str = "semi-implicit-euler";
    /// One sentence.
    pub const SUMMARY: &'static str = "semi-implicit Euler, first order";
    /// Whether it moves rigid bodies.
    pub const MOVES_BODIES: bool = true;
}

impl Integrator for SemiImplicitEuler {
    fn key(&self) -> &'static str {
        Self::KEY
    }

    fn advance(&mut self, world: &mut World, forces: &mut ForceEvaluation) -> Result<(), StepError> {
        let dt = world.time_step;
        let moved = passes::each(world, &Step { dt });
        passes::evaluate(world, forces, moved, Acceptance::Final)?;
        forces.commit(world);
        Ok(())
    }
}

struct Step {
    dt: f64,
}

impl MobileTask for Step {
    #[inline(always)]
    fn act<M: Mobile>(&self, mobile: &mut M) {
        mobile.begin();
        let velocity = mobile.velocity() + mobile.acceleration() * self.dt;
        mobile.shift(velocity * self.dt);
        mobile.set_velocity(velocity);
    }
}
