//! The first evaluation of a run, whose forces the first step starts from.

use std::sync::atomic::{AtomicBool, Ordering};

use dem_contact::fused_integration::{FusedIntegration, ParticleBlock};
use dem_contact::kernel::Acceptance;
use dem_contact::sums::{ForceColumns, GROUP};
use dem_core::DVec3;
use dem_core::lanes::Width;

use super::components::ForceEvaluation;
use super::particle_loads::force_and_torque;
use crate::error::StepError;
use crate::state::world::World;

impl ForceEvaluation {
    /// Evaluates all forces at the present positions and velocities for a step of the world's length, taken to be those at its time, and
    /// accepts them.
    ///
    /// # Errors
    /// As [`Self::evaluate`].
    pub fn start(&mut self, world: &mut World) -> Result<(), StepError> {
        let (time_step, time) = (world.time_step, world.time);
        let others = world.other_loads(0.0);
        // guides that have not been located yet count, too: they ask for the sums of contacts
        let are_plain = others.are_plain() && world.guides.list().is_empty();
        let independent = world.particles.independent();
        let keep = KeepLoads { gravity: others.fields.gravity(), independent, finite: AtomicBool::new(true) };
        let finish = are_plain.then_some(&keep as &dyn FusedIntegration);
        if self.evaluate_and_finish(world, time_step, time, Acceptance::Final, finish)? {
            self.is_finite = keep.finite.into_inner();
            let p = &world.particles;
            self.is_finite &= self.sum_bodies(p, &p.force, &p.torque, &world.other_loads(0.0));
            self.commit_bodies(&mut world.particles);
            self.commit_contacts(world);
        } else {
            self.gather(world, 0.0);
            self.commit(world);
            self.force = Vec::new();
            self.torque = Vec::new();
        }
        Ok(())
    }
}

/// Puts the loads of particles on which contacts and uniform gravity act where they belong.
struct KeepLoads {
    gravity: DVec3,
    /// Slots from here on are members of bodies, whose loads are those of contacts alone.
    independent: usize,
    finite: AtomicBool,
}

impl FusedIntegration for KeepLoads {
    fn finish(&self, particles: ParticleBlock, first: usize, contacts: ForceColumns, _: Width) {
        let ParticleBlock { force, torque, mass, .. } = particles;
        for (slot, ((force, torque), mass)) in (first * GROUP..).zip(force.iter_mut().zip(torque).zip(mass)) {
            let (of_contacts, torque_of_contacts) = force_and_torque(&contacts.sum_of(slot));
            let gravity = if slot < self.independent { *mass * self.gravity } else { DVec3::ZERO };
            *force = of_contacts + gravity;
            *torque = torque_of_contacts;
            if !(force.is_finite() && torque.is_finite()) {
                self.finite.store(false, Ordering::Relaxed);
            }
        }
    }
}
