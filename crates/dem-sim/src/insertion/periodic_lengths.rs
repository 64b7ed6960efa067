//! Periodic axes of the domain.

use dem_core::cell::Cell;
use glam::DVec3;

use super::error::{InsertionError, check};

/// The periods of the domain along its axes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PeriodicLengths {
    /// Period along each axis `[m]`; `None` where the axis is not periodic.
    pub lengths: [Option<f64>; 3],
    /// Lower corner of the periodic cell `[m]`; read along periodic axes only.
    pub origin: DVec3,
}

impl PeriodicLengths {
    /// A domain without periodic axes.
    pub fn none() -> Self {
        Self::default()
    }

    /// The periods of a cell.
    pub fn of(cell: &Cell) -> Self {
        let lengths = std::array::from_fn(|k| cell.periodic[k].then(|| cell.width(k)));
        Self { lengths, origin: cell.origin }
    }

    /// Checks that the periods are positive and finite.
    ///
    /// # Errors
    /// [`InsertionError::Value`] naming the period or the origin.
    pub fn validate(&self) -> Result<(), InsertionError> {
        for (axis, length) in self.lengths.iter().enumerate() {
            if let Some(length) = length {
                check("period", *length, *length > 0.0, "above 0")?;
                check("origin of the period", self.origin[axis], true, "finite")?;
            }
        }
        Ok(())
    }

    /// The image of `point` inside the periodic cell `[m]`.
    pub fn wrap(&self, mut point: DVec3) -> DVec3 {
        for axis in 0..3 {
            if let Some(length) = self.lengths[axis] {
                let offset = (point[axis] - self.origin[axis]).rem_euclid(length);
                // `rem_euclid` of a tiny negative number rounds up to the length itself.
                let offset = if offset < length { offset } else { 0.0 };
                point[axis] = self.origin[axis] + offset;
            }
        }
        point
    }

    /// The shortest vector from any image of `from` to any image of `to` `[m]`.
    pub fn shortest(&self, from: DVec3, to: DVec3) -> DVec3 {
        let mut difference = to - from;
        for axis in 0..3 {
            if let Some(length) = self.lengths[axis] {
                difference[axis] -= length * (difference[axis] / length).round();
            }
        }
        difference
    }

    /// As [`Self::shortest`] for the difference of two points that both lie inside the
    /// periodic cell.
    pub(crate) fn shortest_of_wrapped(&self, mut difference: DVec3) -> DVec3 {
        for axis in 0..3 {
            if let Some(length) = self.lengths[axis] {
                if difference[axis] > 0.5 * length {
                    difference[axis] -= length;
                } else if difference[axis] < -0.5 * length {
                    difference[axis] += length;
                }
            }
        }
        difference
    }

    /// Whether a sphere of this radius keeps `gap` from its own images.
    pub(crate) fn holds(&self, radius: f64, gap: f64) -> bool {
        self.lengths
            .iter()
            .flatten()
            .all(|length| 2.0 * radius + gap <= length * (1.0 + crate::insertion::sphere::ROUNDING))
    }

    /// Whether `length` is the whole period along `axis`.
    pub(crate) fn spans(&self, axis: usize, length: f64) -> bool {
        self.lengths[axis].is_some_and(|period| length >= period * (1.0 - crate::insertion::sphere::ROUNDING))
    }
}
