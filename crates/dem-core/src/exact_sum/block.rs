//! Sums of many rows of numbers, block by block in lanes.

use super::ExactSum;
use crate::lanes::{LaneTask, Lanes, MOST_LANES, Width};

/// Rows of a block.
pub const BLOCK: usize = 256;
/// Bits of the largest term above the first place, and of what is left above each of the next: parts of a block are less than 2⁵³ units.
const BITS: u64 = 53 - BLOCK.ilog2() as u64;
/// Bits from the exponent of the largest term to the units of the three places: rests are at most half a unit.
const UNITS: [u64; 3] = [BITS - 1, 2 * BITS, 3 * BITS + 1];
/// Adding and subtracting it rounds a multiple of one that is less than 2⁵¹ to a whole number: 1.5 · 2⁵².
const ROUNDING_SHIFT: f64 = 6755399441055744.0;
/// Exponents, as they are stored, of largest terms whose units and shifts are numbers without loss.
const EXPONENTS: std::ops::RangeInclusive<u64> = UNITS[2] + 1..=2046 - 52 + UNITS[0];
/// So few rows are added one by one.
const FEW: usize = 16;

/// Exact sums of N numbers of rows, which are collected until a block is full.
#[derive(Clone, Debug)]
pub struct BlockSum<const N: usize> {
    sums: [ExactSum; N],
    rows: [[f64; BLOCK]; N],
    filled: usize,
    width: Width,
}

impl<const N: usize> BlockSum<N> {
    /// Sums of nothing, which are going to be added in lanes of a width.
    pub fn new(width: Width) -> Self {
        Self { sums: [ExactSum::ZERO; N], rows: [[0.0; BLOCK]; N], filled: 0, width }
    }

    /// Adds a row.
    #[inline]
    pub fn add(&mut self, row: [f64; N]) {
        for (column, number) in self.rows.iter_mut().zip(row) {
            column[self.filled] = number;
        }
        self.filled += 1;
        if self.filled == BLOCK {
            self.clear();
        }
    }

    /// Adds up to [`BLOCK`] rows that `fill` puts at the beginning of columns of numbers.
    #[inline]
    pub fn add_block(&mut self, rows: usize, fill: impl FnOnce(&mut [[f64; BLOCK]; N])) {
        self.clear();
        fill(&mut self.rows);
        self.filled = rows.min(BLOCK);
        self.clear();
    }

    /// Adds the rows that are collected to the sums.
    fn clear(&mut self) {
        let filled = std::mem::take(&mut self.filled);
        if filled == 0 {
            return;
        }
        for (sum, column) in self.sums.iter_mut().zip(&mut self.rows) {
            add_column(sum, column, filled, self.width);
        }
    }

    /// Adds what other sums hold.
    pub fn add_sums(&mut self, sums: &[ExactSum; N]) {
        for (sum, more) in self.sums.iter_mut().zip(sums) {
            sum.merge(more);
        }
    }

    /// The sums.
    pub fn finish(mut self) -> [ExactSum; N] {
        self.clear();
        self.sums
    }

    /// The sums so far.
    pub fn exact(&mut self) -> &mut [ExactSum; N] {
        self.clear();
        &mut self.sums
    }

    /// Forgets all terms.
    pub fn reset(&mut self) {
        self.sums.iter_mut().for_each(ExactSum::reset);
        self.filled = 0;
    }

    /// The sums, rounded once.
    pub fn values(&mut self) -> [f64; N] {
        // one addition is rounded once, too; zero has no sign
        match self.filled {
            rows @ (1 | 2) if self.sums.iter().all(ExactSum::is_empty) => {
                std::array::from_fn(|k| 0.0 + self.rows[k][0] + if rows == 2 { self.rows[k][1] } else { 0.0 })
            }
            _ => {
                self.clear();
                std::array::from_fn(|k| self.sums[k].value())
            }
        }
    }
}

