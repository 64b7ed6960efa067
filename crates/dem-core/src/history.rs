//! Contact histories: what a law remembers of each touching contact, committed or rolled back as a whole.
//!
//! Records exist only for contacts that touch. The candidates of the contact list are cut into chunks of fixed length;
//! each chunk keeps its touching candidates in ascending order together with their records, so that an evaluation
//! streams through contiguous memory and chunks can be evaluated in parallel without sharing anything. An evaluation
//! reads the committed buffers and writes those on trial: accepting a step swaps the two, rejecting it does nothing. An evaluation that is
//! known to be accepted writes each chunk to one spare buffer per thread, swaps the two and needs no more.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::contact_list::{CHUNK, ContactKey, ContactList, Segment};

/// What a field of a contact history means to the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldRole {
    /// State of the law; only the law knows what it means.
    State,
    /// Work stored in the tangential spring along the path \[J\].
    ElasticTangentialWork,
    /// Work dissipated by friction \[J\].
    FrictionWork,
    /// Work dissipated by contact damping \[J\].
    ViscousWork,
    /// Work stored in the springs of rolling and twisting resistance along the path \[J\].
    ElasticRollingWork,
    /// Work dissipated by rolling resistance \[J\].
    RollingWork,
    /// Work dissipated by twisting resistance \[J\].
    TwistingWork,
    /// Work left in springs when the surfaces parted, of a record that lives on because a force acts at a distance \[J\].
    ReleasedWork,
}

/// A named part of a law's history record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldSpec {
    /// Name, unique in the law.
    pub name: &'static str,
    /// Unit in SI.
    pub unit: &'static str,
    /// Meaning in a sentence.
    pub meaning: &'static str,
    /// Numbers it takes.
    pub width: usize,
    /// Meaning to the engine.
    pub role: FieldRole,
}

/// Sums of the work fields of histories \[J\].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ContactWork {
    /// Stored in tangential springs along the path.
    pub elastic_tangential: f64,
    /// Dissipated by friction.
    pub friction: f64,
    /// Dissipated by contact damping.
    pub viscous: f64,
    /// Stored in the springs of rolling and twisting resistance along the path.
    pub elastic_rolling: f64,
    /// Dissipated by rolling resistance.
    pub rolling: f64,
    /// Dissipated by twisting resistance.
    pub twisting: f64,
    /// Left in springs when surfaces parted that still attract or repel each other.
    pub released: f64,
}

impl ContactWork {
    /// Adds the work fields of one record.
    pub fn add_record(&mut self, fields: &[FieldSpec], record: &[f64]) {
        let mut at = 0;
        for field in fields {
            match field.role {
                FieldRole::State => {}
                FieldRole::ElasticTangentialWork => self.elastic_tangential += record[at],
                FieldRole::FrictionWork => self.friction += record[at],
                FieldRole::ViscousWork => self.viscous += record[at],
                FieldRole::ElasticRollingWork => self.elastic_rolling += record[at],
                FieldRole::RollingWork => self.rolling += record[at],
                FieldRole::TwistingWork => self.twisting += record[at],
                FieldRole::ReleasedWork => self.released += record[at],
            }
            at += field.width;
        }
    }

    /// Adds other sums.
    pub fn add(&mut self, other: &Self) {
        self.elastic_tangential += other.elastic_tangential;
        self.friction += other.friction;
        self.viscous += other.viscous;
        self.elastic_rolling += other.elastic_rolling;
        self.rolling += other.rolling;
        self.twisting += other.twisting;
        self.released += other.released;
    }
}

/// Numbers in a record with these fields.
pub fn stride(fields: &[FieldSpec]) -> usize {
    fields.iter().map(|field| field.width).sum()
}

