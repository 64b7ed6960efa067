//! The HDF5 C library, through the crate `hdf5-metno`.
//!
//! # Crash safety
//!
//! The library writes column data and what it changed of the structure (extents, indices of chunks, attributes) at the
//! latest when it is told to after each of our operations, each block with its checksum by one write and at the place that
//! it has; new blocks lie behind all others. Then whatever part of that is carried out, the earlier frames are complete, as long as
//! the library opens the file. Three things would keep it from that, and are avoided:
//!
//! - A file of the newest format has a flag in its superblock that says that it is open, which a process that is killed leaves
//!   behind. Files are therefore created with the superblock of version 2, which has none, while their datasets are those of
//!   format 1.10: the pure-Rust library reads only their chunk index.
//! - The system may cut a write between two pages of memory when it kills the process. Blocks are therefore aligned so that none of
//!   those that are rewritten lies in two pages ([`ALIGNMENT`]); before they were, 1 of some 700 kills cut one.
//! - A file that is shorter than its superblock says is refused. So it is made longer before an append
//!   ([`open_for_append`]), and the library cuts it to its length when it closes it.
//!
//! A file that is longer than its superblock says is thus one whose last append was cut short. It is written anew before the
//! next append ([`super::Library::can_append_to`]), because its indices may name chunks in places that the superblock does not
//! count as taken.

use std::fs::OpenOptions;
use std::path::Path;

use hdf5::file::{FileBuilder, FileCloseDegree, LibraryVersion};
use hdf5::filters::Filter;
use hdf5::types::{FixedAscii, FixedUnicode, VarLenArray, VarLenUnicode};
use hdf5::{Attribute, Dataset, Extent, File, Group, H5Type};
use ndarray::{ArrayView1, ArrayView2};

use super::super::frame::{ColumnData, Element};
use super::access::{
    Access, Form, NewDataset, ReadableDataset, ReadableFile, VtkType, WritableFile, extent, failed_on,
};

/// Multiple of bytes at which blocks begin: half a page of memory, so that those that are rewritten lie in one page, the index of chunks of
/// up to about 2,000 of them included.
pub(in super::super) const ALIGNMENT: u64 = 2048;

/// Options of all files. Without a lock of the system, and closed when it is closed.
fn options(version: LibraryVersion) -> FileBuilder {
    let mut options = FileBuilder::new();
    options.with_fapl(|access| {
        access.libver_bounds(version, version).file_locking(false).fclose_degree(FileCloseDegree::Strong);
        // no larger blocks that are divided without regard to the alignment
        access.alignment(1, ALIGNMENT).meta_block_size(0).small_data_block_size(0)
    });
    options.with_fcpl(|creation| creation.obj_track_times(false));
    options
}

/// Opens for reading, through another driver than for writing: with the same one, the library would refuse to open the file for
/// an append as long as another thread reads it.
pub(super) fn open(path: &Path) -> Access<Box<dyn ReadableFile>> {
    let mut options = options(LibraryVersion::V110);
    options.fapl().stdio();
    Ok(Box::new(Reading(options.open(path).map_err(|error| error.to_string())?)))
}

/// Opens for appending at most `room` bytes, by which the file is longer until it is closed.
pub(super) fn open_for_append(path: &Path, room: u64) -> Access<Box<dyn WritableFile>> {
    let lengthen = || {
        let file = OpenOptions::new().write(true).open(path)?;
        file.set_len(file.metadata()?.len().saturating_add(room))
    };
    lengthen().map_err(|error| format!("make room: {error}"))?;
    open_for_writing(path)
}

/// Creates a file, replacing an existing one.
pub(super) fn create(path: &Path) -> Access<Box<dyn WritableFile>> {
    // the version of the superblock is fixed here, that of all else by the bounds of each opening
    let file = options(LibraryVersion::V18).create(path).map_err(|error| error.to_string())?;
    file.close().map_err(|error| error.to_string())?;
    open_for_writing(path)
}

