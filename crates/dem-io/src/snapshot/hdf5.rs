//! The only place that talks to the HDF5 library: typed datasets, attributes, and a wall against
//! damaged files.
//!
//! The library checks most of what it decodes, but it is large and young, and some of its
//! internal expectations are `unwrap`s. A file is foreign input, so every call goes through
//! [`guarded`], which turns a panic into an error. Sizes are checked here before the library
//! allocates ([`super::claims`]).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use rust_hdf5::types::VarLenUnicode;
use rust_hdf5::{ChunkIndex, DatatypeMessage, H5Dataset, H5File, H5Group, H5Type, Hdf5Error};

use super::claims::{Claim, Layout, SizeLimit};
use super::frame::{ColumnData, Element};
use crate::error::{Error, Result};

/// Failure inside one access to a file, before the path is known.
pub(super) type Failure = String;

/// Runs an access to a file; library errors and panics become [`Error::Snapshot`].
pub(super) fn guarded<T>(path: &Path, access: impl FnOnce() -> std::result::Result<T, Failure>) -> Result<T> {
    // Unwind safety: the closure owns or recreates every handle it touches, and a handle that
    // saw a panic is only ever read again through this function.
    let outcome = catch_unwind(AssertUnwindSafe(access)).unwrap_or_else(|_| Err("its structure is damaged".to_owned()));
    outcome.map_err(|reason| Error::Snapshot { path: path.to_path_buf(), reason })
}

/// Adapter for `map_err` that names the object an operation failed on.
pub(super) fn failed_on(name: &str) -> impl FnOnce(Hdf5Error) -> Failure {
    move |error| format!("{name}: {error}")
}

/// Opens for reading. No system lock is taken: a viewer must never stop a running simulation.
pub(super) fn open(path: &Path) -> std::result::Result<H5File, Failure> {
    H5File::options().no_locking().open(path).map_err(|error| error.to_string())
}

/// Opens for appending, without a system lock for the same reason.
pub(super) fn open_for_append(path: &Path) -> std::result::Result<H5File, Failure> {
    H5File::options().no_locking().open_rw(path).map_err(|error| error.to_string())
}

/// Creates a file, replacing an existing one.
pub(super) fn create(path: &Path) -> std::result::Result<H5File, Failure> {
    H5File::options().no_locking().create(path).map_err(|error| error.to_string())
}

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

/// Longest unit or meaning of a column [byte].
pub(super) const MAX_TEXT: usize = 4096;
/// Rows in a chunk of a per-frame dataset: a compromise between small files and few chunks.
const PER_FRAME_CHUNK_ROWS: usize = 256;

/// Creates an empty dataset that grows along its first dimension.
pub(super) fn create_dataset(
    group: &H5Group,
    name: &str,
    element: Element,
    width: usize,
    storage: Storage,
    unit: &str,
    meaning: &str,
) -> std::result::Result<(), Failure> {
    match element {
        Element::F64 => create_typed::<f64>(group, name, width, storage, unit, meaning),
        Element::U64 => create_typed::<u64>(group, name, width, storage, unit, meaning),
        Element::I64 => create_typed::<i64>(group, name, width, storage, unit, meaning),
        Element::U32 => create_typed::<u32>(group, name, width, storage, unit, meaning),
        Element::U8 => create_typed::<u8>(group, name, width, storage, unit, meaning),
    }
}

fn create_typed<T: H5Type>(
    group: &H5Group,
    name: &str,
    width: usize,
    storage: Storage,
    unit: &str,
    meaning: &str,
) -> std::result::Result<(), Failure> {
    let chunk_rows = match storage {
        Storage::Bulk { chunk_rows } => chunk_rows,
        Storage::PerFrame => PER_FRAME_CHUNK_ROWS,
    };
    let builder = group.new_dataset::<T>();
    let builder = if width == 1 {
        builder.shape([0]).chunk(&[chunk_rows]).max_shape(&[None])
    } else {
        builder.shape([0, width]).chunk(&[chunk_rows, width]).max_shape(&[None, Some(width)])
    };
    let builder = match storage {
        Storage::Bulk { .. } => builder.shuffle_deflate(1),
        Storage::PerFrame => builder,
    };
    let dataset = builder.create(name).map_err(failed_on(name))?;
    for (attribute, text) in [("unit", unit), ("meaning", meaning)] {
        dataset
            .new_attr::<VarLenUnicode>()
            .shape(())
            .create(attribute)
            .and_then(|attribute| attribute.write_string(text))
            .map_err(failed_on(name))?;
    }
    Ok(())
}

