//! Contact histories: what a law remembers of each touching contact, committed or rolled back as a whole.
//!
//! Records exist only for contacts that touch. The candidates of the contact list are cut into chunks of fixed length;
//! each chunk keeps its touching candidates in ascending order together with their records by columns, so that an evaluation
//! streams through contiguous memory and chunks can be evaluated in parallel without sharing anything. An evaluation
//! reads the committed buffers and writes trial buffers: accepting a step swaps the two, rejecting it does nothing. An evaluation that is
//! known to be accepted writes each chunk to one spare buffer per thread, swaps the two and needs no more.

mod chunk;
mod fields;

pub use chunk::{ChunkHistory, END};
pub use fields::{ContactWork, FieldRole, FieldSpec, FurtherWork, WorkSum, stride, transcribed};

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::contact_list::{CHUNK, ContactKey, ContactList, Segment};

/// Where a record is in a store, until the next evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordPlace {
    chunk: u32,
    row: u32,
}

impl RecordPlace {
    /// In place of a number: no record.
    pub const NONE: u32 = u32::MAX;

    /// The place as one number.
    pub fn number(self) -> u32 {
        self.chunk * CHUNK as u32 + self.row
    }

    /// The place with a [number](Self::number).
    pub fn numbered(number: u32) -> Self {
        Self { chunk: number / CHUNK as u32, row: number % CHUNK as u32 }
    }
}

/// Chunks that are moved to another store in parallel; then old ones are released.
const BATCH: usize = 128;

/// A record on its way from one contact list to the next, or to and from a checkpoint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedRecord {
    /// Which contact.
    pub key: ContactKey,
    /// The law's numbers.
    pub record: Vec<f64>,
}

/// Histories of the contacts of one segment.
#[derive(Clone, Debug, Default)]
pub struct HistoryStore {
    stride: usize,
    /// State at the start of the step.
    pub committed: Vec<ChunkHistory>,
    /// State at the end of the step, if it is accepted.
    pub trial: Vec<ChunkHistory>,
    on_trial: bool,
}

impl HistoryStore {
    /// An empty store for records of `stride` numbers.
    pub fn new(stride: usize) -> Self {
        Self { stride, ..Self::default() }
    }

    /// Numbers per record.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// Number of chunks.
    pub fn chunks(&self) -> usize {
        self.committed.len()
    }

    /// Number of touching contacts.
    pub fn touching(&self) -> usize {
        self.committed.iter().map(|chunk| chunk.count).sum()
    }

    /// Prepares the trial buffer: the next [`Self::commit`] accepts what is written to it.
    pub fn begin_trial(&mut self) {
        self.trial.resize_with(self.committed.len(), || ChunkHistory::with_count(0, self.stride));
        self.on_trial = true;
    }

    /// Discards the trial state, if there is one: the committed state is written directly instead.
    pub fn drop_trial(&mut self) {
        self.on_trial = false;
    }

    /// Accepts the trial state, if there is one.
    pub fn commit(&mut self) {
        if std::mem::take(&mut self.on_trial) {
            std::mem::swap(&mut self.committed, &mut self.trial);
        }
    }

