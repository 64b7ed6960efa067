//! What can go wrong when files of a run are written or read.

use std::path::{Path, PathBuf};

/// Result of the file operations of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// Failure of a file operation; every variant names the file, section or column it concerns.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused an operation.
    #[error("cannot {operation} {path}: {source}")]
    System {
        /// What was attempted, as a verb.
        operation: &'static str,
        /// The file or folder it was attempted on.
        path: PathBuf,
        /// The system's answer.
        source: std::io::Error,
    },
    /// The bytes do not begin with the mark of a checkpoint.
    #[error("not a checkpoint of this engine: the first 8 bytes are not DEMCKPT and a zero")]
    NotACheckpoint,
    /// The checkpoint has another format version.
    #[error(
        "checkpoint has format {found}, this engine reads format {supported}: continue with the engine version that wrote it, or start the run again"
    )]
    CheckpointVersion {
        /// Version in the file.
        found: u32,
        /// The version this engine reads and writes.
        supported: u32,
    },
    /// The checkpoint ends before what it announces.
    #[error("checkpoint is truncated: {expected} bytes announced, {found} present")]
    CheckpointTruncated {
        /// Bytes the checkpoint announces.
        expected: u64,
        /// Bytes there are.
        found: u64,
    },
    /// The header or section table of the checkpoint contradicts itself.
    #[error("checkpoint header is damaged: {reason}")]
    CheckpointHeader {
        /// The contradiction.
        reason: String,
    },
    /// The payload of a section is not what was written.
    #[error("checkpoint section `{section}` is damaged: its checksum differs")]
    CheckpointChecksum {
        /// Name of the section.
        section: String,
    },
    /// A section that was asked for does not exist.
    #[error("checkpoint has no section `{section}`")]
    CheckpointSectionMissing {
        /// Name of the section.
        section: String,
    },
    /// A section cannot be added or does not hold what was asked for.
    #[error("checkpoint section `{section}`: {reason}")]
    CheckpointSection {
        /// Name of the section.
        section: String,
        /// What does not fit.
        reason: String,
    },
    /// A structured section could not be encoded or decoded.
    #[error("checkpoint section `{section}`: {reason}")]
    Codec {
        /// Name of the section.
        section: String,
        /// Answer of the codec.
        reason: String,
    },
    /// Another process holds the directory.
    #[error("directory {path} is in use by another process")]
    DirectoryInUse {
        /// The directory.
        path: PathBuf,
    },
    /// The directory that a process holds is not the one at its path any more.
    #[error(
        "{path} is no longer the directory that this process writes to: it was moved, removed or replaced; nothing more is written"
    )]
    DirectoryLost {
        /// The path.
        path: PathBuf,
    },
    /// The frames of a snapshot file have other columns than those to be added.
    #[error("snapshot file {path}: {reason}")]
    SnapshotColumns {
        /// The file.
        path: PathBuf,
        /// What differs.
        reason: String,
    },
    /// A new snapshot file would replace an existing one.
    #[error("snapshot file {path} exists already")]
    SnapshotExists {
        /// The file.
        path: PathBuf,
    },
    /// A frame does not fit the file or contradicts itself.
    #[error("frame at step {step}: {reason}")]
    Frame {
        /// Step of the frame.
        step: u64,
        /// What does not fit.
        reason: String,
    },
    /// A frame was asked for that the file does not hold.
    #[error("snapshot file {path} has {count} frames, frame {index} was requested")]
    FrameIndex {
        /// The file.
        path: PathBuf,
        /// Frames in the file.
        count: usize,
        /// Frame asked for, counted from 0.
        index: usize,
    },
    /// The snapshot file is damaged or was not written by this engine.
    #[error("snapshot file {path} cannot be used: {reason}")]
    Snapshot {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A table cannot be compared row by row.
    #[error("table `{table}` cannot be compared: {reason}")]
    Comparison {
        /// Name of the table.
        table: String,
        /// What stands in the way.
        reason: String,
    },
}

impl Error {
    /// Adapter for `map_err` on operations of the operating system.
    pub fn system(operation: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::System { operation, path: path.to_path_buf(), source }
    }
}
