use dem_core::contact_list::{CandidateRows, LawSelection, WallCandidate};
use dem_core::particles::{NewParticle, Particles};
use dem_core::{DQuat, DVec3};

use super::*;

/// Particles of some materials with partners near and not so near in order of slots, the first and the last too, and every fifth near
/// a wall.
fn list(materials: u16) -> ContactList {
    list_with(3000, 233, materials)
}

fn list_with(count: u32, farthest: u32, materials: u16) -> ContactList {
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

const ALWAYS: SweepPolicy = SweepPolicy::ALWAYS;

fn streaming(list: &ContactList, policy: SweepPolicy, threads: usize) -> Schedule {
    let mut schedule = Schedule::new(list, policy, threads);
    schedule.stream(list, policy);
    schedule
}

/// A pass by threads of which a random one advances, a turn at a time.
struct Emulated<'a> {
    list: &'a ContactList,
    schedule: &'a Schedule,
    plan: &'a ReductionPlan,
    /// The candidate whose wrench is at a position, and how many of its sums have not been taken.
    there: Vec<Option<(u32, u32)>>,
    is_finished: Vec<bool>,
    complete: Vec<bool>,
    terms: usize,
}

impl<'a> Emulated<'a> {
    fn new(list: &'a ContactList, schedule: &'a Schedule) -> Self {
        let plan = schedule.reduction.as_ref().unwrap();
        Self {
            list,
            schedule,
            plan,
            there: vec![None; plan.count()],
            is_finished: vec![false; plan.groups()],
            complete: vec![false; schedule.blocks.len()],
            terms: 0,
        }
    }

    fn finish(&mut self, group: usize) {
        assert!(!std::mem::replace(&mut self.is_finished[group], true), "group {group} is finished twice");
        let list = self.list;
        for slot in group * GROUP..((group + 1) * GROUP).min(list.incidence_row.len() - 1) {
            for &entry in &list.incidence[list.incidence_row[slot] as usize..list.incidence_row[slot + 1] as usize] {
                let candidate = entry >> 1;
                let place = self.plan.of(candidate as usize, candidate as usize % CHUNK);
                let there = self.there[place].as_mut().unwrap();
                assert_eq!(there.0, candidate, "group {group}");
                there.1 -= 1;
                self.terms += 1;
            }
        }
    }

    fn take(&mut self, at: usize) {
        let turn = &self.schedule.turns[at];
        for slot in turn.slots(self.list) {
            // with a vector the number behind it is read
            for slot in [slot, slot + 1].into_iter().filter(|slot| slot + 1 < self.list.incidence_row.len()) {
                assert!(!self.is_finished[slot / GROUP], "slot {slot} is read after it was changed");
            }
        }
        let sums = if turn.partner == PartnerKind::Particle { 2 } else { 1 };
        for (number, candidate) in turn.candidates.clone().enumerate() {
            let there = self.there[turn.place + number].replace((candidate as u32, sums));
            assert!(there.is_none_or(|(_, left)| left == 0), "the wrench of {there:?} has not been summed");
        }
        for &group in self.plan.passed(at) {
            if self.plan.leave(group as usize) {
                self.finish(group as usize);
            }
        }
        for group in self.plan.ready(at) {
            if self.plan.leave(group) {
                self.finish(group);
            }
        }
    }

    fn run(mut self, threads: usize, seed: usize) {
        let schedule = self.schedule;
        let mut claims = schedule.regions.clone();
        let mut at_work: Vec<(&[Block], &Block, usize)> = Vec::new();
        let mut random = seed;
        loop {
            for k in at_work.len()..threads {
                // each begins with a region of its own and then claims blocks of others
                let own = (0..claims.len()).map(|region| (region + k) % schedule.regions.len());
                let Some(region) = own.into_iter().find(|&region| !claims[region].is_empty()) else { break };
                let block = &schedule.blocks[claims[region].next().unwrap()];
                at_work.push((&schedule.blocks[schedule.regions[region].clone()], block, block.turns.start));
            }
            if at_work.is_empty() {
                break;
            }
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let is_able = |&(region, block, _): &(&[Block], &Block, usize)| {
                region[..block.after].iter().all(|before| self.complete[before.number])
            };
            let able: Vec<usize> = (0..at_work.len()).filter(|&k| is_able(&at_work[k])).collect();
            let k = able[(random >> 33) % able.len()];
            let (_, block, turn) = &mut at_work[k];
            self.take(*turn);
            *turn += 1;
            if *turn == block.turns.end {
                self.complete[block.number] = true;
                at_work.swap_remove(k);
            }
        }
        assert!(self.is_finished.iter().all(|&is_finished| is_finished));
        assert_eq!(self.terms, self.list.incidence.len());
    }
}

#[test]
fn every_sum_is_taken_once_when_all_its_wrenches_are_there_and_nobody_reads_its_particles_any_more() {
    for materials in [1, 3] {
        // bounds of blocks fall on every position in a group
        // with near partners a block is done with some of its groups, and may reuse their frames
        for farthest in (200..200 + GROUP as u32).step_by(7).chain([21]) {
            let list = list_with(3000, farthest, materials);
            for (threads, chunks_per_block) in
                [(1, None), (2, None), (2, Some(5)), (3, Some(1)), (8, Some(2)), (64, None)]
            {
                let policy = SweepPolicy { chunks_per_block, ..ALWAYS };
                let schedule = streaming(&list, policy, threads);
                // twice: counters start again
                for seed in 0..2 {
                    Emulated::new(&list, &schedule).run(threads, seed);
                }
                for seed in 0..2 {
                    let schedule = streaming(&list, SweepPolicy { random_order: Some(seed), ..policy }, threads);
                    assert!(schedule.blocks.iter().all(|block| block.after == 0));
                    Emulated::new(&list, &schedule).run(threads, 7);
                }
            }
        }
    }
}

