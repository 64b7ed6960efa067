//! What can be wrong with a file of clumps.

use std::io;
use std::path::{Path, PathBuf};

use crate::units;

/// Largest file `[byte]`.
pub const LARGEST: u64 = 16 * 1024 * 1024;
/// Most spheres in a file `[-]`.
pub const MOST_SPHERES: usize = 100_000;

/// A file of clumps that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClumpFileError {
    /// The operating system failed, or the text is not UTF-8.
    #[error("{}: cannot be read: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What failed.
        source: io::Error,
    },
    /// More bytes than allowed.
    #[error("{}: larger than {LARGEST} bytes", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// What is in a line.
    #[error("{}:{line}: {fault}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        fault: LineFault,
    },
    /// What the file as a whole lacks.
    #[error("{}: {fault}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        fault: FileFault,
    },
}

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LineFault {
    /// A field that is not the number that belongs there.
    #[error("column {column} ({name}) is \"{text}\", {fault}")]
    Number {
        /// Number of the column, from 1.
        column: usize,
        /// What the column means.
        name: &'static str,
        /// The field as written.
        text: String,
        /// What is expected.
        fault: NumberFault,
    },
    /// Too many or too few fields.
    #[error("{found} fields, expected {expected}")]
    FieldCount {
        /// Fields of the line.
        found: usize,
        /// What the line should be.
        expected: &'static str,
    },
    /// Fields of a row unlike its header.
    #[error("{found} fields, expected {expected} as in the header")]
    RowLength {
        /// Fields of the row.
        found: usize,
        /// Fields of the header.
        expected: usize,
    },
    /// A column that has no meaning here.
    #[error("column {column} has the unknown name \"{name}\", expected x, y, z and r")]
    UnknownColumn {
        /// Number of the column, from 1.
        column: usize,
        /// The name as written.
        name: String,
    },
    /// A column that stands twice.
    #[error("the column `{name}` appears twice")]
    RepeatedColumn {
        /// Its name.
        name: &'static str,
    },
    /// A column that is required.
    #[error("the column `{name}` is missing, x, y, z and r are required, separated by commas")]
    MissingColumn {
        /// Its name.
        name: &'static str,
    },
    /// A format line of a file that has no clumps.
    #[error("the format is \"{found}\", expected x_y_z_r or x_y_z_r_clumpId")]
    OtherFormat {
        /// The format that the file names.
        found: String,
    },
    /// Spheres of a clump that do not stand together.
    #[error("clump {id} appears again after another one, expected its spheres in lines that follow each other")]
    ClumpAgain {
        /// Number of the clump.
        id: i64,
    },
    /// Neither a word of the header nor a section of a molecule that is known.
    #[error(
        "\"{found}\" is unknown{hint}; known are the words atoms, mass, com and inertia of the header, and the sections Coords, Diameters, \
         Types and Masses"
    )]
    UnknownSection {
        /// The line as written.
        found: String,
        /// Either empty or `, did you mean …?`.
        hint: String,
    },
    /// A count of what rigid spheres do not have.
    #[error("{count} {name}, expected 0 or no such line: rigid clumps have none")]
    NotRigid {
        /// The count.
        count: String,
        /// What is counted.
        name: &'static str,
    },
    /// A word of the header below the first section.
    #[error("`{name}` stands below a section, expected the header above all sections")]
    LateHeader {
        /// The word.
        name: &'static str,
    },
    /// A word of the header or a section that stands twice.
    #[error("`{name}` appears twice")]
    Repeated {
        /// Its name.
        name: &'static str,
    },
    /// A section before the number of its lines.
    #[error("the section {name} begins before a line `N atoms`")]
    EarlySection {
        /// Its name.
        name: &'static str,
    },
    /// Text where programs skip a line.
    #[error("\"{found}\" stands directly below the section {name}, expected an empty line, which is skipped")]
    NoEmptyLine {
        /// Its name.
        name: &'static str,
        /// The line as written.
        found: String,
    },
    /// A section that ends too early.
    #[error("the section {name} ends after {found} of {expected} lines")]
    Truncated {
        /// Its name.
        name: &'static str,
        /// Lines that it has.
        found: usize,
        /// Lines that it should have.
        expected: usize,
    },
    /// A section with lines left over.
    #[error("the section {name} goes on after {expected} lines, expected the name of a section")]
    TooLong {
        /// Its name.
        name: &'static str,
        /// Lines that it should have.
        expected: usize,
    },
    /// A sphere that stands twice in a section.
    #[error("the section {name} has sphere {number} twice")]
    RepeatedSphere {
        /// Name of the section.
        name: &'static str,
        /// Number of the sphere, from 1.
        number: usize,
    },
}

/// What is wrong with a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NumberFault {
    /// Not a finite decimal number.
    #[error("expected a finite number")]
    NoNumber,
    /// A number beyond [`LARGEST`](crate::units::LARGEST).
    #[error("expected a number of at most {:e}", units::LARGEST)]
    TooLarge,
    /// A length or mass of zero or less.
    #[error("expected a number > 0")]
    NotPositive,
    /// Not a whole number.
    #[error("expected a whole number")]
    NotWhole,
    /// A count or the number of a sphere out of range.
    #[error("expected a whole number from 1 to {0}")]
    OutOfRange(usize),
}

/// What is wrong with a file as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileFault {
    /// No spheres.
    #[error("has no spheres, expected {expected}")]
    Empty {
        /// What lines should be there.
        expected: &'static str,
    },
    /// A section that is required.
    #[error("has no section {name}, expected a line for each sphere")]
    MissingSection {
        /// Its name.
        name: &'static str,
    },
    /// More spheres than allowed.
    #[error("has more than {MOST_SPHERES} spheres")]
    TooManySpheres,
}

/// The file that errors name.
#[derive(Clone, Copy)]
pub(super) struct Origin<'a>(pub &'a Path);

impl Origin<'_> {
    pub fn io(self, source: io::Error) -> ClumpFileError {
        ClumpFileError::Io { path: self.0.into(), source }
    }

    pub fn too_large(self) -> ClumpFileError {
        ClumpFileError::TooLarge { path: self.0.into() }
    }

    pub fn line(self, line: usize, fault: LineFault) -> ClumpFileError {
        ClumpFileError::Line { path: self.0.into(), line, fault }
    }

    pub fn file(self, fault: FileFault) -> ClumpFileError {
        ClumpFileError::File { path: self.0.into(), fault }
    }
}
