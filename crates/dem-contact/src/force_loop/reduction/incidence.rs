//! The near candidates of every particle.

use std::cell::RefCell;
use std::ops::Range;

use dem_core::contact_list::CHUNK;
use dem_core::lanes::{Run, Term};

use crate::force_loop::reduction::wrench::NOT_NEAR;

/// Slots per unit of parallel work.
const BLOCK: usize = 2048;

/// Slots whose sums are taken together, in order of how many near candidates they have.
pub const GROUP: usize = 64;

/// Particles with as many near candidates or more come in order of their slots.
const MANY: usize = 31;

thread_local! {
    /// Rows of a group in order of slots.
    static ROWS: RefCell<Vec<Term>> = const { RefCell::new(Vec::new()) };
}

/// The near candidates of every particle in canonical order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Incidence {
    /// Where the terms of every group of slots are.
    group: Vec<(u32, u32)>,
    /// Runs of the slots of every group, in order of their terms.
    run: Vec<Run>,
    term: Vec<Term>,
}

impl Incidence {
    /// Terms and runs of a group of slots.
    #[inline(always)]
    pub fn of_group(&self, group: usize) -> (&[Term], &[Run]) {
        let (start, end) = self.group[group];
        let first = group * GROUP;
        (&self.term[start as usize..end as usize], &self.run[first..(first + GROUP).min(self.run.len())])
    }

    /// Row of one slot.
    pub fn of(&self, slot: usize) -> &[Term] {
        let (mut rest, runs) = self.of_group(slot / GROUP);
        for run in runs {
            let (row, after) = rest.split_at(run.terms());
            if run.sum() == slot % GROUP {
                return row;
            }
            rest = after;
        }
        &[]
    }

    /// What follows some terms after the first of a group: terms of later groups, and what was left in gaps.
    #[inline(always)]
    pub fn after(&self, group: usize, terms: usize) -> &[Term] {
        self.term.get(self.group[group].0 as usize + terms..).unwrap_or(&[])
    }

    /// Terms of groups that follow each other, and what was left in gaps.
    pub fn of_groups(&self, groups: Range<usize>) -> &[Term] {
        &self.term[self.group[groups.start].0 as usize..self.group[groups.end - 1].1 as usize]
    }

    /// Number of slots.
    pub fn slots(&self) -> usize {
        self.run.len()
    }

    /// Takes those whose numbers among the near ones of their chunks are not [`NOT_NEAR`] from all candidates of all particles,
    /// `candidate << 1 | side` in rows.
    pub fn draw_up(&mut self, row: &[u32], incidence: &[u32], number: &[u16], places: &impl Places) {
        assert!(places.count() <= Term::PLACES, "more candidates than there are places of wrenches");
        let slots = row.len().saturating_sub(1);
        self.group.resize(slots.div_ceil(GROUP), (0, 0));
        self.run.resize(slots, Run::new(0, 0));
        if self.term.len() < incidence.len() {
            self.term = Vec::new();
            // pages that are never written never become resident: a quarter of what a packing has room for
            self.term = bytemuck::allocation::zeroed_vec(incidence.len());
        }
        let input = Candidates { row, incidence, number, places };
        let output = Rows { first: 0, group: &mut self.group, run: &mut self.run, term: &mut self.term };
        draw_up(&input, output);
    }
}

/// Where wrenches are.
pub(crate) trait Places: Sync {
    /// Position of the wrench of a candidate; `number` counts the near ones of its chunk.
    fn of(&self, candidate: usize, number: usize) -> usize;

    /// Number of positions.
    fn count(&self) -> usize;
}

/// Every chunk has positions of its own.
pub(crate) struct OwnPlaces(pub usize);

impl Places for OwnPlaces {
    #[inline(always)]
    fn of(&self, candidate: usize, number: usize) -> usize {
        candidate / CHUNK * CHUNK + number
    }

    fn count(&self) -> usize {
        self.0
    }
}

/// All candidates of all particles.
struct Candidates<'a, P> {
    row: &'a [u32],
    incidence: &'a [u32],
    number: &'a [u16],
    places: &'a P,
}

impl<P: Places> Candidates<'_, P> {
    /// Where the terms of the slots from one on may begin.
    fn room(&self, slot: usize) -> usize {
        self.row[slot] as usize
    }

    /// The rows of `count` slots of a group from its first on, one after the other, and where each ends.
    #[inline(always)]
    fn rows(&self, first: usize, count: usize, rows: &mut Vec<Term>, end: &mut [usize; GROUP]) {
        let room = self.room(first + count) - self.room(first);
        if rows.len() < room {
            rows.resize(room, Term::new(0, 0));
        }
        let mut next = 0;
        for (slot, end) in (first..first + count).zip(end) {
            for &candidate in &self.incidence[self.row[slot] as usize..self.row[slot + 1] as usize] {
                let at = (candidate >> 1) as usize;
                let number = self.number[at];
                let place = self.places.of(at, number as usize % CHUNK);
                // written in any case, kept if near: a branch would be mispredicted
                rows[next] = Term::new(place, candidate & 1);
                next += usize::from(number != NOT_NEAR);
            }
            *end = next;
        }
    }
}

