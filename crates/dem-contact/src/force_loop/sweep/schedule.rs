//! In which order the chunks of contacts are computed, and when the sums of a group of particles can be taken.
//!
//! The chunks of all segments, whatever the laws, materials and kinds of partners, are passed over in the order of the first slots that they
//! read. Slots are ordered in space, so this is a sweep through space. It is cut into as many *regions* as there are threads, each of which begins
//! with its own region, the same in every step: what it reads and writes stays in its caches. Chunks that follow each other in a region make a
//! *block*. Threads claim blocks one after the other, from their own region first and then from those of others that are not done.
//!
//! In large assemblies a wrench has been evicted from the caches before it is summed, and steps are bound by memory.
//! There the pass is a *streaming reduction*: the sums of a group of slots are taken as soon as all its contacts are
//! computed, by the thread that has computed the last of them. A group counts the blocks that have contacts of it; it
//! is finished once, whatever the order in which they come. The wrenches of a chunk lie in a *frame*, which is reused
//! when all of them have been summed: few wrenches exist at any time, and they stay in the caches. A block that reuses
//! frames waits until the blocks that had them are complete, which they are unless several threads work in one region.
//! Towards the end of a region, where that is to be expected, frames are reused later.
//!
//! Every sum has the same terms in the same order as one that is taken after the pass. No bit depends on blocks, threads or the order of
//! claims.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use dem_core::contact_list::{CHUNK, ContactList, PartnerKind};
use rayon::prelude::*;

use crate::force_loop::reduction::incidence::{GROUP, Places};
use crate::force_loop::sweep::first_reads::FirstReads;
use crate::force_loop::sweep::prefetch::MANY;
use crate::force_loop::sweep::turn::{Block, Turn};

/// A block leaves this part of what is left of its region to the next ones, so that other threads can take part in the
/// end. Nothing but particles is prefetched from one block to the next.
const PART_LEFT: usize = 4;

/// Which part of the chunks of a region other threads are likely to take part in.
const SHARED_PART: usize = 8;

/// Blocks of a region that may be computed in parallel in that part.
const SLACK: usize = 2;

/// Chunks that one thread computes alone: to wake another thread takes about as long.
pub(crate) const FEW_CHUNKS: usize = 3;

/// What decides whether a pass over contacts is a streaming reduction.
#[derive(Clone, Copy, Debug)]
pub struct Assembly {
    /// Particles.
    pub particles: usize,
    /// Pairs in the contact list.
    pub pairs: usize,
    /// Pairs that touch; zero if that is not known.
    pub contacts: usize,
}

/// How a pass over contacts is cut, and how large an assembly must be for it to be a streaming reduction. Results do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweepPolicy {
    /// Particles from which on sums are taken within the pass.
    pub particles: usize,
    /// Contacts from which on they are, however few particles there are.
    pub contacts: usize,
    /// Pairs in the contact list per particle: where few touch there are few wrenches, and checking what is complete
    /// costs more.
    pub pairs_per_particle: f64,
    /// Chunks of a block; none to go by the number of chunks and threads.
    pub chunks_per_block: Option<usize>,
    /// Seed of a random order in which blocks are claimed: for tests.
    pub random_order: Option<u64>,
}

impl SweepPolicy {
    /// Sums are taken within the pass, however small the assembly is.
    pub const ALWAYS: Self =
        Self { particles: 0, contacts: 0, pairs_per_particle: 0.0, chunks_per_block: None, random_order: None };
    /// Sums are taken after the pass, however large the assembly is.
    pub const NEVER: Self = Self { particles: usize::MAX, contacts: usize::MAX, ..Self::ALWAYS };

    /// Whether an assembly is so large.
    pub fn is_reached(self, assembly: Assembly) -> bool {
        let Assembly { particles, pairs, contacts } = assembly;
        let contacts = if contacts == 0 { pairs } else { contacts };
        let is_large = particles >= self.particles || contacts >= self.contacts;
        is_large && pairs as f64 >= self.pairs_per_particle * particles as f64
    }
}

