//! Cube roots.
//!
//! `x = a 8^q` with a from ½ to 4. A cubic gives `1/∛a` to three digits, a step of third order (Halley's, without a division) to ten, and a step of
//! Newton's for `∛a = a (1/∛a)²`, with `a − z³` rounded once or hardly more, to all.

use super::pairs::product;
use super::polynomial::{polynomial, whole_near_product};
use crate::lanes::Real;

/// `1/∛m` for m from one to two, to 2.5e-4 of the value.
const SERIES: [f64; 4] =
    [1.541_886_704_403_186, -0.809_959_105_167_126_9, 0.317_755_823_676_095_9, -0.049_936_432_479_925_25];

/// `∛2` and `1/∛2`; a last place does not matter
const ROOT_OF_2: f64 = 1.259_921_049_894_873_2;
const ROOT_OF_HALF: f64 = 0.793_700_525_984_099_8;

/// Cube root: negative of negative numbers, zeros and infinities of themselves.
#[inline(always)]
pub fn cbrt<R: Real>(x: R) -> R {
    let (one, half, third) = (R::constant(1.0), R::constant(0.5), R::constant(1.0 / 3.0));
    let magnitude = x.abs();
    let (m, e) = magnitude.parted();
    let q = whole_near_product(e, third);
    // −1, 0 or 1
    let rest = e.minus_product(q, R::constant(3.0));
    let (is_below, is_above) = (rest.less(-half), half.less(rest));
    let a = R::select(is_below, half * m, R::select(is_above, m + m, m));
    let factor = R::select(is_below, R::constant(ROOT_OF_2), R::select(is_above, R::constant(ROOT_OF_HALF), one));
    // 1/∛a = y (1 − h)^(−1/3), h = 1 − a y³
    let y = polynomial(m, &SERIES) * factor;
    let h = one.minus_product(a * y, y * y);
    let y = y.plus_product(y * h, third.plus_product(R::constant(2.0 / 9.0), h));
    let square = y * y;
    let z = a * square;
    let (z_square, z_rest) = product(z, z);
    let left = a.minus_product(z_square, z).minus_product(z_rest, z);
    let root = z.plus_product(left, third * square).times_power_of_two(q);
    let root = R::select(x.less(R::zero()), -root, root);
    R::select(R::zero().less(magnitude) & magnitude.less(R::constant(f64::INFINITY)), root, x)
}
