//! Velocity Verlet with predicted velocities.
//!
//! With accelerations a₀ of the last step: `x₁ = x₀ + dt v₀ + dt²/2 a₀`; forces at x₁ and at the predicted velocity
//! `v₀ + dt a₀`; then `v₁ = v₀ + dt/2 (a₀ + a₁)`. Angular velocities likewise, and the orientation turns by the rotation vector
//! `dt (ω₀ + dt/2 α₀)`. Forces that depend on the velocity see it at the end of the step, not at its middle: the scheme stays
//! second order with damping. With `corrected = false` they see the velocity at its middle, `v₀ + dt/2 a₀`, as published codes have it, and
//! the order drops to one. Where a force jumps the order is one. Source: W. C. Swope et al., J. Chem. Phys. 76 (1982) 637.

use dem_contact::kernel::Acceptance;
use dem_contact::sums::{GROUP, GroupSums};
use dem_contact::{ParameterSet, ParameterSpec};
use dem_core::cell::Cell;
use dem_core::lanes::{LaneTask, MOST_LANES, Mask, Real, Vector, Width};
use dem_core::particles::frozen;
use dem_core::rotation::{rodrigues_in_lanes, rotate_in_lanes};
use dem_core::twist::Twist;
use dem_core::{DQuat, DVec3};
use rayon::prelude::*;

use crate::error::StepError;
use crate::fields::{Load, Motion};
use crate::forces::{BLOCK, ForceEvaluation};
use crate::integrators::{CORRECTED, Integrator, bodies};
use crate::loads::Loads;
use crate::world::World;

/// The scheme.
#[derive(Clone, Copy, Debug)]
pub struct VelocityVerlet {
    /// Whether forces see velocities at the end of the step rather than at its middle.
    pub corrected: bool,
}

impl Default for VelocityVerlet {
    fn default() -> Self {
        Self { corrected: true }
    }
}

impl VelocityVerlet {
    /// Name in scenes.
    pub const KEY: &'static str = "velocity-verlet";
    /// One sentence.
    pub const SUMMARY: &'static str = "velocity Verlet with predicted velocities, second order";
    /// Options in scenes.
    pub const OPTIONS: &'static [ParameterSpec] = &[CORRECTED];

    /// From its options.
    pub fn new(options: &ParameterSet) -> Self {
        Self { corrected: options.flag("corrected") }
    }
}

impl Integrator for VelocityVerlet {
    fn key(&self) -> &'static str {
        Self::KEY
    }

    fn advance(&mut self, world: &mut World, forces: &mut ForceEvaluation) -> Result<(), StepError> {
        if !self.corrected {
            return advance_by_mid_step_velocities(world, forces);
        }
        let course = forces.course(world.particles.len());
        let predicted = predict(world, course, forces.width);
        let deviation = course.map(|_| predicted.deviation_squared.sqrt());
        forces.bound_course(predicted.longest_squared.sqrt(), deviation);
        let end = world.time + world.time_step;
        forces.evaluate_contacts(world, world.time_step, end, Acceptance::Final)?;
        forces.is_finite = correct(world, forces.width) && predicted.finite;
        forces.commit_contacts(world);
        Ok(())
    }
}

/// The scheme with forces at the velocity in the middle of the step.
fn advance_by_mid_step_velocities(world: &mut World, forces: &mut ForceEvaluation) -> Result<(), StepError> {
    let (dt, half) = (world.time_step, 0.5 * world.time_step);
    let moved = bodies::each(world, |body| {
        body.begin(Twist::ZERO);
        let velocity = body.velocity() + body.acceleration() * half;
        body.shift(velocity * dt);
        body.set_velocity(velocity);
    });
    bodies::evaluate(world, forces, moved, Acceptance::Final)?;
    let (force, torque) = (&forces.force, &forces.torque);
    let corrected = bodies::each(world, |body| {
        let a = body.acceleration_by(force[body.slot], torque[body.slot]);
        body.set_velocity(body.velocity() + a * half);
    });
    corrected.tell(forces);
    forces.commit(world);
    Ok(())
}

/// What a prediction finds out on the way.
#[derive(Clone, Copy)]
struct Predicted {
    /// Square of the length of the longest move \[m²\].
    longest_squared: f64,
    /// Square of the longest difference of a move from the course of its particle \[m²\]; zero without courses.
    deviation_squared: f64,
    /// Whether all positions and velocities are finite.
    finite: bool,
}

