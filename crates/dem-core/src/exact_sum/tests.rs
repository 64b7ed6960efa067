//! Sums against whole numbers of any length, which are written in another way: positive and negative terms apart, carries at once, and
//! rounding by looking for the two numbers around the sum.

use std::cmp::Ordering;

use rand_free::Random;

use super::*;
use crate::lanes::{Lanes, Width};

/// A generator that needs no crate: xorshift64* of S. Vigna.
mod rand_free {
    pub struct Random(pub u64);

    impl Random {
        pub fn next(&mut self) -> u64 {
            self.0 ^= self.0 >> 12;
            self.0 ^= self.0 << 25;
            self.0 ^= self.0 >> 27;
            self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
        }

        /// Below a number.
        pub fn below(&mut self, end: usize) -> usize {
            (self.next() >> 16) as usize % end
        }

        /// A number of any sign with an exponent from −300 to 299.
        pub fn number(&mut self) -> f64 {
            let exponent = 1023 - 300 + self.below(600) as u64;
            f64::from_bits(self.next() & (1 << 63 | ((1 << 52) - 1)) | exponent << 52)
        }

        pub fn shuffle<T>(&mut self, items: &mut [T]) {
            (1..items.len()).rev().for_each(|at| items.swap(at, self.below(at + 1)));
        }
    }
}

/// A whole multiple of 2⁻¹⁰⁷⁴, the lowest 64 bits first.
#[derive(Clone, PartialEq, Eq)]
struct Natural([u64; 36]);

impl Natural {
    fn of(magnitude: f64) -> Self {
        let bits = magnitude.to_bits();
        let (field, fraction) = (bits >> 52, bits & ((1 << 52) - 1));
        let mut new = Self([0; 36]);
        let (significand, place) = if field == 0 { (fraction, 0) } else { (fraction | 1 << 52, field as usize - 1) };
        for bit in (0..53).filter(|bit| significand >> bit & 1 == 1) {
            new.0[(place + bit) / 64] |= 1 << ((place + bit) % 64);
        }
        new
    }

    fn plus(mut self, other: &Self) -> Self {
        let mut carry = false;
        for (limb, more) in self.0.iter_mut().zip(other.0) {
            let (sum, first) = limb.overflowing_add(more);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            (*limb, carry) = (sum, first || second);
        }
        self
    }

    fn minus(mut self, smaller: &Self) -> Self {
        let mut borrow = false;
        for (limb, less) in self.0.iter_mut().zip(smaller.0) {
            let (rest, first) = limb.overflowing_sub(less);
            let (rest, second) = rest.overflowing_sub(u64::from(borrow));
            (*limb, borrow) = (rest, first || second);
        }
        self
    }

    fn compare(&self, other: &Self) -> Ordering {
        self.0.iter().rev().cmp(other.0.iter().rev())
    }

    /// The nearest number.
    fn rounded(&self) -> f64 {
        // the bits of numbers are in the order of the numbers
        let (mut low, mut high) = (0, f64::INFINITY.to_bits());
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            let is_above = Self::of(f64::from_bits(middle)).compare(self) == Ordering::Greater;
            *if is_above { &mut high } else { &mut low } = middle;
        }
        // what would follow the largest number stands for infinity
        let of_low = Self::of(f64::from_bits(low));
        let gap = if low > 1 << 52 {
            Self::of(f64::from_bits(low & !((1 << 52) - 1)) * f64::EPSILON)
        } else {
            Self::of(5e-324)
        };
        let middle_twice = of_low.clone().plus(&of_low).plus(&gap);
        let is_up = match self.clone().plus(self).compare(&middle_twice) {
            Ordering::Less => false,
            Ordering::Equal => low & 1 == 1,
            Ordering::Greater => true,
        };
        f64::from_bits(low + u64::from(is_up))
    }
}

fn expected(terms: &[f64]) -> f64 {
    let of_sign = |is_negative: bool| {
        let terms = terms.iter().filter(|term| term.is_sign_negative() == is_negative);
        terms.fold(Natural::of(0.0), |sum, term| sum.plus(&Natural::of(term.abs())))
    };
    let (up, down) = (of_sign(false), of_sign(true));
    match up.compare(&down) {
        Ordering::Less => -down.minus(&up).rounded(),
        Ordering::Equal => 0.0,
        Ordering::Greater => up.minus(&down).rounded(),
    }
}

fn exact(terms: &[f64]) -> ExactSum {
    let mut sum = ExactSum::ZERO;
    sum.add_all(terms.iter().copied());
    sum
}

fn in_lanes(terms: &[f64], width: Width) -> f64 {
    let mut sum = BlockSum::<1>::new(width);
    terms.iter().for_each(|&term| sum.add([term]));
    sum.values()[0]
}

