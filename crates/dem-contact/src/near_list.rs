//! The candidates that are near enough to touch soon.
//!
//! The contact list holds every pair within a skin that lasts for many steps. Most of those that do not touch are far from touching in
//! most steps. A selection with a much thinner margin is made at longer intervals and keeps them out of the loop over contacts. No
//! result depends on it: a candidate that does not touch has no effect.

use dem_core::contact_list::CHUNK;

/// The near candidates of a segment, chunk by chunk.
#[derive(Clone, Debug, Default)]
pub(crate) struct NearList {
    count: Vec<u32>,
    /// [`CHUNK`] places per chunk; the last group is filled up with copies of the last candidate.
    candidate: Vec<u16>,
}

/// The near candidates of one chunk.
pub(crate) struct NearChunk<'a> {
    /// How many there are.
    pub count: &'a mut u32,
    /// Their numbers in the chunk, ascending.
    pub candidate: &'a mut [u16; CHUNK],
}

impl NearList {
    /// Whether the list was made for as many chunks.
    pub fn has_chunks(&self, chunks: usize) -> bool {
        self.count.len() == chunks
    }

    /// Room for the candidates of `chunks` chunks.
    pub fn resize(&mut self, chunks: usize) {
        self.count.resize(chunks, 0);
        self.candidate.resize(chunks * CHUNK, 0);
    }

    /// The columns: counts, and places by chunk.
    pub fn columns(&mut self) -> (&mut [u32], &mut [[u16; CHUNK]]) {
        (&mut self.count, self.candidate.as_chunks_mut().0)
    }
}
