//! What is asked of a surface.

use std::path::PathBuf;

/// What kind of surface it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A heap, or the crater that is left in a hopper, about a vertical axis.
    Heap,
    /// A bed in a drum with a horizontal axis.
    Drum,
}

/// What to look at.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Run directory, file of snapshots or directory of an ensemble.
    pub run: PathBuf,
    /// What kind of surface it is.
    pub kind: Kind,
    /// Last frame, negative from the end.
    pub frame: i64,
    /// Time over which frames are averaged \[s\].
    pub window: Option<f64>,
}
