//! Evaluation of all forces for a trial state: contact list, contact laws, gather, fields, walls.
//!
//! An integrator moves the particles, calls [`ForceEvaluation::evaluate`] as often as it likes, and
//! [`ForceEvaluation::commit`] once when it accepts the step. Nothing here is state: everything can be rebuilt.

use std::sync::atomic::{AtomicBool, Ordering};

use dem_contact::fused_integration::{Course, FusedIntegration, FusedUpdate, MovingColumns};
use dem_contact::geometry::{Selection, StepContext};
use dem_contact::kernel::{Acceptance, ForceKernel};
use dem_contact::sums::{GROUP, GroupSums};
use dem_contact::sweep;
use dem_core::DVec3;
use dem_core::history::WorkSum;
use dem_core::particles::Particles;
use dem_core::rotation::{carried, total};
use dem_core::wall::Wall;
use rayon::prelude::*;

use super::body_loads::sum_members;
use super::components::{BLOCK, ForceEvaluation};
use super::particle_loads::{Loads, force_and_torque};
use crate::environment::timing::Phase;
use crate::error::StepError;
use crate::fields::motion::Motion;
use crate::state::whole::Candidate;
use crate::state::world::{World, pairs_within_range};

/// Overlaps are bounded a little too high, so that rounding cannot make bounds too low.
const SAFETY: f64 = 1e-3;

/// An evaluation for which the contact list is good.
#[derive(Clone, Copy, Debug)]
pub struct Prepared {
    time_step: f64,
    time: f64,
    acceptance: Acceptance,
    selection: Selection,
}

impl ForceEvaluation {
    /// Evaluates all forces at the present positions and velocities for a step of `time_step` \[s\]. [`Self::commit`] must follow before
    /// anything else if the acceptance is [`Acceptance::Final`].
    ///
    /// # Errors
    /// A periodic cell that has become too narrow.
    pub fn evaluate(&mut self, world: &mut World, time_step: f64, acceptance: Acceptance) -> Result<(), StepError> {
        self.evaluate_at(world, time_step, world.end_of_step(time_step), acceptance)
    }

    /// Evaluates all forces at the present positions and velocities, taken to be those at `time` \[s\].
    ///
    /// # Errors
    /// As [`Self::evaluate`].
    pub fn evaluate_at(
        &mut self,
        world: &mut World,
        time_step: f64,
        time: f64,
        acceptance: Acceptance,
    ) -> Result<(), StepError> {
        self.evaluate_contacts(world, time_step, time, acceptance)?;
        self.gather(world, time_step);
        self.lap(Phase::Gather);
        Ok(())
    }

    /// Evaluates the contacts only. For integrators that take the sums per particle from [`Loads`] where they use them, and accept with
    /// [`Self::commit_contacts`].
    ///
    /// # Errors
    /// As [`Self::evaluate`].
    pub fn evaluate_contacts(
        &mut self,
        world: &mut World,
        time_step: f64,
        time: f64,
        acceptance: Acceptance,
    ) -> Result<(), StepError> {
        self.evaluate_and_finish(world, time_step, time, acceptance, None).map(|_| ())
    }

    /// The same for an integrator that advances particles as soon as all their contacts are computed, where that pays.
    /// Returns whether it has done so with all of them; otherwise it must take the sums per particle, as usual.
    ///
    /// # Errors
    /// As [`Self::evaluate`].
    pub fn evaluate_and_finish(
        &mut self,
        world: &mut World,
        time_step: f64,
        time: f64,
        acceptance: Acceptance,
        finish: Option<&dyn FusedIntegration>,
    ) -> Result<bool, StepError> {
        let prepared = self.prepare(world, time_step, time, acceptance)?;
        Ok(self.evaluate_prepared(world, prepared, finish))
    }

    /// Makes the contact list good for the present positions, and plans the pass over the contacts.
    ///
    /// # Errors
    /// As [`Self::evaluate`].
    pub fn prepare(
        &mut self,
        world: &mut World,
        time_step: f64,
        time: f64,
        acceptance: Acceptance,
    ) -> Result<Prepared, StepError> {
        self.lap(Phase::Motion);
        if !world.whole.is_alone() {
            world.whole.share(&mut world.particles, &world.cell);
            self.displacement.raise(|longest| world.whole.largest(longest));
            if let Some(course) = self.course(world.particles.len()) {
                self.displacement.raise_deviation(deviation_of_ghosts(&world.particles, course));
            }
            self.renew_ghosts_in_time(world)?;
        }
        self.update_list(world)?;
        self.lap(Phase::List);
        world.measure_porosity();
        let selection = self.displacement.selection();
        if selection.renew {
            self.course.clear();
            if selection.course > 0.0 {
                let velocities = world.particles.velocity.par_iter();
                self.course.par_extend(velocities.map(|&v| (v * time_step).as_vec3().to_array()));
            }
        }
        let World { list, forces, kernels, .. } = world;
        forces.plan(list, || pairs_within_range(kernels), acceptance == Acceptance::Final, self.sweep_policy);
        Ok(Prepared { time_step, time, acceptance, selection })
    }

