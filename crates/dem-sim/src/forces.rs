//! Evaluation of all forces for a trial state: contact list, contact laws, gather, fields, walls.
//!
//! An integrator moves the particles, calls [`ForceEvaluation::evaluate`] as often as it likes, and
//! [`ForceEvaluation::commit`] once when it accepts the step. Nothing here is state: everything can be rebuilt.

use std::sync::atomic::{AtomicBool, Ordering};

use dem_broadphase::{Automatic, Broadphase, Skin};
use dem_contact::contact_forces::{ContactForces, LoadedList};
use dem_contact::geometry::StepContext;
use dem_contact::kernel::Acceptance;
use dem_core::DVec3;
use dem_core::affine::AffineStep;
use dem_core::contact_list::{CHUNK, CandidateRows, ContactList, WallCandidate};
use dem_core::lanes::Width;
use dem_core::rotation::total;
use rayon::prelude::*;

use crate::error::StepError;
use crate::fields::Motion;
use crate::loads::Loads;
use crate::phases::{Phase, PhaseClock};
use crate::travel::Travel;
use crate::world::World;

/// Slots per unit of parallel work.
pub const BLOCK: usize = 512;
/// The skin widens while the list is rebuilt after fewer steps than this. Measured on a stirred bed: pairs that are far from touching are
/// looked at only when the near ones are selected, and cost less than rebuilds.
const FREQUENT: u64 = 60;
/// It narrows while the list is rebuilt after more steps than this.
const RARE: u64 = 300;
/// Rebuilds between two reorderings of the slots in space.
const REORDER_EVERY: u64 = 32;

/// Scratch and policy of the force evaluation.
pub struct ForceEvaluation {
    broadphase: Box<dyn Broadphase>,
    skin: Skin,
    margin: f64,
    forced_margin: Option<f64>,
    stale: bool,
    last_rebuild: u64,
    /// The rebuild that is to reorder the slots.
    next_reordering: u64,
    /// Whether an integrator keeps something by slots from one evaluation to the next.
    slots_are_held: bool,
    travel: Travel,
    /// What every particle moves by in a step on the course that the selection of near pairs follows \[m\]; empty if it follows none.
    course: Vec<DVec3>,
    /// Bound of the distance of any particle from any wall's reference point until the next rebuild \[m\].
    reach: f64,
    /// Whether nobody asks for the forces of pairs after the next evaluation, only for sums, contacts with walls and histories: in large
    /// assemblies they are not kept then.
    pub is_unseen: bool,
    /// Chunks of pairs from which on sums of particles trail the pass of the law. Results do not depend on it.
    pub trail_from: usize,
    /// Contacts computed side by side: the fastest that the processor offers. Results do not depend on it.
    pub width: Width,
    /// Rebuilds of the contact list so far.
    pub rebuilds: u64,
    /// Takes the time of the phases of steps, if there is one.
    pub clock: Option<PhaseClock>,
    /// Force of the last [`Self::evaluate`] \[N\].
    pub force: Vec<DVec3>,
    /// Torque of the last [`Self::evaluate`] \[N m\].
    pub torque: Vec<DVec3>,
    field_work: Vec<f64>,
    /// Whether every force and torque of the last evaluation is finite.
    pub is_finite: bool,
    wall_load: Vec<(DVec3, DVec3)>,
}

/// What becomes of the forces on a contact list that is replaced.
#[derive(Clone, Copy, PartialEq)]
enum OldForces {
    /// They belong to the state and go to the new list.
    Moved,
    /// They are about to be computed anew.
    Forgotten,
}

impl Default for ForceEvaluation {
    fn default() -> Self {
        Self::new(Box::new(Automatic::default()), None)
    }
}

/// Coordinates beyond it are those of a simulation that has burst: squares of distances would be infinite \[m\].
const FARTHEST: f64 = 1e150;

impl ForceEvaluation {
    /// Evaluation with a broadphase; `margin` \[m\] fixes the skin, otherwise it follows the motion.
    pub fn new(broadphase: Box<dyn Broadphase>, margin: Option<f64>) -> Self {
        Self {
            broadphase,
            skin: Skin::default(),
            margin: 0.0,
            forced_margin: margin,
            stale: true,
            last_rebuild: 0,
            next_reordering: 0,
            slots_are_held: false,
            travel: Travel::default(),
            course: Vec::new(),
            reach: 0.0,
            is_unseen: false,
            trail_from: dem_contact::contact_forces::TRAIL_FROM,
            width: Width::fastest(),
            rebuilds: 0,
            clock: None,
            force: Vec::new(),
            torque: Vec::new(),
            field_work: Vec::new(),
            is_finite: true,
            wall_load: Vec::new(),
        }
    }

