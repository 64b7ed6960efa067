//! The pass of a law over the candidates of one segment, chunk by chunk.

use dem_core::contact_list::{CHUNK, ContactList, PartnerKind, Segment};
use dem_core::history::ChunkHistory;
use rayon::prelude::*;

use crate::force_loop::kernel::chunk_data::{ChunkInput, ChunkOutput, SegmentInput};
use crate::force_loop::kernel::evaluator::Scratch;
use crate::force_loop::kernel::law_table::LawTable;
use crate::force_loop::kernel::segment_state::SegmentState;
use crate::force_loop::kinematics::geometry::Reach;
use crate::force_loop::neighbours::near_selection;
use crate::force_loop::reduction::contact_forces::ContactForces;
use crate::force_loop::sweep::prefetch::Prefetch;
use crate::force_loop::sweep::schedule::FEW_CHUNKS;

/// A segment that is passed to its law.
pub(crate) struct SegmentPass<'a> {
    pub list: &'a ContactList,
    pub segment: &'a Segment,
    pub input: SegmentInput<'a>,
    pub laws: &'a dyn LawTable,
}

impl SegmentPass<'_> {
    fn chunks(&self) -> usize {
        ((self.segment.end - self.segment.start) as usize).div_ceil(CHUNK)
    }

    /// Chunks that follow each other on one thread, at least.
    fn chunks_at_once(&self) -> usize {
        if self.chunks() <= FEW_CHUNKS { FEW_CHUNKS } else { 1 }
    }

    /// Number in the list of its first chunk.
    pub fn first_chunk(&self) -> usize {
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
            ahead: Prefetch::default(),
        })
    }

    pub fn evaluate(
        &self,
        chunk: usize,
        ahead: Prefetch,
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
    pub fn select(&self, side: &mut SegmentState, reach: Reach, forces: &mut ContactForces) {
        let SegmentState { near, store, .. } = side;
        let in_frames = self.input.in_frames;
        let first_reads = if in_frames { forces.first_reads() } else { None };
        forces.stale |= self.segment.partner == PartnerKind::Particle;
        let outputs = near.chunks().zip(forces.chunks_to_select(self.first_chunk(), self.chunks())).enumerate();
        outputs.zip(&store.committed).with_min_len(self.chunks_at_once()).for_each(
            |((chunk, (mut near, (place, mut forces))), old)| {
                let Some(mut input) = self.input_of(chunk, old) else { return };
                // chunks that follow each other mostly go to the same thread
                input.ahead.blocks =
                    first_reads.as_ref().map(|first_reads| first_reads.of(self.first_chunk() + chunk + 1));
                let cleared =
                    near_selection::select(&self.input, reach, &input, &mut near, place, self.segment.partner);
                forces.clear_modes(cleared);
                if !in_frames {
                    forces.clear_wrenches(cleared);
                }
            },
        );
    }
}
