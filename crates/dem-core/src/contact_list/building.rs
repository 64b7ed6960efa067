//! Building the contact list from what a search for neighbours has found, in parallel.

use std::ops::Range;

use rayon::prelude::*;

use super::{CHUNK, CandidateRows, ContactList, LawSelection, PADDING, PartnerKind, Segment, WallCandidate};
use crate::delivery::{Delivered, Senders, deliver, parts};
use crate::particles::{NO_BODY, Particles};

/// Slots, and candidates, that one thread takes at least.
const LEAST: usize = 2048;

/// Slots of the first and the second particles of some pairs.
type Columns<'a> = (&'a mut [u32], &'a mut [u32]);

/// What a search has found, on its way to the list.
struct Pairs<'a> {
    rows: &'a CandidateRows,
    particles: &'a Particles,
    laws: &'a LawSelection,
}

impl Pairs<'_> {
    /// Visits the pairs in the rows of some slots with the numbers of their pairs of materials; spheres of one body are left out, and pairs of ghosts.
    fn visit(&self, slots: Range<usize>, mut visit: impl FnMut(usize, u32, u32)) {
        let Self { rows, particles: p, laws } = self;
        let owned = p.owned();
        for slot in slots {
            for &partner in &rows.partner[rows.row[slot] as usize..rows.row[slot + 1] as usize] {
                let other = partner as usize;
                // others compute the contacts between ghosts
                let is_own = slot < owned || other < owned;
                if is_own && (p.body[slot] == NO_BODY || p.body[slot] != p.body[other]) {
                    visit(laws.pair(p.material[slot], p.material[other]), slot as u32, partner);
                }
            }
        }
    }

    /// Pairs of some slots by numbers of pairs of materials.
    fn count(&self, slots: Range<usize>) -> Vec<u32> {
        let mut count = vec![0; self.laws.pairs()];
        self.visit(slots, |pair, _, _| count[pair] += 1);
        count
    }

    /// Writes the pairs of some slots to the columns of their pairs of materials.
    fn put(&self, slots: Range<usize>, mut columns: Vec<Columns>) {
        let id = &self.particles.id;
        let mut next = vec![0; columns.len()];
        self.visit(slots, |pair, slot, partner| {
            let is_first = id[slot as usize] < id[partner as usize];
            let ((first, second), at) = (&mut columns[pair], &mut next[pair]);
            (first[*at], second[*at]) = if is_first { (slot, partner) } else { (partner, slot) };
            *at += 1;
        });
    }
}

/// Takes `count` entries off a slice, behind a gap.
fn cut<'a>(rest: &mut &'a mut [u32], gap: usize, count: u32) -> &'a mut [u32] {
    let (taken, others) = std::mem::take(rest)[gap..].split_at_mut(count as usize);
    *rest = others;
    taken
}

/// Candidates on their way to the rows of their particles.
struct Ends<'a> {
    list: &'a ContactList,
    parts: Vec<(PartnerKind, Range<usize>)>,
}

impl Senders for Ends<'_> {
    fn count(&self) -> usize {
        self.parts.len()
    }

    fn send(&self, sender: usize, mut post: impl FnMut(u32, u32)) {
        let (partner, candidates) = &self.parts[sender];
        for candidate in candidates.clone() {
            post(self.list.first[candidate], (candidate as u32) << 1);
            if *partner == PartnerKind::Particle {
                post(self.list.second[candidate], (candidate as u32) << 1 | 1);
            }
        }
    }
}

/// Numbers of the particles that are in the order of their ids.
fn order_keys(particles: &Particles) -> Vec<i32> {
    if i32::try_from(particles.next_id).is_ok() {
        return particles.id.par_iter().map(|&id| id as i32).collect();
    }
    let mut key = vec![0; particles.len()];
    for (rank, slot) in (0..).zip(particles.slots_by_id()) {
        key[slot as usize] = rank;
    }
    key
}

/// Sorts entries by their keys, of which no two are the same.
fn arrange(entries: &mut [u32], key: impl Fn(u32) -> i32) {
    match entries.len() {
        0..=8 => arrange_few::<8>(entries, key),
        9..=16 => arrange_few::<16>(entries, key),
        _ => entries.sort_unstable_by_key(|&entry| key(entry)),
    }
}

/// Sorts up to `MOST` entries by comparing each key with all, many at once: branches would not be predictable.
fn arrange_few<const MOST: usize>(entries: &mut [u32], key: impl Fn(u32) -> i32) {
    let (mut before, mut keys, mut rank) = ([0; MOST], [0; MOST], [0i32; MOST]);
    for (at, &entry) in entries.iter().enumerate() {
        (before[at], keys[at]) = (entry, key(entry));
    }
    for &lower in &keys[..entries.len()] {
        for (rank, &key) in rank.iter_mut().zip(&keys) {
            *rank += i32::from(lower < key);
        }
    }
    for (&entry, &rank) in before.iter().zip(&rank).take(entries.len()) {
        entries[rank as usize] = entry;
    }
}

