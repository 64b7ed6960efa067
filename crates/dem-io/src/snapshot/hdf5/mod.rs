//! The only place that talks to an HDF5 library: typed datasets, attributes, and a wall against
//! damaged files.
//!
//! Two libraries stand behind the same few operations ([`ReadableFile`], [`WritableFile`]): the
//! pure-Rust one ([`pure`]), and with the feature `hdf5-c` the C library (`c_library`), which
//! then writes and reads all snapshots.
//!
//! The libraries check most of what they decode, but they are large, and some of the internal
//! expectations of the young one are `unwrap`s. A file is foreign input, so every call goes through
//! [`guarded`], which turns a panic into an error. Sizes are checked here before a library
//! allocates ([`super::claims`]).

#[cfg(feature = "hdf5-c")]
mod c_library;
mod deflation;
mod pure;
mod source;
mod superblock;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use self::superblock::Superblock;
use super::frame::{ColumnData, Element};
use crate::error::{Error, Result};

#[cfg(all(test, feature = "hdf5-c"))]
pub(super) use self::c_library::ALIGNMENT;
pub(super) use self::source::Source;

/// Failure inside one access to a file, before the path is known.
pub(super) type Failure = String;
/// Result of one access to a file.
pub(super) type Access<T> = std::result::Result<T, Failure>;

/// Runs an access to a file; library errors and panics become [`Error::Snapshot`].
pub(super) fn guarded<T>(path: &Path, access: impl FnOnce() -> Access<T>) -> Result<T> {
    // Unwind safety: the closure owns or recreates every handle it touches, and a handle that
    // saw a panic is only ever read again through this function.
    let outcome = catch_unwind(AssertUnwindSafe(access)).unwrap_or_else(|_| Err("its structure is damaged".to_owned()));
    outcome.map_err(|reason| Error::Snapshot { path: path.to_path_buf(), reason })
}

/// Adapter for `map_err` that names the object an operation failed on.
fn failed_on<E: std::fmt::Display>(name: &str) -> impl FnOnce(E) -> Failure {
    move |error| format!("{name}: {error}")
}

/// Longest unit or meaning of a column [byte].
pub(super) const MAX_TEXT: usize = 4096;
/// Rows in a chunk of a per-frame dataset: a compromise between small files and few chunks.
const PER_FRAME_CHUNK_ROWS: usize = 256;

/// How the rows of a new dataset are stored.
#[derive(Debug, Clone, Copy)]
pub(super) enum Storage {
    /// Compressed chunks that are written once and never touched again.
    Bulk {
        /// Rows in a chunk.
        chunk_rows: usize,
    },
    /// One row for each frame, uncompressed so that a new row overwrites nothing but itself.
    PerFrame,
}

/// A dataset to be created.
#[derive(Debug, Clone)]
pub(super) struct NewDataset<'a> {
    pub(super) element: Element,
    pub(super) shape: Vec<usize>,
    /// Whether it may grow along the first dimension, without end.
    pub(super) grows: bool,
    pub(super) chunk: Vec<usize>,
    pub(super) compressed: bool,
    pub(super) unit: &'a str,
    pub(super) meaning: &'a str,
}

impl<'a> NewDataset<'a> {
    /// An empty dataset that grows by rows.
    pub(super) fn of_rows(
        element: Element,
        width: usize,
        storage: Storage,
        unit: &'a str,
        meaning: &'a str,
    ) -> NewDataset<'a> {
        let (chunk_rows, compressed) = match storage {
            Storage::Bulk { chunk_rows } => (chunk_rows, true),
            Storage::PerFrame => (PER_FRAME_CHUNK_ROWS, false),
        };
        let (shape, chunk) = (extent(0, width), extent(chunk_rows, width));
        NewDataset { element, shape, grows: true, chunk, compressed, unit, meaning }
    }

    /// Largest extents; none where there is none.
    fn max_shape(&self) -> Vec<Option<usize>> {
        let mut largest: Vec<Option<usize>> = self.shape.iter().copied().map(Some).collect();
        if let Some(rows) = largest.first_mut().filter(|_| self.grows) {
            *rows = None;
        }
        largest
    }
}

/// Extent of a dataset with `rows` rows.
fn extent(rows: usize, width: usize) -> Vec<usize> {
    if width == 1 { vec![rows] } else { vec![rows, width] }
}

/// What a VTKHDF group holds, the value of its attribute `Type`.
#[derive(Debug, Clone, Copy)]
pub(super) enum VtkType {
    PolyData,
    ImageData,
}

/// Form of a dataset that is read.
#[derive(Debug, Clone)]
pub(super) struct Form {
    shape: Vec<usize>,
    max_shape: Vec<Option<usize>>,
    /// Empty if there are none.
    chunk: Vec<usize>,
    element: Element,
    /// Whether the library reads such chunks without reaching for other files or more memory than they need.
    harmless: bool,
}

/// A file open for reading. Objects are named by their path from the root.
pub(super) trait ReadableFile: Send + Sync {
    /// Whether the root has a group of this name.
    fn has_group(&self, name: &str) -> Access<bool>;
    /// Names of the attributes of a group, `/` for the root.
    fn attribute_names(&self, group: &str) -> Access<Vec<String>>;
    /// A text among the attributes of a group, `/` for the root.
    fn text(&self, group: &str, attribute: &str) -> Access<String>;
    /// A dataset.
    fn dataset(&self, name: &str) -> Access<Box<dyn ReadableDataset + '_>>;
}

