//! The second half of the step: from the predicted `v₀ + dt a₀` to `v₀ + dt/2 (a₀ + a₁)`.
//!
//! In large assemblies particles are corrected as soon as all their contacts are computed ([`EarlyCorrection`]), otherwise when all contacts
//! are. The arithmetic is the same.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use dem_contact::fused_integration::{FusedIntegration, ParticleBlock};
use dem_contact::sums::{ForceColumns, GROUP, GroupSums};
use dem_core::DVec3;
use dem_core::lanes::{LaneTask, Lanes, MOST_LANES, Mask, Vector, Width};
use dem_core::particles::frozen;
use rayon::prelude::*;

use super::lane_state::{State, inertia, is_any_frozen, release, zero_if_finite};
use super::one_by_one;
use crate::fields::in_lanes::MotionInLanes;
use crate::fields::motion::{Load, Motion};
use crate::forces::body_loads::{MemberSums, sum_members};
use crate::forces::components::{BLOCK, ForceEvaluation};
use crate::forces::particle_loads::force_and_torque;
use crate::forces::trial_loads::TrialLoads;
use crate::integrators::mobile::MobileTask;
use crate::integrators::rigid_bodies::{self, BodyTask, RigidBodies};
use crate::state::other_loads::OtherLoads;
use crate::state::world::World;

/// Corrects all particles, taking the sums of forces in the same pass; returns whether all of them are finite.
#[expect(clippy::disallowed_methods, reason = "the order does not matter to a conjunction")]
pub(super) fn correct(world: &mut World, others: &OtherLoads, width: Width) -> bool {
    let half = 0.5 * world.time_step;
    let World { particles: p, forces, .. } = world;
    let contacts = forces.columns();
    let owned = p.independent();
    if !p.bodies.is_empty() {
        let members = owned..p.owned();
        sum_members(contacts, owned, &mut p.force[members.clone()], &mut p.torque[members], width);
    }
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
            let particles = Corrected { velocity, angular_velocity, force, torque, mass, radius, frozen };
            let first = block * (BLOCK / GROUP);
            Correction { half, others, contacts, first, particles, dissipation, x, x0, turn }.run_by(width)
        })
        .reduce(|| true, |a, b| a && b)
}

/// Corrects rigid bodies, whose members have the sums of their contacts; returns whether all loads are finite.
pub(super) fn correct_bodies(world: &mut World, others: &OtherLoads, forces: &mut ForceEvaluation) -> bool {
    let p = &world.particles;
    if p.bodies.is_empty() {
        return true;
    }
    let finite = forces.sum_bodies(p, &p.force, &p.torque, others);
    rigid_bodies::each(world, None, &BodyCorrection { dt: world.time_step, loads: forces.trial_loads() });
    finite
}

/// Corrects bodies and makes their loads those of the state.
struct BodyCorrection<'a> {
    dt: f64,
    loads: TrialLoads<'a>,
}

impl BodyTask for BodyCorrection<'_> {
    #[inline(always)]
    fn act<R: Lanes>(&self, bodies: &mut RigidBodies<R>) {
        let Self { dt, loads } = *self;
        MobileTask::act(&one_by_one::Correction { dt, loads }, bodies);
        bodies.accept(&loads);
    }
}

/// Corrects particles as soon as all their contacts are computed.
pub(super) struct EarlyCorrection<'a> {
    half: f64,
    others: OtherLoads<'a>,
    /// Slots from here on are members of bodies.
    independent: usize,
    finite: AtomicBool,
}

impl<'a> EarlyCorrection<'a> {
    /// For a step of some length \[s\], with the loads other than contacts.
    pub fn new(time_step: f64, others: OtherLoads<'a>, independent: usize) -> Self {
        Self { half: 0.5 * time_step, others, independent, finite: AtomicBool::new(true) }
    }

    /// Whether the loads of all particles that were corrected are finite.
    pub fn found_finite(self) -> bool {
        self.finite.into_inner()
    }
}

