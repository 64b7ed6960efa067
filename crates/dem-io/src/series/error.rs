//! What can be wrong with a series.

use std::io;
use std::path::{Path, PathBuf};

use super::LONGEST_LINE;

/// A series that cannot be written or read, with file and line (from 1).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SeriesError {
    /// The operating system failed.
    #[error("{}: {action} failed: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What was attempted.
        action: &'static str,
        /// What failed.
        source: io::Error,
    },
    /// A directory, pipe or device.
    #[error("{}: is not a regular file", path.display())]
    NotAFile {
        /// The path.
        path: PathBuf,
    },
    /// A column name that would break the header.
    #[error("{}: column name \"{name}\" is empty, repeated or has signs other than letters, digits and _ - . [ ]", path.display())]
    ColumnName {
        /// The file.
        path: PathBuf,
        /// The name.
        name: String,
    },
    /// So many columns that the rows would be too long for a reader.
    #[error("{}: {columns} columns need lines of {length} bytes, expected at most {LONGEST_LINE}", path.display())]
    TooWide {
        /// The file.
        path: PathBuf,
        /// Columns.
        columns: usize,
        /// Longest line \[byte\].
        length: usize,
    },
    /// A row with another number of values than the series has columns.
    #[error("{}: {found} values, expected {expected} as there are columns", path.display())]
    ValueCount {
        /// The file.
        path: PathBuf,
        /// Values given.
        found: usize,
        /// Columns of the series.
        expected: usize,
    },
    /// The file has no complete header line.
    #[error("{}: no header line", path.display())]
    NoHeader {
        /// The file.
        path: PathBuf,
    },
    /// The header of an existing file is not that of the series to be continued.
    #[error("{}:1: the columns differ: {}", path.display(), difference(found, expected))]
    OtherHeader {
        /// The file.
        path: PathBuf,
        /// The header of the file.
        found: String,
        /// The header of the series.
        expected: String,
    },
    /// A line that is too long to be a row.
    #[error("{}:{line}: line longer than {LONGEST_LINE} bytes", path.display())]
    LineTooLong {
        /// The file.
        path: PathBuf,
        /// The line.
        line: u64,
    },
    /// A row with too many or too few fields.
    #[error("{}:{line}: {found} fields, expected {expected} as in the header", path.display())]
    FieldCount {
        /// The file.
        path: PathBuf,
        /// The line.
        line: u64,
        /// Fields of the row.
        found: usize,
        /// Fields of the header.
        expected: usize,
    },
    /// A field that is no number.
    #[error("{}:{line}: column {column} ({name}) is \"{text}\", expected a number", path.display())]
    NoNumber {
        /// The file.
        path: PathBuf,
        /// The line.
        line: u64,
        /// The number of the column, from 1.
        column: usize,
        /// The name of the column.
        name: String,
        /// The field as written.
        text: String,
    },
    /// A series without the column `step` cannot be cut at a step.
    #[error("{}: there is no column `step`", path.display())]
    NoStepColumn {
        /// The file.
        path: PathBuf,
    },
    /// The steps go backwards, so there is no single place to cut.
    #[error("{}:{line}: step {step} follows step {previous}", path.display())]
    StepGoesBackwards {
        /// The file.
        path: PathBuf,
        /// The line.
        line: u64,
        /// The step of the line.
        step: f64,
        /// The step of the line before.
        previous: f64,
    },
}

impl SeriesError {
    /// Joins an error of the operating system to the file and the attempt.
    pub(super) fn io<'a>(path: &'a Path, action: &'static str) -> impl FnOnce(io::Error) -> Self + Copy + 'a {
        move |source| Self::Io { path: path.into(), action, source }
    }
}

/// The names that are not among others.
fn beside<'a>(names: &[&'a str], others: &[&str]) -> Vec<&'a str> {
    names.iter().copied().filter(|name| !others.contains(name)).collect()
}

/// In what a header differs from that which is expected.
fn difference(found: &str, expected: &str) -> String {
    const MOST: usize = 8;
    let [found, expected] = [found, expected].map(|header| header.trim_end().split(',').collect::<Vec<_>>());
    let list = |names: Vec<&str>| {
        let more = names.len().saturating_sub(MOST);
        let shown =
            names.iter().take(MOST).map(|name| crate::suggestion::excerpt(name, 60)).collect::<Vec<_>>().join(", ");
        if more == 0 { shown } else { format!("{shown} and {more} more") }
    };
    let (lacks, has) = (beside(&expected, &found), beside(&found, &expected));
    match (lacks.is_empty(), has.is_empty()) {
        (true, true) => {
            let first =
                found.iter().zip(&expected).position(|(a, b)| a != b).unwrap_or(found.len().min(expected.len()));
            format!(
                "their order, from column {} on, `{}`, expected `{}`",
                first + 1,
                list(found.get(first).copied().into_iter().collect()),
                list(expected.get(first).copied().into_iter().collect())
            )
        }
        (false, true) => format!("the file lacks {}", list(lacks)),
        (true, false) => format!("the file has {}, which this run does not write", list(has)),
        (false, false) => {
            format!("the file lacks {}, and has {}, which this run does not write", list(lacks), list(has))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_is_told_by_its_difference() {
        assert_eq!(difference("step,time", "step,time,a,b"), "the file lacks a, b");
        assert_eq!(difference("step,c,time", "step,time"), "the file has c, which this run does not write");
        assert_eq!(difference("step,c", "step,a"), "the file lacks a, and has c, which this run does not write");
        assert_eq!(difference("step,b,a", "step,a,b"), "their order, from column 2 on, `b`, expected `a`");
        let many: Vec<String> = (0..20).map(|k| format!("c{k}")).collect();
        assert!(difference("step", &format!("step,{}", many.join(","))).ends_with("c7 and 12 more"));
    }
}
