//! The first bytes of a file, which tell the library that wrote it and whether it was completed.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Version in files of the pure-Rust library that have frames.
pub(super) const OF_PURE_RUST: u8 = 3;
/// Version in files of the C library: the last one without a flag that says that the file is open. A process that is killed
/// would leave that flag behind, and no program of the C library would open the file before a tool has cleared it.
#[cfg(feature = "hdf5-c")]
pub(super) const OF_C_LIBRARY: u8 = 2;

/// Mark of an HDF5 file.
const MARK: [u8; 8] = *b"\x89HDF\r\n\x1a\n";
/// Length of versions 2 and 3.
const LENGTH: usize = 48;
/// Place of the end of the file in these versions, with addresses of eight bytes.
const END: usize = 28;

/// What the superblock of a file says (HDF5 File Format Specification 3.0, II.A).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Superblock {
    pub(super) version: u8,
    /// Length of the file as the library that wrote it knows it.
    #[cfg_attr(not(feature = "hdf5-c"), allow(dead_code))] // only the C library leaves a file longer than it knows
    pub(super) end: u64,
    /// Length of the file.
    #[cfg_attr(not(feature = "hdf5-c"), allow(dead_code))]
    pub(super) length: u64,
}

impl Superblock {
    /// Of a file; none if it has none of version 2 or later, which all snapshot files have.
    pub(super) fn read(path: &Path) -> io::Result<Option<Self>> {
        let mut file = File::open(path)?;
        let length = file.metadata()?.len();
        let mut bytes = [0; LENGTH];
        if length < LENGTH as u64 {
            return Ok(None);
        }
        file.read_exact(&mut bytes)?;
        let mut end = [0; 8];
        end.copy_from_slice(&bytes[END..END + 8]);
        let version = bytes[8];
        let known = bytes.starts_with(&MARK) && matches!(version, 2 | 3) && bytes[9] == 8;
        Ok(known.then(|| Self { version, end: u64::from_le_bytes(end), length }))
    }
}