impl FusedIntegration for EarlyCorrection<'_> {
    fn finish(&self, finished: ParticleBlock, first: usize, contacts: ForceColumns, width: Width) {
        let Self { half, others, .. } = self;
        let ParticleBlock { velocity, angular_velocity, force, torque, mass, radius, frozen, dissipation, .. } =
            finished;
        let spheres = self.independent.saturating_sub(first * GROUP).min(mass.len());
        if spheres < mass.len() {
            let (force, torque) = (&mut force[spheres..], &mut torque[spheres..]);
            width.run(MemberSums { contacts, first: first * GROUP + spheres, force, torque });
        }
        let (x, x0) = (&finished.position[..spheres], &finished.previous_position[..spheres]);
        let turn = &finished.rotation_increment[..spheres];
        let particles = Corrected { velocity, angular_velocity, force, torque, mass, radius, frozen };
        let correction = Correction { half: *half, others, contacts, first, particles, dissipation, x, x0, turn };
        if !correction.run_by(width) {
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

/// What fields may know of some particles at the end of a step.
pub(super) struct Motions<'a> {
    pub mass: &'a [f64],
    pub radius: &'a [f64],
    pub position: &'a [DVec3],
    pub previous_position: &'a [DVec3],
    pub rotation_increment: &'a [DVec3],
    pub velocity: &'a [DVec3],
    pub angular_velocity: &'a [DVec3],
    /// Those of the start.
    pub force: &'a [DVec3],
    pub torque: &'a [DVec3],
}

impl Motions<'_> {
    fn of(&self, k: usize) -> Motion {
        Motion {
            radius: self.radius[k],
            mass: self.mass[k],
            inertia: inertia(self.mass[k], self.radius[k]),
            position: self.position[k],
            velocity: self.velocity[k],
            angular_velocity: self.angular_velocity[k],
            moved: self.position[k] - self.previous_position[k],
            turned: self.rotation_increment[k],
            load_before: Some((self.force[k], self.torque[k])),
        }
    }

    /// Loads of contacts, fields and the user on as many particles from one on as there are lanes; `first` is the slot of the first of all. Adds
    /// what fields dissipate. `PLAIN` if uniform gravity is all there is.
    #[inline(always)]
    pub fn loads<R: Lanes, const PLAIN: bool>(
        &self,
        others: &OtherLoads,
        first: usize,
        at: usize,
        sums: &[[f64; 8]],
        dissipation: &mut [f64],
    ) -> (Vector<R>, Vector<R>) {
        if PLAIN {
            return plain_loads(others.fields.gravity(), R::next(self.mass, at), sums);
        }
        if others.go_in_lanes() {
            return self.loads_in_lanes(others, first, at, sums, dissipation);
        }
        let loads = self.all_loads(others, first, at..at + R::LANES, sums, dissipation);
        (Vector::from_lanes(|lane| loads[lane].force), Vector::from_lanes(|lane| loads[lane].torque))
    }

    #[inline(always)]
    fn loads_in_lanes<R: Lanes>(
        &self,
        others: &OtherLoads,
        first: usize,
        at: usize,
        sums: &[[f64; 8]],
        dissipation: &mut [f64],
    ) -> (Vector<R>, Vector<R>) {
        let (mut force, mut torque) = of_contacts::<R>(sums);
        if let Some((external_force, external_torque)) = others.external_in_lanes::<R>(first + at) {
            force += external_force;
            torque += external_torque;
        }
        let mass = R::next(self.mass, at);
        if !others.fields.does_work() {
            return (force + Vector::splat(others.fields.gravity()) * mass, torque);
        }
        let radius = R::next(self.radius, at);
        let motion = MotionInLanes {
            mass,
            radius,
            inertia: inertia(mass, radius),
            velocity: R::next_vectors(self.velocity, at),
            angular_velocity: R::next_vectors(self.angular_velocity, at),
            moved: R::next_vectors(self.position, at) - R::next_vectors(self.previous_position, at),
            turned: R::next_vectors(self.rotation_increment, at),
        };
        let (force, torque, dissipated) = others.fields.apply_in_lanes(&motion, force, torque);
        for (total, more) in dissipation[at..].iter_mut().zip(&dissipated.to_lanes()[..R::LANES]) {
            *total += more;
        }
        (force, torque)
    }

    #[inline(never)]
    fn all_loads(
        &self,
        others: &OtherLoads,
        first: usize,
        particles: Range<usize>,
        sums: &[[f64; 8]],
        dissipation: &mut [f64],
    ) -> [Load; MOST_LANES] {
        let mut loads = [Load::default(); MOST_LANES];
        for ((k, sums), load) in particles.clone().zip(sums).zip(&mut loads) {
            let (force, torque) = force_and_torque(sums);
            *load = others.complete(first + k, self.mass[k], force, torque, || self.of(k));
        }
        if others.fields.does_work() {
            for (total, load) in dissipation[particles].iter_mut().zip(&loads) {
                *total += load.dissipated;
            }
        }
        loads
    }
}