impl Default for SweepPolicy {
    /// Where it pays: 33,000 particles of a packing have five megabytes of wrenches, and four times as much of
    /// everything else that a step reads; 20,000 wrenches are more than half of the L2 cache of most processors. Lists
    /// of packings have some three pairs per particle and more.
    fn default() -> Self {
        Self { particles: 1 << 15, contacts: 20_000, pairs_per_particle: 2.5, ..Self::ALWAYS }
    }
}

/// The pass over the contacts of one list.
#[derive(Clone, Debug, Default)]
pub(crate) struct Schedule {
    /// All chunks in the order of the sweep.
    pub turns: Vec<Turn>,
    /// In the order in which they are claimed.
    pub blocks: Vec<Block>,
    /// Blocks of each region.
    pub regions: Vec<Range<usize>>,
    /// When sums are taken, if that is done within the pass.
    pub reduction: Option<ReductionPlan>,
}

impl Schedule {
    /// For the candidates of a list; sums are taken after the pass.
    pub fn new(list: &ContactList, policy: SweepPolicy, threads: usize) -> Self {
        let mut turns = turns_of(list);
        let (blocks, regions) = blocks_of(turns.len(), policy, threads);
        for turns_of_region in turns_of_regions(&blocks, &regions) {
            // chunks of walls reach far ahead, and would evict what the others share from the caches in the middle of a
            // sweep
            turns[turns_of_region].sort_by_key(|turn| turn.partner != PartnerKind::Wall);
        }
        let mut schedule = Self { turns, blocks, regions, reduction: None };
        if let Some(seed) = policy.random_order {
            schedule.claim_at_random(seed);
        }
        schedule
    }