/// A record with other fields: those of the same name and width are kept, the others start at zero.
pub fn transcribed(record: &[f64], from: &[FieldSpec], to: &[FieldSpec]) -> Vec<f64> {
    let mut written = Vec::with_capacity(stride(to).max(1));
    for field in to {
        let mut at = 0;
        let same = from.iter().find_map(|known| {
            let place = at..at + known.width;
            at = place.end;
            ((known.name, known.width) == (field.name, field.width)).then_some(place)
        });
        match same.and_then(|place| record.get(place)) {
            Some(numbers) => written.extend_from_slice(numbers),
            None => written.resize(written.len() + field.width, 0.0),
        }
    }
    // a law without memory keeps one number
    written.resize(stride(to).max(1), 0.0);
    written
}

/// Marks the end of the touching candidates of a chunk.
pub const END: u16 = u16::MAX;

/// Touching candidates of one chunk and their records, one after the other. Behind the last there is always [`END`] and a record of
/// zeros, which stands for the history of contacts that have none.
#[derive(Clone, Debug, Default)]
pub struct ChunkHistory {
    /// Number of touching candidates.
    count: usize,
    /// Their numbers in the chunk, ascending.
    local: Vec<u16>,
    /// Their records.
    record: Vec<f64>,
}

impl ChunkHistory {
    /// A chunk without touching candidates.
    fn empty(stride: usize) -> Self {
        let mut chunk = Self::default();
        chunk.make_room(0, stride);
        chunk.close(0, stride);
        chunk
    }

    /// Makes room for `rows` records of `stride` numbers and the end.
    pub fn make_room(&mut self, rows: usize, stride: usize) {
        // as little as possible: there are very many chunks
        self.local.reserve_exact((rows + 1).saturating_sub(self.local.len()));
        self.local.resize(rows + 1, END);
        self.record.reserve_exact(((rows + 1) * stride).saturating_sub(self.record.len()));
        self.record.resize((rows + 1) * stride, 0.0);
    }

    /// Ends the chunk behind `count` touching candidates.
    pub fn close(&mut self, count: usize, stride: usize) {
        self.count = count;
        self.local[count] = END;
        self.record[count * stride..(count + 1) * stride].fill(0.0);
    }

    /// Touching candidates and [`END`].
    pub fn touching(&self) -> &[u16] {
        &self.local[..=self.count]
    }

    /// Records of the touching candidates, and one of zeros.
    pub fn records(&self, stride: usize) -> &[f64] {
        &self.record[..(self.count + 1) * stride]
    }

