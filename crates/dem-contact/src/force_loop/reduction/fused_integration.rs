//! Fused integration: particles are advanced as soon as all their contacts are computed.
//!
//! Where [sums are taken within the pass over contacts](crate::force_loop::sweep), an integrator may advance the
//! particles of a group while contacts of others are still being computed: their sums, and what contacts have read of
//! them, are in the caches then, and no pass over all particles has to read them again. The sums are not stored.

use std::ops::Range;

use dem_core::lanes::{Stretch, TurnColumn, VectorColumn, Width};
use dem_core::particles::Particles;
use dem_core::{DQuat, DVec3};

use crate::force_loop::reduction::sums::{ForceColumns, GROUP};

/// Displacement of a particle per step on the straight path that the selection of near pairs predicts \[m\]: only
/// bounds are derived from it, so single precision is enough.
pub type Course = [f32; 3];

/// Advances particles whose contacts are computed.
pub trait FusedIntegration: Sync {
    /// Takes the particles of [groups](crate::force_loop::reduction::sums::GROUP) that follow each other, all from the one of number `first` on, and what the sums
    /// of their contacts can be taken from.
    fn finish(&self, particles: ParticleBlock, first: usize, contacts: ForceColumns, width: Width);
}

/// Particles whose contacts are computed: columns of as many entries.
#[derive(Debug)]
pub struct ParticleBlock<'a> {
    /// Positions at the end of the step \[m\].
    pub position: &'a mut [DVec3],
    /// Positions at its start \[m\].
    pub previous_position: &'a mut [DVec3],
    /// Periodic images.
    pub image: &'a mut [[i32; 3]],
    /// Orientations at its end.
    pub orientation: &'a mut [DQuat],
    /// Rescaled Rodrigues vectors of the rotations over the step.
    pub rotation_increment: &'a mut [DVec3],
    /// Velocities that the contacts were computed with \[m/s\].
    pub velocity: &'a mut [DVec3],
    /// Angular velocities that the contacts were computed with \[rad/s\].
    pub angular_velocity: &'a mut [DVec3],
    /// Forces of the last accepted evaluation \[N\].
    pub force: &'a mut [DVec3],
    /// Torques of the last accepted evaluation \[N m\].
    pub torque: &'a mut [DVec3],
    /// What fields have dissipated \[J\].
    pub dissipation: &'a mut [f64],
    /// Masses \[kg\].
    pub mass: &'a [f64],
    /// Radii \[m\].
    pub radius: &'a [f64],
    /// Suppressed degrees of freedom, see [`dem_core::particles::frozen`].
    pub frozen: &'a [u8],
    /// Their predicted displacements per step, if the selection of near pairs uses any.
    pub course: Option<&'a [Course]>,
}

impl ParticleBlock<'_> {
    /// The first `count` of them.
    #[must_use]
    pub fn up_to(self, count: usize) -> Self {
        Self {
            position: &mut self.position[..count],
            previous_position: &mut self.previous_position[..count],
            image: &mut self.image[..count],
            orientation: &mut self.orientation[..count],
            rotation_increment: &mut self.rotation_increment[..count],
            velocity: &mut self.velocity[..count],
            angular_velocity: &mut self.angular_velocity[..count],
            force: &mut self.force[..count],
            torque: &mut self.torque[..count],
            dissipation: &mut self.dissipation[..count],
            mass: &self.mass[..count],
            radius: &self.radius[..count],
            frozen: &self.frozen[..count],
            course: self.course.map(|course| &course[..count]),
        }
    }
}

/// The columns that change, taken out of the particles for the time of an evaluation.
#[derive(Debug)]
pub struct MovingColumns {
    vectors: [Vec<DVec3>; 7],
    image: Vec<[i32; 3]>,
    orientation: Vec<DQuat>,
    dissipation: Vec<f64>,
}

impl MovingColumns {
    /// Takes them; the particles have none until [`Self::put_back`].
    pub fn take(p: &mut Particles) -> Self {
        let vectors = Self::vectors_of(p).map(std::mem::take);
        Self {
            vectors,
            image: std::mem::take(&mut p.image),
            orientation: std::mem::take(&mut p.orientation),
            dissipation: std::mem::take(&mut p.field_dissipation),
        }
    }