    /// All blocks in one region and a random order.
    fn claim_at_random(&mut self, seed: u64) {
        let mut state = seed;
        self.blocks.sort_by_cached_key(|_| {
            // SplitMix64
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb)
        });
        self.regions = std::iter::once(0..self.blocks.len()).collect();
    }

    /// Pairs in the list.
    pub fn pairs(&self) -> usize {
        let pairs = self.turns.iter().filter(|turn| turn.partner == PartnerKind::Particle);
        pairs.map(|turn| turn.candidates.len()).sum()
    }

    /// Plans the sums of all particles within the pass.
    pub fn stream(&mut self, list: &ContactList, policy: SweepPolicy) {
        self.blocks.sort_unstable_by_key(|block| block.number);
        let slots = list.incidence_row.len().saturating_sub(1);
        let groups = slots.div_ceil(GROUP);
        let touched = groups_of_turns(list, &self.turns, groups);
        let ready = ready_turns(&touched, groups);
        let mut block_of = vec![0; self.turns.len()];
        for block in &self.blocks {
            block_of[block.turns.clone()].fill(block.number);
        }
        let (visits, passed) = self.count_visits(&touched, &ready, &block_of);
        let mut plan = ReductionPlan {
            end: (0..self.turns.len()).map(|turn| ready.partition_point(|&ready| ready <= turn) as u32).collect(),
            passed_end: (0..self.turns.len())
                .map(|turn| passed.partition_point(|&(at, _)| at as usize <= turn) as u32)
                .collect(),
            passed: passed.into_iter().map(|(_, group)| group).collect(),
            left: Counts::new(&visits),
            visits,
            first_reads: (slots >= MANY).then(|| {
                Arc::new(FirstReads::draw_up(list, &self.turns, &turns_of_regions(&self.blocks, &self.regions), slots))
            }),
            place_of_chunk: vec![0; list.first.len().div_ceil(CHUNK)],
            frames: 0,
        };
        // a block may wait for others only where these are claimed before
        let are_used_again = policy.random_order.is_none();
        plan.frames = self.assign_frames(list, &touched, &ready, &block_of, &plan.visits, are_used_again);
        for turn in &self.turns {
            plan.place_of_chunk[turn.chunk()] = turn.place as u32;
        }
        self.reduction = Some(plan);
        if let Some(seed) = policy.random_order {
            self.claim_at_random(seed);
        }
    }

    /// Sums are taken after the pass from now on.
    pub fn stop_streaming(&mut self) {
        self.reduction = None;
        for turn in &mut self.turns {
            turn.place = turn.candidates.start;
        }
        for block in &mut self.blocks {
            block.after = 0;
        }
    }

    /// The number of blocks that each group depends on: those that have contacts of it, and that in which it is
    /// [ready](ready_turns). And with which turns the other blocks are done with it: turns and groups, in this order.
    fn count_visits(&self, touched: &[Vec<u32>], ready: &[usize], block_of: &[usize]) -> (Vec<u32>, Vec<(u32, u32)>) {
        let (mut visits, mut is_met) = (vec![0; ready.len()], vec![false; ready.len()]);
        // the block that had contacts of a group last, and its last turn with them
        let mut seen = vec![(usize::MAX, 0); ready.len()];
        let mut passed = Vec::new();
        for block in &self.blocks {
            let mut here = Vec::new();
            for turn in block.turns.clone() {
                for &group in &touched[turn] {
                    let seen = &mut seen[group as usize];
                    if seen.0 != block.number {
                        here.push(group);
                    }
                    *seen = (block.number, turn);
                }
            }
            for group in here {
                let at = group as usize;
                visits[at] += 1;
                if block_of[ready[at]] == block.number {
                    is_met[at] = true;
                } else {
                    passed.push((seen[at].1 as u32, group));
                }
            }
        }
        for (visits, is_met) in visits.iter_mut().zip(is_met) {
            *visits += u32::from(!is_met);
        }
        passed.sort_unstable();
        (visits, passed)
    }

    /// Gives the turns of pairs frames behind the wrenches of all candidates of the list. They are reused in their
    /// region when everything in them has been summed, if that is certain there. Returns the number of frames.
    fn assign_frames(
        &mut self,
        list: &ContactList,
        touched: &[Vec<u32>],
        ready: &[usize],
        block_of: &[usize],
        visits: &[u32],
        are_used_again: bool,
    ) -> usize {
        let behind = list.first.len().next_multiple_of(CHUNK);
        let mut region_of_turn = vec![0; self.turns.len()];
        for (number, region) in self.regions.iter().enumerate() {
            for block in &self.blocks[region.clone()] {
                region_of_turn[block.turns.clone()].fill(number);
            }
        }
        // regions that have contacts of each group: the only one, or none if there are several
        let mut region_of_group: Vec<Option<usize>> = ready.iter().map(|&turn| Some(region_of_turn[turn])).collect();
        for (turn, groups) in touched.iter().enumerate() {
            for &group in groups {
                let region = &mut region_of_group[group as usize];
                *region = region.filter(|&region| region == region_of_turn[turn]);
            }
        }
        let mut frames = 0;
        for (number, region) in self.regions.iter().enumerate() {
            // frames that are free, how many blocks of the region are complete then, and whether only the last of these knows their groups
            let mut free: Vec<(usize, usize, bool)> = Vec::new();
            let blocks = &mut self.blocks[region.clone()];
            let (Some(first), Some(last)) = (blocks.first(), blocks.last()) else { continue };
            let turns = first.turns.start..last.turns.end;
            let mut expiring = vec![Vec::new(); turns.len()];
            for (at, block) in blocks.iter_mut().enumerate() {
                for turn in block.turns.clone() {
                    if self.turns[turn].partner == PartnerKind::Particle {
                        // in this very block those before must be complete, too, that know the same groups
                        let after = |complete: usize, is_own: bool| {
                            if complete <= at {
                                complete
                            } else if is_own {
                                0
                            } else {
                                at
                            }
                        };
                        let may_take = |&(_, complete, is_own): &(usize, usize, bool)| {
                            let after = after(complete, is_own);
                            !block.is_shared || after == 0 || after + SLACK <= at
                        };
                        let taken = free.iter().rposition(may_take).map(|place| free.remove(place));
                        let (frame, complete, is_own) = taken.unwrap_or((frames, 0, true));
                        frames = frames.max(frame + 1);
                        block.after = block.after.max(after(complete, is_own));
                        self.turns[turn].place = behind + frame * CHUNK;
                        let groups = || touched[turn].iter().map(|&group| group as usize);
                        if are_used_again && groups().all(|group| region_of_group[group] == Some(number)) {
                            let last = groups().map(|group| ready[group]).max().unwrap_or(turn);
                            expiring[last - turns.start].push((frame, groups().all(|group| visits[group] == 1)));
                        }
                    }
                    let complete = block_of[turn] - block_of[turns.start] + 1;
                    free.extend(
                        expiring[turn - turns.start].drain(..).map(|(frame, is_own)| (frame, complete, is_own)),
                    );
                }
            }
        }
        frames
    }
}

