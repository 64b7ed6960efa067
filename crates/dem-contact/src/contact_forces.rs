//! What an evaluation of the contacts leaves behind: the wrench and mode of every contact that touches.
//!
//! Wrenches of pairs lie in the order of the near candidates of their chunk, so that those that are summed together fill few lines of the
//! cache and a near candidate that does not touch costs a line of zeros, but no question. Sums go over `Incidence`, the near candidates
//! of every particle in canonical order, which is drawn up whenever the selection of near candidates changes.

use dem_core::DVec3;
use dem_core::contact_list::{CHUNK, ContactKey, ContactList, PartnerKind};
use dem_core::history::ContactWork;
use dem_core::lanes::{Real, Term};
use rayon::iter::Either;
use rayon::prelude::*;

use crate::geometry::Levers;
pub use crate::incidence::GROUP;
use crate::incidence::Incidence;
use crate::law::{ElasticEnergy, Mode, Response, Stiffness};
use crate::near_list::NearChunk;
pub use crate::wrench::Wrench;
use crate::wrench::Wrenches;

/// Terms by which wrenches are asked for before they are read: some particles.
const AHEAD: usize = 64;
/// Wrenches that fill a good part of the second level of caches, half a megabyte; asking costs something where they are at hand.
const MANY: usize = 1 << 13;

/// Marks a candidate that is not near.
pub(crate) const NOT_NEAR: u16 = u16::MAX;
/// Mode of a near candidate that does not touch.
pub(crate) const NOT_TOUCHING: u8 = u8::MAX;

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
            // one more, for what does not touch anything
            wrench: Wrenches::zeroed(places + 1),
            mode: vec![NOT_TOUCHING; places],
            couple: if couples { bytemuck::allocation::zeroed_vec(places) } else { Vec::new() },
            wall_torque: bytemuck::allocation::zeroed_vec(places - first_wall),
            first_wall,
            incidence: Incidence::default(),
            stale: true,
        }
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
            self.incidence.draw_up(&list.incidence_row, &list.incidence, &self.place);
        }
    }

    /// Wrench of a candidate, if it touches.
    #[inline]
    pub fn get(&self, candidate: usize) -> Option<&Wrench> {
        self.place(candidate).map(|at| &self.wrench.as_slice()[at])
    }

    /// Wrench of a pair of particles, zero if it does not touch; without a branch.
    #[inline(always)]
    pub fn wrench_of_pair(&self, candidate: usize) -> &Wrench {
        let place = self.place[candidate];
        // near pairs that do not touch have a wrench of zero
        let near = &self.wrench.as_slice()[candidate / CHUNK * CHUNK + place as usize % CHUNK];
        [&Wrench::ZERO, near][usize::from(place != NOT_NEAR)]
    }

    /// Couple on the first body of a candidate, the opposite acts on the second \[N m\]; zero if it does not touch.
    pub fn couple(&self, candidate: usize) -> DVec3 {
        self.place(candidate).and_then(|at| self.couple.get(at)).copied().unwrap_or(DVec3::ZERO)
    }

    /// Torque of a candidate on its wall about the wall's reference point \[N m\]; zero if it does not touch or is no wall.
    pub fn torque_on_wall(&self, candidate: usize) -> DVec3 {
        let place = self.place(candidate).and_then(|at| at.checked_sub(self.first_wall));
        place.and_then(|at| self.wall_torque.get(at)).copied().unwrap_or(DVec3::ZERO)
    }

    /// What a gather reads.
    pub fn columns(&self) -> ForceColumns<'_> {
        ForceColumns { incidence: &self.incidence, wrench: self.wrench.as_slice(), couple: &self.couple }
    }

    /// Everything about one touching candidate, for the way to another list.
    pub(crate) fn take(&self, candidate: usize) -> Option<TouchingForce> {
        self.place(candidate).map(|at| TouchingForce {
            wrench: self.wrench.as_slice()[at],
            mode: Mode::from_number(self.mode[at]),
            couple: self.couple(candidate),
            wall_torque: self.torque_on_wall(candidate),
        })
    }

    /// What `count` chunks from chunk `first` on write, chunk by chunk.
    pub(crate) fn chunks(&mut self, first: usize, count: usize) -> impl IndexedParallelIterator<Item = ForceChunk<'_>> {
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
            .map(|(place, wrench, mode, couple, wall_torque)| ForceChunk {
                place,
                wrench,
                mode,
                couple,
                wall_torque,
            })
    }

    /// Gives a candidate the force it had in another list; `number` counts those of its chunk.
    pub(crate) fn put(&mut self, candidate: usize, number: u16, force: TouchingForce) {
        if candidate < self.first_wall {
            self.place[candidate] = number;
        }
        let at = candidate / CHUNK * CHUNK + self.place[candidate] as usize;
        self.wrench.as_mut_slice()[at] = force.wrench;
        self.mode[at] = force.mode as u8;
        if let Some(couple) = self.couple.get_mut(at) {
            *couple = force.couple;
        }
        if let Some(torque) = at.checked_sub(self.first_wall).and_then(|at| self.wall_torque.get_mut(at)) {
            *torque = force.wall_torque;
        }
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

/// What one chunk of candidates writes.
pub(crate) struct ForceChunk<'a> {
    pub place: &'a mut [u16; CHUNK],
    pub wrench: &'a mut [Wrench; CHUNK],
    pub mode: &'a mut [u8; CHUNK],
    /// None if no law exerts couples.
    pub couple: Option<&'a mut [DVec3; CHUNK]>,
    /// None for pairs of particles.
    pub wall_torque: Option<&'a mut [DVec3; CHUNK]>,
}