fn open_for_writing(path: &Path) -> Access<Box<dyn WritableFile>> {
    let file = options(LibraryVersion::V110).open_rw(path).map_err(|error| error.to_string())?;
    Ok(Box::new(Writing(file)))
}

struct Reading(File);

impl ReadableFile for Reading {
    fn has_group(&self, name: &str) -> Access<bool> {
        Ok(self.0.link_exists(name))
    }

    fn attribute_names(&self, group: &str) -> Access<Vec<String>> {
        group_at(&self.0, group)?.attr_names().map_err(failed_on(group))
    }

    fn text(&self, group: &str, attribute: &str) -> Access<String> {
        let group = group_at(&self.0, group)?;
        read_text(&group.attr(attribute).map_err(failed_on(attribute))?, attribute)
    }

    fn dataset(&self, name: &str) -> Access<Box<dyn ReadableDataset + '_>> {
        let dataset = self.0.dataset(name).map_err(failed_on(name))?;
        Ok(Box::new(Rows { dataset, name: name.to_owned() }))
    }
}

/// Reads a text. That it is UTF-8 is checked here, because the types of the bindings take it for granted.
fn read_text(attribute: &Attribute, name: &str) -> Access<String> {
    let bytes = match attribute.read_scalar::<VarLenUnicode>() {
        Ok(text) => text.as_bytes().to_vec(),
        // The pure-Rust library writes texts as lists of strings of length one, where the C library has lists of integers.
        Err(error) => match attribute.read_scalar::<VarLenArray<FixedUnicode<1>>>() {
            Ok(letters) => letters.iter().flat_map(|letter| letter.as_bytes().to_vec()).collect(),
            Err(_) => return Err(failed_on(name)(error)),
        },
    };
    String::from_utf8(bytes).map_err(failed_on(name))
}

struct Rows {
    dataset: Dataset,
    name: String,
}

impl Rows {
    fn read_typed<T: H5Type>(&self, first_row: usize, rows: usize, width: usize) -> Access<Vec<T>> {
        let along = first_row..first_row + rows;
        if self.dataset.ndim() == 1 {
            self.dataset.read_slice_1d(along).map(|read| read.into_raw_vec_and_offset().0)
        } else {
            self.dataset.read_slice_2d((along, 0..width)).map(|read| read.into_raw_vec_and_offset().0)
        }
        .map_err(failed_on(&self.name))
    }
}

impl ReadableDataset for Rows {
    fn form(&self) -> Access<Form> {
        let Self { dataset, name } = self;
        let space = dataset.space().map_err(failed_on(name))?;
        let creation = dataset.dcpl().map_err(failed_on(name))?;
        // other filters could be plugins that the library loads from files
        let filters = creation.get_filters().map_err(failed_on(name))?;
        let known = filters.iter().all(|filter| matches!(filter, Filter::Shuffle | Filter::Deflate(_)));
        Ok(Form {
            shape: space.shape(),
            max_shape: space.maxdims(),
            chunk: dataset.chunk().unwrap_or_default(),
            element: element_of(dataset, name)?,
            harmless: known && dataset.is_chunked(),
        })
    }

    fn text(&self, attribute: &str) -> Access<String> {
        read_text(&self.dataset.attr(attribute).map_err(failed_on(&self.name))?, &self.name)
    }

    fn read(&self, element: Element, first_row: usize, rows: usize, width: usize) -> Access<ColumnData> {
        Ok(match element {
            Element::F64 => ColumnData::F64(self.read_typed(first_row, rows, width)?),
            Element::U64 => ColumnData::U64(self.read_typed(first_row, rows, width)?),
            Element::I64 => ColumnData::I64(self.read_typed(first_row, rows, width)?),
            Element::U32 => ColumnData::U32(self.read_typed(first_row, rows, width)?),
            Element::U8 => ColumnData::U8(self.read_typed(first_row, rows, width)?),
        })
    }
}

