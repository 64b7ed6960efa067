//! Regions of space to be filled with spheres.

use std::f64::consts::PI;

use glam::DVec3;
use rand_pcg::Pcg64Mcg;

use super::error::{InsertionError, check};
use super::frustum::Frustum;
use super::interval::{NOWHERE, between, intersection, negative_part};
use super::periodic_lengths::PeriodicLengths;
use super::uniform;

/// A convex region of space.
///
/// A sphere is inside when all of it is. The exception are the ends of a region that
/// spans a whole period: there, a sphere continues at the other end.
#[derive(Debug, Clone, PartialEq)]
pub enum Region {
    /// A box along the coordinate axes.
    Box {
        /// Lower corner `[m]`.
        min: DVec3,
        /// Upper corner `[m]`.
        max: DVec3,
    },
    /// A right circular cylinder.
    Cylinder {
        /// Centre of the base `[m]`.
        base: DVec3,
        /// Direction from the base to the top, of any length.
        axis: DVec3,
        /// Radius `[m]`.
        radius: f64,
        /// Height `[m]`.
        height: f64,
    },
    /// A ball.
    Sphere {
        /// Centre `[m]`.
        centre: DVec3,
        /// Radius `[m]`.
        radius: f64,
    },
    /// A right circular cone cut off parallel to its base, or a whole cone.
    Frustum {
        /// Centre of the base `[m]`.
        base: DVec3,
        /// Direction from the base to the top, of any length.
        axis: DVec3,
        /// Radius of the base `[m]`, 0 for a cone standing on its apex.
        base_radius: f64,
        /// Radius of the top `[m]`, 0 for a cone.
        top_radius: f64,
        /// Height `[m]`.
        height: f64,
    },
}

impl Region {
    /// Checks sizes and directions, and that no side is longer than its period.
    ///
    /// # Errors
    /// [`InsertionError::Value`] naming the field, [`InsertionError::LongerThanPeriod`].
    pub fn validate(&self, periodic: &PeriodicLengths) -> Result<(), InsertionError> {
        let positive = |name, value: f64| check(name, value, value > 0.0, "above 0");
        let point = |name, value: DVec3| (0..3).try_for_each(|axis| check(name, value[axis], true, "finite"));
        match *self {
            Self::Box { min, max } => {
                point("lower corner of the box", min)?;
                point("upper corner of the box", max)?;
                for axis in 0..3 {
                    positive("length of the box", max[axis] - min[axis])?;
                }
            }
            Self::Cylinder { base, axis, radius, height } => {
                point("base of the cylinder", base)?;
                check_direction("length of the cylinder's axis", axis)?;
                positive("radius of the cylinder", radius)?;
                positive("height of the cylinder", height)?;
            }
            Self::Sphere { centre, radius } => {
                point("centre of the sphere", centre)?;
                positive("radius of the sphere", radius)?;
            }
            Self::Frustum { base, axis, base_radius, top_radius, height } => {
                point("base of the frustum", base)?;
                check_direction("length of the frustum's axis", axis)?;
                for radius in [base_radius, top_radius] {
                    check("radius of the frustum", radius, radius >= 0.0, "at least 0")?;
                }
                let largest = base_radius.max(top_radius);
                positive("larger radius of the frustum", largest)?;
                positive("height of the frustum", height)?;
            }
        }
        let volume = self.volume();
        positive("volume of the region", volume)?;
        let (lower, upper) = self.bounds();
        for axis in 0..3 {
            let length = upper[axis] - lower[axis];
            if let Some(period) = periodic.lengths[axis]
                && length > period * (1.0 + crate::insertion::sphere::ROUNDING)
            {
                return Err(InsertionError::LongerThanPeriod { axis, length, period });
            }
        }
        Ok(())
    }

    /// Volume `[m³]`.
    pub fn volume(&self) -> f64 {
        match (self, self.frustum()) {
            (_, Some(frustum)) => frustum.volume(),
            (Self::Box { min, max }, _) => (max - min).element_product(),
            (Self::Sphere { radius, .. }, _) => 4.0 / 3.0 * PI * radius * radius * radius,
            _ => 0.0,
        }
    }

    /// Lower and upper corner of the smallest box around the region `[m]`.
    pub fn bounds(&self) -> (DVec3, DVec3) {
        match (self, self.frustum()) {
            (_, Some(frustum)) => frustum.bounds(),
            (Self::Box { min, max }, _) => (*min, *max),
            (Self::Sphere { centre, radius }, _) => (centre - *radius, centre + *radius),
            _ => (DVec3::ZERO, DVec3::ZERO),
        }
    }

    /// Area of the section at `coordinate` of the coordinate axis `axis` `[m²]`; `None`
    /// where it has no simple form (a cylinder or frustum oblique to the axis).
    pub fn section_area(&self, axis: usize, coordinate: f64) -> Option<f64> {
        let (lower, upper) = self.bounds();
        if !(lower[axis]..=upper[axis]).contains(&coordinate) {
            return Some(0.0);
        }
        match self {
            Self::Box { min, max } => {
                let mut sides = max - min;
                sides[axis] = 1.0;
                Some(sides.element_product())
            }
            Self::Sphere { centre, radius } => {
                let off = coordinate - centre[axis];
                Some(PI * (radius * radius - off * off).max(0.0))
            }
            _ => self.frustum().and_then(|frustum| {
                let cosine = frustum.direction[axis];
                if cosine.abs() != 1.0 {
                    return None;
                }
                let share = (coordinate - frustum.base[axis]) * cosine / frustum.height;
                let radius = frustum.base_radius + (frustum.top_radius - frustum.base_radius) * share;
                Some(PI * radius * radius)
            }),
        }
    }

