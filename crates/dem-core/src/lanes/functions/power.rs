//! Powers.
//!
//! `xʸ = exp(y ln x)` with the logarithm and its product as pairs of numbers, because the exponential makes an error of its argument, up to
//! 700, one of its value in proportion: as in fdlibm (`e_pow.c`, Sun Microsystems 1993) and all libraries since.

use super::exponential::exp_of_pair;
use super::logarithm::ln_as_pair;
use super::pairs::product;
use crate::lanes::Real;

/// Arguments of the exponential beyond are bounded by it.
const BEYOND: f64 = 800.0;

/// `xʸ` for x that is not negative: 1 for y = 0 and for x = 1 whatever the other one is; of zeros, −0 among them, 0 or ∞, and so of infinity and
/// to the power of infinity. NaN for negative x, unless y is zero: whole powers of negative numbers are left to the caller.
#[inline(always)]
pub fn pow<R: Real>(x: R, y: R) -> R {
    let one = R::constant(1.0);
    let (ln, ln_rest) = ln_as_pair(x);
    let (exponent, rest) = product(y, ln);
    let rest = rest.plus_product(y, ln_rest);
    // beside an exponent that is infinite there is NaN
    let rest = R::select(exponent.abs().less(R::constant(BEYOND)), rest, R::zero());
    let value = R::select(x.less(R::zero()), R::constant(f64::NAN), exp_of_pair(exponent, rest));
    let is_one = x.at_most(one) & one.at_most(x) | y.at_most(R::zero()) & R::zero().at_most(y);
    R::select(is_one, one, value)
}
