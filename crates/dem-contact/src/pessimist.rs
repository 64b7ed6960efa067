//! A number of which nothing is known until all is computed, as where formulae are written down instead of being evaluated.

use std::ops::{Add, AddAssign, BitAnd, BitOr, Div, Mul, Neg, Not, Sub, SubAssign};

use dem_core::lanes::{Mask, Real, Vector};

use crate::law::Kinematics;

/// An `f64` that computes as any, but whose comparisons give no definite result.
#[derive(Clone, Copy, Debug)]
pub struct Pessimist(pub f64);

/// The result of a comparison: "may be true somewhere" and "not known to be true everywhere", whatever it is.
#[derive(Clone, Copy, Debug)]
pub struct Doubt(pub bool);

impl BitAnd for Doubt {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Doubt {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Not for Doubt {
    type Output = Self;
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl Mask for Doubt {
    fn any(self) -> bool {
        true
    }
    fn all(self) -> bool {
        false
    }
}

macro_rules! operator {
    ($trait:ident, $name:ident) => {
        impl $trait for Pessimist {
            type Output = Self;
            fn $name(self, other: Self) -> Self {
                Self(self.0.$name(other.0))
            }
        }
    };
}

operator!(Add, add);
operator!(Sub, sub);
operator!(Mul, mul);
operator!(Div, div);

impl Neg for Pessimist {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl AddAssign for Pessimist {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Pessimist {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Real for Pessimist {
    type Mask = Doubt;

    fn constant(value: f64) -> Self {
        Self(value)
    }
    fn plus_product(self, a: Self, b: Self) -> Self {
        Self(self.0.plus_product(a.0, b.0))
    }
    fn minus_product(self, a: Self, b: Self) -> Self {
        Self(self.0.minus_product(a.0, b.0))
    }
    fn sqrt(self) -> Self {
        Self(self.0.sqrt())
    }
    fn parted(self) -> (Self, Self) {
        let (mantissa, exponent) = self.0.parted();
        (Self(mantissa), Self(exponent))
    }
    fn times_power_of_two(self, n: Self) -> Self {
        Self(self.0.times_power_of_two(n.0))
    }
    fn abs(self) -> Self {
        Self(self.0.abs())
    }
    fn maximum(self, other: Self) -> Self {
        Self(Real::maximum(self.0, other.0))
    }
    fn minimum(self, other: Self) -> Self {
        Self(Real::minimum(self.0, other.0))
    }
    fn less(self, other: Self) -> Doubt {
        Doubt(self.0.less(other.0))
    }
    fn at_most(self, other: Self) -> Doubt {
        Doubt(self.0.at_most(other.0))
    }
    fn select(mask: Doubt, yes: Self, no: Self) -> Self {
        if mask.0 { yes } else { no }
    }
}

impl Kinematics {
    /// The contact in such numbers.
    pub fn with_pessimism(&self) -> Kinematics<Pessimist> {
        let vector = |v: Vector| Vector::new(Pessimist(v.x), Pessimist(v.y), Pessimist(v.z));
        Kinematics {
            normal0: vector(self.normal0),
            normal1: vector(self.normal1),
            overlap0: Pessimist(self.overlap0),
            overlap1: Pessimist(self.overlap1),
            overlap_rate: Pessimist(self.overlap_rate),
            slip: vector(self.slip),
            tangential_velocity: vector(self.tangential_velocity),
            relative_spin: vector(self.relative_spin),
            relative_rotation: vector(self.relative_rotation),
            transport: self.transport.with_pessimism(),
            effective_radius: Pessimist(self.effective_radius),
            effective_mass: Pessimist(self.effective_mass),
            smaller_radius: Pessimist(self.smaller_radius),
            centre_distance: Pessimist(self.centre_distance),
            near_field_distance: Pessimist(self.near_field_distance),
            time_step: Pessimist(self.time_step),
            time: Pessimist(self.time),
        }
    }
}
