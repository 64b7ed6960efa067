//! The second half of the step: from the predicted `v₀ + dt a₀` to `v₀ + dt/2 (a₀ + a₁)`.
//!
//! In large assemblies particles are corrected as soon as all their contacts are computed ([`EarlyCorrection`]), otherwise when all contacts
//! are. The arithmetic is the same.

use std::sync::atomic::{AtomicBool, Ordering};

use dem_contact::finish::{Finish, Finished};
use dem_contact::sums::{ForceColumns, GROUP, GroupSums};
use dem_core::DVec3;
use dem_core::lanes::{LaneTask, Lanes, MOST_LANES, Mask, Vector, Width};
use dem_core::particles::frozen;
use rayon::prelude::*;

use super::{State, inertia, is_any_frozen, release, zero_if_finite};
use crate::fields::{Load, Motion};
use crate::forces::BLOCK;
use crate::loads::{Loads, force_and_torque};
use crate::world::World;

/// Corrects all particles, with the sums of forces taken on the way; returns whether all of them are finite.
#[expect(clippy::disallowed_methods, reason = "the order does not matter to a conjunction")]
pub(super) fn correct(world: &mut World, width: Width) -> bool {
    let half = 0.5 * world.time_step;
    let World { particles: p, forces, fields, porosity, guides, time, time_step, .. } = world;
    let loads = Loads::of(forces.columns(), &p.external, fields.over_step(porosity, *time, *time_step), guides);
    let owned = p.owned();
    (
        p.velocity[..owned].par_chunks_mut(BLOCK),
        p.angular_velocity[..owned].par_chunks_mut(BLOCK),
        p.force[..owned].par_chunks_mut(BLOCK),
        p.torque[..owned].par_chunks_mut(BLOCK),
        p.field_dissipation[..owned].par_chunks_mut(BLOCK),
        p.position[..owned].par_chunks(BLOCK),
        p.previous_position[..owned].par_chunks(BLOCK),
        p.rotation_increment[..owned].par_chunks(BLOCK),
        p.mass[..owned].par_chunks(BLOCK),
        p.radius[..owned].par_chunks(BLOCK),
        p.frozen[..owned].par_chunks(BLOCK),
    )
        .into_par_iter()
        .enumerate()
        .map(|(block, (velocity, angular_velocity, force, torque, dissipation, x, x0, turn, mass, radius, frozen))| {
            let first = block * BLOCK;
            let particles = Corrected { velocity, angular_velocity, force, torque, mass, radius, frozen };
            width.run(Correction { half, loads: &loads, first, particles, dissipation, x, x0, turn })
        })
        .reduce(|| true, |a, b| a && b)
}

/// Gravity at the end of the step \[m/s²\], if nothing acts on particles but that and contacts.
pub(super) fn plain_gravity(world: &World) -> Option<DVec3> {
    let World { particles, guides, time_step, .. } = world;
    let fields = world.fields_over(*time_step);
    Loads::are_plain(&particles.external, &fields, guides).then(|| fields.gravity())
}

/// Corrects particles as soon as all their contacts are computed. Nothing acts on them but contacts and uniform gravity.
pub(super) struct EarlyCorrection {
    half: f64,
    gravity: DVec3,
    finite: AtomicBool,
}

impl EarlyCorrection {
    /// For a step of some length \[s\].
    pub fn new(time_step: f64, gravity: DVec3) -> Self {
        Self { half: 0.5 * time_step, gravity, finite: AtomicBool::new(true) }
    }

    /// Whether the loads of all particles that were corrected are finite.
    pub fn found_finite(self) -> bool {
        self.finite.into_inner()
    }
}

impl Finish for EarlyCorrection {
    fn finish(&self, finished: Finished, first: usize, contacts: ForceColumns, width: Width) {
        let Self { half, gravity, .. } = *self;
        let Finished { velocity, angular_velocity, force, torque, mass, radius, frozen, .. } = finished;
        let particles = Corrected { velocity, angular_velocity, force, torque, mass, radius, frozen };
        if !width.run(PlainCorrection { half, gravity, particles, first, contacts }) {
            self.finite.store(false, Ordering::Relaxed);
        }
    }
}

/// Columns of particles that are corrected.
pub(super) struct Corrected<'a> {
    pub velocity: &'a mut [DVec3],
    pub angular_velocity: &'a mut [DVec3],
    pub force: &'a mut [DVec3],
    pub torque: &'a mut [DVec3],
    pub mass: &'a [f64],
    pub radius: &'a [f64],
    pub frozen: &'a [u8],
}

/// Particles on which contacts and uniform gravity act.
struct PlainCorrection<'a> {
    half: f64,
    gravity: DVec3,
    particles: Corrected<'a>,
    /// The first group.
    first: usize,
    contacts: ForceColumns<'a>,
}

