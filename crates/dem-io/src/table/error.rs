//! What can be wrong with a table.

use std::io;
use std::path::{Path, PathBuf};

use crate::text_lines::LONGEST_LINE;
use crate::units::LARGEST;

/// A table that cannot be read, with file, line (from 1) and column (from 1).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The operating system or the gzip stream failed.
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
    /// More bytes than allowed, after decompression.
    #[error("{}: larger than {limit} bytes after decompression", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The limit `[byte]`.
        limit: u64,
    },
    /// More rows than allowed.
    #[error("{}: more than {limit} rows", path.display())]
    TooManyRows {
        /// The file.
        path: PathBuf,
        /// The limit `[-]`.
        limit: usize,
    },
    /// A line that is too long to be a row.
    #[error("{}:{line}: line longer than {LONGEST_LINE} bytes", path.display())]
    LineTooLong {
        /// The file.
        path: PathBuf,
        /// The line.
        line: u64,
    },
    /// No line but comments.
    #[error("{}: no header line, expected a line such as `{example}`", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
        /// A header line.
        example: &'static str,
    },
    /// A required column is absent.
    #[error("{}:{line}: the column `{name}` is missing, {required} required, separated by commas, semicolons, tabs or blanks", path.display())]
    MissingColumn {
        /// The file.
        path: PathBuf,
        /// The header line.
        line: u64,
        /// The column that is missing.
        name: &'static str,
        /// What every such table has, with its verb.
        required: &'static str,
    },
    /// A column that has no meaning here.
    #[error("{}:{line}: column {column} has the unknown name `{name}`{hint}; known are {}", path.display(), known.join(", "))]
    UnknownColumn {
        /// The file.
        path: PathBuf,
        /// The header line.
        line: u64,
        /// The number of the column.
        column: usize,
        /// The name as written.
        name: String,
        /// Either empty or `, did you mean …?`.
        hint: String,
        /// The names that have a meaning.
        known: Vec<&'static str>,
    },
    /// A column appears twice.
    #[error("{}:{line}: the column `{name}` appears twice", path.display())]
    RepeatedColumn {
        /// The file.
        path: PathBuf,
        /// The header line.
        line: u64,
        /// The name.
        name: &'static str,
    },
    /// Rows without names of their columns.
    #[error("{}:{line}: a row of numbers without a header, expected a line such as `{example}` or `# {example}` before it", path.display())]
    NoHeader {
        /// The file.
        path: PathBuf,
        /// The first row.
        line: u64,
        /// A header line.
        example: &'static str,
    },
    /// A header with commas and semicolons.
    #[error("{}:{line}: the header has commas and semicolons, expected one of both between columns", path.display())]
    TwoSeparators {
        /// The file.
        path: PathBuf,
        /// The header line.
        line: u64,
    },
    /// Two columns that say how large a particle is.
    #[error("{}:{line}: the columns `{first}` and `{second}` both give the size, expected one of r, radius, d and diameter", path.display())]
    SizeTwice {
        /// The file.
        path: PathBuf,
        /// The header line.
        line: u64,
        /// The first of them.
        first: &'static str,
        /// The second one.
        second: &'static str,
    },
    /// Two rows with the same id.
    #[error("{}:{line}: id {id} is that of the particle in line {first}", path.display())]
    RepeatedId {
        /// The file.
        path: PathBuf,
        /// The second line.
        line: u64,
        /// The id.
        id: u64,
        /// The first line.
        first: u64,
    },
    /// A row with too many or too few fields.
    #[error("{}:{line}: {found} fields separated by {separator}, expected {expected} as in the header", path.display())]
    FieldCount {
        /// The file.
        path: PathBuf,
        /// The line.
        line: u64,
        /// Fields of the row.
        found: usize,
        /// Fields of the header.
        expected: usize,
        /// What is taken to separate them.
        separator: &'static str,
    },
    /// A field that does not fit its column.
    #[error("{}:{line}: column {column} ({name}) is \"{text}\", {reason}", path.display())]
    Cell {
        /// The file.
        path: PathBuf,
        /// The line.
        line: u64,
        /// The number of the column.
        column: usize,
        /// The name of the column.
        name: &'static str,
        /// The field as written.
        text: String,
        /// What is expected.
        reason: CellError,
    },
}

/// What is wrong with one field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CellError {
    /// Not a finite decimal number.
    #[error("expected a finite number")]
    NoNumber,
    /// A number beyond [`LARGEST`](crate::units::LARGEST).
    #[error("expected a number of at most {LARGEST:e}")]
    TooLarge,
    /// A radius of zero or less.
    #[error("expected a radius > 0 [m]")]
    RadiusNotPositive,
    /// A diameter of zero or less.
    #[error("expected a diameter > 0 [m]")]
    DiameterNotPositive,
    /// An id that is no whole number from 0.
    #[error("expected a whole number from 0")]
    NoId,
    /// Four numbers that are no unit quaternion.
    #[error("expected qx, qy, qz, qw of length 1")]
    NoRotation,
    /// A name that is not UTF-8.
    #[error("expected UTF-8 text")]
    NotUtf8,
    /// Too many different materials.
    #[error("expected at most 65536 different materials")]
    TooManyMaterials,
}

impl TableError {
    pub(super) fn io(path: &Path, source: io::Error) -> Self {
        Self::Io { path: path.into(), source }
    }
}
