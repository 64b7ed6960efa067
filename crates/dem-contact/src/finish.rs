//! What becomes of particles as soon as all their contacts are computed.
//!
//! Where [sums trail the pass of the law](crate::contact_forces::ContactForces::trail), an integrator may go on with the particles of a group
//! while contacts of others are still being computed: their sums, and what contacts have read of them, are in the caches then, and no pass
//! over all particles has to read them again. Nobody keeps the sums.

use std::ops::Range;

use dem_core::DVec3;
use dem_core::lanes::{Stretch, TurnColumn, Width};
use dem_core::particles::Particles;

/// Goes on with particles whose contacts are computed.
pub trait Finish: Sync {
    /// Takes up to a group of particles with the sums of their contacts, force and torque, three numbers each and one that means nothing.
    fn finish(&self, particles: Finished, sums: &[[f64; 8]], width: Width);
}

/// Particles whose contacts are computed: columns of as many entries.
#[derive(Debug)]
pub struct Finished<'a> {
    /// Velocities that the contacts were computed with \[m/s\].
    pub velocity: &'a mut [DVec3],
    /// Angular velocities that the contacts were computed with \[rad/s\].
    pub angular_velocity: &'a mut [DVec3],
    /// Forces of the last accepted evaluation \[N\].
    pub force: &'a mut [DVec3],
    /// Torques of the last accepted evaluation \[N m\].
    pub torque: &'a mut [DVec3],
    /// Masses \[kg\].
    pub mass: &'a [f64],
    /// Radii \[m\].
    pub radius: &'a [f64],
    /// Suppressed degrees of freedom, see [`dem_core::particles::frozen`].
    pub frozen: &'a [u8],
}

/// The columns that change, taken out of the particles for the time of an evaluation.
#[derive(Debug)]
pub struct MovingColumns([Vec<DVec3>; 4]);

impl MovingColumns {
    /// Takes them; the particles have none until [`Self::put_back`].
    pub fn take(p: &mut Particles) -> Self {
        Self([&mut p.velocity, &mut p.angular_velocity, &mut p.force, &mut p.torque].map(std::mem::take))
    }

    /// Puts them back where they belong.
    pub fn put_back(self, p: &mut Particles) {
        [p.velocity, p.angular_velocity, p.force, p.torque] = self.0;
    }
}

/// An integrator at work, and the columns it changes.
pub struct Finishing<'a> {
    task: &'a dyn Finish,
    /// Read by contacts, too.
    pub(crate) velocity: TurnColumn<'a>,
    pub(crate) angular_velocity: TurnColumn<'a>,
    force: TurnColumn<'a>,
    torque: TurnColumn<'a>,
    mass: &'a [f64],
    radius: &'a [f64],
    frozen: &'a [u8],
    width: Width,
}

impl<'a> Finishing<'a> {
    /// Of the particles whose columns were taken.
    pub fn new(task: &'a dyn Finish, moving: &'a mut MovingColumns, particles: &'a Particles, width: Width) -> Self {
        let [velocity, angular_velocity, force, torque] = moving.0.each_mut().map(|column| TurnColumn::new(column));
        let Particles { mass, radius, frozen, .. } = particles;
        Self { task, velocity, angular_velocity, force, torque, mass, radius, frozen, width }
    }

    /// What is needed to finish the particles in some slots, but for what contacts read of them.
    pub(crate) fn needed(&self, slots: Range<usize>) -> [Stretch<'_>; 4] {
        [
            self.force.stretch(slots.clone()),
            self.torque.stretch(slots.clone()),
            self.angular_velocity.stretch(slots.clone()),
            self.mass[slots].into(),
        ]
    }

    /// Goes on with the particles in some slots, of whose contacts there are the sums.
    ///
    /// # Safety
    /// All contacts of these particles and of the one before the first are computed, and nobody else has any of these particles now.
    #[expect(unsafe_code, reason = "changes particles while others are read")]
    pub(crate) unsafe fn finish(&self, slots: Range<usize>, sums: &[[f64; 8]]) {
        let (mass, radius, frozen) =
            (&self.mass[slots.clone()], &self.radius[slots.clone()], &self.frozen[slots.clone()]);
        // SAFETY: the caller's promise; contacts read nothing of a particle beside their own and the number behind
        let particles = unsafe {
            Finished {
                velocity: self.velocity.part(slots.clone()),
                angular_velocity: self.angular_velocity.part(slots.clone()),
                force: self.force.part(slots.clone()),
                torque: self.torque.part(slots),
                mass,
                radius,
                frozen,
            }
        };
        self.task.finish(particles, sums, self.width);
    }
}
