//! What an evaluation of the contacts leaves behind: the wrench and mode of every contact that touches.
//!
//! Wrenches of pairs lie in the order of the near candidates of their chunk, so that those that are summed together fill few lines of the
//! cache and a near candidate that does not touch costs a line of zeros, but no question. Sums go over `Incidence`, the near candidates
//! of every particle in canonical order, which is drawn up whenever the selection of near candidates changes. In large assemblies they are
//! taken [within the pass over contacts](crate::force_loop::sweep::schedule), and wrenches that nobody asks for are lost then.

use std::sync::Arc;

use dem_core::DVec3;
use dem_core::contact_list::{CHUNK, ContactKey, ContactList, PartnerKind};
use dem_core::history::{ContactWork, RecordPlace};
use dem_core::lanes::{TurnColumn, Width};
use rayon::iter::Either;
use rayon::prelude::*;

use crate::force_loop::kinematics::geometry::Levers;
use crate::force_loop::neighbours::near_list::NearChunk;
use crate::force_loop::reduction::fused_integration::FusedUpdate;
use crate::force_loop::reduction::group_reduction::{Reduction, Target};
use crate::force_loop::reduction::incidence::{Incidence, OwnPlaces};
use crate::force_loop::reduction::sums::{self, ForceColumns, GroupSums};
pub use crate::force_loop::reduction::wrench::Wrench;
use crate::force_loop::reduction::wrench::{NOT_NEAR, NOT_TOUCHING, Wrenches};
use crate::force_loop::sweep::first_reads::FirstReads;
use crate::force_loop::sweep::schedule::Schedule;
pub use crate::force_loop::sweep::schedule::{Assembly, SweepPolicy};
use crate::force_loop::sweep::turn::Turn;
use crate::law::{Dashpots, ElasticEnergy, Mode, Response, Stiffness};

/// Result of an evaluation: wrenches of the touching candidates of all segments.
#[derive(Clone, Debug, Default)]
pub struct ContactForces {
    /// Largest overlap in proportion to the smaller radius in the last evaluation \[-\].
    pub largest_overlap_ratio: f64,
    /// Place in its chunk of every candidate's wrench: its number among the near ones for a pair, in the chunk for a wall; or
    /// [`NOT_NEAR`].
    place: Vec<u16>,
    pub(crate) wrench: Wrenches,
    /// Numbers of the modes, where the wrenches are, or [`NOT_TOUCHING`].
    pub(crate) mode: Vec<u8>,
    /// Couples on the first bodies, where the wrenches are; empty if no law exerts any.
    pub(crate) couple: Vec<DVec3>,
    /// Torques on walls about their reference points; the first belongs to the place `first_wall`.
    pub(crate) wall_torque: Vec<DVec3>,
    pub(crate) first_wall: usize,
    incidence: Incidence,
    /// Whether places have changed since the incidence was drawn up.
    pub(crate) stale: bool,
    /// Whether the pass over the contacts has been planned.
    is_planned: bool,
    schedule: Schedule,
    /// Sums by groups of slots, if they are taken within the pass and kept.
    load: Vec<GroupSums>,
    /// Whether wrenches of pairs have been lost in frames.
    lost: bool,
}

impl ContactForces {
    /// Room for the candidates of a list; nothing touches until the next evaluation. `couples` tells whether any law exerts couples.
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

    /// Takes over what does not go by contacts from the forces on the list before.
    pub fn succeed(&mut self, old: &Self) {
        self.largest_overlap_ratio = old.largest_overlap_ratio;
        self.lost = old.lost;
    }

    /// Gives back the memory of what only sums need, of forces that are about to be replaced.
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
            // where nothing touches, places were not kept at zero
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

