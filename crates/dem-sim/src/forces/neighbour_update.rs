//! When the contact list is renewed, how wide its skin is, and what is moved onto it.

use std::time::Instant;

use dem_broadphase::TooManyPairs;
use dem_contact::contact_forces::{Assembly, ContactForces, LoadedList};
use dem_contact::kernel::ForceKernel;
use dem_core::DVec3;
use dem_core::contact_list::{CandidateRows, ContactList, WallCandidate};
use dem_core::history::WorkSum;
use dem_io::units::LARGEST;
use rayon::prelude::*;

use super::components::{BLOCK, ForceEvaluation};
use crate::environment::timing::Phase;
use crate::error::StepError;
use crate::state::world::{World, pairs_within_range};

/// The skin widens while the list is rebuilt after fewer steps than this. Measured on a stirred bed: pairs that are far
/// from touching are checked only when the near ones are selected, and cost less than rebuilds.
const FREQUENT: u64 = 60;
/// It narrows while the list is rebuilt after more steps than this.
const RARE: u64 = 300;
/// With a skin thinner than [`THIN`] it must last for so many steps: a rebuild costs as much as the shorter list saves in some five hundred.
const QUIET: u64 = 1000;
/// The thinnest skin of beds that move, in proportion to the smallest radius.
const THIN: f64 = 0.12;
/// The thinnest skin of all, likewise. A bed at rest starts with it: its list is a sixth shorter.
const THINNEST: f64 = 0.05;
/// A skin thinner than this, in proportion to the smallest radius, lists hardly fewer pairs than none.
const NOTHING_TO_GAIN: f64 = 1e-3;
/// Rebuilds between two reorderings of the slots in space.
const REORDER_EVERY: u64 = 32;

/// What becomes of the forces on a contact list that is replaced.
#[derive(Clone, Copy, PartialEq)]
enum OldForces {
    /// They belong to the state and go to the new list.
    Moved,
    /// They are about to be computed anew.
    Forgotten,
}

