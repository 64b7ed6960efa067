//! Writing a series line by line, and cutting it for a restart.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::{LONGEST_LINE, STEP, SeriesColumn, SeriesError, SeriesReader, TIME, longest_line};
use crate::regular_file;

/// Largest magnitude below which every whole number is a double.
const LARGEST_EXACT: f64 = 9_007_199_254_740_992.0;

/// An open series; every row reaches the file before the next one begins.
#[derive(Debug)]
pub struct SeriesWriter {
    path: PathBuf,
    file: File,
    columns: usize,
    /// Where the step is in a row.
    step_column: Option<usize>,
    last_step: Option<f64>,
    line: String,
}

impl SeriesWriter {
    /// Creates a series with its header, replacing a file of that name.
    ///
    /// # Errors
    /// When a column name does not fit a header or the file cannot be written.
    pub fn create(path: impl AsRef<Path>, columns: &[SeriesColumn]) -> Result<Self, SeriesError> {
        let path = path.as_ref();
        let mut header = header(path, columns)?;
        header.push('\n');
        regular_file::may_be_written(path).map_err(SeriesError::io(path, "creating"))?;
        let mut file = File::create(path).map_err(SeriesError::io(path, "creating"))?;
        file.write_all(header.as_bytes()).map_err(SeriesError::io(path, "writing"))?;
        Ok(Self::of(path, file, columns, None))
    }

    /// Follows its file, which was given another path.
    pub fn rename_to(&mut self, path: PathBuf) {
        self.path = path;
    }

    /// Continues a series after `step`: later rows and a torn last line are dropped.
    ///
    /// A file that is missing, or that a crash left without a complete header, is created.
    ///
    /// # Errors
    /// As [`truncate_after`], and when the file has other columns.
    pub fn resume(path: impl AsRef<Path>, columns: &[SeriesColumn], step: u64) -> Result<Self, SeriesError> {
        let path = path.as_ref();
        let Some(beginning) = SeriesBeginning::read(path, columns, step)? else { return Self::create(path, columns) };
        beginning.cut(path)?;
        let file = OpenOptions::new().append(true).open(path).map_err(SeriesError::io(path, "opening"))?;
        Ok(Self::of(path, file, columns, beginning.last.map(|row| row.step)))
    }

    fn of(path: &Path, file: File, columns: &[SeriesColumn], last_step: Option<f64>) -> Self {
        let step_column = columns.iter().position(|column| column.name == STEP);
        Self { path: path.into(), file, columns: columns.len(), step_column, last_step, line: String::new() }
    }

    /// Step of the last row; `None` without rows or without a column `step`.
    #[must_use]
    pub fn last_step(&self) -> Option<f64> {
        self.last_step
    }

    /// Appends one row, one value a column, in a single write.
    ///
    /// Whole numbers are written as integers, others in the shortest form that reads back as the
    /// same double.
    ///
    /// # Errors
    /// When the number of values is not that of the columns or the file cannot be written.
    pub fn append(&mut self, values: &[f64]) -> Result<(), SeriesError> {
        if values.len() != self.columns {
            return Err(SeriesError::ValueCount {
                path: self.path.clone(),
                found: values.len(),
                expected: self.columns,
            });
        }
        self.line.clear();
        for (index, &value) in values.iter().enumerate() {
            if index > 0 {
                self.line.push(',');
            }
            push_number(&mut self.line, value);
        }
        self.line.push('\n');
        self.file.write_all(self.line.as_bytes()).map_err(SeriesError::io(&self.path, "writing"))?;
        self.last_step = self.step_column.and_then(|column| values.get(column).copied());
        Ok(())
    }

    /// Waits until all rows are on the disk, as before a checkpoint.
    ///
    /// # Errors
    /// When the operating system cannot write them.
    pub fn sync(&mut self) -> Result<(), SeriesError> {
        self.file.sync_data().map_err(SeriesError::io(&self.path, "writing"))
    }
}

/// Where a row lies in the simulation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RowPlace {
    /// Its step.
    pub step: f64,
    /// Its time `[s]`; NaN without a column `time`.
    pub time: f64,
}

