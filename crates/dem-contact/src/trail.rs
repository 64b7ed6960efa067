//! Sums of particles that trail the pass of the law.
//!
//! In large assemblies a wrench has left the caches by the time at which it is summed, and steps wait for memory. So the sums of a group of
//! particles are taken as soon as all its contacts are computed, and the place of a wrench is used again once it has been summed: few
//! wrenches exist at any time, and they stay in the caches. Slots are ordered in space, so that the contacts of a group lie in few chunks.
//!
//! The chunks are cut into parts that go side by side. A group that has contacts in several parts, or follows one that has, is late: it is
//! summed after the pass, and its wrenches keep their places until then. Contacts with walls are computed before and copied to where the
//! other wrenches of their groups are. Every sum has the same terms in the same order as one that is taken after the pass, so that no bit
//! depends on any of this.

use std::ops::Range;
use std::sync::Arc;

use dem_core::contact_list::{CHUNK, ContactList, PartnerKind, Segment};
use rayon::prelude::*;

use crate::frontier::Frontier;
use crate::geometry::MANY;
use crate::incidence::{GROUP, Places};

/// What decides whether sums trail.
#[derive(Clone, Copy, Debug)]
pub struct Assembly {
    /// Particles.
    pub particles: usize,
    /// Pairs in the contact list.
    pub pairs: usize,
    /// Pairs that touch; zero if that is not known.
    pub contacts: usize,
}

/// How large an assembly must be for its sums to trail. Results do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrailFrom {
    /// Particles for every two threads: were parts shorter, most groups would be late.
    pub particles: usize,
    /// Pairs in the contact list per particle: where few touch there are few wrenches, and to look for what is complete costs more.
    pub pairs_per_particle: f64,
    /// Contacts on a single thread, where no group is late, however few particles there are.
    pub contacts_alone: usize,
}

impl TrailFrom {
    /// However small.
    pub const ALWAYS: Self = Self { particles: 0, pairs_per_particle: 0.0, contacts_alone: 0 };
    /// However large.
    pub const NEVER: Self = Self { particles: usize::MAX, contacts_alone: usize::MAX, ..Self::ALWAYS };

    /// Whether an assembly is so large.
    pub fn is_reached(self, assembly: Assembly, threads: usize) -> bool {
        let Assembly { particles, pairs, contacts } = assembly;
        let contacts = if contacts == 0 { pairs } else { contacts };
        let is_large = particles >= self.particles.saturating_mul(threads.div_ceil(2));
        let is_large_alone = threads == 1 && contacts >= self.contacts_alone;
        (is_large || is_large_alone) && pairs as f64 >= self.pairs_per_particle * particles as f64
    }
}

impl Default for TrailFrom {
    /// Where it pays: 33,000 particles of a packing have five megabytes of wrenches, and four times as much of everything else that a step
    /// reads; 20,000 wrenches are more than half of the second level of caches of most processors. Lists of packings have some three pairs
    /// per particle and more.
    fn default() -> Self {
        Self { particles: 1 << 15, pairs_per_particle: 2.5, contacts_alone: 20_000 }
    }
}

/// Parts for each thread if there are several: as many as make up for threads of unequal speed. Each costs a layer of late groups.
const PARTS_PER_THREAD: usize = 3;

/// A chunk of a segment of pairs.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    /// Number of the segment.
    pub segment: usize,
    /// Its candidates, from a multiple of [`CHUNK`] on.
    pub candidates: Range<usize>,
}

impl Turn {
    /// Number of the chunk in the list.
    pub fn chunk(&self) -> usize {
        self.candidates.start / CHUNK
    }
}

/// Turns that follow each other, taken by one thread.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub turns: Range<usize>,
    /// Places of its wrenches: those of its frames, and one for each contact with a wall.
    pub places: Range<usize>,
    /// Groups of slots whose last contacts are computed in it.
    pub groups: Range<usize>,
    /// Candidates with walls of particles of its groups and their places, counted from the first of the part.
    pub guests: Vec<(u32, u32)>,
}