impl ForceChunk<'_> {
    /// Nothing in the first `count` places touches.
    pub fn clear(&mut self, count: usize) {
        self.mode[..count].fill(NOT_TOUCHING);
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

/// Force and torque of the contacts of the particles of a group: three numbers each and one that means nothing, a line of the processor's
/// cache per particle.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct GroupSums(pub [[f64; 8]; GROUP]);

impl Default for GroupSums {
    fn default() -> Self {
        Self([[0.0; 8]; GROUP])
    }
}

/// The columns that the sums of particles read.
#[derive(Clone, Copy, Debug)]
pub struct ForceColumns<'a> {
    incidence: &'a Incidence,
    wrench: &'a [Wrench],
    couple: &'a [DVec3],
}

impl<'a> ForceColumns<'a> {
    /// Takes the sums of the contacts of `count` particles from slot `first` on. They belong to one [`GROUP`].
    #[inline(always)]
    pub fn sum_group<R: Real>(&self, first: usize, count: usize, sums: &mut GroupSums) {
        let terms = self.incidence.of(first, count);
        let ahead = if self.wrench.len() < MANY { &[] } else { self.incidence.after(first, AHEAD) };
        self.sum::<R>(terms, ahead, &mut sums.0);
    }

    /// Force and torque of the contacts of the particle in a slot: three numbers each and one that means nothing.
    #[inline]
    pub fn sum_of(&self, slot: usize) -> [f64; 8] {
        let mut sum = [0.0; 8];
        self.sum::<f64>(self.incidence.of(slot, 1), &[], std::slice::from_mut(&mut sum));
        sum
    }

    #[inline(always)]
    fn sum<R: Real>(&self, terms: &[Term], ahead: &[Term], sums: &mut [[f64; 8]]) {
        R::sum_rows(bytemuck::cast_slice(self.wrench), terms, ahead, sums);
        if !self.couple.is_empty() {
            self.add_couples(terms, sums);
        }
    }

    #[inline(never)]
    fn add_couples(&self, terms: &[Term], sums: &mut [[f64; 8]]) {
        for (run, sum) in terms.chunk_by(|_, next| next.continues()).zip(sums) {
            for term in run {
                // that of a particle without contacts is behind the last
                let couple = self.couple.get(term.place()).copied().unwrap_or(DVec3::ZERO);
                for k in 0..3 {
                    sum[4 + k] += if term.side() == 0 { couple[k] } else { -couple[k] };
                }
            }
        }
    }
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
    /// From the centre of the first body to that of the second, or to the contact point on a wall \[m\].
    pub branch: DVec3,
    /// Levers of the contact point \[m\].
    pub levers: Levers,
    /// Damping part of the normal force \[N\].
    pub dashpot_force: f64,
    /// Tangent stiffness.
    pub stiffness: Stiffness,
    /// Elastic energy.
    pub energy: ElasticEnergy,
    /// Elastic slip \[m\].
    pub elastic_slip: DVec3,
    /// Work so far.
    pub work: ContactWork,
}