    /// Must be called before contacts are evaluated: tells whether anybody asks for the wrenches of pairs after the evaluation.
    pub fn begin(&mut self, is_unseen: bool) {
        let are_lost = is_unseen && self.is_streaming();
        if are_lost && !self.lost {
            // gives back its memory, which nobody is going to write to
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
    pub(crate) fn frontier(&self) -> Option<Arc<FirstReads>> {
        self.schedule.reduction.as_ref().and_then(|plan| plan.frontier.clone())
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

    /// Draws up the near candidates of every particle if they may have changed.
    pub fn update_incidence(&mut self, list: &ContactList) {
        if std::mem::take(&mut self.stale) {
            let (row, all) = (&list.incidence_row, &list.incidence);
            match &self.schedule.reduction {
                Some(plan) => self.incidence.draw_up(row, all, &self.place, plan),
                None => self.incidence.draw_up(row, all, &self.place, &OwnPlaces(self.place.len())),
            }
        }
    }

    /// Wrench of a candidate, if it touches; one of no numbers if it [is not known](Self::are_known).
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

    /// Couple on the first body of a candidate, the opposite acts on the second \[N m\]; zero if it does not touch, no numbers if it
    /// [is not known](Self::are_known).
    pub fn couple(&self, candidate: usize) -> DVec3 {
        let couple = self.place(candidate).and_then(|at| self.couple.get(at));
        couple.map_or(DVec3::ZERO, |&couple| if self.is_lost(candidate) { DVec3::NAN } else { couple })
    }

    /// Torque of a candidate on its wall about the wall's reference point \[N m\]; zero if it does not touch or is no wall.
    pub fn torque_on_wall(&self, candidate: usize) -> DVec3 {
        let place = self.place(candidate).and_then(|at| at.checked_sub(self.first_wall));
        place.and_then(|at| self.wall_torque.get(at)).copied().unwrap_or(DVec3::ZERO)
    }

    /// What a gather reads. After an evaluation with an [integrator that finishes particles](crate::force_loop::reduction::fused_integration), which has taken the sums, there
    /// are none to be had: to ask for one panics.
    pub fn columns(&self) -> ForceColumns<'_> {
        // those in frames are gone
        let wrench = if self.is_streaming() { &[] } else { self.wrench.as_slice() };
        ForceColumns {
            incidence: &self.incidence,
            wrench: bytemuck::cast_slice(wrench).into(),
            couple: self.couple[..].into(),
            load: &self.load,
            asks_ahead: wrench.len() >= sums::MANY,
        }
    }

    /// Everything about one touching candidate, for the way to another list.
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
            asks_ahead: plan.frontier.is_some(),
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
        // what has been lost is not told of by any number: its pages need not become resident
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

/// Vectors of zero; pages that nobody writes to do not become resident.
fn zeroed(count: usize) -> Vec<DVec3> {
    bytemuck::allocation::zeroed_vec(count)
}

/// What a pass over contacts writes: every chunk in its turn.
pub(crate) struct Written<'a> {
    wrench: TurnColumn<'a, Wrench>,
    mode: TurnColumn<'a, u8>,
    /// Empty if no law exerts couples.
    couple: TurnColumn<'a>,
    /// The first belongs to the candidate `first_wall`.
    wall_torque: TurnColumn<'a>,
    first_wall: usize,
    /// Whether wrenches in frames are kept in places of their own, too.
    are_kept: bool,
}

impl Written<'_> {
    /// What the chunk of a turn writes.
    ///
    /// # Safety
    /// It is the chunk's turn: nobody else has what it writes, and the sums of what was in its frame before have been taken.
    #[expect(unsafe_code, reason = "the chunk's turn has come")]
    pub unsafe fn take(&self, turn: &Turn) -> Option<ForceChunk<'_>> {
        let start = turn.candidates.start;
        // SAFETY: the caller's promise
        unsafe {
            Some(ForceChunk {
                wrench: self.wrench.part(turn.place..turn.place + CHUNK).first_chunk_mut()?,
                mode: self.mode.part(start..start + CHUNK).first_chunk_mut()?,
                couple: chunk_of(&self.couple, turn.place),
                wall_torque: start.checked_sub(self.first_wall).and_then(|at| chunk_of(&self.wall_torque, at)),
            })
        }
    }

    /// Copies the first wrenches of a chunk, so many, from its frame to where they stay, if they do.
    ///
    /// # Safety
    /// As [`Self::take`].
    #[expect(unsafe_code, reason = "the chunk's turn has come")]
    pub unsafe fn keep(&self, turn: &Turn, near: usize) {
        let start = turn.candidates.start;
        if !self.are_kept || turn.place == start {
            return;
        }
        // SAFETY: the caller's promise
        unsafe {
            self.wrench.part(start..start + near).copy_from_slice(self.wrench.part(turn.place..turn.place + near));
            if !self.couple.is_empty() {
                self.couple.part(start..start + near).copy_from_slice(self.couple.part(turn.place..turn.place + near));
            }
        }
    }

    /// What the sums of groups are taken from.
    pub fn columns<'b>(&'b self, incidence: &'b Incidence, asks_ahead: bool) -> ForceColumns<'b> {
        ForceColumns { incidence, wrench: self.wrench.lines(), couple: self.couple.reader(), load: &[], asks_ahead }
    }
}

/// The vectors of a chunk from a place on, if the column has any.
///
/// # Safety
/// As [`TurnColumn::part`].
#[expect(unsafe_code, clippy::mut_from_ref, reason = "the chunk's turn has come")]
unsafe fn chunk_of<'b>(column: &'b TurnColumn<'_>, start: usize) -> Option<&'b mut [DVec3; CHUNK]> {
    if column.is_empty() {
        return None;
    }
    // SAFETY: the caller's promise
    unsafe { column.part(start..start + CHUNK) }.first_chunk_mut()
}

/// What one chunk of candidates writes.
pub(crate) struct ForceChunk<'a> {
    pub wrench: &'a mut [Wrench; CHUNK],
    pub mode: &'a mut [u8; CHUNK],
    /// None if no law exerts couples.
    pub couple: Option<&'a mut [DVec3; CHUNK]>,
    /// None for pairs of particles.
    pub wall_torque: Option<&'a mut [DVec3; CHUNK]>,
}

