//! The near candidates of every particle.

use std::ops::Range;

use dem_core::contact_list::CHUNK;
use dem_core::lanes::Term;

use crate::contact_forces::NOT_NEAR;

/// Slots per unit of parallel work.
const BLOCK: usize = 2048;

/// Slots whose sums are one loop, because their rows follow each other without gaps: where a row ends could not be predicted.
pub const GROUP: usize = 64;

/// The near candidates of every particle in canonical order. A particle that has none has a term for a wrench that is always zero.
#[derive(Clone, Debug, Default)]
pub(crate) struct Incidence {
    /// Start of the first row of every group of slots.
    start: Vec<u32>,
    /// End of each slot's row.
    end: Vec<u32>,
    term: Vec<Term>,
}

impl Incidence {
    #[inline(always)]
    fn start_of(&self, slot: usize) -> usize {
        if slot.is_multiple_of(GROUP) { self.start[slot / GROUP] as usize } else { self.end[slot - 1] as usize }
    }

    /// Rows of some slots of a group.
    #[inline(always)]
    pub fn of(&self, first: usize, slots: usize) -> &[Term] {
        &self.term[self.start_of(first)..self.end[first + slots - 1] as usize]
    }

    /// What follows some terms after the start of a slot's row: rows of later slots, and what was left in gaps.
    #[inline(always)]
    pub fn after(&self, slot: usize, terms: usize) -> &[Term] {
        self.term.get(self.start_of(slot) + terms..).unwrap_or(&[])
    }

    /// Rows of whole groups of slots, and what was left in gaps.
    pub fn of_groups(&self, slots: Range<usize>) -> &[Term] {
        &self.term[self.start_of(slots.start)..self.end[slots.end - 1] as usize]
    }

    /// Number of slots.
    pub fn slots(&self) -> usize {
        self.end.len()
    }

    /// Takes those whose numbers among the near ones of their chunks are not [`NOT_NEAR`] from all candidates of all particles,
    /// `candidate << 1 | side` in rows.
    pub fn draw_up(&mut self, row: &[u32], incidence: &[u32], number: &[u16], places: &impl Places) {
        assert!(places.count() < Term::PLACES, "more candidates than there are places of wrenches");
        let slots = row.len().saturating_sub(1);
        self.start.resize(slots.div_ceil(GROUP), 0);
        self.end.resize(slots, 0);
        // one more for each particle, as it may have none
        let room = incidence.len() + slots;
        if self.term.len() < room {
            self.term = Vec::new();
            // pages that nobody writes to never become resident: a quarter of what a packing has room for
            self.term = bytemuck::allocation::zeroed_vec(room);
        }
        let input = Candidates { row, incidence, number, places };
        let output = Rows { first: 0, start: &mut self.start, end: &mut self.end, term: &mut self.term };
        draw_up(&input, output);
    }
}

/// Where wrenches are.
pub(crate) trait Places: Sync {
    /// Place of the wrench of a candidate; `number` counts the near ones of its chunk.
    fn of(&self, candidate: usize, number: usize) -> usize;

    /// Place of a wrench that is always zero, for the sums of a group of slots.
    fn of_nothing(&self, group: usize) -> usize;

    /// Place that those of the terms of a group of slots are counted from.
    fn base(&self, group: usize) -> usize;

    /// Number of places.
    fn count(&self) -> usize;
}

/// Every chunk has places of its own, and the one behind them all is of nothing.
pub(crate) struct OwnPlaces(pub usize);

impl Places for OwnPlaces {
    #[inline(always)]
    fn of(&self, candidate: usize, number: usize) -> usize {
        candidate / CHUNK * CHUNK + number
    }

    #[inline(always)]
    fn of_nothing(&self, _: usize) -> usize {
        self.0
    }

    #[inline(always)]
    fn base(&self, _: usize) -> usize {
        0
    }

    fn count(&self) -> usize {
        self.0 + 1
    }
}

