//! Exponentials.
//!
//! `x = n ln 2 + r` with whole n, so that `exp x = 2ⁿ exp r` with `|r| <= ln 2 / 2`: the reduction of fdlibm (`e_exp.c`, Sun Microsystems 1993),
//! where ln 2 has two parts of which products with n are exact and nearly so. Then `exp r = 1 + r + r²/2 (1 + r q(r))`, with a
//! polynomial in place of the fraction there; r and r² are pairs of numbers, and `1 + r` is summed exactly.

use super::pairs::{ordered_sum, product, sum};
use super::polynomial::{polynomial, whole_near_product};
use crate::lanes::Real;

/// ln 2 to 41 places behind the point: products with whole numbers of up to 12 bits are exact.
pub(super) const LN_2_HIGH: f64 = 0.693_147_180_559_663;
/// What ln 2 is more.
pub(super) const LN_2_LOW: f64 = 2.823_529_056_303_157_7e-13;

/// `exp r = 1 + r + r²/2 (1 + r q(r))`: to 1e-18 of the value.
const SERIES: [f64; 10] = [
    0.333_333_333_333_333_37,
    0.083_333_333_333_333_34,
    0.016_666_666_666_660_123,
    0.002_777_777_777_776_189,
    0.000_396_825_397_261_122_2,
    4.960_317_466_790_617_6e-5,
    5.511_453_691_335_411e-6,
    5.511_452_862_867_284e-7,
    5.020_077_375_457_062e-8,
    4.183_627_633_891_602e-9,
];

/// Exponents above this one have infinite values.
const MOST: f64 = 710.0;
/// Values of exponents below this one are zero.
const LEAST: f64 = -750.0;

/// `eˣ`: 1 for zeros, infinite above 709.78, zero below −745.13.
#[inline(always)]
pub fn exp<R: Real>(x: R) -> R {
    exp_of_pair(x, R::zero())
}

/// `eˣ − 1`, exact to rounding near zero too: x for zeros and very small x, infinite above 709.78, −1 for −∞.
#[inline(always)]
pub fn exp_m1<R: Real>(x: R) -> R {
    // the values of exponents below are all −1
    let bounded = R::constant(-50.0).maximum(R::constant(MOST).minimum(x));
    let Reduced { n, high, half_square, low } = reduced(bounded, R::zero());
    // all by half, because 2ⁿ may be too large: (2ⁿ − 1 + 2ⁿ high + 2ⁿ half_square + 2ⁿ low) / 2
    let (one, half) = (R::constant(1.0), R::constant(0.5));
    let power = one.times_power_of_two(n - one);
    let less = power - half;
    let less_rest = (power - less) - half;
    let (value, rest) = sum(less, power * high);
    let (value, second_rest) = sum(value, power * half_square);
    let value = value + ((less_rest + rest) + second_rest.plus_product(power, low));
    // what is left out is a quarter of a unit in the last place
    R::select(x.abs().less(R::constant(f64::EPSILON / 4.0)), x, value + value)
}

/// exp of the sum of two numbers, the second of which is zero or rounding left it of the first.
#[inline(always)]
pub(super) fn exp_of_pair<R: Real>(x: R, rest: R) -> R {
    let bounded = R::constant(LEAST).maximum(R::constant(MOST).minimum(x));
    let Reduced { n, high, half_square, low } = reduced(bounded, rest);
    let (value, rest) = ordered_sum(R::constant(1.0), high);
    (value + (rest + (half_square + low))).times_power_of_two(n)
}

/// `2ⁿ (1 + high + half_square + low)`, from the largest term to the smallest
struct Reduced<R> {
    n: R,
    high: R,
    half_square: R,
    low: R,
}

#[inline(always)]
fn reduced<R: Real>(x: R, rest: R) -> Reduced<R> {
    let n = whole_near_product(x, R::constant(std::f64::consts::LOG2_E));
    // exact: the product is, and near the number
    let high = x.minus_product(n, R::constant(LN_2_HIGH));
    let low = rest.minus_product(n, R::constant(LN_2_LOW));
    let (r, r_rest) = ordered_sum(high, low);
    let half = R::constant(0.5);
    let half_r = half * r;
    let (half_square, half_square_rest) = product(half_r, r);
    let low = (low + half_square_rest).plus_product(r, r_rest);
    Reduced { n, high, half_square, low: low.plus_product(half_square * r, polynomial(r, &SERIES)) }
}
