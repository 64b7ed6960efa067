//! Ghosts and owners are renewed.
//!
//! Between steps, when particles may soon have moved too far, those that have left the part of space of their rank change their owner, with the
//! histories of their contacts, and all ranks find anew which particles others need as ghosts. If particles become faster than expected, ghosts
//! are renewed within a step, once they have been moved and before forces are evaluated; owners stay then. All decisions follow from bounds that
//! all ranks know.
//!
//! A rigid body belongs to the rank that the place of its centre belongs to. It changes its owner, and becomes a ghost, with all its members; those
//! of ghosts are listed apart ([`Bodies::ghosts`](dem_core::bodies::table::Bodies::ghosts)), so that only its owner moves and counts it.

use std::collections::BTreeSet;
use std::sync::Arc;

use dem_core::DVec3;
use dem_core::bodies::body::Body;
use dem_core::history::SavedRecord;
use dem_core::particles::Particles;

use super::components::ForceEvaluation;
use super::displacement_bound::DisplacementBound;
use super::ranks_of_forces::{RankCounts, Ranks, elsewhere};
use crate::error::StepError;
use crate::ranks::decomposition::{Cuts, SAMPLE, place_in, widths};
use crate::ranks::halo::{self, Extent};
use crate::ranks::link::{Ghosts, Link, Traffic};
use crate::ranks::records;
use crate::ranks::share::Shared;
use crate::state::world::World;

/// Space is cut anew if a rank has more particles than the mean by this part.
const IMBALANCE: f64 = 0.1;
/// And by so many.
const FEW: f64 = 64.0;

/// What becomes of the owners of particles.
#[derive(Clone, Copy, PartialEq)]
enum Owners {
    /// They stay.
    Stay,
    /// Particles go to the rank that their place belongs to.
    Change,
    /// Rank 0 has all particles and deals them.
    Dealt,
}

impl ForceEvaluation {
    /// Makes this process one of several ranks. Rank 0 has all particles and deals them; what others have of them is forgotten.
    ///
    /// # Errors
    /// Another rank that cannot go on; a contact list that cannot be made.
    pub(crate) fn join_ranks(&mut self, world: &mut World, link: Arc<Link>) -> Result<(), StepError> {
        world.whole = link.clone();
        // all ranks know the same of what has been moved and evaluated so far
        self.invalidate();
        self.displacement = DisplacementBound::default();
        self.ranks = Some(Box::new(Ranks::new(link)));
        self.renew_ghosts(world, Owners::Dealt)
    }

    /// What has happened between ranks so far.
    pub fn rank_counts(&self) -> Option<RankCounts> {
        let ranks = self.ranks.as_ref()?;
        let Traffic { bytes_told, messages_told, questions } = ranks.link.traffic();
        Some(RankCounts { bytes_told, messages_told, questions, ..ranks.counts })
    }

    /// Has owners change as often as possible, for tests.
    pub fn shuffle_owners(&mut self) {
        if let Some(ranks) = &mut self.ranks {
            ranks.shuffles = true;
        }
    }

    /// Number of particles of all ranks when ghosts were last renewed, if there are several ranks.
    pub(crate) fn particles_of_ranks(&self) -> Option<usize> {
        self.ranks.as_ref().map(|ranks| ranks.particles)
    }

    /// Nobody is told any more of particles that are taken out on all ranks.
    pub(crate) fn forget_ghosts(&mut self, ids: &BTreeSet<u64>) {
        if let Some(ranks) = &mut self.ranks {
            ranks.link.forget(ids);
        }
    }

    /// Renews ghosts and owners before a step, if particles may move too far in it.
    ///
    /// # Errors
    /// As [`Self::join_ranks`].
    pub(crate) fn renew_ghosts_before_step(&mut self, world: &mut World) -> Result<(), StepError> {
        if self.are_ghosts_due() {
            self.renew_ghosts(world, Owners::Change)?;
        }
        self.displacement.begin_step();
        Ok(())
    }

    /// Whether ghosts are renewed before the next step, of which all ranks know the same.
    pub(super) fn are_ghosts_due(&self) -> bool {
        let next = self.displacement.next_exchange();
        self.ranks.as_ref().is_some_and(|ranks| {
            let with_owners = ranks.moved_with_owners + next;
            2.0 * next >= ranks.margin || ranks.moved_with_owners > 0.0 && 2.0 * with_owners >= ranks.margin_of_owners
        })
    }

    /// Renews ghosts within a step, if particles have moved too far.
    ///
    /// # Errors
    /// As [`Self::join_ranks`].
    pub(crate) fn renew_ghosts_in_time(&mut self, world: &mut World) -> Result<(), StepError> {
        let Some(ranks) = &self.ranks else { return Ok(()) };
        if 2.0 * self.displacement.pending_exchange() >= ranks.margin {
            self.renew_ghosts(world, Owners::Stay)?;
        }
        Ok(())
    }

