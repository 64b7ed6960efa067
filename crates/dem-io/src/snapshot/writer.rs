//! Appends frames to a snapshot file.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::frame::Frame;
use super::hdf5::{Access, Library, WritableFile, guarded};
use super::layout::{self, ChunkRows};
use super::placement::{self, Place};
use super::reader::SnapshotReader;
use super::schema::Schema;
use crate::atomic;
use crate::directory_lock::DirectoryLock;
use crate::error::{Error, Result};

/// Most rewrites of a new file before its structure must have settled.
const REWRITES_TO_SETTLE: usize = 8;
/// Length of the superblock at the start of a file.
const SUPERBLOCK: usize = 48;

/// Appends frames to a snapshot file; the file is closed and complete after every call.
#[derive(Debug)]
pub struct SnapshotWriter {
    path: PathBuf,
    hdf5: Library,
    metadata: BTreeMap<String, String>,
    /// `None` until the first frame fixes the columns.
    columns: Option<(Schema, ChunkRows)>,
    frames: usize,
    last_step: Option<u64>,
    /// Whether the file is known to be one that the library can append to.
    sound: bool,
    /// The claim on the directory of the file, if there is one.
    owner: Option<Arc<DirectoryLock>>,
}

impl SnapshotWriter {
    /// Creates a file that holds only `metadata`; the first frame fixes its columns.
    ///
    /// # Errors
    /// [`Error::SnapshotExists`] if there is a file already, [`Error::System`] and
    /// [`Error::Snapshot`] if it cannot be written.
    pub fn create(path: &Path, metadata: &BTreeMap<String, String>) -> Result<Self> {
        Self::create_with(Library::CHOSEN, path, metadata)
    }

    /// The same through a library.
    pub(super) fn create_with(library: Library, path: &Path, metadata: &BTreeMap<String, String>) -> Result<Self> {
        if path.symlink_metadata().is_ok() {
            return Err(Error::SnapshotExists { path: path.to_path_buf() });
        }
        replace(path, |temporary| create_bare(library, temporary, metadata))?;
        Ok(Self {
            path: path.to_path_buf(),
            hdf5: library,
            metadata: metadata.clone(),
            columns: None,
            frames: 0,
            last_step: None,
            sound: false,
            owner: None,
        })
    }

    /// Continues a file written by an earlier process. One that the other HDF5 library wrote, or whose last append was cut short
    /// where that matters to the library, is written anew before the next append.
    ///
    /// # Errors
    /// [`Error::Snapshot`] if the file is damaged or foreign.
    pub fn open_existing(path: &Path) -> Result<Self> {
        Self::open_existing_with(Library::CHOSEN, path)
    }

    /// The same through a library.
    pub(super) fn open_existing_with(library: Library, path: &Path) -> Result<Self> {
        let reader = SnapshotReader::open_with(library, path)?;
        Ok(Self {
            path: path.to_path_buf(),
            hdf5: library,
            metadata: reader.metadata().clone(),
            columns: reader.schema().cloned().zip(reader.chunk_rows()),
            frames: reader.frames().len(),
            last_step: reader.frames().last().map(|frame| frame.step),
            sound: false,
            owner: None,
        })
    }

    /// Asks the owner of the directory before every access whether the path still leads there.
    #[must_use]
    pub fn owned_by(mut self, owner: Arc<DirectoryLock>) -> Self {
        self.owner = Some(owner);
        self
    }

    /// Follows its file, which was given another path.
    pub fn rename_to(&mut self, path: PathBuf) {
        self.path = path;
    }

    /// Count of frames in the file.
    #[must_use]
    pub fn frame_count(&self) -> usize {
        self.frames
    }

    /// Step of the last frame, if there is one.
    #[must_use]
    pub fn last_step(&self) -> Option<u64> {
        self.last_step
    }

    /// Appends one frame. On success the frame survives the end of this process and of the
    /// machine; on failure the earlier frames stay readable and the call may be repeated.
    ///
    /// # Errors
    /// [`Error::Frame`] if the frame contradicts itself, has other columns than the first one or
    /// is not later than the last one; [`Error::Snapshot`] or [`Error::System`] if the file
    /// cannot be written; [`Error::DirectoryLost`] if the path does not lead to it any more.
    pub fn append(&mut self, frame: &Frame) -> Result<()> {
        self.append_all(&[frame])
    }

