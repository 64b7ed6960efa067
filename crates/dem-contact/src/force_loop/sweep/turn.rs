//! Pieces of a pass over contacts: turns, each of which is one scheduled chunk, and blocks of turns.

use std::ops::Range;

use dem_core::contact_list::{CHUNK, ContactList, PartnerKind};

/// A chunk of a segment.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    /// Number of the segment in the list.
    pub segment: usize,
    /// Kind of the second bodies.
    pub partner: PartnerKind,
    /// Its candidates, from a multiple of [`CHUNK`] on.
    pub candidates: Range<usize>,
    /// Position of its first wrench.
    pub place: usize,
}

impl Block {
    /// One that waits for no other, the last one of its region.
    pub fn new(number: usize, turns: Range<usize>) -> Self {
        Self { number, end_of_region: turns.end, turns, after: 0, is_shared: false }
    }
}

impl Turn {
    /// Number of the chunk in the list.
    pub fn chunk(&self) -> usize {
        self.candidates.start / CHUNK
    }
}

/// Turns that follow each other, taken by one thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// Number in the order of the sweep.
    pub number: usize,
    pub turns: Range<usize>,
    /// So many of the first blocks of its region must be complete before this one begins: it reuses the frames of their
    /// wrenches.
    pub after: usize,
    /// Whether several threads are likely to work in its region when it is computed.
    pub is_shared: bool,
    /// Turn after the last one of its region.
    pub end_of_region: usize,
}

impl Turn {
    /// Slots of the particles that it reads.
    pub fn slots<'a>(&self, list: &'a ContactList) -> impl Iterator<Item = usize> + use<'a> {
        let second = if self.partner == PartnerKind::Particle { self.candidates.clone() } else { 0..0 };
        list.first[self.candidates.clone()].iter().chain(&list.second[second]).map(|&slot| slot as usize)
    }
}