    /// Candidates (relative to the segment) that touch, with the places of their records, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = (usize, RecordPlace)> {
        (0..self.committed.len()).flat_map(|chunk| self.of_chunk(chunk))
    }

    /// The same of one chunk.
    pub fn of_chunk(&self, number: usize) -> impl Iterator<Item = (usize, RecordPlace)> {
        let chunk = &self.committed[number];
        chunk.local[..chunk.count].iter().enumerate().map(move |(row, &local)| {
            (number * CHUNK + local as usize, RecordPlace { chunk: number as u32, row: row as u32 })
        })
    }

    /// The candidate (relative to the segment) that a record belongs to.
    pub fn candidate(&self, place: RecordPlace) -> usize {
        place.chunk as usize * CHUNK + self.committed[place.chunk as usize].local[place.row as usize] as usize
    }

    /// Place of the committed record of a candidate (relative to the segment), if it touches.
    pub fn place(&self, candidate: usize) -> Option<RecordPlace> {
        let row = self.committed.get(candidate / CHUNK)?.find((candidate % CHUNK) as u16).ok()?;
        Some(RecordPlace { chunk: (candidate / CHUNK) as u32, row: row as u32 })
    }

    /// Number k of a committed record.
    fn number(&self, place: RecordPlace, k: usize) -> f64 {
        let chunk = &self.committed[place.chunk as usize];
        chunk.number[k * chunk.room + place.row as usize]
    }

    /// Copies a committed record.
    pub fn read(&self, place: RecordPlace, record: &mut Vec<f64>) {
        record.clear();
        record.extend((0..self.stride).map(|k| self.number(place, k)));
    }

    /// Number k of all committed records of a chunk, in the order of [`Self::of_chunk`].
    pub fn column(&self, chunk: usize, k: usize) -> &[f64] {
        let chunk = &self.committed[chunk];
        &chunk.number[k * chunk.room..][..chunk.count]
    }

    /// Writes a committed record.
    pub fn write(&mut self, place: RecordPlace, record: &[f64]) {
        let chunk = &mut self.committed[place.chunk as usize];
        for (k, &number) in record.iter().enumerate().take(self.stride) {
            chunk.number[k * chunk.room + place.row as usize] = number;
        }
    }

    /// Gives the committed record of a candidate to another one that has none (both relative to the segment).
    pub fn rename(&mut self, from: usize, to: usize) {
        if self.place(to).is_some() || to / CHUNK >= self.committed.len() {
            return;
        }
        let Some(place) = self.place(from) else { return };
        let record = self.committed[place.chunk as usize].remove(place.row as usize);
        let (chunk, local) = (&mut self.committed[to / CHUNK], (to % CHUNK) as u16);
        if let Err(at) = chunk.find(local) {
            chunk.insert(at, local, &record);
        }
    }

    /// A store whose committed state holds some records of another one.
    ///
    /// `from` has the [number](RecordPlace::number) of its record in the other store for every candidate (relative to the segment), or
    /// [`RecordPlace::NONE`]; no record is asked for twice. Chunks of the other store are released as their last records have moved, so that
    /// histories are not there twice.
    pub fn with_moved(mut other: Self, from: &[u32]) -> Self {
        other.trial = Vec::new();
        let mut waiting: Vec<AtomicU32> = other.committed.iter().map(|_| AtomicU32::new(0)).collect();
        from.par_chunks(CHUNK).for_each(|from| {
            visit_sources(from, |chunk, records| {
                waiting[chunk].fetch_add(records, Ordering::Relaxed);
            });
        });
        let mut committed = Vec::with_capacity(from.len().div_ceil(CHUNK));
        for batch in from.chunks(BATCH * CHUNK) {
            for (chunk, waiting) in other.committed.iter_mut().zip(&mut waiting) {
                if chunk.room > 0 && *waiting.get_mut() == 0 {
                    *chunk = ChunkHistory::default();
                }
            }
            committed.par_extend(batch.par_chunks(CHUNK).map(|from| {
                visit_sources(from, |chunk, records| {
                    waiting[chunk].fetch_sub(records, Ordering::Relaxed);
                });
                other.moved_chunk(from)
            }));
        }
        Self { stride: other.stride, committed, trial: Vec::new(), on_trial: false }
    }

    /// A chunk of the records with some numbers.
    fn moved_chunk(&self, from: &[u32]) -> ChunkHistory {
        let count = from.iter().filter(|&&number| number != RecordPlace::NONE).count();
        let mut chunk = ChunkHistory::with_count(count, self.stride);
        let moved = from.iter().enumerate().filter(|&(_, &number)| number != RecordPlace::NONE);
        for (row, (local, &number)) in moved.enumerate() {
            chunk.local[row] = local as u16;
            for k in 0..self.stride {
                chunk.number[k * chunk.room + row] = self.number(RecordPlace::numbered(number), k);
            }
        }
        chunk
    }

    /// A store whose committed state holds the given records.
    ///
    /// `records` holds (candidate relative to the segment, record) in any order; candidates are unique.
    pub fn from_records(stride: usize, candidates: usize, mut records: Vec<(u32, &[f64])>) -> Self {
        records.par_sort_unstable_by_key(|&(candidate, _)| candidate);
        let mut rest = records.as_slice();
        let committed = (0..candidates.div_ceil(CHUNK))
            .map(|chunk| {
                let count = rest.partition_point(|&(candidate, _)| (candidate as usize) < (chunk + 1) * CHUNK);
                let (here, others) = rest.split_at(count);
                rest = others;
                let mut chunk = ChunkHistory::with_count(count, stride);
                for (row, (candidate, record)) in here.iter().enumerate() {
                    chunk.local[row] = (*candidate as usize % CHUNK) as u16;
                    for (k, &number) in record.iter().enumerate() {
                        chunk.number[k * chunk.room + row] = number;
                    }
                }
                chunk
            })
            .collect();
        Self { stride, committed, trial: Vec::new(), on_trial: false }
    }

    /// Records with their keys in ascending order of keys.
    pub fn save(&self, list: &ContactList, segment: &Segment, ids: &[u64]) -> Vec<SavedRecord> {
        let mut saved: Vec<SavedRecord> = self
            .iter()
            .map(|(candidate, place)| SavedRecord {
                key: list.key(segment, segment.start as usize + candidate, ids),
                record: (0..self.stride).map(|k| self.number(place, k)).collect(),
            })
            .collect();
        saved.sort_unstable_by_key(|s| s.key);
        saved
    }

    /// Gives a candidate that has no record one.
    pub fn add(&mut self, candidate: usize, record: &[f64]) {
        let chunks = candidate / CHUNK + 1;
        if self.committed.len() < chunks {
            self.committed.resize_with(chunks, || ChunkHistory::with_count(0, self.stride));
        }
        let chunk = &mut self.committed[candidate / CHUNK];
        if chunk.room == 0 {
            *chunk = ChunkHistory::with_count(0, self.stride);
        }
        let local = (candidate % CHUNK) as u16;
        if let Err(at) = chunk.find(local) {
            chunk.insert(at, local, record);
        }
    }

    /// Replaces the histories by the saved records that belong to candidates of the segment; returns the others.
    pub fn restore<'a>(
        &mut self,
        list: &ContactList,
        segment: &Segment,
        ids: &[u64],
        saved: &[&'a SavedRecord],
    ) -> Vec<&'a SavedRecord> {
        let mut keys: Vec<(ContactKey, u32)> =
            (segment.start..segment.end).map(|c| (list.key(segment, c as usize, ids), c - segment.start)).collect();
        keys.sort_unstable();
        let mut lost = Vec::new();
        let mut moved = Vec::new();
        for &s in saved {
            match keys.binary_search_by_key(&s.key, |&(key, _)| key) {
                Ok(found) if s.record.len() == self.stride => moved.push((keys[found].1, s.record.as_slice())),
                _ => lost.push(s),
            }
        }
        *self = Self::from_records(self.stride, (segment.end - segment.start) as usize, moved);
        lost
    }
}