/// What goes where and when.
#[derive(Clone, Debug)]
pub(crate) struct Trail {
    pub parts: Vec<Part>,
    /// All chunks of pairs in the order of the sweep through space.
    pub turns: Vec<Turn>,
    /// Place of the first wrench of every turn, counted from the first of its part.
    pub frame: Vec<u32>,
    /// Turn after which a group is complete, at least those of the groups before.
    pub ready: Vec<u32>,
    /// Whether a group or the one before it has contacts in a part other than its own: where lanes read the last particle of the one
    /// before they read a number of its first particle, too, and somebody may change that.
    pub late: Vec<bool>,
    /// Particles that the chunks of each part are the first to read, if there are so many that a chunk asks ahead.
    pub frontier: Option<Arc<Frontier>>,
    /// Part of every group.
    part_of: Vec<u32>,
    /// Place of the first wrench of every chunk of the list.
    place: Vec<u32>,
    /// Places of contacts with walls by their candidates from `first_wall` on.
    guest: Vec<u32>,
    first_wall: usize,
}

impl Trail {
    /// Plans it for the candidates of a list that is large enough.
    pub fn plan(list: &ContactList, contacts: usize, from: TrailFrom, threads: usize) -> Option<Self> {
        let slots = list.incidence_row.len().saturating_sub(1);
        let turns = turns_of(list);
        let pairs = turns.iter().map(|turn| turn.candidates.len()).sum();
        if turns.is_empty() || !from.is_reached(Assembly { particles: slots, pairs, contacts }, threads) {
            return None;
        }
        let parts = if threads > 1 { (PARTS_PER_THREAD * threads).min(turns.len()) } else { 1 };
        let bounds: Vec<usize> = (0..=parts).map(|part| part * turns.len() / parts).collect();
        let ranges: Vec<Range<usize>> = bounds.windows(2).map(|bounds| bounds[0]..bounds[1]).collect();
        let part_of_turn: Vec<u32> =
            ranges.iter().zip(0..).flat_map(|(turns, part)| turns.clone().map(move |_| part)).collect();

        let groups_of_turn = groups_of_turns(list, &turns, slots.div_ceil(GROUP));
        let mut first_turn = vec![u32::MAX; slots.div_ceil(GROUP)];
        let mut ready = vec![0; first_turn.len()];
        for (turn, groups) in (0..).zip(&groups_of_turn) {
            for &group in groups {
                first_turn[group as usize] = turn.min(first_turn[group as usize]);
                ready[group as usize] = turn;
            }
        }
        let mut latest = 0;
        for turn in &mut ready {
            latest = latest.max(*turn);
            *turn = latest;
        }
        let part_of: Vec<u32> = ready.iter().map(|&turn| part_of_turn[turn as usize]).collect();
        let before = std::iter::once(&u32::MAX).chain(&first_turn);
        let late: Vec<bool> = (before.zip(&first_turn).zip(&part_of))
            .map(|((&before, &first), &part)| (before.min(first) as usize) < bounds[part as usize])
            .collect();

        let mut trail = Self {
            parts: Vec::new(),
            turns: Vec::new(),
            frame: Vec::new(),
            ready,
            late,
            frontier: (slots >= MANY).then(|| {
                let turns: Vec<Range<usize>> = turns.iter().map(|turn| turn.candidates.clone()).collect();
                Arc::new(Frontier::draw_up(&list.first, &list.second, &turns, &ranges, slots))
            }),
            part_of,
            place: vec![0; turns.iter().map(|turn| turn.chunk() + 1).max().unwrap_or_default()],
            guest: vec![0; list.first.len() - list.first_wall().min(list.first.len())],
            first_wall: list.first_wall(),
        };
        let mut guests = trail.guests_of_parts(list, parts);
        let (mut place, mut group) = (0, 0);
        for (part, range) in ranges.into_iter().enumerate() {
            let frames = trail.assign_frames(range.clone(), &groups_of_turn);
            for (turn, frame) in turns[range.clone()].iter().zip(&trail.frame[range.clone()]) {
                trail.place[turn.chunk()] = place as u32 + frame;
            }
            let mut guests = std::mem::take(&mut guests[part]);
            for ((candidate, to), at) in guests.iter_mut().zip(frames * CHUNK..) {
                *to = at as u32;
                trail.guest[*candidate as usize - trail.first_wall] = place as u32 + *to;
            }
            let places = place..place + frames * CHUNK + guests.len();
            place = places.end;
            let next = trail.part_of.partition_point(|&of| of as usize <= part);
            trail.parts.push(Part { turns: range, places, groups: group..next, guests });
            group = next;
        }
        Some(Self { turns, ..trail })
    }

