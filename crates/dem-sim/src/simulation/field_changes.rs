//! Changes of gravity and other fields between steps, and the energy that they add or take.

use dem_core::DVec3;
use dem_core::particles::Particles;

use super::components::Simulation;
use super::error::SimulationError;
use crate::fields::body_forces::Fields;
use crate::fields::motion::Motion;
use crate::fields::porosity::Porosity;
use crate::guides::guide::GuidedMotion;
use crate::state::world::World;

impl Simulation {
    /// Replaces the fields; what the change of gravity adds to potential energies is booked as exchanged. The next step starts from the forces of
    /// the new fields.
    pub(super) fn set_fields(&mut self, mut fields: Fields) -> Result<(), SimulationError> {
        fields.gravity_since = self.world.time;
        let before = self.world.energy().balance();
        let old = std::mem::replace(&mut self.world.fields, fields);
        self.world.measure_porosity();
        renew_forces(&mut self.world, &old);
        let world = &mut self.world;
        world.accumulated.exchanged += world.energy().balance() - before;
        self.pipeline.forces.invalidate();
        self.expect_present_speed();
        self.admit_contact_change();
        Ok(())
    }
}

/// Takes the old fields off the forces that particles have now, and adds the new ones.
fn renew_forces(world: &mut World, old: &Fields) {
    let World { particles: p, fields: new, porosity, guides, time, .. } = world;
    let change = |p: &Particles, slot: usize| {
        let motion = Motion::of(p, slot);
        let of = |fields: &Fields| undamped(fields, porosity, &motion, *time);
        let ((old_force, old_torque), (new_force, new_torque)) = (of(old), of(new));
        let bare = |load, velocity| old.before_local_damping(load, velocity);
        let force = bare(p.force[slot], p.velocity[slot]) - old_force + new_force;
        let torque = bare(p.torque[slot], p.angular_velocity[slot]) - old_torque + new_torque;
        let force = new.after_local_damping(force, p.velocity[slot]);
        let motion = || GuidedMotion { mass: p.mass[slot], position: p.position[slot], velocity: p.velocity[slot] };
        let force = guides.constrain(slot, force, motion);
        (force, new.after_local_damping(torque, p.angular_velocity[slot]))
    };
    let changed: Vec<(DVec3, DVec3)> = (0..p.len()).map(|slot| change(p, slot)).collect();
    for (slot, (force, torque)) in changed.into_iter().enumerate() {
        (p.force[slot], p.torque[slot]) = (force, torque);
    }
}

/// Force \[N\] and torque \[N m\] of fields at a time on a particle as it moves now, without local damping, which depends on all others.
fn undamped(fields: &Fields, porosity: &Porosity, motion: &Motion, time: f64) -> (DVec3, DVec3) {
    let fields = Fields { local_damping: 0.0, ..*fields };
    let load = fields.over_step(porosity, time, 0.0).apply(motion, DVec3::ZERO, DVec3::ZERO);
    (load.force, load.torque)
}