impl ContactList {
    /// Replaces the list by the given pairs and wall candidates, these in any order.
    pub fn rebuild(
        &mut self,
        rows: CandidateRows,
        walls: &[WallCandidate],
        wall_material: &[u16],
        particles: &Particles,
        laws: &LawSelection,
    ) {
        let pairs = Pairs { rows: &rows, particles, laws };
        let parts: Vec<Range<usize>> = parts(particles.len(), LEAST).collect();
        let counts: Vec<Vec<u32>> = parts.par_iter().map(|slots| pairs.count(slots.clone())).collect();
        let wall_number =
            |c: &WallCandidate| laws.pair(particles.material[c.slot as usize], wall_material[c.wall as usize]);
        let mut candidates = vec![0u32; 2 * laws.pairs()];
        for count in &counts {
            candidates.iter_mut().zip(count).for_each(|(all, count)| *all += count);
        }
        for candidate in walls {
            candidates[laws.pairs() + wall_number(candidate)] += 1;
        }
        let mut next = self.lay_out_segments(&candidates, laws);

        let mut shares: Vec<Vec<Columns>> = parts.iter().map(|_| Vec::with_capacity(laws.pairs())).collect();
        let (mut first, mut second, mut at) = (self.first.as_mut_slice(), self.second.as_mut_slice(), 0);
        for pair in 0..laws.pairs() {
            for (share, count) in shares.iter_mut().zip(&counts) {
                // behind padding, if it is the first of a segment
                let gap = next[pair].saturating_sub(at) as usize;
                share.push((cut(&mut first, gap, count[pair]), cut(&mut second, gap, count[pair])));
                at = next[pair].max(at) + count[pair];
            }
        }
        parts.into_par_iter().zip(shares).for_each(|(slots, share)| pairs.put(slots, share));
        // before the rows of particles, which take twice as much, are built
        drop(rows);

        for candidate in walls {
            let place = &mut next[laws.pairs() + wall_number(candidate)];
            let at = *place as usize;
            (self.first[at], self.second[at]) = (candidate.slot, candidate.wall);
            self.feature[at - self.first_wall as usize] = candidate.feature;
            *place += 1;
        }
        self.build_incidence(particles);
    }

    /// Lays out segments for given numbers of candidates, by pair of materials, first of spheres and then of spheres and walls; returns
    /// where each starts.
    fn lay_out_segments(&mut self, candidates: &[u32], laws: &LawSelection) -> Vec<u32> {
        self.segments.clear();
        let mut starts = Vec::with_capacity(candidates.len());
        let (mut start, mut end) = (0, 0);
        for (number, &size) in candidates.iter().enumerate() {
            if number == laws.pairs() {
                self.first_wall = start;
            }
            starts.push(start);
            if size > 0 {
                let partner = if number < laws.pairs() { PartnerKind::Particle } else { PartnerKind::Wall };
                let materials = laws.all_pairs().nth(number % laws.pairs()).unwrap_or_default();
                end = start + size;
                let law = laws.get(materials.0, materials.1) as usize;
                self.segments.push(Segment { law, partner, materials, start, end });
                start = end.next_multiple_of(CHUNK as u32);
            }
        }
        let end = end as usize;
        for column in [&mut self.first, &mut self.second] {
            column.clear();
            column.resize(end.next_multiple_of(CHUNK), PADDING);
        }
        self.feature.clear();
        self.feature.resize(end.saturating_sub(self.first_wall as usize), 0);
        starts
    }

    /// Builds the candidates of every particle in canonical order: those with other particles by their ids, then those with walls by
    /// wall and feature.
    fn build_incidence(&mut self, particles: &Particles) {
        let senders = Ends {
            list: self,
            parts: self
                .segments
                .iter()
                .flat_map(|segment| {
                    let start = segment.start as usize;
                    parts(segment.end as usize - start, LEAST)
                        .map(move |part| (segment.partner, start + part.start..start + part.end))
                })
                .collect(),
        };
        let id = order_keys(particles);
        let id_of_partner = |entry: u32| {
            let candidate = (entry >> 1) as usize;
            let partner = [self.second[candidate], self.first[candidate]][(entry & 1) as usize];
            id[partner as usize]
        };
        let order = |_: usize, entries: &mut [u32]| {
            // segments of pairs come first, and so do their candidates in every row
            let (pairs, walls) = entries.split_at_mut(entries.partition_point(|entry| entry >> 1 < self.first_wall));
            arrange(pairs, id_of_partner);
            walls.sort_unstable_by_key(|&entry| {
                let candidate = (entry >> 1) as usize;
                (self.second[candidate], self.feature[candidate - self.first_wall as usize])
            });
        };
        let Delivered { row, number } = deliver(particles.len(), &senders, order);
        (self.incidence_row, self.incidence) = (row, number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_entries_are_sorted_by_their_keys() {
        for count in [0, 1, 2, 7, 8, 9, 16, 17, 100] {
            let key = |entry: u32| (entry * 37 % 101) as i32 - 50;
            let mut entries: Vec<u32> = (0..count).collect();
            let mut expected = entries.clone();
            arrange(&mut entries, key);
            expected.sort_by_key(|&entry| key(entry));
            assert_eq!(entries, expected);
        }
    }
}
