//! The pass over the pairs of all segments of an assembly whose sums trail it: chunk after chunk in the order of the sweep through space,
//! whatever the materials and laws.

use dem_core::contact_list::{ContactList, PartnerKind};
use dem_core::history::ChunkHistory;
use dem_core::lanes::{Stretch, TurnColumn};

use crate::ahead::{Ahead, STRETCHES};
use crate::chunk::{ChunkOutput, Ended};
use crate::contact_forces::ContactForces;
use crate::following::{Following, Kept, STRETCHES_OF_SUMS};
use crate::frontier::Frontier;
use crate::geometry::StepContext;
use crate::kernel::{Acceptance, ForceKernel};
use crate::near_list::{NearChunk, NearTurns};
use crate::pass::{Pass, SPARE};
use crate::side::Side;
use crate::trail::Turn;

/// A segment of pairs whose chunks are computed in their turns.
pub struct SegmentAtWork<'a> {
    pass: Pass<'a>,
    near: NearTurns<'a>,
    history: TurnColumn<'a, ChunkHistory>,
    separated: TurnColumn<'a, Vec<Ended>>,
    largest: TurnColumn<'a, f64>,
}

/// What one of its chunks writes.
type OfChunk<'a> = (NearChunk<'a>, &'a mut ChunkHistory, &'a mut Vec<Ended>, &'a mut f64);

impl<'a> SegmentAtWork<'a> {
    pub(crate) fn new(pass: Pass<'a>, side: &'a mut Side) -> Self {
        Self {
            pass,
            near: side.near.turns(),
            history: TurnColumn::new(&mut side.store.committed),
            separated: TurnColumn::new(&mut side.separated),
            largest: TurnColumn::new(&mut side.largest),
        }
    }

    /// First candidate.
    fn start(&self) -> u32 {
        self.pass.segment.start
    }

    /// Number of a chunk of the list in the segment.
    fn number_of(&self, turn: &Turn) -> usize {
        turn.chunk() - self.pass.first_chunk()
    }

    /// What a chunk writes.
    ///
    /// # Safety
    /// Nobody else has it at the same time.
    #[expect(unsafe_code, reason = "the chunk's turn has come")]
    unsafe fn take(&self, chunk: usize) -> Option<OfChunk<'_>> {
        let at = chunk..chunk + 1;
        // SAFETY: the caller's promise
        unsafe {
            Some((
                self.near.take(chunk)?,
                self.history.part(at.clone()).first_mut()?,
                self.separated.part(at.clone()).first_mut()?,
                self.largest.part(at).first_mut()?,
            ))
        }
    }
}

/// Memory for the segments of a sweep, which lasts from step to step.
#[derive(Default)]
pub struct Segments(Vec<SegmentAtWork<'static>>);

impl Segments {
    fn take<'a>(&mut self) -> Vec<SegmentAtWork<'a>> {
        recycled(std::mem::take(&mut self.0))
    }

    fn give_back(&mut self, segments: Vec<SegmentAtWork>) {
        self.0 = recycled(segments);
    }
}

/// An empty vector that collects into the memory of another one.
fn recycled<'b>(mut segments: Vec<SegmentAtWork>) -> Vec<SegmentAtWork<'b>> {
    segments.clear();
    segments.into_iter().map_while(|_| None).collect()
}

/// Evaluates all contacts of a list over the step of `context`, those with walls first: sums of particles that trail the pass over pairs need
/// them.
pub fn evaluate(
    kernels: &mut [Box<dyn ForceKernel>],
    list: &ContactList,
    context: &StepContext,
    acceptance: Acceptance,
    forces: &mut ContactForces,
    memory: &mut Segments,
) {
    for segment in list.segments.iter().rev() {
        let kernel = &mut kernels[segment.law];
        if segment.partner == PartnerKind::Particle && forces.is_trailing() {
            kernel.prepare(list, segment, context, acceptance, forces);
        } else {
            kernel.evaluate(list, segment, context, acceptance, forces);
        }
    }
    forces.update_incidence(list);
    let finishing = context.finishing();
    if let Some((following, kept)) = forces.following(finishing) {
        let mut segments = memory.take();
        for (law, kernel) in kernels.iter_mut().enumerate() {
            kernel.put_to_work(list, law, context, &mut segments);
        }
        segments.sort_unstable_by_key(SegmentAtWork::start);
        run(&segments, following, &kept);
        memory.give_back(segments);
        forces.sum_late(finishing, context.width);
        for kernel in kernels {
            forces.largest_overlap_ratio = kernel.largest_overlap_ratio(list).max(forces.largest_overlap_ratio);
        }
    }
}

/// Computes all pairs of some parts, and takes the sums of particles as soon as all their contacts are known.
fn run(segments: &[SegmentAtWork], following: Following, kept: &Kept) {
    if following.parts.len() > 1 {
        let (half, other_half) = following.halves();
        rayon::join(|| run(segments, half, kept), || run(segments, other_half, kept));
        return;
    }
    let trail = following.trail;
    let Some(mut part) = following.part(kept) else { return };
    let frontier = trail.frontier.as_deref();
    SPARE.with_borrow_mut(|(spare, scratch)| {
        for at in part.part.turns.clone() {
            let turn = &trail.turns[at];
            let segment = &segments[turn.segment];
            let chunk = segment.number_of(turn);
            #[expect(unsafe_code, reason = "the chunk's turn has come")]
            // SAFETY: a chunk has one turn, which one part has, and one thread takes the turns of a part one after the other
            let taken = unsafe { segment.take(chunk) };
            let end = part.part.turns.end;
            if let (Some((near, history, separated, largest)), Some((forces, sums))) = (taken, part.begin(at)) {
                let candidates = *near.count as usize;
                let ahead = frontier.map(|frontier| ahead(segments, &trail.turns[at + 1..end], frontier, sums));
                let mut output = ChunkOutput { near, forces, separated, largest };
                segment.pass.evaluate(chunk, ahead.unwrap_or_default(), history, spare, &mut output, scratch);
                std::mem::swap(history, spare);
                part.close(at, candidates, segment.pass.input.context.width);
            }
        }
    });
}

/// What the first of the turns that are left will read, and what the sums that are taken before need.
fn ahead<'a>(
    segments: &'a [SegmentAtWork],
    turns: &[Turn],
    frontier: &'a Frontier,
    sums: [Stretch<'a>; STRETCHES_OF_SUMS],
) -> Ahead<'a> {
    let mut stretches = [Stretch::default(); STRETCHES];
    stretches[STRETCHES - STRETCHES_OF_SUMS..].copy_from_slice(&sums);
    let blocks = |turn: Option<&Turn>| turn.map_or(&[][..], |turn| frontier.of(turn.chunk()));
    if let Some(turn) = turns.first() {
        let segment = &segments[turn.segment];
        #[expect(unsafe_code, reason = "the chunk is the next one of this thread")]
        // SAFETY: its turn comes on this very thread, which has only the one before at present
        let next = unsafe { segment.take(segment.number_of(turn)) };
        if let Some((near, history, ..)) = next {
            let count = *near.count as usize;
            let (first, second, candidate) = (&near.first[..count], &near.second[..count], &near.candidate[..count]);
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
    Ahead { stretches, blocks: Some(blocks(turns.first())) }
}
