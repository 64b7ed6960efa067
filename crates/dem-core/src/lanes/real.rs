//! A real number, or several in lanes.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, BitAnd, BitOr, Div, Mul, Neg, Not, Sub, SubAssign};

/// What comparisons of [`Real`] numbers answer.
pub trait Mask: Copy + Debug + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> {
    /// Whether it is true of any of the numbers: for work that may be left out, never for what comes out.
    fn any(self) -> bool;
    /// Whether it is true of all of them; likewise.
    fn all(self) -> bool;
}

/// One or several `f64` that go through the same operations: arithmetic, comparison, selection.
///
/// A formula that asks for nothing else can be evaluated for one contact, for as many as a processor has [lanes](super::Lanes) for, or be
/// written down instead of being evaluated.
pub trait Real:
    Copy
    + Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
{
    /// Result of comparisons.
    type Mask: Mask;

    /// A number of the formula.
    fn constant(value: f64) -> Self;

    /// A number that the formula is given, such as a stiffness: who writes formulas down makes it an input.
    #[inline(always)]
    fn parameter(value: f64) -> Self {
        Self::constant(value)
    }

    /// `self + a b`, rounded once.
    fn plus_product(self, a: Self, b: Self) -> Self;
    /// `self − a b`, rounded once.
    fn minus_product(self, a: Self, b: Self) -> Self;
    /// Square root.
    fn sqrt(self) -> Self;
    /// Mantissa m and exponent e of `m 2ᵉ`, exactly, for subnormal numbers too: the mantissa has the sign of the number and a magnitude from one
    /// to less than two, the exponent is whole. Of a zero they are ±1 and −∞, of an infinity ±1 and ∞, of NaN both NaN; [`times_power_of_two`]
    /// makes any number of its parts again.
    ///
    /// [`times_power_of_two`]: Self::times_power_of_two
    fn parted(self) -> (Self, Self);
    /// `self 2ⁿ` for a whole n, rounded once: too small a product is subnormal or a zero, too large a one infinite. An infinite n counts as one
    /// that takes any number but zeros, infinities and NaN, which remain what they are, to zero or infinity. With an n that is NaN so is the
    /// product. For an n that is not whole widths may differ.
    fn times_power_of_two(self, n: Self) -> Self;
    /// Magnitude.
    fn abs(self) -> Self;
    /// `self > other ? self : other`
    fn maximum(self, other: Self) -> Self;
    /// `self < other ? self : other`
    fn minimum(self, other: Self) -> Self;
    /// `self < other`
    fn less(self, other: Self) -> Self::Mask;
    /// `self <= other`
    fn at_most(self, other: Self) -> Self::Mask;
    /// `mask ? yes : no`
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;

    /// `self > other`
    #[inline(always)]
    fn greater(self, other: Self) -> Self::Mask {
        other.less(self)
    }

    /// Zero.
    #[inline(always)]
    fn zero() -> Self {
        Self::constant(0.0)
    }
}