impl LaneTask for PlainCorrection<'_> {
    /// Whether all loads are finite.
    type Output = bool;

    #[inline(always)]
    fn run<R: Lanes>(mut self) -> bool {
        let mut finite = true;
        let (contacts, particles, mut sums) = (self.contacts, self.particles.mass.len(), GroupSums::default());
        for (group, start) in (self.first..).zip((0..particles).step_by(GROUP)) {
            let count = GROUP.min(particles - start);
            let GroupSums(sums) = contacts.sums_of_group::<R>(group, &mut sums);
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

impl PlainCorrection<'_> {
    #[inline(always)]
    fn advance<R: Lanes>(&mut self, at: usize, sums: &[[f64; 8]]) -> bool {
        let loads = plain_loads(self.gravity, R::next(self.particles.mass, at), sums);
        correct_lanes::<R>(self.half, &mut self.particles, at, loads)
    }
}

/// Particles with all that may act on them, of whose contacts the sums are taken.
struct Correction<'a> {
    half: f64,
    loads: &'a Loads<'a>,
    /// Slot of the first particle.
    first: usize,
    particles: Corrected<'a>,
    dissipation: &'a mut [f64],
    x: &'a [DVec3],
    x0: &'a [DVec3],
    turn: &'a [DVec3],
}

impl LaneTask for Correction<'_> {
    /// Whether all loads are finite.
    type Output = bool;

    #[inline(always)]
    fn run<R: Lanes>(mut self) -> bool {
        let mut finite = true;
        let mut sums = GroupSums::default();
        for start in (0..self.x.len()).step_by(GROUP) {
            let count = GROUP.min(self.x.len() - start);
            let loads = self.loads;
            let GroupSums(sums) = loads.sums_of_contacts::<R>((self.first + start) / GROUP, &mut sums);
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
    fn advance<R: Lanes>(&mut self, at: usize, sums: &[[f64; 8]]) -> bool {
        let loads = if self.loads.is_plain() {
            plain_loads(self.loads.fields.gravity(), R::next(self.particles.mass, at), sums)
        } else {
            let loads = self.all_loads(at, R::LANES, sums);
            (Vector::from_lanes(|lane| loads[lane].force), Vector::from_lanes(|lane| loads[lane].torque))
        };
        correct_lanes::<R>(self.half, &mut self.particles, at, loads)
    }

    /// Loads of contacts, fields and the user.
    #[inline(never)]
    fn all_loads(&mut self, at: usize, lanes: usize, sums: &[[f64; 8]]) -> [Load; MOST_LANES] {
        let mut loads = [Load::default(); MOST_LANES];
        for ((k, sums), load) in (at..at + lanes).zip(sums).zip(&mut loads) {
            let (force, torque) = force_and_torque(sums);
            *load = self.loads.complete(self.first + k, self.particles.mass[k], force, torque, || self.motion(k));
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
        let Corrected { mass, radius, velocity, angular_velocity, force, torque, .. } = &self.particles;
        Motion {
            radius: radius[k],
            mass: mass[k],
            inertia: inertia(mass[k], radius[k]),
            position: self.x[k],
            velocity: velocity[k],
            angular_velocity: angular_velocity[k],
            moved: self.x[k] - self.x0[k],
            turned: self.turn[k],
            // these are still those of the start
            load_before: Some((force[k], torque[k])),
        }
    }
}

/// Force and torque of contacts and uniform gravity.
#[inline(always)]
pub(super) fn plain_loads<R: Lanes>(gravity: DVec3, mass: R, sums: &[[f64; 8]]) -> (Vector<R>, Vector<R>) {
    let sums = &sums[..R::LANES];
    let columns = R::columns(|lane| &sums[lane]);
    (Vector::from_slice(&columns) + Vector::splat(gravity) * mass, Vector::from_slice(&columns[4..]))
}

/// Corrects the velocities of some particles by what their force and torque have changed by; returns whether these are finite.
#[inline(always)]
fn correct_lanes<R: Lanes>(half: f64, p: &mut Corrected, at: usize, loads: (Vector<R>, Vector<R>)) -> bool {
    let (state, finite) = corrected(half, p, at, loads);
    R::store_next_vectors(state.velocity, p.velocity, at);
    R::store_next_vectors(state.angular_velocity, p.angular_velocity, at);
    finite
}

/// The same, but for the velocities, which are left to the caller.
#[inline(always)]
pub(super) fn corrected<R: Lanes>(
    half: f64,
    p: &mut Corrected,
    at: usize,
    (force, torque): (Vector<R>, Vector<R>),
) -> (State<R>, bool) {
    let half = R::splat(half);
    let (mass, radius) = (R::next(p.mass, at), R::next(p.radius, at));
    let (force0, torque0) = (R::next_vectors(p.force, at), R::next_vectors(p.torque, at));
    R::store_next_vectors(force, p.force, at);
    R::store_next_vectors(torque, p.torque, at);
    let (mut more_force, mut more_torque) = (force - force0, torque - torque0);
    if is_any_frozen(&p.frozen[at..][..R::LANES]) {
        more_force = release(more_force, p.frozen, at, frozen::TRANSLATION);
        more_torque = release(more_torque, p.frozen, at, frozen::ROTATION);
    }
    let velocity = R::next_vectors(p.velocity, at).plus_scaled(more_force, half / mass);
    let angular_velocity =
        R::next_vectors(p.angular_velocity, at).plus_scaled(more_torque, half / inertia(mass, radius));
    let finite = (zero_if_finite(force) + zero_if_finite(torque)).at_most(R::zero()).all();
    (State { mass, radius, force, torque, velocity, angular_velocity }, finite)
}
