//! Histories of the touching candidates of one chunk of the contact list.

use crate::contact_list::CHUNK;
use crate::lanes::MOST_LANES;

/// Marks the end of the touching candidates of a chunk.
pub const END: u16 = u16::MAX;

/// Touching candidates of one chunk and their records. Behind the last candidate there is always [`END`].
///
/// Records are kept by columns, so that contacts next to each other are read and written at once, number by number: number k of record r is
/// in place `k * room + r`.
#[derive(Clone, Debug, Default)]
pub struct ChunkHistory {
    /// Number of touching candidates.
    pub(super) count: usize,
    /// Their numbers in the chunk, ascending.
    pub(super) local: Vec<u16>,
    /// Numbers of their records.
    pub(super) number: Vec<f64>,
    /// Records that a column has room for.
    pub(super) room: usize,
}

impl ChunkHistory {
    /// Room for `count` records of `stride` numbers, which count but are not written yet.
    pub(super) fn with_count(count: usize, stride: usize) -> Self {
        let mut chunk = Self::default();
        chunk.make_room(count, stride);
        chunk.close(count);
        chunk
    }

    /// Makes room for `rows` records of `stride` numbers and the end. What was there is lost.
    pub fn make_room(&mut self, rows: usize, stride: usize) {
        // as many lanes as there are read and write from any record on
        self.room = rows + MOST_LANES;
        // as much as any chunk needs: buffers go from chunk to chunk, those that grew would leave holes in the memory, and what is never
        // written to takes none
        self.local.reserve_exact((CHUNK + 1).saturating_sub(self.local.len()));
        self.local.resize(rows + 1, END);
        self.number.reserve_exact((stride * (CHUNK + MOST_LANES)).saturating_sub(self.number.len()));
        self.number.resize(stride * self.room, 0.0);
    }

    /// Ends the chunk behind `count` touching candidates.
    pub fn close(&mut self, count: usize) {
        self.count = count;
        self.local[count] = END;
    }

    /// Touching candidates and [`END`].
    pub fn touching(&self) -> &[u16] {
        &self.local[..=self.count]
    }

    /// Records of the touching candidates by columns, and how many records a column has room for.
    pub fn records(&self) -> (&[f64], usize) {
        (&self.number, self.room)
    }

    /// All places for candidates and records, and how many records a column has room for.
    pub fn places(&mut self) -> (&mut [u16], &mut [f64], usize) {
        (&mut self.local, &mut self.number, self.room)
    }

    /// Place of a touching candidate's record, or else where it belongs.
    pub(super) fn find(&self, local: u16) -> Result<usize, usize> {
        self.local[..self.count].binary_search(&local)
    }

    /// Takes out a candidate; returns the numbers of its record.
    pub(super) fn remove(&mut self, at: usize) -> Vec<f64> {
        let record = self.number.chunks_exact_mut(self.room).map(|column| {
            column[at..].rotate_left(1);
            column[column.len() - 1]
        });
        let record = record.collect();
        self.local.remove(at);
        self.count -= 1;
        record
    }

    /// Puts a candidate and its record in their place.
    pub(super) fn insert(&mut self, at: usize, local: u16, record: &[f64]) {
        let mut grown = Self::with_count(self.count + 1, record.len());
        grown.local[..at].copy_from_slice(&self.local[..at]);
        grown.local[at] = local;
        grown.local[at + 1..=self.count].copy_from_slice(&self.local[at..self.count]);
        let columns = grown.number.chunks_exact_mut(grown.room).zip(self.number.chunks_exact(self.room));
        for ((new, old), &number) in columns.zip(record) {
            new[..at].copy_from_slice(&old[..at]);
            new[at] = number;
            new[at + 1..=self.count].copy_from_slice(&old[at..self.count]);
        }
        *self = grown;
    }
}
