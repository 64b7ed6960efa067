//! Polynomials, and whole numbers near others.

use crate::lanes::Real;

/// Σ cₖ xᵏ, at least two coefficients, the lowest first.
///
/// Even and odd powers are summed beside each other, each by Horner's rule, so that neither has to wait for the other.
#[inline(always)]
pub(super) fn polynomial<R: Real, const N: usize>(x: R, coefficients: &[f64; N]) -> R {
    const { assert!(N >= 2, "two sums") };
    let square = x * x;
    // a loop, not an iterator: all of this must be inlined
    let (mut before, mut last) = (R::constant(coefficients[N - 1]), R::constant(coefficients[N - 2]));
    let mut k = N - 2;
    while k > 0 {
        k -= 1;
        (before, last) = (last, R::constant(coefficients[k]).plus_product(before, square));
    }
    last.plus_product(before, x)
}

/// The whole number nearest to `a b`, or one of the two nearest, if its magnitude is less than 2⁵¹.
#[inline(always)]
pub(super) fn whole_near_product<R: Real>(a: R, b: R) -> R {
    // numbers of this size have no places behind the point
    let large = R::constant(1.5 * (1u64 << 52) as f64);
    large.plus_product(a, b) - large
}
