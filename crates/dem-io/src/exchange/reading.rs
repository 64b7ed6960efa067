//! One frame of a file, whatever its format.

use std::fs::File;
use std::io::{BufReader, Cursor};
use std::path::Path;

use super::detection::detect;
use super::error::{ExchangeError, Fault};
use super::format::ForeignFormat;
use super::frames::{Frames, Next};
use super::state::ForeignState;
use super::{extended_xyz, lammps_data, lammps_dump, mercury, pfc, yade};
use crate::regular_file;
use crate::table::TableLimits;
use crate::text_lines::TextLines;

/// Lines by which a format is told.
const HEAD: usize = 64;

/// What is read of a file.
#[derive(Debug, Clone, Copy)]
pub struct ReadRequest {
    /// The format; found out if not given.
    pub format: Option<ForeignFormat>,
    /// Number of the frame from 0; negative counts from the end.
    pub frame: i64,
    /// Most bytes and particles.
    pub limits: TableLimits,
}

/// The last frame in the format that the file has.
impl Default for ReadRequest {
    fn default() -> Self {
        Self { format: None, frame: -1, limits: TableLimits::default() }
    }
}

enum Source<'a> {
    File(&'a Path),
    Bytes(&'a [u8]),
}

impl Source<'_> {
    fn lines(&self, limits: TableLimits) -> Result<TextLines<'_>, Fault> {
        match self {
            Self::File(path) => {
                let file: File = regular_file::open(path).map_err(Fault::Io)?;
                TextLines::new(BufReader::new(file), limits.bytes).map_err(Fault::Io)
            }
            Self::Bytes(bytes) => TextLines::new(Cursor::new(*bytes), limits.bytes).map_err(Fault::Io),
        }
    }
}

/// Reads one frame of a file; gzip is recognised by its first bytes.
///
/// # Errors
/// A file that cannot be read, is of no format or not of that which is asked for, is larger than the limits, has no such frame, or holds numbers that are not
/// finite or beyond [`LARGEST`](crate::units::LARGEST), radii that are not positive. Errors name the file and the line.
pub fn read(path: impl AsRef<Path>, request: ReadRequest) -> Result<ForeignState, ExchangeError> {
    let path = path.as_ref();
    read_source(&Source::File(path), request).map_err(|fault| fault.of(path))
}

/// The same for bytes; `path` is what errors call them.
///
/// # Errors
/// As [`read`].
pub fn read_bytes(path: impl AsRef<Path>, bytes: &[u8], request: ReadRequest) -> Result<ForeignState, ExchangeError> {
    read_source(&Source::Bytes(bytes), request).map_err(|fault| fault.of(path.as_ref()))
}

fn read_source(source: &Source, request: ReadRequest) -> Result<ForeignState, Fault> {
    let limits = request.limits;
    let format = match request.format {
        Some(format) => format,
        None => detected(source, limits)?,
    };
    match format {
        ForeignFormat::LammpsData => single(request.frame, lammps_data::read(&mut source.lines(limits)?, limits)?),
        ForeignFormat::Yade => single(request.frame, yade::read(&mut source.lines(limits)?, limits)?),
        ForeignFormat::Pfc => single(request.frame, pfc::read(&mut source.lines(limits)?, limits)?),
        ForeignFormat::LammpsDump => one_of_many(source, request, lammps_dump::Dump::default),
        ForeignFormat::ExtendedXyz => one_of_many(source, request, || extended_xyz::Xyz),
        ForeignFormat::Mercury => one_of_many(source, request, || mercury::Data),
    }
}

/// The format that the first lines have.
fn detected(source: &Source, limits: TableLimits) -> Result<ForeignFormat, Fault> {
    let mut lines = source.lines(limits)?;
    let mut head = Vec::new();
    while head.len() < HEAD
        && let Some((_, line)) = lines.next()?
    {
        head.push(line.to_vec());
    }
    detect(&head).ok_or_else(|| {
        Fault::file(format!(
            "the format cannot be told from the content, expected --format with one of {}",
            ForeignFormat::names()
        ))
    })
}

/// What a file with one frame holds.
fn single(frame: i64, state: ForeignState) -> Result<ForeignState, Fault> {
    if matches!(frame, 0 | -1) { Ok(state) } else { Err(no_frame(frame, 1)) }
}

/// The wanted one of several frames.
fn one_of_many<F: Frames>(source: &Source, request: ReadRequest, new: impl Fn() -> F) -> Result<ForeignState, Fault> {
    let limits = request.limits;
    let index = match usize::try_from(request.frame) {
        Ok(index) => index,
        Err(_) => {
            let (mut lines, mut frames, mut count) = (source.lines(limits)?, new(), 0_usize);
            while !matches!(frames.next(&mut lines, false, limits)?, Next::End) {
                count += 1;
            }
            let back = usize::try_from(request.frame.unsigned_abs()).unwrap_or(usize::MAX);
            count.checked_sub(back).ok_or_else(|| no_frame(request.frame, count))?
        }
    };
    let (mut lines, mut frames) = (source.lines(limits)?, new());
    let mut number = 0;
    loop {
        match frames.next(&mut lines, number == index, limits)? {
            Next::End => return Err(no_frame(request.frame, number)),
            Next::Passed => number += 1,
            Next::Read(mut state) => {
                state.frame = number;
                return Ok(*state);
            }
        }
    }
}

fn no_frame(asked: i64, count: usize) -> Fault {
    if count == 0 {
        return Fault::file("holds no frame");
    }
    Fault::file(format!("has no frame {asked}, expected {} to {}", -(count as i64), count - 1))
}