/// Rows of some slots, from a multiple of the group on.
struct Rows<'a> {
    first: usize,
    group: &'a mut [(u32, u32)],
    run: &'a mut [Run],
    term: &'a mut [Term],
}

/// The two halves are computed in parallel.
fn draw_up<P: Places>(from: &Candidates<P>, rows: Rows) {
    let Rows { first, group, run, term } = rows;
    if run.len() > BLOCK {
        let half = (run.len() / 2).next_multiple_of(GROUP);
        let (groups, more_groups) = group.split_at_mut(half / GROUP);
        let (runs, more_runs) = run.split_at_mut(half);
        let (terms, more_terms) = term.split_at_mut(from.room(first + half) - from.room(first));
        rayon::join(
            || draw_up(from, Rows { first, group: groups, run: runs, term: terms }),
            || draw_up(from, Rows { first: first + half, group: more_groups, run: more_runs, term: more_terms }),
        );
        return;
    }
    ROWS.with_borrow_mut(|all| {
        let before = from.room(first);
        let mut next = 0;
        for (k, (group, runs)) in group.iter_mut().zip(run.chunks_mut(GROUP)).enumerate() {
            let first = first + k * GROUP;
            let mut end = [0; GROUP];
            from.rows(first, runs.len(), all, &mut end);
            let start = next;
            let order = in_order_of_length(&end, runs.len());
            for (run, slot) in runs.iter_mut().zip(order) {
                let slot = usize::from(slot);
                let row = &all[if slot == 0 { 0 } else { end[slot - 1] }..end[slot]];
                assert!(row.len() < Run::TERMS, "more contacts of one particle than are counted");
                *run = Run::new(row.len(), slot as u8);
                for (to, &entry) in term[next..].iter_mut().zip(row) {
                    *to = entry;
                }
                next += row.len();
            }
            *group = ((before + start) as u32, (before + next) as u32);
        }
    });
}

/// The first `count` slots of a group in order of the lengths of their rows, of which the ends are given.
#[inline(always)]
fn in_order_of_length(end: &[usize; GROUP], count: usize) -> impl Iterator<Item = u8> {
    let mut length = [0; GROUP];
    let mut start = 0;
    for (length, &end) in length.iter_mut().zip(end).take(count) {
        *length = (end - start).min(MANY);
        start = end;
    }
    let mut place = [0; MANY + 2];
    for &length in &length[..count] {
        place[length + 1] += 1;
    }
    for k in 1..place.len() {
        place[k] += place[k - 1];
    }
    let mut order = [0; GROUP];
    for (slot, &length) in length[..count].iter().enumerate() {
        order[place[length]] = slot as u8;
        place[length] += 1;
    }
    order.into_iter().take(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn particles_with_very_many_contacts_come_last_in_order_of_slots() {
        let mut end = [0; GROUP];
        let mut next = 0;
        for (end, length) in end.iter_mut().zip([40, 0, 31, 2, 33, 30, 2]) {
            next += length;
            *end = next;
        }
        assert!(in_order_of_length(&end, 7).eq([1, 3, 6, 5, 0, 2, 4]));
        assert!(in_order_of_length(&[5; GROUP], GROUP).eq((1..GROUP as u8).chain([0])));
        assert!(in_order_of_length(&end, 0).eq([0u8; 0]));
    }

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
            let rows = both.into_iter().filter(|&(candidate, _)| near(candidate));
            rows.map(|(candidate, side)| Term::new(candidate as usize ^ 1, side)).collect::<Vec<Term>>()
        };
        for slot in 0..slots {
            assert_eq!(incidence.of(slot as usize), expected(slot), "{slot}");
        }
        for group in 0..(slots as usize).div_ceil(GROUP) {
            let (terms, runs) = incidence.of_group(group);
            assert!(runs.is_sorted_by_key(|run| run.terms()), "group {group}");
            let mut slots: Vec<usize> = runs.iter().map(|run| run.sum()).collect();
            assert_eq!(terms.len(), runs.iter().map(|run| run.terms()).sum::<usize>());
            slots.sort_unstable();
            assert!(slots.into_iter().eq(0..runs.len()), "group {group}");
        }
    }
}
