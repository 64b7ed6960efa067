//! Logarithms.
//!
//! `x = m 2ᵉ` with m between √½ and √2, and with `f = m − 1`, `s = f / (2 + f)`
//!
//! `ln x = e ln 2 + f − f²/2 + s (f²/2 + s² q(s²))`
//!
//! as in fdlibm (`e_log.c`, `s_log1p.c`, Sun Microsystems 1993), with ln 2 in two parts; `e ln 2 + f` is summed exactly. In a pair of numbers the
//! series is that of `2 artanh s`, with s, the terms s and s³ and their sum as pairs.

use super::exponential::{LN_2_HIGH, LN_2_LOW};
use super::pairs::{ordered_sum, product, sum};
use super::polynomial::polynomial;
use crate::lanes::Real;

/// `2 artanh s = 2 s + s z q(z)`, z = s²: to 1.2e-18 of the value.
const SERIES: [f64; 7] = [
    0.666_666_666_666_673_4,
    0.399_999_999_994_165_3,
    0.285_714_287_420_704_4,
    0.222_221_985_992_927_42,
    0.181_835_632_132_516_63,
    0.153_140_741_706_257_36,
    0.147_957_529_201_390_71,
];

/// `2 artanh s = 2 s + s z (2/3 + z q(z))`, z = s²: to 7.7e-23 of the value.
const SERIES_BEHIND: [f64; 8] = [
    0.399_999_999_999_999_8,
    0.285_714_285_714_438_4,
    0.222_222_222_177_895_92,
    0.181_818_188_440_317_33,
    0.153_845_584_245_568_27,
    0.133_362_646_969_285_2,
    0.116_757_759_475_567_69,
    0.119_817_979_386_581_98,
];

/// Two thirds, and what they are more.
const TWO_THIRDS: [f64; 2] = [2.0 / 3.0, 3.700_743_415_417_188e-17];

/// Natural logarithm: −∞ of zeros, NaN of negative numbers, ∞ of ∞.
#[inline(always)]
pub fn ln<R: Real>(x: R) -> R {
    let (m, e) = centred_parts(x);
    let f = m - R::constant(1.0);
    with_limits(ln_of_parts(f, share(f), e, R::zero()), e, x.less(R::zero()))
}

/// `ln(1 + x)`, exact to rounding near zero too: x for zeros and very small x, −∞ of −1, NaN below, ∞ of ∞.
#[inline(always)]
pub fn ln_1p<R: Real>(x: R) -> R {
    let one = R::constant(1.0);
    let (above, rest) = sum(one, x);
    let (m, e) = centred_parts(above);
    let f = m - one;
    let s = share(f);
    // (1 − s) / (1 + s) = 1/m, of which three terms suffice
    let away = one - s;
    let of_rest = rest.times_power_of_two(-e) * (away * one.minus_product(s, away));
    let value = with_limits(ln_of_parts(f, s, e, of_rest), e, x.less(-one));
    // what is left out is a quarter of a unit in the last place
    R::select(x.abs().less(R::constant(f64::EPSILON / 4.0)), x, value)
}

/// ln as a pair of numbers to 1e-22 of its value. Only the first of the pair holds for zero, infinity and NaN, and neither for negative numbers.
#[inline(always)]
pub(super) fn ln_as_pair<R: Real>(x: R) -> (R, R) {
    let (m, e) = centred_parts(x);
    let one = R::constant(1.0);
    let f = m - one;
    let (d, d_rest) = ordered_sum(one, m);
    let inverse = one / d;
    let s = f * inverse;
    let s_rest = f.minus_product(s, d).minus_product(s, d_rest) * inverse;
    let (z, z_rest) = product(s, s);
    let z_rest = z_rest.plus_product(s + s, s_rest);
    // q in pairs: two thirds and what follows
    let series = polynomial(z, &SERIES_BEHIND);
    let (behind, behind_rest) = product(z, series);
    let (q, q_rest) = ordered_sum(R::constant(TWO_THIRDS[0]), behind);
    let q_rest = q_rest + (R::constant(TWO_THIRDS[1]) + behind_rest.plus_product(z_rest, series));
    // s³ and s³ q
    let (cube, cube_rest) = product(s, z);
    let cube_rest = cube_rest.plus_product(s, z_rest).plus_product(s_rest, z);
    let (term, term_rest) = product(cube, q);
    let term_rest = term_rest.plus_product(cube, q_rest).plus_product(cube_rest, q);
    let (of_m, of_m_rest) = ordered_sum(s + s, term);
    let of_m_rest = of_m_rest + (s_rest + s_rest + term_rest);
    // e ln 2 is zero or larger than the logarithm of m
    let (high, low) = ordered_sum(e * R::constant(LN_2_HIGH), of_m);
    let low = low + of_m_rest.plus_product(e, R::constant(LN_2_LOW));
    let (high, low) = ordered_sum(high, low);
    (R::select(is_finite(e), high, e), low)
}

/// Mantissa between √½ and √2 and exponent.
#[inline(always)]
fn centred_parts<R: Real>(x: R) -> (R, R) {
    let (m, e) = x.parted();
    let is_large = m.greater(R::constant(std::f64::consts::SQRT_2));
    (R::select(is_large, m * R::constant(0.5), m), R::select(is_large, e + R::constant(1.0), e))
}

/// s
#[inline(always)]
fn share<R: Real>(f: R) -> R {
    f / (R::constant(2.0) + f)
}

/// `ln((1 + f) 2ᵉ) + more`
#[inline(always)]
fn ln_of_parts<R: Real>(f: R, s: R, e: R, more: R) -> R {
    let z = s * s;
    let half = R::constant(0.5) * f;
    let series = (half * f).plus_product(z, polynomial(z, &SERIES));
    let (high, low) = ordered_sum(e * R::constant(LN_2_HIGH), f);
    high + (low + more.plus_product(e, R::constant(LN_2_LOW)).plus_product(s, series).minus_product(half, f))
}

#[inline(always)]
fn is_finite<R: Real>(x: R) -> R::Mask {
    x.abs().less(R::constant(f64::INFINITY))
}

/// The logarithm, or that of zero, of infinity and of NaN, which is their exponent, or NaN.
#[inline(always)]
fn with_limits<R: Real>(value: R, e: R, is_undefined: R::Mask) -> R {
    R::select(is_undefined, R::constant(f64::NAN), R::select(is_finite(e), value, e))
}
