//! One owner at a time for a directory of results.
//!
//! A path is no owner: the directory it names can be moved or removed, and another can take its place while a process goes on writing. So a
//! lock holds the directory itself open, and before anything is written by path its owner asks whether the path still leads there.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::atomic;
use crate::error::{Error, Result};
use crate::regular_file;

/// Name of the lock file, for file systems on which a directory itself cannot be locked.
const LOCK_FILE: &str = ".lock";
/// How often a directory that vanishes between two calls of the system is looked for again.
const ATTEMPTS: usize = 100;
/// Time between two attempts to get a lock that somebody holds for a moment.
const PAUSE: Duration = Duration::from_millis(10);

/// A directory that is held open, so that a path can be asked whether it still leads there.
#[derive(Debug)]
pub struct DirectoryHandle {
    path: PathBuf,
    /// Open, so that no other directory gets its number; none where directories cannot be opened, and not be moved while files in them are.
    directory: Option<File>,
}

impl DirectoryHandle {
    /// Opens a directory.
    ///
    /// # Errors
    /// [`Error::System`] if it cannot be opened.
    pub fn open(path: &Path) -> Result<Self> {
        let directory = open_directory(path).map_err(Error::system("open", path))?;
        Ok(Self { path: path.to_path_buf(), directory })
    }

    /// The path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes sure that the path still leads to the directory: to be run before anything is written by path.
    ///
    /// # Errors
    /// [`Error::DirectoryLost`] if it was moved or removed or another stands in its place; [`Error::System`] if that is unknown.
    pub fn check(&self) -> Result<()> {
        if self.is_in_place()? { Ok(()) } else { Err(Error::DirectoryLost { path: self.path.clone() }) }
    }

    fn is_in_place(&self) -> Result<bool> {
        let Some(directory) = &self.directory else { return Ok(true) };
        is_at(directory, &self.path).map_err(Error::system("look at", &self.path))
    }
}

/// An exclusive claim on a directory, for as long as the value lives.
///
/// It is a lock of the operating system on open files, so it ends with the process however that ends; a lock file left behind means
/// nothing, and one that is removed gives nothing away where the directory itself is locked. What was made for the claim alone goes with it:
/// the lock file, and a directory that is still empty.
#[derive(Debug)]
pub struct DirectoryLock {
    handle: DirectoryHandle,
    /// Whether the directory itself is locked.
    is_locked_itself: bool,
    file: File,
    /// Directories made for the claim, deepest first.
    made: Vec<PathBuf>,
}

impl DirectoryLock {
    /// Claims a directory without waiting, and makes it if it does not exist.
    ///
    /// # Errors
    /// [`Error::DirectoryInUse`] if another process, or another part of this one, holds it; [`Error::System`] if the directory or its lock
    /// file cannot be made, opened or locked.
    pub fn acquire(path: &Path) -> Result<Self> {
        let mut made = Vec::new();
        let mut claimed = Self::claim(path, &mut made);
        match &mut claimed {
            Ok(lock) => lock.made = made,
            Err(_) => remove_empty(&made),
        }
        claimed
    }

    /// Claims a directory that others hold for moments only: waits for them up to a time.
    ///
    /// # Errors
    /// As [`Self::acquire`], after that time.
    pub fn acquire_within(path: &Path, time: Duration) -> Result<Self> {
        let begin = Instant::now();
        loop {
            match Self::acquire(path) {
                Err(Error::DirectoryInUse { .. }) if begin.elapsed() < time => std::thread::sleep(PAUSE),
                claimed => return claimed,
            }
        }
    }