impl Predicted {
    const NOTHING: Self = Self { longest_squared: 0.0, deviation_squared: 0.0, finite: true };

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self {
            longest_squared: self.longest_squared.max(other.longest_squared),
            deviation_squared: self.deviation_squared.max(other.deviation_squared),
            finite: self.finite && other.finite,
        }
    }
}

/// Moves the particles and compares their moves with their courses, if there are any.
#[expect(clippy::disallowed_methods, reason = "the order does not matter to a maximum and a conjunction")]
fn predict(world: &mut World, course: Option<&[DVec3]>, width: Width) -> Predicted {
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
        .enumerate()
        .map(|(block, (x, x0, image, v, w, q, turn, force, torque, mass, radius, frozen))| {
            let cell = cell.is_periodic().then_some(&cell);
            let course = course.map(|course| &course[block * BLOCK..][..x.len()]);
            width.run(Prediction { dt, cell, course, x, x0, image, v, w, q, turn, force, torque, mass, radius, frozen })
        })
        .reduce(|| Predicted::NOTHING, Predicted::and)
}

/// From the predicted `v₀ + dt a₀` to `v₀ + dt/2 (a₀ + a₁)`, with the sums of forces taken on the way; returns whether all of them are
/// finite.
#[expect(clippy::disallowed_methods, reason = "the order does not matter to a conjunction")]
fn correct(world: &mut World, width: Width) -> bool {
    let half = 0.5 * world.time_step;
    let World { particles: p, forces, fields, guides, time, time_step, .. } = world;
    let loads = Loads::of(forces.columns(), &p.external, fields.over_step(*time, *time + *time_step), guides);
    (
        p.velocity.par_chunks_mut(BLOCK),
        p.angular_velocity.par_chunks_mut(BLOCK),
        p.force.par_chunks_mut(BLOCK),
        p.torque.par_chunks_mut(BLOCK),
        p.field_dissipation.par_chunks_mut(BLOCK),
        p.position.par_chunks(BLOCK),
        p.previous_position.par_chunks(BLOCK),
        p.rotation_increment.par_chunks(BLOCK),
        p.mass.par_chunks(BLOCK),
        p.radius.par_chunks(BLOCK),
        p.frozen.par_chunks(BLOCK),
    )
        .into_par_iter()
        .enumerate()
        .map(|(block, (v, w, force, torque, dissipation, x, x0, turn, mass, radius, frozen))| {
            let first = block * BLOCK;
            let task = Correction {
                half,
                loads: &loads,
                first,
                v,
                w,
                force,
                torque,
                dissipation,
                x,
                x0,
                turn,
                mass,
                radius,
                frozen,
            };
            width.run(task)
        })
        .reduce(|| true, |a, b| a && b)
}

/// Whether any component of some particles is frozen.
#[inline(always)]
fn is_any_frozen(frozen: &[u8]) -> bool {
    frozen.iter().fold(0, |all, bits| all | bits) != 0
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

/// Zero, or not a number if a component is not finite.
#[inline(always)]
fn zero_if_finite<R: Real>(v: Vector<R>) -> R {
    v.dot(Vector::zero())
}

/// Moment of inertia of solid spheres.
#[inline(always)]
fn inertia<R: Real>(mass: R, radius: R) -> R {
    R::splat(0.4) * mass * radius * radius
}

struct Prediction<'a> {
    dt: f64,
    /// The cell if any direction is periodic.
    cell: Option<&'a Cell>,
    /// What particles move by on their courses, if these are followed.
    course: Option<&'a [DVec3]>,
    x: &'a mut [DVec3],
    x0: &'a mut [DVec3],
    image: &'a mut [[i32; 3]],
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
    type Output = Predicted;

    #[inline(always)]
    fn run<R: Real>(mut self) -> Predicted {
        let whole = self.x.len() / R::LANES * R::LANES;
        let mut all = Moves::<R>::nothing();
        for at in (0..whole).step_by(R::LANES) {
            all = all.and(self.advance::<R>(at));
        }
        let mut predicted = all.predicted();
        for at in whole..self.x.len() {
            predicted = predicted.and(self.advance::<f64>(at).predicted());
        }
        predicted
    }
}

