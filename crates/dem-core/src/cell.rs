//! The cell: where particles may be, which of its directions are periodic, and what happens at the other faces.

use glam::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

use crate::lanes::{Mask, Real, Vector};

/// What happens to a particle whose centre crosses a face of the domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FacePolicy {
    /// The particle is removed and counted.
    Open,
    /// The particle's velocity component is reversed and its centre mirrored.
    Reflect,
    /// The run stops with the particle's id.
    Error,
}

/// A parallelepiped `x = origin + H s`, `0 ≤ s < 1`, periodic along any of its three edges.
///
/// The columns of `H` are the edge vectors \[m\]. The velocity gradient is carried so that a deforming cell is a change
/// of data, not of types; a scene builds orthogonal cells at rest.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Corner of the cell \[m\].
    pub origin: DVec3,
    matrix: DMat3,
    inverse: DMat3,
    /// Components up to which a difference is its own nearest image: half of each periodic edge of an orthogonal cell, no limit
    /// along directions that are not periodic, nothing in a cell that is not orthogonal.
    half_edges: DVec3,
    /// Periodic along edge 0, 1, 2.
    pub periodic: [bool; 3],
    /// Policies at the low and high face of each direction that is not periodic.
    pub faces: [[FacePolicy; 2]; 3],
    /// Velocity gradient L of the cell \[1/s\].
    pub velocity_gradient: DMat3,
}

/// Adding and subtracting it leaves the nearest integer of numbers below 2^51: 1.5 · 2^52.
const ROUNDING_SHIFT: f64 = 6_755_399_441_055_744.0;

#[inline(always)]
fn product<R: Real>(m: &DMat3, v: Vector<R>) -> Vector<R> {
    Vector::splat(m.x_axis) * v.x + Vector::splat(m.y_axis) * v.y + Vector::splat(m.z_axis) * v.z
}

/// Rounds to the nearest integer (half to even) without a call into the maths library; |x| must be below 2⁵¹.
#[inline]
fn round_to_integer(x: f64) -> f64 {
    (x + ROUNDING_SHIFT) - ROUNDING_SHIFT
}

impl Cell {
    /// An orthogonal cell from its corners `low` and `high` \[m\].
    ///
    /// Faces of directions that are not periodic follow `faces`. The corners must satisfy `low < high`.
    pub fn orthogonal(low: DVec3, high: DVec3, periodic: [bool; 3], faces: [[FacePolicy; 2]; 3]) -> Self {
        let matrix = DMat3::from_diagonal(high - low);
        Self {
            origin: low,
            matrix,
            inverse: matrix.inverse(),
            half_edges: DVec3::from_array(std::array::from_fn(|k| {
                if periodic[k] { 0.5 * (high - low)[k] } else { f64::INFINITY }
            })),
            periodic,
            faces,
            velocity_gradient: DMat3::ZERO,
        }
    }

    /// A cell without limits: nothing is periodic and no face is ever crossed.
    pub fn unbounded() -> Self {
        Self::orthogonal(DVec3::splat(-1e100), DVec3::splat(1e100), [false; 3], [[FacePolicy::Open; 2]; 3])
    }

    /// Edge vectors as columns \[m\].
    pub fn matrix(&self) -> DMat3 {
        self.matrix
    }

    /// Inverse of the edge matrix \[1/m\].
    pub fn inverse(&self) -> DMat3 {
        self.inverse
    }

    /// Volume \[m³\].
    pub fn volume(&self) -> f64 {
        self.matrix.determinant().abs()
    }

    /// Whether any direction is periodic.
    pub fn is_periodic(&self) -> bool {
        self.periodic.contains(&true)
    }

    /// Distance between the two faces of direction `k` \[m\].
    pub fn width(&self, k: usize) -> f64 {
        1.0 / self.inverse.row(k).length()
    }

    /// Lattice vector to subtract from a difference of positions to reach its nearest periodic image \[m\].
    ///
    /// Right for differences whose nearest image is shorter than half of every periodic width, which the builder of a
    /// simulation guarantees for all differences within the interaction range.
    #[inline(always)]
    pub fn image_shift(&self, difference: DVec3) -> DVec3 {
        // nearly all differences between neighbours need no shift
        if difference.abs().cmple(self.half_edges).all() { DVec3::ZERO } else { self.far_image_shift(difference) }
    }

