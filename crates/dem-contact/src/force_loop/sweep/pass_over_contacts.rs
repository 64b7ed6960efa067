//! The pass over all contacts of an assembly: threads claim blocks of chunks one after the other, compute them, and take the sums of the particles
//! whose last contacts they have computed.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use dem_core::contact_list::ContactList;
use dem_core::history::ChunkHistory;
use dem_core::lanes::Stretch;

use crate::force_loop::kernel::chunk_data::ChunkOutput;
use crate::force_loop::kernel::evaluator::Scratch;
use crate::force_loop::kernel::force_kernel::{Acceptance, ForceKernel};
use crate::force_loop::kinematics::geometry::StepContext;
use crate::force_loop::reduction::contact_forces::ContactForces;
use crate::force_loop::reduction::group_reduction::{Reduction, STRETCHES_OF_SUMS};
use crate::force_loop::reduction::written::Written;
use crate::force_loop::sweep::prefetch::{Prefetch, STRETCHES};
use crate::force_loop::sweep::schedule::Schedule;
use crate::force_loop::sweep::segment_at_work::{OfChunk, SegmentAtWork};
use crate::force_loop::sweep::turn::{Block, Turn};

/// Iterations for which a waiting thread spins before it yields to the operating system: about as long as it takes to
/// wake a thread.
const SPINS: u32 = 1 << 14;

thread_local! {
    /// Takes the histories of the end of a step of one chunk after the other; and what a chunk needs while it is computed.
    static SPARE: RefCell<(ChunkHistory, Scratch)> = RefCell::default();
}

/// Memory for passes, which lasts from step to step.
#[derive(Default)]
pub struct SweepMemory {
    segments: Vec<SegmentAtWork<'static>>,
    claimed: Vec<AtomicUsize>,
    complete: Vec<AtomicBool>,
}

/// An empty vector that collects into the memory of another one.
fn recycled<'b>(mut segments: Vec<SegmentAtWork>) -> Vec<SegmentAtWork<'b>> {
    segments.clear();
    segments.into_iter().map_while(|_| None).collect()
}

/// Evaluates all contacts of a list over the step of `context`.
pub fn evaluate(
    kernels: &mut [Box<dyn ForceKernel>],
    list: &ContactList,
    context: &StepContext,
    acceptance: Acceptance,
    forces: &mut ContactForces,
    memory: &mut SweepMemory,
) {
    for segment in &list.segments {
        kernels[segment.law].prepare(list, segment, context, acceptance, forces);
    }
    forces.update_incidence(list);
    let in_frames = forces.is_streaming();
    let mut segments = recycled(std::mem::take(&mut memory.segments));
    for (law, kernel) in kernels.iter_mut().enumerate() {
        kernel.put_to_work(list, law, context, in_frames, acceptance, &mut segments);
    }
    segments.sort_unstable_by_key(SegmentAtWork::start);
    let (schedule, written, reduction) = forces.pass(context.finishing(), context.width);
    memory.claimed.clear();
    memory.claimed.extend(schedule.regions.iter().map(|region| AtomicUsize::new(region.start)));
    memory.complete.clear();
    memory.complete.resize_with(schedule.blocks.len(), AtomicBool::default);
    let sweep = Sweep {
        segments: &segments,
        schedule,
        written,
        reduction,
        claimed: &memory.claimed,
        complete: &memory.complete,
        completed: AtomicUsize::new(0),
        has_failed: AtomicBool::new(false),
        largest: AtomicU64::new(0),
    };
    sweep.run();
    let largest = f64::from_bits(sweep.largest.into_inner());
    forces.largest_overlap_ratio = forces.largest_overlap_ratio.max(largest);
    memory.segments = recycled(segments);
}

/// A pass in progress.
struct Sweep<'a> {
    segments: &'a [SegmentAtWork<'a>],
    schedule: &'a Schedule,
    written: Written<'a>,
    reduction: Option<Reduction<'a>>,
    /// By region, the block that is claimed next.
    claimed: &'a [AtomicUsize],
    /// By the number of a block, whether everything that its last turn enabled is done.
    complete: &'a [AtomicBool],
    /// How many are.
    completed: AtomicUsize,
    /// Whether a thread has panicked, which others must not wait for.
    has_failed: AtomicBool,
    /// Bits of the largest overlap in proportion to the smaller radius; those of positive numbers are in their order.
    largest: AtomicU64,
}

