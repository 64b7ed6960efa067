//! Sine and cosine.
//!
//! `x = n π/2 + r` with whole n and `|r| <= π/4`, after W. J. Cody and W. Waite, Software Manual for the Elementary Functions (1980), with π/2 in
//! three parts of 53 bits each. That n times the first part, taken off x and rounded once, is exact: both are multiples of a unit in the last place of
//! the smaller one, and the difference has no more than 53 bits of it. n times the second part is a pair of numbers, the third one is rounded. The angle
//! remains a pair. On `|r| <= π/4` the functions are summed as in fdlibm (`k_sin.c`, `k_cos.c`, Sun Microsystems 1993).

use super::pairs::{ordered_sum, product, sum};
use super::polynomial::{polynomial, whole_near_product};
use crate::lanes::Real;

/// π/2 = 1.5707963267948966192313216916397514420985846996876 in parts.
const HALF_PI: [f64; 3] = [std::f64::consts::FRAC_PI_2, 6.123_233_995_736_766e-17, -1.497_384_904_859_169_8e-33];

/// Largest angle. No number up to it is nearer to a multiple of π/2 than 1e-19, of which what is left out of π/2 makes up less than 1e-18.
const FARTHEST: f64 = (1u64 << 40) as f64;

/// The sine of an angle below is the angle, to rounding.
const SMALL: f64 = 1.0 / (1u64 << 27) as f64;

/// `sin r = r + r z q(z)`, z = r²: to 3.5e-18 of the value.
const SINE: [f64; 6] = [
    -0.166_666_666_666_666_32,
    0.008_333_333_333_322_488,
    -0.000_198_412_698_298_555_4,
    2.755_731_370_600_840_5e-6,
    -2.505_076_005_960_36e-8,
    1.589_689_843_252_828_6e-10,
];

/// `cos r = 1 − z/2 + z² q(z)`, z = r²: to 4.9e-20.
const COSINE: [f64; 6] = [
    0.041_666_666_666_666_6,
    -0.001_388_888_888_887_447_2,
    2.480_158_728_966_927_7e-5,
    -2.755_731_440_018_632e-7,
    2.087_572_913_914_136_5e-9,
    -1.135_992_554_288_855_4e-11,
];

/// Sine of an angle \[rad\], of a zero the zero; NaN for angles above 2⁴⁰ in magnitude.
#[inline(always)]
pub fn sin<R: Real>(x: R) -> R {
    sin_cos(x).0
}

/// Cosine of an angle \[rad\]; NaN for angles above 2⁴⁰ in magnitude.
#[inline(always)]
pub fn cos<R: Real>(x: R) -> R {
    sin_cos(x).1
}

/// [`sin`] and [`cos`] of an angle \[rad\], at the cost of one of them: both need both series.
#[inline(always)]
pub fn sin_cos<R: Real>(x: R) -> (R, R) {
    let (one, half) = (R::constant(1.0), R::constant(0.5));
    let n = whole_near_product(x, R::constant(std::f64::consts::FRAC_2_PI));
    let (r, rest) = reduced(x, n);
    let (z, z_rest) = product(r, r);
    let of_rest = rest.minus_product(rest, half * z);
    let sine = r + of_rest.plus_product(r * z, polynomial(z, &SINE));
    let (near, left) = ordered_sum(one, -(half * z));
    let low = left.minus_product(half, z_rest).minus_product(r, rest);
    let cosine = near + low.plus_product(z * z, polynomial(z, &COSINE));
    // quarters of a turn, −2 to 2
    let quarters = n.minus_product(R::constant(4.0), whole_near_product(n, R::constant(0.25)));
    let size = quarters.abs();
    let is_odd = half.less(size) & size.less(R::constant(1.5));
    let is_half = R::constant(1.5).less(size);
    let (sine, cosine) = (R::select(is_odd, cosine, sine), R::select(is_odd, sine, cosine));
    let sine_turns = is_half | quarters.less(-half) & is_odd;
    let cosine_turns = is_half | half.less(quarters) & is_odd;
    // the sum has lost the sign of a zero
    let sine = R::select(x.abs().less(R::constant(SMALL)), x, R::select(sine_turns, -sine, sine));
    let is_known = x.abs().at_most(R::constant(FARTHEST));
    let nan = R::constant(f64::NAN);
    (R::select(is_known, sine, nan), R::select(is_known, R::select(cosine_turns, -cosine, cosine), nan))
}

/// `x − n π/2` as a pair of numbers.
#[inline(always)]
fn reduced<R: Real>(x: R, n: R) -> (R, R) {
    let first = x.minus_product(n, R::constant(HALF_PI[0]));
    let (second, second_rest) = product(n, R::constant(HALF_PI[1]));
    let (r, rest) = sum(first, -second);
    ordered_sum(r, (rest - second_rest).minus_product(n, R::constant(HALF_PI[2])))
}
