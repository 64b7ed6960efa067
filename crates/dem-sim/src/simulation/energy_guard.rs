//! Checks whether energy has been created: an unstable time step, or a contact law that creates it.
//!
//! The energy balance is constant in an exact solution, and errors of a sound time step change it by some thousandths
//! of what is held and dissipated. A balance that has grown by a large fraction of that has no other explanation than a
//! numerical one.

use dem_core::DVec3;

use super::run_state::RunState;
use crate::error::StepError;
use crate::state::whole::Candidate;
use crate::state::world::World;

/// Steps between two checks. One costs about as much as two steps.
const LOOK_EVERY: u64 = 1000;
/// Rounding of the terms of the ledger, some of which are far larger than what is held: the zero of the potential energy is anywhere, and
/// what was brought in may have left again \[-\].
const ROUNDING: f64 = 1e-9;

/// Whether the balance is checked after a step.
pub(crate) fn is_due(step: u64) -> bool {
    step.is_multiple_of(LOOK_EVERY)
}

/// Notes the energy balance that later ones are compared with, before the first step.
pub(crate) fn note_balance(world: &World, state: &mut RunState) {
    if state.first_energy_balance.is_none() {
        state.first_energy_balance = Some(world.energy().balance());
    }
}

/// Compares the energy balance with that at the start, if it is due; `limit` is the largest fraction that may have been
/// created \[-\].
///
/// # Errors
/// [`StepError::CreatedEnergy`], [`StepError::OutOfRange`] if finite numbers have a sum that is not.
pub(crate) fn watch(world: &World, state: &RunState, limit: f64) -> Result<(), StepError> {
    if is_due(world.step) { check(world, state, limit) } else { Ok(()) }
}

fn check(world: &World, state: &RunState, limit: f64) -> Result<(), StepError> {
    let Some(first) = state.first_energy_balance else { return Ok(()) };
    if limit >= 1.0 || world.particle_count() == 0 || has_unbooked_work(world) {
        return Ok(());
    }
    let energy = world.energy();
    let created = energy.balance() - first;
    let held = energy.kinetic() + energy.elastic_normal + energy.elastic_tangential + energy.elastic_rolling;
    let total = held
        + energy.dissipated_at_contacts()
        + energy.near_field.abs()
        + energy.adhesion.abs()
        + energy.stiffness.abs()
        + energy.fields.abs()
        + energy.released.abs();
    // what left through the faces had the energy of a fall through the domain, and is booked as gone
    let left = if world.removed_mass > 0.0 {
        let across = world.cell.matrix() * DVec3::ONE;
        world.removed_mass * world.fields.gravity.length() * across.length()
    } else {
        0.0
    };
    let terms = [energy.gravity, energy.exchanged, energy.walls, energy.cell, left, total];
    let rounding = ROUNDING * terms.into_iter().map(f64::abs).sum::<f64>();
    if !(created.is_finite() && rounding.is_finite()) {
        return Err(StepError::OutOfRange { step: world.step, what: "its energy is not a finite number".to_owned() });
    }
    if created <= limit * total || created <= rounding {
        return Ok(());
    }
    let p = &world.particles;
    let faster = |a: usize, b: usize| {
        let speed = |slot: usize| p.velocity[slot].length_squared();
        // of equal ones that with the lower id
        if speed(b) > speed(a) || speed(b) == speed(a) && p.id[b] < p.id[a] { b } else { a }
    };
    let own = (0..p.owned())
        .reduce(faster)
        .map_or(Candidate::NONE, |slot| Candidate { number: -p.velocity[slot].length(), who: [p.id[slot], 0, 0, 0] });
    let Candidate { number, who: [particle, ..] } = world.whole.first_of(own);
    let speed = -number;
    Err(StepError::CreatedEnergy { step: world.step, created, total, limit, particle, speed })
}

/// Whether something puts energy in that the ledger does not know: springs whose work terms are not kept, loads of the
/// user, and forces at a distance on particles that are poured.
fn has_unbooked_work(world: &World) -> bool {
    !world.keeps_work()
        || !world.particles.external.is_empty()
        || world.kernels.iter().any(|kernel| kernel.range() > 0.0)
}