    fn claim(path: &Path, made: &mut Vec<PathBuf>) -> Result<Self> {
        let in_use = || Error::DirectoryInUse { path: path.to_path_buf() };
        let lock_file = path.join(LOCK_FILE);
        let mut gone = None;
        for _ in 0..ATTEMPTS {
            make(path, made)?;
            let directory = match open_directory(path) {
                Ok(directory) => directory,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    gone = Some(error);
                    continue;
                }
                Err(error) => return Err(Error::system("open", path)(error)),
            };
            // network file systems may not know locks on directories
            let is_locked_itself = match directory.as_ref().map(File::try_lock) {
                Some(Err(TryLockError::WouldBlock)) => return Err(in_use()),
                Some(Ok(())) => true,
                Some(Err(TryLockError::Error(_))) | None => false,
            };
            regular_file::may_be_written(&lock_file).map_err(Error::system("open the lock file", &lock_file))?;
            let file = match OpenOptions::new().write(true).create(true).truncate(false).open(&lock_file) {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    gone = Some(error);
                    continue;
                }
                Err(error) => return Err(Error::system("open the lock file", &lock_file)(error)),
            };
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(in_use()),
                Err(TryLockError::Error(error)) => return Err(Error::system("lock", &lock_file)(error)),
            }
            let handle = DirectoryHandle { path: path.to_path_buf(), directory };
            let lock = Self { handle, is_locked_itself, file, made: Vec::new() };
            // an owner that ended meanwhile may have taken them away
            if lock.is_held()? {
                return Ok(lock);
            }
        }
        let gone = gone.unwrap_or_else(|| io::Error::other("it is replaced repeatedly"));
        Err(Error::system("lock", path)(gone))
    }

    /// The directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.handle.path()
    }

    /// Makes sure that the path still leads to the directory that is held: to be run before anything is written by path.
    ///
    /// # Errors
    /// As [`DirectoryHandle::check`].
    pub fn check(&self) -> Result<()> {
        if self.is_held()? { Ok(()) } else { Err(Error::DirectoryLost { path: self.path().to_path_buf() }) }
    }

    fn is_held(&self) -> Result<bool> {
        if self.is_locked_itself {
            return self.handle.is_in_place();
        }
        // then the lock file is what keeps others out
        let lock_file = self.path().join(LOCK_FILE);
        Ok(self.handle.is_in_place()? && is_at(&self.file, &lock_file).map_err(Error::system("look at", &lock_file))?)
    }
}

impl Drop for DirectoryLock {
    fn drop(&mut self) {
        // while it is locked: who has opened the file already finds that it is not at its path any more
        if self.is_held().unwrap_or(false) {
            let _ = std::fs::remove_file(self.path().join(LOCK_FILE));
            remove_empty(&self.made);
        }
    }
}

/// Whether a process has claimed a directory and not let go of it: it is at work there, or was killed.
#[must_use]
pub fn is_claimed(path: &Path) -> bool {
    path.join(LOCK_FILE).exists()
}

/// Whether a directory does not exist or holds nothing but what killed processes leave: lock files and unfinished files.
///
/// # Errors
/// [`Error::System`] if it cannot be read.
pub fn is_unused(path: &Path) -> Result<bool> {
    holds_only(path, &[])
}

