//! Reading of datasets whose form is known to be that of snapshots.

use super::super::claims::{Claim, Layout, SizeLimit};
use super::super::frame::{ColumnData, Element};
use super::access::{Access, MAX_TEXT, ReadableDataset, ReadableFile};

/// Shape of a dataset: rows and numbers in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Shape {
    pub(in super::super) rows: usize,
    pub(in super::super) width: usize,
}

/// A dataset open for reading whose chunk size is known to be sane.
pub(in super::super) struct Source<'a> {
    dataset: Box<dyn ReadableDataset + 'a>,
    name: String,
    limit: SizeLimit,
    pub(in super::super) claim: Claim,
    pub(in super::super) shape: Shape,
    pub(in super::super) chunk_rows: usize,
    pub(in super::super) element: Element,
}

impl<'a> Source<'a> {
    /// Opens a dataset for reading.
    pub(in super::super) fn open(file: &'a dyn ReadableFile, name: &str, limit: SizeLimit) -> Access<Self> {
        let dataset = file.dataset(name)?;
        let form = dataset.form()?;
        let (rows, width) = match form.shape[..] {
            [rows] => (rows, 1),
            [rows, width] => (rows, width),
            _ => return Err(format!("{name} has neither 1 nor 2 dimensions")),
        };
        // Other storage is refused: external and virtual storage would let a file read other files, and of no other index is it known
        // how much a library reserves for it.
        let element = form.element;
        let layout =
            Layout { shape: &form.shape, max_shape: &form.max_shape, chunk: &form.chunk, element_size: element.size() };
        let claim = Claim::of(layout).filter(|_| form.harmless);
        let claim =
            claim.ok_or_else(|| format!("{name} is not stored in chunks of whole rows that grow without end"))?;
        limit.check_claims([claim])?;
        Ok(Self {
            dataset,
            name: name.to_owned(),
            limit,
            claim,
            shape: Shape { rows, width },
            chunk_rows: form.chunk[0],
            element,
        })
    }

    /// String attribute of the dataset, which may be as long as a column's unit and meaning.
    pub(in super::super) fn text(&self, attribute: &str) -> Access<String> {
        let text = self.dataset.text(attribute)?;
        // many datasets may share one text
        if text.len() > MAX_TEXT {
            return Err(format!("{}: its {attribute} is longer than {MAX_TEXT} bytes", self.name));
        }
        Ok(text)
    }

    /// Reads rows as they are stored.
    pub(in super::super) fn read(&self, first_row: usize, rows: usize) -> Access<ColumnData> {
        let Shape { rows: all, width } = self.shape;
        if first_row.checked_add(rows).is_none_or(|end| end > all) {
            return Err(format!("{}: rows {first_row} and {rows} more are wanted of {all}", self.name));
        }
        let bytes = rows.checked_mul(width).and_then(|numbers| numbers.checked_mul(self.element.size()));
        self.limit.check(&self.name, bytes.map(|bytes| bytes as u64))?;
        if rows == 0 {
            return Ok(ColumnData::empty(self.element));
        }
        self.dataset.read(self.element, first_row, rows, width)
    }

    /// Reads the first `rows` rows of a dataset of counts, one a row.
    pub(in super::super) fn read_counts(&self, rows: usize) -> Access<Vec<usize>> {
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
