//! One number alone.

use super::powers_of_two::{self, PowersOfTwo};
use super::real::{Mask, Real};

impl Mask for bool {
    #[inline(always)]
    fn any(self) -> bool {
        self
    }
    #[inline(always)]
    fn all(self) -> bool {
        self
    }
}

impl Real for f64 {
    type Mask = bool;

    #[inline(always)]
    fn constant(value: f64) -> Self {
        value
    }
    #[inline(always)]
    fn plus_product(self, a: Self, b: Self) -> Self {
        a.mul_add(b, self)
    }
    #[inline(always)]
    fn minus_product(self, a: Self, b: Self) -> Self {
        (-a).mul_add(b, self)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
    #[inline(always)]
    fn parted(self) -> (Self, Self) {
        if self.is_normal() { self.parted_normal() } else { powers_of_two::parted(self) }
    }
    #[inline(always)]
    fn times_power_of_two(self, n: Self) -> Self {
        if f64::abs(n) < 1023.0 { self * n.power_of_two() } else { powers_of_two::times_power_of_two(self, n) }
    }
    #[inline(always)]
    fn abs(self) -> Self {
        f64::abs(self)
    }
    #[inline(always)]
    fn maximum(self, other: Self) -> Self {
        if self > other { self } else { other }
    }
    #[inline(always)]
    fn minimum(self, other: Self) -> Self {
        if self < other { self } else { other }
    }
    #[inline(always)]
    fn less(self, other: Self) -> bool {
        self < other
    }
    #[inline(always)]
    fn at_most(self, other: Self) -> bool {
        self <= other
    }
    #[inline(always)]
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }
}
