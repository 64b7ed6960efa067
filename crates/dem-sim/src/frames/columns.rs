//! Columns of a frame, in memory that is reused from frame to frame.

use dem_io::snapshot::{Column, ColumnData, ColumnSpec};
use glam::DVec3;

/// Columns that reuse the memory of those at the same position in an earlier frame.
pub(crate) struct Columns {
    former: std::vec::IntoIter<Column>,
    filled: Vec<Column>,
}

impl Columns {
    /// None yet, in place of `former` ones, which may be none.
    pub(crate) fn in_place_of(former: Vec<Column>) -> Self {
        Self { filled: Vec::with_capacity(former.len()), former: former.into_iter() }
    }

    /// Adds a column of numbers.
    pub(crate) fn push<T>(&mut self, spec: ColumnSpec, numbers: impl IntoIterator<Item = T>)
    where
        ColumnData: From<Vec<T>>,
        Vec<T>: TryFrom<ColumnData>,
    {
        let mut memory = self.memory(0);
        memory.extend(numbers);
        self.put(spec, memory);
    }

    /// The memory for the next column, empty and with room for `room` numbers.
    pub(crate) fn memory<T>(&mut self, room: usize) -> Vec<T>
    where
        Vec<T>: TryFrom<ColumnData>,
    {
        let mut memory: Vec<T> = self.former.next().and_then(|column| column.data.try_into().ok()).unwrap_or_default();
        memory.clear();
        memory.reserve_exact(room);
        memory
    }

    /// Adds a column that was filled in its memory.
    pub(crate) fn put<T>(&mut self, spec: ColumnSpec, numbers: Vec<T>)
    where
        ColumnData: From<Vec<T>>,
    {
        self.filled.push(Column { spec, data: numbers.into() });
    }

    /// Adds a column of vectors.
    pub(crate) fn push_vectors(&mut self, spec: ColumnSpec, vectors: impl IntoIterator<Item = DVec3>) {
        self.push(spec, vectors.into_iter().flat_map(|vector| vector.to_array()));
    }

    /// The columns that were added.
    pub(crate) fn finish(self) -> Vec<Column> {
        self.filled
    }
}