    /// Renews ghosts between steps, so that every rank has all particles, in their present state, that its own may touch once two have approached
    /// each other by `reach` \[m\]. Owners stay, and forces and histories of contacts with them.
    ///
    /// # Errors
    /// As [`Self::join_ranks`].
    pub(crate) fn widen_halo(&mut self, world: &mut World, reach: f64) -> Result<(), StepError> {
        if let Some(ranks) = &mut self.ranks {
            ranks.wanted_margin = reach;
        }
        self.renew_ghosts(world, Owners::Stay)
    }

    /// Sends ghosts away, so that particles can be added; the histories of their contacts are kept.
    ///
    /// # Errors
    /// As [`Self::join_ranks`].
    pub(crate) fn begin_insertion(&mut self, world: &mut World) -> Result<(), StepError> {
        let Some(ranks) = &mut self.ranks else { return Ok(()) };
        let World { kernels, list, particles, .. } = &mut *world;
        let owned = particles.owned();
        let of_ghosts = |first: usize, second: Option<usize>| first.max(second.unwrap_or(0)) >= owned;
        let kept = kernels.iter().map(|kernel| kernel.save_some(list, &particles.id, &of_ghosts)).collect();
        records::join(&mut ranks.kept, kept);
        let slot: Vec<u32> =
            (0..particles.len() as u32).map(|slot| if (slot as usize) < owned { slot } else { u32::MAX }).collect();
        let staying: Vec<u32> = (0..owned as u32).collect();
        particles.rearrange(&staying);
        self.replace_particles(world, &slot)
    }

    /// All ranks have added the same particles behind those of their own, of which there were `owned` before: one of them keeps them, and they go
    /// where they belong.
    ///
    /// # Errors
    /// As [`Self::join_ranks`].
    pub(crate) fn end_insertion(&mut self, world: &mut World, owned: usize) -> Result<(), StepError> {
        let Some(ranks) = &self.ranks else { return Ok(()) };
        if ranks.link.rank() > 0 {
            let staying: Vec<u32> = (0..owned as u32).collect();
            world.particles.rearrange(&staying);
        }
        self.renew_ghosts(world, Owners::Change)
    }

    fn renew_ghosts(&mut self, world: &mut World, owners: Owners) -> Result<(), StepError> {
        let Some(mut ranks) = self.ranks.take() else { return Ok(()) };
        ranks.moved_with_owners = match owners {
            Owners::Stay => ranks.moved_with_owners + self.displacement.since_exchange(),
            Owners::Change | Owners::Dealt => 0.0,
        };
        let renewed = self.renew_with(&mut ranks, world, owners);
        let reach = ranks.reach(world);
        self.ranks = Some(ranks);
        renewed?;
        self.displacement.restart_exchange(reach);
        Ok(())
    }

    fn renew_with(&mut self, ranks: &mut Ranks, world: &mut World, owners: Owners) -> Result<(), StepError> {
        let ids = world.particles.id.clone();
        let owned_before = world.particles.owned();
        if owners != Owners::Stay {
            cut_space(ranks, world, owners)?;
        }
        match owners {
            Owners::Stay => {
                let staying: Vec<u32> = (0..owned_before as u32).collect();
                world.particles.rearrange(&staying);
            }
            Owners::Dealt => deal(ranks, world)?,
            Owners::Change => hand_over(ranks, world)?,
        }
        let sent = exchange_ghosts(ranks, world, self.displacement.longest_step())?;
        ranks.link.set_ghosts(sent);
        let mut by_id: Vec<(u64, u32)> = world.particles.id.iter().copied().zip(0..).collect();
        by_id.sort_unstable();
        let slot_of = |id: u64| by_id.binary_search_by_key(&id, |&(id, _)| id).ok().map(|at| by_id[at].1);
        let slot: Vec<u32> = ids.iter().map(|&id| slot_of(id).unwrap_or(u32::MAX)).collect();
        self.replace_particles(world, &slot)?;
        let World { kernels, list, particles, .. } = world;
        for (law, (kernel, kept)) in kernels.iter_mut().zip(std::mem::take(&mut ranks.kept)).enumerate() {
            kernel.adopt(list, law, &kept, &slot_of);
        }
        ranks.counts.renewals += 1;
        ranks.counts.ghosts = particles.ghosts();
        Ok(())
    }
}

/// The ranks that the particles which are no ghosts belong to, by slots: by their places, of bodies by those of their centres.
fn parts_of(ranks: &Ranks, world: &World) -> Vec<usize> {
    let World { particles: p, cell, .. } = world;
    let part = |centre: DVec3| ranks.cuts.part_of(place_in(cell, centre));
    let mut parts: Vec<usize> = p.position[..p.owned()].iter().map(|&centre| part(centre)).collect();
    for body in &p.bodies.all {
        parts[body.members()].fill(part(body.position));
    }
    parts
}