    /// All places for numbers and records.
    pub fn places(&mut self) -> (&mut [u16], &mut [f64]) {
        (&mut self.local, &mut self.record)
    }
}

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
        self.trial.resize_with(self.committed.len(), || ChunkHistory::empty(self.stride));
        self.on_trial = true;
    }

    /// Forgets the trial state, if there is one: the committed state is written directly instead.
    pub fn drop_trial(&mut self) {
        self.on_trial = false;
    }

    /// Accepts the trial state, if there is one.
    pub fn commit(&mut self) {
        if std::mem::take(&mut self.on_trial) {
            std::mem::swap(&mut self.committed, &mut self.trial);
        }
    }

    /// Candidates (relative to the segment) that touch, with their records, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &[f64])> {
        self.committed.iter().enumerate().flat_map(move |(number, chunk)| {
            (0..chunk.count).map(move |k| {
                let candidate = number * CHUNK + chunk.local[k] as usize;
                (candidate, &chunk.record[k * self.stride..][..self.stride])
            })
        })
    }

    /// Committed record of a candidate (relative to the segment), if it touches.
    pub fn record(&self, candidate: usize) -> Option<&[f64]> {
        let chunk = self.committed.get(candidate / CHUNK)?;
        let at = chunk.local[..chunk.count].binary_search(&((candidate % CHUNK) as u16)).ok()?;
        Some(&chunk.record[at * self.stride..][..self.stride])
    }

    /// Gives the committed record of a candidate to another one that has none (both relative to the segment).
    pub fn rename(&mut self, from: usize, to: usize) {
        if self.record(to).is_some() || to / CHUNK >= self.committed.len() {
            return;
        }
        let Some(old) = self.committed.get(from / CHUNK) else { return };
        let Ok(at) = old.local[..old.count].binary_search(&((from % CHUNK) as u16)) else { return };
        let stride = self.stride;
        let local = (to % CHUNK) as u16;
        if from / CHUNK == to / CHUNK {
            let chunk = &mut self.committed[from / CHUNK];
            let before = chunk.local[..chunk.count].partition_point(|&k| k < local);
            // what lies between moves by one place
            if before > at {
                chunk.local[at..before].rotate_left(1);
                chunk.record[at * stride..before * stride].rotate_left(stride);
                chunk.local[before - 1] = local;
            } else {
                chunk.local[before..=at].rotate_right(1);
                chunk.record[before * stride..(at + 1) * stride].rotate_right(stride);
                chunk.local[before] = local;
            }
            return;
        }
        let old = &mut self.committed[from / CHUNK];
        let record: Vec<f64> = old.record.drain(at * stride..(at + 1) * stride).collect();
        old.local.remove(at);
        old.count -= 1;
        let new = &mut self.committed[to / CHUNK];
        let before = new.local[..new.count].partition_point(|&k| k < local);
        new.local.insert(before, local);
        new.record.splice(before * stride..before * stride, record);
        new.count += 1;
    }

    /// A store whose committed state holds the given records.
    ///
    /// `moved` holds (candidate relative to the segment, record) in any order; candidates are unique.
    pub fn from_records(stride: usize, candidates: usize, mut moved: Vec<(u32, &[f64])>) -> Self {
        moved.par_sort_unstable_by_key(|&(candidate, _)| candidate);
        let mut rest = moved.as_slice();
        let committed = (0..candidates.div_ceil(CHUNK))
            .map(|number| {
                let count = rest.partition_point(|&(candidate, _)| (candidate as usize) < (number + 1) * CHUNK);
                let (here, others) = rest.split_at(count);
                rest = others;
                let mut chunk = ChunkHistory::default();
                chunk.make_room(count, stride);
                for (k, &(candidate, record)) in here.iter().enumerate() {
                    chunk.local[k] = (candidate as usize % CHUNK) as u16;
                    chunk.record[k * stride..][..stride].copy_from_slice(record);
                }
                chunk.close(count, stride);
                chunk
            })
            .collect();
        Self { stride, committed, trial: Vec::new(), on_trial: false }
    }

    /// Records with their keys in ascending order of keys.
    pub fn save(&self, list: &ContactList, segment: &Segment, ids: &[u64]) -> Vec<SavedRecord> {
        let mut saved: Vec<SavedRecord> = self
            .iter()
            .map(|(candidate, record)| SavedRecord {
                key: list.key(segment, segment.start as usize + candidate, ids),
                record: record.to_vec(),
            })
            .collect();
        saved.sort_unstable_by_key(|s| s.key);
        saved
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

#[cfg(test)]
mod tests {
    use super::*;

    fn field(name: &'static str, width: usize) -> FieldSpec {
        FieldSpec { name, unit: "-", meaning: "", width, role: FieldRole::State }
    }

    #[test]
    fn a_dropped_trial_is_not_committed() {
        let mut store = HistoryStore::from_records(1, 3, vec![(1, &[7.0])]);
        store.begin_trial();
        store.drop_trial();
        store.commit();
        assert_eq!(store.record(1), Some([7.0].as_slice()));
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
            let found: Vec<(usize, f64)> = store.iter().map(|(k, record)| (k, record[0])).collect();
            assert_eq!(found, expected, "{from} to {to}");
            assert!(store.iter().all(|(_, record)| record[1] == -record[0]));
            for chunk in &store.committed {
                assert_eq!(chunk.touching().last(), Some(&END));
                assert!(chunk.records(2).ends_with(&[0.0, 0.0]));
            }
            store.rename(to as usize, present[0] as usize);
            assert_eq!(store.touching(), present.len(), "none is overwritten");
        }
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
