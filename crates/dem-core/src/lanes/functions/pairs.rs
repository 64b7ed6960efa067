//! Sums and products as pairs of numbers: the rounded value and what rounding left, which together are exact.
//!
//! D. E. Knuth, The Art of Computer Programming 2, 4.2.2; T. J. Dekker, Numer. Math. 18 (1971) 224.

use crate::lanes::Real;

/// `a + b`
#[inline(always)]
pub(super) fn sum<R: Real>(a: R, b: R) -> (R, R) {
    let sum = a + b;
    let of_b = sum - a;
    (sum, (a - (sum - of_b)) + (b - of_b))
}

/// `a + b` where a is zero or its exponent not below that of b, in half as many operations.
#[inline(always)]
pub(super) fn ordered_sum<R: Real>(a: R, b: R) -> (R, R) {
    let sum = a + b;
    (sum, b - (sum - a))
}

/// `a b`
#[inline(always)]
pub(super) fn product<R: Real>(a: R, b: R) -> (R, R) {
    let product = a * b;
    (product, (-product).plus_product(a, b))
}