/// What some particles did.
struct Moves<R: Real> {
    length_squared: R,
    deviation_squared: R,
    finite: bool,
}

impl<R: Real> Moves<R> {
    #[inline(always)]
    fn nothing() -> Self {
        Self { length_squared: R::zero(), deviation_squared: R::zero(), finite: true }
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self {
            length_squared: other.length_squared.maximum(self.length_squared),
            deviation_squared: other.deviation_squared.maximum(self.deviation_squared),
            finite: self.finite & other.finite,
        }
    }

    #[inline(always)]
    fn predicted(&self) -> Predicted {
        let longest = |lanes: R| (0..R::LANES).fold(0.0, |longest: f64, lane| longest.max(lanes.lane(lane)));
        Predicted {
            longest_squared: longest(self.length_squared),
            deviation_squared: longest(self.deviation_squared),
            finite: self.finite,
        }
    }
}

impl Prediction<'_> {
    /// Brings some particles back into the cell.
    #[inline(never)]
    fn wrap(&mut self, cell: &Cell, at: usize, lanes: usize) {
        for (x, image) in self.x[at..].iter_mut().zip(&mut self.image[at..]).take(lanes) {
            let crossed = cell.wrap(x);
            for (total, n) in image.iter_mut().zip(crossed) {
                // so many that they no longer count are those of a simulation that has burst
                *total = total.saturating_add(n);
            }
        }
    }

    /// Moves some particles.
    #[inline(always)]
    fn advance<R: Real>(&mut self, at: usize) -> Moves<R> {
        let (dt, half, one) = (R::splat(self.dt), R::splat(0.5), R::splat(1.0));
        let half_step = R::splat(0.5 * self.dt);
        let mass = R::next(self.mass, at);
        let radius = R::next(self.radius, at);
        let mut a = R::next_vectors(self.force, at) * (one / mass);
        let mut alpha = R::next_vectors(self.torque, at) * (one / inertia(mass, radius));
        let (mut v0, mut w0) = (R::next_vectors(self.v, at), R::next_vectors(self.w, at));
        if is_any_frozen(&self.frozen[at..][..R::LANES]) {
            for translation in [&mut a, &mut v0] {
                *translation = release(*translation, self.frozen, at, frozen::TRANSLATION);
            }
            for rotation in [&mut alpha, &mut w0] {
                *rotation = release(*rotation, self.frozen, at, frozen::ROTATION);
            }
        }
        let mut x0 = R::next_vectors(self.x, at);
        if let Some(cell) = self.cell
            && !cell.stays_in_lanes(x0).all()
        {
            self.wrap(cell, at, R::LANES);
            x0 = R::next_vectors(self.x, at);
        }
        R::store_next_vectors(x0, self.x0, at);
        let move_of_step = v0.plus_scaled(a, half_step) * dt;
        let (x1, v1, w1) = (x0 + move_of_step, v0.plus_scaled(a, dt), w0.plus_scaled(alpha, dt));
        R::store_next_vectors(x1, self.x, at);
        R::store_next_vectors(v1, self.v, at);
        R::store_next_vectors(w1, self.w, at);
        let turn = rodrigues_in_lanes(w0.plus_scaled(alpha, half * dt) * dt);
        R::store_next_vectors(turn, self.turn, at);
        let orientations = &mut self.q[at..][..R::LANES];
        let q = R::columns(|lane| orientations[lane].as_ref());
        R::rows(&rotate_in_lanes(q, turn), |lane, q| orientations[lane] = DQuat::from_array(q));
        let finite = (zero_if_finite(x1) + zero_if_finite(v1) + zero_if_finite(w1)).at_most(R::zero()).all();
        let deviation_squared = match self.course {
            Some(course) => (move_of_step - R::next_vectors(course, at)).length_squared(),
            None => R::zero(),
        };
        Moves { length_squared: move_of_step.length_squared(), deviation_squared, finite }
    }
}

struct Correction<'a> {
    half: f64,
    loads: &'a Loads<'a>,
    /// Slot of the first particle.
    first: usize,
    v: &'a mut [DVec3],
    w: &'a mut [DVec3],
    force: &'a mut [DVec3],
    torque: &'a mut [DVec3],
    dissipation: &'a mut [f64],
    x: &'a [DVec3],
    x0: &'a [DVec3],
    turn: &'a [DVec3],
    mass: &'a [f64],
    radius: &'a [f64],
    frozen: &'a [u8],
}

