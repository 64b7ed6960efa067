//! Sums that do not depend on the order of their terms.
//!
//! Every term is rounded to a multiple of one unit, 2⁻⁴² of a power of two above the largest of all terms. Multiples are added as whole
//! numbers, which is exact in any order and on any number of threads, so that terms may be visited as they lie in memory. The rounding of one
//! term is at most 2⁻⁴² = 2·10⁻¹³ of the largest one.

use dem_core::lanes::{LaneTask, Lanes, Width};
use rayon::prelude::*;

/// Numbers of a term, summed one by one.
pub const NUMBERS: usize = 6;

/// Terms of a sum.
pub trait Terms: Sync {
    /// How many.
    fn count(&self) -> usize;

    /// The term at `at` and those after it, one per lane; must be `#[inline(always)]`.
    fn at<R: Lanes>(&self, at: usize) -> [R; NUMBERS];
}

/// Terms per unit of parallel work: their sum has less than 53 bits.
const BLOCK: usize = 1024;
/// Bits of the largest term.
const BITS: u64 = 42;
/// Adding and subtracting it rounds to a whole number.
const ROUNDING_SHIFT: f64 = 6755399441055744.0;
/// Sums whose terms are all below it vanish.
const SMALLEST: f64 = 1e-250;

/// Sum of all terms; not a number if any of them is none.
#[expect(
    clippy::disallowed_methods,
    reason = "the largest of numbers and a sum of whole numbers are the same in any order"
)]
pub fn sum<T: Terms>(terms: &T, width: Width) -> [f64; NUMBERS] {
    let blocks = terms.count().div_ceil(BLOCK);
    let largest = (0..blocks)
        .into_par_iter()
        .map(|block| width.run(Largest { terms, block }))
        .reduce(|| 0.0, |a, b| if a > b { a } else { b });
    if !largest.is_finite() {
        return [f64::NAN; NUMBERS];
    }
    if largest < SMALLEST {
        return [0.0; NUMBERS];
    }
    // the power of two above the largest term and the unit, by their exponents
    let exponent = (largest.to_bits() >> 52) + 1;
    let (unit, per_unit) = (f64::from_bits((exponent - BITS) << 52), f64::from_bits((2046 + BITS - exponent) << 52));
    let whole = (0..blocks)
        .into_par_iter()
        .map(|block| {
            let sums = width.run(WholeSum { terms, block, per_unit });
            sums.iter().all(|sum| sum.is_finite()).then(|| sums.map(|sum| i128::from(sum as i64)))
        })
        .reduce(
            || Some([0; NUMBERS]),
            |a, b| match (a, b) {
                (Some(a), Some(b)) => Some(std::array::from_fn(|k| a[k] + b[k])),
                _ => None,
            },
        );
    whole.map_or([f64::NAN; NUMBERS], |whole| whole.map(|sum| sum as f64 * unit))
}

/// First and one past the last term of a block.
fn ends<T: Terms>(terms: &T, block: usize) -> (usize, usize) {
    (block * BLOCK, ((block + 1) * BLOCK).min(terms.count()))
}

struct Largest<'a, T> {
    terms: &'a T,
    block: usize,
}

impl<T: Terms> LaneTask for Largest<'_, T> {
    type Output = f64;
    #[inline(always)]
    fn run<R: Lanes>(self) -> f64 {
        let (mut at, end) = ends(self.terms, self.block);
        let mut largest = R::zero();
        while at + R::LANES <= end {
            for number in self.terms.at::<R>(at) {
                largest = number.abs().maximum(largest);
            }
            at += R::LANES;
        }
        let mut of_all = largest.to_lanes().into_iter().fold(0.0, f64::max);
        while at < end {
            for number in self.terms.at::<f64>(at) {
                of_all = of_all.max(number.abs());
            }
            at += 1;
        }
        of_all
    }
}

struct WholeSum<'a, T> {
    terms: &'a T,
    block: usize,
    per_unit: f64,
}

#[inline(always)]
fn whole<R: Lanes>(number: R, per_unit: f64) -> R {
    let shift = R::splat(ROUNDING_SHIFT);
    (number * R::splat(per_unit) + shift) - shift
}

impl<T: Terms> LaneTask for WholeSum<'_, T> {
    type Output = [f64; NUMBERS];
    #[inline(always)]
    fn run<R: Lanes>(self) -> [f64; NUMBERS] {
        let (mut at, end) = ends(self.terms, self.block);
        let mut sums = [R::zero(); NUMBERS];
        while at + R::LANES <= end {
            let numbers = self.terms.at::<R>(at);
            for k in 0..NUMBERS {
                sums[k] += whole(numbers[k], self.per_unit);
            }
            at += R::LANES;
        }
        let mut all = sums.map(|sum| sum.to_lanes().into_iter().sum::<f64>());
        while at < end {
            let numbers = self.terms.at::<f64>(at);
            for k in 0..NUMBERS {
                all[k] += whole(numbers[k], self.per_unit);
            }
            at += 1;
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Table(Vec<[f64; NUMBERS]>);

    impl Terms for Table {
        fn count(&self) -> usize {
            self.0.len()
        }
        #[inline(always)]
        fn at<R: Lanes>(&self, at: usize) -> [R; NUMBERS] {
            std::array::from_fn(|k| R::from_lanes(|lane| self.0[at + lane][k]))
        }
    }

    fn table(count: usize) -> Table {
        let number = |k: usize| (k as f64 * 0.7).sin() * (k as f64 * 1.3).cos().powi(5) * 1e-7;
        Table((0..count).map(|row| std::array::from_fn(|k| number(NUMBERS * row + k))).collect())
    }

    #[test]
    fn order_and_width_change_no_bit_and_rounding_is_small() {
        for count in [1, 7, 8, 9, 1023, 1025, 5000] {
            let mut terms = table(count);
            let expected: [f64; NUMBERS] = std::array::from_fn(|k| terms.0.iter().map(|term| term[k]).sum());
            let found = sum(&terms, Width::SCALAR);
            for k in 0..NUMBERS {
                assert!((found[k] - expected[k]).abs() <= 2.3e-13 * 1e-7 * (count as f64), "{count} {found:?}");
            }
            terms.0.reverse();
            terms.0.rotate_left(count / 3);
            for width in Width::available() {
                assert_eq!(sum(&terms, width), found, "{count} terms, {width:?}");
            }
        }
    }

    #[test]
    fn sums_of_the_largest_terms_do_not_overflow_and_of_the_smallest_vanish() {
        let ones = |value: f64| Table(vec![[value; NUMBERS]; 3000]);
        assert_eq!(sum(&ones(1.0), Width::fastest()), [3000.0; NUMBERS]);
        // just below a power of two: every term has all of its bits
        let value = 2.0_f64.next_down();
        assert!((sum(&ones(value), Width::fastest())[0] - 6000.0).abs() < 1e-8);
        assert_eq!(sum(&ones(0.0), Width::fastest()), [0.0; NUMBERS]);
        assert_eq!(sum(&ones(1e-300), Width::fastest()), [0.0; NUMBERS]);
        assert_eq!(sum(&Table(Vec::new()), Width::fastest()), [0.0; NUMBERS]);
    }

    #[test]
    fn a_term_that_is_no_number_is_not_lost() {
        for wrong in [f64::NAN, f64::INFINITY] {
            for row in [3, 2500, 2999] {
                let mut terms = table(3000);
                terms.0[row][4] = wrong;
                assert!(sum(&terms, Width::fastest())[4].is_nan(), "{wrong} in {row}");
            }
        }
    }
}