/// When the sums of a group of slots are taken.
#[derive(Clone, Debug)]
pub(crate) struct ReductionPlan {
    /// By turn: groups before this one are complete after the turns up to it.
    end: Vec<u32>,
    /// Groups with which a block is done before they are complete in the order of turns, by turn, and where those of a turn end.
    passed: Vec<u32>,
    passed_end: Vec<u32>,
    /// The number of blocks that a group depends on.
    visits: Vec<u32>,
    /// How many of these are not done with it in this pass.
    left: Counts,
    /// Particles that each chunk is the first to read, if there are so many that they are prefetched.
    pub first_reads: Option<Arc<FirstReads>>,
    /// Position of the first wrench of every chunk of the list.
    place_of_chunk: Vec<u32>,
    /// Frames for the wrenches of a chunk each, behind those of all candidates.
    pub frames: usize,
}

impl ReductionPlan {
    /// Number of groups.
    pub fn groups(&self) -> usize {
        self.visits.len()
    }

    /// Groups that are complete after a turn in the order of turns and not before.
    pub fn ready(&self, turn: usize) -> Range<usize> {
        let start = if turn == 0 { 0 } else { self.end[turn - 1] };
        start as usize..self.end[turn] as usize
    }

    /// Groups with which the block of a turn is done after it, while later blocks, as a rule, are not.
    pub fn passed(&self, turn: usize) -> &[u32] {
        let start = if turn == 0 { 0 } else { self.passed_end[turn - 1] };
        &self.passed[start as usize..self.passed_end[turn] as usize]
    }

    /// Notes that a block is done with a group. Returns whether it was the last one: all contacts of the group are computed.
    #[inline]
    pub fn leave(&self, group: usize) -> bool {
        let (visits, left) = (self.visits[group], &self.left.0[group]);
        // what other threads have written of the group is visible to the last one
        let is_last = visits == 1 || left.fetch_sub(1, Ordering::AcqRel) == 1;
        if is_last && visits > 1 {
            left.store(visits, Ordering::Relaxed);
        }
        is_last
    }
}

/// Counters of threads.
#[derive(Debug)]
struct Counts(Vec<AtomicU32>);

impl Counts {
    fn new(counts: &[u32]) -> Self {
        Self(counts.iter().map(|&count| AtomicU32::new(count)).collect())
    }
}

impl Clone for Counts {
    fn clone(&self) -> Self {
        Self(self.0.iter().map(|count| AtomicU32::new(count.load(Ordering::Relaxed))).collect())
    }
}