/// Visits the chunks that records with some numbers are in, and how many in a row are in the same.
fn visit_sources(from: &[u32], mut visit: impl FnMut(usize, u32)) {
    let (mut source, mut records) = (0, 0);
    for &number in from.iter().filter(|&&number| number != RecordPlace::NONE) {
        let chunk = number as usize / CHUNK;
        if chunk != source {
            visit(source, std::mem::take(&mut records));
            source = chunk;
        }
        records += 1;
    }
    if records > 0 {
        visit(source, records);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::MOST_LANES;

    fn field(name: &'static str, width: usize) -> FieldSpec {
        FieldSpec { name, unit: "-", meaning: "", width, role: FieldRole::State }
    }

    #[test]
    fn a_dropped_trial_is_not_committed() {
        let mut store = HistoryStore::from_records(1, 3, vec![(1, &[7.0])]);
        store.begin_trial();
        store.drop_trial();
        store.commit();
        assert_eq!(store.place(1).map(|place| store.number(place, 0)), Some(7.0));
        store.begin_trial();
        store.commit();
        assert_eq!(store.touching(), 0, "the trial was empty");
    }

    #[test]
    fn a_renamed_record_stands_where_its_new_name_belongs() {
        let far = CHUNK as u32 + 3;
        for (from, to) in [(1u32, 6u32), (6, 2), (5, 6), (2, 1), (1, far), (far, 1), (2, far + 9)] {
            let present: Vec<u32> = [1, 2, 5, 6, far, far + 1].into_iter().filter(|&k| k != to).collect();
            let records: Vec<[f64; 2]> = present.iter().map(|&k| [f64::from(k), -f64::from(k)]).collect();
            let moved = present.iter().zip(&records).map(|(&k, record)| (k, record.as_slice())).collect();
            let mut store = HistoryStore::from_records(2, 2 * CHUNK, moved);
            store.rename(from as usize, to as usize);
            let mut expected: Vec<(usize, f64)> = present
                .iter()
                .map(|&k| if k == from { (to as usize, f64::from(from)) } else { (k as usize, f64::from(k)) })
                .collect();
            expected.sort_by_key(|&(k, _)| k);
            let found: Vec<(usize, f64)> = store.iter().map(|(k, place)| (k, store.number(place, 0))).collect();
            assert_eq!(found, expected, "{from} to {to}");
            assert!(store.iter().all(|(_, place)| store.number(place, 1) == -store.number(place, 0)));
            for chunk in &store.committed {
                assert_eq!(chunk.touching().last(), Some(&END));
                let (numbers, room) = chunk.records();
                assert!(room >= chunk.count + MOST_LANES && numbers.len() == 2 * room, "room for all lanes");
            }
            store.rename(to as usize, present[0] as usize);
            assert_eq!(store.touching(), present.len(), "none is overwritten");
        }
    }

    #[test]
    fn an_added_record_stands_in_its_place_and_replaces_none() {
        let mut store = HistoryStore::from_records(2, 8, vec![(2, &[2.0, -2.0]), (5, &[5.0, -5.0])]);
        for candidate in [3, 2, CHUNK + 1, 0] {
            store.add(candidate, &[candidate as f64 + 0.5, -0.5]);
        }
        let found: Vec<(usize, f64)> = store.iter().map(|(k, place)| (k, store.number(place, 0))).collect();
        assert_eq!(found, [(0, 0.5), (2, 2.0), (3, 3.5), (5, 5.0), (CHUNK + 1, CHUNK as f64 + 1.5)]);
    }

    #[test]
    fn moved_records_are_those_of_the_other_store() {
        let count = 3 * CHUNK as u32;
        let records: Vec<[f64; 2]> = (0..count).map(|k| [f64::from(k), -f64::from(k)]).collect();
        let store = HistoryStore::from_records(2, 3 * CHUNK, (0..).zip(records.iter().map(|r| r.as_slice())).collect());
        // every third record, from chunk to chunk and back, and none of the last chunk
        let target = |from: u32| (from * 1231 + 7) % count;
        let kept = |from: u32| from.is_multiple_of(3) && from < 2 * CHUNK as u32;
        let mut moved = vec![RecordPlace::NONE; 3 * CHUNK];
        for (from, place) in store.iter().filter(|&(from, _)| kept(from as u32)) {
            assert_eq!((store.candidate(place), RecordPlace::numbered(place.number())), (from, place));
            moved[target(from as u32) as usize] = place.number();
        }
        let mut expected: Vec<(usize, f64)> =
            (0..count).filter(|&from| kept(from)).map(|from| (target(from) as usize, f64::from(from))).collect();
        expected.sort_by_key(|&(candidate, _)| candidate);
        let new = HistoryStore::with_moved(store, &moved);
        let found: Vec<(usize, f64)> = new.iter().map(|(candidate, place)| (candidate, new.number(place, 0))).collect();
        assert_eq!(found, expected);
        assert!(new.iter().all(|(_, place)| new.number(place, 1) == -new.number(place, 0)));
    }

    #[test]
    fn transcribed_records_keep_the_fields_that_both_know() {
        let (a, b, c) = (field("a", 1), field("b", 2), field("c", 1));
        let record = [1.0, 2.0, 3.0];
        assert_eq!(transcribed(&record, &[a, b], &[b, c]), [2.0, 3.0, 0.0]);
        assert_eq!(transcribed(&record, &[a, b], &[a, field("b", 3)]), [1.0, 0.0, 0.0, 0.0]);
        assert_eq!(transcribed(&record, &[a, b], &[]), [0.0]);
    }
}