    /// Whether there are so many particles that what is needed of them, and wrenches, are asked for ahead.
    pub fn asks_ahead(&self) -> bool {
        self.frontier.is_some()
    }

    /// Candidates with walls by the parts of their particles.
    fn guests_of_parts(&self, list: &ContactList, parts: usize) -> Vec<Vec<(u32, u32)>> {
        let mut guests = vec![Vec::new(); parts];
        for segment in list.segments.iter().filter(|segment| segment.partner == PartnerKind::Wall) {
            for candidate in segment.start..segment.end {
                let part = self.part_of[list.first[candidate as usize] as usize / GROUP];
                guests[part as usize].push((candidate, 0));
            }
        }
        guests
    }

    /// Gives the turns of a part frames, which are used again when everything in them has been summed; returns how many there are.
    fn assign_frames(&mut self, turns: Range<usize>, groups_of_turn: &[Vec<u32>]) -> usize {
        let mut expiring = vec![Vec::new(); turns.len()];
        let (mut free, mut frames) = (Vec::new(), 0);
        for turn in turns.clone() {
            let frame = free.pop().unwrap_or(frames);
            frames = frames.max(frame + 1);
            self.frame.push((frame * CHUNK) as u32);
            let groups = groups_of_turn[turn].iter().map(|&group| group as usize);
            let last = groups.map(|group| if self.late[group] { usize::MAX } else { self.ready[group] as usize }).max();
            if let Some(expiring) = expiring.get_mut(last.unwrap_or(turn).saturating_sub(turns.start)) {
                expiring.push(frame);
            }
            free.append(&mut expiring[turn - turns.start]);
        }
        frames
    }
}

/// The chunks of all segments of pairs in the order of the sweep through space: that of the first slots that they read. A chunk of a pair of
/// materials that meets seldom reads far ahead, and its wrenches wait until the others have come so far.
fn turns_of(list: &ContactList) -> Vec<Turn> {
    let pairs = list.segments.iter().filter(|segment| segment.partner == PartnerKind::Particle);
    let mut turns = Vec::new();
    for (segment, &Segment { start, end, .. }) in pairs.enumerate() {
        let mut earliest = 0;
        for first in (start as usize..end as usize).step_by(CHUNK) {
            // of one segment they stay in their order, whatever the rows are that the list was made of
            earliest = list.first[first].min(list.second[first]).max(earliest);
            turns.push((earliest, Turn { segment, candidates: first..(first + CHUNK).min(end as usize) }));
        }
    }
    turns.sort_by_key(|(earliest, turn)| (*earliest, turn.candidates.start));
    turns.into_iter().map(|(_, turn)| turn).collect()
}

/// Groups of slots that have contacts in each turn.
fn groups_of_turns(list: &ContactList, turns: &[Turn], groups: usize) -> Vec<Vec<u32>> {
    let of_turn = |seen: &mut Vec<usize>, (number, turn): (usize, &Turn)| {
        let mut found = Vec::new();
        let candidates = turn.candidates.clone();
        for &slot in list.first[candidates.clone()].iter().chain(&list.second[candidates]) {
            let group = slot as usize / GROUP;
            if std::mem::replace(&mut seen[group], number) != number {
                found.push(group as u32);
            }
        }
        found
    };
    turns.par_iter().enumerate().map_init(|| vec![usize::MAX; groups], of_turn).collect()
}

impl Places for Trail {
    #[inline(always)]
    fn of(&self, candidate: usize, number: usize) -> usize {
        if candidate < self.first_wall {
            self.place[candidate / CHUNK] as usize + number
        } else {
            self.guest[candidate - self.first_wall] as usize
        }
    }

    /// Sums on the way see the wrenches of their own part only.
    #[inline(always)]
    fn base(&self, group: usize) -> usize {
        if self.late[group] { 0 } else { self.parts[self.part_of[group] as usize].places.start }
    }