    /// Puts them back where they belong.
    pub fn put_back(self, p: &mut Particles) {
        for (column, moved) in Self::vectors_of(p).into_iter().zip(self.vectors) {
            *column = moved;
        }
        (p.image, p.orientation, p.field_dissipation) = (self.image, self.orientation, self.dissipation);
    }

    fn vectors_of(p: &mut Particles) -> [&mut Vec<DVec3>; 7] {
        let Particles {
            position,
            previous_position,
            rotation_increment,
            velocity,
            angular_velocity,
            force,
            torque,
            ..
        } = p;
        [position, previous_position, rotation_increment, velocity, angular_velocity, force, torque]
    }
}

/// An integrator during a pass, and the columns it changes.
pub struct FusedUpdate<'a> {
    task: &'a dyn FusedIntegration,
    position: TurnColumn<'a>,
    previous_position: TurnColumn<'a>,
    rotation_increment: TurnColumn<'a>,
    velocity: TurnColumn<'a>,
    angular_velocity: TurnColumn<'a>,
    force: TurnColumn<'a>,
    torque: TurnColumn<'a>,
    image: TurnColumn<'a, [i32; 3]>,
    orientation: TurnColumn<'a, DQuat>,
    dissipation: TurnColumn<'a, f64>,
    mass: &'a [f64],
    radius: &'a [f64],
    frozen: &'a [u8],
    course: Option<&'a [Course]>,
    width: Width,
}

impl<'a> FusedUpdate<'a> {
    /// Of the particles whose columns were taken, with their predicted displacements per step, if the selection of near
    /// pairs uses any.
    pub fn new(
        task: &'a dyn FusedIntegration,
        moving: &'a mut MovingColumns,
        particles: &'a Particles,
        course: Option<&'a [Course]>,
        width: Width,
    ) -> Self {
        let [position, previous_position, rotation_increment, velocity, angular_velocity, force, torque] =
            moving.vectors.each_mut().map(|column| TurnColumn::new(column));
        Self {
            task,
            position,
            previous_position,
            rotation_increment,
            velocity,
            angular_velocity,
            force,
            torque,
            image: TurnColumn::new(&mut moving.image),
            orientation: TurnColumn::new(&mut moving.orientation),
            dissipation: TurnColumn::new(&mut moving.dissipation),
            mass: &particles.mass,
            radius: &particles.radius,
            frozen: &particles.frozen,
            course,
            width,
        }
    }

    /// What contacts read: positions at the end of the step and at its start, velocities, angular velocities, rotations.
    #[inline(always)]
    pub(crate) fn read_by_contacts(&self) -> [VectorColumn<'_>; 5] {
        [
            self.position.reader(),
            self.previous_position.reader(),
            self.velocity.reader(),
            self.angular_velocity.reader(),
            self.rotation_increment.reader(),
        ]
    }

    /// What is needed to advance the particles in some slots, except what contacts read of them.
    pub(crate) fn needed(&self, slots: Range<usize>) -> [Stretch<'_>; 4] {
        [
            self.force.stretch(slots.clone()),
            self.torque.stretch(slots.clone()),
            self.angular_velocity.stretch(slots.clone()),
            self.mass[slots].into(),
        ]
    }

    /// Advances the particles of some groups.
    ///
    /// # Safety
    /// All contacts of these particles and of the one before the first are computed, and no other thread has any of
    /// these particles now.
    #[expect(unsafe_code, reason = "changes particles while others are read")]
    pub(crate) unsafe fn finish(&self, groups: Range<usize>, contacts: ForceColumns) {
        let of = || groups.start * GROUP..(groups.end * GROUP).min(self.mass.len());
        // SAFETY: the caller's promise; contacts read nothing of a particle except their own and the number behind
        let particles = unsafe {
            ParticleBlock {
                position: self.position.part(of()),
                previous_position: self.previous_position.part(of()),
                image: self.image.part(of()),
                orientation: self.orientation.part(of()),
                rotation_increment: self.rotation_increment.part(of()),
                velocity: self.velocity.part(of()),
                angular_velocity: self.angular_velocity.part(of()),
                force: self.force.part(of()),
                torque: self.torque.part(of()),
                dissipation: self.dissipation.part(of()),
                mass: &self.mass[of()],
                radius: &self.radius[of()],
                frozen: &self.frozen[of()],
                course: self.course.map(|course| &course[of()]),
            }
        };
        self.task.finish(particles, groups.start, contacts, self.width);
    }
}