    /// Appends frames in one go: to open and complete the file costs as much for many as for one. All of them survive, or none.
    ///
    /// # Errors
    /// As [`Self::append`].
    pub fn append_all(&mut self, frames: &[&Frame]) -> Result<()> {
        let (Some(first), Some(last)) = (frames.first(), frames.last()) else { return Ok(()) };
        if self.columns.is_none() && frames.len() > 1 {
            // the first one fixes the columns
            self.append_all(&frames[..1])?;
            return self.append_all(&frames[1..]);
        }
        let schema = self.check(first, self.last_step)?;
        for pair in frames.windows(2) {
            self.check(pair[1], Some(pair[0].step))?;
        }
        let owner = self.owner.as_deref();
        owner.map_or(Ok(()), DirectoryLock::check)?;
        if let Some((_, chunk_rows)) = &self.columns {
            if !self.sound && !self.hdf5.can_append_to(&self.path)? {
                let reader = SnapshotReader::open_with(self.hdf5, &self.path)?;
                keep(self.hdf5, &self.path, &reader, self.frames)?;
            }
            // not known after a failure
            self.sound = false;
            let places = guarded(&self.path, || write_rows(self.hdf5, &self.path, chunk_rows, self.frames, frames))?;
            // the file is opened by its path once more
            owner.map_or(Ok(()), DirectoryLock::check)?;
            guarded(&self.path, || {
                publish(self.hdf5, &self.path, frames, &places)?;
                sync(&self.path)
            })?;
        } else {
            let chunk_rows = ChunkRows::suiting(first);
            let columns = (&schema, &chunk_rows);
            replace(&self.path, |temporary| create_settled(self.hdf5, temporary, &self.metadata, columns, first))?;
            self.columns = Some((schema, chunk_rows));
        }
        self.sound = true;
        self.frames += frames.len();
        self.last_step = Some(last.step);
        Ok(())
    }

    /// Makes sure that a frame fits into the file behind that of a step.
    fn check(&self, frame: &Frame, last: Option<u64>) -> Result<Schema> {
        let refuse = |reason: String| Error::Frame { step: frame.step, reason };
        if let Some(last) = last
            && frame.step <= last
        {
            return Err(refuse(format!("the last frame in the file is of step {last}")));
        }
        let schema = Schema::of(frame)?;
        match &self.columns {
            Some((file, _)) if *file != schema => Err(refuse(file.difference(&schema))),
            _ => Ok(schema),
        }
    }
}

/// Drops every frame later than `step` and returns how many were dropped.
///
/// The kept frames are copied to a new file that then takes the name of the old one, so an
/// interruption leaves the old file.
///
/// # Errors
/// [`Error::Snapshot`] if the file is damaged or foreign, [`Error::System`] if the new file
/// cannot be written.
pub fn truncate_after(path: &Path, step: u64) -> Result<usize> {
    let reader = SnapshotReader::open(path)?;
    let all = reader.frames().len();
    let kept = reader.frames().iter().take_while(|f| f.step <= step).count();
    if kept == all {
        return Ok(0);
    }
    keep(Library::CHOSEN, path, &reader, kept)?;
    Ok(all - kept)
}

/// Writes a file anew with its first `kept` frames.
fn keep(library: Library, path: &Path, reader: &SnapshotReader, kept: usize) -> Result<()> {
    let columns = reader.schema().zip(reader.chunk_rows());
    replace(path, |temporary| match columns {
        Some((schema, chunk_rows)) if kept > 0 => {
            let frame = |index| reader.read(index).map_err(|error| error.to_string());
            let columns = (schema, &chunk_rows);
            create_settled(library, temporary, reader.metadata(), columns, &frame(0)?)?;
            for index in 1..kept {
                let frame = frame(index)?;
                let places = write_rows(library, temporary, &chunk_rows, index, &[&frame])?;
                publish(library, temporary, &[&frame], &places)?;
            }
            Ok(())
        }
        _ => create_bare(library, temporary, reader.metadata()),
    })
}

