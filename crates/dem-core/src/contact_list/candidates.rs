//! What may touch, as a search for neighbours finds it.

use std::ops::Range;

use crate::delivery::{Delivered, Senders, deliver, parts};

/// Neighbours of every slot as found by a broadphase: each pair once, in the row of either of its slots.
#[derive(Clone, Debug, Default)]
pub struct CandidateRows {
    /// Start of each slot's row; one entry more than slots.
    pub row: Vec<u32>,
    /// Slots of the partners.
    pub partner: Vec<u32>,
}

impl CandidateRows {
    /// Moves every pair to the row of the lower of its slots: rows then end what is known of the particles before them.
    pub fn give_to_lower(&mut self) {
        let slots = self.row.len().saturating_sub(1);
        let Delivered { row, number } =
            deliver(slots, &Lower { rows: self, parts: parts(slots, 2048).collect() }, |_, _| {});
        *self = Self { row, partner: number };
    }
}

/// Pairs on their way to the rows of their lower slots.
struct Lower<'a> {
    rows: &'a CandidateRows,
    parts: Vec<Range<usize>>,
}

impl Senders for Lower<'_> {
    fn count(&self) -> usize {
        self.parts.len()
    }

    fn send(&self, sender: usize, mut post: impl FnMut(u32, u32)) {
        for slot in self.parts[sender].clone() {
            for &partner in &self.rows.partner[self.rows.row[slot] as usize..self.rows.row[slot + 1] as usize] {
                post(partner.min(slot as u32), partner.max(slot as u32));
            }
        }
    }
}

/// A particle near a feature of a wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WallCandidate {
    /// Slot of the particle.
    pub slot: u32,
    /// Number of the wall.
    pub wall: u32,
    /// Feature of the wall.
    pub feature: u32,
}
