//! The candidates that are near enough to touch soon.
//!
//! The contact list holds every pair within a skin that lasts for many steps. Most of those that do not touch are far from touching in
//! most steps. A selection with a much thinner margin is made at longer intervals and keeps them out of the loop over contacts. No
//! result depends on it: a candidate that does not touch has no effect.

use dem_core::contact_list::CHUNK;
use rayon::prelude::*;

/// The near candidates of a segment, chunk by chunk.
#[derive(Clone, Debug, Default)]
pub(crate) struct NearList {
    count: Vec<u32>,
    /// [`CHUNK`] places per chunk in this and the other columns; the last group is filled up with copies of the last candidate.
    candidate: Vec<u16>,
    first: Vec<u32>,
    second: Vec<u32>,
}

/// The near candidates of one chunk.
pub(crate) struct NearChunk<'a> {
    /// How many there are.
    pub count: &'a mut u32,
    /// Their numbers in the chunk, ascending.
    pub candidate: &'a mut [u16; CHUNK],
    /// Slots of their first particles.
    pub first: &'a mut [u32; CHUNK],
    /// Slots of their second particles; numbers of walls.
    pub second: &'a mut [u32; CHUNK],
}

/// Some chunks.
#[derive(Default)]
pub(crate) struct NearChunks<'a> {
    count: &'a mut [u32],
    candidate: &'a mut [[u16; CHUNK]],
    first: &'a mut [[u32; CHUNK]],
    second: &'a mut [[u32; CHUNK]],
}

impl<'a> NearChunks<'a> {
    /// The first `chunks` ones and the others.
    pub fn split_at(self, chunks: usize) -> (Self, Self) {
        let (count, more_counts) = self.count.split_at_mut(chunks);
        let (candidate, more_candidates) = self.candidate.split_at_mut(chunks);
        let (first, more_firsts) = self.first.split_at_mut(chunks);
        let (second, more_seconds) = self.second.split_at_mut(chunks);
        let more = Self { count: more_counts, candidate: more_candidates, first: more_firsts, second: more_seconds };
        (Self { count, candidate, first, second }, more)
    }

    /// First slots, second ones and numbers of the near candidates of the first chunk.
    pub fn of_first(&self) -> Option<(&[u32], &[u32], &[u16])> {
        let count = *self.count.first()? as usize;
        let columns = (self.first.first()?, self.second.first()?, self.candidate.first()?);
        Some((&columns.0[..count], &columns.1[..count], &columns.2[..count]))
    }

    /// One after the other.
    pub fn into_each(self) -> impl Iterator<Item = NearChunk<'a>> {
        let columns = self.count.iter_mut().zip(self.candidate).zip(self.first).zip(self.second);
        columns.map(|(((count, candidate), first), second)| NearChunk { count, candidate, first, second })
    }
}

impl NearList {
    /// Whether the list was made for as many chunks.
    pub fn has_chunks(&self, chunks: usize) -> bool {
        self.count.len() == chunks
    }

    /// Room for the candidates of `chunks` chunks.
    pub fn resize(&mut self, chunks: usize) {
        if !self.has_chunks(chunks) {
            // pages that nobody writes to never become resident
            *self = Self {
                count: vec![0; chunks],
                candidate: bytemuck::allocation::zeroed_vec(chunks * CHUNK),
                first: bytemuck::allocation::zeroed_vec(chunks * CHUNK),
                second: bytemuck::allocation::zeroed_vec(chunks * CHUNK),
            };
        }
    }

    /// All chunks.
    pub fn all_chunks(&mut self) -> NearChunks<'_> {
        NearChunks {
            count: &mut self.count,
            candidate: self.candidate.as_chunks_mut().0,
            first: self.first.as_chunks_mut().0,
            second: self.second.as_chunks_mut().0,
        }
    }

    /// The chunks side by side.
    pub fn chunks(&mut self) -> impl IndexedParallelIterator<Item = NearChunk<'_>> {
        let Self { count, candidate, first, second } = self;
        let columns = (
            count.par_iter_mut(),
            candidate.as_chunks_mut().0.par_iter_mut(),
            first.as_chunks_mut().0.par_iter_mut(),
            second.as_chunks_mut().0.par_iter_mut(),
        );
        columns.into_par_iter().map(|(count, candidate, first, second)| NearChunk { count, candidate, first, second })
    }
}
