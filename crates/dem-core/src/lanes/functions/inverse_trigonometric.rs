//! Angles of sines, cosines and tangents.
//!
//! As in fdlibm (`e_asin.c`, `e_acos.c`, Sun Microsystems 1993) an arcsine above ½ comes from `arccos x = 2 arcsin √((1 − x)/2)`, with what rounding
//! left of the root. As in Cephes (`atan.c`, S. L. Moshier 1984) an arctangent comes from three ranges between the tangents of π/8 and 3π/8,
//! here with one division for all of them and with what rounding left of the quotient. Series are polynomials, and angles are summed exactly.

use super::pairs::{ordered_sum, sum};
use super::polynomial::polynomial;
use crate::lanes::Real;

/// π as a pair of numbers; its halves and quarters are exact.
const PI: [f64; 2] = [std::f64::consts::PI, 1.224_646_799_147_353_2e-16];
/// 3π/4 as a pair of numbers.
const THREE_QUARTERS: [f64; 2] = [2.356_194_490_192_345, 9.184_850_993_605_148e-17];

/// `arcsin s = s + s z q(z)`, z = s²: to 2.3e-18 of the value.
const ARCSINE: [f64; 13] = [
    0.166_666_666_666_667_63,
    0.074_999_999_999_701_29,
    0.044_642_857_175_233_85,
    0.030_381_942_678_802_68,
    0.022_372_215_804_825_2,
    0.017_351_596_894_451_343,
    0.013_981_007_530_502_227,
    0.011_397_372_641_776_472,
    0.010_788_564_663_063_561,
    0.003_677_935_086_152_929,
    0.021_765_224_708_891_445,
    -0.021_058_612_853_555_522,
    0.032_648_638_270_005_796,
];

/// `arctan t = t + t z q(z)`, z = t²: to 3.6e-18 of the value.
const ARCTANGENT: [f64; 11] = [
    -0.333_333_333_333_332,
    0.199_999_999_999_538_19,
    -0.142_857_142_802_235_55,
    0.111_111_107_850_785_96,
    -0.090_908_978_120_968_66,
    0.076_920_613_039_072_83,
    -0.066_631_178_773_816_47,
    0.058_480_035_171_613_46,
    -0.050_399_025_240_634_12,
    0.038_082_507_741_891_08,
    -0.017_930_576_382_063_33,
];

/// Tangents of π/8 and 3π/8; a last place does not matter.
const TANGENTS: [f64; 2] = [0.414_213_562_373_095_03, 2.414_213_562_373_095];
/// Below, the first term of a series is the value to rounding.
const SMALL: f64 = 1.0 / (1u64 << 27) as f64;

/// Arcsine \[rad\], from −π/2 to π/2: of a zero the zero, NaN beyond ±1.
#[inline(always)]
pub fn asin<R: Real>(x: R) -> R {
    let Arcsine { is_small, s, low } = arcsine(x.abs());
    let zero = R::zero();
    let factor = R::select(is_small, R::constant(1.0), R::constant(-2.0));
    let mut base = [zero; 2];
    for k in 0..2 {
        base[k] = R::select(is_small, zero, R::constant(0.5 * PI[k]));
    }
    let value = total(base, factor * s, factor * low);
    R::select(x.abs().less(R::constant(SMALL)), x, R::select(x.less(zero), -value, value))
}

/// Arccosine \[rad\], from 0 to π: of 1 zero, NaN beyond ±1.
#[inline(always)]
pub fn acos<R: Real>(x: R) -> R {
    let Arcsine { is_small, s, low } = arcsine(x.abs());
    let is_negative = x.less(R::zero());
    let one = R::constant(1.0);
    let (small, large) =
        (R::select(is_negative, one, -one), R::select(is_negative, R::constant(-2.0), R::constant(2.0)));
    let factor = R::select(is_small, small, large);
    let mut base = [R::zero(); 2];
    for k in 0..2 {
        let large = R::select(is_negative, R::constant(PI[k]), R::zero());
        base[k] = R::select(is_small, R::constant(0.5 * PI[k]), large);
    }
    total(base, factor * s, factor * low)
}

/// Arctangent \[rad\], from −π/2 to π/2: of a zero the zero, of infinities ±π/2.
#[inline(always)]
pub fn atan<R: Real>(x: R) -> R {
    let magnitude = x.abs();
    // larger ones have the same angle, and an infinity times a zero none
    let Arctangent { is_low, is_high, t, low } = arctangent(R::constant(1e300).minimum(magnitude), R::constant(1.0));
    let mut base = [R::zero(); 2];
    for k in 0..2 {
        base[k] = R::select(is_high, R::constant(0.5 * PI[k]), R::constant(0.25 * PI[k]));
        base[k] = R::select(is_low, R::zero(), base[k]);
    }
    let value = total(base, t, low);
    R::select(magnitude.less(R::constant(SMALL)), x, R::select(x.less(R::zero()), -value, value))
}