/// As [`is_unused`], for a directory that may hold files of some names.
///
/// # Errors
/// [`Error::System`] if it cannot be read.
pub fn holds_only(path: &Path, names: &[&str]) -> Result<bool> {
    let entries = match std::fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        Err(error) => return Err(Error::system("read", path)(error)),
    };
    for entry in entries {
        let name = entry.map_err(Error::system("read", path))?.file_name();
        let is_allowed = |name: &str| atomic::is_unfinished(name) || names.contains(&name);
        if name != LOCK_FILE && !name.to_str().is_some_and(is_allowed) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Makes a directory and those above it; notes those that were not there, deepest first.
fn make(path: &Path, made: &mut Vec<PathBuf>) -> Result<()> {
    let is_missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
    let missing: Vec<PathBuf> = path.ancestors().take_while(is_missing).map(Path::to_path_buf).collect();
    std::fs::create_dir_all(path).map_err(Error::system("create", path))?;
    if made.is_empty() {
        *made = missing;
    }
    Ok(())
}

/// Removes directories as long as they are empty.
fn remove_empty(folders: &[PathBuf]) {
    let _ = folders.iter().try_for_each(std::fs::remove_dir);
}

#[cfg(unix)]
fn open_directory(path: &Path) -> io::Result<Option<File>> {
    File::open(path).map(Some)
}

/// A directory in which a file is open cannot be moved there, so that the lock file is enough.
#[cfg(not(unix))]
fn open_directory(_: &Path) -> io::Result<Option<File>> {
    Ok(None)
}

/// Whether a path leads to an open file or directory.
#[cfg(unix)]
fn is_at(held: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let identity = |about: std::fs::Metadata| (about.dev(), about.ino());
    match std::fs::metadata(path) {
        Ok(found) => Ok(identity(held.metadata()?) == identity(found)),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> io::Result<bool> {
    path.try_exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn second_taker_is_refused_until_the_first_lets_go() {
        let folder = tempfile::tempdir().unwrap();
        let first = DirectoryLock::acquire(folder.path()).unwrap();
        first.check().unwrap();
        let error = DirectoryLock::acquire(folder.path()).unwrap_err();
        assert!(matches!(error, Error::DirectoryInUse { .. }));
        assert!(error.to_string().contains(&folder.path().display().to_string()));
        drop(first);
        DirectoryLock::acquire(folder.path()).unwrap();
    }

    #[test]
    fn lock_file_left_behind_does_not_block_and_does_not_stay() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(LOCK_FILE), b"stale").unwrap();
        assert!(is_unused(folder.path()).unwrap() && is_claimed(folder.path()));
        drop(DirectoryLock::acquire(folder.path()).unwrap());
        assert!(!is_claimed(folder.path()));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn directories_made_for_nothing_go_and_those_that_were_used_stay() {
        let folder = tempfile::tempdir().unwrap();
        let (above, deep) = (folder.path().join("runs"), folder.path().join("runs/a"));
        drop(DirectoryLock::acquire(&deep).unwrap());
        assert!(!above.exists());
        let lock = DirectoryLock::acquire(&deep).unwrap();
        assert!(DirectoryLock::acquire(&deep).is_err() && deep.is_dir());
        std::fs::write(deep.join("result"), b"").unwrap();
        drop(lock);
        assert_eq!(std::fs::read_dir(&deep).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn removed_lock_file_lets_nobody_in() {
        let folder = tempfile::tempdir().unwrap();
        let first = DirectoryLock::acquire(folder.path()).unwrap();
        std::fs::remove_file(folder.path().join(LOCK_FILE)).unwrap();
        let taken = DirectoryLock::acquire(folder.path());
        if first.is_locked_itself {
            assert!(matches!(taken, Err(Error::DirectoryInUse { .. })), "{taken:?}");
            first.check().unwrap();
        } else {
            assert!(matches!(first.check(), Err(Error::DirectoryLost { .. })));
        }
    }

    #[cfg(unix)]
    #[test]
    fn directory_that_was_moved_or_removed_is_lost_even_if_another_takes_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let (here, there) = (folder.path().join("here"), folder.path().join("there"));
        let first = DirectoryLock::acquire(&here).unwrap();
        std::fs::rename(&here, &there).unwrap();
        let lost = first.check().unwrap_err();
        assert!(matches!(lost, Error::DirectoryLost { .. }) && lost.to_string().contains("here"), "{lost}");
        let second = DirectoryLock::acquire(&here).unwrap();
        assert!(first.check().is_err());
        second.check().unwrap();
        // the moved one is still held
        assert!(matches!(DirectoryLock::acquire(&there), Err(Error::DirectoryInUse { .. })));
        drop(first);
        second.check().unwrap();
        assert!(here.join(LOCK_FILE).exists(), "it took away what belongs to the second");
    }

    #[test]
    fn of_many_takers_one_gets_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new");
        let barrier = std::sync::Barrier::new(24);
        for _ in 0..20 {
            let taken: usize = std::thread::scope(|scope| {
                let take = || {
                    barrier.wait();
                    let lock = DirectoryLock::acquire(&path);
                    barrier.wait();
                    usize::from(lock.is_ok())
                };
                let all: Vec<_> = (0..24).map(|_| scope.spawn(take)).collect();
                all.into_iter().map(|one| one.join().unwrap()).sum()
            });
            assert_eq!(taken, 1);
            assert!(is_unused(&path).unwrap());
        }
    }

    #[test]
    fn who_waits_gets_what_is_held_for_a_moment() {
        let folder = tempfile::tempdir().unwrap();
        let first = DirectoryLock::acquire(folder.path()).unwrap();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                std::thread::sleep(Duration::from_millis(100));
                drop(first);
            });
            DirectoryLock::acquire_within(folder.path(), Duration::from_secs(20)).unwrap();
        });
    }

    #[test]
    fn directory_below_a_file_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, b"mine").unwrap();
        for path in [file.join("out"), file] {
            assert!(matches!(DirectoryLock::acquire(&path), Err(Error::System { .. })));
        }
    }
}
