//! A segment of the contact list in a pass over all contacts: its chunks are claimed one by one, by any thread.

use dem_core::history::ChunkHistory;
use dem_core::lanes::TurnColumn;

use crate::force_loop::kernel::chunk_data::Ended;
use crate::force_loop::kernel::segment_pass::SegmentPass;
use crate::force_loop::kernel::segment_state::{Acceptance, SegmentState};
use crate::force_loop::neighbours::near_list::{NearChunk, NearTurns};
use crate::force_loop::sweep::turn::Turn;

/// A segment whose chunks are computed as they are scheduled.
pub struct SegmentAtWork<'a> {
    pub(crate) pass: SegmentPass<'a>,
    near: NearTurns<'a>,
    history: TurnColumn<'a, ChunkHistory>,
    /// Where histories of the end of the step go; empty if they replace those before.
    trial: TurnColumn<'a, ChunkHistory>,
    separated: TurnColumn<'a, Vec<Ended>>,
}

/// What belongs to one of its chunks.
pub(crate) struct OfChunk<'a> {
    pub near: NearChunk<'a>,
    pub history: &'a mut ChunkHistory,
    pub trial: Option<&'a mut ChunkHistory>,
    pub separated: &'a mut Vec<Ended>,
}

impl<'a> SegmentAtWork<'a> {
    pub(crate) fn new(pass: SegmentPass<'a>, side: &'a mut SegmentState, acceptance: Acceptance) -> Self {
        let trial = match acceptance {
            Acceptance::Trial => &mut side.store.trial[..],
            Acceptance::Final => &mut [],
        };
        Self {
            pass,
            near: side.near.turns(),
            history: TurnColumn::new(&mut side.store.committed),
            trial: TurnColumn::new(trial),
            separated: TurnColumn::new(&mut side.separated),
        }
    }

    /// First candidate.
    pub(crate) fn start(&self) -> u32 {
        self.pass.segment.start
    }

    /// Number of a chunk of the list in the segment.
    pub(crate) fn number_of(&self, turn: &Turn) -> usize {
        turn.chunk() - self.pass.first_chunk()
    }

    /// What belongs to a chunk.
    ///
    /// # Safety
    /// No other thread has it at the same time.
    #[expect(unsafe_code, reason = "the chunk's turn has come")]
    pub(crate) unsafe fn take(&self, chunk: usize) -> Option<OfChunk<'_>> {
        let at = chunk..chunk + 1;
        // SAFETY: the caller's promise
        unsafe {
            Some(OfChunk {
                near: self.near.take(chunk)?,
                history: self.history.part(at.clone()).first_mut()?,
                trial: if self.trial.is_empty() { None } else { self.trial.part(at.clone()).first_mut() },
                separated: self.separated.part(at).first_mut()?,
            })
        }
    }
}
