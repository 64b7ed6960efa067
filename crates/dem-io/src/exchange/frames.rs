//! Files with several frames.

use super::error::Fault;
use super::state::ForeignState;
use crate::table::TableLimits;
use crate::text_lines::TextLines;

/// What became of the next frame of a file.
pub(super) enum Next {
    /// There is none.
    End,
    /// It was passed over.
    Passed,
    /// It was read.
    Read(Box<ForeignState>),
}

/// Files with any number of frames, one after the other.
pub(super) trait Frames {
    /// Goes through the next frame, reading it if it is wanted.
    fn next(&mut self, lines: &mut TextLines, wanted: bool, limits: TableLimits) -> Result<Next, Fault>;
}