/// A dataset open for reading.
pub(super) trait ReadableDataset {
    /// Its form; an error if its numbers are of a type that snapshots do not have.
    fn form(&self) -> Access<Form>;
    /// A text among its attributes.
    fn text(&self, attribute: &str) -> Access<String>;
    /// Numbers of rows of a dataset of that element type and of one or two dimensions, all columns of them.
    fn read(&self, element: Element, first_row: usize, rows: usize, width: usize) -> Access<ColumnData>;
}

/// A file open for writing. Objects are named by their path from the root, `/` is the root.
pub(super) trait WritableFile {
    /// Creates a group whose parent exists.
    fn create_group(&self, path: &str) -> Access<()>;
    /// Creates a dataset with its unit and meaning, in a group that exists.
    fn create_dataset(&self, path: &str, dataset: &NewDataset<'_>) -> Access<()>;
    /// Gives a group a text.
    fn set_text(&self, group: &str, attribute: &str, text: &str) -> Access<()>;
    /// Says what a VTKHDF group holds, in ASCII of fixed length as VTK demands it.
    fn set_vtk_type(&self, group: &str, kind: VtkType) -> Access<()>;
    /// Gives a group an integer, or another one.
    fn set_integer(&self, group: &str, attribute: &str, value: i64) -> Access<()>;
    /// Gives a group a list of numbers.
    fn set_numbers(&self, group: &str, attribute: &str, numbers: &ColumnData) -> Access<()>;
    /// Rows that a dataset has now.
    fn rows(&self, dataset: &str) -> Access<usize>;
    /// Writes rows from `first_row`, a chunk boundary that the dataset does not reach beyond, as whole chunks; the
    /// rest of the last chunk is zero. Grows the dataset to end with the last row.
    fn write_chunks(
        &self,
        dataset: &str,
        chunk_rows: usize,
        first_row: usize,
        width: usize,
        rows: &ColumnData,
    ) -> Access<()>;
    /// Writes the rows of frames from `first` on of a per-frame dataset of a width, growing it as needed.
    fn write_frame_rows(&self, dataset: &str, first: usize, width: usize, rows: &ColumnData) -> Access<()>;
    /// Writes all numbers of a dataset of fixed size.
    fn write_all(&self, dataset: &str, numbers: &[f64]) -> Access<()>;
    /// Sees to it that what was written so far is in the file before what follows.
    fn keep_order(&self) -> Access<()>;
    /// Completes the file; it is not yet on the disk.
    fn close(self: Box<Self>) -> Access<()>;
    /// Leaves a file that could not be completed.
    fn abandon(self: Box<Self>);
}

/// The libraries there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Library {
    /// The crate `rust-hdf5`.
    #[cfg_attr(feature = "hdf5-c", allow(dead_code))] // then only tests ask for it
    PureRust,
    /// The C library.
    #[cfg(feature = "hdf5-c")]
    C,
}

impl Library {
    /// The one that snapshots are written and read with.
    #[cfg(not(feature = "hdf5-c"))]
    pub(super) const CHOSEN: Self = Self::PureRust;
    /// The one that snapshots are written and read with.
    #[cfg(feature = "hdf5-c")]
    pub(super) const CHOSEN: Self = Self::C;

    /// Opens for reading. No system lock is taken: a viewer must never stop a running simulation.
    pub(super) fn open(self, path: &Path) -> Access<Box<dyn ReadableFile>> {
        match self {
            Self::PureRust => pure::open(path),
            #[cfg(feature = "hdf5-c")]
            Self::C => c_library::open(path),
        }
    }

    /// Opens for appending at most so many bytes, without a system lock for the same reason.
    pub(super) fn open_for_append(self, path: &Path, room: u64) -> Access<Box<dyn WritableFile>> {
        match self {
            Self::PureRust => pure::open_for_append(path, room),
            #[cfg(feature = "hdf5-c")]
            Self::C => c_library::open_for_append(path, room),
        }
    }

    /// Creates a file, replacing an existing one.
    pub(super) fn create(self, path: &Path) -> Access<Box<dyn WritableFile>> {
        match self {
            Self::PureRust => pure::create(path),
            #[cfg(feature = "hdf5-c")]
            Self::C => c_library::create(path),
        }
    }

    /// Whether rewriting a new file may give its structure another place, until it has settled.
    pub(super) fn moves_structure(self) -> bool {
        self == Self::PureRust
    }

    /// Whether a reader may keep its file open. All handles of the C library in a process share the state of a
    /// file: with one open for reading, later ones would see what it saw.
    pub(super) fn readers_stay_open(self) -> bool {
        self == Self::PureRust
    }

    /// Whether a file with frames was left by this library in a state in which appending to it loses no frame,
    /// whatever happens: the other library places the structure of its files in another way, and what an append that
    /// was cut short by a crash has left in the indices of the C library names places that it does not count as taken.
    pub(super) fn can_append_to(self, path: &Path) -> Result<bool> {
        let found = Superblock::read(path).map_err(Error::system("read", path))?;
        Ok(found.is_some_and(|found| match self {
            Self::PureRust => found.version == superblock::OF_PURE_RUST,
            #[cfg(feature = "hdf5-c")]
            Self::C => found.version == superblock::OF_C_LIBRARY && found.end == found.length,
        }))
    }
}