    /// Name of the broadphase in use.
    pub fn broadphase(&self) -> &'static str {
        self.broadphase.key()
    }

    /// Must be called when particles or walls were added, removed or moved by anything but an integrator.
    pub fn invalidate(&mut self) {
        self.stale = true;
    }

    /// May be called by an integrator that has moved the particles: none by more than `distance` \[m\]. Bounds since the evaluation before
    /// add up. Spares passes over all particles.
    pub fn bound_displacement(&mut self, distance: f64) {
        self.travel.bound_next(distance);
    }

    /// What each of some number of particles moves by in a step on the course that the selection of near pairs follows \[m\], if it
    /// follows any.
    pub fn course(&self, particles: usize) -> Option<&[DVec3]> {
        let holds = !self.stale && particles > 0 && self.course.len() == particles;
        holds.then_some(&self.course)
    }

    /// May be called instead of [`Self::bound_displacement`] by an integrator that has moved the particles by one step: none by more than
    /// `distance` \[m\], and none other than its [`Self::course`], if there was one, by more than `deviation` \[m\].
    pub fn bound_course(&mut self, distance: f64, deviation: Option<f64>) {
        self.travel.bound_course(distance, deviation);
    }

    /// Must be called when the cell has carried all particles along.
    pub fn deform(&mut self, step: &AffineStep) {
        self.skin.deform(step);
        self.travel.bound_strain(step.strain());
    }

    /// Evaluates all forces at the present positions and velocities for a step of `time_step` \[s\]. [`Self::commit`] must follow before
    /// anything else if the acceptance is [`Acceptance::Final`].
    ///
    /// # Errors
    /// A periodic cell that has become too narrow.
    pub fn evaluate(&mut self, world: &mut World, time_step: f64, acceptance: Acceptance) -> Result<(), StepError> {
        self.evaluate_at(world, time_step, world.time + time_step, acceptance)
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
        self.gather(world, time);
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
        self.lap(Phase::Motion);
        let rebuilds = self.rebuilds;
        self.update_list(world)?;
        self.lap(if self.rebuilds > rebuilds { Phase::Broadphase } else { Phase::List });
        let World { particles, cell, walls, kernels, list, forces, contact_geometry, .. } = world;
        let mut context = StepContext::new(particles, cell, walls, time_step, time, *contact_geometry, self.width);
        context.selection = self.travel.selection();
        if context.selection.renew {
            self.course.clear();
            if context.selection.course > 0.0 {
                self.course.par_extend(context.particles.velocity.par_iter().map(|&v| v * time_step));
            }
        }
        forces.largest_overlap_ratio = 0.0;
        forces.trail(list, acceptance == Acceptance::Final, self.trail_from);
        forces.begin(self.is_unseen);
        // walls first: sums of particles that trail the pass over pairs need them
        for segment in list.segments.iter().rev() {
            kernels[segment.law].evaluate(list, segment, &context, acceptance, forces);
        }
        forces.update_incidence(list);
        if acceptance == Acceptance::Final {
            // here increments join without gaps, whatever an integrator corrects afterwards, and however many parts a step has
            total::accumulate(particles);
        }
        self.load_walls(world);
        self.lap(Phase::Law);
        Ok(())
    }

    /// Tells the clock, if there is one, that a phase is over.
    pub fn lap(&mut self, phase: Phase) {
        if let Some(clock) = &mut self.clock {
            clock.lap(phase);
        }
    }

    /// Accepts the last evaluation: histories, forces, loads and work of walls and fields.
    pub fn commit(&mut self, world: &mut World) {
        std::mem::swap(&mut world.particles.force, &mut self.force);
        std::mem::swap(&mut world.particles.torque, &mut self.torque);
        if world.fields.does_work() {
            for (total, work) in world.particles.field_dissipation.iter_mut().zip(&self.field_work) {
                *total += work;
            }
        }
        self.commit_contacts(world);
    }

    /// Gives back the memory of [`Self::force`] and [`Self::torque`], which not every integrator needs.
    pub fn release_sums(&mut self) {
        self.force = Vec::new();
        self.torque = Vec::new();
    }

    /// Accepts the last evaluation but for forces, torques and field work of particles, which the integrator has put where they belong.
    pub fn commit_contacts(&mut self, world: &mut World) {
        let World { particles, walls, kernels, list, accumulated, .. } = world;
        for kernel in kernels.iter_mut() {
            kernel.commit(list, &particles.id, &mut accumulated.separated);
        }
        for (wall, &(force, torque)) in walls.iter_mut().zip(&self.wall_load) {
            let moved = wall.pose.position - wall.previous_pose.position;
            // trapezoidal rule, the one that velocity Verlet's kinetic energy obeys
            wall.work -=
                0.5 * (wall.force + force).dot(moved) + 0.5 * (wall.torque + torque).dot(wall.rotation_increment);
            wall.force = force;
            wall.torque = torque;
        }
        world.peak_overlap_ratio = world.peak_overlap_ratio.max(world.forces.largest_overlap_ratio);
    }

    /// Bound of how far any particle has moved since this was last called \[m\], whatever parts a step was taken in; infinite if the
    /// integrator does not tell.
    pub fn take_displacement(&mut self) -> f64 {
        self.travel.take_unseen()
    }

    fn update_list(&mut self, world: &mut World) -> Result<(), StepError> {
        self.travel.advance();
        // every force of a list that is about to be evaluated is computed anew
        if self.stale || !self.skin.fits(&world.particles, &world.walls) {
            return self.renew_list(world, OldForces::Forgotten);
        }
        if self.skin.is_exhausted_by(self.travel.since_rebuild(), &world.walls, self.reach) {
            // the bound adds up the longest moves of each step; the longest move of all is shorter
            let moved = self.skin.largest_displacement(&world.particles, &world.cell);
            if self.skin.is_exhausted_by(moved, &world.walls, self.reach) {
                return self.renew_list(world, OldForces::Forgotten);
            }
            self.travel.correct_since_rebuild(moved);
        }
        Ok(())
    }

    fn is_reordering_due(&self) -> bool {
        self.rebuilds >= self.next_reordering && !self.slots_are_held
    }

    /// Keeps every particle in its slot until [`Self::release_slots`], for integrators that keep something by slots from one evaluation
    /// to the next. A reordering that is due is made first.
    ///
    /// # Errors
    /// As [`Self::rebuild`].
    pub fn hold_slots(&mut self, world: &mut World) -> Result<(), StepError> {
        if self.is_reordering_due() {
            self.rebuild(world)?;
        }
        self.slots_are_held = true;
        Ok(())
    }

    /// Lets particles change their slots again.
    pub fn release_slots(&mut self) {
        self.slots_are_held = false;
    }

    /// Makes the contact list good for all positions within `further` \[m\] of the present ones, as far as its margin is wide enough. Until
    /// a particle is farther away no evaluation rebuilds it, so that evaluations on trial drop no history.
    ///
    /// # Errors
    /// As [`Self::rebuild`].
    pub fn prepare_list(&mut self, world: &mut World, further: f64) -> Result<(), StepError> {
        if self.stale || !self.skin.fits(&world.particles, &world.walls) {
            return self.rebuild(world);
        }
        if self.skin.is_exhausted_by(self.travel.pending() + further, &world.walls, self.reach) {
            let moved = self.skin.largest_displacement(&world.particles, &world.cell);
            if self.skin.is_exhausted_by(moved + further, &world.walls, self.reach) {
                return self.rebuild(world);
            }
        }
        Ok(())
    }

    /// Rebuilds the contact list at the present positions; histories and forces survive.
    ///
    /// # Errors
    /// A periodic cell that is too narrow for the particles, and positions that are no numbers or too large to be squared.
    pub fn rebuild(&mut self, world: &mut World) -> Result<(), StepError> {
        self.renew_list(world, OldForces::Moved)
    }

    fn renew_list(&mut self, world: &mut World, old_forces: OldForces) -> Result<(), StepError> {
        let p = &world.particles;
        // written so that what is not a number is outside, too
        let lost = (0..p.len()).filter(|&slot| !p.position[slot].abs().cmplt(DVec3::splat(FARTHEST)).all());
        if let Some(particle) = lost.map(|slot| p.id[slot]).min() {
            return Err(StepError::NonFinite { step: world.step, particle });
        }
        let largest = world.particles.radius.iter().copied().fold(0.0, f64::max);
        let range = world.kernels.iter().map(|kernel| kernel.range()).fold(0.0, f64::max);
        self.choose_margin(world, largest, range);
        for k in 0..3 {
            let needed = 2.0 * (2.0 * largest + range + self.margin);
            if world.cell.periodic[k] && world.cell.width(k) <= needed {
                let axis = ['x', 'y', 'z'][k];
                return Err(StepError::NarrowCell { width: world.cell.width(k), axis, needed });
            }
        }
        let margin = self.margin + range;
        let old_ids = world.particles.id.clone();
        let mut slot: Vec<u32> = (0..old_ids.len() as u32).collect();
        if self.is_reordering_due() {
            self.next_reordering = self.rebuilds + REORDER_EVERY;
            let order = self.broadphase.spatial_order(&world.particles, &world.cell, margin);
            for (new, &old) in order.iter().enumerate() {
                slot[old as usize] = new as u32;
            }
            world.particles.rearrange(&order);
        }
        if old_forces == OldForces::Forgotten {
            // before there are others: both would be the most memory that a run needs
            world.forces = ContactForces::default();
        }
        self.replace_list(world, &old_ids, &slot, margin);
        self.start_travel(world);
        self.stale = false;
        self.rebuilds += 1;
        self.last_rebuild = world.step;
        Ok(())
    }

    /// Builds a new list and moves the histories and what there is of forces onto it. `slot` maps the slots of the old list to the
    /// present ones.
    fn replace_list(&mut self, world: &mut World, old_ids: &[u64], slot: &[u32], margin: f64) {
        let mut rows = CandidateRows::default();
        // of the old list only the pairs are still needed
        world.list.forget_incidence();
        self.broadphase.candidates(&world.particles, &world.cell, margin, &mut rows);
        if rows.partner.len() >= self.trail_from.saturating_mul(CHUNK) {
            rows.give_to_lower();
        }
        let near_walls = wall_candidates(world, margin);
        let materials: Vec<u16> = world.walls.iter().map(|wall| wall.material).collect();
        let mut list = ContactList::default();
        list.rebuild(&rows, &near_walls, &materials, &world.particles, &world.laws);
        drop(rows);
        let mut forces = ContactForces::sized(&list, world.kernels.iter().any(|kernel| kernel.exerts_couples()));
        forces.succeed(&world.forces);
        let old = LoadedList { list: &world.list, forces: &world.forces };
        for kernel in &mut world.kernels {
            kernel.migrate(&old, &list, &mut forces, old_ids, slot, &mut world.accumulated.separated);
        }
        forces.update_incidence(&list);
        world.forces = forces;
        world.list = list;
        world.guides.locate(&world.particles.id);
    }

    /// Removes the particles whose slots are not in `kept` (ascending), their contacts and histories.
    pub fn remove_particles(&mut self, world: &mut World, kept: &[u32]) {
        let old_ids = world.particles.id.clone();
        let mut slot = vec![u32::MAX; old_ids.len()];
        for (new, &old) in kept.iter().enumerate() {
            slot[old as usize] = new as u32;
        }
        world.particles.rearrange(kept);
        let range = world.kernels.iter().map(|kernel| kernel.range()).fold(0.0, f64::max);
        self.replace_list(world, &old_ids, &slot, self.margin + range);
        self.start_travel(world);
    }

    /// The list is that of the present positions.
    fn start_travel(&mut self, world: &World) {
        let radius = &world.particles.radius;
        let law_range = world.kernels.iter().map(|kernel| kernel.range()).fold(0.0, f64::max);
        let range = 2.0 * radius.iter().copied().fold(0.0, f64::max) + law_range;
        self.skin.record(&world.particles, &world.walls, self.margin, range);
        self.reach = reach_of_particles(world) + self.margin;
        self.course.clear();
        self.travel.restart(radius.iter().copied().fold(f64::INFINITY, f64::min), range + self.margin);
    }

    /// Widens the skin when rebuilds are frequent, narrows it when they are rare. Results do not depend on it.
    fn choose_margin(&mut self, world: &World, largest: f64, range: f64) {
        let smallest = world.particles.radius.iter().copied().fold(f64::INFINITY, f64::min).min(largest);
        let since = world.step - self.last_rebuild.min(world.step);
        let mut margin = self.margin;
        if margin == 0.0 {
            // the list is to last as long as one that does not widen, if nothing becomes faster
            let fastest = world.particles.velocity.iter().map(|v| v.length_squared()).fold(0.0, f64::max).sqrt();
            margin = (2.0 * FREQUENT as f64 * fastest * world.time_step).max(0.12 * smallest);
        } else if since < FREQUENT {
            margin *= 1.2;
        } else if since > RARE {
            margin *= 0.9;
        }
        margin = margin.clamp(0.05 * smallest, 0.8 * largest.max(f64::MIN_POSITIVE)).max(1e-12 * largest);
        margin = self.forced_margin.unwrap_or(margin);
        if self.travel.last().is_finite() {
            // surfaces that part in this very step must be found, or the work of their last step would be lost
            margin = margin.max(2.0 * self.travel.last());
        }
        // a periodic cell may leave room for a thin skin only
        for k in 0..3 {
            if world.cell.periodic[k] {
                let room = 0.5 * world.cell.width(k) - 2.0 * largest - range;
                if room > 0.0 {
                    margin = margin.min(0.9 * room);
                }
            }
        }
        self.margin = margin.max(self.forced_margin.unwrap_or(0.0));
    }

    /// Sums the loads of all particles.
    fn gather(&mut self, world: &World, time: f64) {
        let p = &world.particles;
        let count = p.len();
        self.force.resize(count, DVec3::ZERO);
        self.torque.resize(count, DVec3::ZERO);
        self.field_work.resize(if world.fields.does_work() { count } else { 0 }, 0.0);
        let loads = Loads::new(world, time);
        let finite = AtomicBool::new(true);
        self.force.par_chunks_mut(BLOCK).zip(self.torque.par_chunks_mut(BLOCK)).enumerate().for_each(
            |(block, (force, torque))| {
                let mut all = DVec3::ZERO;
                for (k, (force, torque)) in force.iter_mut().zip(torque).enumerate() {
                    let slot = block * BLOCK + k;
                    let load = loads.on(slot, p.mass[slot], || Motion::of(p, slot));
                    (*force, *torque) = (load.force, load.torque);
                    // zero times a number is zero; anything else turns the sum into NaN
                    all += load.force * 0.0 + load.torque * 0.0;
                }
                if all != DVec3::ZERO {
                    finite.store(false, Ordering::Relaxed);
                }
            },
        );
        if world.fields.does_work() {
            self.field_work.par_iter_mut().enumerate().for_each(|(slot, work)| {
                *work = loads.on(slot, p.mass[slot], || Motion::of(p, slot)).dissipated;
            });
        }
        self.is_finite = finite.into_inner();
    }

    /// Sums the loads of the walls in order of particle ids.
    fn load_walls(&mut self, world: &World) {
        self.wall_load.clear();
        self.wall_load.resize(world.walls.len(), (DVec3::ZERO, DVec3::ZERO));
        for candidate in world.list.wall_candidates() {
            if let Some(wrench) = world.forces.get(candidate) {
                let load = &mut self.wall_load[world.list.second[candidate] as usize];
                load.0 -= wrench.force_on_first();
                load.1 += world.forces.torque_on_wall(candidate);
            }
        }
    }
}