impl LaneTask for Correction<'_> {
    /// Whether all loads are finite.
    type Output = bool;

    #[inline(always)]
    fn run<R: Real>(mut self) -> bool {
        let mut finite = true;
        let mut sums = GroupSums::default();
        for start in (0..self.v.len()).step_by(GROUP) {
            let count = GROUP.min(self.v.len() - start);
            let loads = self.loads;
            let sums = loads.sums_of_contacts::<R>(self.first + start, count, &mut sums);
            let whole = count / R::LANES * R::LANES;
            for at in (0..whole).step_by(R::LANES) {
                finite &= self.advance::<R>(start + at, &sums[at..]);
            }
            for at in whole..count {
                finite &= self.advance::<f64>(start + at, &sums[at..]);
            }
        }
        finite
    }
}

impl Correction<'_> {
    /// Corrects some particles, of whose contacts there are the sums.
    #[inline(always)]
    fn advance<R: Real>(&mut self, at: usize, sums: &[[f64; 8]]) -> bool {
        let half = R::splat(self.half);
        let mass = R::next(self.mass, at);
        let radius = R::next(self.radius, at);
        let (force0, torque0) = (R::next_vectors(self.force, at), R::next_vectors(self.torque, at));
        let (force1, torque1) = if self.loads.is_plain() {
            self.plain_loads(mass, sums)
        } else {
            let loads = self.all_loads(at, R::LANES, sums);
            (Vector::from_lanes(|lane| loads[lane].force), Vector::from_lanes(|lane| loads[lane].torque))
        };
        R::store_next_vectors(force1, self.force, at);
        R::store_next_vectors(torque1, self.torque, at);
        let (mut more_force, mut more_torque) = (force1 - force0, torque1 - torque0);
        if is_any_frozen(&self.frozen[at..][..R::LANES]) {
            more_force = release(more_force, self.frozen, at, frozen::TRANSLATION);
            more_torque = release(more_torque, self.frozen, at, frozen::ROTATION);
        }
        R::store_next_vectors(R::next_vectors(self.v, at).plus_scaled(more_force, half / mass), self.v, at);
        R::store_next_vectors(
            R::next_vectors(self.w, at).plus_scaled(more_torque, half / inertia(mass, radius)),
            self.w,
            at,
        );
        (zero_if_finite(force1) + zero_if_finite(torque1)).at_most(R::zero()).all()
    }

    /// Loads of contacts and gravity.
    #[inline(always)]
    fn plain_loads<R: Real>(&self, mass: R, sums: &[[f64; 8]]) -> (Vector<R>, Vector<R>) {
        let sums = &sums[..R::LANES];
        let columns = R::columns(|lane| &sums[lane]);
        let gravity = Vector::splat(self.loads.fields.gravity());
        (Vector::from_slice(&columns) + gravity * mass, Vector::from_slice(&columns[4..]))
    }

    /// Loads of contacts, fields and the user.
    #[inline(never)]
    fn all_loads(&mut self, at: usize, lanes: usize, sums: &[[f64; 8]]) -> [Load; MOST_LANES] {
        let mut loads = [Load::default(); MOST_LANES];
        for ((k, &[fx, fy, fz, _, tx, ty, tz, _]), load) in (at..at + lanes).zip(sums).zip(&mut loads) {
            let (force, torque) = (DVec3::new(fx, fy, fz), DVec3::new(tx, ty, tz));
            *load = self.loads.complete(self.first + k, self.mass[k], force, torque, || self.motion(k));
        }
        if self.loads.fields.does_work() {
            for (total, load) in self.dissipation[at..].iter_mut().zip(&loads).take(lanes) {
                *total += load.dissipated;
            }
        }
        loads
    }

    /// What fields may know of a particle.
    fn motion(&self, k: usize) -> Motion {
        Motion {
            mass: self.mass[k],
            inertia: inertia(self.mass[k], self.radius[k]),
            position: self.x[k],
            velocity: self.v[k],
            angular_velocity: self.w[k],
            moved: self.x[k] - self.x0[k],
            turned: self.turn[k],
        }
    }
}
