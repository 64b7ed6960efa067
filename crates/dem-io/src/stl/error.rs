//! What can be wrong with an STL file.

use std::io;
use std::path::{Path, PathBuf};

/// Largest file `[byte]`.
pub const LARGEST: u64 = 256 * 1024 * 1024;

/// An STL file that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StlError {
    /// The operating system failed.
    #[error("{}: cannot be read: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What failed.
        source: io::Error,
    },
    /// A directory, pipe or device.
    #[error("{}: is not a regular file", path.display())]
    NotAFile {
        /// The path.
        path: PathBuf,
    },
    /// More bytes than allowed.
    #[error("{}: larger than {LARGEST} bytes", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// What is in it.
    #[error("{}: {form}", path.display())]
    Form {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        form: FormError,
    },
}

/// Contents that are not triangles.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FormError {
    /// Neither text nor long enough for a header.
    #[error("is no STL file, expected text with a line that begins with `solid`, or a header of 84 bytes")]
    NoStl,
    /// The length contradicts the number of facets.
    #[error(
        "is no STL file or is cut off: its header announces {facets} facets, which take {expected} bytes, it has {found}; a text would \
         have a line that begins with `solid`"
    )]
    Length {
        /// Facets that the header announces.
        facets: u32,
        /// Bytes that they take.
        expected: u64,
        /// Bytes of the file.
        found: usize,
    },
    /// No facet.
    #[error("has no facets, expected at least one")]
    Empty,
    /// A coordinate that is not finite.
    #[error("facet {facet} has a corner that is not finite, expected three finite coordinates")]
    NotFinite {
        /// Number of the facet, from 1.
        facet: usize,
    },
    /// A word that does not belong there.
    #[error("line {line}: {found}, expected {expected}")]
    Text {
        /// The line, from 1.
        line: usize,
        /// What is expected.
        expected: &'static str,
        /// What is there.
        found: String,
    },
}

/// The file that errors name.
#[derive(Clone, Copy)]
pub(super) struct Origin<'a>(pub &'a Path);

impl Origin<'_> {
    pub fn io(self, source: io::Error) -> StlError {
        StlError::Io { path: self.0.into(), source }
    }

    pub fn form(self, form: FormError) -> StlError {
        StlError::Form { path: self.0.into(), form }
    }
}