/// Cuts space anew if that is due, in the same way on all ranks.
fn cut_space(ranks: &mut Ranks, world: &World, owners: Owners) -> Result<(), StepError> {
    let link = ranks.link.clone();
    let (p, cell, transport) = (&world.particles, &world.cell, link.transport());
    let size = transport.size();
    let places = |most: usize| {
        let stride = p.owned().div_ceil(most.max(1)).max(1);
        let centre = |slot: usize| p.body_of(slot).map_or(p.position[slot], |body| body.position);
        (0..p.owned()).step_by(stride).map(|slot| place_in(cell, centre(slot))).collect::<Vec<DVec3>>()
    };
    let count = (p.owned() as u64).to_le_bytes().to_vec();
    let counts = transport.all_gather(count).map_err(elsewhere)?;
    let counts: Vec<u64> =
        counts.iter().map(|bytes| bytes.first_chunk().map_or(0, |b| u64::from_le_bytes(*b))).collect();
    let (all, most) = (counts.iter().sum::<u64>(), counts.iter().copied().max().unwrap_or(0));
    ranks.particles = all as usize;
    let mean = all as f64 / size as f64;
    let is_due = most as f64 > (1.0 + IMBALANCE) * mean + FEW.min(0.5 * mean);
    if !(is_due || ranks.shuffles || owners == Owners::Dealt) {
        return Ok(());
    }
    // the same share of the particles of each rank
    let share = (SAMPLE as f64 / all.max(1) as f64).min(1.0);
    let own = places((share * p.owned() as f64).ceil() as usize);
    let own: Vec<u8> = own.iter().flat_map(|place| place.to_array()).flat_map(f64::to_le_bytes).collect();
    let samples = transport.all_gather(own).map_err(elsewhere)?;
    let numbers: Vec<f64> =
        samples.iter().flat_map(|bytes| bytes.as_chunks().0).map(|b| f64::from_le_bytes(*b)).collect();
    let mut sample: Vec<DVec3> = numbers.as_chunks().0.iter().map(|&place: &[f64; 3]| place.into()).collect();
    let mut extents = widths(cell);
    if ranks.shuffles {
        // another axis is the longest every time
        extents[(ranks.counts.rebalancings % 3) as usize] *= 1e3;
    }
    ranks.cuts = Cuts::of(&mut sample, extents, size);
    ranks.counts.rebalancings += u64::from(owners != Owners::Dealt);
    Ok(())
}

/// Own particles, by the ranks that their places belong to.
struct Destinations {
    /// Slots by ranks.
    of: Vec<Vec<u32>>,
    /// Ranks by slots.
    by_slot: Vec<usize>,
}

impl Destinations {
    fn find(ranks: &Ranks, world: &World) -> Self {
        let by_slot = parts_of(ranks, world);
        let mut of = vec![Vec::new(); ranks.link.size()];
        by_slot.iter().zip(0..).for_each(|(&to, slot)| of[to].push(slot));
        Self { of, by_slot }
    }

    /// The particles of a rank with the histories of their contacts.
    fn message(&self, ranks: &Ranks, world: &World, to: usize) -> Vec<u8> {
        if self.of[to].is_empty() {
            return Vec::new();
        }
        let World { particles, kernels, list, .. } = world;
        let goes_there = |slot: usize| self.by_slot.get(slot) == Some(&to);
        let includes = |first: usize, second: Option<usize>| goes_there(first) || second.is_some_and(goes_there);
        let mut histories: Vec<_> =
            kernels.iter().map(|kernel| kernel.save_some(list, &particles.id, &includes)).collect();
        records::join(&mut histories, kept_of(ranks, particles, &self.of[to]));
        let mut message = records::to_bytes(&histories);
        message.extend(particles.pack(&self.of[to]));
        message
    }
}

/// Takes in the particles of a message behind all others, with the histories of their contacts. Returns how many they are.
fn take_in(ranks: &mut Ranks, particles: &mut Particles, message: &[u8]) -> Result<usize, StepError> {
    if message.is_empty() {
        return Ok(0);
    }
    let mut rest = message;
    let histories = records::take_from_bytes(&mut rest).ok_or_else(|| StepError::Elsewhere(GARBLED.to_owned()))?;
    records::join(&mut ranks.kept, histories);
    particles.append_packed(rest).map_err(StepError::Elsewhere)
}

