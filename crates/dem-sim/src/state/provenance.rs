//! Which source each particle comes from.
//!
//! Ids are given in order and never again, and a source inserts many particles in a row: so ranges of ids know their source, and particles need no
//! column for it.

use serde::{Deserialize, Serialize};

/// Number of no source, of particles that have none.
pub const UNKNOWN: u32 = u32::MAX;

/// Sources by number, and the ids that come from each.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    names: Vec<String>,
    /// First ids of ranges, in rising order, with the number of their source.
    ranges: Vec<(u64, u32)>,
}

impl Provenance {
    /// Nothing inserted yet from sources of these names.
    pub fn new(names: impl IntoIterator<Item = String>) -> Self {
        Self { names: names.into_iter().collect(), ranges: Vec::new() }
    }

    /// Names of the sources by number.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Notes that ids from one on come from a source, until another is noted.
    pub fn note(&mut self, first_id: u64, source: &str) {
        let number = self.number_of(source);
        while self.ranges.last().is_some_and(|&(first, _)| first >= first_id) {
            // nothing came of it
            self.ranges.pop();
        }
        if self.ranges.last().is_none_or(|&(_, last)| last != number) {
            self.ranges.push((first_id, number));
        }
    }

    /// Notes that ids from one on come from no source, until one is noted.
    pub fn note_none(&mut self, first_id: u64) {
        self.ranges.retain(|&(first, _)| first < first_id);
        if self.ranges.last().is_some_and(|&(_, last)| last != UNKNOWN) {
            self.ranges.push((first_id, UNKNOWN));
        }
    }

    /// Number of the source of a particle, [`UNKNOWN`] without one.
    pub fn of(&self, id: u64) -> u32 {
        let after = self.ranges.partition_point(|&(first, _)| first <= id);
        after.checked_sub(1).map_or(UNKNOWN, |at| self.ranges[at].1)
    }

    /// Takes over the particles of another run: its sources keep their names, those that this one does not have are added.
    pub fn adopt(&mut self, saved: Self) {
        let numbers: Vec<u32> = saved.names.iter().map(|name| self.number_of(name)).collect();
        self.ranges = saved
            .ranges
            .into_iter()
            .map(|(first, own)| (first, numbers.get(own as usize).copied().unwrap_or(UNKNOWN)))
            .collect();
    }

    /// Whether ranges rise and name sources that there are.
    pub fn is_sound(&self) -> bool {
        self.ranges.windows(2).all(|pair| pair[0].0 < pair[1].0)
            && self.ranges.iter().all(|&(_, number)| number == UNKNOWN || (number as usize) < self.names.len())
    }

    fn number_of(&mut self, source: &str) -> u32 {
        let known = self.names.iter().position(|name| name == source);
        let number = known.unwrap_or_else(|| {
            self.names.push(source.to_owned());
            self.names.len() - 1
        });
        number as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Provenance {
        Provenance::new(names.iter().map(|&name| name.to_owned()))
    }

    #[test]
    fn every_id_knows_its_source() {
        let mut sources = names(&["bed", "rain"]);
        assert_eq!(sources.of(0), UNKNOWN);
        for (first, source) in [(0, "bed"), (10, "rain"), (10, "bed"), (12, "rain"), (15, "rain")] {
            sources.note(first, source);
        }
        let found: Vec<u32> = [0, 9, 10, 11, 12, 14, 15, 99].map(|id| sources.of(id)).to_vec();
        assert_eq!(found, [0, 0, 0, 0, 1, 1, 1, 1]);
        assert!(sources.ranges == [(0, 0), (12, 1)] && sources.is_sound());
    }

    #[test]
    fn particles_of_another_run_keep_the_names_of_their_sources() {
        let mut saved = names(&["bed", "rain"]);
        saved.note(0, "bed");
        saved.note(5, "rain");
        let mut own = names(&["rain", "intruder"]);
        own.adopt(saved);
        own.note(8, "intruder");
        assert_eq!(own.names(), ["rain", "intruder", "bed"]);
        assert_eq!([0, 5, 8].map(|id| own.of(id)), [2, 0, 1]);
    }
}