/// All candidates of all particles.
struct Candidates<'a, P> {
    row: &'a [u32],
    incidence: &'a [u32],
    number: &'a [u16],
    places: &'a P,
}

impl<P> Candidates<'_, P> {
    /// Where the terms of the slots from one on may begin.
    fn room(&self, slot: usize) -> usize {
        self.row[slot] as usize + slot
    }
}

/// Rows of some slots, from a multiple of the group on.
struct Rows<'a> {
    first: usize,
    start: &'a mut [u32],
    end: &'a mut [u32],
    term: &'a mut [Term],
}

/// Halves go side by side.
fn draw_up<P: Places>(from: &Candidates<P>, rows: Rows) {
    let Rows { first, start, end, term } = rows;
    if end.len() > BLOCK {
        let half = (end.len() / 2).next_multiple_of(GROUP);
        let (starts, more_starts) = start.split_at_mut(half / GROUP);
        let (ends, more_ends) = end.split_at_mut(half);
        let (terms, more_terms) = term.split_at_mut(from.room(first + half) - from.room(first));
        rayon::join(
            || draw_up(from, Rows { first, start: starts, end: ends, term: terms }),
            || draw_up(from, Rows { first: first + half, start: more_starts, end: more_ends, term: more_terms }),
        );
        return;
    }
    let before = from.room(first);
    let mut next = 0;
    for (group, (start, ends)) in start.iter_mut().zip(end.chunks_mut(GROUP)).enumerate() {
        let first = first + group * GROUP;
        let base = from.places.base(first / GROUP);
        *start = (before + next) as u32;
        for (slot, end) in (first..).zip(ends) {
            let row = next;
            for &candidate in &from.incidence[from.row[slot] as usize..from.row[slot + 1] as usize] {
                let at = (candidate >> 1) as usize;
                let number = from.number[at];
                let place = from.places.of(at, number as usize % CHUNK) - base;
                // written in any case, kept if near: nothing could predict which
                term[next] = Term::new(place, candidate & 1, true);
                next += usize::from(number != NOT_NEAR);
            }
            if next == row {
                term[next] = Term::new(from.places.of_nothing(first / GROUP) - base, 0, false);
                next += 1;
            }
            term[row] = term[row].opening();
            *end = (before + next) as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_hold_what_is_near_in_the_order_of_the_list() {
        let slots = 5003u32;
        // a ring: slot k is the first of candidate k and the second of candidate k − 1
        let row: Vec<u32> = (0..=slots).map(|k| 2 * k).collect();
        let all: Vec<u32> = (0..slots).flat_map(|k| [k << 1, ((k + slots - 1) % slots) << 1 | 1]).collect();
        // every fifth particle has no neighbour
        let near = |candidate: u32| candidate % 5 > 1;
        let place: Vec<u16> =
            (0..slots).map(|k| if near(k) { (k as usize % CHUNK) as u16 ^ 1 } else { NOT_NEAR }).collect();
        let mut incidence = Incidence::default();
        incidence.draw_up(&row, &all, &place, &OwnPlaces(slots as usize));
        let expected = |slot: u32| {
            let both = [(slot, 0), ((slot + slots - 1) % slots, 1)];
            let rows = both.into_iter().filter(|&(candidate, _)| near(candidate)).enumerate();
            let mut rows: Vec<Term> =
                rows.map(|(k, (candidate, side))| Term::new(candidate as usize ^ 1, side, k > 0)).collect();
            if rows.is_empty() {
                rows.push(Term::new(slots as usize, 0, false));
            }
            rows
        };
        for slot in 0..slots {
            assert_eq!(incidence.of(slot as usize, 1), expected(slot), "{slot}");
        }
        for (first, count) in [(0, 8), (2048, 4), (2052, 4), (2505, 3), (4992, 8), (5000, 3)] {
            let together: Vec<Term> = (first..first + count).flat_map(expected).collect();
            assert_eq!(incidence.of(first as usize, count as usize), together, "{first}");
        }
    }
}