impl ForceEvaluation {
    /// Makes the list good for the present positions.
    pub(super) fn update_list(&mut self, world: &mut World) -> Result<(), StepError> {
        self.displacement.advance();
        // every force of a list that is about to be evaluated is computed anew
        if self.stale || !self.skin.fits(&world.particles, &world.walls) {
            return self.renew_list(world, OldForces::Forgotten);
        }
        if self.skin.is_exhausted_by(self.displacement.since_rebuild(), &world.walls, self.reach) {
            // the bound adds up the longest moves of each step; the longest move of all is shorter
            let moved = self.skin.largest_displacement(&world.particles, &world.cell);
            if self.skin.is_exhausted_by(moved, &world.walls, self.reach) {
                return self.renew_list(world, OldForces::Forgotten);
            }
            self.displacement.correct_since_rebuild(moved);
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
        if self.skin.is_exhausted_by(self.displacement.pending() + further, &world.walls, self.reach) {
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
    /// A periodic cell that is too narrow for the particles, and positions that are NaN or too large to be squared.
    pub fn rebuild(&mut self, world: &mut World) -> Result<(), StepError> {
        self.renew_list(world, OldForces::Moved)
    }

    /// The same as steps do it, in which all forces are computed next: histories survive, forces do not.
    ///
    /// # Errors
    /// As [`Self::rebuild`].
    pub fn rebuild_for_step(&mut self, world: &mut World) -> Result<(), StepError> {
        self.renew_list(world, OldForces::Forgotten)
    }

    fn renew_list(&mut self, world: &mut World, old_forces: OldForces) -> Result<(), StepError> {
        let begun = self.clock.is_some().then(Instant::now);
        let renewed = self.make_list(world, old_forces);
        if let Some((clock, begun)) = self.clock.as_mut().zip(begun) {
            clock.add_rare(Phase::Broadphase, begun);
        }
        renewed
    }

    fn make_list(&mut self, world: &mut World, old_forces: OldForces) -> Result<(), StepError> {
        let p = &world.particles;
        // coordinates beyond are those of a simulation that has diverged; written so that NaN is outside, too
        let lost = (0..p.len()).filter(|&slot| !p.position[slot].abs().cmple(DVec3::splat(LARGEST)).all());
        if let Some(particle) = lost.map(|slot| p.id[slot]).min() {
            return Err(StepError::NonFinite { step: world.step, particle });
        }
        let largest = world.particles.radius.iter().copied().fold(0.0, f64::max);
        world.fit_ranges();
        let range = world.range();
        self.choose_margin(world, largest, range);
        for k in 0..3 {
            let needed = 2.0 * (2.0 * largest + range + self.margin);
            if world.cell.periodic[k] && world.cell.width(k) <= needed {
                let axis = ['x', 'y', 'z'][k];
                return Err(StepError::NarrowCell { width: world.cell.width(k), axis, needed });
            }
        }
        let owned = world.particles.owned();
        let mut slot: Vec<u32> = (0..world.particles.len() as u32).collect();
        let due = self.is_reordering_due();
        if due || world.particles.bodies.are_out_of_order() {
            let mut order = slot.clone();
            if due {
                self.next_reordering = self.rebuilds + REORDER_EVERY;
                order = self.broadphase.spatial_order(&world.particles, &world.cell, self.margin + range);
            }
            if world.particles.ghosts() > 0 || !world.particles.bodies.is_empty() {
                order = world.particles.order_of_bodies(&order);
            }
            for (new, &old) in order.iter().enumerate() {
                slot[old as usize] = new as u32;
            }
            world.particles.rearrange(&order);
        }
        // should there be no other list, they are made anew
        world.kernels.iter_mut().for_each(|kernel| kernel.forget_selections());
        let rows = match self.find_pairs(world, range) {
            Ok(rows) => rows,
            Err(error) => {
                // back to the slots that the present list refers to
                world.particles.rearrange(&slot);
                return Err(error);
            }
        };
        if old_forces == OldForces::Forgotten {
            // before there are others: both would be the most memory that a run needs
            world.forces = ContactForces::default();
        }
        let ended = self.replace_list(world, &slot, rows, range, owned);
        // only what all parts know of ends contacts here: walls and particles that are no longer there
        Self::book_ended(world, ended, self.stale);
        self.restart_displacement_bound(world);
        self.stale = false;
        self.rebuilds += 1;
        self.last_rebuild = world.step;
        Ok(())
    }

    /// Finds the pairs of a new list. A skin in which there are more than memory has room for becomes narrower.
    fn find_pairs(&mut self, world: &World, range: f64) -> Result<CandidateRows, StepError> {
        let mut rows = CandidateRows::default();
        let last = self.displacement.last();
        // what parts within a step must be found
        let narrowest = self.margin.min(if last.is_finite() { 2.0 * last } else { 0.0 });
        let smallest = world.particles.radius.iter().copied().fold(f64::INFINITY, f64::min);
        loop {
            let margin = self.margin + range;
            let found =
                self.broadphase.candidates_within(&world.particles, &world.cell, margin, self.most_pairs, &mut rows);
            let Err(TooManyPairs { most }) = found else { return Ok(rows) };
            if self.margin <= narrowest {
                return Err(StepError::TooManyPairs { most, particles: world.particles.len(), margin });
            }
            let thinner = 0.25 * self.margin;
            self.margin = if thinner > NOTHING_TO_GAIN * smallest { thinner.max(narrowest) } else { narrowest };
        }
    }

    /// Builds a new list of the pairs that were found and moves the histories and what there is of forces onto it.
    /// `slot` maps the slots of the old list to the present ones, of which `owned` were no ghosts. Returns the work
    /// terms of contacts that are gone.
    fn replace_list(
        &mut self,
        world: &mut World,
        slot: &[u32],
        mut rows: CandidateRows,
        range: f64,
        owned: usize,
    ) -> Vec<WorkSum> {
        // of the old list only the pairs are still needed, and of the old forces those of single contacts
        world.list.forget_incidence();
        world.forces.forget_sums();
        // for any number of threads: the order of the list shall not depend on it
        let (particles, pairs, contacts) =
            (world.particles.len(), rows.partner.len(), pairs_within_range(&world.kernels));
        if self.sweep_policy.is_reached(Assembly { particles, pairs, contacts }) {
            rows.give_to_lower();
        }
        let near_walls = wall_candidates(world, range, self.margin);
        let materials: Vec<u16> = world.walls.iter().map(|wall| wall.material).collect();
        let mut list = ContactList::default();
        list.rebuild(rows, &near_walls, &materials, &world.particles, &world.laws);
        let mut forces = ContactForces::sized(&list, world.kernels.iter().any(|kernel| kernel.exerts_couples()));
        forces.succeed(&world.forces);
        let old = LoadedList { list: &world.list, forces: &world.forces };
        let ids = &world.particles.id;
        let migrate = |kernel: &mut Box<dyn ForceKernel>| kernel.migrate(&old, &list, &mut forces, slot, ids, owned);
        let ended = world.kernels.iter_mut().map(migrate).collect();
        world.forces = forces;
        world.list = list;
        world.forces.update_incidence(&world.list);
        let World { guides, particles, whole, .. } = world;
        guides.locate(&particles.id[..particles.owned()], whole.is_alone());
        ended
    }

    /// Books the work terms of contacts that have ended, here and, where all parts do this at once, elsewhere.
    fn book_ended(world: &mut World, ended: Vec<WorkSum>, everywhere: bool) {
        for mut works in ended {
            if everywhere && !world.whole.is_alone() {
                world.whole.add(works.sums_mut());
            }
            works.add_to(&mut world.accumulated.separated);
        }
    }

    /// Removes the particles whose slots are not in `kept` (ascending), their contacts and histories.
    pub fn remove_particles(&mut self, world: &mut World, kept: &[u32]) {
        let mut slot = vec![u32::MAX; world.particles.len()];
        for (new, &old) in kept.iter().enumerate() {
            slot[old as usize] = new as u32;
        }
        let owned = world.particles.owned();
        world.particles.rearrange(kept);
        let range = world.range();
        world.kernels.iter_mut().for_each(|kernel| kernel.forget_selections());
        // fewer than were listed before
        let mut rows = CandidateRows::default();
        self.broadphase.candidates(&world.particles, &world.cell, self.margin + range, &mut rows);
        let ended = self.replace_list(world, &slot, rows, range, owned);
        Self::book_ended(world, ended, true);
        self.restart_displacement_bound(world);
    }

    /// Makes the list of other particles, which have been put in the place of those that it was of: `slot` maps old slots to new ones, `u32::MAX` for
    /// particles that are not here any more. Histories and forces of contacts both of whose bodies are still here survive; the others are not over.
    pub(super) fn replace_particles(&mut self, world: &mut World, slot: &[u32]) -> Result<(), StepError> {
        let largest = world.particles.radius.iter().copied().fold(0.0, f64::max);
        world.fit_ranges();
        let range = world.range();
        self.choose_margin(world, largest, range);
        world.kernels.iter_mut().for_each(|kernel| kernel.forget_selections());
        let rows = self.find_pairs(world, range)?;
        drop(self.replace_list(world, slot, rows, range, 0));
        self.restart_displacement_bound(world);
        self.stale = false;
        self.rebuilds += 1;
        self.last_rebuild = world.step;
        Ok(())
    }

    /// The list is that of the present positions.
    fn restart_displacement_bound(&mut self, world: &World) {
        let radius = &world.particles.radius;
        let law_range = world.range();
        let range = 2.0 * radius.iter().copied().fold(0.0, f64::max) + law_range;
        self.skin.record(&world.particles, &world.walls, self.margin, range);
        self.reach = reach_of_particles(world) + self.margin;
        self.course.clear();
        let reach = (range + self.margin).max(self.ranks.as_ref().map_or(0.0, |ranks| ranks.reach(world)));
        self.displacement.restart(radius.iter().copied().fold(f64::INFINITY, f64::min), reach);
    }

    /// Widens the skin when rebuilds are frequent, narrows it when they are rare. Results do not depend on it.
    fn choose_margin(&mut self, world: &World, largest: f64, range: f64) {
        let smallest = world.particles.radius.iter().copied().fold(f64::INFINITY, f64::min).min(largest);
        let since = world.step - self.last_rebuild.min(world.step);
        let mut margin = self.margin;
        if margin == 0.0 {
            // the list is to last as long as one that does not widen, if nothing becomes faster
            let fastest = world.particles.velocity.iter().map(|v| v.length_squared()).fold(0.0, f64::max).sqrt();
            margin = 2.0 * FREQUENT as f64 * fastest * world.time_step;
        } else {
            if since < FREQUENT {
                margin *= 1.2;
            } else if since > RARE {
                margin *= 0.9;
            }
            if since < QUIET {
                margin = margin.max(THIN * smallest);
            }
        }
        margin = margin.clamp(THINNEST * smallest, 0.8 * largest.max(f64::MIN_POSITIVE)).max(1e-12 * largest);
        // a wider one would only list pairs that do not meet
        let forced_margin = self.forced_margin.map(|forced| forced.min(2.0 * largest));
        margin = forced_margin.unwrap_or(margin);
        if self.displacement.last().is_finite() {
            // surfaces that part in this very step must be found, or the work of their last step would be lost
            margin = margin.max(2.0 * self.displacement.last());
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
        self.margin = margin.max(forced_margin.unwrap_or(0.0));
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
fn wall_candidates(world: &World, range: f64, margin: f64) -> Vec<WallCandidate> {
    let p = &world.particles;
    // others compute the contacts of ghosts with walls
    let owned = p.owned();
    let mut found: Vec<WallCandidate> = (0..owned.div_ceil(BLOCK))
        .into_par_iter()
        .flat_map_iter(|block| {
            let mut near = Vec::new();
            for slot in block * BLOCK..((block + 1) * BLOCK).min(owned) {
                for (number, wall) in world.walls.iter().enumerate().filter(|(_, wall)| wall.active) {
                    wall.visit_near(p.position[slot], p.radius[slot] + range, margin, &mut |feature| {
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