    /// Evaluates the contacts that have been prepared; see [`Self::evaluate_and_finish`].
    pub fn evaluate_prepared(
        &mut self,
        world: &mut World,
        prepared: Prepared,
        finish: Option<&dyn FusedIntegration>,
    ) -> bool {
        let Prepared { time_step, time, acceptance, selection } = prepared;
        let World { particles, cell, walls, kernels, list, forces, contact_geometry, rotation, .. } = world;
        forces.largest_overlap_ratio = 0.0;
        forces.begin(self.is_unseen);
        if acceptance == Acceptance::Final {
            // here increments join without gaps, whatever an integrator corrects afterwards, and however many parts a step has
            total::accumulate(particles, time_step);
            self.at_half_turn = carried::advance(particles, *rotation).or(self.at_half_turn);
        }
        let finish = finish.filter(|_| forces.is_streaming());
        let mut memory = std::mem::take(&mut self.sweep_memory);
        let mut moving = finish.map(|finish| (finish, MovingColumns::take(particles)));
        let course = self.course(particles.len());
        let finishing =
            moving.as_mut().map(|(finish, moving)| FusedUpdate::new(*finish, moving, particles, course, self.width));
        let mut context = StepContext::new(particles, cell, walls, time_step, time, *contact_geometry, self.width)
            .with_finishing(finishing.as_ref());
        context.selection = selection;
        sweep::evaluate(kernels, list, &context, acceptance, forces, &mut memory);
        self.sweep_memory = memory;
        if let Some((_, moving)) = moving {
            moving.put_back(particles);
        }
        self.overlaps_are_known = true;
        self.lap(Phase::Law);
        // before the next evaluation the loads of fixed walls are not read
        self.wall_loads.sum(world, self.fusion_limits.is_some(), self.width);
        if !world.walls.is_empty() {
            self.lap(Phase::Walls);
        }
        finish.is_some()
    }

    /// Whether an integrator may begin the next step, of the same length, together with the end of the one whose forces
    /// are about to be evaluated, [prepared](Self::prepare): the state between them is not read, and the end of this
    /// step will find nothing for which particles have to be checked.
    ///
    /// Several ranks do so together: all must call this, each of which `wants` to or not.
    pub fn may_begin_next(&self, world: &World, wants: bool) -> bool {
        let Some(limits) = self.fusion_limits else { return false };
        let may = wants
            && limits.rebuilds == self.rebuilds
            && limits.clearance - self.displacement.unseen() > 0.0
            && self.bound_overlap_ratio(world, 1.0 + SAFETY) <= limits.overlap_ratio
            && !self.are_ghosts_due();
        if world.whole.is_alone() { may } else { !world.whole.any(!may) }
    }

    /// No overlap will be larger after some more steps in which nothing moves farther than between the last two evaluations, in proportion to
    /// the smaller radius \[-\]; infinite if overlaps or moves are not known.
    pub fn bound_overlap_ratio(&self, world: &World, steps: f64) -> f64 {
        if !self.overlaps_are_known {
            return f64::INFINITY;
        }
        let nearer = self.farthest_approach(world, self.displacement.last());
        world.forces.largest_overlap_ratio + steps * nearer / self.displacement.smallest_radius()
    }

    /// Bound of how much nearer two particles, or a particle and a wall, have come in a step in which no particle has moved by more than
    /// `moved` \[m\].
    pub(crate) fn farthest_approach(&self, world: &World, moved: f64) -> f64 {
        let of_walls = |wall: &Wall| wall.surface_displacement(&wall.previous_pose, self.reach);
        2.0 * moved + world.walls.iter().map(of_walls).fold(0.0, f64::max)
    }

    /// Bound of how far particles have moved in the last step \[m\]; infinite if it is not known.
    pub(crate) fn last_displacement(&self) -> f64 {
        self.displacement.longest_step()
    }

    /// Smallest radius of the particles in the list \[m\].
    pub(crate) fn smallest_radius(&self) -> f64 {
        self.displacement.smallest_radius()
    }

    /// Accepts the last evaluation: histories, forces, loads and work of walls and fields.
    pub fn commit(&mut self, world: &mut World) {
        std::mem::swap(&mut world.particles.force, &mut self.force);
        std::mem::swap(&mut world.particles.torque, &mut self.torque);
        self.commit_bodies(&mut world.particles);
        if world.fields.does_work() {
            // members have none of their own: what is left there was work on spheres that had their slots before
            let independent = world.particles.independent();
            for (total, work) in world.particles.field_dissipation[..independent].iter_mut().zip(&self.field_work) {
                *total += work;
            }
        }
        self.commit_contacts(world);
    }

    /// Gives bodies the loads of the last evaluation.
    pub(super) fn commit_bodies(&self, particles: &mut Particles) {
        for (body, load) in particles.bodies.all.iter_mut().zip(&self.body_loads) {
            (body.force, body.torque) = (load.force, load.torque);
            body.field_dissipation += load.dissipated;
        }
    }

