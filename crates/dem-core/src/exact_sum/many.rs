//! Exact sums over many terms, in parallel.

use std::ops::Range;

use super::{BLOCK, BlockSum, ExactSum};
use crate::lanes::{LaneTask, Lanes, Width};

/// Blocks that one thread sums alone.
const BLOCKS: usize = 8;

/// Terms of N numbers each, summed one by one; computed in lanes.
pub trait Terms<const N: usize>: Sync {
    /// How many.
    fn count(&self) -> usize;

    /// The term at `at` and those after it, one per lane; must be `#[inline(always)]`.
    fn at<R: Lanes>(&self, at: usize) -> [R; N];
}

/// Sums of all terms, computed in lanes of a width; each is that of the real numbers, rounded once.
pub fn of_terms<const N: usize, T: Terms<N>>(terms: &T, width: Width) -> [f64; N] {
    exact_of_terms(terms, width).map(|sum| sum.value())
}

/// The same, not rounded yet, so that more can be added.
pub fn exact_of_terms<const N: usize, T: Terms<N>>(terms: &T, width: Width) -> [ExactSum; N] {
    let add = |range: Range<usize>, sum: &mut BlockSum<N>| {
        sum.add_block(range.len(), |rows| width.run(Fill { terms, range, rows }));
    };
    in_blocks(terms.count(), width, &add)
}

/// Sum of a number of terms, that of the real numbers, rounded once. Terms are evaluated in any order on any thread.
pub fn sum_of(count: usize, term: impl Fn(usize) -> f64 + Sync) -> f64 {
    let [sum] = sums_of(count, |at| [term(at)]);
    sum
}

/// The same for terms of N numbers each.
pub fn sums_of<const N: usize>(count: usize, term: impl Fn(usize) -> [f64; N] + Sync) -> [f64; N] {
    exact_sums_of(count, term).map(|sum| sum.value())
}

/// The same, not rounded yet, so that more can be added.
pub fn exact_sums_of<const N: usize>(count: usize, term: impl Fn(usize) -> [f64; N] + Sync) -> [ExactSum; N] {
    let add = |range: Range<usize>, sum: &mut BlockSum<N>| {
        sum.add_block(range.len(), |rows| {
            for (place, at) in range.enumerate() {
                let row = term(at);
                for k in 0..N {
                    rows[k][place] = row[k];
                }
            }
        });
    };
    in_blocks(count, Width::fastest(), &add)
}

/// Sums to which `add` adds the terms of ranges of up to [`BLOCK`] of some number of items.
pub fn in_blocks<const N: usize>(
    count: usize,
    width: Width,
    add: &(impl Fn(Range<usize>, &mut BlockSum<N>) + Sync),
) -> [ExactSum; N] {
    sums_of_blocks(0..count.div_ceil(BLOCK), count, width, add)
}

fn sums_of_blocks<const N: usize>(
    blocks: Range<usize>,
    count: usize,
    width: Width,
    add: &(impl Fn(Range<usize>, &mut BlockSum<N>) + Sync),
) -> [ExactSum; N] {
    if blocks.len() <= BLOCKS {
        let mut sum = BlockSum::new(width);
        for block in blocks {
            add(block * BLOCK..((block + 1) * BLOCK).min(count), &mut sum);
        }
        return sum.finish();
    }
    let middle = blocks.start + blocks.len() / 2;
    let (mut sums, others) = rayon::join(
        || sums_of_blocks(blocks.start..middle, count, width, add),
        || sums_of_blocks(middle..blocks.end, count, width, add),
    );
    sums.iter_mut().zip(&others).for_each(|(sum, more)| sum.merge(more));
    sums
}

struct Fill<'a, T, const N: usize> {
    terms: &'a T,
    range: Range<usize>,
    rows: &'a mut [[f64; BLOCK]; N],
}

impl<const N: usize, T: Terms<N>> LaneTask for Fill<'_, T, N> {
    type Output = ();

    #[inline(always)]
    fn run<R: Lanes>(self) {
        let Self { terms, range, rows } = self;
        let (mut at, mut place) = (range.start, 0);
        while at + R::LANES <= range.end {
            let numbers = terms.at::<R>(at);
            for k in 0..N {
                rows[k][place..place + R::LANES].copy_from_slice(&numbers[k].to_lanes()[..R::LANES]);
            }
            at += R::LANES;
            place += R::LANES;
        }
        while at < range.end {
            let numbers = terms.at::<f64>(at);
            for k in 0..N {
                rows[k][place] = numbers[k];
            }
            at += 1;
            place += 1;
        }
    }
}
