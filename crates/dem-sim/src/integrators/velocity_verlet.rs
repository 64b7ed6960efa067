//! Velocity Verlet with predicted velocities.
//!
//! With accelerations a₀ of the last step: `x₁ = x₀ + dt v₀ + dt²/2 a₀`; forces at x₁ and at the predicted velocity
//! `v₀ + dt a₀`; then `v₁ = v₀ + dt/2 (a₀ + a₁)`. Angular velocities likewise, and the orientation turns by the rotation vector
//! `dt (ω₀ + dt/2 α₀)`. Forces that depend on the velocity see it at the end of the step, not at its middle: the scheme stays
//! second order with damping. Order 1 across the switch from stick to slip. Source: W. C. Swope et al., J. Chem. Phys. 76
//! (1982) 637.

use dem_contact::kernel::Acceptance;
use dem_core::lanes::{LaneTask, Real, Vector, Width};
use dem_core::particles::frozen;
use dem_core::rotation::{rodrigues_in_lanes, rotate_in_lanes};
use dem_core::{DQuat, DVec3};
use rayon::prelude::*;

use crate::error::StepError;
use crate::forces::{BLOCK, ForceEvaluation};
use crate::integrators::Integrator;
use crate::world::World;

/// The scheme.
#[derive(Clone, Copy, Debug, Default)]
pub struct VelocityVerlet;

impl VelocityVerlet {
    /// Name in scenes.
    pub const KEY: &'static str = "velocity-verlet";
    /// One sentence.
    pub const SUMMARY: &'static str = "velocity Verlet with predicted velocities, second order";
}

impl Integrator for VelocityVerlet {
    fn key(&self) -> &'static str {
        Self::KEY
    }

    fn advance(&mut self, world: &mut World, forces: &mut ForceEvaluation) -> Result<(), StepError> {
        predict(world, forces.width);
        forces.evaluate(world, world.time_step, Acceptance::Final)?;
        correct(world, forces);
        forces.commit(world);
        Ok(())
    }
}

fn predict(world: &mut World, width: Width) {
    let dt = world.time_step;
    let cell = world.cell;
    let p = &mut world.particles;
    (
        p.position.par_chunks_mut(BLOCK),
        p.previous_position.par_chunks_mut(BLOCK),
        p.image.par_chunks_mut(BLOCK),
        p.velocity.par_chunks_mut(BLOCK),
        p.angular_velocity.par_chunks_mut(BLOCK),
        p.orientation.par_chunks_mut(BLOCK),
        p.rotation_increment.par_chunks_mut(BLOCK),
        p.force.par_chunks(BLOCK),
        p.torque.par_chunks(BLOCK),
        p.mass.par_chunks(BLOCK),
        p.radius.par_chunks(BLOCK),
        p.frozen.par_chunks(BLOCK),
    )
        .into_par_iter()
        .for_each(|(x, x0, image, v, w, q, turn, force, torque, mass, radius, frozen)| {
            if cell.is_periodic() {
                for (x, image) in x.iter_mut().zip(image) {
                    let crossed = cell.wrap(x);
                    for (total, n) in image.iter_mut().zip(crossed) {
                        *total += n;
                    }
                }
            }
            width.run(Prediction { dt, x, x0, v, w, q, turn, force, torque, mass, radius, frozen });
        });
}

/// From the predicted `v₀ + dt a₀` to `v₀ + dt/2 (a₀ + a₁)`.
fn correct(world: &mut World, forces: &ForceEvaluation) {
    let half = 0.5 * world.time_step;
    let width = forces.width;
    let p = &mut world.particles;
    (
        p.velocity.par_chunks_mut(BLOCK),
        p.angular_velocity.par_chunks_mut(BLOCK),
        p.force.par_chunks(BLOCK),
        p.torque.par_chunks(BLOCK),
        forces.force.par_chunks(BLOCK),
        forces.torque.par_chunks(BLOCK),
        p.mass.par_chunks(BLOCK),
        p.radius.par_chunks(BLOCK),
        p.frozen.par_chunks(BLOCK),
    )
        .into_par_iter()
        .for_each(|(v, w, force0, torque0, force1, torque1, mass, radius, frozen)| {
            width.run(Correction { half, v, w, force0, torque0, force1, torque1, mass, radius, frozen });
        });
}

/// Zeroes the frozen components of a vector.
#[inline(always)]
fn release<R: Real>(vector: Vector<R>, frozen: &[u8], at: usize, bits: [u8; 3]) -> Vector<R> {
    Vector::new(
        R::select(free::<R>(frozen, at, bits[0]), vector.x, R::zero()),
        R::select(free::<R>(frozen, at, bits[1]), vector.y, R::zero()),
        R::select(free::<R>(frozen, at, bits[2]), vector.z, R::zero()),
    )
}

