//! The loop over spheres that are moved by themselves: one after the other, translation and rotation alike.
//!
//! What a particle does must depend on nothing but itself and what its slot holds, so that threads and slots change no bit.

use dem_core::cell::Cell;
use dem_core::lanes::{LaneTask, Lanes, Width};
use dem_core::particles::{Particles, frozen};
use dem_core::rotation::{IncrementMap, compose_rodrigues, rotate_orientation};
use dem_core::twist::Twist;
use dem_core::{DQuat, DVec3};
use rayon::prelude::*;

use super::extent::Extent;
use super::mobile::Mobile;
use crate::forces::components::BLOCK;
use crate::forces::trial_loads::TrialLoads;
use crate::state::world::World;

/// One sphere as an integrator reads and moves it.
pub(super) struct Sphere<'a> {
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
    map: IncrementMap,
}

impl<'a> Sphere<'a> {
    /// The particle in a slot, whose orientation follows or stays.
    pub fn at(p: &'a mut Particles, follows: bool, map: IncrementMap, cell: &'a Cell, slot: usize) -> Self {
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
            map,
        }
    }

    /// Centre \[m\].
    #[inline(always)]
    pub fn position(&self) -> DVec3 {
        *self.position
    }

    /// Acceleration by a force and a torque.
    #[inline(always)]
    pub fn acceleration_by(&self, force: DVec3, torque: DVec3) -> Twist {
        let inertia = 0.4 * self.mass * self.radius * self.radius;
        self.release(Twist::new(force * (1.0 / self.mass), torque * (1.0 / inertia)))
    }

    /// Puts the particle where a displacement from the start of the step leads. The orientation waits for [`Self::turn`].
    #[inline(always)]
    pub fn place(&mut self, displacement: Twist) {
        let position = *self.start + displacement.linear;
        self.moved = position - *self.position;
        *self.position = position;
        *self.rotation_increment = self.increment(displacement.angular);
    }

    /// Turns the orientation by the rotation of the step.
    #[inline(always)]
    pub fn turn(&mut self) {
        self.turn_by(*self.rotation_increment);
    }

    /// Rescaled Rodrigues vector of a rotation vector \[rad\].
    #[inline(always)]
    fn increment(&self, rotation_vector: DVec3) -> DVec3 {
        self.map.increment::<f64>(rotation_vector.into()).into()
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

impl Mobile for Sphere<'_> {
    type Twist = Twist;

    #[inline(always)]
    fn begin(&mut self) {
        self.begin_behind(Twist::ZERO);
    }

    #[inline(always)]
    fn begin_behind(&mut self, offset: Twist) {
        if self.cell.is_periodic() {
            let crossed = self.cell.wrap(self.position);
            for (total, n) in self.image.iter_mut().zip(crossed) {
                *total = total.saturating_add(n);
            }
        }
        *self.start = *self.position - offset.linear;
        *self.rotation_increment = self.increment(offset.angular);
    }

    #[inline(always)]
    fn velocity(&self) -> Twist {
        self.release(Twist::new(*self.velocity, *self.angular_velocity))
    }

    #[inline(always)]
    fn set_velocity(&mut self, velocity: Twist) {
        *self.velocity = velocity.linear;
        *self.angular_velocity = velocity.angular;
    }

    #[inline(always)]
    fn acceleration(&self) -> Twist {
        self.acceleration_by(self.force, self.torque)
    }

    #[inline(always)]
    fn shift(&mut self, displacement: Twist) {
        let turn = self.increment(displacement.angular);
        *self.position += displacement.linear;
        *self.rotation_increment = compose_rodrigues(*self.rotation_increment, turn);
        self.turn_by(turn);
        self.moved = displacement.linear;
    }

    #[inline(always)]
    fn acceleration_on_trial(&self, loads: &TrialLoads) -> Twist {
        self.acceleration_by(loads.force[self.slot], loads.torque[self.slot])
    }
}

/// Lets every sphere that is moved by itself act, in parallel.
pub(super) fn each(world: &mut World, act: impl Fn(&mut Sphere) + Sync) -> Extent {
    let mut nothing = vec![(); world.particles.len()];
    each_with(world, &mut nothing, |sphere, ()| act(sphere))
}

/// The same, each with what its slot holds.
#[expect(clippy::disallowed_methods, reason = "the order does not matter to a maximum and a conjunction")]
pub(super) fn each_with<S: Send>(
    world: &mut World,
    held: &mut [S],
    act: impl Fn(&mut Sphere, &mut S) + Sync,
) -> Extent {
    let (follows, map) = (world.quaternions_follow(), world.rotation.increment);
    let World { particles: p, cell, .. } = world;
    let (width, owned) = (Width::fastest(), p.independent());
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
                let mut sphere = Sphere {
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
                    map,
                };
                act(&mut sphere, &mut held[k]);
                sphere.extent()
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