/// Angle \[rad\] of the point (x, y) from the x axis, from −π to π. Zeros have no sign: the angle is zero for y = ±0 with x >= 0, x = −0 among
/// them, and π for y = ±0 with x < 0. Infinities are points as far away as each other.
#[inline(always)]
pub fn atan2<R: Real>(y: R, x: R) -> R {
    let (a, b) = (y.abs(), x.abs());
    // so scaled that sums do not overflow: the larger one is below two or infinite, and beside an infinity others are zero
    let (_, exponent) = a.maximum(b).parted();
    let two = R::constant(2.0);
    let a = two.minimum(a.times_power_of_two(-exponent));
    let b = two.minimum(b.times_power_of_two(-exponent));
    let Arctangent { is_low, is_high, t, low } = arctangent(a, b);
    let is_behind = x.less(R::zero());
    let mut base = [R::zero(); 2];
    for k in 0..2 {
        let between = R::select(is_behind, R::constant(THREE_QUARTERS[k]), R::constant(0.25 * PI[k]));
        let along = R::select(is_behind, R::constant(PI[k]), R::zero());
        base[k] = R::select(is_low, along, R::select(is_high, R::constant(0.5 * PI[k]), between));
    }
    let value = total(base, R::select(is_behind, -t, t), R::select(is_behind, -low, low));
    R::select(y.less(R::zero()), -value, value)
}

/// `base + angle + low` where the base is a pair of numbers, zero or larger than the angle.
#[inline(always)]
fn total<R: Real>([base, base_rest]: [R; 2], angle: R, low: R) -> R {
    let (high, rest) = ordered_sum(base, angle);
    high + (rest + (base_rest + low))
}

/// `arcsin s = s + low`, where s is a number below ½, or the root of half of what it lacks of one.
struct Arcsine<R: Real> {
    is_small: R::Mask,
    s: R,
    low: R,
}

#[inline(always)]
fn arcsine<R: Real>(magnitude: R) -> Arcsine<R> {
    let half = R::constant(0.5);
    let is_small = magnitude.less(half);
    let lack = half.minus_product(half, magnitude);
    let z = R::select(is_small, magnitude * magnitude, lack);
    let root = lack.sqrt();
    // one over zero times zero would be NaN
    let root_rest = half * lack.minus_product(root, root) / R::constant(f64::MIN_POSITIVE).maximum(root);
    let s = R::select(is_small, magnitude, root);
    let rest = R::select(is_small, R::zero(), root_rest);
    Arcsine { is_small, s, low: rest.plus_product(s * z, polynomial(z, &ARCSINE)) }
}

/// `arctan(a/b) = t + low` and zero in the low range, π/2 in the high one, π/4 between.
struct Arctangent<R: Real> {
    is_low: R::Mask,
    is_high: R::Mask,
    t: R,
    low: R,
}

/// Of numbers that are not negative, whose sum is finite.
#[inline(always)]
fn arctangent<R: Real>(a: R, b: R) -> Arctangent<R> {
    let (is_low, is_high) = (a.at_most(R::constant(TANGENTS[0]) * b), a.greater(R::constant(TANGENTS[1]) * b));
    let is_outer = is_low | is_high;
    let ((difference, difference_rest), (whole, whole_rest)) = (sum(a, -b), sum(a, b));
    let above = R::select(is_low, a, R::select(is_high, -b, difference));
    let below = R::select(is_low, b, R::select(is_high, a, whole));
    let above_rest = R::select(is_outer, R::zero(), difference_rest);
    let below_rest = R::select(is_outer, R::zero(), whole_rest);
    // zero over zero is zero
    let below = R::constant(f64::MIN_POSITIVE).maximum(below);
    let inverse = R::constant(1.0) / below;
    let t = above * inverse;
    let t_rest = (above.minus_product(t, below) + above_rest.minus_product(t, below_rest)) * inverse;
    let z = t * t;
    // of the derivative 1 / (1 + z) three terms suffice
    let of_rest = t_rest.minus_product(t_rest, z.minus_product(z, z));
    Arctangent { is_low, is_high, t, low: of_rest.plus_product(t * z, polynomial(z, &ARCTANGENT)) }
}
