//! What can be wrong with a file of another code.

use std::io;
use std::path::{Path, PathBuf};

use crate::text_lines::{LONGEST_LINE, LinesFault};

/// A file that cannot be read, with the line if it is one line's fault.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExchangeError {
    /// The operating system or the gzip stream failed.
    #[error("{}: cannot be read: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What failed.
        source: io::Error,
    },
    /// The file as a whole is not what it should be.
    #[error("{}: {message}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong, and what is expected.
        message: String,
    },
    /// A line is not what it should be.
    #[error("{}:{line}: {message}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong, and what is expected.
        message: String,
    },
}

/// The same where the file is not known yet.
#[derive(Debug)]
pub(super) enum Fault {
    Io(io::Error),
    File(String),
    Line(u64, String),
}

impl Fault {
    pub fn file(message: impl Into<String>) -> Self {
        Self::File(message.into())
    }

    pub fn line(number: u64, message: impl Into<String>) -> Self {
        Self::Line(number, message.into())
    }

    /// Names the file.
    pub fn of(self, path: &Path) -> ExchangeError {
        let path = path.to_path_buf();
        match self {
            Self::Io(source) => ExchangeError::Io { path, source },
            Self::File(message) => ExchangeError::File { path, message },
            Self::Line(line, message) => ExchangeError::Line { path, line, message },
        }
    }
}

impl From<LinesFault> for Fault {
    fn from(fault: LinesFault) -> Self {
        match fault {
            LinesFault::Io(source) => Self::Io(source),
            LinesFault::TooLarge => Self::file("larger after decompression than a file may be"),
            LinesFault::TooLong(line) => Self::line(line, format!("line longer than {LONGEST_LINE} bytes")),
        }
    }
}