/// Rows a dataset open for appending has now.
pub(super) fn rows(file: &H5File, name: &str) -> std::result::Result<usize, Failure> {
    let shape = writer(file, name)?.shape();
    shape.first().copied().ok_or_else(|| format!("{name} has no rows"))
}

fn writer(file: &H5File, name: &str) -> std::result::Result<H5Dataset, Failure> {
    file.dataset_writer(name).map_err(failed_on(name))
}

/// Extent of a dataset with `rows` rows.
fn extent(rows: usize, width: usize) -> Vec<usize> {
    if width == 1 { vec![rows] } else { vec![rows, width] }
}

/// Writes rows from `first_row`, a chunk boundary, as whole chunks; the rest of the last chunk is
/// zero. Grows the dataset to end with the last row.
pub(super) fn write_chunks(
    file: &H5File,
    name: &str,
    chunk_rows: usize,
    first_row: usize,
    width: usize,
    data: &ColumnData,
) -> std::result::Result<(), Failure> {
    let dataset = writer(file, name)?;
    let rows = data.len() / width;
    let chunk_bytes = chunk_rows * width * data.element().size();
    let bytes = data.bytes();
    let mut last = bytes.chunks_exact(chunk_bytes).remainder().to_vec();
    let first_chunk = first_row / chunk_rows;
    let mut chunks: Vec<(usize, &[u8])> =
        bytes.chunks_exact(chunk_bytes).enumerate().map(|(index, chunk)| (first_chunk + index, chunk)).collect();
    if !last.is_empty() {
        last.resize(chunk_bytes, 0);
        chunks.push((first_chunk + chunks.len(), &last));
    }
    dataset
        .write_chunks_batch(&chunks)
        .and_then(|()| dataset.extend(&extent(first_row + rows, width)))
        .map_err(failed_on(name))
}

/// Writes the row of frame `frame` of a per-frame dataset, growing it by one row if needed.
pub(super) fn write_frame_row<T: H5Type>(
    file: &H5File,
    name: &str,
    frame: usize,
    row: &[T],
) -> std::result::Result<(), Failure> {
    let dataset = writer(file, name)?;
    let (starts, counts) = if row.len() == 1 { (vec![frame], vec![1]) } else { (vec![frame, 0], vec![1, row.len()]) };
    if dataset.shape().first().is_some_and(|&rows| rows <= frame) {
        dataset.extend(&extent(frame + 1, row.len())).map_err(failed_on(name))?;
    }
    dataset.write_slice(&starts, &counts, row).map_err(failed_on(name))
}

/// Shape of a dataset: rows and numbers in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) rows: usize,
    pub(super) width: usize,
}

/// A dataset open for reading whose chunk size is known to be sane.
pub(super) struct Source {
    dataset: H5Dataset,
    name: String,
    limit: SizeLimit,
    pub(super) claim: Claim,
    pub(super) shape: Shape,
    pub(super) chunk_rows: usize,
    pub(super) element: Element,
}

