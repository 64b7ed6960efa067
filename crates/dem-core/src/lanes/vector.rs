//! A vector in space, or several in lanes.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use glam::DVec3;

use super::Real;

/// Three components.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vector<R = f64> {
    /// Along x.
    pub x: R,
    /// Along y.
    pub y: R,
    /// Along z.
    pub z: R,
}

impl<R: Real> Vector<R> {
    /// From components.
    #[inline(always)]
    pub fn new(x: R, y: R, z: R) -> Self {
        Self { x, y, z }
    }

    /// Zero.
    #[inline(always)]
    pub fn zero() -> Self {
        Self::new(R::zero(), R::zero(), R::zero())
    }

    /// A vector that a formula is given; see [`Real::parameter`].
    #[inline(always)]
    pub fn parameter(v: DVec3) -> Self {
        Self::new(R::parameter(v.x), R::parameter(v.y), R::parameter(v.z))
    }

    /// From three columns of a table.
    #[inline(always)]
    pub fn from_slice(columns: &[R]) -> Self {
        Self::new(columns[0], columns[1], columns[2])
    }

    /// Scalar product.
    #[inline(always)]
    pub fn dot(self, other: Self) -> R {
        (self.x * other.x).plus_product(self.y, other.y).plus_product(self.z, other.z)
    }

    /// Vector product.
    #[inline(always)]
    pub fn cross(self, other: Self) -> Self {
        Self::new(
            (self.y * other.z).minus_product(other.y, self.z),
            (self.z * other.x).minus_product(other.z, self.x),
            (self.x * other.y).minus_product(other.x, self.y),
        )
    }

    /// `self + v a`, every component rounded once.
    #[inline(always)]
    pub fn plus_scaled(self, v: Self, a: R) -> Self {
        Self::new(self.x.plus_product(v.x, a), self.y.plus_product(v.y, a), self.z.plus_product(v.z, a))
    }

    /// `self − v a`, every component rounded once.
    #[inline(always)]
    pub fn minus_scaled(self, v: Self, a: R) -> Self {
        Self::new(self.x.minus_product(v.x, a), self.y.minus_product(v.y, a), self.z.minus_product(v.z, a))
    }

    /// `self + a × b`, with two fewer roundings.
    #[inline(always)]
    pub fn plus_cross(self, a: Self, b: Self) -> Self {
        Self::new(
            self.x.plus_product(a.y, b.z).minus_product(b.y, a.z),
            self.y.plus_product(a.z, b.x).minus_product(b.z, a.x),
            self.z.plus_product(a.x, b.y).minus_product(b.x, a.y),
        )
    }

    /// Squared length.
    #[inline(always)]
    pub fn length_squared(self) -> R {
        self.dot(self)
    }

    /// Length.
    #[inline(always)]
    pub fn length(self) -> R {
        self.length_squared().sqrt()
    }

    /// Part perpendicular to a unit vector.
    #[inline(always)]
    pub fn reject(self, unit: Self) -> Self {
        self.minus_scaled(unit, self.dot(unit))
    }

    /// `mask ? yes : no`
    #[inline(always)]
    pub fn select(mask: R::Mask, yes: Self, no: Self) -> Self {
        Self::new(R::select(mask, yes.x, no.x), R::select(mask, yes.y, no.y), R::select(mask, yes.z, no.z))
    }
}

impl From<DVec3> for Vector<f64> {
    #[inline(always)]
    fn from(v: DVec3) -> Self {
        Self { x: v.x, y: v.y, z: v.z }
    }
}

impl From<Vector<f64>> for DVec3 {
    #[inline(always)]
    fn from(v: Vector<f64>) -> Self {
        Self::new(v.x, v.y, v.z)
    }
}

impl<R: Real> Add for Vector<R> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y, self.z + other.z)
    }
}

impl<R: Real> Sub for Vector<R> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y, self.z - other.z)
    }
}

impl<R: Real> Mul<R> for Vector<R> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: R) -> Self {
        Self::new(self.x * factor, self.y * factor, self.z * factor)
    }
}

impl<R: Real> Neg for Vector<R> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y, -self.z)
    }
}

impl<R: Real> AddAssign for Vector<R> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<R: Real> SubAssign for Vector<R> {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}