impl Sweep<'_> {
    /// Runs the pass on all threads that there are and that have something to do.
    #[expect(clippy::disallowed_methods, reason = "no bit depends on which thread computes a block")]
    fn run(&self) {
        self.side_by_side(rayon::current_num_threads().min(self.schedule.regions.len()));
    }

    fn side_by_side(&self, threads: usize) {
        if threads > 1 {
            let half = threads / 2;
            rayon::join(|| self.side_by_side(threads - half), || self.side_by_side(half));
        } else {
            self.work();
        }
    }

    /// Computes blocks as long as there are any, first those of the region of this thread, then spins for a while until
    /// the others are done: to sleep would take longer.
    fn work(&self) {
        let watch = FailsUnlessForgotten(&self.has_failed);
        SPARE.with_borrow_mut(|spare| {
            let mut largest = 0.0;
            let regions = self.schedule.regions.len();
            let own = rayon::current_thread_index().unwrap_or(0);
            for region in (own..own + regions).map(|region| region % regions) {
                let blocks = &self.schedule.blocks[self.schedule.regions[region].clone()];
                let mut before = 0;
                while let Some(block) = self.claim(region) {
                    self.wait(&blocks[..block.after], &mut before);
                    for turn in block.turns.clone() {
                        self.take_turn(turn, block, spare, &mut largest);
                    }
                    self.complete[block.number].store(true, Ordering::Release);
                    self.completed.fetch_add(1, Ordering::Release);
                }
            }
            self.largest.fetch_max(f64::to_bits(largest), Ordering::Relaxed);
        });
        std::mem::forget(watch);
        let mut spins = 0;
        while self.completed.load(Ordering::Acquire) < self.schedule.blocks.len() && spins < SPINS {
            std::hint::spin_loop();
            spins += 1;
        }
    }

    /// The next block of a region, if there is one.
    fn claim(&self, region: usize) -> Option<&Block> {
        let (end, claimed) = (self.schedule.regions[region].end, &self.claimed[region]);
        let is_left = claimed.load(Ordering::Relaxed) < end;
        let block = is_left.then(|| claimed.fetch_add(1, Ordering::Relaxed)).filter(|&block| block < end);
        block.map(|block| &self.schedule.blocks[block])
    }

    /// Waits until the blocks are complete whose wrenches would be overwritten. `before` counts those that are known to
    /// be.
    fn wait(&self, blocks: &[Block], before: &mut usize) {
        let mut spins = 0;
        while *before < blocks.len() && !self.has_failed.load(Ordering::Relaxed) {
            if self.complete[blocks[*before].number].load(Ordering::Acquire) {
                *before += 1;
            } else if spins < SPINS {
                std::hint::spin_loop();
                spins += 1;
            } else {
                std::thread::yield_now();
            }
        }
    }

    /// Computes the chunk of a turn of a block, and takes the sums that it makes complete.
    fn take_turn(&self, at: usize, block: &Block, (spare, scratch): &mut (ChunkHistory, Scratch), largest: &mut f64) {
        let Self { segments, schedule, written, reduction, .. } = self;
        let turn = &schedule.turns[at];
        let segment = &segments[turn.segment];
        let chunk = segment.number_of(turn);
        #[expect(unsafe_code, reason = "the chunk's turn has come")]
        // SAFETY: a chunk has one turn, which one block has, which one thread has claimed; blocks that had the chunk's frame before are complete
        let taken = unsafe { segment.take(chunk).zip(written.take(turn)) };
        let mut near_pairs = 0;
        if let Some((OfChunk { near, history, trial, separated }, forces)) = taken {
            near_pairs = *near.count as usize;
            let ahead = reduction.as_ref().map(|reduction| self.ahead(at, block, reduction)).unwrap_or_default();
            let mut of_chunk = 0.0;
            let mut output = ChunkOutput { near, forces, separated, largest: &mut of_chunk };
            match trial {
                Some(trial) => segment.pass.evaluate(chunk, ahead, history, trial, &mut output, scratch),
                None => {
                    segment.pass.evaluate(chunk, ahead, history, spare, &mut output, scratch);
                    std::mem::swap(history, spare);
                }
            }
            *largest = largest.max(of_chunk);
        }
        if let Some(reduction) = reduction {
            #[expect(unsafe_code, reason = "the chunk's turn has come")]
            // SAFETY: as before
            unsafe {
                written.keep(turn, near_pairs);
            }
            reduction.close(at, written.columns(reduction.incidence, reduction.asks_ahead));
        }
    }

    /// What to prefetch: what the next turn will read (only particles if it is of another block, the rest of which
    /// another thread may have), and what the sums need that are taken before it.
    fn ahead<'b>(&'b self, at: usize, block: &Block, reduction: &'b Reduction) -> Prefetch<'b> {
        let Some(first_reads) = reduction.plan.first_reads.as_deref() else { return Prefetch::default() };
        let turns = &self.schedule.turns[at + 1..block.end_of_region];
        let mut stretches = [Stretch::default(); STRETCHES];
        stretches[STRETCHES - STRETCHES_OF_SUMS..].copy_from_slice(&reduction.needed(at));
        let blocks = |turn: Option<&Turn>| turn.map_or(&[][..], |turn| first_reads.of(turn.chunk()));
        if let Some(turn) = turns.first().filter(|_| at + 1 < block.turns.end) {
            let segment = &self.segments[turn.segment];
            #[expect(unsafe_code, reason = "the chunk is the next one of this thread")]
            // SAFETY: its turn is computed by this very thread, which has only the one before at present
            let next = unsafe { segment.take(segment.number_of(turn)) };
            if let Some(OfChunk { near, history, .. }) = next {
                let count = *near.count as usize;
                let (first, second, candidate) =
                    (&near.first[..count], &near.second[..count], &near.candidate[..count]);
                let (touching, records) = (history.touching(), history.records().0);
                let needed = [
                    first.into(),
                    second.into(),
                    candidate.into(),
                    touching.into(),
                    records.into(),
                    blocks(turns.get(1)).into(),
                ];
                stretches[..needed.len()].copy_from_slice(&needed);
            }
        }
        Prefetch { stretches, blocks: Some(blocks(turns.first())) }
    }
}

/// Signals the other threads when a thread panics.
struct FailsUnlessForgotten<'a>(&'a AtomicBool);

impl Drop for FailsUnlessForgotten<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
