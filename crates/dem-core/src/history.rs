//! Contact histories: what a law remembers of each touching contact, committed or rolled back as a whole.
//!
//! Records exist only for contacts that touch. The candidates of the contact list are cut into chunks of fixed length;
//! each chunk keeps its touching candidates in ascending order together with their records, so that an evaluation
//! streams through contiguous memory and chunks can be evaluated in parallel without sharing anything. An evaluation
//! reads the committed buffer and writes the trial buffer: accepting a step swaps the two, rejecting it does nothing. An evaluation that is
//! known to be accepted writes over the committed buffer, one chunk after the other, and needs no second one.

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

/// Touching candidates of one buffer: per chunk a count, then local candidate numbers and records.
#[derive(Clone, Debug, Default)]
pub struct Touching {
    /// Touching candidates per chunk.
    pub count: Vec<u32>,
    /// Local numbers of the touching candidates, ascending; `CHUNK` places per chunk.
    pub local: Vec<u16>,
    /// Records of the touching candidates; `CHUNK × stride` numbers per chunk.
    pub record: Vec<f64>,
}

impl Touching {
    fn sized(chunks: usize, stride: usize) -> Self {
        // `vec![0; n]` maps zero pages: what a chunk never touches never becomes resident
        Self { count: vec![0; chunks], local: vec![0; chunks * CHUNK], record: vec![0.0; chunks * CHUNK * stride] }
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
    chunks: usize,
    /// State at the start of the step.
    pub committed: Touching,
    /// State at the end of the step, if it is accepted.
    pub trial: Touching,
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
        self.chunks
    }

    /// Number of touching contacts.
    pub fn touching(&self) -> usize {
        self.committed.count.iter().map(|&n| n as usize).sum()
    }

    /// Prepares the trial buffer: the next [`Self::commit`] accepts what is written to it.
    pub fn begin_trial(&mut self) {
        if self.trial.count.len() != self.chunks {
            self.trial = Touching::sized(self.chunks, self.stride);
        }
        self.on_trial = true;
    }

    /// Accepts the trial state, if there is one.
    pub fn commit(&mut self) {
        if std::mem::take(&mut self.on_trial) {
            std::mem::swap(&mut self.committed, &mut self.trial);
        }
    }

    /// Candidates (relative to the segment) that touch, with their records, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &[f64])> {
        (0..self.chunks).flat_map(move |chunk| {
            let count = self.committed.count[chunk] as usize;
            (0..count).map(move |k| {
                let at = chunk * CHUNK + k;
                let candidate = chunk * CHUNK + self.committed.local[at] as usize;
                (candidate, &self.committed.record[at * self.stride..][..self.stride])
            })
        })
    }

    /// A store whose committed state holds the given records.
    ///
    /// `moved` holds (candidate relative to the segment, record) in any order; candidates are unique.
    pub fn from_records(stride: usize, candidates: usize, mut moved: Vec<(u32, &[f64])>) -> Self {
        moved.par_sort_unstable_by_key(|&(candidate, _)| candidate);
        let chunks = candidates.div_ceil(CHUNK);
        let mut committed = Touching::sized(chunks, stride);
        for (candidate, record) in moved {
            let chunk = candidate as usize / CHUNK;
            let at = chunk * CHUNK + committed.count[chunk] as usize;
            committed.local[at] = (candidate as usize % CHUNK) as u16;
            committed.record[at * stride..][..stride].copy_from_slice(record);
            committed.count[chunk] += 1;
        }
        Self { stride, chunks, committed, trial: Touching::default(), on_trial: false }
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
    fn transcribed_records_keep_the_fields_that_both_know() {
        let (a, b, c) = (field("a", 1), field("b", 2), field("c", 1));
        let record = [1.0, 2.0, 3.0];
        assert_eq!(transcribed(&record, &[a, b], &[b, c]), [2.0, 3.0, 0.0]);
        assert_eq!(transcribed(&record, &[a, b], &[a, field("b", 3)]), [1.0, 0.0, 0.0, 0.0]);
        assert_eq!(transcribed(&record, &[a, b], &[]), [0.0]);
    }
}