/// Lets `fill` write a new file beside `path` and gives it that name once it is on the disk.
fn replace(path: &Path, fill: impl FnOnce(&Path) -> Access<()>) -> Result<()> {
    let mut name = path.file_name().map_or_else(OsString::new, OsString::from);
    name.push(".new");
    let temporary = path.with_file_name(name);
    let written = guarded(path, || {
        fill(&temporary)?;
        sync(&temporary)
    })
    .and_then(|()| std::fs::rename(&temporary, path).map_err(Error::system("rename a new file to", path)));
    if let Err(error) = written {
        // The failure is what matters; a left-over is overwritten by the next attempt.
        let _ = std::fs::remove_file(&temporary);
        return Err(error);
    }
    atomic::sync_folder_of(path)
}

/// Creates a file with metadata and nothing else.
fn create_bare(library: Library, path: &Path, metadata: &BTreeMap<String, String>) -> Access<()> {
    session(library.create(path)?, |file| layout::create_metadata(file, metadata))
}

/// Creates a file with metadata, all columns and a first frame, whose structure stays where it is.
///
/// The pure-Rust library keeps the header of a group with many links in two blocks, and gives the second
/// one a new place on every rewrite: a process that ended in the middle of that would leave no
/// readable file. The new place is the old one as soon as the old ones fit, so the file is
/// rewritten, here where nobody depends on it yet, until that changes nothing.
fn create_settled(
    library: Library,
    path: &Path,
    metadata: &BTreeMap<String, String>,
    (schema, chunk_rows): (&Schema, &ChunkRows),
    first: &Frame,
) -> Access<()> {
    session(library.create(path)?, |file| {
        layout::create_metadata(file, metadata)?;
        layout::create_columns(file, schema, chunk_rows)?;
        let places = placement::write_columns(file, chunk_rows, 0, &[first])?;
        placement::publish(file, &[first], &places)
    })?;
    if !library.moves_structure() {
        return Ok(());
    }
    let system = |error: std::io::Error| format!("settle: {error}");
    let mut before = std::fs::read(path).map_err(system)?;
    for _ in 0..REWRITES_TO_SETTLE {
        // A block at the very end would be an exception: it can grow where it is. Frames to come
        // will lie behind it, so something must lie behind it now.
        File::options().append(true).open(path).and_then(|mut file| file.write_all(&[0; 64])).map_err(system)?;
        session(library.open_for_append(path, 0)?, |file| placement::announce_frames(file, 1))?;
        let after = std::fs::read(path).map_err(system)?;
        // The superblock records the length of the file, which did change.
        if after.get(SUPERBLOCK..before.len()) == before.get(SUPERBLOCK..) {
            return Ok(());
        }
        before = after;
    }
    Err("its structure moves whenever it is rewritten".to_owned())
}

/// Adds the columns of frames to an existing file, the first of two sessions of the library (see [`placement`]).
fn write_rows(
    library: Library,
    path: &Path,
    chunk_rows: &ChunkRows,
    index: usize,
    frames: &[&Frame],
) -> Access<Vec<Place>> {
    let room = placement::room_for(frames);
    session(library.open_for_append(path, room)?, |file| placement::write_columns(file, chunk_rows, index, frames))
}

/// Makes the frames exist that [`write_rows`] has written.
fn publish(library: Library, path: &Path, frames: &[&Frame], places: &[Place]) -> Access<()> {
    let room = placement::room_for(frames);
    session(library.open_for_append(path, room)?, |file| placement::publish(file, frames, places))
}

/// Works on an open file and completes it; [`sync`] is separate, once for both sessions of an append.
fn session<T>(file: Box<dyn WritableFile>, work: impl FnOnce(&dyn WritableFile) -> Access<T>) -> Access<T> {
    match work(&*file) {
        Ok(value) => file.close().map(|()| value),
        Err(failure) => {
            file.abandon();
            Err(failure)
        }
    }
}

/// Waits until the file is on the disk.
fn sync(path: &Path) -> Access<()> {
    File::open(path).and_then(|handle| handle.sync_all()).map_err(|error| format!("sync: {error}"))
}
