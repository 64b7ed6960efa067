//! Sums of rows over runs of terms, as particles sum the wrenches of their contacts.
//!
//! Where a run ends a processor could not predict if runs of all lengths followed each other, and after a wrong guess it would wait for the
//! first row of the next. So runs may come in any order and say where their sums go: in order of their lengths, most end where the one
//! before did. A sum starts at zero, not with its first term: rows of zeros change no bit of it, as −0 would.

use bytemuck::Zeroable;

/// One term: a row of eight numbers, of which the first four count with a sign and the others with a factor of the row's own.
///
/// Side 0 has the sign + and the factor in number 3 of the row, side 1 the sign − and the factor in number 7.
///
/// Made of a place and a side only, not of any bits: sums rely on the lowest two being zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Zeroable)]
#[repr(transparent)]
pub struct Term(u32);

impl Term {
    /// Places of rows are smaller than this.
    pub const PLACES: usize = 1 << 29;

    /// The row in a place, below [`Self::PLACES`], for side 0 or 1.
    #[inline(always)]
    pub fn new(place: usize, side: u32) -> Self {
        Self((place as u32) << 3 | (side & 1) << 2)
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

    /// Numbers before the half of its row whose last one is the factor, if rows of eight numbers follow each other.
    #[inline(always)]
    pub(super) fn numbers_before_half(self) -> usize {
        // the side counts four, half a row; the bits below are zero
        self.0 as usize
    }

    /// Numbers before its row.
    #[inline(always)]
    #[cfg(target_arch = "x86_64")]
    pub(super) fn numbers_before(self) -> usize {
        (self.0 & !7) as usize
    }
}

/// Some terms that follow each other, and where their sum goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run(u32);

impl Run {
    /// Runs have fewer terms than this.
    pub const TERMS: usize = 1 << 24;

    /// A number of terms, below [`Self::TERMS`], for one of the first 256 sums.
    #[inline(always)]
    pub fn new(terms: usize, sum: u8) -> Self {
        Self((terms as u32) << 8 | u32::from(sum))
    }

    /// How many terms.
    #[inline(always)]
    pub fn terms(self) -> usize {
        (self.0 >> 8) as usize
    }

    /// Number of the sum.
    #[inline(always)]
    pub fn sum(self) -> usize {
        (self.0 & 0xff) as usize
    }
}

/// Sign of the first four numbers by the side of a term.
pub(super) static SIGN: [f64; 2] = [1.0, -1.0];

/// # Panics
/// Always.
#[cold]
#[inline(never)]
#[expect(clippy::panic, reason = "as an index out of bounds would")]
pub(super) fn refuse() -> ! {
    panic!("a term beyond the rows, a run beyond the terms, or a sum beyond the sums");
}
