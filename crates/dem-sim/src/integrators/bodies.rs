//! The loop over particles that integrators share: spheres one after the other, translation and rotation alike.
//!
//! What a particle does must depend on nothing but itself and what its slot holds, so that threads and slots change no bit.

use dem_contact::kernel::Acceptance;
use dem_core::cell::Cell;
use dem_core::lanes::{LaneTask, Lanes, Width};
use dem_core::particles::{Particles, frozen};
use dem_core::rotation::{compose_rodrigues, rodrigues_from_rotation_vector, rotate_orientation};
use dem_core::twist::Twist;
use dem_core::{DQuat, DVec3};
use rayon::prelude::*;

use crate::error::StepError;
use crate::forces::components::{BLOCK, ForceEvaluation};
use crate::state::world::World;

/// One particle as an integrator reads and moves it.
pub(super) struct Body<'a> {
    /// Its slot.
    pub slot: usize,
    /// Radius \[m\].
    pub radius: f64,
    cell: &'a Cell,
    position: &'a mut DVec3,
    image: &'a mut [i32; 3],
    start: &'a mut DVec3,
    velocity: &'a mut DVec3,
    angular_velocity: &'a mut DVec3,
    /// If it follows.
    orientation: Option<&'a mut DQuat>,
    rotation_increment: &'a mut DVec3,
    force: DVec3,
    torque: DVec3,
    mass: f64,
    frozen: u8,
    moved: DVec3,
}

impl<'a> Body<'a> {
    /// The particle in a slot, whose orientation follows or stays.
    pub fn at(p: &'a mut Particles, follows: bool, cell: &'a Cell, slot: usize) -> Self {
        Self {
            slot,
            radius: p.radius[slot],
            cell,
            position: &mut p.position[slot],
            image: &mut p.image[slot],
            start: &mut p.previous_position[slot],
            velocity: &mut p.velocity[slot],
            angular_velocity: &mut p.angular_velocity[slot],
            orientation: follows.then_some(&mut p.orientation[slot]),
            rotation_increment: &mut p.rotation_increment[slot],
            force: p.force[slot],
            torque: p.torque[slot],
            mass: p.mass[slot],
            frozen: p.frozen[slot],
            moved: DVec3::ZERO,
        }
    }

    /// Begins a step: moves the centre into the cell and notes it as the start. Contacts take the displacement of the step from there,
    /// less `offset`: where the particle is, less where forces were last evaluated.
    #[inline(always)]
    pub fn begin(&mut self, offset: Twist) {
        if self.cell.is_periodic() {
            let crossed = self.cell.wrap(self.position);
            for (total, n) in self.image.iter_mut().zip(crossed) {
                *total = total.saturating_add(n);
            }
        }
        *self.start = *self.position - offset.linear;
        *self.rotation_increment = rodrigues_from_rotation_vector(offset.angular);
    }

    /// Centre \[m\].
    #[inline(always)]
    pub fn position(&self) -> DVec3 {
        *self.position
    }

    /// Velocity \[m/s, rad/s\] of the degrees of freedom that are not frozen.
    #[inline(always)]
    pub fn velocity(&self) -> Twist {
        self.release(Twist::new(*self.velocity, *self.angular_velocity))
    }

    /// Sets the velocity.
    #[inline(always)]
    pub fn set_velocity(&mut self, velocity: Twist) {
        *self.velocity = velocity.linear;
        *self.angular_velocity = velocity.angular;
    }

    /// Acceleration \[m/s², rad/s²\] by the last accepted forces.
    #[inline(always)]
    pub fn acceleration(&self) -> Twist {
        self.acceleration_by(self.force, self.torque)
    }

    /// Acceleration by a force and a torque.
    #[inline(always)]
    pub fn acceleration_by(&self, force: DVec3, torque: DVec3) -> Twist {
        let inertia = 0.4 * self.mass * self.radius * self.radius;
        self.release(Twist::new(force * (1.0 / self.mass), torque * (1.0 / inertia)))
    }

    /// Moves and turns on from where it is.
    #[inline(always)]
    pub fn shift(&mut self, displacement: Twist) {
        let turn = rodrigues_from_rotation_vector(displacement.angular);
        *self.position += displacement.linear;
        *self.rotation_increment = compose_rodrigues(*self.rotation_increment, turn);
        self.turn_by(turn);
        self.moved = displacement.linear;
    }

    /// Puts the particle where a displacement from the start of the step leads. The orientation waits for [`Self::turn`].
    #[inline(always)]
    pub fn place(&mut self, displacement: Twist) {
        let position = *self.start + displacement.linear;
        self.moved = position - *self.position;
        *self.position = position;
        *self.rotation_increment = rodrigues_from_rotation_vector(displacement.angular);
    }

    /// Turns the orientation by the rotation of the step.
    #[inline(always)]
    pub fn turn(&mut self) {
        self.turn_by(*self.rotation_increment);
    }

    #[inline(always)]
    fn turn_by(&mut self, turn: DVec3) {
        if let Some(orientation) = &mut self.orientation {
            **orientation = rotate_orientation(**orientation, turn);
        }
    }

