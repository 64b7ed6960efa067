//! Powers of two taken off numbers and put on.
//!
//! In the format of the numbers the exponent stands beside the mantissa, so that for most numbers a few operations on bits are enough. Here
//! is what the others need, out of arithmetic.

use super::Real;

/// What is done with bits.
pub(super) trait PowersOfTwo: Real {
    /// [`Real::parted`] of a number that is neither subnormal nor infinite nor NaN; of zero the mantissa only.
    fn parted_normal(self) -> (Self, Self);
    /// `2ⁿ` for a whole n from −1022 to 1023.
    fn power_of_two(self) -> Self;
}

/// [`Real::parted`] of any number.
#[inline(always)]
pub(super) fn parted<R: PowersOfTwo>(number: R) -> (R, R) {
    let magnitude = number.abs();
    let is_small = magnitude.less(R::constant(f64::MIN_POSITIVE));
    let (mantissa, exponent) = R::select(is_small, number * R::constant(TO_NORMAL), number).parted_normal();
    let exponent = R::select(is_small, exponent - R::constant(TO_NORMAL_EXPONENT), exponent);
    let exponent = R::select(R::zero().less(magnitude), exponent, R::constant(f64::NEG_INFINITY));
    let exponent = R::select(magnitude.less(R::constant(f64::INFINITY)), exponent, magnitude);
    (R::select(magnitude.at_most(R::constant(f64::INFINITY)), mantissa, number), exponent)
}

/// Makes subnormal numbers normal.
const TO_NORMAL: f64 = (1u64 << 54) as f64;
const TO_NORMAL_EXPONENT: f64 = 54.0;

/// [`Real::times_power_of_two`] for any exponent.
///
/// Whatever the factors on the way down lose, they lose from numbers whose product is less than half the smallest number: those of 2⁻⁹⁶⁹ stand
/// before one of 2⁻⁵⁴ or less. So the product is rounded once.
#[inline(always)]
pub(super) fn times_power_of_two<R: PowersOfTwo>(number: R, exponent: R) -> R {
    let bounded = R::constant(-BEYOND).maximum(R::constant(BEYOND).minimum(exponent));
    let (first, rest) = step(bounded);
    let (second, rest) = step(rest);
    let product = number * first.power_of_two() * second.power_of_two() * rest.power_of_two();
    R::select(exponent.at_most(exponent), product, exponent)
}

/// An exponent that takes any number to zero or infinity, and three steps to one that a factor can have.
pub(super) const BEYOND: f64 = 2900.0;
/// Largest exponent of a factor.
const UP: f64 = 1023.0;
/// Exponent of factors that stand before others.
const DOWN: f64 = -969.0;

/// The exponent of a factor, and those that are left.
#[inline(always)]
fn step<R: Real>(exponent: R) -> (R, R) {
    let up = R::select(exponent.greater(R::constant(UP)), R::constant(UP), R::zero());
    let step = R::select(exponent.less(R::constant(1.0 - UP)), R::constant(DOWN), up);
    (step, exponent - step)
}

/// Bits of the mantissa.
pub(super) const MANTISSA: u64 = (1 << MANTISSA_BITS) - 1;
/// How many they are.
pub(super) const MANTISSA_BITS: u32 = 52;
/// Bits of one.
pub(super) const ONE: u64 = 1.0f64.to_bits();
/// Bits of the sign.
pub(super) const SIGN: u64 = 1 << 63;
/// Bits of 2⁵²: those of a smaller whole number, put into its mantissa, add this number.
pub(super) const WHOLE: u64 = ((1u64 << MANTISSA_BITS) as f64).to_bits();
/// 2⁵² and what exponents stand above themselves in the format.
pub(super) const WHOLE_AND_BIAS: f64 = (1u64 << MANTISSA_BITS) as f64 + 1023.0;

impl PowersOfTwo for f64 {
    #[inline(always)]
    fn parted_normal(self) -> (Self, Self) {
        let bits = self.to_bits();
        let exponent = f64::from_bits((bits & !SIGN) >> MANTISSA_BITS | WHOLE) - WHOLE_AND_BIAS;
        (f64::from_bits(bits & (SIGN | MANTISSA) | ONE), exponent)
    }
    #[inline(always)]
    fn power_of_two(self) -> Self {
        // the sum has its unit in the lowest bit
        f64::from_bits((self + WHOLE_AND_BIAS).to_bits() << MANTISSA_BITS)
    }
}

