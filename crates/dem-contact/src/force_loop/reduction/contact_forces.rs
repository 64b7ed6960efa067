//! What an evaluation of the contacts leaves behind: the wrench and mode of every contact that touches.
//!
//! Wrenches of pairs lie in the order of the near candidates of their chunk, so that those that are summed together
//! fill few cache lines and a near candidate that does not touch costs a line of zeros, but no branch. Sums go over
//! `Incidence`, the near candidates of every particle in canonical order, which is built whenever the selection of near
//! candidates changes. In large assemblies they are taken [within the pass over
//! contacts](crate::force_loop::sweep::schedule), and wrenches that are not read afterwards are discarded.

use std::sync::Arc;

use dem_core::DVec3;
use dem_core::contact_list::{CHUNK, ContactList, PartnerKind};
use dem_core::history::RecordPlace;
use dem_core::lanes::{TurnColumn, Width};
use rayon::iter::Either;
use rayon::prelude::*;

pub use crate::force_loop::reduction::contact_view::{ContactView, PairLoad};
pub use crate::force_loop::reduction::exported_force::ExportedForce;
use crate::force_loop::reduction::fused_integration::FusedUpdate;
use crate::force_loop::reduction::group_reduction::{Reduction, Target};
use crate::force_loop::reduction::incidence::{Incidence, OwnPlaces};
use crate::force_loop::reduction::sums::{self, ForceColumns, GroupSums};
pub use crate::force_loop::reduction::wrench::Wrench;
use crate::force_loop::reduction::wrench::{NOT_NEAR, NOT_TOUCHING, Wrenches};
use crate::force_loop::reduction::written::{ForceChunk, TouchingForce, Written};
use crate::force_loop::sweep::first_reads::FirstReads;
use crate::force_loop::sweep::schedule::Schedule;
pub use crate::force_loop::sweep::schedule::{Assembly, SweepPolicy};
use crate::law::Mode;

/// Result of an evaluation: wrenches of the touching candidates of all segments.
#[derive(Clone, Debug, Default)]
pub struct ContactForces {
    /// Largest overlap in proportion to the smaller radius in the last evaluation \[-\].
    pub largest_overlap_ratio: f64,
    /// Position in its chunk of every candidate's wrench: its number among the near ones for a pair, in the chunk for a
    /// wall; or [`NOT_NEAR`].
    place: Vec<u16>,
    pub(crate) wrench: Wrenches,
    /// Numbers of the modes, where the wrenches are, or [`NOT_TOUCHING`].
    pub(crate) mode: Vec<u8>,
    /// Couples on the first bodies, where the wrenches are; empty if no law exerts any.
    pub(crate) couple: Vec<DVec3>,
    /// Torques on walls about their reference points; the first belongs to the position `first_wall`.
    pub(crate) wall_torque: Vec<DVec3>,
    pub(crate) first_wall: usize,
    incidence: Incidence,
    /// Whether positions have changed since the incidence was built.
    pub(crate) stale: bool,
    /// Whether the pass over the contacts has been planned.
    is_planned: bool,
    schedule: Schedule,
    /// Sums by groups of slots, if they are taken within the pass and kept.
    load: Vec<GroupSums>,
    /// Whether wrenches of pairs have been overwritten in frames.
    lost: bool,
}

impl ContactForces {
    /// Room for the candidates of a list; nothing touches until the next evaluation. `couples`: whether any law exerts
    /// couples.
    pub fn sized(list: &ContactList, couples: bool) -> Self {
        let places = list.first.len().next_multiple_of(CHUNK);
        let first_wall = list
            .segments
            .iter()
            .find(|segment| segment.partner == PartnerKind::Wall)
            .map_or(places, |segment| segment.start as usize);
        Self {
            largest_overlap_ratio: 0.0,
            place: (0..places)
                .map(|candidate| if candidate < first_wall { NOT_NEAR } else { (candidate % CHUNK) as u16 })
                .collect(),
            // zero pages: what no contact uses never becomes resident
            wrench: Wrenches::zeroed(places),
            mode: vec![NOT_TOUCHING; places],
            couple: zeroed(if couples { places } else { 0 }),
            wall_torque: zeroed(places - first_wall),
            first_wall,
            incidence: Incidence::default(),
            stale: true,
            is_planned: false,
            schedule: Schedule::default(),
            load: Vec::new(),
            lost: false,
        }
    }

