//! Rows of tables that are kept by columns, of which the lanes in a set have one each, one after the other.

use super::places::outside;

/// Which rows: number k of row r is in place `k * room + r` of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    /// Row of the first lane in the set.
    pub first: usize,
    /// Rows that the table has room for.
    pub room: usize,
    /// Lane k as bit k.
    pub set: u32,
}

impl Rows {
    /// Row of a lane, if it has one.
    pub fn of_lane(&self, lane: usize) -> Option<usize> {
        let before = self.set & ((1 << lane) - 1);
        (self.set >> lane & 1 == 1).then(|| self.first + before.count_ones() as usize)
    }

    /// Whether as many rows as there are lanes are in `columns` columns of a table of `length` numbers.
    #[inline(always)]
    fn fit(&self, lanes: usize, columns: usize, length: usize) -> bool {
        let in_table = columns.checked_mul(self.room).is_some_and(|numbers| numbers <= length);
        in_table && self.room >= lanes && self.first <= self.room - lanes
    }
}

/// Where records are read from: columns of numbers.
pub trait Source<R> {
    /// N columns from a column on.
    fn numbers<const N: usize>(&self, column: usize) -> [R; N];
}

/// Where records are written to.
pub trait Target<R> {
    /// Sets N columns from a column on.
    fn put<const N: usize>(&mut self, numbers: &[R; N], column: usize);
}

/// Rows to read, with room for all lanes.
#[derive(Clone, Copy, Debug)]
pub struct SourceRows<'a> {
    table: &'a [f64],
    rows: Rows,
    columns: usize,
    lanes: usize,
}

impl<'a> SourceRows<'a> {
    /// Rows of the first columns of a table for some number of lanes.
    ///
    /// # Panics
    /// If the table does not have as many rows as lanes from the first on.
    #[inline(always)]
    pub(super) fn for_lanes(lanes: usize, table: &'a [f64], rows: Rows, columns: usize) -> Self {
        if !rows.fit(lanes, columns, table.len()) {
            outside(rows.first, lanes, rows.room.min(table.len()));
        }
        Self { table, rows, columns, lanes }
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Copies the row of a lane; zeros if it has none.
    pub fn read(&self, lane: usize, row: &mut [f64]) {
        match self.rows.of_lane(lane) {
            Some(at) => row.iter_mut().enumerate().for_each(|(k, to)| *to = self.table[k * self.rows.room + at]),
            None => row.fill(0.0),
        }
    }

    /// The set of lanes and the table: from the first row on, N columns from a column on have as many numbers as there are lanes.
    ///
    /// # Panics
    /// If there are not so many columns, or the rows were made for fewer lanes.
    #[inline(always)]
    pub(super) fn checked<const N: usize>(&self, lanes: usize, column: usize) -> (u32, &'a [f64]) {
        assert!(lanes <= self.lanes && N <= self.columns && column <= self.columns - N);
        (self.rows.set, self.table)
    }

    /// Place of the first row in a column.
    #[inline(always)]
    pub(super) fn place(&self, column: usize) -> usize {
        column * self.rows.room + self.rows.first
    }
}

/// Rows to write, with room for all lanes.
#[derive(Debug)]
pub struct TargetRows<'a> {
    table: &'a mut [f64],
    rows: Rows,
    columns: usize,
    lanes: usize,
}

impl<'a> TargetRows<'a> {
    /// Rows of the first columns of a table for some number of lanes.
    ///
    /// # Panics
    /// If the table does not have as many rows as lanes from the first on.
    #[inline(always)]
    pub(super) fn for_lanes(lanes: usize, table: &'a mut [f64], rows: Rows, columns: usize) -> Self {
        if !rows.fit(lanes, columns, table.len()) {
            outside(rows.first, lanes, rows.room.min(table.len()));
        }
        Self { table, rows, columns, lanes }
    }

    /// Writes the row of a lane, if it has one; tells whether it has.
    pub fn write(&mut self, lane: usize, row: &[f64]) -> bool {
        let Some(at) = self.rows.of_lane(lane) else { return false };
        row.iter().enumerate().for_each(|(k, &from)| self.table[k * self.rows.room + at] = from);
        true
    }

    /// As [`SourceRows::checked`].
    #[inline(always)]
    pub(super) fn checked<const N: usize>(&mut self, lanes: usize, column: usize) -> (u32, &mut [f64]) {
        assert!(lanes <= self.lanes && N <= self.columns && column <= self.columns - N);
        (self.rows.set, self.table)
    }

    /// Place of the first row in a column.
    #[inline(always)]
    pub(super) fn place(&self, column: usize) -> usize {
        column * self.rows.room + self.rows.first
    }
}
