//! Geometry of a right circular frustum; cylinders and cones are special cases.

use std::f64::consts::{PI, TAU};

use glam::DVec3;
use rand_pcg::Pcg64Mcg;

use super::interval::{between, negative_part};
use super::uniform;

/// A frustum in the form the formulas need: unit axis, height and radii `[m]`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frustum {
    pub base: DVec3,
    pub direction: DVec3,
    pub height: f64,
    pub base_radius: f64,
    pub top_radius: f64,
}

impl Frustum {
    pub fn volume(&self) -> f64 {
        let (a, b) = (self.base_radius, self.top_radius);
        PI / 3.0 * self.height * (a * a + a * b + b * b)
    }

    pub fn bounds(&self) -> (DVec3, DVec3) {
        // Half the extent of a disc along an axis is its radius times the sine of the
        // angle between that axis and the normal of the disc.
        let sine = (DVec3::ONE - self.direction * self.direction).max(DVec3::ZERO).map(f64::sqrt);
        let top = self.base + self.direction * self.height;
        let (at_base, at_top) = (sine * self.base_radius, sine * self.top_radius);
        ((self.base - at_base).min(top - at_top), (self.base + at_base).max(top + at_top))
    }

    fn radius_at(&self, height: f64) -> f64 {
        if self.height > 0.0 {
            let share = height / self.height;
            self.base_radius + (self.top_radius - self.base_radius) * share
        } else {
            self.base_radius.max(self.top_radius)
        }
    }

    /// Cosine of the angle between the side and the axis.
    fn side_cosine(&self) -> f64 {
        let difference = self.top_radius - self.base_radius;
        if self.height > 0.0 { self.height / (self.height * self.height + difference * difference).sqrt() } else { 1.0 }
    }

    /// Largest violation of a supporting half-space at `point`, negative inside: a lower
    /// bound of the distance outside, the exact distance to the surface inside.
    pub fn distance_outside(&self, point: DVec3) -> f64 {
        let offset = point - self.base;
        let along = offset.dot(self.direction);
        let across = (offset - along * self.direction).length();
        let side = (across - self.radius_at(along)) * self.side_cosine();
        (-along).max(along - self.height).max(side)
    }

    /// The points at least `inset` inside the side, and inside both ends where
    /// `inset_ends`; `slack` is the rounding error up to which an empty length counts as
    /// zero. A negative inset grows the frustum.
    pub fn inset(&self, inset: f64, inset_ends: bool, slack: f64) -> Option<Self> {
        let end = if inset_ends { inset } else { 0.0 };
        let side = inset / self.side_cosine();
        let (mut low, mut high) = (end, self.height - end);
        if high < low {
            if high < low - slack {
                return None;
            }
            low = 0.5 * (low + high);
            high = low;
        }
        // The inset side meets the axis where the radius has become `side`: beyond, nothing is left.
        let (mut at_low, mut at_high) = (self.radius_at(low) - side, self.radius_at(high) - side);
        if at_low < -slack && at_high < -slack {
            return None;
        }
        let apex = low + (high - low) * at_low / (at_low - at_high);
        if at_low < -slack {
            low = apex;
        } else if at_high < -slack {
            high = apex;
        }
        at_low = at_low.max(0.0);
        at_high = at_high.max(0.0);
        Some(Self {
            base: self.base + self.direction * low,
            height: high - low,
            base_radius: at_low,
            top_radius: at_high,
            ..*self
        })
    }

    /// The ends of the part of the line from `from` to `from + along` that lies inside, as shares of the line.
    pub fn part_of_line(&self, from: DVec3, along: DVec3) -> (f64, f64) {
        let offset = from - self.base;
        let (height, rate) = (offset.dot(self.direction), along.dot(self.direction));
        let between_ends = between(height, rate, self.height);
        let (across, across_rate) = (offset - height * self.direction, along - rate * self.direction);
        let slope = (self.top_radius - self.base_radius) / self.height;
        let (radius, radius_rate) = (self.base_radius + slope * height, slope * rate);
        negative_part(
            across_rate.length_squared() - radius_rate * radius_rate,
            across.dot(across_rate) - radius * radius_rate,
            across.length_squared() - radius * radius,
            between_ends,
        )
    }

    /// A point uniform over the volume, over the disc where the height is zero.
    pub fn sample(&self, rng: &mut Pcg64Mcg) -> DVec3 {
        let (a, b) = (self.base_radius, self.top_radius);
        let share = uniform::unit(rng);
        // The volume below a section grows with the cube of its radius. The height follows
        // from a³ + u (b³ − a³) = r³ divided by (b − a), so that nothing cancels for a ≈ b.
        let r = libm::cbrt(a * a * a + share * (b * b * b - a * a * a));
        let below = r * r + r * a + a * a;
        let along = if below > 0.0 { (share * (a * a + a * b + b * b) / below).min(1.0) } else { share };
        let across = self.radius_at(along * self.height) * uniform::unit(rng).sqrt();
        let angle = TAU * uniform::unit(rng);
        let (u, v) = self.direction.any_orthonormal_pair();
        self.base + self.direction * (along * self.height) + across * (libm::cos(angle) * u + libm::sin(angle) * v)
    }
}