    /// Takes over what does not depend on the order of contacts from the forces on the list before.
    pub fn succeed(&mut self, old: &Self) {
        self.largest_overlap_ratio = old.largest_overlap_ratio;
        self.lost = old.lost;
    }

    /// Frees the memory of what only sums need, of forces that are about to be replaced.
    pub fn forget_sums(&mut self) {
        self.incidence = Incidence::default();
        self.load = Vec::new();
    }

    /// Plans the pass over the contacts of the list, of whose pairs some number touch. If sums `may` be taken within it they are where the
    /// assembly is large enough, in this evaluation and those after it until they may not.
    #[expect(clippy::disallowed_methods, reason = "no bit depends on how the pass is cut")]
    pub fn plan(&mut self, list: &ContactList, contacts: impl FnOnce() -> usize, may: bool, policy: SweepPolicy) {
        if !may && self.is_streaming() {
            self.schedule.stop_streaming();
            self.load = Vec::new();
            // entries that do not touch were not kept at zero
            self.forget_wrenches();
            self.stale = true;
        }
        // not again on a list on which it may not be every time: plans cost as much as steps
        if std::mem::replace(&mut self.is_planned, true) {
            return;
        }
        let threads = rayon::current_num_threads();
        self.schedule = Schedule::new(list, policy, threads);
        let (particles, pairs) = (list.incidence_row.len().saturating_sub(1), self.schedule.pairs());
        if may && pairs > 0 && policy.is_reached(Assembly { particles, pairs, contacts: contacts() }) {
            self.schedule.stream(list, policy);
            self.forget_wrenches();
            self.stale = true;
        }
    }

    /// Must be called before contacts are evaluated: with `is_unseen` the wrenches of pairs are not read after the
    /// evaluation.
    pub fn begin(&mut self, is_unseen: bool) {
        let are_lost = is_unseen && self.is_streaming();
        if are_lost && !self.lost {
            // frees its memory, which will not be written
            self.forget_wrenches();
        }
        self.lost = are_lost;
    }

    fn forget_wrenches(&mut self) {
        let frames = self.schedule.reduction.as_ref().map_or(0, |plan| plan.frames * CHUNK);
        let places = self.place.len() + frames;
        self.wrench = Wrenches::zeroed(places);
        self.couple = zeroed(if self.couple.is_empty() { 0 } else { places });
    }

    /// Whether sums are taken within the pass over the contacts.
    pub fn is_streaming(&self) -> bool {
        self.schedule.reduction.is_some()
    }

    /// Whether several threads take part in the pass over the contacts.
    pub fn is_shared(&self) -> bool {
        self.schedule.regions.len() > 1
    }

    /// Particles that chunks are the first to read, if sums are taken within the pass over the contacts and there are so many that it matters.
    pub(crate) fn first_reads(&self) -> Option<Arc<FirstReads>> {
        self.schedule.reduction.as_ref().and_then(|plan| plan.first_reads.clone())
    }

    /// Whether the forces of single contacts between particles are known after the last evaluation.
    pub fn are_known(&self) -> bool {
        !self.lost
    }

    /// Where the wrench of a touching candidate is.
    #[inline]
    fn place(&self, candidate: usize) -> Option<usize> {
        let place = *self.place.get(candidate)?;
        let at = candidate / CHUNK * CHUNK + place as usize;
        if place == NOT_NEAR || self.mode[at] == NOT_TOUCHING { None } else { Some(at) }
    }

    /// Builds the table of the near candidates of every particle if they may have changed.
    pub fn update_incidence(&mut self, list: &ContactList) {
        if std::mem::take(&mut self.stale) {
            let (row, all) = (&list.incidence_row, &list.incidence);
            match &self.schedule.reduction {
                Some(plan) => self.incidence.draw_up(row, all, &self.place, plan),
                None => self.incidence.draw_up(row, all, &self.place, &OwnPlaces(self.place.len())),
            }
        }
    }

    /// Wrench of a candidate, if it touches; NaN if it [is not known](Self::are_known).
    #[inline]
    pub fn get(&self, candidate: usize) -> Option<&Wrench> {
        let known = |at: usize| &self.wrench.as_slice()[at];
        self.place(candidate).map(|at| if self.is_lost(candidate) { &Wrench::UNKNOWN } else { known(at) })
    }

