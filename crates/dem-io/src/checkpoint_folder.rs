//! The folder that holds the newest checkpoints of a run.
//!
//! It never holds anything but finished checkpoints: they are written and synced in the run
//! directory above it and then renamed into it, and an old one goes only after that.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::atomic::{self, Unfinished};
use crate::error::{Error, Result};

const PREFIX: &str = "step_";
const SUFFIX: &str = ".ckpt";
/// Digits of the step in a name; larger steps get more, and still sort right here.
const DIGITS: usize = 12;

/// Name of the checkpoint of a step.
#[must_use]
pub fn file_name(step: u64) -> String {
    format!("{PREFIX}{step:0DIGITS$}{SUFFIX}")
}

/// Step of a checkpoint by its name; `None` for names that [`file_name`] does not give.
#[must_use]
pub fn step_of(name: &str) -> Option<u64> {
    let digits = name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?;
    let step = digits.parse().ok()?;
    (file_name(step) == name).then_some(step)
}

/// Checkpoints of a folder with their steps, oldest first. Other files are ignored; a
/// folder that does not exist has none.
///
/// # Errors
/// [`Error::System`] if the folder cannot be read.
pub fn list(folder: &Path) -> Result<Vec<(u64, PathBuf)>> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Error::system("list", folder)(error)),
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry.map_err(Error::system("list", folder))?;
        if let Some(step) = entry.file_name().to_str().and_then(step_of) {
            found.push((step, entry.path()));
        }
    }
    found.sort_unstable();
    Ok(found)
}

/// The checkpoint of the largest step.
///
/// # Errors
/// [`Error::System`] if the folder cannot be read.
pub fn latest(folder: &Path) -> Result<Option<(u64, PathBuf)>> {
    Ok(list(folder)?.pop())
}

/// Writes the checkpoint of `step`. Creates the folder if needed. Returns the path of the new file.
///
/// # Errors
/// [`Error::System`] if the file cannot be written.
pub fn write(folder: &Path, step: u64, bytes: &[u8]) -> Result<PathBuf> {
    std::fs::create_dir_all(folder).map_err(Error::system("create", folder))?;
    let mut file = begin(folder)?;
    file.file().write_all(bytes).map_err(Error::system("write", file.path()))?;
    finish(file, folder, step)
}

/// An empty file in the folder above, to write a checkpoint to that [`finish`] moves into the folder.
///
/// # Errors
/// [`Error::System`] if it cannot be created.
pub fn begin(folder: &Path) -> Result<Unfinished> {
    // Absolute, so that even a bare name has a folder above it.
    let absolute = std::path::absolute(folder).map_err(Error::system("resolve", folder))?;
    Unfinished::begin(absolute.parent().unwrap_or(&absolute))
}

/// Makes a file that was written the checkpoint of `step`. Creates the folder if needed. Returns the path of the new file.
///
/// # Errors
/// [`Error::System`] if it cannot be synced or renamed.
pub fn finish(file: Unfinished, folder: &Path, step: u64) -> Result<PathBuf> {
    std::fs::create_dir_all(folder).map_err(Error::system("create", folder))?;
    let path = folder.join(file_name(step));
    file.finish_as(&path)?;
    Ok(path)
}

/// Removes all checkpoints but that of `step`, which was written before, and one to fall back on: the newest one up to the step `far`, or, if there
/// is none, the newest before `step`.
///
/// # Errors
/// [`Error::System`] if a file cannot be removed.
pub fn prune(folder: &Path, step: u64, far: u64) -> Result<()> {
    remove_after(folder, step)?;
    let mut earlier = list(folder)?;
    earlier.retain(|&(other, _)| other < step);
    let is_far = |&(other, _): &(u64, PathBuf)| other <= far;
    let kept = earlier.iter().rfind(|other| is_far(other)).or(earlier.last()).map(|&(other, _)| other);
    for (_, old) in earlier.into_iter().filter(|&(other, _)| Some(other) != kept) {
        std::fs::remove_file(&old).map_err(Error::system("remove", &old))?;
    }
    Ok(())
}

