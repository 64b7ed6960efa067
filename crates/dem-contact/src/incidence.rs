//! The near candidates of every particle.

use dem_core::contact_list::CHUNK;

use crate::contact_forces::NOT_NEAR;

/// Slots per unit of parallel work.
const BLOCK: usize = 2048;

/// The near candidates of every particle in canonical order. A row starts where the row of all candidates does and is the shorter for
/// those that are not near.
#[derive(Clone, Debug, Default)]
pub(crate) struct Incidence {
    /// Start of each slot's row; one entry more than slots.
    row: Vec<u32>,
    /// End of each slot's row.
    end: Vec<u32>,
    /// `place << 1 | side`, the place that of the wrench.
    entry: Vec<u32>,
}

impl Incidence {
    /// Row of a slot.
    #[inline(always)]
    pub fn of(&self, slot: usize) -> &[u32] {
        &self.entry[self.row[slot] as usize..self.end[slot] as usize]
    }

    /// What follows some entries after the start of a slot's row: rows of later slots, and places of candidates that are not near.
    #[inline(always)]
    pub fn after(&self, slot: usize, entries: usize) -> &[u32] {
        self.entry.get(self.row[slot] as usize + entries..).unwrap_or(&[])
    }

    /// Takes those whose places in their chunks are not [`NOT_NEAR`] from all candidates of all particles, `candidate << 1 | side` in rows.
    pub fn draw_up(&mut self, row: &[u32], incidence: &[u32], place: &[u16]) {
        row.clone_into(&mut self.row);
        self.end.resize(row.len().saturating_sub(1), 0);
        self.entry.resize(incidence.len(), 0);
        draw_up(row, incidence, place, &mut self.end, &mut self.entry);
    }
}

/// As many rows as there are ends; `incidence` and `entry` start at the first of them. Halves go side by side.
fn draw_up(row: &[u32], incidence: &[u32], place: &[u16], end: &mut [u32], entry: &mut [u32]) {
    let Some(&start) = row.first() else { return };
    if end.len() > BLOCK {
        let half = end.len() / 2;
        let middle = (row[half] - start) as usize;
        let (ends, more_ends) = end.split_at_mut(half);
        let (entries, more_entries) = entry.split_at_mut(middle);
        rayon::join(
            || draw_up(row, incidence, place, ends, entries),
            || draw_up(&row[half..], &incidence[middle..], place, more_ends, more_entries),
        );
        return;
    }
    for (slot, end) in end.iter_mut().enumerate() {
        let row = (row[slot] - start) as usize..(row[slot + 1] - start) as usize;
        let mut next = row.start;
        for &candidate in &incidence[row] {
            let at = (candidate >> 1) as usize;
            let place = place[at];
            // written in any case, kept if near: nothing could predict which
            entry[next] = (at / CHUNK * CHUNK + place as usize % CHUNK) as u32 * 2 + (candidate & 1);
            next += usize::from(place != NOT_NEAR);
        }
        *end = start + next as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_hold_what_is_near_in_the_order_of_the_list() {
        let slots = 5000u32;
        // a ring: slot k is the first of candidate k and the second of candidate k − 1
        let candidates = slots;
        let row: Vec<u32> = (0..=slots).map(|k| 2 * k).collect();
        let all: Vec<u32> = (0..slots).flat_map(|k| [k << 1, ((k + candidates - 1) % candidates) << 1 | 1]).collect();
        let near = |candidate: u32| candidate % 3 != 1;
        let place: Vec<u16> =
            (0..candidates).map(|k| if near(k) { (k as usize % CHUNK) as u16 ^ 1 } else { NOT_NEAR }).collect();
        let mut incidence = Incidence::default();
        incidence.draw_up(&row, &all, &place);
        for slot in 0..slots {
            let expected: Vec<u32> = [slot << 1, ((slot + candidates - 1) % candidates) << 1 | 1]
                .into_iter()
                .filter(|entry| near(entry >> 1))
                .map(|entry| entry ^ 2)
                .collect();
            assert_eq!(incidence.of(slot as usize), expected, "{slot}");
        }
    }
}