/// The rows of a series up to a step.
///
/// Steps never go backwards in a series, so that these rows are the beginning of the file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeriesBeginning {
    /// The first of them.
    pub first: Option<RowPlace>,
    /// The last of them.
    pub last: Option<RowPlace>,
    /// Bytes that they take with the header.
    length: u64,
}

impl SeriesBeginning {
    /// Reads the rows up to `step` and changes nothing. None if the file is missing, or was left without a complete header by a crash.
    ///
    /// # Errors
    /// When the file cannot be read, has other columns, a line up to there is no row of numbers, or the steps go backwards.
    pub fn read(path: &Path, columns: &[SeriesColumn], step: u64) -> Result<Option<Self>, SeriesError> {
        let expected = header(path, columns)?;
        let reader = match SeriesReader::open(path) {
            Ok(reader) => reader,
            Err(SeriesError::NoHeader { .. }) => return Ok(None),
            Err(SeriesError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let found = reader.names().join(",");
        if found != expected {
            return Err(SeriesError::OtherHeader { path: path.into(), found, expected });
        }
        Self::up_to(path, reader, step).map(Some)
    }

    fn up_to(path: &Path, mut reader: SeriesReader, step: u64) -> Result<Self, SeriesError> {
        let place = |name: &str| reader.names().iter().position(|known| known == name);
        let Some(column) = place(STEP) else {
            return Err(SeriesError::NoStepColumn { path: path.into() });
        };
        let time_column = place(TIME);
        let mut kept = Self { first: None, last: None, length: reader.offset() };
        let mut previous = f64::NEG_INFINITY;
        while let Some(row) = reader.next_row()? {
            let row_step = row.get(column).copied().unwrap_or(f64::NAN);
            let time = time_column.and_then(|column| row.get(column).copied()).unwrap_or(f64::NAN);
            if row_step.is_nan() || row_step < previous {
                return Err(SeriesError::StepGoesBackwards {
                    path: path.into(),
                    line: reader.line(),
                    step: row_step,
                    previous,
                });
            }
            if row_step > step as f64 {
                break;
            }
            previous = row_step;
            let row = RowPlace { step: row_step, time };
            kept = Self { first: kept.first.or(Some(row)), last: Some(row), length: reader.offset() };
        }
        Ok(kept)
    }

    /// Cuts the file behind these rows, in one operation: a crash leaves it either whole or cut.
    fn cut(&self, path: &Path) -> Result<(), SeriesError> {
        let cutting = SeriesError::io(path, "cutting");
        let file = OpenOptions::new().write(true).open(path).map_err(cutting)?;
        file.set_len(self.length).map_err(cutting)?;
        file.sync_all().map_err(cutting)
    }
}

/// Drops the rows of later steps than `step` and a torn last line; returns the step of the last row that is kept.
///
/// # Errors
/// When the file cannot be read or cut, has no column `step`, a kept line is no row of numbers, or
/// the steps go backwards.
pub fn truncate_after(path: impl AsRef<Path>, step: u64) -> Result<Option<f64>, SeriesError> {
    let path = path.as_ref();
    let kept = SeriesBeginning::up_to(path, SeriesReader::open(path)?, step)?;
    kept.cut(path)?;
    Ok(kept.last.map(|row| row.step))
}

fn header(path: &Path, columns: &[SeriesColumn]) -> Result<String, SeriesError> {
    let mut names = BTreeSet::new();
    for SeriesColumn { name, .. } in columns {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-.[]".contains(c);
        if name.is_empty() || !name.chars().all(is_plain) || !names.insert(name.as_str()) {
            return Err(SeriesError::ColumnName { path: path.into(), name: name.clone() });
        }
    }
    if columns.is_empty() {
        return Err(SeriesError::NoHeader { path: path.into() });
    }
    let length = longest_line(columns);
    if length > LONGEST_LINE {
        return Err(SeriesError::TooWide { path: path.into(), columns: columns.len(), length });
    }
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    Ok(names.join(","))
}

fn push_number(line: &mut String, value: f64) {
    let is_negative_zero = value == 0.0 && value.is_sign_negative();
    let whole = value.trunc() == value && value.abs() <= LARGEST_EXACT && !is_negative_zero;
    // Writing to a String cannot fail.
    let _infallible = if whole { write!(line, "{}", value as i64) } else { write!(line, "{value:?}") };
}
