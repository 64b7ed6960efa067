//! Reading a series back, also while it is being written or after a crash.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use super::{LONGEST_LINE, SeriesError};
use crate::suggestion::excerpt;

/// Characters of a bad field that a message repeats.
const EXCERPT: usize = 40;

/// A series in memory, column by column.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Series {
    names: Vec<String>,
    columns: Vec<Vec<f64>>,
    is_torn: bool,
}

impl Series {
    /// Reads a whole series.
    ///
    /// A last line without a line feed was cut off in the middle of writing and is left out.
    ///
    /// # Errors
    /// When the file cannot be read or a line is no row of numbers.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, SeriesError> {
        let mut reader = SeriesReader::open(path)?;
        let mut columns = vec![Vec::new(); reader.names().len()];
        while let Some(row) = reader.next_row()? {
            for (column, &value) in columns.iter_mut().zip(row) {
                column.push(value);
            }
        }
        Ok(Self { names: reader.names, columns, is_torn: reader.is_torn })
    }

    /// The names of the header, in order.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The values of a column, in the order of the file.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&[f64]> {
        let index = self.names.iter().position(|known| known == name)?;
        self.columns.get(index).map(Vec::as_slice)
    }

    /// Number of rows `[-]`.
    #[must_use]
    pub fn len(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a torn last line was left out.
    #[must_use]
    pub fn is_torn(&self) -> bool {
        self.is_torn
    }
}

/// Reads a series row by row.
#[derive(Debug)]
pub struct SeriesReader {
    path: PathBuf,
    source: BufReader<File>,
    names: Vec<String>,
    text: Vec<u8>,
    row: Vec<f64>,
    line: u64,
    /// Bytes up to the end of the last complete line.
    offset: u64,
    is_torn: bool,
}

impl SeriesReader {
    /// Opens a series and reads its header.
    ///
    /// # Errors
    /// When the file cannot be read or has no complete header line.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, SeriesError> {
        let path = path.as_ref();
        let opening = SeriesError::io(path, "opening");
        // Checked before opening: opening a pipe would wait for a writer.
        if !fs::metadata(path).map_err(opening)?.is_file() {
            return Err(SeriesError::NotAFile { path: path.into() });
        }
        let mut reader = Self {
            path: path.into(),
            source: BufReader::new(File::open(path).map_err(opening)?),
            names: Vec::new(),
            text: Vec::new(),
            row: Vec::new(),
            line: 0,
            offset: 0,
            is_torn: false,
        };
        if !reader.next_line()? || reader.text.is_empty() {
            return Err(SeriesError::NoHeader { path: path.into() });
        }
        reader.names = String::from_utf8_lossy(&reader.text).split(',').map(|name| name.trim().to_owned()).collect();
        Ok(reader)
    }

    /// The names of the header, in order.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The next row, one value a column; `None` at the end or before a torn last line.
    ///
    /// # Errors
    /// When the file cannot be read or the line is no row of numbers.
    pub fn next_row(&mut self) -> Result<Option<&[f64]>, SeriesError> {
        if !self.next_line()? {
            return Ok(None);
        }
        self.row.clear();
        let fields = self.text.split(|&byte| byte == b',');
        let found = fields.clone().count();
        if found != self.names.len() {
            return Err(SeriesError::FieldCount {
                path: self.path.clone(),
                line: self.line,
                found,
                expected: self.names.len(),
            });
        }
        for (index, (field, name)) in fields.zip(&self.names).enumerate() {
            let text = String::from_utf8_lossy(field);
            let value = text.trim().parse().map_err(|_| SeriesError::NoNumber {
                path: self.path.clone(),
                line: self.line,
                column: index + 1,
                name: excerpt(name, EXCERPT),
                text: excerpt(&text, EXCERPT),
            })?;
            self.row.push(value);
        }
        Ok(Some(&self.row))
    }

    /// The line number of the last row, the header being line 1.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// Bytes up to the end of the last complete line read.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// Reads a line into `text` without its end; `false` when there is no further complete line.
    fn next_line(&mut self) -> Result<bool, SeriesError> {
        self.text.clear();
        let read = self
            .source
            .by_ref()
            .take(LONGEST_LINE as u64 + 1)
            .read_until(b'\n', &mut self.text)
            .map_err(SeriesError::io(&self.path, "reading"))?;
        if self.text.pop_if(|&mut byte| byte == b'\n').is_none() {
            if read > LONGEST_LINE {
                return Err(SeriesError::LineTooLong { path: self.path.clone(), line: self.line + 1 });
            }
            self.is_torn = read > 0;
            return Ok(false);
        }
        self.text.pop_if(|&mut byte| byte == b'\r');
        self.line += 1;
        self.offset += read as u64;
        Ok(true)
    }
}
