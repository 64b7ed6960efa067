//! Changes of gravity and other fields between steps, and the energy that they add or take.

use dem_core::DVec3;
use dem_core::particles::NO_BODY;

use super::components::Simulation;
use super::error::SimulationError;
use crate::fields::body_forces::Fields;
use crate::fields::motion::Motion;
use crate::fields::porosity::Porosity;
use crate::guides::led::GuidedMotion;
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

/// Takes the old fields off the loads that spheres and bodies have now, and adds the new ones.
fn renew_forces(world: &mut World, old: &Fields) {
    let World { particles: p, fields: new, porosity, guides, time, .. } = world;
    let renewed = |motion: &Motion, force: DVec3, torque: DVec3| {
        let of = |fields: &Fields| undamped(fields, porosity, motion, *time);
        let ((old_force, old_torque), (new_force, new_torque)) = (of(old), of(new));
        let bare = |load, velocity| old.before_local_damping(load, velocity);
        let force = bare(force, motion.velocity) - old_force + new_force;
        let torque = bare(torque, motion.angular_velocity) - old_torque + new_torque;
        let force = new.after_local_damping(force, motion.velocity);
        (force, new.after_local_damping(torque, motion.angular_velocity))
    };
    // members of bodies have no loads but those of contacts
    for slot in 0..p.len() {
        if slot < p.owned() && p.body[slot] != NO_BODY {
            continue;
        }
        let (force, torque) = renewed(&Motion::of(p, slot), p.force[slot], p.torque[slot]);
        let led = || GuidedMotion::of_sphere(p, slot);
        (p.force[slot], p.torque[slot]) = guides.constrain(slot, force, torque, led);
    }
    for body in &mut p.bodies.all {
        let (force, torque) = renewed(&Motion::of_body(body), body.force, body.torque);
        let led = || GuidedMotion::of_body(body);
        (body.force, body.torque) = guides.constrain(body.first as usize, force, torque, led);
    }
}

/// Force \[N\] and torque \[N m\] of fields at a time on a particle as it moves now, without local damping, which depends on all others.
fn undamped(fields: &Fields, porosity: &Porosity, motion: &Motion, time: f64) -> (DVec3, DVec3) {
    let fields = Fields { local_damping: 0.0, ..*fields };
    let load = fields.over_step(porosity, time, 0.0).apply(motion, DVec3::ZERO, DVec3::ZERO);
    (load.force, load.torque)
}
