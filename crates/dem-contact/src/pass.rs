//! The pass of a law over the candidates of one segment, chunk by chunk and in parallel.

use std::cell::RefCell;
use std::ops::Range;

use dem_core::contact_list::{CHUNK, ContactList, PartnerKind, Segment};
use dem_core::history::{ChunkHistory, HistoryStore};
use dem_core::lanes::Stretch;
use rayon::prelude::*;

use crate::ahead::{Ahead, STRETCHES};
use crate::chunk::{ChunkInput, ChunkOutput, Ended, SegmentInput};
use crate::contact_forces::ContactForces;
use crate::evaluator::Scratch;
use crate::following::{Following, STRETCHES_OF_SUMS};
use crate::frontier::Frontier;
use crate::geometry::Reach;
use crate::kernel::Acceptance;
use crate::law_table::LawTable;
use crate::near_list::{NearChunk, NearChunks};
use crate::selection;
use crate::side::Side;

/// Chunks that one thread computes without asking for help: to wake another one takes about as long.
const FEW_CHUNKS: usize = 3;

thread_local! {
    /// Takes the histories of the end of a step of one chunk after the other; and what a chunk needs while it is computed.
    static SPARE: RefCell<(ChunkHistory, Scratch)> = RefCell::default();
}

/// A segment that is put to its law.
pub(crate) struct Pass<'a> {
    pub list: &'a ContactList,
    pub segment: &'a Segment,
    pub input: SegmentInput<'a>,
    pub laws: &'a dyn LawTable,
}

impl Pass<'_> {
    fn chunks(&self) -> usize {
        ((self.segment.end - self.segment.start) as usize).div_ceil(CHUNK)
    }

    /// Chunks that follow each other on one thread, at least.
    fn chunks_at_once(&self) -> usize {
        if self.chunks() <= FEW_CHUNKS { FEW_CHUNKS } else { 1 }
    }

    fn first_chunk(&self) -> usize {
        self.segment.start as usize / CHUNK
    }

    /// What a chunk reads, if there is such a chunk.
    fn input_of<'b>(&'b self, chunk: usize, old: &'b ChunkHistory) -> Option<ChunkInput<'b>> {
        let first = self.segment.start as usize + chunk * CHUNK;
        let candidates = first..(first + CHUNK).min(self.segment.end as usize);
        Some(ChunkInput {
            candidates: candidates.len(),
            first: self.list.first.get(first..)?.first_chunk()?,
            second: self.list.second.get(first..)?.first_chunk()?,
            feature: self.list.features(self.segment, candidates),
            touching: old.touching(),
            records: old.records(),
            ahead: Ahead::default(),
        })
    }

    fn evaluate(
        &self,
        chunk: usize,
        ahead: Ahead,
        old: &ChunkHistory,
        new: &mut ChunkHistory,
        output: &mut ChunkOutput,
        scratch: &mut Scratch,
    ) {
        if let Some(input) = self.input_of(chunk, old) {
            let input = ChunkInput { ahead, ..input };
            self.laws.evaluate(&self.input, &input, new, output, scratch, self.segment.partner);
        }
    }

    /// Selects the near candidates anew.
    pub fn select(&self, side: &mut Side, reach: Reach, forces: &mut ContactForces) {
        let Side { near, store, .. } = side;
        let in_frames = self.input.in_frames;
        let frontier = if in_frames { forces.frontier() } else { None };
        forces.stale |= self.segment.partner == PartnerKind::Particle;
        let outputs = near.chunks().zip(forces.chunks_to_select(self.first_chunk(), self.chunks())).enumerate();
        outputs.zip(&store.committed).with_min_len(self.chunks_at_once()).for_each(
            |((chunk, (mut near, (place, mut forces))), old)| {
                let Some(mut input) = self.input_of(chunk, old) else { return };
                // chunks that follow each other mostly go to the same thread
                input.ahead.blocks = frontier.as_ref().map(|frontier| frontier.of(chunk + 1));
                let cleared = selection::select(&self.input, reach, &input, &mut near, place, self.segment.partner);
                forces.clear_modes(cleared);
                if !in_frames {
                    forces.clear_wrenches(cleared);
                }
            },
        );
    }

    /// Computes all near candidates.
    pub fn run(&self, side: &mut Side, acceptance: Acceptance, forces: &mut ContactForces) {
        let Side { near, store, separated, largest, .. } = side;
        let outputs = (
            near.chunks(),
            forces.chunks(self.first_chunk(), self.chunks()),
            separated.par_iter_mut(),
            largest.par_iter_mut(),
        )
            .into_par_iter()
            .map(|(near, forces, separated, largest)| ChunkOutput { near, forces, separated, largest })
            .enumerate()
            .with_min_len(self.chunks_at_once());
        let HistoryStore { committed, trial, .. } = store;
        match acceptance {
            Acceptance::Trial => outputs.zip(committed).zip(trial).for_each(|(((chunk, mut output), old), new)| {
                SPARE.with_borrow_mut(|(_, scratch)| {
                    self.evaluate(chunk, Ahead::default(), old, new, &mut output, scratch)
                });
            }),
            Acceptance::Final => outputs.zip(committed).for_each(|((chunk, mut output), history)| {
                SPARE.with_borrow_mut(|(spare, scratch)| {
                    self.evaluate(chunk, Ahead::default(), history, spare, &mut output, scratch);
                    std::mem::swap(history, spare);
                });
            }),
        }
    }

    /// Computes all near candidates of a step that is accepted, and takes the sums of particles as soon as all their contacts are known.
    pub fn run_with_sums(&self, side: &mut Side, forces: &mut ContactForces) {
        let Side { near, store, separated, largest, .. } = side;
        let finishing = self.input.context.finishing();
        if let Some(following) = forces.following(finishing) {
            self.run_parts(
                following,
                Columns { near: near.all_chunks(), history: &mut store.committed, separated, largest },
            );
            forces.sum_late(finishing, self.input.context.width);
        }
    }

    fn run_parts(&self, following: Following, columns: Columns) {
        if following.parts.len() > 1 {
            let (half, other_half, chunks) = following.halves();
            let (columns, others) = columns.split_at(chunks);
            rayon::join(|| self.run_parts(half, columns), || self.run_parts(other_half, others));
            return;
        }
        let Some(mut part) = following.part() else { return };
        let Range { start: first, end } = part.part.chunks;
        let frontier = part.trail().frontier.as_deref();
        let mut columns = columns;
        SPARE.with_borrow_mut(|(spare, scratch)| {
            for chunk in 0..end - first {
                let (present, later) = std::mem::take(&mut columns).split_at(1);
                if let Some((near, history, separated, largest)) = present.into_first()
                    && let Some((forces, sums)) = part.chunk(chunk)
                {
                    let candidates = *near.count as usize;
                    let next = first + chunk + 1;
                    let ahead = frontier.map(|frontier| later.ahead(sums, frontier, next..end)).unwrap_or_default();
                    let mut output = ChunkOutput { near, forces, separated, largest };
                    self.evaluate(first + chunk, ahead, history, spare, &mut output, scratch);
                    std::mem::swap(history, spare);
                    part.close(chunk, candidates, self.input.context.width);
                }
                columns = later;
            }
        });
    }
}

