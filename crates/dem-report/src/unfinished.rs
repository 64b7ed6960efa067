//! What an interrupted command has already done: files beside its results that go when it comes to its end.
//!
//! Every part of its work, such as the preparation of a sample, a course of a test, or a phase of a packing, has a file of its own that is
//! written from time to time and when the part is over. The same command goes on from there, with the same bits as without the interruption.
//! The name of a file holds a hash of all that its part depends on, so that a command with other options takes what is the same and
//! leaves the rest alone.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use dem_io::atomic::{remove_unfinished, write_atomically};
use dem_io::checkpoint::{CheckpointReader, CheckpointWriter};
use dem_io::directory_lock::DirectoryHandle;
use serde::Serialize;
use serde::de::DeserializeOwned;
use xxhash_rust::xxh3::xxh3_128;

use crate::error::ReportError;
use crate::progress::TARGET;

/// Shortest time between two files of a part.
const SHORTEST: Duration = Duration::from_secs(1);
/// Time between two files of a part in proportion to what the last one took.
const SELDOM: u32 = 100;

/// Sections of a file.
const PROGRESS: &str = "progress";
const STATE: &str = "state";

/// The files of a command.
pub struct Unfinished {
    /// The directory of the results.
    results: Arc<DirectoryHandle>,
    folder: PathBuf,
    /// The engine that writes them; what another one has written is left alone.
    engine: String,
}

/// Removes them from a folder beside the results: the command has come to its end.
///
/// # Errors
/// What the system refuses.
pub fn remove(results: &Path, name: &str) -> Result<(), ReportError> {
    let folder = results.join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(dem_io::Error::system("remove", &folder))?;
    }
    Ok(())
}

impl Unfinished {
    /// Those of an engine in a folder of this name beside the results, in a directory that is made if it does not exist.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn beside(results: &Path, name: &str, engine: String) -> Result<Self, ReportError> {
        std::fs::create_dir_all(results).map_err(dem_io::Error::system("create directory", results))?;
        Ok(Self { results: Arc::new(DirectoryHandle::open(results)?), folder: results.join(name), engine })
    }

    /// The file of a part of the work on a scene, given in full; `settings` is what else it depends on.
    pub fn part(&self, name: &str, scene: &impl Display, settings: &str) -> Part {
        let cause = format!("{} {settings} {scene}", self.engine);
        // labels of laws hold anything
        let legible: String = name.chars().take(40).map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let file = format!("{legible}_{:032x}.part", xxh3_128(format!("{name} {cause}").as_bytes()));
        let (results, folder) = (Arc::clone(&self.results), self.folder.clone());
        Part { name: name.to_owned(), results, folder, file, last: Instant::now(), pause: SHORTEST }
    }

    /// Names of the files, within the directory of the results.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn names(&self) -> Result<Vec<String>, ReportError> {
        let refused = || dem_io::Error::system("list", &self.folder);
        let entries = match std::fs::read_dir(&self.folder) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            other => other.map_err(refused())?,
        };
        let folder = self.folder.file_name().unwrap_or_default().to_string_lossy();
        let name = |entry: std::io::Result<std::fs::DirEntry>| -> Result<String, ReportError> {
            Ok(format!("{folder}/{}", entry.map_err(refused())?.file_name().to_string_lossy()))
        };
        entries.map(name).collect()
    }

    /// Removes what a command left that was killed while it wrote one.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn remove_strays(&self) -> Result<(), ReportError> {
        Ok(remove_unfinished(&self.folder)?)
    }
}

/// The file of a part of the work.
pub struct Part {
    name: String,
    results: Arc<DirectoryHandle>,
    folder: PathBuf,
    file: String,
    last: Instant,
    pause: Duration,
}

impl Part {
    /// How far an interrupted command has come: what it had found, and the state of its simulation.
    ///
    /// # Errors
    /// A file that cannot be read, or is damaged.
    pub fn read<T: DeserializeOwned>(&self) -> Result<Option<(T, Vec<u8>)>, ReportError> {
        let path = self.folder.join(&self.file);
        if !path.exists() {
            return Ok(None);
        }
        let reader = CheckpointReader::open(&path)?;
        tracing::info!(target: TARGET, "{}: goes on from where it was interrupted", self.name);
        Ok(Some((reader.structure(PROGRESS)?, reader.bytes(STATE)?.to_vec())))
    }

    /// Writes how far the part is, if it is time to.
    ///
    /// # Errors
    /// A state that cannot be saved, a file that cannot be written.
    pub fn keep<T: Serialize, E: From<ReportError>>(
        &mut self,
        progress: &T,
        state: impl FnOnce() -> Result<Vec<u8>, E>,
    ) -> Result<(), E> {
        if self.last.elapsed() < self.pause {
            return Ok(());
        }
        let begin = Instant::now();
        self.write(progress, &state()?)?;
        self.last = Instant::now();
        self.pause = SHORTEST.max(SELDOM * begin.elapsed());
        Ok(())
    }

    /// Writes how far the part is.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write<T: Serialize>(&self, progress: &T, state: &[u8]) -> Result<(), ReportError> {
        let mut writer = CheckpointWriter::new();
        writer.section_struct(PROGRESS, progress)?.section_bytes(STATE, state)?;
        self.results.check()?;
        std::fs::create_dir_all(&self.folder).map_err(dem_io::Error::system("create directory", &self.folder))?;
        Ok(write_atomically(&self.folder.join(&self.file), &writer.finish()?)?)
    }
}