    /// The region of the centres of all spheres of this radius that lie inside; `None`
    /// where no such sphere fits. Its volume is the volume free to the centres. A
    /// negative radius grows the region.
    pub fn centres(&self, radius: f64, periodic: &PeriodicLengths) -> Option<Self> {
        let slack = self.slack();
        match (self, self.frustum()) {
            (_, Some(frustum)) => {
                let open =
                    (0..3).any(|axis| frustum.direction[axis].abs() == 1.0 && periodic.spans(axis, frustum.height));
                let inset = frustum.inset(radius, !open, slack)?;
                Some(Self::Frustum {
                    base: inset.base,
                    axis: inset.direction,
                    base_radius: inset.base_radius,
                    top_radius: inset.top_radius,
                    height: inset.height,
                })
            }
            (Self::Box { min, max }, _) => {
                let (mut lower, mut upper) = (*min, *max);
                for axis in 0..3 {
                    if periodic.spans(axis, max[axis] - min[axis]) {
                        continue;
                    }
                    lower[axis] += radius;
                    upper[axis] -= radius;
                    if upper[axis] < lower[axis] {
                        if upper[axis] < lower[axis] - slack {
                            return None;
                        }
                        lower[axis] = 0.5 * (lower[axis] + upper[axis]);
                        upper[axis] = lower[axis];
                    }
                }
                Some(Self::Box { min: lower, max: upper })
            }
            (Self::Sphere { centre, radius: all }, _) if *all - radius >= -slack => {
                Some(Self::Sphere { centre: *centre, radius: (all - radius).max(0.0) })
            }
            _ => None,
        }
    }

    /// Whether the whole sphere lies inside, to rounding.
    pub fn contains_sphere(&self, centre: DVec3, radius: f64, periodic: &PeriodicLengths) -> bool {
        self.centres(radius, periodic).is_some_and(|centres| centres.contains(centre))
    }

    /// Whether the point lies inside, to rounding.
    pub fn contains(&self, point: DVec3) -> bool {
        self.distance_outside(point) <= self.slack()
    }

    /// A centre uniform over all centres whose sphere lies inside; `None` where no such
    /// sphere fits. Draws three random numbers, without rejection.
    pub fn sample_centre(&self, rng: &mut Pcg64Mcg, radius: f64, periodic: &PeriodicLengths) -> Option<DVec3> {
        Some(self.centres(radius, periodic)?.sample(rng))
    }

    /// A point uniform over the region. Draws three random numbers, without rejection.
    pub fn sample(&self, rng: &mut Pcg64Mcg) -> DVec3 {
        match (self, self.frustum()) {
            (_, Some(frustum)) => frustum.sample(rng),
            (Self::Box { min, max }, _) => uniform::in_box(rng, *min, *max),
            (Self::Sphere { centre, radius }, _) => *centre + uniform::in_ball(rng, *radius),
            _ => DVec3::ZERO,
        }
    }

    /// A lower bound of the distance from an outside point to the region; minus the
    /// distance to the surface for an inside point `[m]`.
    pub fn distance_outside(&self, point: DVec3) -> f64 {
        match (self, self.frustum()) {
            (_, Some(frustum)) => frustum.distance_outside(point),
            (Self::Box { min, max }, _) => (min - point).max(point - max).max_element(),
            (Self::Sphere { centre, radius }, _) => point.distance(*centre) - radius,
            _ => f64::INFINITY,
        }
    }

    /// The fraction of the straight line from `from` to `from + along` that lies inside `[-]`.
    pub fn share_of_line(&self, from: DVec3, along: DVec3) -> f64 {
        let part = match (self, self.frustum()) {
            (_, Some(frustum)) => frustum.part_of_line(from, along),
            (Self::Box { min, max }, _) => {
                let axes = (0..3).map(|k| between(from[k] - min[k], along[k], max[k] - min[k]));
                axes.fold((0.0, 1.0), intersection)
            }
            (Self::Sphere { centre, radius }, _) => {
                let offset = from - centre;
                let value = offset.length_squared() - radius * radius;
                negative_part(along.length_squared(), offset.dot(along), value, (0.0, 1.0))
            }
            _ => NOWHERE,
        };
        (part.1 - part.0).max(0.0)
    }

    /// Rounding error of a coordinate in this region `[m]`.
    fn slack(&self) -> f64 {
        let (lower, upper) = self.bounds();
        1e-13 * lower.abs().max(upper.abs()).max_element()
    }

    fn frustum(&self) -> Option<Frustum> {
        match *self {
            Self::Cylinder { base, axis, radius, height } => Some(Frustum {
                base,
                direction: axis.normalize_or_zero(),
                height,
                base_radius: radius,
                top_radius: radius,
            }),
            Self::Frustum { base, axis, base_radius, top_radius, height } => {
                Some(Frustum { base, direction: axis.normalize_or_zero(), height, base_radius, top_radius })
            }
            Self::Box { .. } | Self::Sphere { .. } => None,
        }
    }
}

fn check_direction(name: &'static str, axis: DVec3) -> Result<(), InsertionError> {
    let length = axis.length();
    check(name, length, (1e-100..=1e100).contains(&length), "1e-100 to 1e100")
}