    fn count(&self) -> usize {
        self.parts.last().map_or(0, |part| part.places.end)
    }
}

#[cfg(test)]
mod tests {
    use dem_core::contact_list::{CandidateRows, LawSelection, WallCandidate};
    use dem_core::particles::{NewParticle, Particles};
    use dem_core::{DQuat, DVec3};

    use super::*;

    /// 3,000 particles of some materials with partners near and not so near in order of slots, the first and the last too, and every fifth near
    /// a wall.
    fn list(materials: u16) -> ContactList {
        list_with(233, materials)
    }

    fn list_with(farthest: u32, materials: u16) -> ContactList {
        let count = 3000u32;
        let mut particles = Particles::default();
        let mut rows = CandidateRows { row: vec![0], partner: Vec::new() };
        let mut walls = Vec::new();
        for slot in 0..count {
            particles.push(NewParticle {
                position: DVec3::ZERO,
                velocity: DVec3::ZERO,
                angular_velocity: DVec3::ZERO,
                orientation: DQuat::IDENTITY,
                radius: 1.0,
                density: 1.0,
                material: (slot.wrapping_mul(2_654_435_761) >> 16) as u16 % materials,
                group: 1,
                frozen: 0,
            });
            let partners = [1, 2, 19, 20, farthest].map(|further| slot + further);
            rows.partner.extend(partners.into_iter().filter(|&partner| partner < count));
            if slot == 0 {
                rows.partner.push(count - 1);
            }
            rows.row.push(rows.partner.len() as u32);
            if slot % 5 == 0 {
                walls.push(WallCandidate { slot, wall: 0, feature: 0 });
            }
        }
        let mut list = ContactList::default();
        list.rebuild(rows, &walls, &[0], &particles, &LawSelection::uniform(materials as usize));
        list
    }

    #[test]
    fn wrenches_stay_until_they_are_summed() {
        for (threads, materials) in [(1, 1), (2, 1), (1, 2), (2, 3)] {
            let list = list(materials);
            let trail = Trail::plan(&list, 0, TrailFrom::ALWAYS, threads).unwrap();
            assert_eq!(trail.parts.len(), if threads == 1 { 1 } else { 6 });
            let frames: usize = trail.parts.iter().map(|part| (part.places.len() - part.guests.len()) / CHUNK).sum();
            assert!(threads > 1 || materials > 1 || frames < trail.frame.len() / 2, "{frames} frames");
            // the candidate whose wrench is in a place
            let mut there = vec![None; trail.count()];
            let mut terms = 0;
            let mut expect = |group: usize, there: &[Option<u32>], base: usize| {
                for slot in group * GROUP..((group + 1) * GROUP).min(list.incidence_row.len() - 1) {
                    let row = list.incidence_row[slot] as usize..list.incidence_row[slot + 1] as usize;
                    for &entry in &list.incidence[row] {
                        let candidate = entry >> 1;
                        let place = trail.of(candidate as usize, candidate as usize % CHUNK);
                        assert!(place >= base && base == trail.base(group));
                        assert_eq!(there[place], Some(candidate), "group {group}, {threads} threads");
                        terms += 1;
                    }
                }
            };
            let mut groups = 0;
            for part in &trail.parts {
                let base = part.places.start;
                for &(candidate, place) in &part.guests {
                    there[base + place as usize] = Some(candidate);
                }
                assert_eq!(part.groups.start, groups);
                for turn in part.turns.clone() {
                    for (number, candidate) in trail.turns[turn].candidates.clone().enumerate() {
                        there[base + trail.frame[turn] as usize + number] = Some(candidate as u32);
                    }
                    while groups < part.groups.end && trail.ready[groups] as usize <= turn {
                        if !trail.late[groups] {
                            expect(groups, &there, base);
                        }
                        groups += 1;
                    }
                }
                assert_eq!(part.groups.end, groups);
            }
            assert_eq!(groups, trail.ready.len());
            let late: Vec<usize> = (0..groups).filter(|&group| trail.late[group]).collect();
            assert_eq!(late.is_empty(), threads == 1);
            late.into_iter().for_each(|group| expect(group, &there, 0));
            assert_eq!(terms, list.incidence.len());
        }
    }