    #[inline]
    fn is_lost(&self, candidate: usize) -> bool {
        self.lost && candidate < self.first_wall
    }

    /// Wrench of a pair of particles, zero if it does not touch; without a branch.
    #[inline(always)]
    pub fn wrench_of_pair(&self, candidate: usize) -> &Wrench {
        let place = self.place[candidate];
        // near pairs that do not touch have a wrench of zero
        let near = &self.wrench.as_slice()[candidate / CHUNK * CHUNK + place as usize % CHUNK];
        [&Wrench::ZERO, near, &Wrench::UNKNOWN][usize::from(place != NOT_NEAR) << usize::from(self.lost)]
    }

    /// Couple on the first body of a candidate, the opposite acts on the second \[N m\]; zero if it does not touch, NaN
    /// if it [is not known](Self::are_known).
    pub fn couple(&self, candidate: usize) -> DVec3 {
        let couple = self.place(candidate).and_then(|at| self.couple.get(at));
        couple.map_or(DVec3::ZERO, |&couple| if self.is_lost(candidate) { DVec3::NAN } else { couple })
    }

    /// Torque of a candidate on its wall about the wall's reference point \[N m\]; zero if it does not touch or is no wall.
    pub fn torque_on_wall(&self, candidate: usize) -> DVec3 {
        let place = self.place(candidate).and_then(|at| at.checked_sub(self.first_wall));
        place.and_then(|at| self.wall_torque.get(at)).copied().unwrap_or(DVec3::ZERO)
    }

