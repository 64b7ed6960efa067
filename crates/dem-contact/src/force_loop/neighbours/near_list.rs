//! The candidates that are near enough to touch soon.
//!
//! The contact list holds every pair within a skin that lasts for many steps. Most of those that do not touch are far from touching in
//! most steps. A selection with a much thinner margin is made at longer intervals and keeps them out of the loop over contacts. No
//! result depends on it: a candidate that does not touch has no effect.

use bytemuck::Zeroable;
use dem_core::contact_list::CHUNK;
use dem_core::lanes::TurnColumn;
use rayon::prelude::*;

/// The near candidates of a segment, chunk by chunk.
#[derive(Clone, Debug, Default)]
pub(crate) struct NearList {
    count: Vec<u32>,
    /// [`CHUNK`] entries per chunk in this and the other columns; the last group is padded with copies of the last
    /// candidate.
    candidate: Vec<u16>,
    first: Vec<u32>,
    second: Vec<u32>,
    /// What is certain of contacts with walls as long as the selection holds, by numbers in the chunk.
    certain: Vec<Certain>,
}

/// Whether a feature of a wall is the one that a sphere can touch, see [`dem_core::wall::SurfacePoint::is_nearest`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Zeroable)]
#[repr(u8)]
pub(crate) enum Certain {
    /// To be checked in every step.
    #[default]
    Nothing = 0,
    /// It is, as long as the selection holds.
    Nearest,
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
    /// What is certain of contacts with walls, by numbers in the chunk.
    pub certain: &'a mut [Certain; CHUNK],
}

/// Chunks that are taken one by one, as they are scheduled.
pub(crate) struct NearTurns<'a> {
    count: TurnColumn<'a, u32>,
    candidate: TurnColumn<'a, [u16; CHUNK]>,
    first: TurnColumn<'a, [u32; CHUNK]>,
    second: TurnColumn<'a, [u32; CHUNK]>,
    certain: TurnColumn<'a, [Certain; CHUNK]>,
}

impl NearTurns<'_> {
    /// The chunk of a number.
    ///
    /// # Safety
    /// As [`TurnColumn::part`] of it.
    #[expect(unsafe_code, reason = "the chunk's turn has come")]
    pub unsafe fn take(&self, chunk: usize) -> Option<NearChunk<'_>> {
        let at = chunk..chunk + 1;
        // SAFETY: the caller's promise
        unsafe {
            Some(NearChunk {
                count: self.count.part(at.clone()).first_mut()?,
                candidate: self.candidate.part(at.clone()).first_mut()?,
                first: self.first.part(at.clone()).first_mut()?,
                second: self.second.part(at.clone()).first_mut()?,
                certain: self.certain.part(at).first_mut()?,
            })
        }
    }
}

impl NearList {
    /// Whether the list was made for as many chunks.
    pub fn has_chunks(&self, chunks: usize) -> bool {
        self.count.len() == chunks
    }

    /// What is certain of a contact with a wall, by its number among the candidates of the segment.
    pub fn certain(&self, number: usize) -> Certain {
        self.certain.get(number).copied().unwrap_or_default()
    }

    /// Room for the candidates of `chunks` chunks.
    pub fn resize(&mut self, chunks: usize) {
        if !self.has_chunks(chunks) {
            // pages that are never written never become resident
            *self = Self {
                count: vec![0; chunks],
                candidate: bytemuck::allocation::zeroed_vec(chunks * CHUNK),
                first: bytemuck::allocation::zeroed_vec(chunks * CHUNK),
                second: bytemuck::allocation::zeroed_vec(chunks * CHUNK),
                certain: bytemuck::allocation::zeroed_vec(chunks * CHUNK),
            };
        }
    }

    /// The chunks, to be taken one by one.
    pub fn turns(&mut self) -> NearTurns<'_> {
        NearTurns {
            count: TurnColumn::new(&mut self.count),
            candidate: TurnColumn::new(self.candidate.as_chunks_mut().0),
            first: TurnColumn::new(self.first.as_chunks_mut().0),
            second: TurnColumn::new(self.second.as_chunks_mut().0),
            certain: TurnColumn::new(self.certain.as_chunks_mut().0),
        }
    }

    /// The chunks, for parallel iteration.
    pub fn chunks(&mut self) -> impl IndexedParallelIterator<Item = NearChunk<'_>> {
        let Self { count, candidate, first, second, certain } = self;
        let columns = (
            count.par_iter_mut(),
            candidate.as_chunks_mut().0.par_iter_mut(),
            first.as_chunks_mut().0.par_iter_mut(),
            second.as_chunks_mut().0.par_iter_mut(),
            certain.as_chunks_mut().0.par_iter_mut(),
        );
        let chunk = |(count, candidate, first, second, certain)| NearChunk { count, candidate, first, second, certain };
        columns.into_par_iter().map(chunk)
    }
}
