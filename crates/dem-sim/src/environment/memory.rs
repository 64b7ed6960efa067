//! Memory that a simulation needs, estimated before it is allocated.

use super::machine;

/// Bytes of a pair of the contact list: its numbers, its place among the pairs of both bodies, its forces, and as much again while the list is
/// replaced.
pub const BYTES_PER_PAIR: u64 = 160;
/// Bytes of a pair that a force acts between, with what a frame reports of it: measured where a force at a distance
/// joins all pairs.
pub const BYTES_PER_CONTACT: u64 = 1300;
/// Bytes of a particle with the few pairs that every particle has.
pub const BYTES_PER_PARTICLE: u64 = 900;

/// Most pairs that the contact list may hold: as many as the memory of this process has room for.
pub fn most_pairs() -> usize {
    let bound = machine::memory_bound().map_or(u64::MAX, |bytes| bytes / BYTES_PER_PAIR);
    usize::try_from(bound).unwrap_or(usize::MAX)
}

/// Most pairs that forces may act between.
pub(crate) fn most_contacts() -> usize {
    let bound = machine::memory_bound().map_or(u64::MAX, |bytes| bytes / BYTES_PER_CONTACT);
    usize::try_from(bound).unwrap_or(usize::MAX)
}

/// A size in words: `1.6 GB`.
pub(crate) fn in_words(bytes: f64) -> String {
    let units = [(1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
    let (size, name) = units.into_iter().find(|&(size, _)| bytes >= size).unwrap_or((1.0, "bytes"));
    format!("{:.1} {name}", bytes / size)
}