    /// What a gather reads. After an evaluation with an [integrator that finishes
    /// particles](crate::force_loop::reduction::fused_integration), which has taken the sums, there are none: reading
    /// one panics.
    pub fn columns(&self) -> ForceColumns<'_> {
        // those in frames have been overwritten
        let wrench = if self.is_streaming() { &[] } else { self.wrench.as_slice() };
        ForceColumns {
            incidence: &self.incidence,
            wrench: bytemuck::cast_slice(wrench).into(),
            couple: self.couple[..].into(),
            load: &self.load,
            asks_ahead: wrench.len() >= sums::MANY,
        }
    }

    /// Everything about one touching candidate, for the transfer to another list.
    pub(crate) fn take(&self, candidate: usize) -> Option<TouchingForce> {
        self.place(candidate).map(|at| TouchingForce {
            wrench: self.get(candidate).copied().unwrap_or_default(),
            mode: Mode::from_number(self.mode[at]),
            couple: self.couple(candidate),
            wall_torque: self.torque_on_wall(candidate),
        })
    }

    /// What `count` chunks from chunk `first` on write, chunk by chunk, with the numbers among the near ones of their chunks of all candidates.
    pub(crate) fn chunks_to_select(
        &mut self,
        first: usize,
        count: usize,
    ) -> impl IndexedParallelIterator<Item = (&mut [u16; CHUNK], ForceChunk<'_>)> {
        let places = first * CHUNK..(first + count) * CHUNK;
        let couple = optional(self.couple.get_mut(places.clone()), count);
        let on_walls = places.start.checked_sub(self.first_wall).map(|start| start..start + count * CHUNK);
        let wall_torque = optional(on_walls.and_then(|places| self.wall_torque.get_mut(places)), count);
        (
            self.place[places.clone()].as_chunks_mut().0,
            self.wrench.as_mut_slice()[places.clone()].as_chunks_mut().0,
            self.mode[places].as_chunks_mut().0,
            couple,
            wall_torque,
        )
            .into_par_iter()
            .map(|(place, wrench, mode, couple, wall_torque)| (place, ForceChunk { wrench, mode, couple, wall_torque }))
    }

    /// The pass over all contacts, what it writes, and the sums that are taken within it.
    pub(crate) fn pass<'a>(
        &'a mut self,
        finishing: Option<&'a FusedUpdate<'a>>,
        width: Width,
    ) -> (&'a Schedule, Written<'a>, Option<Reduction<'a>>) {
        let Self { schedule, wrench, mode, couple, wall_torque, incidence, load, .. } = self;
        let plan = schedule.reduction.as_ref();
        let groups = plan.filter(|_| finishing.is_none()).map_or(0, |plan| plan.groups());
        if load.len() != groups {
            *load = vec![GroupSums::default(); groups];
        }
        let written = Written {
            wrench: TurnColumn::new(wrench.as_mut_slice()),
            mode: TurnColumn::new(mode),
            couple: TurnColumn::new(couple),
            wall_torque: TurnColumn::new(wall_torque),
            first_wall: self.first_wall,
            are_kept: !self.lost,
        };
        let reduction = plan.map(|plan| Reduction {
            plan,
            incidence,
            asks_ahead: plan.first_reads.is_some(),
            target: finishing.map_or_else(|| Target::Sums(TurnColumn::new(load)), Target::Integrator),
            width,
        });
        (schedule, written, reduction)
    }

    /// Gives the candidates from `first` on, the first of a chunk, the forces they had in another list: `from` has what `force` knows each by,
    /// or [`RecordPlace::NONE`].
    pub(crate) fn take_over(
        &mut self,
        first: usize,
        from: &[u32],
        force: impl Fn(u32) -> Option<TouchingForce> + Sync,
    ) {
        let are_walls = first >= self.first_wall;
        // lost wrenches are not written, not even as NaN: their pages need not become resident
        let are_lost = self.is_lost(first);
        let chunks = self.chunks_to_select(first / CHUNK, from.len().div_ceil(CHUNK));
        chunks.zip(from.par_chunks(CHUNK)).for_each(|((place, mut chunk), from)| {
            let mut near = 0;
            for (local, &number) in from.iter().enumerate().filter(|&(_, &number)| number != RecordPlace::NONE) {
                let Some(force) = force(number) else { continue };
                if !are_walls {
                    place[local] = near;
                    near += 1;
                }
                if are_lost {
                    chunk.mode[place[local] as usize] = force.mode as u8;
                } else {
                    chunk.put(place[local] as usize, force);
                }
            }
        });
    }

    /// What is known of the forces of the contacts of particles with first bodies among some slots, on its way to another process.
    pub fn export(&self, list: &ContactList, ids: &[u64], includes: impl Fn(usize) -> bool) -> Vec<ExportedForce> {
        let mut exported = Vec::new();
        for segment in &list.segments {
            for candidate in (segment.start..segment.end).map(|candidate| candidate as usize) {
                if let Some(force) = self.take(candidate).filter(|_| includes(list.first[candidate] as usize)) {
                    exported.push(ExportedForce { key: list.key(segment, candidate, ids), force });
                }
            }
        }
        exported
    }

    /// Gives the contacts of a list, which have no forces yet, those that were exported. `forces` must be in order of keys.
    pub fn import(&mut self, list: &ContactList, ids: &[u64], forces: &[ExportedForce]) {
        for segment in &list.segments {
            let candidates = (segment.start..segment.end).map(|candidate| candidate as usize);
            let from: Vec<u32> = candidates
                .map(|candidate| {
                    let key = list.key(segment, candidate, ids);
                    forces.binary_search_by_key(&key, |force| force.key).map_or(RecordPlace::NONE, |at| at as u32)
                })
                .collect();
            self.take_over(segment.start as usize, &from, |number| {
                forces.get(number as usize).map(|force| force.force)
            });
        }
        self.update_incidence(list);
    }

    /// Whether the surfaces of a candidate touch: false for pairs that attract or repel each other at a distance.
    #[inline]
    pub fn touches(&self, candidate: usize) -> bool {
        self.mode(candidate).is_some_and(|mode| mode != Mode::Apart)
    }

    /// Mode of a candidate, if it touches.
    pub fn mode(&self, candidate: usize) -> Option<Mode> {
        self.place(candidate).map(|at| Mode::from_number(self.mode[at]))
    }
}

/// Vectors of zero; pages that are never written do not become resident.
fn zeroed(count: usize) -> Vec<DVec3> {
    bytemuck::allocation::zeroed_vec(count)
}

/// The chunks of a column that may be missing.
fn optional(
    column: Option<&mut [DVec3]>,
    count: usize,
) -> impl IndexedParallelIterator<Item = Option<&mut [DVec3; CHUNK]>> {
    match column {
        Some(column) => Either::Left(column.as_chunks_mut().0.par_iter_mut().map(Some)),
        None => Either::Right((0..count).into_par_iter().map(|_| None)),
    }
}

/// A contact list with the forces on it.
pub struct LoadedList<'a> {
    /// The list.
    pub list: &'a ContactList,
    /// Forces of its touching candidates.
    pub forces: &'a ContactForces,
}