    /// Accepts the last evaluation but for forces, torques and field work of particles, which the integrator has put where they belong.
    pub fn commit_contacts(&mut self, world: &mut World) {
        let World { walls, kernels, accumulated, list, particles, whole, .. } = world;
        let commit = |kernel: &mut Box<dyn ForceKernel>| kernel.commit(list, &particles.id, particles.owned());
        let ended = kernels.iter_mut().map(commit);
        if whole.is_alone() {
            ended.for_each(|works| works.add_to(&mut accumulated.separated));
        } else {
            self.ended.extend(ended);
        }
        self.wall_loads.commit(walls);
        world.peak_overlap_ratio = world.peak_overlap_ratio.max(world.forces.largest_overlap_ratio);
    }

    /// Books the works of the contacts that have ended in all parts since this was last called, and asks for `candidates` on the occasion.
    /// Returns whether all parts have answered.
    pub(crate) fn book_works_of_step(&mut self, world: &mut World, candidates: &mut [Candidate]) -> bool {
        if world.whole.is_alone() {
            return true;
        }
        let sums = self.ended.iter_mut().map(WorkSum::sums_mut).collect();
        let is_answered = world.whole.ask_all(sums, candidates);
        self.ended.drain(..).for_each(|works| works.add_to(&mut world.accumulated.separated));
        is_answered
    }

    /// Bound of how far any particle has moved since this was last called \[m\], whatever parts a step was taken in;
    /// infinite if the integrator does not report it.
    pub fn take_displacement(&mut self) -> f64 {
        self.displacement.take_unseen()
    }

    /// Gives walls the loads of the last evaluation that they were not given because another step was to follow
    /// unobserved, but has failed.
    pub(crate) fn load_all_walls(&mut self, world: &mut World) {
        self.wall_loads.sum(world, false, self.width);
        self.wall_loads.hand_over(&mut world.walls);
    }

    /// Sums the loads of all particles, with fields at the end of a step of that length \[s\].
    pub(super) fn gather(&mut self, world: &World, time_step: f64) {
        let p = &world.particles;
        let count = p.len();
        self.force.resize(count, DVec3::ZERO);
        self.torque.resize(count, DVec3::ZERO);
        self.field_work.resize(if world.fields.does_work() { count } else { 0 }, 0.0);
        let loads = Loads::new(world, time_step);
        let finite = AtomicBool::new(true);
        let width = self.width;
        let sum = |block: usize, force: &mut [DVec3], torque: &mut [DVec3], work: &mut [f64]| {
            let mut all = DVec3::ZERO;
            let mut sums = GroupSums::default();
            let groups = force.chunks_mut(GROUP).zip(torque.chunks_mut(GROUP)).enumerate();
            for (group, (force, torque)) in groups {
                let before = group * GROUP;
                let first = block * BLOCK + before;
                let sums = loads.sums_of_contacts_by(width, first / GROUP, &mut sums);
                for (k, ((force, torque), sums)) in force.iter_mut().zip(torque).zip(&sums.0).enumerate() {
                    let slot = first + k;
                    let (contact_force, contact_torque) = force_and_torque(sums);
                    let motion = || Motion::of(p, slot);
                    let load = loads.others.complete(slot, p.mass[slot], contact_force, contact_torque, motion);
                    (*force, *torque) = (load.force, load.torque);
                    if let Some(work) = work.get_mut(before + k) {
                        *work = load.dissipated;
                    }
                    // zero times a number is zero; anything else turns the sum into NaN
                    all += load.force * 0.0 + load.torque * 0.0;
                }
            }
            if all != DVec3::ZERO {
                finite.store(false, Ordering::Relaxed);
            }
        };
        let owned = p.independent();
        let columns = self.force[..owned].par_chunks_mut(BLOCK).zip(self.torque[..owned].par_chunks_mut(BLOCK));
        let loaded = columns.enumerate();
        if world.fields.does_work() {
            let worked = loaded.zip(self.field_work[..owned].par_chunks_mut(BLOCK));
            worked.for_each(|((block, (force, torque)), work)| sum(block, force, torque, work));
        } else {
            loaded.for_each(|(block, (force, torque))| sum(block, force, torque, &mut []));
        }
        self.is_finite = finite.into_inner();
        if !p.bodies.is_empty() {
            let members = p.independent()..p.owned();
            let (force, torque) = (&mut self.force[members.clone()], &mut self.torque[members.clone()]);
            sum_members(world.forces.columns(), members.start, force, torque, width);
            let (force, torque) = (std::mem::take(&mut self.force), std::mem::take(&mut self.torque));
            self.is_finite &= self.sum_bodies(p, &force, &torque, &loads.others);
            (self.force, self.torque) = (force, torque);
        }
    }
}

/// The largest deviation of a ghost from its predicted path in a step \[m\].
fn deviation_of_ghosts(p: &Particles, course: &[Course]) -> f64 {
    let mut largest_squared: f64 = 0.0;
    for slot in p.owned()..p.len() {
        let [x, y, z] = course[slot].map(f64::from);
        let deviation = p.position[slot] - p.previous_position[slot] - DVec3::new(x, y, z);
        largest_squared = largest_squared.max(deviation.length_squared());
    }
    largest_squared.sqrt()
}
