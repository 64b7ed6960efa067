//! The cell: where particles may be, which of its directions are periodic, and what happens at the other faces.

use glam::{DMat3, DVec3};
use serde::{Deserialize, Serialize};

use crate::affine::{AffineStep, product};
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
/// The columns of `H` are the edge vectors \[m\], any three that span space. A cell that deforms carries its particles along: see
/// [`AffineStep`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Corner of the cell \[m\].
    pub origin: DVec3,
    matrix: DMat3,
    inverse: DMat3,
    /// Components up to which a difference is its own nearest image: half of each periodic edge of an orthogonal cell, no limit
    /// along directions that are not periodic; in a cell that is not orthogonal half the edge of a cube.
    half_edges: DVec3,
    /// Whether the edges lie along the axes.
    orthogonal: bool,
    /// Periodic along edge 0, 1, 2.
    pub periodic: [bool; 3],
    /// Policies at the low and high face of each direction that is not periodic.
    pub faces: [[FacePolicy; 2]; 3],
    /// Deformation over the step under way or just done; none while the cell keeps its shape.
    pub motion: Option<AffineStep>,
}

/// Share of one edge along another beyond which [`Cell::reduce`] replaces it by its difference. Above one half, so that a cell that is
/// sheared back and forth does not change its edges back and forth.
const LARGEST_TILT: f64 = 0.55;
/// Replacements after which a reduction ends in any case; each makes an edge shorter, and steps are small.
const MOST_REPLACEMENTS: usize = 64;

