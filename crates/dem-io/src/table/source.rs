//! The lines of a table: decompressed and bounded.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;

use super::error::{LONGEST_LINE, TableError};

/// The first bytes of a gzip stream (RFC 1952, section 2.3.1).
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// A byte order mark, which some programs put before UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// The lines that are neither empty nor comments.
pub(super) struct Lines {
    path: PathBuf,
    source: Box<dyn BufRead>,
    limit: u64,
    left: u64,
    number: u64,
    text: Vec<u8>,
}

impl Lines {
    /// Opens a table, decompressing gzip; reading ends with an error beyond `limit` bytes.
    pub(super) fn open(path: &Path, limit: u64) -> Result<Self, TableError> {
        let io = |source| TableError::io(path, source);
        // Checked before opening: opening a pipe would wait for a writer.
        if !fs::metadata(path).map_err(io)?.is_file() {
            return Err(TableError::NotAFile { path: path.into() });
        }
        let mut file = BufReader::new(File::open(path).map_err(io)?);
        let source: Box<dyn BufRead> = if file.fill_buf().map_err(io)?.starts_with(&GZIP) {
            Box::new(BufReader::new(MultiGzDecoder::new(file)))
        } else {
            Box::new(file)
        };
        Ok(Self { path: path.into(), source, limit, left: limit, number: 0, text: Vec::new() })
    }

    /// The next line without its end, and its number from 1.
    pub(super) fn next(&mut self) -> Result<Option<(u64, &[u8])>, TableError> {
        loop {
            self.text.clear();
            let read = self
                .source
                .by_ref()
                .take(LONGEST_LINE + 1)
                .read_until(b'\n', &mut self.text)
                .map_err(|source| TableError::io(&self.path, source))? as u64;
            if read == 0 {
                return Ok(None);
            }
            self.number += 1;
            self.left = self
                .left
                .checked_sub(read)
                .ok_or(TableError::TooLarge { path: self.path.clone(), limit: self.limit })?;
            if read > LONGEST_LINE {
                return Err(TableError::LineTooLong { path: self.path.clone(), line: self.number });
            }
            if self.number == 1 && self.text.starts_with(MARK) {
                self.text.drain(..MARK.len());
            }
            let content = self.text.trim_ascii();
            if !content.is_empty() && !content.starts_with(b"#") {
                break;
            }
        }
        Ok(Some((self.number, self.text.trim_ascii())))
    }
}
