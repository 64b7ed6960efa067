//! The pure-Rust library, crate `rust-hdf5`.

use std::cell::RefCell;
use std::path::Path;

use rust_hdf5::types::VarLenUnicode;
use rust_hdf5::{ChunkIndex, DatatypeMessage, H5Dataset, H5File, H5Group, H5Type};

use super::super::frame::{ColumnData, Element};
use super::access::{
    Access, Form, NewDataset, ReadableDataset, ReadableFile, VtkType, WritableFile, extent, failed_on,
};
use super::deflation::Deflation;

/// Opens for reading.
pub(super) fn open(path: &Path) -> Access<Box<dyn ReadableFile>> {
    let file = H5File::options().no_locking().open(path).map_err(|error| error.to_string())?;
    Ok(Box::new(Reading(file)))
}

/// Opens for appending; the library makes room as it needs it.
pub(super) fn open_for_append(path: &Path, _room: u64) -> Access<Box<dyn WritableFile>> {
    let file = H5File::options().no_locking().open_rw(path).map_err(|error| error.to_string())?;
    Ok(Writing::boxed(file))
}

/// Creates a file, replacing an existing one.
pub(super) fn create(path: &Path) -> Access<Box<dyn WritableFile>> {
    let file = H5File::options().no_locking().create(path).map_err(|error| error.to_string())?;
    Ok(Writing::boxed(file))
}

struct Reading(H5File);

impl ReadableFile for Reading {
    fn has_group(&self, name: &str) -> Access<bool> {
        let (parent, name) = parent_and_name(name);
        let names = group_at(&self.0, parent)?.group_names().map_err(failed_on(parent))?;
        Ok(names.iter().any(|present| present == name))
    }

    fn attribute_names(&self, group: &str) -> Access<Vec<String>> {
        group_at(&self.0, group)?.attr_names().map_err(failed_on(group))
    }

    fn text(&self, group: &str, attribute: &str) -> Access<String> {
        group_at(&self.0, group)?.attr_string(attribute).map_err(failed_on(attribute))
    }

    fn dataset(&self, name: &str) -> Access<Box<dyn ReadableDataset + '_>> {
        let dataset = self.0.dataset(name).map_err(failed_on(name))?;
        Ok(Box::new(Rows { dataset, name: name.to_owned() }))
    }
}

struct Rows {
    dataset: H5Dataset,
    name: String,
}

impl Rows {
    fn read_typed<T: H5Type>(&self, first_row: usize, rows: usize, width: usize) -> Access<Vec<T>> {
        let (starts, counts) = if self.dataset.ndims() == 1 {
            (vec![first_row], vec![rows])
        } else {
            (vec![first_row, 0], vec![rows, width])
        };
        self.dataset.read_slice(&starts, &counts).map_err(failed_on(&self.name))
    }
}

impl ReadableDataset for Rows {
    fn form(&self) -> Access<Form> {
        let Self { dataset, name } = self;
        let index = dataset.chunk_index().map_err(failed_on(name))?;
        Ok(Form {
            shape: dataset.shape(),
            max_shape: dataset.max_shape().map_err(failed_on(name))?,
            chunk: dataset.chunk_dims().unwrap_or_default(),
            element: element_of(dataset, name)?,
            harmless: index == Some(ChunkIndex::ExtensibleArray),
        })
    }

