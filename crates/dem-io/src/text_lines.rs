//! Lines of a text file: decompressed, numbered, and bounded in length and in all.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;

use crate::regular_file;

/// The first bytes of a gzip stream (RFC 1952, section 2.3.1).
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// A byte order mark, which some programs put before UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";
/// Longest line `[byte]`; a row of fifteen columns needs a few hundred.
pub(crate) const LONGEST_LINE: u64 = 64 * 1024;

/// Why there is no next line.
#[derive(Debug)]
pub(crate) enum LinesFault {
    /// The operating system or the gzip stream failed.
    Io(io::Error),
    /// More bytes than allowed, after decompression.
    TooLarge,
    /// A line beyond [`LONGEST_LINE`], by its number.
    TooLong(u64),
}

/// The lines of a text.
pub(crate) struct TextLines<'a> {
    source: Box<dyn BufRead + 'a>,
    left: u64,
    number: u64,
    text: Vec<u8>,
}

impl TextLines<'static> {
    /// Opens a file; gzip is recognised by its first bytes. Reading ends with an error beyond `limit` bytes.
    pub fn open(path: &Path, limit: u64) -> io::Result<Self> {
        let file: File = regular_file::open(path)?;
        TextLines::new(BufReader::new(file), limit)
    }
}

impl<'a> TextLines<'a> {
    /// Lines of what is read from a source.
    pub fn new(mut source: impl BufRead + 'a, limit: u64) -> io::Result<Self> {
        let is_compressed = source.fill_buf()?.starts_with(&GZIP);
        let source: Box<dyn BufRead + 'a> =
            if is_compressed { Box::new(BufReader::new(MultiGzDecoder::new(source))) } else { Box::new(source) };
        Ok(Self { source, left: limit, number: 0, text: Vec::new() })
    }

    /// The next line without its end, and its number from 1.
    pub fn next(&mut self) -> Result<Option<(u64, &[u8])>, LinesFault> {
        self.text.clear();
        let read =
            self.source.by_ref().take(LONGEST_LINE + 1).read_until(b'\n', &mut self.text).map_err(LinesFault::Io)?
                as u64;
        if read == 0 {
            return Ok(None);
        }
        self.number += 1;
        self.left = self.left.checked_sub(read).ok_or(LinesFault::TooLarge)?;
        if read > LONGEST_LINE {
            return Err(LinesFault::TooLong(self.number));
        }
        if self.number == 1 && self.text.starts_with(MARK) {
            self.text.drain(..MARK.len());
        }
        // blanks and tabs at the end may be empty fields
        let end = self.text.iter().rposition(|byte| !matches!(byte, b'\n' | b'\r')).map_or(0, |last| last + 1);
        self.text.truncate(end);
        Ok(Some(self.last()))
    }

    /// The line that was read last.
    pub fn last(&self) -> (u64, &[u8]) {
        (self.number, &self.text)
    }
}