/// Adds the first numbers of a column; the next behind them become zero.
fn add_column(sum: &mut ExactSum, column: &mut [f64; BLOCK], count: usize, width: Width) {
    if count <= FEW {
        sum.add_all(column[..count].iter().copied());
        return;
    }
    column[count..count.next_multiple_of(MOST_LANES)].fill(0.0);
    match width.run(Split { column, count }) {
        Parts::Nothing => {}
        Parts::Of { places, is_rest: false } => sum.add_all(places),
        Parts::Of { places, is_rest: true } => {
            sum.add_all(places);
            let shifts = shifts(column[..count].iter().fold(0.0, |largest: f64, number| largest.max(number.abs())));
            sum.add_all(column[..count].iter().map(|&number| split(number, shifts).1).filter(|&rest| rest != 0.0));
        }
        Parts::OutOfRange => sum.add_all(column[..count].iter().copied()),
    }
}

/// What the numbers of a column are split into.
enum Parts {
    /// All of them are zero.
    Nothing,
    /// The sums of the parts at the three places, and whether anything is left below.
    Of { places: [f64; 3], is_rest: bool },
    /// Some are so large or all so small that there are no such places, or not finite.
    OutOfRange,
}

/// What rounds to the units of the three places if it is added and subtracted, for numbers the largest of which is given.
#[inline(always)]
fn shifts(largest: f64) -> [f64; 3] {
    let exponent = largest.to_bits() >> 52;
    let mut shifts = [0.0; 3];
    for k in 0..3 {
        shifts[k] = f64::from_bits((exponent - UNITS[k]) << 52) * ROUNDING_SHIFT;
    }
    shifts
}

/// The parts at the three places and what is left. Parts are rounded to the nearest multiple of the unit, and what is left after that is a
/// multiple of the last bit of the number, no larger than half a unit and than the number: all of it is exact.
#[inline(always)]
fn split<R: Lanes>(number: R, shifts: [f64; 3]) -> ([R; 3], R) {
    let (mut parts, mut rest) = ([number; 3], number);
    for k in 0..3 {
        let shift = R::splat(shifts[k]);
        parts[k] = (rest + shift) - shift;
        rest -= parts[k];
    }
    (parts, rest)
}

#[inline(always)]
fn largest_of(lanes: [f64; MOST_LANES]) -> f64 {
    let mut largest = 0.0;
    for number in lanes {
        largest = if number > largest { number } else { largest };
    }
    largest
}

struct Split<'a> {
    column: &'a [f64; BLOCK],
    count: usize,
}

impl LaneTask for Split<'_> {
    type Output = Parts;

    #[inline(always)]
    fn run<R: Lanes>(self) -> Parts {
        let Self { column, count } = self;
        let (mut at, mut largest) = (0, R::zero());
        while at < count {
            largest = R::next(column, at).abs().maximum(largest);
            at += R::LANES;
        }
        let largest = largest_of(largest.to_lanes());
        if largest != 0.0 && !EXPONENTS.contains(&(largest.to_bits() >> 52)) {
            return Parts::OutOfRange;
        }
        // NaN is not found by comparisons, but makes the sums NaN; so nothing is left out where all seems zero
        let shifts = shifts(if largest == 0.0 { 1.0 } else { largest });
        let (mut sums, mut left) = ([R::zero(); 3], R::zero());
        let mut at = 0;
        while at < count {
            let (parts, rest) = split(R::next(column, at), shifts);
            for k in 0..3 {
                sums[k] += parts[k];
            }
            left = rest.abs().maximum(left);
            at += R::LANES;
        }
        let mut places = [0.0; 3];
        for k in 0..3 {
            for part in sums[k].to_lanes() {
                places[k] += part;
            }
        }
        if !places[0].is_finite() {
            return Parts::OutOfRange;
        }
        if largest == 0.0 {
            return Parts::Nothing;
        }
        Parts::Of { places, is_rest: largest_of(left.to_lanes()) > 0.0 }
    }
}
