//! The contact list: every pair and every particle–wall feature that may touch before the next rebuild.
//!
//! Each candidate is stored once. Its first particle is the one with the lower id, whatever the slots, and the candidates of
//! a particle are summed in ascending order of the partner's id, so that forces do not depend on the order of slots, the
//! skin, the broadphase or the number of threads.

mod building;
mod candidates;
mod law_selection;

pub use candidates::{CandidateRows, WallCandidate};
pub use law_selection::LawSelection;

use serde::{Deserialize, Serialize};

/// Candidates per chunk, the unit of parallel work and of history storage.
pub const CHUNK: usize = 1024;

/// Kind of the second body of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum PartnerKind {
    /// Another particle.
    Particle,
    /// A wall.
    Wall,
}

/// Identity of a contact that outlives rebuilds, reordering and restarts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ContactKey {
    /// Id of the first particle (the lower id of a pair).
    pub first: u64,
    /// Kind of the second body.
    pub kind: PartnerKind,
    /// Id of the second particle, or number of the wall.
    pub second: u64,
    /// Feature of the wall; 0 for pairs.
    pub feature: u32,
}

/// Candidates of one kind of partner and one pair of materials, so that one law with one set of parameters serves all of them: a
/// range of the list that starts at a multiple of [`CHUNK`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Number of the law.
    pub law: usize,
    /// Kind of the second body.
    pub partner: PartnerKind,
    /// The two materials, the lower number first.
    pub materials: (u16, u16),
    /// First candidate.
    pub start: u32,
    /// One past the last candidate.
    pub end: u32,
}

/// Fills the places between segments and behind the last; never read as a candidate.
const PADDING: u32 = u32::MAX;

/// The list.
#[derive(Clone, Debug, Default)]
pub struct ContactList {
    /// Slot of the first particle.
    pub first: Vec<u32>,
    /// Slot of the second particle, or number of the wall.
    pub second: Vec<u32>,
    /// Features of the walls; the first belongs to the candidate `first_wall`.
    feature: Vec<u32>,
    first_wall: u32,
    /// One segment per kind of partner and pair of materials that has candidates, pairs before walls.
    pub segments: Vec<Segment>,
    /// Start of each slot's row of `incidence`; one entry more than slots.
    pub incidence_row: Vec<u32>,
    /// `candidate << 1 | side`, side 0 for the first particle; in canonical order within a row.
    pub incidence: Vec<u32>,
}

impl ContactList {
    /// Releases the memory of the rows of slots, of a list that is about to be replaced.
    pub fn forget_incidence(&mut self) {
        self.incidence_row = Vec::new();
        self.incidence = Vec::new();
    }

    /// The first candidate with a wall, or what would be it.
    pub fn first_wall(&self) -> usize {
        self.first_wall as usize
    }

    /// Number of candidates, padding left out.
    pub fn candidates(&self) -> usize {
        self.segments.iter().map(|s| (s.end - s.start) as usize).sum()
    }

    /// Segment of a candidate.
    pub fn segment_of(&self, candidate: usize) -> Option<&Segment> {
        self.segments.iter().find(|segment| candidate < segment.end as usize)
    }

    /// Identity of a candidate of a segment.
    pub fn key(&self, segment: &Segment, candidate: usize, ids: &[u64]) -> ContactKey {
        let second = self.second[candidate];
        ContactKey {
            first: ids[self.first[candidate] as usize],
            kind: segment.partner,
            second: match segment.partner {
                PartnerKind::Particle => ids[second as usize],
                PartnerKind::Wall => u64::from(second),
            },
            feature: self.feature(segment, candidate),
        }
    }

    /// Feature of the wall of a candidate; 0 for pairs.
    #[inline]
    pub fn feature(&self, segment: &Segment, candidate: usize) -> u32 {
        self.features(segment, candidate..candidate + 1).first().copied().unwrap_or(0)
    }