impl Source {
    /// Opens a dataset for reading.
    pub(super) fn open(file: &H5File, name: &str, limit: SizeLimit) -> std::result::Result<Self, Failure> {
        let dataset = file.dataset(name).map_err(failed_on(name))?;
        let (rows, width) = match dataset.shape()[..] {
            [rows] => (rows, 1),
            [rows, width] => (rows, width),
            _ => return Err(format!("{name} has neither 1 nor 2 dimensions")),
        };
        let element = element_of(&dataset, name)?;
        // Other storage is refused: external and virtual storage would let a file read other files, and of no other index is it known
        // how much the library reserves for it.
        let shape = dataset.shape();
        let chunk = dataset.chunk_dims().unwrap_or_default();
        let max_shape = dataset.max_shape().map_err(failed_on(name))?;
        let layout = Layout { shape: &shape, max_shape: &max_shape, chunk: &chunk, element_size: element.size() };
        let extensible = dataset.chunk_index().map_err(failed_on(name))? == Some(ChunkIndex::ExtensibleArray);
        let claim = Claim::of(layout).filter(|_| extensible);
        let claim =
            claim.ok_or_else(|| format!("{name} is not stored in chunks of whole rows that grow without end"))?;
        limit.check_claims([claim])?;
        Ok(Self {
            dataset,
            name: name.to_owned(),
            limit,
            claim,
            shape: Shape { rows, width },
            chunk_rows: chunk[0],
            element,
        })
    }

    /// String attribute of the dataset, which may be as long as a column's unit and meaning.
    pub(super) fn text(&self, attribute: &str) -> std::result::Result<String, Failure> {
        let text = self
            .dataset
            .attr(attribute)
            .and_then(|attribute| attribute.read_string())
            .map_err(failed_on(&self.name))?;
        // many datasets may share one text
        if text.len() > MAX_TEXT {
            return Err(format!("{}: its {attribute} is longer than {MAX_TEXT} bytes", self.name));
        }
        Ok(text)
    }

    /// Reads rows as they are stored.
    pub(super) fn read(&self, first_row: usize, rows: usize) -> std::result::Result<ColumnData, Failure> {
        Ok(match self.element {
            Element::F64 => ColumnData::F64(self.read_typed(first_row, rows)?),
            Element::U64 => ColumnData::U64(self.read_typed(first_row, rows)?),
            Element::I64 => ColumnData::I64(self.read_typed(first_row, rows)?),
            Element::U32 => ColumnData::U32(self.read_typed(first_row, rows)?),
            Element::U8 => ColumnData::U8(self.read_typed(first_row, rows)?),
        })
    }

    fn read_typed<T: H5Type>(&self, first_row: usize, rows: usize) -> std::result::Result<Vec<T>, Failure> {
        let Shape { rows: all, width } = self.shape;
        if first_row.checked_add(rows).is_none_or(|end| end > all) {
            return Err(format!("{}: rows {first_row} and {rows} more are wanted of {all}", self.name));
        }
        let bytes = rows.checked_mul(width).and_then(|numbers| numbers.checked_mul(self.element.size()));
        self.limit.check(&self.name, bytes.map(|bytes| bytes as u64))?;
        if rows == 0 {
            return Ok(Vec::new());
        }
        let (starts, counts) = if self.dataset.ndims() == 1 {
            (vec![first_row], vec![rows])
        } else {
            (vec![first_row, 0], vec![rows, width])
        };
        self.dataset.read_slice(&starts, &counts).map_err(failed_on(&self.name))
    }

    /// Reads the first `rows` rows of a dataset of counts, one a row.
    pub(super) fn read_counts(&self, rows: usize) -> std::result::Result<Vec<usize>, Failure> {
        let ColumnData::I64(values) = self.read(0, rows)? else {
            return Err(format!("{} does not hold 64-bit integers", self.name));
        };
        if self.shape.width != 1 {
            return Err(format!("{} does not hold one number a row", self.name));
        }
        values
            .into_iter()
            .map(|value| usize::try_from(value).map_err(|_| format!("{} holds {value}", self.name)))
            .collect()
    }
}

fn element_of(dataset: &H5Dataset, name: &str) -> std::result::Result<Element, Failure> {
    let datatype: DatatypeMessage = dataset.datatype().map_err(failed_on(name))?;
    [
        (f64::hdf5_type(), Element::F64),
        (u64::hdf5_type(), Element::U64),
        (i64::hdf5_type(), Element::I64),
        (u32::hdf5_type(), Element::U32),
        (u8::hdf5_type(), Element::U8),
    ]
    .into_iter()
    .find(|(candidate, _)| *candidate == datatype)
    .map(|(_, element)| element)
    .ok_or_else(|| format!("{name} holds numbers of an unknown type"))
}