/// Upper bound of the distance of any particle from any wall's reference point \[m\].
fn reach_of_particles(world: &World) -> f64 {
    if world.walls.iter().all(|wall| wall.motion.is_fixed()) {
        return 0.0;
    }
    let (low, high) = world
        .particles
        .position
        .iter()
        .fold((DVec3::splat(f64::INFINITY), DVec3::splat(f64::NEG_INFINITY)), |(low, high), &x| {
            (low.min(x), high.max(x))
        });
    world
        .walls
        .iter()
        .map(|wall| (wall.pose.position - low).abs().max((wall.pose.position - high).abs()).length())
        .fold(0.0, f64::max)
}

/// Particles near active walls, in order of (wall, slot, feature), so that those that are evaluated together lie near each other.
fn wall_candidates(world: &World, margin: f64) -> Vec<WallCandidate> {
    let p = &world.particles;
    let mut found: Vec<WallCandidate> = (0..p.len().div_ceil(BLOCK))
        .into_par_iter()
        .flat_map_iter(|block| {
            let mut near = Vec::new();
            for slot in block * BLOCK..((block + 1) * BLOCK).min(p.len()) {
                for (number, wall) in world.walls.iter().enumerate().filter(|(_, wall)| wall.active) {
                    wall.visit_near(p.position[slot], p.radius[slot] + margin, &mut |feature| {
                        near.push(WallCandidate { slot: slot as u32, wall: number as u32, feature });
                    });
                }
            }
            near
        })
        .collect();
    found.par_sort_unstable_by_key(|c| (c.wall, c.slot, c.feature));
    found.dedup();
    found
}
