//! Translation and rotation together.

use std::ops::{Add, Mul, Sub};

use bytemuck::{Pod, Zeroable};
use glam::DVec3;

/// Linear and angular part of a displacement, a velocity, or a derivative of it. Spheres obey the same equations in both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Twist {
    /// Of the translation \[m\], \[m/s\] and so on.
    pub linear: DVec3,
    /// Of the rotation, in the space frame \[rad\], \[rad/s\] and so on.
    pub angular: DVec3,
}

impl Twist {
    /// No motion.
    pub const ZERO: Self = Self { linear: DVec3::ZERO, angular: DVec3::ZERO };

    /// From its parts.
    #[inline(always)]
    pub fn new(linear: DVec3, angular: DVec3) -> Self {
        Self { linear, angular }
    }

    /// Whether all components are finite.
    #[inline(always)]
    pub fn is_finite(self) -> bool {
        self.linear.is_finite() && self.angular.is_finite()
    }
}

impl Add for Twist {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { linear: self.linear + other.linear, angular: self.angular + other.angular }
    }
}

impl Sub for Twist {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { linear: self.linear - other.linear, angular: self.angular - other.angular }
    }
}

impl Mul<f64> for Twist {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: f64) -> Self {
        Self { linear: self.linear * factor, angular: self.angular * factor }
    }
}