/// Sends particles to the ranks that their places belong to, with the histories of their contacts, and takes in those that come. There are no
/// ghosts afterwards.
fn hand_over(ranks: &mut Ranks, world: &mut World) -> Result<(), StepError> {
    let (size, rank) = (ranks.link.size(), ranks.link.rank());
    let goals = Destinations::find(ranks, world);
    let message = |to: usize| if to == rank { Vec::new() } else { goals.message(ranks, world, to) };
    let messages: Vec<Vec<u8>> = (0..size).map(message).collect();
    let staying = &goals.of[rank];
    ranks.counts.handed_over += (goals.by_slot.len() - staying.len()) as u64;
    let leaves = |body: &&Body| goals.by_slot[body.first as usize] != rank;
    ranks.counts.bodies_handed_over += world.particles.bodies.all.iter().filter(leaves).count() as u64;
    let received = ranks.link.transport().all_to_all(messages).map_err(elsewhere)?;
    world.particles.rearrange(staying);
    let mut arrived = staying.len();
    for message in &received {
        arrived += take_in(ranks, &mut world.particles, message)?;
    }
    world.particles.set_owned(arrived);
    world.particles.put_in_order();
    Ok(())
}

/// Rank 0 sends all others their particles, one after the other: messages to all of them would take as much memory as the particles.
fn deal(ranks: &mut Ranks, world: &mut World) -> Result<(), StepError> {
    let link = ranks.link.clone();
    let transport = link.transport();
    if link.rank() > 0 {
        world.particles.rearrange(&[]);
        let message = transport.receive(0).map_err(elsewhere)?;
        let arrived = take_in(ranks, &mut world.particles, &message)?;
        world.particles.set_owned(arrived);
        world.particles.put_in_order();
        transport.send(0, Vec::new());
        return Ok(());
    }
    let goals = Destinations::find(ranks, world);
    for to in 1..link.size() {
        transport.send(to, goals.message(ranks, world, to));
        transport.receive(to).map_err(elsewhere)?;
    }
    world.particles.rearrange(&goals.of[0]);
    world.particles.set_owned(goals.of[0].len());
    Ok(())
}

/// Histories of contacts of particles in some slots with ghosts that are away for a while.
fn kept_of(ranks: &Ranks, particles: &Particles, slots: &[u32]) -> Vec<Vec<SavedRecord>> {
    if ranks.kept.iter().all(Vec::is_empty) {
        return Vec::new();
    }
    let ids: BTreeSet<u64> = slots.iter().map(|&slot| particles.id[slot as usize]).collect();
    let is_theirs = |saved: &&SavedRecord| ids.contains(&saved.key.first) || ids.contains(&saved.key.second);
    ranks.kept.iter().map(|records| records.iter().filter(is_theirs).cloned().collect()).collect()
}

/// A message that cannot have been sent.
const GARBLED: &str = "a message between ranks is garbled: they may be of different versions";

/// Finds which particles others need, and takes in those that are needed here, behind those of one's own.
fn exchange_ghosts(ranks: &mut Ranks, world: &mut World, step: f64) -> Result<Ghosts, StepError> {
    let link = ranks.link.clone();
    let (size, rank, transport) = (link.size(), link.rank(), link.transport());
    let own = Extent::of(&world.particles, &world.cell).to_bytes();
    let extents = transport.all_gather(own).map_err(elsewhere)?;
    let extents = extents.iter().map(|bytes| Extent::from_bytes(bytes)).collect::<Option<Vec<Extent>>>();
    let extents = extents.ok_or_else(|| StepError::Elsewhere(GARBLED.to_owned()))?;
    ranks.margin_of_owners = halo::margin(&extents, step);
    ranks.margin = ranks.margin_of_owners.max(std::mem::take(&mut ranks.wanted_margin));
    world.largest_radius_elsewhere = extents.iter().map(|extent| extent.radii[1]).fold(0.0, f64::max);
    world.fit_ranges();
    let reach = world.range() + ranks.margin;
    let needed = |to: usize| {
        if to == rank { Vec::new() } else { extents[to].needed(&world.particles, &world.cell, reach) }
    };
    let told: Vec<Vec<u32>> = (0..size).map(needed).collect();
    let pack = |slots: &Vec<u32>| if slots.is_empty() { Vec::new() } else { world.particles.pack(slots) };
    let received = transport.all_to_all(told.iter().map(pack).collect()).map_err(elsewhere)?;
    let told = told.into_iter().map(|slots| Shared::new(&world.particles, slots)).collect();
    let owned = world.particles.owned();
    let mut heard = Vec::new();
    for message in &received {
        let first = world.particles.len();
        if !message.is_empty() {
            append(&mut world.particles, message)?;
        }
        heard.push(Shared::new(&world.particles, (first as u32..world.particles.len() as u32).collect()));
    }
    world.particles.set_owned(owned);
    // whoever hears of them finds them by their ids
    world.particles.put_in_order();
    Ok(Ghosts { told, heard })
}

fn append(particles: &mut Particles, message: &[u8]) -> Result<(), StepError> {
    particles.append_packed(message).map(drop).map_err(StepError::Elsewhere)
}
