//! Keeps two processes from writing into one run directory.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

use crate::error::{Error, Result};
use crate::regular_file;

/// Name of the file in the run directory that carries the lock.
const LOCK_FILE: &str = ".lock";

/// An exclusive claim on a run directory, for as long as the value lives.
///
/// It is a lock of the operating system on an open file, so it ends with the process however that
/// ends; a lock file left behind means nothing.
#[derive(Debug)]
pub struct RunLock {
    _file: File,
}

impl RunLock {
    /// Claims `directory`, which must exist, without waiting.
    ///
    /// # Errors
    /// [`Error::RunDirectoryInUse`] if another process, or another part of this one, holds it;
    /// [`Error::System`] if the lock file cannot be opened or locked.
    pub fn acquire(directory: &Path) -> Result<Self> {
        let path = directory.join(LOCK_FILE);
        regular_file::may_be_written(&path).map_err(Error::system("open the lock file", &path))?;
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(Error::system("open the lock file", &path))?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => Err(Error::RunDirectoryInUse { path: directory.to_path_buf() }),
            Err(TryLockError::Error(source)) => Err(Error::system("lock", &path)(source)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn second_taker_is_refused_until_the_first_lets_go() {
        let folder = tempfile::tempdir().unwrap();
        let first = RunLock::acquire(folder.path()).unwrap();
        let error = RunLock::acquire(folder.path()).unwrap_err();
        assert!(matches!(error, Error::RunDirectoryInUse { .. }));
        assert!(error.to_string().contains(&folder.path().display().to_string()));
        drop(first);
        RunLock::acquire(folder.path()).unwrap();
    }

    #[test]
    fn lock_file_left_behind_does_not_block() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(LOCK_FILE), b"stale").unwrap();
        RunLock::acquire(folder.path()).unwrap();
    }

    #[test]
    fn missing_directory_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("missing");
        assert!(matches!(RunLock::acquire(&missing), Err(Error::System { .. })));
    }
}