    fn text(&self, attribute: &str) -> Access<String> {
        self.dataset.attr(attribute).and_then(|attribute| attribute.read_string()).map_err(failed_on(&self.name))
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

fn element_of(dataset: &H5Dataset, name: &str) -> Access<Element> {
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

/// The open file, and what compresses its columns: to make that anew for every column costs more than a small one.
struct Writing {
    file: H5File,
    deflation: RefCell<Deflation>,
}

impl Writing {
    fn boxed(file: H5File) -> Box<dyn WritableFile> {
        Box::new(Self { file, deflation: RefCell::new(Deflation::new()) })
    }
}

impl WritableFile for Writing {
    fn create_group(&self, path: &str) -> Access<()> {
        let (parent, name) = parent_and_name(path);
        group_at(&self.file, parent)?.create_group(name).map(|_| ()).map_err(failed_on(path))
    }

    fn create_dataset(&self, path: &str, dataset: &NewDataset<'_>) -> Access<()> {
        let (parent, name) = parent_and_name(path);
        let group = group_at(&self.file, parent)?;
        match dataset.element {
            Element::F64 => create_typed::<f64>(&group, name, dataset),
            Element::U64 => create_typed::<u64>(&group, name, dataset),
            Element::I64 => create_typed::<i64>(&group, name, dataset),
            Element::U32 => create_typed::<u32>(&group, name, dataset),
            Element::U8 => create_typed::<u8>(&group, name, dataset),
        }
    }

    fn set_text(&self, group: &str, attribute: &str, text: &str) -> Access<()> {
        if group == "/" {
            return self.file.set_attr_string(attribute, text).map_err(failed_on(attribute));
        }
        group_at(&self.file, group)?.set_attr_string(attribute, text).map_err(failed_on(attribute))
    }

    fn set_vtk_type(&self, group: &str, kind: VtkType) -> Access<()> {
        let text = match kind {
            VtkType::PolyData => "PolyData",
            VtkType::ImageData => "ImageData",
        };
        let form = DatatypeMessage::FixedString { size: text.len() as u32, padding: 1, charset: 0 };
        group_at(&self.file, group)?.set_attr_typed("Type", form, text.as_bytes().to_vec()).map_err(failed_on("Type"))
    }

    fn set_integer(&self, group: &str, attribute: &str, value: i64) -> Access<()> {
        group_at(&self.file, group)?.set_attr_numeric(attribute, &value).map_err(failed_on(attribute))
    }

    fn set_numbers(&self, group: &str, attribute: &str, numbers: &ColumnData) -> Access<()> {
        let group = group_at(&self.file, group)?;
        match numbers {
            ColumnData::F64(values) => group.set_attr_array_numeric(attribute, values),
            ColumnData::U64(values) => group.set_attr_array_numeric(attribute, values),
            ColumnData::I64(values) => group.set_attr_array_numeric(attribute, values),
            ColumnData::U32(values) => group.set_attr_array_numeric(attribute, values),
            ColumnData::U8(values) => group.set_attr_array_numeric(attribute, values),
        }
        .map_err(failed_on(attribute))
    }

    fn rows(&self, dataset: &str) -> Access<usize> {
        let shape = self.writer(dataset)?.shape();
        shape.first().copied().ok_or_else(|| format!("{dataset} has no rows"))
    }

    fn write_chunks(
        &self,
        dataset: &str,
        chunk_rows: usize,
        first_row: usize,
        width: usize,
        rows: &ColumnData,
    ) -> Access<()> {
        let writer = self.writer(dataset)?;
        let count = rows.len() / width;
        let chunk_bytes = chunk_rows * width * rows.element().size();
        let bytes = rows.bytes();
        let mut last = bytes.chunks_exact(chunk_bytes).remainder().to_vec();
        if !last.is_empty() {
            last.resize(chunk_bytes, 0);
        }
        let whole = bytes.chunks_exact(chunk_bytes);
        let last_chunk = first_row / chunk_rows + whole.len();
        let mut deflation = self.deflation.borrow_mut();
        deflation.try_anew();
        for (chunk, number) in whole.chain(last.chunks_exact(chunk_bytes)).zip(first_row / chunk_rows..) {
            if number == last_chunk {
                // what is empty of it shrinks
                deflation.try_anew();
            }
            let stored = deflation.of(chunk, rows.element().size()).map_err(failed_on(dataset))?;
            // no filter was left out
            writer.write_chunk_raw(number, &stored, 0).map_err(failed_on(dataset))?;
        }
        writer.extend(&extent(first_row + count, width)).map_err(failed_on(dataset))
    }

    fn write_frame_rows(&self, dataset: &str, first: usize, width: usize, rows: &ColumnData) -> Access<()> {
        match rows {
            ColumnData::F64(values) => self.write_rows(dataset, first, width, values),
            ColumnData::U64(values) => self.write_rows(dataset, first, width, values),
            ColumnData::I64(values) => self.write_rows(dataset, first, width, values),
            ColumnData::U32(values) => self.write_rows(dataset, first, width, values),
            ColumnData::U8(values) => self.write_rows(dataset, first, width, values),
        }
    }

    fn write_all(&self, dataset: &str, numbers: &[f64]) -> Access<()> {
        self.writer(dataset)?.write_raw(numbers).map_err(failed_on(dataset))
    }

    /// Does nothing: the library completes datasets in the order in which they were created, and files are laid out in that order.
    fn keep_order(&self) -> Access<()> {
        Ok(())
    }

    fn close(self: Box<Self>) -> Access<()> {
        match self.file.flush() {
            // the library's own sync would wait once for every dataset
            Ok(()) => self.file.close_no_sync().map_err(|error| error.to_string()),
            Err(error) => {
                self.abandon();
                Err(error.to_string())
            }
        }
    }

    /// Leaves the file as a killed process would. Dropped, it would be completed with what there is, fail again on a full disk,
    /// and say so on the terminal. The price is a file that stays open to the end of the process.
    fn abandon(self: Box<Self>) {
        std::mem::forget(self.file);
    }
}

impl Writing {
    fn writer(&self, name: &str) -> Access<H5Dataset> {
        self.file.dataset_writer(name).map_err(failed_on(name))
    }

    fn write_rows<T: H5Type>(&self, name: &str, first: usize, width: usize, rows: &[T]) -> Access<()> {
        let dataset = self.writer(name)?;
        let count = rows.len() / width;
        let (starts, counts) =
            if width == 1 { (vec![first], vec![count]) } else { (vec![first, 0], vec![count, width]) };
        if dataset.shape().first().is_some_and(|&present| present < first + count) {
            dataset.extend(&extent(first + count, width)).map_err(failed_on(name))?;
        }
        dataset.write_slice(&starts, &counts, rows).map_err(failed_on(name))
    }
}

fn create_typed<T: H5Type>(group: &H5Group, name: &str, new: &NewDataset<'_>) -> Access<()> {
    let builder = group.new_dataset::<T>().shape(&new.shape).chunk(&new.chunk);
    let builder = if new.grows { builder.max_shape(&new.max_shape()) } else { builder };
    let builder = if new.compressed { builder.shuffle_deflate(1) } else { builder };
    let dataset = builder.create(name).map_err(failed_on(name))?;
    for (attribute, text) in [("unit", new.unit), ("meaning", new.meaning)] {
        dataset
            .new_attr::<VarLenUnicode>()
            .shape(())
            .create(attribute)
            .and_then(|attribute| attribute.write_string(text))
            .map_err(failed_on(name))?;
    }
    Ok(())
}

fn group_at(file: &H5File, path: &str) -> Access<H5Group> {
    let root = file.root_group();
    if path == "/" { Ok(root) } else { root.group(path).map_err(failed_on::<rust_hdf5::Hdf5Error>(path)) }
}

fn parent_and_name(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("/", path))
}
