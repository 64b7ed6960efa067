//! The lines of a table: those that are neither empty nor comments.

use std::fs;
use std::path::{Path, PathBuf};

use super::error::TableError;
use crate::text_lines::{LinesFault, TextLines};

/// The lines that are neither empty nor comments.
pub(super) struct Lines {
    path: PathBuf,
    lines: TextLines<'static>,
    limit: u64,
    /// The last comment before the last line that was asked for, with its number.
    comment: Option<(u64, Vec<u8>)>,
}

impl Lines {
    /// Opens a table, decompressing gzip; reading ends with an error beyond `limit` bytes.
    pub(super) fn open(path: &Path, limit: u64) -> Result<Self, TableError> {
        let io = |source| TableError::io(path, source);
        // Checked before opening: opening a pipe would wait for a writer.
        if !fs::metadata(path).map_err(io)?.is_file() {
            return Err(TableError::NotAFile { path: path.into() });
        }
        Ok(Self { path: path.into(), lines: TextLines::open(path, limit).map_err(io)?, limit, comment: None })
    }

    /// The next line without its end, and its number from 1.
    pub(super) fn next(&mut self) -> Result<Option<(u64, &[u8])>, TableError> {
        loop {
            let refused = |fault| match fault {
                LinesFault::Io(source) => TableError::io(&self.path, source),
                LinesFault::TooLarge => TableError::TooLarge { path: self.path.clone(), limit: self.limit },
                LinesFault::TooLong(line) => TableError::LineTooLong { path: self.path.clone(), line },
            };
            let Some((number, line)) = self.lines.next().map_err(refused)? else { return Ok(None) };
            match line.trim_ascii() {
                b"" => {}
                comment if comment.starts_with(b"#") => self.comment = Some((number, comment.to_vec())),
                _ => return Ok(Some(self.lines.last())),
            }
        }
    }

    /// The last comment that was passed over, with its number.
    pub(super) fn comment(&self) -> Option<(u64, &[u8])> {
        self.comment.as_ref().map(|(number, text)| (*number, text.as_slice()))
    }
}
