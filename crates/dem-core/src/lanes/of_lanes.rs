//! Vectors and rows of tables with as many lanes as a width has.

use glam::DVec3;

use super::memory::{Lanes, array};
use super::places::MOST_LANES;
use super::rows::{Rows, Source, SourceRows, Target, TargetRows};
use super::vector::Vector;

impl<R: Lanes> Vector<R> {
    /// The same vector in every lane.
    #[inline(always)]
    pub fn splat(v: DVec3) -> Self {
        Self::new(R::splat(v.x), R::splat(v.y), R::splat(v.z))
    }

    /// One vector per lane.
    #[inline(always)]
    pub fn from_lanes(vector: impl Fn(usize) -> DVec3) -> Self {
        Self::new(
            R::from_lanes(|lane| vector(lane).x),
            R::from_lanes(|lane| vector(lane).y),
            R::from_lanes(|lane| vector(lane).z),
        )
    }

    /// Vector in a lane.
    #[inline(always)]
    pub fn lane(self, lane: usize) -> DVec3 {
        DVec3::new(self.x.lane(lane), self.y.lane(lane), self.z.lane(lane))
    }

    /// Vectors of all lanes, then zeros.
    #[inline(always)]
    pub fn to_lanes(self) -> [Vector; MOST_LANES] {
        let (x, y, z) = (self.x.to_lanes(), self.y.to_lanes(), self.z.to_lanes());
        array(|lane| Vector { x: x[lane], y: y[lane], z: z[lane] })
    }
}

impl<R: Lanes> Source<R> for SourceRows<'_> {
    #[inline(always)]
    fn numbers<const N: usize>(&self, column: usize) -> [R; N] {
        R::expand(self, column)
    }
}

impl<R: Lanes> Target<R> for TargetRows<'_> {
    #[inline(always)]
    fn put<const N: usize>(&mut self, numbers: &[R; N], column: usize) {
        R::compress(numbers, self, column);
    }
}

impl<'a> SourceRows<'a> {
    /// Rows of the first columns of a table.
    ///
    /// # Panics
    /// If the table does not have as many rows as R has lanes from the first on.
    #[inline(always)]
    pub fn new<R: Lanes>(table: &'a [f64], rows: Rows, columns: usize) -> Self {
        Self::for_lanes(R::LANES, table, rows, columns)
    }
}

impl<'a> TargetRows<'a> {
    /// Rows of the first columns of a table.
    ///
    /// # Panics
    /// As [`SourceRows::new`].
    #[inline(always)]
    pub fn new<R: Lanes>(table: &'a mut [f64], rows: Rows, columns: usize) -> Self {
        Self::for_lanes(R::LANES, table, rows, columns)
    }
}