/// What one of them writes.
type OfChunk<'a> = (NearChunk<'a>, &'a mut ChunkHistory, &'a mut Vec<Ended>, &'a mut f64);

/// What the chunks of some parts write beside forces.
#[derive(Default)]
struct Columns<'a> {
    near: NearChunks<'a>,
    history: &'a mut [ChunkHistory],
    separated: &'a mut [Vec<Ended>],
    largest: &'a mut [f64],
}

impl<'a> Columns<'a> {
    fn into_first(self) -> Option<OfChunk<'a>> {
        let Self { near, history, separated, largest } = self;
        Some((near.into_each().next()?, history.first_mut()?, separated.first_mut()?, largest.first_mut()?))
    }

    /// What the first chunk, the first of the `chunks` that are left, will read, and what the sums that are taken before need.
    fn ahead<'b>(
        &'b self,
        sums: [Stretch<'b>; STRETCHES_OF_SUMS],
        frontier: &'b Frontier,
        chunks: Range<usize>,
    ) -> Ahead<'b> {
        let mut stretches = [Stretch::default(); STRETCHES];
        stretches[STRETCHES - STRETCHES_OF_SUMS..].copy_from_slice(&sums);
        let of = |chunk| if chunks.contains(&chunk) { frontier.of(chunk) } else { &[] };
        if let (Some((first, second, candidate)), Some(history)) = (self.near.of_first(), self.history.first()) {
            let (touching, records) = (history.touching(), history.records().0);
            let blocks_after = of(chunks.start + 1);
            let needed =
                [first.into(), second.into(), candidate.into(), touching.into(), records.into(), blocks_after.into()];
            stretches[..needed.len()].copy_from_slice(&needed);
        }
        Ahead { stretches, blocks: Some(of(chunks.start)) }
    }

    fn split_at(self, chunks: usize) -> (Self, Self) {
        let chunks = chunks.min(self.history.len());
        let (near, more_near) = self.near.split_at(chunks);
        let (history, more_histories) = self.history.split_at_mut(chunks);
        let (separated, more_separated) = self.separated.split_at_mut(chunks);
        let (largest, more_largest) = self.largest.split_at_mut(chunks);
        let more = Self { near: more_near, history: more_histories, separated: more_separated, largest: more_largest };
        (Self { near, history, separated, largest }, more)
    }
}
