//! Places in columns and tables, one for every lane.

/// No width has more lanes.
pub const MOST_LANES: usize = 8;

/// A place in a column or a table for every lane; those beyond the lanes of a width mean nothing.
pub type Places = [u32; MOST_LANES];

/// Stops where places are asked for that a table does not have.
#[expect(clippy::panic, reason = "as indexing does, of which this is a form")]
#[cold]
#[inline(never)]
pub(super) fn outside(start: usize, numbers: usize, length: usize) -> ! {
    panic!("{numbers} places from {start} on are not all in a table of {length}")
}
