//! Time series: CSV with a plain header, written line by line while a run goes on.
//!
//! The file holds only numbers below the header `step,time,…`, which pandas and gnuplot read as it
//! is. Units and meanings stay with the [`SeriesColumn`] list, from which the data dictionary of
//! a run is written.

mod error;
mod reader;
mod writer;

pub use self::error::SeriesError;
pub use self::reader::{Series, SeriesReader};
pub use self::writer::{RowPlace, SeriesBeginning, SeriesWriter, truncate_after};

/// The name of the column that counts steps, by which a series is cut for a restart.
pub const STEP: &str = "step";

/// The name of the column of the time.
const TIME: &str = "time";

/// Longest line of a series `[byte]`.
pub const LONGEST_LINE: usize = 1024 * 1024;
/// Longest number in a row, with the comma or line feed behind it `[byte]`: sign, point, seventeen digits and an exponent of three.
const LONGEST_NUMBER: usize = 25;

/// Length of the longest line that a series of these columns may have, of header and rows `[byte]`. A reader takes lines of [`LONGEST_LINE`].
#[must_use]
pub fn longest_line(columns: &[SeriesColumn]) -> usize {
    let header: usize = columns.iter().map(|column| column.name.len() + 1).sum();
    header.max(LONGEST_NUMBER * columns.len())
}

/// One column of a series.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeriesColumn {
    /// The name in the header: letters, digits and `_ - . [ ]`.
    pub name: String,
    /// The unit, for example "J", or "-".
    pub unit: String,
    /// What the numbers mean, in words.
    pub meaning: String,
}

impl SeriesColumn {
    /// A column of these texts.
    pub fn new(name: impl Into<String>, unit: impl Into<String>, meaning: impl Into<String>) -> Self {
        Self { name: name.into(), unit: unit.into(), meaning: meaning.into() }
    }
}

#[cfg(test)]
mod tests;