/// All ways to sum.
fn assert_all_are(terms: &[f64], value: f64) {
    let same = |found: f64, way: &str| {
        let both_none = found.is_nan() && value.is_nan();
        assert!(both_none || found.to_bits() == value.to_bits(), "{found:e} by {way}, expected {value:e}");
    };
    same(exact(terms).value(), "digits");
    same(sum_of(terms.len(), |at| terms[at]), "blocks of a slice");
    for width in Width::available() {
        same(in_lanes(terms, width), width.name());
        same(of_terms(&Column(terms), width)[0], "terms in lanes");
    }
}

struct Column<'a>(&'a [f64]);

impl Terms<1> for Column<'_> {
    fn count(&self) -> usize {
        self.0.len()
    }
    #[inline(always)]
    fn at<R: Lanes>(&self, at: usize) -> [R; 1] {
        [R::next(self.0, at)]
    }
}

#[test]
fn terms_over_600_binary_orders_with_cancellation_are_summed_as_whole_numbers_are() {
    let mut random = Random(5);
    for count in [1, 2, 3, 17, 255, 256, 257, 4000] {
        let mut terms: Vec<f64> = (0..count).map(|_| random.number()).collect();
        // all but the small ones cancel
        let large: Vec<f64> = terms.iter().filter(|term| term.abs() > 1e-60).map(|term| -term).collect();
        terms.extend(large);
        terms.extend([5e-324, -2e-310]);
        let value = expected(&terms);
        for _ in 0..3 {
            random.shuffle(&mut terms);
            assert_all_are(&terms, value);
        }
    }
}

#[test]
fn any_split_gives_the_same_bits() {
    let mut random = Random(11);
    let mut terms: Vec<f64> = (0..5000).map(|_| random.number()).collect();
    let value = expected(&terms);
    for parts in 2..=64 {
        random.shuffle(&mut terms);
        let (mut all, mut rest) = (ExactSum::ZERO, &terms[..]);
        for left in (1..=parts).rev() {
            let count = if left == 1 { rest.len() } else { random.below(rest.len() / left * 2 + 1) };
            let (part, others) = rest.split_at(count);
            if left % 2 == 0 {
                all.merge(&exact(part));
            } else {
                let mut blocks = BlockSum::<1>::new(Width::fastest());
                part.iter().for_each(|&term| blocks.add([term]));
                let [sum] = blocks.finish();
                all.merge(&sum);
            }
            rest = others;
        }
        assert_eq!(all.value().to_bits(), value.to_bits(), "{parts} parts");
    }
}

#[test]
fn blocks_of_usual_terms_are_summed_as_whole_numbers_are() {
    let mut random = Random(3);
    // what places in lanes must hold: just below a power of two, all bits set, wide and narrow ranges
    let of_range = |random: &mut Random, orders: usize| {
        let exponent = 1023 - random.below(orders) as u64;
        f64::from_bits(random.next() & (1 << 63 | ((1 << 52) - 1)) | exponent << 52)
    };
    for orders in [1, 10, 40, 80, 120, 135, 160, 200] {
        let terms: Vec<f64> = (0..3000).map(|_| of_range(&mut random, orders)).collect();
        assert_all_are(&terms, expected(&terms));
    }
    for term in [2.0_f64.next_down(), -2.0, f64::EPSILON.next_up()] {
        assert_all_are(&[term; 1000], expected(&[term; 1000]));
    }
    // as large and as small as blocks in lanes may be, and beyond
    for scale in [1e-324, 5e-310, 1e-290, 1e-268, 1e-266, 1e-264, 1e290, 1e301, 1e305] {
        let terms: Vec<f64> = (0..600).map(|_| of_range(&mut random, 60) * scale).collect();
        assert_all_are(&terms, expected(&terms));
    }
}

#[test]
fn ties_go_to_even_and_what_is_beyond_the_largest_number_is_infinite() {
    let half = f64::EPSILON / 2.0;
    let odd = 1.0 + f64::EPSILON;
    for (terms, value) in [
        (vec![1.0, half], 1.0),
        (vec![odd, half], odd + f64::EPSILON),
        (vec![1.0, half, 5e-324], odd),
        (vec![odd, half, -5e-324], odd),
        (vec![-1.0, -half, -5e-324], -odd),
        (vec![f64::MAX, f64::MAX, -f64::MAX], f64::MAX),
        (vec![f64::MAX, f64::MAX], f64::INFINITY),
        (vec![-f64::MAX, -f64::MAX, 1.0], f64::NEG_INFINITY),
        // a tie between the largest number and the one that would follow
        (vec![f64::MAX, 2.0_f64.powi(969)], f64::MAX),
        (vec![f64::MAX, 2.0_f64.powi(970)], f64::INFINITY),
        (vec![f64::MIN_POSITIVE, -5e-324], f64::MIN_POSITIVE.next_down()),
        (vec![f64::MIN_POSITIVE.next_down(), 5e-324], f64::MIN_POSITIVE),
        (vec![5e-324, 5e-324], 1e-323),
        (vec![-0.0, -0.0], 0.0),
        (vec![], 0.0),
    ] {
        assert_eq!(expected(&terms).to_bits(), value.to_bits(), "the reference of {terms:?}");
        assert_all_are(&terms, value);
        let padded: Vec<f64> = terms.iter().copied().chain([0.0; 40]).collect();
        assert_all_are(&padded, value);
    }
}