fn element_of(dataset: &Dataset, name: &str) -> Access<Element> {
    let datatype = dataset.dtype().map_err(failed_on(name))?;
    [
        (datatype.is::<f64>(), Element::F64),
        (datatype.is::<u64>(), Element::U64),
        (datatype.is::<i64>(), Element::I64),
        (datatype.is::<u32>(), Element::U32),
        (datatype.is::<u8>(), Element::U8),
    ]
    .into_iter()
    .find(|(found, _)| *found)
    .map(|(_, element)| element)
    .ok_or_else(|| format!("{name} holds numbers of an unknown type"))
}

struct Writing(File);

impl WritableFile for Writing {
    fn create_group(&self, path: &str) -> Access<()> {
        self.0.create_group_builder().obj_track_times(false).create(path).map(|_| ()).map_err(failed_on(path))
    }

    fn create_dataset(&self, path: &str, dataset: &NewDataset<'_>) -> Access<()> {
        match dataset.element {
            Element::F64 => self.create_typed::<f64>(path, dataset),
            Element::U64 => self.create_typed::<u64>(path, dataset),
            Element::I64 => self.create_typed::<i64>(path, dataset),
            Element::U32 => self.create_typed::<u32>(path, dataset),
            Element::U8 => self.create_typed::<u8>(path, dataset),
        }
    }

    fn set_text(&self, group: &str, attribute: &str, text: &str) -> Access<()> {
        write_text(&*group_at(&self.0, group)?, attribute, text)
    }

    fn set_vtk_type(&self, group: &str, kind: VtkType) -> Access<()> {
        let group = group_at(&self.0, group)?;
        match kind {
            VtkType::PolyData => write_ascii::<8>(&group, "PolyData"),
            VtkType::ImageData => write_ascii::<9>(&group, "ImageData"),
        }
    }

    fn set_integer(&self, group: &str, attribute: &str, value: i64) -> Access<()> {
        let group = group_at(&self.0, group)?;
        let names = group.attr_names().map_err(failed_on(attribute))?;
        if names.iter().any(|name| name == attribute) {
            group.attr(attribute)
        } else {
            group.new_attr::<i64>().create(attribute)
        }
        .and_then(|attribute| attribute.write_scalar(&value))
        .map_err(failed_on(attribute))
    }

    fn set_numbers(&self, group: &str, attribute: &str, numbers: &ColumnData) -> Access<()> {
        let group = group_at(&self.0, group)?;
        match numbers {
            ColumnData::F64(values) => write_numbers(&group, attribute, values),
            ColumnData::U64(values) => write_numbers(&group, attribute, values),
            ColumnData::I64(values) => write_numbers(&group, attribute, values),
            ColumnData::U32(values) => write_numbers(&group, attribute, values),
            ColumnData::U8(values) => write_numbers(&group, attribute, values),
        }
    }

    fn rows(&self, dataset: &str) -> Access<usize> {
        rows_of(&self.dataset(dataset)?, dataset)
    }

    fn write_chunks(
        &self,
        dataset: &str,
        _chunk_rows: usize,
        first_row: usize,
        width: usize,
        rows: &ColumnData,
    ) -> Access<()> {
        let target = self.dataset(dataset)?;
        target.resize(extent(first_row + rows.len() / width, width)).map_err(failed_on(dataset))?;
        write_rows(&target, first_row, width, rows).map_err(failed_on(dataset))
    }

    fn write_frame_rows(&self, dataset: &str, first: usize, width: usize, rows: &ColumnData) -> Access<()> {
        let target = self.dataset(dataset)?;
        let end = first + rows.len() / width;
        if rows_of(&target, dataset)? < end {
            target.resize(extent(end, width)).map_err(failed_on(dataset))?;
        }
        write_rows(&target, first, width, rows).map_err(failed_on(dataset))
    }

