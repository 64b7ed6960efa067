//! Sums of rows over runs of terms, as particles sum the wrenches of their contacts.
//!
//! The runs of several sums are one loop: where a run ends no processor could predict, and after a wrong guess it would wait for the first
//! row of the next. So each term says whether it continues the sum before it, and every sum so far is written, over the one before it if
//! the run is not over. A sum starts at zero, not with its first term: rows of zeros change no bit of it, as −0 would.

use bytemuck::{Pod, Zeroable};

/// One term: a row of eight numbers, of which the first four count with a sign and the others with a factor of the row's own.
///
/// Side 0 has the sign + and the factor in number 3 of the row, side 1 the sign − and the factor in number 7.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub struct Term(u32);

impl Term {
    /// Places of rows are smaller than this.
    pub const PLACES: usize = 1 << 29;

    /// The row in a place, below [`Self::PLACES`], for side 0 or 1. Unless it `continues` the sum of the term before it starts a new one.
    #[inline(always)]
    pub fn new(place: usize, side: u32, continues: bool) -> Self {
        Self((place as u32) << 3 | (side & 1) << 2 | u32::from(continues))
    }

    /// The same as the first of a sum.
    #[inline(always)]
    pub fn opening(self) -> Self {
        Self(self.0 & !1)
    }

    /// Place of its row.
    #[inline(always)]
    pub fn place(self) -> usize {
        (self.0 >> 3) as usize
    }

    /// Its side.
    #[inline(always)]
    pub fn side(self) -> usize {
        (self.0 >> 2 & 1) as usize
    }

    /// Whether it belongs to the sum of the term before it.
    #[inline(always)]
    pub fn continues(self) -> bool {
        self.0 & 1 == 1
    }

    /// Side and whether it continues, a number below 8 for the tables below.
    #[inline(always)]
    pub(super) fn kind(self) -> usize {
        (self.0 & 7) as usize
    }

    /// Numbers before its row, if rows of eight numbers follow each other.
    #[inline(always)]
    #[cfg(target_arch = "x86_64")]
    pub(super) fn numbers_before(self) -> usize {
        (self.0 & !7) as usize
    }

    /// Numbers before the factor in its row.
    #[inline(always)]
    #[cfg(target_arch = "x86_64")]
    pub(super) fn numbers_before_factor(self) -> usize {
        // the side counts four, half a row
        (self.0 & !3) as usize + 3
    }
}

/// Sign of the first four numbers by the kind of a term.
pub(super) static SIGN: [f64; 8] = [1.0, 1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0];
/// Which number of its row is the factor of the others.
pub(super) static FACTOR: [u8; 8] = [3, 3, 3, 3, 7, 7, 7, 7];

/// # Panics
/// Always.
#[cold]
#[inline(never)]
#[expect(clippy::panic, reason = "as an index out of bounds would")]
pub(super) fn refuse() -> ! {
    panic!("a term beyond the rows, or other runs than sums");
}