    /// [`Self::image_shift`] of one difference per lane.
    #[inline(always)]
    pub fn image_shift_in_lanes<R: Real>(&self, difference: Vector<R>) -> Vector<R> {
        let h = self.half_edges;
        let near = difference.x.abs().at_most(R::splat(h.x))
            & difference.y.abs().at_most(R::splat(h.y))
            & difference.z.abs().at_most(R::splat(h.z));
        if near.all() {
            return Vector::zero();
        }
        // functions, not closures: closures are not inlined early enough to be compiled with the instructions of the lanes
        let s = product(&self.inverse, difference);
        let shift = R::splat(ROUNDING_SHIFT);
        let mut count = Vector::zero();
        if self.periodic[0] {
            count.x = (s.x + shift) - shift;
        }
        if self.periodic[1] {
            count.y = (s.y + shift) - shift;
        }
        if self.periodic[2] {
            count.z = (s.z + shift) - shift;
        }
        product(&self.matrix, count)
    }

    #[cold]
    fn far_image_shift(&self, difference: DVec3) -> DVec3 {
        let s = self.inverse * difference;
        let count = |k: usize| if self.periodic[k] { round_to_integer(s[k]) } else { 0.0 };
        self.matrix * DVec3::new(count(0), count(1), count(2))
    }

    /// Nearest periodic image of a difference of positions \[m\].
    #[inline(always)]
    pub fn nearest_image(&self, difference: DVec3) -> DVec3 {
        difference - self.image_shift(difference)
    }

    /// Moves a position into the cell along the periodic directions; returns the counts of cells it was moved by.
    #[inline]
    pub fn wrap(&self, position: &mut DVec3) -> [i32; 3] {
        let from_centre = *position - (self.origin + self.half_edges);
        // along a direction without a limit both sides are infinite, which is not outside
        let outside = from_centre.abs().cmpgt(self.half_edges);
        if self.half_edges.x >= 0.0 && !outside.any() {
            return [0; 3];
        }
        let s = self.inverse * (*position - self.origin);
        let mut count = [0; 3];
        let mut shift = DVec3::ZERO;
        for k in 0..3 {
            if self.periodic[k] && !(0.0..1.0).contains(&s[k]) {
                let cells = s[k].floor();
                count[k] = cells as i32;
                shift += self.matrix.col(k) * cells;
            }
        }
        if count != [0; 3] {
            *position -= shift;
        }
        count
    }

    /// Position with the periodic images undone \[m\].
    pub fn unwrap(&self, position: DVec3, image: [i32; 3]) -> DVec3 {
        position + self.matrix * DVec3::new(image[0].into(), image[1].into(), image[2].into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn half_periodic() -> Cell {
        Cell::orthogonal(
            DVec3::new(-1.0, 0.0, 2.0),
            DVec3::new(1.0, 3.0, 6.0),
            [true, false, true],
            [[FacePolicy::Error; 2]; 3],
        )
    }

    #[test]
    fn nearest_image_is_the_shortest_over_all_images() {
        let cell = half_periodic();
        let d = DVec3::new(1.7, 2.4, -3.1);
        let nearest = cell.nearest_image(d);
        let mut shortest = d;
        for i in -2..=2 {
            for k in -2..=2 {
                let candidate = d + DVec3::new(2.0 * f64::from(i), 0.0, 4.0 * f64::from(k));
                if candidate.length() < shortest.length() {
                    shortest = candidate;
                }
            }
        }
        assert!((nearest - shortest).length() < 1e-14);
    }

    #[test]
    fn wrapping_counts_cells_and_leaves_open_directions_alone() {
        let cell = half_periodic();
        let start = DVec3::new(5.5, -7.0, 1.9);
        let mut x = start;
        let image = cell.wrap(&mut x);
        assert_eq!(image, [3, 0, -1]);
        assert!((cell.unwrap(x, image) - start).length() < 1e-14);
        assert_eq!(x.y, -7.0);
        assert!((-1.0..1.0).contains(&x.x) && (2.0..6.0).contains(&x.z));
    }

    #[test]
    fn widths_of_a_sheared_cell_are_between_faces() {
        let mut cell = half_periodic();
        cell.half_edges = DVec3::NEG_INFINITY;
        cell.matrix = DMat3::from_cols(DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::Z);
        cell.inverse = cell.matrix.inverse();
        assert!((cell.width(0) - 0.5f64.sqrt()).abs() < 1e-15);
        assert!((cell.width(1) - 1.0).abs() < 1e-15);
    }
}
