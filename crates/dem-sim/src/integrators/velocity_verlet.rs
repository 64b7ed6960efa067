//! Velocity Verlet with predicted velocities.
//!
//! With accelerations a₀ of the last step: `x₁ = x₀ + dt v₀ + dt²/2 a₀`; forces at x₁ and at the predicted velocity
//! `v₀ + dt a₀`; then `v₁ = v₀ + dt/2 (a₀ + a₁)`. Angular velocities likewise, and the orientation turns by the rotation vector
//! `dt (ω₀ + dt/2 α₀)`. Forces that depend on the velocity see it at the end of the step, not at its middle: the scheme stays
//! second order with damping. With `corrected = false` they see the velocity at its middle, `v₀ + dt/2 a₀`, as published codes have it, and
//! the order drops to one. Where a force jumps the order is one. Source: W. C. Swope et al., J. Chem. Phys. 76 (1982) 637.

mod correction;

use dem_contact::finish::Finish;
use dem_contact::kernel::Acceptance;
use dem_contact::{ParameterSet, ParameterSpec};
use dem_core::cell::Cell;
use dem_core::lanes::{LaneTask, Mask, Real, Vector, Width};
use dem_core::particles::frozen;
use dem_core::rotation::{rodrigues_in_lanes, rotate_in_lanes};
use dem_core::twist::Twist;
use dem_core::{DQuat, DVec3};
use rayon::prelude::*;

use crate::error::StepError;
use crate::forces::{BLOCK, Course, ForceEvaluation};
use crate::integrators::{CORRECTED, Integrator, bodies};
use crate::world::World;
use correction::{EarlyCorrection, correct};

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
        let early = EarlyCorrection::of(world, end);
        let finish = early.as_ref().map(|early| early as &dyn Finish);
        let is_corrected = forces.evaluate_and_finish(world, world.time_step, end, Acceptance::Final, finish)?;
        let finite = match early {
            Some(early) if is_corrected => early.found_finite(),
            _ => correct(world, forces.width),
        };
        forces.is_finite = finite && predicted.finite;
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
fn predict(world: &mut World, course: Option<&[Course]>, width: Width) -> Predicted {
    let dt = world.time_step;
    let (cell, orientations_follow) = (world.cell, world.orientations_follow);
    let p = &mut world.particles;
    // where particles were is where they start from: exchanged rather than copied, all of the other column is written
    std::mem::swap(&mut p.position, &mut p.previous_position);
    (
        p.position.par_chunks_mut(BLOCK),
        p.previous_position.par_chunks_mut(BLOCK),
        p.image.par_chunks_mut(BLOCK),
        p.velocity.par_chunks_mut(BLOCK),
        p.angular_velocity.par_chunks_mut(BLOCK),
        bytemuck::cast_slice_mut::<DQuat, [f64; 4]>(&mut p.orientation).par_chunks_mut(BLOCK),
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
            let q = orientations_follow.then_some(q);
            width.run(Prediction { dt, cell, course, x, x0, image, v, w, q, turn, force, torque, mass, radius, frozen })
        })
        .reduce(|| Predicted::NOTHING, Predicted::and)
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
    course: Option<&'a [Course]>,
    /// Where particles go; written only.
    x: &'a mut [DVec3],
    /// Where they are.
    x0: &'a mut [DVec3],
    image: &'a mut [[i32; 3]],
    v: &'a mut [DVec3],
    w: &'a mut [DVec3],
    /// x, y, z and w of the orientations, if these follow.
    q: Option<&'a mut [[f64; 4]]>,
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
        for (x, image) in self.x0[at..].iter_mut().zip(&mut self.image[at..]).take(lanes) {
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
        let mut x0 = R::next_vectors(self.x0, at);
        if let Some(cell) = self.cell
            && !cell.stays_in_lanes(x0).all()
        {
            self.wrap(cell, at, R::LANES);
            x0 = R::next_vectors(self.x0, at);
        }
        let move_of_step = v0.plus_scaled(a, half_step) * dt;
        let (x1, v1, w1) = (x0 + move_of_step, v0.plus_scaled(a, dt), w0.plus_scaled(alpha, dt));
        R::store_next_vectors(x1, self.x, at);
        R::store_next_vectors(v1, self.v, at);
        R::store_next_vectors(w1, self.w, at);
        let turn = rodrigues_in_lanes(w0.plus_scaled(alpha, half * dt) * dt);
        R::store_next_vectors(turn, self.turn, at);
        if let Some(orientations) = &mut self.q {
            let q = R::columns(|lane| &orientations[at + lane]);
            R::store_next_fours(&rotate_in_lanes(q, turn), orientations, at);
        }
        let finite = (zero_if_finite(x1) + zero_if_finite(v1) + zero_if_finite(w1)).at_most(R::zero()).all();
        let deviation_squared = match self.course {
            Some(course) => (move_of_step - R::next_single_vectors(course, at)).length_squared(),
            None => R::zero(),
        };
        Moves { length_squared: move_of_step.length_squared(), deviation_squared, finite }
    }
}
