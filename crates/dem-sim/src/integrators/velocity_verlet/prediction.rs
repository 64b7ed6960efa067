//! The first half of the step: to the positions at its end, and to the velocities `v₀ + dt a₀` that forces are computed with.

use dem_contact::fused_integration::{Course, ParticleBlock};
use dem_core::cell::Cell;
use dem_core::lanes::{LaneTask, Lanes, Mask, Width};
use dem_core::particles::{Particles, frozen};
use dem_core::rotation::{rodrigues_in_lanes, rotate_in_lanes};
use dem_core::{DQuat, DVec3};
use rayon::prelude::*;

use super::correction::{Corrected, Motions};
use super::lane_state::{State, inertia, is_any_frozen, release, zero_if_finite};
use super::one_by_one;
use crate::forces::components::BLOCK;
use crate::integrators::rigid_bodies::{self, BodyExtent};
use crate::state::world::World;

/// What a prediction finds out in the same pass.
#[derive(Clone, Copy, Debug)]
pub(super) struct Predicted {
    /// Square of the length of the longest move \[m²\].
    pub longest_squared: f64,
    /// Square of the largest deviation of a move from the predicted path of its particle \[m²\]; zero without predicted
    /// paths.
    pub deviation_squared: f64,
    /// Whether all positions and velocities are finite.
    pub finite: bool,
}

impl Predicted {
    pub const NOTHING: Self = Self { longest_squared: 0.0, deviation_squared: 0.0, finite: true };

    #[inline(always)]
    pub fn and(self, other: Self) -> Self {
        Self {
            longest_squared: self.longest_squared.max(other.longest_squared),
            deviation_squared: self.deviation_squared.max(other.deviation_squared),
            finite: self.finite && other.finite,
        }
    }
}

/// Moves the particles and compares their moves with their predicted paths, if there are any.
#[expect(clippy::disallowed_methods, reason = "the order does not matter to a maximum and a conjunction")]
pub(super) fn predict(world: &mut World, course: Option<&[Course]>, width: Width) -> Predicted {
    let follow = world.quaternions_follow();
    let World { particles, cell, time_step, .. } = world;
    let of_spheres = Mover::all(particles, follow, cell, *time_step, course)
        .map(|(mover, _)| width.run(Prediction(mover)))
        .reduce(|| Predicted::NOTHING, Predicted::and);
    of_spheres.and(predict_bodies(world, course))
}

/// The same of rigid bodies.
fn predict_bodies(world: &mut World, course: Option<&[Course]>) -> Predicted {
    let (p, dt) = (&mut world.particles, world.time_step);
    if p.bodies.is_empty() {
        return Predicted::NOTHING;
    }
    // both columns have been exchanged
    let members = p.independent()..p.owned();
    p.position[members.clone()].copy_from_slice(&p.previous_position[members]);
    let BodyExtent { extent, deviation_squared } = rigid_bodies::each(world, course, &one_by_one::Prediction { dt });
    Predicted { longest_squared: extent.longest_squared, deviation_squared, finite: extent.finite }
}

struct Prediction<'a>(Mover<'a>);

impl LaneTask for Prediction<'_> {
    type Output = Predicted;

    #[inline(always)]
    fn run<R: Lanes>(self) -> Predicted {
        let Self(mut mover) = self;
        let whole = mover.count() / R::LANES * R::LANES;
        let mut all = Moves::<R>::nothing();
        for at in (0..whole).step_by(R::LANES) {
            all = all.and(mover.advance::<R>(at));
        }
        let mut predicted = all.predicted();
        for at in whole..mover.count() {
            predicted = predicted.and(mover.advance::<f64>(at).predicted());
        }
        predicted
    }
}

/// What some particles did.
#[derive(Clone, Copy)]
pub(super) struct Moves<R: Lanes> {
    length_squared: R,
    deviation_squared: R,
    finite: bool,
}

impl<R: Lanes> Moves<R> {
    #[inline(always)]
    pub fn nothing() -> Self {
        Self { length_squared: R::zero(), deviation_squared: R::zero(), finite: true }
    }

    #[inline(always)]
    pub fn and(self, other: Self) -> Self {
        Self {
            length_squared: other.length_squared.maximum(self.length_squared),
            deviation_squared: other.deviation_squared.maximum(self.deviation_squared),
            finite: self.finite & other.finite,
        }
    }

    #[inline(always)]
    pub fn predicted(&self) -> Predicted {
        let longest = |lanes: R| (0..R::LANES).fold(0.0, |longest: f64, lane| longest.max(lanes.lane(lane)));
        Predicted {
            longest_squared: longest(self.length_squared),
            deviation_squared: longest(self.deviation_squared),
            finite: self.finite,
        }
    }
}

/// A block of particles that are moved.
pub(super) struct Mover<'a> {
    pub dt: f64,
    /// The cell if any direction is periodic.
    cell: Option<&'a Cell>,
    /// Displacements of particles on their predicted paths, if there are any.
    course: Option<&'a [Course]>,
    /// Where particles go; where they were before, until then.
    x: &'a mut [DVec3],
    /// Where they are.
    x0: &'a mut [DVec3],
    image: &'a mut [[i32; 3]],
    pub v: &'a mut [DVec3],
    pub w: &'a mut [DVec3],
    /// x, y, z and w of the orientations, if these follow.
    q: Option<&'a mut [[f64; 4]]>,
    turn: &'a mut [DVec3],
    pub force: &'a mut [DVec3],
    pub torque: &'a mut [DVec3],
    pub mass: &'a [f64],
    pub radius: &'a [f64],
    pub frozen: &'a [u8],
}