    fn write_all(&self, dataset: &str, numbers: &[f64]) -> Access<()> {
        let target = self.dataset(dataset)?;
        target.write_raw(numbers).and_then(|()| target.flush()).map_err(failed_on(dataset))
    }

    fn keep_order(&self) -> Access<()> {
        self.0.flush().map_err(|error| error.to_string())
    }

    fn close(self: Box<Self>) -> Access<()> {
        self.0.flush().and_then(|()| self.0.close()).map_err(|error| error.to_string())
    }

    /// Closes the file: left open, it would be what this process finds when it opens it again.
    fn abandon(self: Box<Self>) {}
}

impl Writing {
    fn create_typed<T: H5Type>(&self, path: &str, new: &NewDataset<'_>) -> Access<()> {
        let extents = new.shape.iter().zip(new.max_shape()).map(|(&dim, max)| Extent { dim, max });
        let extents = hdf5::SimpleExtents::from_vec(extents.collect());
        let builder = self.0.new_dataset::<T>().shape(extents).chunk(new.chunk.clone()).obj_track_times(false);
        let builder = if new.compressed { builder.shuffle().deflate(1) } else { builder };
        let dataset = builder.create(path).map_err(failed_on(path))?;
        for (attribute, text) in [("unit", new.unit), ("meaning", new.meaning)] {
            write_text(&dataset, attribute, text)?;
        }
        Ok(())
    }

    fn dataset(&self, name: &str) -> Access<Dataset> {
        self.0.dataset(name).map_err(failed_on(name))
    }
}

fn rows_of(dataset: &Dataset, name: &str) -> Access<usize> {
    dataset.shape().first().copied().ok_or_else(|| format!("{name} has no rows"))
}

fn write_rows(dataset: &Dataset, first_row: usize, width: usize, rows: &ColumnData) -> hdf5::Result<()> {
    match rows {
        ColumnData::F64(values) => write_typed(dataset, first_row, width, values),
        ColumnData::U64(values) => write_typed(dataset, first_row, width, values),
        ColumnData::I64(values) => write_typed(dataset, first_row, width, values),
        ColumnData::U32(values) => write_typed(dataset, first_row, width, values),
        ColumnData::U8(values) => write_typed(dataset, first_row, width, values),
    }
}

fn write_typed<T: H5Type>(dataset: &Dataset, first_row: usize, width: usize, values: &[T]) -> hdf5::Result<()> {
    let rows = values.len() / width;
    let along = first_row..first_row + rows;
    if width == 1 {
        dataset.write_slice(ArrayView1::from(values), along)?;
    } else {
        dataset.write_slice(ArrayView2::from_shape((rows, width), values)?, (along, 0..width))?;
    }
    // chunks are written at the latest when the dataset is closed, and nobody hears of it if that fails
    dataset.flush()
}

fn write_text(object: &hdf5::Location, attribute: &str, text: &str) -> Access<()> {
    let value: VarLenUnicode = text.parse().map_err(failed_on(attribute))?;
    object
        .new_attr::<VarLenUnicode>()
        .create(attribute)
        .and_then(|attribute| attribute.write_scalar(&value))
        .map_err(failed_on(attribute))
}

fn write_ascii<const LENGTH: usize>(group: &Group, text: &str) -> Access<()> {
    let value = FixedAscii::<LENGTH>::from_ascii(text).map_err(failed_on("Type"))?;
    group
        .new_attr::<FixedAscii<LENGTH>>()
        .create("Type")
        .and_then(|attribute| attribute.write_scalar(&value))
        .map_err(failed_on("Type"))
}

fn write_numbers<T: H5Type>(group: &Group, attribute: &str, values: &[T]) -> Access<()> {
    let numbers = ArrayView1::from(values);
    group.new_attr_builder().with_data(numbers).create(attribute).map(|_| ()).map_err(failed_on(attribute))
}

fn group_at(file: &File, path: &str) -> Access<Group> {
    file.group(path).map_err(failed_on(path))
}
