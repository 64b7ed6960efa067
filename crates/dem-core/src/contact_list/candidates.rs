//! What may touch, as a search for neighbours finds it.

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
        let pairs = |rows: &Self, slot: usize| rows.row[slot] as usize..rows.row[slot + 1] as usize;
        let mut row = vec![0; slots + 1];
        for slot in 0..slots {
            for &partner in &self.partner[pairs(self, slot)] {
                row[slot.min(partner as usize) + 1] += 1;
            }
        }
        for slot in 0..slots {
            row[slot + 1] += row[slot];
        }
        let mut next = row.clone();
        let mut found = vec![0; self.partner.len()];
        for slot in 0..slots {
            for &partner in &self.partner[pairs(self, slot)] {
                let at = &mut next[slot.min(partner as usize)];
                found[*at as usize] = partner.max(slot as u32);
                *at += 1;
            }
        }
        *self = Self { row, partner: found };
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
