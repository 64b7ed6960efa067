//! What the datasets of a file claim to hold, against what a file of its length can hold: checked before the HDF5 library reserves memory.
//!
//! The library reads the index of all chunks of a dataset at once, and goes through it up to the number of chunks that the largest extent
//! of the dataset would have, whether blocks of the index exist or not: 24 bytes a chunk in a list that doubles, and some more for the
//! plan of reading. That number follows from fields of the dataset's header, which a checksum guards against damage and not against
//! forgery. Therefore:
//!
//! - a dataset has the form that [`super::writer`] gives it: an extensible array of chunks of whole rows, with no end to the rows and no
//!   other width than the present one. Then there are as many chunks as rows fill.
//! - The index names every chunk by an address of eight bytes, so that all datasets together have at most an eighth as many chunks as the
//!   file has bytes; and deflate shrinks by a factor of at most 1032, so that all their chunks together hold at most so many times the file.

use super::hdf5::Failure;

/// Most that deflate can shrink data by.
const DEFLATE: u64 = 1032;
/// Bytes of the address of a chunk in its index.
const ADDRESS: u64 = 8;

/// How a dataset of one or two dimensions is stored.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout<'a> {
    /// Rows and, of two dimensions, numbers in a row.
    pub(super) shape: &'a [usize],
    /// Largest shape; none where there is no largest.
    pub(super) max_shape: &'a [Option<usize>],
    /// Shape of a chunk.
    pub(super) chunk: &'a [usize],
    /// Bytes of a number.
    pub(super) element_size: usize,
}

/// What a dataset claims to hold.
#[derive(Debug, Clone, Copy)]
pub(super) struct Claim {
    /// Chunks.
    chunks: u64,
    /// Decoded bytes of a chunk.
    chunk_bytes: u64,
}

impl Claim {
    /// Of a dataset that is stored as those of snapshots are; none of any other.
    pub(super) fn of(layout: Layout<'_>) -> Option<Self> {
        let (&rows, width) = layout.shape.split_first()?;
        let (&chunk_rows, chunk_width) = layout.chunk.split_first()?;
        let (largest, largest_width) = layout.max_shape.split_first()?;
        let grows_by_rows = largest.is_none() && largest_width.iter().copied().eq(width.iter().map(|&w| Some(w)));
        if !grows_by_rows || chunk_width != width || chunk_rows == 0 {
            return None;
        }
        let numbers = layout.chunk.iter().try_fold(1usize, |numbers, &along| numbers.checked_mul(along));
        Some(Self {
            chunks: rows.div_ceil(chunk_rows) as u64,
            chunk_bytes: numbers.and_then(|n| n.checked_mul(layout.element_size)).map_or(u64::MAX, |n| n as u64),
        })
    }
}

/// Length of a file, and so the bounds of what it can hold.
#[derive(Debug, Clone, Copy)]
pub(super) struct SizeLimit(u64);

impl SizeLimit {
    /// Limits for a file of this many bytes.
    pub(super) fn of_file(bytes: u64) -> Self {
        Self(bytes)
    }

    /// Refuses datasets that cannot all be in the file.
    pub(super) fn check_claims(self, claims: impl IntoIterator<Item = Claim>) -> Result<(), Failure> {
        let (mut addresses, mut decoded) = (0u64, 0u64);
        for claim in claims {
            addresses = addresses.saturating_add(claim.chunks.saturating_mul(ADDRESS));
            decoded = decoded.saturating_add(claim.chunks.saturating_mul(claim.chunk_bytes));
        }
        if addresses > self.0 {
            return Err("its datasets claim more chunks than the file can hold".to_owned());
        }
        self.check("all datasets", Some(decoded))
    }

    /// Refuses more decoded bytes of something than the file can hold; none stands for a number that overflowed.
    pub(super) fn check(self, name: &str, bytes: Option<u64>) -> Result<(), Failure> {
        match bytes {
            Some(bytes) if bytes <= self.0.saturating_mul(DEFLATE) => Ok(()),
            _ => Err(format!("{name}: more data is claimed than the file can hold")),
        }
    }

    /// Refuses more text than the file has bytes: texts are not compressed, and each has a place of its own.
    pub(super) fn check_text(self, name: &str, bytes: usize) -> Result<(), Failure> {
        if bytes as u64 > self.0 { Err(format!("{name}: more text is claimed than the file can hold")) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(rows: usize, max_shape: &[Option<usize>]) -> Option<Claim> {
        Claim::of(Layout { shape: &[rows, 3], max_shape, chunk: &[64, 3], element_size: 8 })
    }

    #[test]
    fn only_datasets_that_grow_by_rows_are_accepted() {
        let claim_of_65 = claim(65, &[None, Some(3)]).unwrap();
        assert_eq!((claim_of_65.chunks, claim_of_65.chunk_bytes), (2, 1536));
        for max_shape in [&[None, Some(1 << 40)][..], &[Some(1 << 40), Some(3)], &[None, None], &[None]] {
            assert!(claim(65, max_shape).is_none(), "{max_shape:?}");
        }
        let other_chunks = Layout { shape: &[65, 3], max_shape: &[None, Some(3)], chunk: &[64, 1], element_size: 8 };
        assert!(Claim::of(other_chunks).is_none());
    }

    #[test]
    fn all_datasets_share_what_the_file_can_hold() {
        let limit = SizeLimit::of_file(16);
        let tiny = Claim { chunks: 1, chunk_bytes: 1 };
        assert!(limit.check_claims([tiny; 2]).is_ok());
        assert!(limit.check_claims([tiny; 3]).unwrap_err().contains("more chunks"));
        let large = Claim { chunks: 1, chunk_bytes: 8 * 1032 };
        assert!(limit.check_claims([large; 2]).is_ok());
        assert!(limit.check_claims([large, Claim { chunk_bytes: large.chunk_bytes + 1, ..large }]).is_err());
        assert!(limit.check_claims([Claim { chunks: u64::MAX, chunk_bytes: u64::MAX }]).is_err());
        assert!(limit.check("numbers", None).is_err());
    }
}