#[inline(always)]
fn free<R: Real>(frozen: &[u8], at: usize, bit: u8) -> R::Mask {
    R::zero().less(R::from_lanes(|lane| if frozen[at + lane] & bit == 0 { 1.0 } else { 0.0 }))
}

#[inline(always)]
fn load<R: Real>(column: &[DVec3], at: usize) -> Vector<R> {
    let [x, y, z] = R::columns(|lane| column[at + lane].as_ref());
    Vector::new(x, y, z)
}

#[inline(always)]
fn store<R: Real>(value: Vector<R>, column: &mut [DVec3], at: usize) {
    R::rows(&[value.x, value.y, value.z], |lane, row| column[at + lane] = DVec3::from_array(row));
}

/// Moment of inertia of solid spheres.
#[inline(always)]
fn inertia<R: Real>(mass: R, radius: R) -> R {
    R::splat(0.4) * mass * radius * radius
}

struct Prediction<'a> {
    dt: f64,
    x: &'a mut [DVec3],
    x0: &'a mut [DVec3],
    v: &'a mut [DVec3],
    w: &'a mut [DVec3],
    q: &'a mut [DQuat],
    turn: &'a mut [DVec3],
    force: &'a [DVec3],
    torque: &'a [DVec3],
    mass: &'a [f64],
    radius: &'a [f64],
    frozen: &'a [u8],
}

impl LaneTask for Prediction<'_> {
    type Output = ();

    #[inline(always)]
    fn run<R: Real>(mut self) {
        let whole = self.x.len() / R::LANES * R::LANES;
        for at in (0..whole).step_by(R::LANES) {
            self.advance::<R>(at);
        }
        for at in whole..self.x.len() {
            self.advance::<f64>(at);
        }
    }
}

impl Prediction<'_> {
    #[inline(always)]
    fn advance<R: Real>(&mut self, at: usize) {
        let (dt, half, one) = (R::splat(self.dt), R::splat(0.5), R::splat(1.0));
        let half_step = R::splat(0.5 * self.dt);
        let mass = R::from_lanes(|lane| self.mass[at + lane]);
        let radius = R::from_lanes(|lane| self.radius[at + lane]);
        let mut a = load::<R>(self.force, at) * (one / mass);
        let mut alpha = load::<R>(self.torque, at) * (one / inertia(mass, radius));
        let (mut v0, mut w0) = (load::<R>(self.v, at), load::<R>(self.w, at));
        if self.frozen[at..at + R::LANES].iter().any(|&bits| bits != 0) {
            for translation in [&mut a, &mut v0] {
                *translation = release(*translation, self.frozen, at, frozen::TRANSLATION);
            }
            for rotation in [&mut alpha, &mut w0] {
                *rotation = release(*rotation, self.frozen, at, frozen::ROTATION);
            }
        }
        let x0 = load::<R>(self.x, at);
        store(x0, self.x0, at);
        store(x0 + (v0 + a * half_step) * dt, self.x, at);
        store(v0 + a * dt, self.v, at);
        store(w0 + alpha * dt, self.w, at);
        let turn = rodrigues_in_lanes((w0 + alpha * (half * dt)) * dt);
        store(turn, self.turn, at);
        let q = R::columns(|lane| self.q[at + lane].as_ref());
        R::rows(&rotate_in_lanes(q, turn), |lane, q| self.q[at + lane] = DQuat::from_array(q));
    }
}

struct Correction<'a> {
    half: f64,
    v: &'a mut [DVec3],
    w: &'a mut [DVec3],
    force0: &'a [DVec3],
    torque0: &'a [DVec3],
    force1: &'a [DVec3],
    torque1: &'a [DVec3],
    mass: &'a [f64],
    radius: &'a [f64],
    frozen: &'a [u8],
}

impl LaneTask for Correction<'_> {
    type Output = ();

    #[inline(always)]
    fn run<R: Real>(mut self) {
        let whole = self.v.len() / R::LANES * R::LANES;
        for at in (0..whole).step_by(R::LANES) {
            self.advance::<R>(at);
        }
        for at in whole..self.v.len() {
            self.advance::<f64>(at);
        }
    }
}

impl Correction<'_> {
    #[inline(always)]
    fn advance<R: Real>(&mut self, at: usize) {
        let half = R::splat(self.half);
        let mass = R::from_lanes(|lane| self.mass[at + lane]);
        let radius = R::from_lanes(|lane| self.radius[at + lane]);
        let mut dv = (load::<R>(self.force1, at) - load(self.force0, at)) * (half / mass);
        let mut dw = (load::<R>(self.torque1, at) - load(self.torque0, at)) * (half / inertia(mass, radius));
        if self.frozen[at..at + R::LANES].iter().any(|&bits| bits != 0) {
            dv = release(dv, self.frozen, at, frozen::TRANSLATION);
            dw = release(dw, self.frozen, at, frozen::ROTATION);
        }
        store(load::<R>(self.v, at) + dv, self.v, at);
        store(load::<R>(self.w, at) + dw, self.w, at);
    }
}