    /// Feature of the wall of one of the [`Self::wall_candidates`].
    #[inline]
    pub fn wall_feature(&self, candidate: usize) -> u32 {
        self.feature[candidate - self.first_wall as usize]
    }

    /// Features of the walls of some candidates of a segment; empty for pairs.
    #[inline]
    pub fn features(&self, segment: &Segment, candidates: std::ops::Range<usize>) -> &[u32] {
        match segment.partner {
            PartnerKind::Particle => &[],
            PartnerKind::Wall => {
                let first = self.first_wall as usize;
                &self.feature[candidates.start - first..candidates.end - first]
            }
        }
    }

    /// Candidates of which the particle in a slot is the first body, in the order of their keys; none of a particle that the list does not
    /// know yet.
    pub fn candidates_as_first(&self, slot: usize) -> impl Iterator<Item = usize> + '_ {
        let row = match self.incidence_row.get(slot..slot + 2) {
            Some(&[start, end]) => start as usize..end as usize,
            _ => 0..0,
        };
        self.incidence[row].iter().filter(|&entry| entry & 1 == 0).map(|entry| (entry >> 1) as usize)
    }

    /// Candidate of a segment by the slots of its particles, or by slot, wall and feature.
    pub fn find(&self, segment: &Segment, first: u32, second: u32, feature: u32) -> Option<u32> {
        let row = self.incidence_row[first as usize] as usize..self.incidence_row[first as usize + 1] as usize;
        self.incidence[row].iter().map(|entry| entry >> 1).find(|&candidate| {
            let c = candidate as usize;
            (segment.start..segment.end).contains(&candidate)
                && self.first[c] == first
                && self.second[c] == second
                && self.feature(segment, c) == feature
        })
    }

    /// Candidates with walls, segment by segment, in the order in which they were given.
    pub fn wall_candidates(&self) -> impl Iterator<Item = usize> + '_ {
        let segments = self.segments.iter().filter(|segment| segment.partner == PartnerKind::Wall);
        segments.flat_map(|segment| segment.start as usize..segment.end as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::particles::{NO_BODY, NewParticle, Particles};
    use glam::{DQuat, DVec3};

    fn particles(count: usize) -> Particles {
        let mut particles = Particles::default();
        for k in 0..count {
            particles.push(NewParticle {
                position: DVec3::new(k as f64, 0.0, 0.0),
                velocity: DVec3::ZERO,
                angular_velocity: DVec3::ZERO,
                orientation: DQuat::IDENTITY,
                radius: 0.6,
                density: 1.0,
                material: (k % 2) as u16,
                group: 1,
                frozen: 0,
            });
        }
        particles
    }

    /// Chain 0-1-2-3 plus wall 0 under particle with id 1; slots reversed or not.
    fn build(particles: &Particles, laws: &LawSelection) -> ContactList {
        let count = particles.len();
        let mut rows = CandidateRows { row: vec![0], partner: vec![] };
        for slot in 0..count {
            if slot + 1 < count {
                rows.partner.push(slot as u32 + 1);
            }
            rows.row.push(rows.partner.len() as u32);
        }
        let slot = particles.id.iter().position(|&id| id == 1).unwrap() as u32;
        let mut list = ContactList::default();
        list.rebuild(rows, &[WallCandidate { slot, wall: 0, feature: 2 }], &[0], particles, laws);
        list
    }

    #[test]
    fn lower_slots_are_given_every_pair_once() {
        let mut rows = CandidateRows { row: vec![0, 2, 2, 5, 6], partner: vec![3, 2, 3, 1, 0, 1] };
        rows.give_to_lower();
        assert_eq!((rows.row, rows.partner), (vec![0, 3, 5, 6, 6], vec![3, 2, 2, 2, 3, 3]));
    }

    fn keys_by_particle(list: &ContactList, particles: &Particles) -> Vec<(u64, Vec<ContactKey>)> {
        let mut all: Vec<(u64, Vec<ContactKey>)> = (0..particles.len())
            .map(|slot| {
                let row = &list.incidence[list.incidence_row[slot] as usize..list.incidence_row[slot + 1] as usize];
                let keys = row.iter().map(|entry| {
                    let candidate = (entry >> 1) as usize;
                    let segment =
                        list.segments.iter().find(|s| (s.start as usize..s.end as usize).contains(&candidate)).unwrap();
                    list.key(segment, candidate, &particles.id)
                });
                (particles.id[slot], keys.collect())
            })
            .collect();
        all.sort();
        all
    }

    #[test]
    fn incidence_does_not_depend_on_the_order_of_slots() {
        let straight = particles(4);
        let mut reversed = particles(4);
        reversed.rearrange(&[3, 2, 1, 0]);
        let mut laws = LawSelection::uniform(2);
        laws.set(0, 0, 1);
        let a = keys_by_particle(&build(&straight, &laws), &straight);
        let b = keys_by_particle(&build(&reversed, &laws), &reversed);
        assert_eq!(a, b);
        assert_eq!(a[1].1.len(), 3);
        assert!(a[1].1[0].first < a[1].1[0].second);
    }

    #[test]
    fn rows_run_by_ids_of_partners_and_numbers_of_walls_whatever_the_segments() {
        // a star about particle 2 in shuffled slots; walls 0 and 1 of which the first has the material with the higher number
        let mut star = particles(6);
        star.rearrange(&[4, 2, 0, 5, 3, 1]);
        let hub = star.id.iter().position(|&id| id == 2).unwrap() as u32;
        let mut rows = CandidateRows { row: vec![0], partner: vec![] };
        for slot in 0..6 {
            if slot == hub {
                rows.partner.extend((0..6).filter(|&other| other != hub));
            }
            rows.row.push(rows.partner.len() as u32);
        }
        let near = |wall, feature| WallCandidate { slot: hub, wall, feature };
        let walls = [near(0, 3), near(0, 5), near(1, 4)];
        let mut list = ContactList::default();
        list.rebuild(rows, &walls, &[1, 0], &star, &LawSelection::uniform(2));
        assert_eq!(list.segments.len(), 4, "pairs and walls of two pairs of materials each");
        let row =
            &list.incidence[list.incidence_row[hub as usize] as usize..list.incidence_row[hub as usize + 1] as usize];
        let partners = row.iter().map(|entry| {
            let candidate = (entry >> 1) as usize;
            let segment = list.segment_of(candidate).unwrap();
            let key = list.key(segment, candidate, &star.id);
            let second = if entry & 1 == 0 { key.second } else { key.first };
            (key.kind, second, key.feature)
        });
        let pair = |id| (PartnerKind::Particle, id, 0);
        let wall = |number, feature| (PartnerKind::Wall, number, feature);
        let expected = [pair(0), pair(1), pair(3), pair(4), pair(5), wall(0, 3), wall(0, 5), wall(1, 4)];
        assert_eq!(partners.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_law_gets_its_pairs_and_walls_and_spheres_of_one_body_none() {
        let mut chain = particles(4);
        let mut laws = LawSelection::uniform(2);
        laws.set(1, 0, 1); // all pairs of the chain are between material 0 and 1, and so is particle 1 with the wall
        let list = build(&chain, &laws);
        let sizes: Vec<_> = list.segments.iter().map(|s| (s.law, s.partner, s.end - s.start)).collect();
        assert_eq!(sizes, [(1, PartnerKind::Particle, 3), (1, PartnerKind::Wall, 1)]);
        assert!(list.segments.iter().all(|s| (s.start as usize).is_multiple_of(CHUNK)));
        chain.body = vec![7, 7, NO_BODY, NO_BODY];
        assert_eq!(build(&chain, &laws).candidates(), 3);
    }
}