impl ForceChunk<'_> {
    fn put(&mut self, at: usize, force: TouchingForce) {
        self.wrench[at] = force.wrench;
        self.mode[at] = force.mode as u8;
        if let Some(couple) = &mut self.couple {
            couple[at] = force.couple;
        }
        if let Some(torque) = &mut self.wall_torque {
            torque[at] = force.wall_torque;
        }
    }
}

impl ForceChunk<'_> {
    /// Nothing in the first `count` places touches, whatever their wrenches are.
    pub fn clear_modes(&mut self, count: usize) {
        self.mode[..count].fill(NOT_TOUCHING);
    }

    /// No forces in the first `count` places.
    pub fn clear_wrenches(&mut self, count: usize) {
        self.wrench[..count].fill(Wrench::ZERO);
        if let Some(couple) = &mut self.couple {
            couple[..count].fill(DVec3::ZERO);
        }
    }

    /// Nothing with a near candidate's number as its place touches.
    pub fn forget(&mut self, near: &NearChunk) {
        for &number in &near.candidate[..*near.count as usize] {
            let at = number as usize % CHUNK;
            self.mode[at] = NOT_TOUCHING;
            self.wrench[at] = Wrench::ZERO;
            if let Some(couple) = &mut self.couple {
                couple[at] = DVec3::ZERO;
            }
        }
    }
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

/// Everything about one touching candidate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TouchingForce {
    wrench: Wrench,
    mode: Mode,
    couple: DVec3,
    wall_torque: DVec3,
}

/// Load of one contact on its two bodies.
#[derive(Clone, Copy, Debug)]
pub struct PairLoad {
    force: DVec3,
    moment: DVec3,
    couple: DVec3,
    lever: [f64; 2],
}

impl PairLoad {
    pub(crate) fn new(normal: DVec3, levers: &Levers, response: Response) -> Self {
        let tangential = DVec3::from(response.tangential_force);
        Self {
            force: tangential - normal * response.normal_force,
            moment: normal.cross(tangential),
            couple: response.couple.into(),
            lever: [levers.first_length, levers.second_length],
        }
    }

    /// Force \[N\] and torque about the centre \[N m\] on the first body (side 0) or, if it is a particle, on the second (side 1).
    pub fn on(&self, side: usize) -> (DVec3, DVec3) {
        let sign = if side == 0 { 1.0 } else { -1.0 };
        (self.force * sign, self.moment * self.lever[side] + self.couple * sign)
    }
}

/// A contact list with the forces on it.
pub struct LoadedList<'a> {
    /// The list.
    pub list: &'a ContactList,
    /// Forces of its touching candidates.
    pub forces: &'a ContactForces,
}

/// A contact as seen by outputs, energy sums and the time-step bound: it touches, or is within the range of its law.
#[derive(Clone, Copy, Debug)]
pub struct ContactView {
    /// Identity.
    pub key: ContactKey,
    /// Place in the contact list.
    pub candidate: usize,
    /// Slot of the first particle.
    pub first: usize,
    /// Slot of the second particle, or number of the wall.
    pub second: usize,
    /// Unit normal from the first body to the second.
    pub normal: DVec3,
    /// Overlap \[m\]; negative within the range of a law that acts at a distance.
    pub overlap: f64,
    /// Whether it counts as a contact: the surfaces touch, or bodies that have touched still hold on to each other.
    pub touches: bool,
    /// From the centre of the first body to that of the second, or to the contact point on a wall \[m\].
    pub branch: DVec3,
    /// Levers of the contact point \[m\].
    pub levers: Levers,
    /// Damping part of the normal force, if the law keeps it \[N\].
    pub(crate) kept_dashpot_force: Option<f64>,
    /// Tangential force on the first body without what dashpots add to it, if that differs from the whole \[N\].
    pub(crate) kept_tangential_force: Option<DVec3>,
    /// Elastic part of the normal force \[N\].
    pub elastic_force: f64,
    /// Tangent stiffness.
    pub stiffness: Stiffness,
    /// Viscosities of its dashpots.
    pub dashpots: Dashpots,
    /// Elastic energy.
    pub energy: ElasticEnergy,
    /// Elastic slip \[m\].
    pub elastic_slip: DVec3,
    /// Work so far.
    pub work: ContactWork,
}

impl ContactView {
    /// Damping part of the normal force \[N\], given the force on the first body.
    pub fn dashpot_force(&self, force: DVec3) -> f64 {
        self.kept_dashpot_force.unwrap_or_else(|| -force.dot(self.normal) - self.elastic_force)
    }

    /// Damping part of the whole force on the first body, of normal and tangential dashpots and contact damping \[N\], given that force.
    pub fn viscous_force(&self, force: DVec3) -> DVec3 {
        let tangential = self.kept_tangential_force.map_or(DVec3::ZERO, |rest| force.reject_from(self.normal) - rest);
        tangential - self.normal * self.dashpot_force(force)
    }
}