    #[inline(always)]
    fn release(&self, twist: Twist) -> Twist {
        if self.frozen == 0 {
            return twist;
        }
        let released = |v: DVec3, bits: [u8; 3]| {
            DVec3::from_array(std::array::from_fn(|k| if self.frozen & bits[k] == 0 { v[k] } else { 0.0 }))
        };
        Twist::new(released(twist.linear, frozen::TRANSLATION), released(twist.angular, frozen::ROTATION))
    }

    /// What was done to it.
    pub fn extent(&self) -> Extent {
        let finite = self.position.is_finite() && self.velocity.is_finite() && self.angular_velocity.is_finite();
        Extent { longest_squared: self.moved.length_squared(), finite }
    }
}

/// What a pass over all particles did.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    longest_squared: f64,
    /// Whether all positions and velocities are finite.
    pub finite: bool,
}

impl Extent {
    /// Nothing moved.
    pub const NOTHING: Self = Self { longest_squared: 0.0, finite: true };

    /// Length of the longest move \[m\].
    pub fn longest(self) -> f64 {
        self.longest_squared.sqrt()
    }

    /// Both passes, for particles that either has moved, each once.
    pub fn and(self, other: Self) -> Self {
        Self { longest_squared: self.longest_squared.max(other.longest_squared), finite: self.finite && other.finite }
    }

    /// Tells the force evaluation what was done since or after it.
    pub fn tell(self, forces: &mut ForceEvaluation) {
        forces.bound_displacement(self.longest());
        forces.is_finite &= self.finite;
    }
}

/// Lets every particle act, in parallel.
pub(super) fn each(world: &mut World, act: impl Fn(&mut Body) + Sync) -> Extent {
    let mut nothing = vec![(); world.particles.len()];
    each_with(world, &mut nothing, |body, ()| act(body))
}

/// Lets every particle that is no ghost act, in parallel, each with what its slot holds.
#[expect(clippy::disallowed_methods, reason = "the order does not matter to a maximum and a conjunction")]
pub(super) fn each_with<S: Send>(world: &mut World, held: &mut [S], act: impl Fn(&mut Body, &mut S) + Sync) -> Extent {
    let World { particles: p, cell, orientations_follow, .. } = world;
    let (follows, width, owned) = (*orientations_follow, Width::fastest(), p.owned());
    let columns = (
        p.position[..owned].par_chunks_mut(BLOCK),
        p.image[..owned].par_chunks_mut(BLOCK),
        p.previous_position[..owned].par_chunks_mut(BLOCK),
        p.velocity[..owned].par_chunks_mut(BLOCK),
        p.angular_velocity[..owned].par_chunks_mut(BLOCK),
        p.orientation[..owned].par_chunks_mut(BLOCK),
        p.rotation_increment[..owned].par_chunks_mut(BLOCK),
        held[..owned].par_chunks_mut(BLOCK),
    );
    let constants = (
        p.force[..owned].par_chunks(BLOCK),
        p.torque[..owned].par_chunks(BLOCK),
        p.radius[..owned].par_chunks(BLOCK),
        p.mass[..owned].par_chunks(BLOCK),
        p.frozen[..owned].par_chunks(BLOCK),
    );
    columns
        .into_par_iter()
        .zip(constants)
        .enumerate()
        .map(|(block, ((x, image, x0, v, w, q, turn, held), (force, torque, radius, mass, frozen)))| {
            let slots = x.len();
            let each = |k: usize| {
                let mut body = Body {
                    slot: block * BLOCK + k,
                    radius: radius[k],
                    cell,
                    position: &mut x[k],
                    image: &mut image[k],
                    start: &mut x0[k],
                    velocity: &mut v[k],
                    angular_velocity: &mut w[k],
                    orientation: follows.then_some(&mut q[k]),
                    rotation_increment: &mut turn[k],
                    force: force[k],
                    torque: torque[k],
                    mass: mass[k],
                    frozen: frozen[k],
                    moved: DVec3::ZERO,
                };
                act(&mut body, &mut held[k]);
                body.extent()
            };
            width.run_alone(Slots { slots, each })
        })
        .reduce(|| Extent::NOTHING, Extent::and)
}

/// Particles that act one after the other, compiled with the instructions of a width: rotations have products in sums.
struct Slots<F> {
    slots: usize,
    each: F,
}

impl<F: FnMut(usize) -> Extent> LaneTask for Slots<F> {
    type Output = Extent;

    #[inline(always)]
    fn run<R: Lanes>(mut self) -> Extent {
        (0..self.slots).fold(Extent::NOTHING, |all, k| all.and((self.each)(k)))
    }
}

/// Evaluates the forces where the particles have been moved to, at the end of the step.
///
/// # Errors
/// What the evaluation returns.
pub(super) fn evaluate(
    world: &mut World,
    forces: &mut ForceEvaluation,
    moved: Extent,
    acceptance: Acceptance,
) -> Result<(), StepError> {
    forces.bound_displacement(moved.longest());
    forces.evaluate(world, world.time_step, acceptance)?;
    forces.is_finite &= moved.finite;
    Ok(())
}

/// Takes the walls back to where they were at the start of the step and moves them to where they are at `time` \[s\].
pub(super) fn move_walls_again(world: &mut World, time: f64) {
    for wall in &mut world.walls {
        wall.pose = wall.previous_pose;
        wall.advance(time);
    }
}