/// All chunks in the order of the first slots that they read. A chunk of a pair of materials that meets seldom, or of a wall along the way, reads
/// far ahead, and its wrenches wait until the others have come so far.
fn turns_of(list: &ContactList) -> Vec<Turn> {
    let mut turns = Vec::new();
    for (segment, of) in list.segments.iter().enumerate() {
        for start in (of.start as usize..of.end as usize).step_by(CHUNK) {
            let candidates = start..(start + CHUNK).min(of.end as usize);
            let lowest = |slots: &[u32]| slots[candidates.clone()].iter().copied().min();
            let earliest = match of.partner {
                PartnerKind::Particle => lowest(&list.first).min(lowest(&list.second)),
                PartnerKind::Wall => lowest(&list.first),
            };
            turns.push((earliest, Turn { segment, partner: of.partner, candidates, place: start }));
        }
    }
    turns.sort_by_key(|(earliest, turn)| (*earliest, turn.candidates.start));
    turns.into_iter().map(|(_, turn)| turn).collect()
}

/// Cuts so many turns into blocks, and these into regions.
fn blocks_of(turns: usize, policy: SweepPolicy, threads: usize) -> (Vec<Block>, Vec<Range<usize>>) {
    let (mut blocks, mut regions) = (Vec::new(), Vec::new());
    let threads = if turns <= FEW_CHUNKS { 1 } else { threads.clamp(1, turns) };
    for region in 0..threads {
        let (mut start, end) = (region * turns / threads, (region + 1) * turns / threads);
        let (shared, before) = (end - (end - start).div_ceil(SHARED_PART), blocks.len());
        while start < end {
            let left = end - start;
            let size = match policy.chunks_per_block {
                Some(chunks) => chunks.clamp(1, left),
                None if threads == 1 => left,
                None => (left - left / PART_LEFT).max(1),
            };
            let turns = start..start + size;
            start = turns.end;
            let is_shared = threads > 1 && start > shared;
            blocks.push(Block { is_shared, end_of_region: end, ..Block::new(blocks.len(), turns) });
        }
        regions.push(before..blocks.len());
    }
    (blocks, regions)
}

/// Turns of each region that has any, of blocks in their order.
fn turns_of_regions(blocks: &[Block], regions: &[Range<usize>]) -> Vec<Range<usize>> {
    let of_region = |region: &Range<usize>| {
        let blocks = &blocks[region.clone()];
        Some(blocks.first()?.turns.start..blocks.last()?.turns.end)
    };
    regions.iter().filter_map(of_region).collect()
}

/// Groups of slots that each turn has contacts of. Where lanes read a vector they read the number behind it, too: a
/// group that another thread changes must not be read through the last slot of the one before, so that this counts for
/// both.
fn groups_of_turns(list: &ContactList, turns: &[Turn], groups: usize) -> Vec<Vec<u32>> {
    let of_turn = |seen: &mut Vec<usize>, (number, turn): (usize, &Turn)| {
        let mut found = Vec::new();
        for slot in turn.slots(list) {
            for group in [slot / GROUP, (slot + 1) / GROUP] {
                if group < groups && std::mem::replace(&mut seen[group], number) != number {
                    found.push(group as u32);
                }
            }
        }
        found
    };
    turns.par_iter().enumerate().map_init(|| vec![usize::MAX; groups], of_turn).collect()
}

/// The turn with which each group is complete in the order of turns, or a later one with which one of the groups before it is, so that groups
/// become complete in their order.
fn ready_turns(touched: &[Vec<u32>], groups: usize) -> Vec<usize> {
    let mut ready = vec![0; groups];
    for (turn, groups) in touched.iter().enumerate() {
        for &group in groups {
            ready[group as usize] = turn;
        }
    }
    let mut latest = 0;
    for turn in &mut ready {
        latest = latest.max(*turn);
        *turn = latest;
    }
    ready
}

impl Places for ReductionPlan {
    #[inline(always)]
    fn of(&self, candidate: usize, number: usize) -> usize {
        self.place_of_chunk[candidate / CHUNK] as usize + number
    }

    fn count(&self) -> usize {
        (self.place_of_chunk.len() + self.frames) * CHUNK
    }
}

#[cfg(test)]
mod tests;