#[test]
fn numbers_come_back_as_they_are() {
    let mut random = Random(29);
    let any = std::iter::repeat_with(|| f64::from_bits(random.next())).filter(|x| x.is_finite()).take(2000);
    for number in any.chain([f64::MAX, f64::MIN_POSITIVE, 5e-324, 2.5e-320, 0.1]).collect::<Vec<_>>() {
        let mut sum = exact(&[number]);
        assert_eq!(sum.value().to_bits(), number.to_bits());
        sum.add(-number);
        assert_eq!(sum.value().to_bits(), 0, "{number:e} less itself");
    }
}

#[test]
fn infinities_and_what_is_no_number_propagate() {
    let (infinity, none) = (f64::INFINITY, f64::NAN);
    for (special, value) in [
        (vec![infinity], infinity),
        (vec![-infinity, -infinity], -infinity),
        (vec![infinity, -infinity], none),
        (vec![none], none),
        (vec![none, infinity], none),
    ] {
        for ordinary in [0.0, 1.0, 1e-200, -1e308] {
            for count in [0, 3, 300, 3000] {
                let mut terms = vec![ordinary; count];
                for (at, &term) in special.iter().enumerate() {
                    terms.insert(count * (at + 1) / 3, term);
                }
                assert_all_are(&terms, value);
                let mut merged = exact(&terms[..terms.len() / 2]);
                merged.merge(&exact(&terms[terms.len() / 2..]));
                assert!(merged.value() == value || merged.value().is_nan() && value.is_nan());
            }
        }
    }
}

#[test]
fn carries_come_in_time() {
    let mut sum = exact(&[f64::MAX, -1.0]);
    // doubles 62 times, more often than words have room for without carries
    for _ in 0..62 {
        let copy = sum.clone();
        sum.merge(&copy);
    }
    for _ in 0..61 {
        let mut less = exact(&[0.0]);
        less.merge(&sum);
        assert_eq!(less.value(), f64::INFINITY);
    }
    let mut ones = exact(&[1.0, -f64::EPSILON]);
    for _ in 0..70 {
        let copy = ones.clone();
        ones.merge(&copy);
    }
    assert_eq!(ones.value(), (1.0 - f64::EPSILON) * 2.0_f64.powi(70));
}

#[test]
fn threads_do_not_matter() {
    let mut random = Random(41);
    let terms: Vec<f64> = (0..20_000).map(|_| random.number()).collect();
    let rows = |at: usize| [terms[at], -terms[at], terms[at] * 0.5];
    let found: Vec<[f64; 3]> = [1, 2, 3]
        .into_iter()
        .map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| sums_of(terms.len(), rows))
        })
        .collect();
    let value = expected(&terms);
    assert_eq!(found, [[value, -value, 0.5 * value]; 3]);
}

#[test]
fn sums_survive_the_way_to_another_process() {
    let mut random = Random(43);
    let mut bytes = Vec::new();
    let mut sums = vec![ExactSum::ZERO, exact(&[0.0]), exact(&[f64::INFINITY, 1.0]), exact(&[-1.0, 5e-324])];
    sums.extend((0..50).map(|count| exact(&(0..count).map(|_| random.number()).collect::<Vec<_>>())));
    sums.iter().for_each(|sum| bytes.extend(sum.to_bytes()));
    let mut rest = bytes.as_slice();
    for sum in &sums {
        let mut taken = ExactSum::take_from_bytes(&mut rest).unwrap();
        assert_eq!((taken.value().to_bits(), taken.is_empty()), (sum.value().to_bits(), sum.is_empty()));
        taken.merge(sum);
        let mut twice = sum.clone();
        twice.merge(sum);
        assert_eq!(taken.value().to_bits(), twice.value().to_bits());
    }
    assert!(rest.is_empty());
    assert!((0..4).all(|length| ExactSum::take_from_bytes(&mut &bytes[..length]).is_none()));
    assert!(ExactSum::take_from_bytes(&mut [0, 0, 60, 200].as_slice()).is_none());
}