    #[test]
    fn every_chunk_has_one_turn_and_those_of_a_segment_stay_in_their_order() {
        let list = list(3);
        let trail = Trail::plan(&list, 0, TrailFrom::ALWAYS, 1).unwrap();
        let pairs: Vec<_> = list.segments.iter().filter(|s| s.partner == PartnerKind::Particle).collect();
        assert_eq!(pairs.len(), 6);
        for (number, segment) in pairs.iter().enumerate() {
            let own = trail.turns.iter().filter(|turn| turn.segment == number);
            let candidates: Vec<usize> = own.flat_map(|turn| turn.candidates.clone()).collect();
            assert!(candidates.into_iter().eq(segment.start as usize..segment.end as usize));
        }
        // they take turns
        let changes = trail.turns.windows(2).filter(|two| two[0].segment != two[1].segment).count();
        assert!(changes > pairs.len() && trail.turns.len() > 2 * pairs.len(), "{changes} of {}", trail.turns.len());
    }

    #[test]
    fn particles_that_may_change_in_the_pass_are_read_by_their_part_alone_and_before() {
        // ends of parts fall on every place in a group
        for (farthest, materials) in (200..200 + GROUP as u32).map(|farthest| (farthest, 1 + farthest as u16 % 2)) {
            let list = list_with(farthest, materials);
            let trail = Trail::plan(&list, 0, TrailFrom::ALWAYS, 2).unwrap();
            let part_of_turn = |turn| trail.parts.iter().position(|part| part.turns.contains(&turn)).unwrap() as u32;
            let mut read_last = vec![0; list.incidence_row.len()];
            let mut part_of_reads = vec![Vec::new(); list.incidence_row.len()];
            let turns = trail.turns.iter().enumerate();
            for (turn, candidate) in turns.flat_map(|(at, turn)| turn.candidates.clone().map(move |k| (at, k))) {
                for slot in [list.first[candidate], list.second[candidate]] {
                    // with a vector the number behind it is read
                    for slot in [slot as usize, slot as usize + 1] {
                        read_last[slot] = turn;
                        part_of_reads[slot].push(part_of_turn(turn));
                    }
                }
            }
            for group in (0..trail.late.len()).filter(|&group| !trail.late[group]) {
                for slot in group * GROUP..((group + 1) * GROUP).min(read_last.len()) {
                    assert!(part_of_reads[slot].iter().all(|&part| part == trail.part_of[group]), "{slot}");
                    assert!(read_last[slot] <= trail.ready[group] as usize, "{slot}");
                }
            }
        }
    }

    #[test]
    fn lists_that_are_short_or_thin_or_shared_by_many_threads_have_none() {
        let list = list(1);
        let is_planned = |from, contacts, threads| Trail::plan(&list, contacts, from, threads).is_some();
        assert!(!is_planned(TrailFrom::default(), 0, 1) && !is_planned(TrailFrom::NEVER, 0, 1));
        for (particles, threads, expected) in
            [(3000, 1, true), (3001, 1, false), (3000, 2, true), (1500, 4, true), (1501, 4, false)]
        {
            let from = TrailFrom { particles, ..TrailFrom::NEVER };
            assert_eq!(is_planned(from, 0, threads), expected, "{from:?}, {threads} threads");
        }
        // if it is not known how many pairs touch, all of them may
        for (contacts, threads, expected) in [(5000, 1, true), (4999, 1, false), (0, 1, true), (5000, 2, false)] {
            let from = TrailFrom { contacts_alone: 5000, ..TrailFrom::NEVER };
            assert_eq!(is_planned(from, contacts, threads), expected, "{contacts} contacts, {threads} threads");
        }
        // of its five partners hardly any particle lacks one
        for (pairs_per_particle, expected) in [(4.8, true), (5.1, false)] {
            let from = TrailFrom { pairs_per_particle, ..TrailFrom::ALWAYS };
            assert_eq!(is_planned(from, 0, 1), expected, "{from:?}");
        }
        assert!(Trail::plan(&ContactList::default(), 0, TrailFrom::ALWAYS, 1).is_none());
    }
}
