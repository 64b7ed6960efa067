//! What a pass over many contacts prefetches, one chunk ahead.
//!
//! Histories, near lists, terms and sums of large assemblies are read and written from end to end, but chunk by chunk
//! in buffers of their own: the hardware prefetcher, which follows a stream of reads to the end of a page, starts anew
//! many times in every chunk. What contacts read of particles is scattered. So while one chunk is computed, the cache
//! lines of the next are prefetched, some with every group of contacts. No result depends on it.
//!
//! They are prefetched into the L1 cache, from which they are soon evicted to L2: a processor can hold more outstanding
//! prefetches into L1 than into L2 (on a Zen 5 it takes lines from memory 1.6 times as fast).

use std::slice::Iter;

use dem_core::lanes::Stretch;

/// So many particles that what contacts read of them, 4 MB, fills most L2 caches.
pub(crate) const MANY: usize = 1 << 15;

/// Slots of a block: eight vectors fill three cache lines, eight numbers one.
pub(crate) const BLOCK: usize = 8;

/// Bytes of a cache line.
const LINE: usize = 64;
/// Cache lines per batch of prefetches: to count every one costs as much as to prefetch it.
const BATCH: usize = 4;
/// Contiguous ranges of memory that are prefetched together.
pub(crate) const STRETCHES: usize = 11;

/// What will be needed when a chunk is computed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Prefetch<'a> {
    /// Contiguous ranges of memory.
    pub stretches: [Stretch<'a>; STRETCHES],
    /// Blocks of slots whose particles it is [the first to read](crate::force_loop::sweep::first_reads); none if
    /// particles are prefetched contact by contact.
    pub blocks: Option<&'a [u32]>,
}

impl<'a> Prefetch<'a> {
    /// All of it in `parts` parts of about the same size.
    pub fn in_parts(self, parts: usize) -> PrefetchCursor<'a> {
        let parts = parts.max(1);
        let batches: usize = self.stretches.iter().map(|stretch| batches(*stretch)).sum();
        let blocks = self.blocks.unwrap_or_default();
        let mut asking = PrefetchCursor {
            stretches: self.stretches,
            next: 0,
            present: Stretch::default(),
            at: 0,
            left: 0,
            batches: batches.div_ceil(parts),
            blocks: blocks.iter(),
            blocks_of_all: blocks.len(),
            parts,
            due: 0,
            asks_for_bodies: self.blocks.is_some(),
        };
        asking.go_on();
        asking
    }
}

fn batches(stretch: Stretch) -> usize {
    stretch.bytes().div_ceil(BATCH * LINE)
}

/// How far it has been prefetched.
#[derive(Debug)]
pub(crate) struct PrefetchCursor<'a> {
    stretches: [Stretch<'a>; STRETCHES],
    /// The stretch behind the present one.
    next: usize,
    present: Stretch<'a>,
    /// Next byte of the present stretch, and batches from there on.
    at: usize,
    left: usize,
    /// Batches of a part; zero when all have been prefetched.
    batches: usize,
    blocks: Iter<'a, u32>,
    blocks_of_all: usize,
    parts: usize,
    /// Blocks that are due, times the number of parts.
    due: usize,
    asks_for_bodies: bool,
}

impl PrefetchCursor<'_> {
    /// Whether bodies are prefetched by blocks.
    #[inline(always)]
    pub fn asks_for_bodies(&self) -> bool {
        self.asks_for_bodies
    }

    /// Prefetches the next part; `ask_for_block` prefetches what is needed of the particles in a block of slots.
    #[inline(always)]
    pub fn ask(&mut self, ask_for_block: impl Fn(usize)) {
        self.due += self.blocks_of_all;
        while self.due >= self.parts {
            self.due -= self.parts;
            if let Some(&block) = self.blocks.next() {
                ask_for_block(block as usize);
            }
        }
        for _ in 0..self.batches {
            for line in 0..BATCH {
                // beyond the end of a stretch, too, where something else may be
                self.present.prefetch(self.at + line * LINE);
            }
            self.at += BATCH * LINE;
            self.left -= 1;
            if self.left == 0 {
                self.go_on();
            }
        }
    }

    /// To the next stretch that is not empty, if there is one.
    #[cold]
    #[inline(never)]
    fn go_on(&mut self) {
        let mut rest = self.stretches.iter().skip(self.next);
        match rest.position(|stretch| stretch.bytes() > 0) {
            Some(empty) => {
                self.present = self.stretches[self.next + empty];
                self.next += empty + 1;
                (self.at, self.left) = (0, batches(self.present));
            }
            // one that is never counted down to
            None => (self.batches, self.left) = (0, usize::MAX),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn parts_cover_everything_and_no_more() {
        let numbers = [0.0f64; 400];
        let blocks: Vec<u32> = (100..110).collect();
        let mut ahead = Prefetch { blocks: Some(&blocks), ..Prefetch::default() };
        for (stretch, count) in [(0, 40), (2, 400), (3, 1)] {
            ahead.stretches[stretch] = numbers[..count].into();
        }
        // 320, 3,200 and 8 bytes: 2, 13 and 1 batches
        for (parts, of_a_part) in [(1, 16), (3, 6), (16, 1), (100, 1)] {
            let mut asking = ahead.in_parts(parts);
            assert_eq!(asking.batches, of_a_part);
            let asked = RefCell::new(Vec::new());
            let mut most = 0;
            for part in 1..=parts {
                let before = asked.borrow().len();
                asking.ask(|block| asked.borrow_mut().push(block as u32));
                let now = asked.borrow().len();
                most = most.max(now - before);
                assert_eq!(now, blocks.len() * part / parts, "blocks come evenly");
                assert_eq!(asking.batches == 0, part >= 16usize.div_ceil(of_a_part), "{part} of {parts} parts");
            }
            assert_eq!((asked.take(), most), (blocks.clone(), blocks.len().div_ceil(parts)));
            (0..3).for_each(|_| asking.ask(|block| asked.borrow_mut().push(block as u32)));
            assert!(asked.borrow().is_empty() && asking.batches == 0);
        }
        let mut nothing = Prefetch::default().in_parts(0);
        nothing.ask(|_| unreachable!());
        assert_eq!((nothing.batches, nothing.asks_for_bodies()), (0, false));
        assert!(ahead.in_parts(1).asks_for_bodies());
    }
}