#[test]
fn long_regions_are_shared_in_the_end() {
    let list = list_with(60_000, 1501, 1);
    for threads in [2, 3] {
        let schedule = streaming(&list, ALWAYS, threads);
        assert!(
            schedule.blocks.iter().any(|block| block.is_shared) && schedule.blocks.iter().any(|block| block.after > 0)
        );
        for seed in 0..5 {
            Emulated::new(&list, &schedule).run(threads, seed);
        }
    }
}

#[test]
fn every_chunk_has_one_turn_in_one_block() {
    for (materials, threads, chunks_per_block) in [(1, 1, None), (1, 2, None), (3, 2, None), (3, 5, Some(1))] {
        let list = list(materials);
        let policy = SweepPolicy { chunks_per_block, random_order: (threads == 5).then_some(3), ..ALWAYS };
        let mut schedule = streaming(&list, policy, threads);
        schedule.blocks.sort_by_key(|block| block.number);
        let turns: Vec<usize> = schedule.blocks.iter().flat_map(|block| block.turns.clone()).collect();
        assert!(turns.into_iter().eq(0..schedule.turns.len()));
        assert_eq!(schedule.blocks.len() == 1, threads == 1);
        let mut candidates: Vec<usize> = schedule.turns.iter().flat_map(|turn| turn.candidates.clone()).collect();
        candidates.sort_unstable();
        let segments = list.segments.iter().flat_map(|segment| segment.start as usize..segment.end as usize);
        assert!(candidates.into_iter().eq(segments));
        for turn in &schedule.turns {
            let segment = &list.segments[turn.segment];
            assert!(segment.partner == turn.partner && turn.candidates.start >= segment.start as usize);
            assert!(turn.candidates.end <= segment.end as usize);
        }
    }
}

#[test]
fn frames_are_used_again() {
    let frames = |threads, materials| {
        let schedule = streaming(&list(materials), SweepPolicy { chunks_per_block: Some(1), ..ALWAYS }, threads);
        let pairs = schedule.turns.iter().filter(|turn| turn.partner == PartnerKind::Particle).count();
        (schedule.reduction.unwrap().frames, pairs)
    };
    for (threads, materials) in [(1, 1), (2, 1)] {
        let (frames, pairs) = frames(threads, materials);
        assert!(frames < pairs, "{frames} of {pairs} with {threads} threads");
    }
    let alone = streaming(&list(1), ALWAYS, 1);
    let pairs = alone.turns.iter().filter(|turn| turn.partner == PartnerKind::Particle).count();
    assert!(2 * alone.reduction.unwrap().frames < pairs);
}

#[test]
fn blocks_become_shorter_towards_the_end() {
    let lengths = |turns, threads| -> Vec<Vec<usize>> {
        let (blocks, regions) = blocks_of(turns, ALWAYS, threads);
        let of_region = |region: Range<usize>| blocks[region].iter().map(|block| block.turns.len()).collect();
        regions.into_iter().map(of_region).collect()
    };
    assert_eq!(lengths(1000, 1), [[1000]]);
    assert_eq!(lengths(3, 8), [[3]]);
    assert_eq!(lengths(0, 2), [[0; 0]]);
    for (turns, threads) in [(33, 2), (340, 2), (3400, 16)] {
        let regions = lengths(turns, threads);
        assert_eq!(regions.len(), threads);
        assert_eq!(regions.iter().flatten().sum::<usize>(), turns);
        for lengths in regions {
            assert!(lengths.is_sorted_by(|a, b| a >= b) && lengths.len() > 2 && lengths.last() < Some(&4));
        }
    }
}

#[test]
fn small_and_thin_assemblies_are_summed_after_the_pass() {
    let assembly = Assembly { particles: 3000, pairs: 14_000, contacts: 5000 };
    let is_reached = |policy: SweepPolicy, contacts| policy.is_reached(Assembly { contacts, ..assembly });
    assert!(
        is_reached(ALWAYS, 5000) && !is_reached(SweepPolicy::NEVER, 5000) && !is_reached(SweepPolicy::default(), 5000)
    );
    for (particles, expected) in [(3000, true), (3001, false)] {
        assert_eq!(is_reached(SweepPolicy { particles, ..SweepPolicy::NEVER }, 5000), expected);
    }
    // if it is not known how many pairs touch, all of them may
    for (contacts, known, expected) in [(5000, 5000, true), (5001, 5000, false), (14_000, 0, true), (14_001, 0, false)]
    {
        assert_eq!(is_reached(SweepPolicy { contacts, ..SweepPolicy::NEVER }, known), expected, "{contacts} {known}");
    }
    for (pairs_per_particle, expected) in [(4.6, true), (4.7, false)] {
        assert_eq!(is_reached(SweepPolicy { pairs_per_particle, ..ALWAYS }, 0), expected);
    }
}
