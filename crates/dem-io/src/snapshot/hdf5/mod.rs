//! The only place that talks to an HDF5 library: typed datasets, attributes, and a wall against
//! damaged files.
//!
//! Two libraries stand behind the same few operations ([`ReadableFile`], [`WritableFile`]): the
//! pure-Rust one ([`pure`]), and with the feature `hdf5-c` the C library (`c_library`), which
//! then writes and reads all snapshots.
//!
//! The libraries check most of what they decode, but they are large, and some of the internal
//! expectations of the young one are `unwrap`s. A file is foreign input, so every call goes through
//! [`guarded`], which turns a panic into an error. Sizes are checked here before a library
//! allocates ([`super::claims`]).

mod access;
#[cfg(feature = "hdf5-c")]
mod c_library;
mod deflation;
mod pure;
mod source;
mod superblock;

use std::path::Path;

use self::superblock::Superblock;
use crate::error::{Error, Result};

pub(super) use self::access::{
    Access, Failure, MAX_TEXT, NewDataset, ReadableFile, Storage, VtkType, WritableFile, guarded,
};
#[cfg(all(test, feature = "hdf5-c"))]
pub(super) use self::c_library::ALIGNMENT;
pub(super) use self::source::Source;

/// The libraries there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Library {
    /// The crate `rust-hdf5`.
    #[cfg_attr(feature = "hdf5-c", allow(dead_code))] // then only tests ask for it
    PureRust,
    /// The C library.
    #[cfg(feature = "hdf5-c")]
    C,
}

impl Library {
    /// The one that snapshots are written and read with.
    #[cfg(not(feature = "hdf5-c"))]
    pub(super) const CHOSEN: Self = Self::PureRust;
    /// The one that snapshots are written and read with.
    #[cfg(feature = "hdf5-c")]
    pub(super) const CHOSEN: Self = Self::C;

    /// Opens for reading. No system lock is taken: a viewer must never stop a running simulation.
    pub(super) fn open(self, path: &Path) -> Access<Box<dyn ReadableFile>> {
        match self {
            Self::PureRust => pure::open(path),
            #[cfg(feature = "hdf5-c")]
            Self::C => c_library::open(path),
        }
    }

    /// Opens for appending at most so many bytes, without a system lock for the same reason.
    pub(super) fn open_for_append(self, path: &Path, room: u64) -> Access<Box<dyn WritableFile>> {
        match self {
            Self::PureRust => pure::open_for_append(path, room),
            #[cfg(feature = "hdf5-c")]
            Self::C => c_library::open_for_append(path, room),
        }
    }

    /// Creates a file, replacing an existing one.
    pub(super) fn create(self, path: &Path) -> Access<Box<dyn WritableFile>> {
        match self {
            Self::PureRust => pure::create(path),
            #[cfg(feature = "hdf5-c")]
            Self::C => c_library::create(path),
        }
    }

    /// Whether rewriting a new file may give its structure another place, until it has settled.
    pub(super) fn moves_structure(self) -> bool {
        self == Self::PureRust
    }

    /// Whether a reader may keep its file open. All handles of the C library in a process share the state of a
    /// file: with one open for reading, later ones would see what it saw.
    pub(super) fn readers_stay_open(self) -> bool {
        self == Self::PureRust
    }

    /// Whether a file with frames was left by this library in a state in which appending to it loses no frame,
    /// whatever happens: the other library places the structure of its files in another way, and what an append that
    /// was cut short by a crash has left in the indices of the C library names places that it does not count as taken.
    pub(super) fn can_append_to(self, path: &Path) -> Result<bool> {
        let found = Superblock::read(path).map_err(Error::system("read", path))?;
        Ok(found.is_some_and(|found| match self {
            Self::PureRust => found.version == superblock::OF_PURE_RUST,
            #[cfg(feature = "hdf5-c")]
            Self::C => found.version == superblock::OF_C_LIBRARY && found.end == found.length,
        }))
    }
}