/// Removes the checkpoints of later steps, newest first: a run that is set back has not come to them, and `latest` must name a state whose
/// rows and frames are there. Returns how many there were.
///
/// # Errors
/// [`Error::System`] if a file cannot be removed.
pub fn remove_after(folder: &Path, step: u64) -> Result<usize> {
    let later: Vec<PathBuf> =
        list(folder)?.into_iter().filter(|&(other, _)| other > step).map(|(_, path)| path).collect();
    for path in later.iter().rev() {
        std::fs::remove_file(path).map_err(Error::system("remove", path))?;
        // gone for good before the rows that lead to it are
        atomic::sync_folder_of(path)?;
    }
    Ok(later.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write_and_prune(folder: &Path, step: u64, bytes: &[u8], far: u64) -> Result<()> {
        write(folder, step, bytes)?;
        prune(folder, step, far)
    }

    fn steps(folder: &Path) -> Vec<u64> {
        list(folder).unwrap().into_iter().map(|(s, _)| s).collect()
    }

    #[test]
    fn names_have_twelve_digits_and_give_their_step_back() {
        assert_eq!(file_name(42), "step_000000000042.ckpt");
        assert_eq!(step_of("step_000000000042.ckpt"), Some(42));
        assert_eq!(step_of(&file_name(u64::MAX)), Some(u64::MAX));
        for foreign in ["step_42.ckpt", "step_+00000000042.ckpt", "step_.ckpt", "notes"] {
            assert_eq!(step_of(foreign), None, "{foreign}");
        }
    }

    #[test]
    fn newest_two_are_kept_and_nothing_else_appears() {
        let run = tempfile::tempdir().unwrap();
        let folder = run.path().join("checkpoints");
        for step in [10, 20, 30, 40] {
            write_and_prune(&folder, step, &step.to_le_bytes(), step).unwrap();
        }
        assert_eq!(steps(&folder), [30, 40]);
        let (step, path) = latest(&folder).unwrap().unwrap();
        assert_eq!((step, std::fs::read(path).unwrap()), (40, 40u64.to_le_bytes().to_vec()));
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
        assert_eq!(std::fs::read_dir(run.path()).unwrap().count(), 1);
    }

    #[test]
    fn checkpoint_beside_the_newest_is_the_newest_that_lies_far_enough_back() {
        let run = tempfile::tempdir().unwrap();
        let folder = run.path().join("checkpoints");
        for (step, far, kept) in [
            (10, 0, vec![10]),
            // none lies far enough back
            (11, 1, vec![10, 11]),
            (20, 10, vec![10, 20]),
            (21, 11, vec![10, 21]),
            (30, 20, vec![10, 30]),
            (40, 30, vec![30, 40]),
        ] {
            write_and_prune(&folder, step, b"state", far).unwrap();
            assert_eq!(steps(&folder), kept);
        }
    }

    #[test]
    fn written_checkpoint_is_the_latest_after_a_run_was_set_back() {
        let run = tempfile::tempdir().unwrap();
        let folder = run.path().join("checkpoints");
        for step in [10, 20, 15] {
            write_and_prune(&folder, step, b"state", step).unwrap();
        }
        assert_eq!(steps(&folder), [10, 15]);
    }

    #[test]
    fn run_that_is_set_back_has_no_later_checkpoint() {
        let run = tempfile::tempdir().unwrap();
        let folder = run.path().join("checkpoints");
        assert_eq!(remove_after(&folder, 3).unwrap(), 0);
        for step in [10, 20, 30, 40] {
            write(&folder, step, b"state").unwrap();
        }
        assert_eq!((remove_after(&folder, 20).unwrap(), steps(&folder)), (2, vec![10, 20]));
    }

    #[test]
    fn failed_write_removes_nothing() {
        let run = tempfile::tempdir().unwrap();
        let folder = run.path().join("checkpoints");
        write_and_prune(&folder, 1, b"state", 1).unwrap();
        // A folder in the place of the new file makes the rename fail.
        std::fs::create_dir(folder.join(file_name(2))).unwrap();
        assert!(write_and_prune(&folder, 2, b"state", 1).is_err());
        assert!(folder.join(file_name(1)).is_file());
    }

    #[test]
    fn folder_that_does_not_exist_has_no_latest() {
        let run = tempfile::tempdir().unwrap();
        assert_eq!(latest(&run.path().join("checkpoints")).unwrap(), None);
    }
}