#[cfg(test)]
mod tests {
    use crate::lanes::{LaneTask, Lanes, Width};

    /// Numbers of all kinds and sizes.
    fn numbers() -> Vec<f64> {
        let sizes =
            (-1074..1024).map(|exponent: i32| libm::ldexp(1.0 + f64::from(exponent.rem_euclid(64)) / 64.1, exponent));
        let all = sizes.flat_map(|x| [x, -x, 0.999_999 * x]);
        let special = [f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 0.0, -0.0, f64::MAX, f64::MIN_POSITIVE, 5e-324];
        let edge = f64::MIN_POSITIVE.to_bits();
        let subnormal = (0..99u64).map(|k| f64::from_bits(edge - 1 - k * (edge / 100)));
        all.chain(special).chain(subnormal).collect()
    }

    fn same(a: f64, b: f64) -> bool {
        a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
    }

    struct Parted;

    impl LaneTask for Parted {
        type Output = ();

        #[inline(always)]
        fn run<R: Lanes>(self) {
            let numbers = numbers();
            for at in 0..numbers.len() {
                let of = |lane: usize| numbers[(at + 1001 * lane) % numbers.len()];
                let x = R::from_lanes(of);
                let (mantissa, exponent) = x.parted();
                let whole = mantissa.times_power_of_two(exponent);
                for lane in 0..R::LANES {
                    let (x, mantissa, exponent) = (of(lane), mantissa.lane(lane), exponent.lane(lane));
                    assert!(same(whole.lane(lane), x), "{x}: {mantissa} times two to the power of {exponent}");
                    let expected = if x == 0.0 {
                        (1f64.copysign(x), f64::NEG_INFINITY)
                    } else if x.is_infinite() {
                        (1f64.copysign(x), f64::INFINITY)
                    } else {
                        let (half, above) = libm::frexp(x);
                        (2.0 * half, if x.is_nan() { x } else { f64::from(above - 1) })
                    };
                    assert!(same(mantissa, expected.0) && same(exponent, expected.1), "{x}: {mantissa}, {exponent}");
                }
            }
        }
    }

    #[test]
    fn every_width_takes_powers_of_two_off_all_numbers() {
        for width in Width::available() {
            width.run(Parted);
            width.run_alone(Parted);
        }
    }

    struct Times;

    impl LaneTask for Times {
        type Output = ();

        #[inline(always)]
        fn run<R: Lanes>(self) {
            let numbers = numbers();
            let exponents: Vec<f64> = (-2200..=2200)
                .step_by(7)
                .flat_map(|n| [n, n / 40])
                .chain([-1074, -1075, -1023, -1022, -1021, 1022, 1023, 1024, 2097, -2098, 100_000, -100_000])
                .map(f64::from)
                .collect();
            for at in (0..numbers.len()).step_by(13) {
                for k in 0..exponents.len() {
                    // all within the range of a factor, or one lane that is not
                    let number = |lane: usize| numbers[(at + 1001 * lane) % numbers.len()];
                    let exponent = |lane: usize| exponents[(k + lane * (k % 3) * 41) % exponents.len()];
                    let product = R::from_lanes(number).times_power_of_two(R::from_lanes(exponent));
                    for lane in 0..R::LANES {
                        let expected = libm::ldexp(number(lane), exponent(lane) as i32);
                        let found = product.lane(lane);
                        assert!(same(found, expected), "{:e}, {}: {found:e}", number(lane), exponent(lane));
                    }
                }
            }
            for (x, exponent, expected) in [
                (3.0, f64::INFINITY, f64::INFINITY),
                (-3.0, f64::INFINITY, f64::NEG_INFINITY),
                (-3.0, f64::NEG_INFINITY, -0.0),
                (0.0, f64::INFINITY, 0.0),
                (f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY),
                (f64::NAN, f64::INFINITY, f64::NAN),
                (f64::NAN, f64::NEG_INFINITY, f64::NAN),
                (1.0, f64::NAN, f64::NAN),
                (f64::INFINITY, f64::NAN, f64::NAN),
                (f64::NAN, 1.0, f64::NAN),
            ] {
                let found = R::constant(x).times_power_of_two(R::constant(exponent)).lane(0);
                assert!(same(found, expected), "{x}, {exponent}: {found}");
            }
        }
    }

    #[test]
    fn every_width_puts_powers_of_two_on_and_rounds_once() {
        for width in Width::available() {
            width.run(Times);
            width.run_alone(Times);
        }
    }
}
