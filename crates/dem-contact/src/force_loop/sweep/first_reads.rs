//! Which particles a chunk of contacts is the first to read in a while.
//!
//! What contacts read of particles lies in columns by slots, and slots are ordered in space, so that a pass over many
//! contacts reads the same cache lines in a few consecutive chunks, and then not again for a long time. A line is
//! prefetched once, before the first of these chunks, instead of with every contact: that takes a tenth of the
//! prefetches, and their addresses need not be gathered contact by contact. No result depends on it.

use std::ops::Range;

use dem_core::contact_list::{CHUNK, ContactList};
use rayon::prelude::*;

use crate::force_loop::sweep::prefetch::BLOCK;
use crate::force_loop::sweep::turn::Turn;

/// Chunks for which the lines of a block stay in cache without another prefetch. With 16, which saves every other
/// prefetch in a bed of a million spheres, a step takes 1 % longer.
const MEMORY: usize = 4;

/// The blocks of slots that each chunk is the first to read.
#[derive(Clone, Debug, Default)]
pub(crate) struct FirstReads {
    /// Start and end of the row of every chunk.
    row: Vec<(u32, u32)>,
    block: Vec<u32>,
}

impl FirstReads {
    /// For the chunks of a list in the order of their turns, in some parts, each of which may be computed by another
    /// thread.
    pub fn draw_up(list: &ContactList, turns: &[Turn], parts: &[Range<usize>], slots: usize) -> Self {
        let first_reads = |last: &mut Vec<usize>, part: &Range<usize>| {
            let (mut ends, mut found) = (Vec::with_capacity(part.len()), Vec::new());
            // the turn that read a block of slots last, counted from one
            let before = part.start;
            for turn in part.clone() {
                let (now, row) = (turn + 1, found.len());
                for slot in turns[turn].slots(list) {
                    let last = std::mem::replace(&mut last[slot / BLOCK], now);
                    if last <= before || last > now || last + MEMORY < now {
                        found.push((slot / BLOCK) as u32);
                    }
                }
                // in ascending order, for sequential access
                found[row..].sort_unstable();
                ends.push(found.len() as u32);
            }
            (ends, found)
        };
        let parts: Vec<(Vec<u32>, Vec<u32>)> =
            parts.par_iter().map_init(|| vec![0; slots.div_ceil(BLOCK)], first_reads).collect();
        let block = Vec::with_capacity(parts.iter().map(|part| part.1.len()).sum());
        let mut all = Self { row: vec![(0, 0); list.first.len().div_ceil(CHUNK)], block };
        let mut turn = turns.iter();
        for (ends, blocks) in parts {
            let before = all.block.len() as u32;
            let mut start = 0;
            for (end, turn) in ends.into_iter().zip(&mut turn) {
                all.row[turn.chunk()] = (before + start, before + end);
                start = end;
            }
            all.block.extend(blocks);
        }
        all
    }

    /// Blocks that a chunk is the first to read; none of a chunk that does not exist.
    pub fn of(&self, chunk: usize) -> &[u32] {
        self.row.get(chunk).map_or(&[], |&(start, end)| &self.block[start as usize..end as usize])
    }
}

#[cfg(test)]
mod tests {
    use dem_core::contact_list::PartnerKind;

    use super::*;

    #[test]
    fn every_block_is_asked_for_before_it_is_read_and_not_again_while_it_is_at_hand() {
        // slots that move ahead, with partners near, a row and a slab further on
        let pairs = 40 * CHUNK + 7;
        let further = [1, 3, 500, 510, 3000];
        let first: Vec<u32> = (0..pairs).map(|k| (k / further.len()) as u32).collect();
        let second: Vec<u32> = (0..pairs).map(|k| first[k] + further[k % further.len()]).collect();
        let slots = *second.iter().max().unwrap() as usize + 1;
        let chunks = pairs.div_ceil(CHUNK);
        let mut list = ContactList::default();
        (list.first, list.second) = (first.clone(), second.clone());
        let turn = |chunk: usize| {
            let candidates = chunk * CHUNK..((chunk + 1) * CHUNK).min(pairs);
            Turn { segment: 0, partner: PartnerKind::Particle, place: candidates.start, candidates }
        };
        let turns: Vec<Turn> = (0..chunks).map(turn).collect();
        for ends in [&[chunks][..], &[7, 30, chunks]] {
            let starts = std::iter::once(0).chain(ends.iter().copied());
            let parts: Vec<Range<usize>> = starts.zip(ends).map(|(start, &end)| start..end).collect();
            let first_reads = FirstReads::draw_up(&list, &turns, &parts, slots);
            let mut asked = 0;
            for part in parts {
                for chunk in part.clone() {
                    let row = first_reads.of(chunk);
                    asked += row.len();
                    assert!(row.is_sorted() && row.windows(2).all(|pair| pair[0] < pair[1]));
                    // that of this chunk and those that were read in the last ones, whichever chunk prefetched them
                    let mut at_hand: Vec<u32> = row.to_vec();
                    let recent = chunk.saturating_sub(MEMORY).max(part.start) * CHUNK..chunk * CHUNK;
                    let read = |k: usize| [first[k], second[k]].map(|slot| slot / BLOCK as u32);
                    let recently: Vec<u32> = recent.flat_map(read).collect();
                    assert!(row.iter().all(|block| !recently.contains(block)), "chunk {chunk}");
                    at_hand.extend(recently);
                    at_hand.sort_unstable();
                    let mut now = (chunk * CHUNK..((chunk + 1) * CHUNK).min(pairs)).flat_map(read);
                    assert!(now.all(|block| at_hand.binary_search(&block).is_ok()), "chunk {chunk}");
                }
            }
            // with a single part every block is read in two stretches, a slab apart
            assert!(asked * BLOCK < 3 * slots, "{asked}");
        }
        let none = FirstReads::default();
        assert!(none.of(0).is_empty() && none.of(7).is_empty());
    }
}
