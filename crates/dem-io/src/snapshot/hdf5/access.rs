//! What an HDF5 library has to do for snapshots, whichever it is: a few operations on files and datasets, and how they fail.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use super::super::frame::{ColumnData, Element};
use crate::error::{Error, Result};

/// Failure inside one access to a file, before the path is known.
pub(in super::super) type Failure = String;
/// Result of one access to a file.
pub(in super::super) type Access<T> = std::result::Result<T, Failure>;

/// Runs an access to a file; library errors and panics become [`Error::Snapshot`].
pub(in super::super) fn guarded<T>(path: &Path, access: impl FnOnce() -> Access<T>) -> Result<T> {
    // Unwind safety: the closure owns or recreates every handle it touches, and a handle that
    // saw a panic is only ever read again through this function.
    let outcome = catch_unwind(AssertUnwindSafe(access)).unwrap_or_else(|_| Err("its structure is damaged".to_owned()));
    outcome.map_err(|reason| Error::Snapshot { path: path.to_path_buf(), reason })
}

/// Adapter for `map_err` that names the object an operation failed on.
pub(super) fn failed_on<E: std::fmt::Display>(name: &str) -> impl FnOnce(E) -> Failure {
    move |error| format!("{name}: {error}")
}

/// Longest unit or meaning of a column [byte].
pub(in super::super) const MAX_TEXT: usize = 4096;
/// Rows in a chunk of a per-frame dataset: a compromise between small files and few chunks.
const PER_FRAME_CHUNK_ROWS: usize = 256;

/// How the rows of a new dataset are stored.
#[derive(Debug, Clone, Copy)]
pub(in super::super) enum Storage {
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
pub(in super::super) struct NewDataset<'a> {
    pub(in super::super) element: Element,
    pub(in super::super) shape: Vec<usize>,
    /// Whether it may grow along the first dimension, without end.
    pub(in super::super) grows: bool,
    pub(in super::super) chunk: Vec<usize>,
    pub(in super::super) compressed: bool,
    pub(in super::super) unit: &'a str,
    pub(in super::super) meaning: &'a str,
}

impl<'a> NewDataset<'a> {
    /// An empty dataset that grows by rows.
    pub(in super::super) fn of_rows(
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
    pub(super) fn max_shape(&self) -> Vec<Option<usize>> {
        let mut largest: Vec<Option<usize>> = self.shape.iter().copied().map(Some).collect();
        if let Some(rows) = largest.first_mut().filter(|_| self.grows) {
            *rows = None;
        }
        largest
    }
}

/// Extent of a dataset with `rows` rows.
pub(super) fn extent(rows: usize, width: usize) -> Vec<usize> {
    if width == 1 { vec![rows] } else { vec![rows, width] }
}

/// What a VTKHDF group holds, the value of its attribute `Type`.
#[derive(Debug, Clone, Copy)]
pub(in super::super) enum VtkType {
    PolyData,
    ImageData,
}

/// Form of a dataset that is read.
#[derive(Debug, Clone)]
pub(in super::super) struct Form {
    pub(super) shape: Vec<usize>,
    pub(super) max_shape: Vec<Option<usize>>,
    /// Empty if there are none.
    pub(super) chunk: Vec<usize>,
    pub(super) element: Element,
    /// Whether the library reads such chunks without reaching for other files or more memory than they need.
    pub(super) harmless: bool,
}

/// A file open for reading. Objects are named by their path from the root.
pub(in super::super) trait ReadableFile: Send + Sync {
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
pub(in super::super) trait ReadableDataset {
    /// Its form; an error if its numbers are of a type that snapshots do not have.
    fn form(&self) -> Access<Form>;
    /// A text among its attributes.
    fn text(&self, attribute: &str) -> Access<String>;
    /// Numbers of rows of a dataset of that element type and of one or two dimensions, all columns of them.
    fn read(&self, element: Element, first_row: usize, rows: usize, width: usize) -> Access<ColumnData>;
}

/// A file open for writing. Objects are named by their path from the root, `/` is the root.
pub(in super::super) trait WritableFile {
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
