//! What can be wrong with a file of a mesh.

use std::io;
use std::path::{Path, PathBuf};

use crate::stl::StlError;

/// Largest file `[byte]`.
pub const LARGEST: u64 = crate::stl::LARGEST;

/// Most triangles of a file. Polygons may make one of every byte.
pub const MOST_TRIANGLES: usize = 2_000_000;

/// A file of a mesh that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MeshFileError {
    /// The name has an ending that says nothing.
    #[error("{}: has no ending that tells its format, expected .stl, .obj or .ply", path.display())]
    Ending {
        /// The file.
        path: PathBuf,
    },
    /// An STL file.
    #[error(transparent)]
    Stl(#[from] StlError),
    /// The operating system failed.
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
    /// What is wrong with the whole.
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
    /// A word that is not the number that belongs there.
    #[error("{found}, expected a finite number for {name}")]
    Number {
        /// What is there.
        found: String,
        /// What the number means.
        name: &'static str,
    },
    /// A corner that is no number of a vertex.
    #[error("{found}, expected the number of a vertex, from 1 on, or from -1 on back from the last one")]
    Index {
        /// What is there.
        found: String,
    },
    /// A corner beyond the vertices.
    #[error("vertex {index}, expected one of the {vertices} of the file")]
    OutOfRange {
        /// The number of the vertex.
        index: i64,
        /// Vertices of the file.
        vertices: usize,
    },
    /// A face that is no area.
    #[error("a face of {corners} corners, expected 3 at least")]
    FewCorners {
        /// Its corners.
        corners: usize,
    },
    /// A text that is no UTF-8.
    #[error("no UTF-8 text, expected lines of words and numbers")]
    NoText,
    /// What the reader of PLY found.
    #[error("{0}")]
    Ply(String),
}

/// What is wrong with the whole of a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileFault {
    /// No face.
    #[error("has no faces, expected at least one")]
    Empty,
    /// An element that is needed.
    #[error("has no element {element} with {properties}")]
    MissingElement {
        /// The element.
        element: &'static str,
        /// What it should have.
        properties: &'static str,
    },
    /// More elements than the bytes behind the header can be.
    #[error(
        "is cut off or no PLY file: its header announces {count} of the element {element}, for which {bytes} bytes have no room"
    )]
    Announced {
        /// Name of the element.
        element: String,
        /// How many the header announces.
        count: usize,
        /// Bytes of the file behind the header.
        bytes: usize,
    },
    /// More than allowed.
    #[error("has more than {MOST_TRIANGLES} triangles")]
    TooMany,
    /// A face beyond the vertices.
    #[error("face {face} has the vertex {index}, expected 0 to {last}")]
    OutOfRange {
        /// Number of the face, from 1.
        face: usize,
        /// Number of the vertex.
        index: i64,
        /// Number of the last vertex.
        last: usize,
    },
    /// A face that is no area.
    #[error("face {face} has {corners} corners, expected 3 at least")]
    FewCorners {
        /// Number of the face, from 1.
        face: usize,
        /// Its corners.
        corners: usize,
    },
    /// A coordinate that is not finite.
    #[error("vertex {vertex} is not finite, expected three finite coordinates")]
    NotFinite {
        /// Number of the vertex, from 1.
        vertex: usize,
    },
    /// What the reader of PLY found.
    #[error("{0}")]
    Ply(String),
}

/// What is wrong, before the file is named.
pub(super) enum Fault {
    Line(usize, LineFault),
    File(FileFault),
}

impl Fault {
    pub fn of(self, path: &Path) -> MeshFileError {
        let path = path.to_path_buf();
        match self {
            Self::Line(line, fault) => MeshFileError::Line { path, line, fault },
            Self::File(fault) => MeshFileError::File { path, fault },
        }
    }
}