/// Particles with all that acts on them.
struct Correction<'a> {
    half: f64,
    others: &'a OtherLoads<'a>,
    contacts: ForceColumns<'a>,
    /// The first group.
    first: usize,
    particles: Corrected<'a>,
    dissipation: &'a mut [f64],
    x: &'a [DVec3],
    x0: &'a [DVec3],
    turn: &'a [DVec3],
}

/// The same by lanes, `PLAIN` if contacts and uniform gravity are all: whatever else may act costs nothing then.
struct CorrectionInLanes<'a, const PLAIN: bool>(Correction<'a>);

impl<const PLAIN: bool> LaneTask for CorrectionInLanes<'_, PLAIN> {
    /// Whether all loads are finite.
    type Output = bool;

    #[inline(always)]
    fn run<R: Lanes>(self) -> bool {
        let Self(mut all) = self;
        let mut finite = true;
        let (contacts, mut sums) = (all.contacts, GroupSums::default());
        for (group, start) in (all.first..).zip((0..all.x.len()).step_by(GROUP)) {
            let count = GROUP.min(all.x.len() - start);
            let GroupSums(sums) = contacts.sums_of_group::<R>(group, &mut sums);
            let whole = count / R::LANES * R::LANES;
            for at in (0..whole).step_by(R::LANES) {
                finite &= all.advance::<R, PLAIN>(start + at, &sums[at..]);
            }
            for at in whole..count {
                finite &= all.advance::<f64, PLAIN>(start + at, &sums[at..]);
            }
        }
        finite
    }
}

impl Correction<'_> {
    /// Corrects all; returns whether all loads are finite.
    fn run_by(self, width: Width) -> bool {
        if self.others.are_plain() {
            width.run(CorrectionInLanes::<true>(self))
        } else {
            width.run(CorrectionInLanes::<false>(self))
        }
    }

    /// Corrects some particles, of whose contacts there are the sums.
    #[inline(always)]
    fn advance<R: Lanes, const PLAIN: bool>(&mut self, at: usize, sums: &[[f64; 8]]) -> bool {
        let Corrected { mass, radius, velocity, angular_velocity, force, torque, .. } = &self.particles;
        let motions = Motions {
            mass,
            radius,
            position: self.x,
            previous_position: self.x0,
            rotation_increment: self.turn,
            velocity,
            angular_velocity,
            force,
            torque,
        };
        let loads = motions.loads::<R, PLAIN>(self.others, self.first * GROUP, at, sums, self.dissipation);
        correct_lanes::<R>(self.half, &mut self.particles, at, loads)
    }
}

/// Force and torque of contacts and uniform gravity.
#[inline(always)]
fn plain_loads<R: Lanes>(gravity: DVec3, mass: R, sums: &[[f64; 8]]) -> (Vector<R>, Vector<R>) {
    let (force, torque) = of_contacts::<R>(sums);
    (force + Vector::splat(gravity) * mass, torque)
}

/// Force and torque of contacts.
#[inline(always)]
fn of_contacts<R: Lanes>(sums: &[[f64; 8]]) -> (Vector<R>, Vector<R>) {
    let sums = &sums[..R::LANES];
    let columns = R::columns(|lane| &sums[lane]);
    (Vector::from_slice(&columns), Vector::from_slice(&columns[4..]))
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