impl<'a> Mover<'a> {
    /// All particles that are no ghosts, in blocks of [`BLOCK`], about to be moved: where they are becomes where they were. With each block what
    /// fields have dissipated.
    pub fn all(
        p: &'a mut Particles,
        orientations_follow: bool,
        cell: &'a Cell,
        dt: f64,
        course: Option<&'a [Course]>,
    ) -> impl IndexedParallelIterator<Item = (Self, &'a mut [f64])> {
        // exchanged rather than copied: all of the other column is written
        std::mem::swap(&mut p.position, &mut p.previous_position);
        let cell = cell.is_periodic().then_some(cell);
        let owned = p.independent();
        let places = (
            p.position[..owned].par_chunks_mut(BLOCK),
            p.previous_position[..owned].par_chunks_mut(BLOCK),
            p.image[..owned].par_chunks_mut(BLOCK),
            bytemuck::cast_slice_mut::<DQuat, [f64; 4]>(&mut p.orientation[..owned]).par_chunks_mut(BLOCK),
            p.rotation_increment[..owned].par_chunks_mut(BLOCK),
        );
        let motion = (
            p.velocity[..owned].par_chunks_mut(BLOCK),
            p.angular_velocity[..owned].par_chunks_mut(BLOCK),
            p.force[..owned].par_chunks_mut(BLOCK),
            p.torque[..owned].par_chunks_mut(BLOCK),
            p.mass[..owned].par_chunks(BLOCK),
            p.radius[..owned].par_chunks(BLOCK),
            p.frozen[..owned].par_chunks(BLOCK),
        );
        let dissipation = p.field_dissipation[..owned].par_chunks_mut(BLOCK);
        places.into_par_iter().zip(motion.into_par_iter()).zip(dissipation).enumerate().map(
            move |(block, (((x, x0, image, q, turn), (v, w, force, torque, mass, radius, frozen)), dissipation))| {
                let course = course.map(|course| &course[block * BLOCK..][..x.len()]);
                let q = orientations_follow.then_some(q);
                (
                    Self { dt, cell, course, x, x0, image, v, w, q, turn, force, torque, mass, radius, frozen },
                    dissipation,
                )
            },
        )
    }

    /// Particles whose contacts are computed, about to be moved. Where they go is put where they were at the start of the step: as
    /// [`Self::all`] does, both columns are to be exchanged.
    #[inline(always)]
    pub fn of(
        particles: ParticleBlock<'a>,
        orientations_follow: bool,
        cell: &'a Cell,
        dt: f64,
    ) -> (Self, &'a mut [f64]) {
        let ParticleBlock { position, previous_position, image, orientation, rotation_increment, course, .. } =
            particles;
        let ParticleBlock { velocity, angular_velocity, force, torque, mass, radius, frozen, dissipation, .. } =
            particles;
        let mover = Self {
            dt,
            cell: cell.is_periodic().then_some(cell),
            course,
            x: previous_position,
            x0: position,
            image,
            v: velocity,
            w: angular_velocity,
            q: orientations_follow.then(|| bytemuck::cast_slice_mut(orientation)),
            turn: rotation_increment,
            force,
            torque,
            mass,
            radius,
            frozen,
        };
        (mover, dissipation)
    }

    /// What fields may know of them before they are moved: where they were is still where they are going to be put.
    #[inline(always)]
    pub fn motions(&self) -> Motions<'_> {
        Motions {
            mass: self.mass,
            radius: self.radius,
            position: self.x0,
            previous_position: self.x,
            rotation_increment: self.turn,
            velocity: self.v,
            angular_velocity: self.w,
            force: self.force,
            torque: self.torque,
        }
    }

    /// What is corrected of them.
    #[inline(always)]
    pub fn corrected(&mut self) -> Corrected<'_> {
        Corrected {
            velocity: self.v,
            angular_velocity: self.w,
            force: self.force,
            torque: self.torque,
            mass: self.mass,
            radius: self.radius,
            frozen: self.frozen,
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.x.len()
    }

    /// Brings some particles back into the cell.
    #[inline(never)]
    fn wrap(&mut self, cell: &Cell, at: usize, lanes: usize) {
        for (x, image) in self.x0[at..].iter_mut().zip(&mut self.image[at..]).take(lanes) {
            let crossed = cell.wrap(x);
            for (total, n) in image.iter_mut().zip(crossed) {
                // so many that they no longer count are those of a simulation that has diverged
                *total = total.saturating_add(n);
            }
        }
    }

    /// Moves some particles.
    #[inline(always)]
    fn advance<R: Lanes>(&mut self, at: usize) -> Moves<R> {
        let state = State {
            mass: R::next(self.mass, at),
            radius: R::next(self.radius, at),
            force: R::next_vectors(self.force, at),
            torque: R::next_vectors(self.torque, at),
            velocity: R::next_vectors(self.v, at),
            angular_velocity: R::next_vectors(self.w, at),
        };
        self.move_on(at, &state)
    }

    /// Moves some particles, whose state is given.
    #[inline(always)]
    pub fn move_on<R: Lanes>(&mut self, at: usize, state: &State<R>) -> Moves<R> {
        let (dt, half, one) = (R::splat(self.dt), R::splat(0.5), R::splat(1.0));
        let half_step = R::splat(0.5 * self.dt);
        let &State { mass, radius, force, torque, velocity: mut v0, angular_velocity: mut w0 } = state;
        let mut a = force * (one / mass);
        let mut alpha = torque * (one / inertia(mass, radius));
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