/// Adding and subtracting it leaves the nearest integer of numbers below 2^51: 1.5 · 2^52.
const ROUNDING_SHIFT: f64 = 6_755_399_441_055_744.0;

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
            orthogonal: true,
            periodic,
            faces,
            motion: None,
        }
    }

    /// Replaces the edge vectors, the columns of `matrix` \[m\]; they must span space.
    pub fn set_matrix(&mut self, matrix: DMat3) {
        let diagonal = DVec3::new(matrix.x_axis.x, matrix.y_axis.y, matrix.z_axis.z);
        self.orthogonal = matrix == DMat3::from_diagonal(diagonal) && diagonal.cmpgt(DVec3::ZERO).all();
        self.matrix = matrix;
        self.inverse = matrix.inverse();
        self.half_edges = if self.orthogonal {
            DVec3::from_array(std::array::from_fn(|k| if self.periodic[k] { 0.5 * diagonal[k] } else { f64::INFINITY }))
        } else {
            let reach = |k: usize| if self.periodic[k] { self.inverse.row(k).abs().element_sum() } else { 0.0 };
            DVec3::splat(0.5 / (0..3).map(reach).fold(f64::MIN_POSITIVE, f64::max))
        };
    }

    /// Deforms the edges by a step about the origin of the cell.
    pub fn deform(&mut self, step: AffineStep) {
        self.set_matrix(step.gradient * self.matrix);
        self.motion = Some(step);
    }

    /// Replaces edges that lean far along others by shorter ones of the same lattice, along periodic directions. Nothing physical
    /// changes; counts n of crossed cells become `T n` with the matrix that is returned, row by row, if anything was replaced.
    pub fn reduce(&mut self) -> Option<[[i32; 3]; 3]> {
        let mut edges = [self.matrix.x_axis, self.matrix.y_axis, self.matrix.z_axis];
        let mut counts = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
        let mut replaced = false;
        for _ in 0..MOST_REPLACEMENTS {
            let mut tilts = (0..9).map(|k| (k / 3, k % 3)).filter(|&(i, j)| {
                let tilt = edges[j].dot(edges[i]) / edges[i].length_squared();
                i != j && self.periodic[i] && self.periodic[j] && tilt.abs() > LARGEST_TILT
            });
            let Some((i, j)) = tilts.next() else { break };
            let number = round_to_integer(edges[j].dot(edges[i]) / edges[i].length_squared());
            edges[j] -= edges[i] * number;
            for k in 0..3 {
                counts[i][k] += number as i32 * counts[j][k];
            }
            replaced = true;
        }
        if replaced {
            self.set_matrix(DMat3::from_cols(edges[0], edges[1], edges[2]));
        }
        replaced.then_some(counts)
    }

    /// A cell without limits: nothing is periodic and no face is ever crossed.
    pub fn unbounded() -> Self {
        Self::orthogonal(DVec3::splat(-1e100), DVec3::splat(1e100), [false; 3], [[FacePolicy::Open; 2]; 3])
    }

    /// The corners of an orthogonal cell as text, or that it has no limits.
    pub fn describe_box(&self) -> String {
        let diagonal = self.matrix * DVec3::ONE;
        if diagonal.max_element() >= 1e100 {
            return "without limits".to_owned();
        }
        // to a thousandth of its size
        let digits = (3.0 - diagonal.abs().max_element().log10().floor()).clamp(0.0, 15.0) as usize;
        let (low, high) = (self.origin, self.origin + diagonal);
        format!("from {low:.digits$} to {high:.digits$} m")
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

    /// Length up to which a difference of positions is that of the nearest images \[m\].
    pub fn nearest_reach(&self) -> f64 {
        self.half_edges.min_element()
    }

    /// [`Self::image_shift`] of one difference per lane.
    #[inline(always)]
    pub fn image_shift_in_lanes<R: Real>(&self, difference: Vector<R>) -> Vector<R> {
        let h = self.half_edges;
        let near = difference.x.abs().at_most(R::parameter(h.x))
            & difference.y.abs().at_most(R::parameter(h.y))
            & difference.z.abs().at_most(R::parameter(h.z));
        if near.all() { Vector::zero() } else { self.far_image_shift_in_lanes(difference) }
    }

    /// [`Self::image_shift_in_lanes`] where some differences are known to be long: without a check.
    #[inline(always)]
    pub fn far_image_shift_in_lanes<R: Real>(&self, difference: Vector<R>) -> Vector<R> {
        // functions, not closures: closures are not inlined early enough to be compiled with the instructions of the lanes
        if self.orthogonal {
            let (inverse, matrix) = (&self.inverse, &self.matrix);
            return Vector::new(
                shift_along(self.periodic[0], inverse.x_axis.x, matrix.x_axis.x, difference.x),
                shift_along(self.periodic[1], inverse.y_axis.y, matrix.y_axis.y, difference.y),
                shift_along(self.periodic[2], inverse.z_axis.z, matrix.z_axis.z, difference.z),
            );
        }
        let s = product(&self.inverse, difference);
        let shift = R::constant(ROUNDING_SHIFT);
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
        if self.orthogonal && !outside.any() {
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

    /// Where [`Self::wrap`] is known to leave a position alone, one per lane.
    #[inline(always)]
    pub fn stays_in_lanes<R: Real>(&self, position: Vector<R>) -> R::Mask {
        let (centre, h) = (self.origin + self.half_edges, self.half_edges);
        let near = (position.x - R::parameter(centre.x)).abs().at_most(R::parameter(h.x))
            & (position.y - R::parameter(centre.y)).abs().at_most(R::parameter(h.y))
            & (position.z - R::parameter(centre.z)).abs().at_most(R::parameter(h.z));
        if self.orthogonal { near } else { R::zero().less(R::zero()) }
    }

    /// Position with the periodic images undone \[m\].
    pub fn unwrap(&self, position: DVec3, image: [i32; 3]) -> DVec3 {
        position + self.matrix * DVec3::new(image[0].into(), image[1].into(), image[2].into())
    }
}

/// [`Cell::image_shift`] along one edge of an orthogonal cell.
#[inline(always)]
fn shift_along<R: Real>(periodic: bool, inverse: f64, edge: f64, difference: R) -> R {
    if !periodic {
        return R::zero();
    }
    let shift = R::constant(ROUNDING_SHIFT);
    ((difference * R::parameter(inverse) + shift) - shift) * R::parameter(edge)
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
    fn boxes_are_told_to_a_thousandth_of_their_size() {
        let open = [[FacePolicy::Open; 2]; 3];
        let small = Cell::orthogonal(DVec3::splat(-1.0 / 3e5), DVec3::splat(1.0 / 3e5), [false; 3], open);
        assert_eq!(
            small.describe_box(),
            "from [-0.000003333, -0.000003333, -0.000003333] to [0.000003333, 0.000003333, 0.000003333] m"
        );
        let large = Cell::orthogonal(DVec3::ZERO, DVec3::new(2.0, 12345.6, 1.0), [false; 3], open);
        assert_eq!(large.describe_box(), "from [0, 0, 0] to [2, 12346, 1] m");
        assert_eq!(Cell::unbounded().describe_box(), "without limits");
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
    fn positions_that_stay_are_not_wrapped() {
        let mut straight = half_periodic();
        for cell in [straight, sheared(0.2)] {
            let mut stayed = 0;
            for number in 0..1000 {
                let fraction = DVec3::new((number % 10).into(), (number / 10 % 10).into(), (number / 100).into()) / 4.0;
                let x = cell.origin + cell.matrix() * (fraction - 0.6);
                let mut wrapped = x;
                let crossed = cell.wrap(&mut wrapped);
                if cell.stays_in_lanes(Vector::from(x)) {
                    assert_eq!((wrapped, crossed), (x, [0; 3]));
                    stayed += 1;
                }
            }
            assert_eq!(stayed > 0, cell.orthogonal, "a sheared cell does not tell");
        }
        straight.origin.x = f64::NAN;
        assert!(!straight.stays_in_lanes(Vector::from(DVec3::splat(2.5))));
    }

    #[test]
    fn widths_of_a_sheared_cell_are_between_faces() {
        let mut cell = half_periodic();
        cell.set_matrix(DMat3::from_cols(DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::Z));
        assert!((cell.width(0) - 0.5f64.sqrt()).abs() < 1e-15);
        assert!((cell.width(1) - 1.0).abs() < 1e-15);
    }

    #[test]
    fn lanes_find_the_images_of_an_orthogonal_cell() {
        let cell = half_periodic();
        for number in 0..125 {
            let [i, j, k] = [number % 5, number / 5 % 5, number / 25].map(|n| f64::from(n) - 2.0);
            let difference = DVec3::new(0.77 * i + 0.1, 5.0 * j, 1.9 * k - 0.3);
            let in_lanes = Vector::from(difference) - cell.image_shift_in_lanes(Vector::from(difference));
            assert_eq!(DVec3::from(in_lanes), cell.nearest_image(difference), "{difference}");
            let known_far = Vector::from(difference) - cell.far_image_shift_in_lanes(Vector::from(difference));
            assert_eq!(DVec3::from(known_far), cell.nearest_image(difference), "{difference}");
            assert!((DVec3::from(in_lanes).abs().x <= 1.0) && DVec3::from(in_lanes).abs().z <= 2.0);
        }
    }

    fn sheared(tilt: f64) -> Cell {
        let mut cell = Cell::orthogonal(DVec3::splat(0.3), DVec3::splat(1.3), [true; 3], [[FacePolicy::Error; 2]; 3]);
        cell.set_matrix(DMat3::from_cols(
            DVec3::new(1.0, 0.1, 0.0),
            DVec3::new(tilt, 1.1, 0.0),
            DVec3::new(-0.2, 0.1, 0.9),
        ));
        cell
    }

    /// Any difference shorter than half of every width, plus any lattice vector.
    #[test]
    fn nearest_image_in_a_sheared_cell_is_the_shortest_over_all_images() {
        let cell = sheared(0.45);
        let reach = 0.5 * (0..3).map(|k| cell.width(k)).fold(f64::INFINITY, f64::min);
        for number in 0..343 {
            let n = [number % 7 - 3, number / 7 % 7 - 3, number / 49 - 3];
            let direction = DVec3::new(0.3 * f64::from(n[0]) + 0.1, 0.2 - f64::from(n[1]), f64::from(n[2]) - 0.3);
            let short = direction.normalize() * 0.999 * reach;
            let far = short + cell.unwrap(DVec3::ZERO, n);
            assert!((cell.nearest_image(far) - short).length() < 1e-14, "{n:?}");
            let in_lanes = Vector::from(far) - cell.image_shift_in_lanes(Vector::from(far));
            assert_eq!(DVec3::from(in_lanes), cell.nearest_image(far));
        }
    }

    #[test]
    fn reduced_edges_span_the_same_lattice_and_counts_keep_their_meaning() {
        let mut cell = sheared(3.7);
        let mut x = DVec3::new(2.1, -0.4, 5.0);
        let start = x;
        let image = cell.wrap(&mut x);
        let narrow = cell.width(0);
        let before = cell.matrix();
        let counts = cell.reduce().unwrap();
        assert!(cell.width(0) > 3.0 * narrow && cell.reduce().is_none());
        assert!((cell.volume() - before.determinant()).abs() < 1e-13);
        let image: [i32; 3] = std::array::from_fn(|i| (0..3).map(|k| counts[i][k] * image[k]).sum());
        assert!((cell.unwrap(x, image) - start).length() < 1e-13);
        let more = cell.wrap(&mut x);
        let s = cell.inverse() * (x - cell.origin);
        assert!(s.cmpge(DVec3::ZERO).all() && s.cmplt(DVec3::ONE).all());
        assert!((cell.unwrap(x, std::array::from_fn(|k| image[k] + more[k])) - start).length() < 1e-13);
    }

    #[test]
    fn directions_that_are_not_periodic_keep_their_edges() {
        let mut cell = half_periodic();
        cell.set_matrix(DMat3::from_cols(DVec3::X, DVec3::new(2.0, 1.0, 0.0), DVec3::Z));
        assert!(cell.reduce().is_none());
    }
}
