//! Whose a directory of results is, and what may be replaced in it.
//!
//! Every command has a directory of its own. It leaves a note of the files it wrote (`written_by.json`), so that `--force` replaces these and
//! nothing else: what another command made is not touched, whatever the options are. While a command works in its directory no other process
//! can, but for those that share the work. New results take the place of earlier ones all at once, when they are complete.

use std::path::{Path, PathBuf};
use std::time::Duration;

use dem_io::atomic::{remove_unfinished, write_atomically};
use dem_io::directory_lock::{DirectoryLock, holds_only};
use dem_io::replacement::{self, Replacement};
use serde::{Deserialize, Serialize};

use crate::error::ReportError;
use crate::report::Report;

/// The note.
const NOTE: &str = "written_by.json";
/// What `dem run` writes over several seeds or values, and what `dem merge` adds to it.
pub const ENSEMBLE: &str = "dem run --seeds";
/// Folder of an ensemble that holds a folder for each member.
pub const MEMBERS: &str = "members";
/// Folder of what an interrupted `dem pack` has done.
pub const UNFINISHED_PACKING: &str = "unfinished_packing";
/// How long one of several processes that share a directory waits for another that writes results.
const PATIENCE: Duration = Duration::from_secs(10);

/// Who wrote which files.
#[derive(Debug, Serialize, Deserialize)]
struct Note {
    command: String,
    /// Paths within the directory.
    files: Vec<String>,
}

/// A directory that belongs to a command.
#[derive(Debug)]
pub struct OutputDirectory {
    path: PathBuf,
    command: String,
    holding: Holding,
    /// None if several processes share it: then it is held while results are written.
    lock: Option<DirectoryLock>,
}

/// What a directory holds of the command it belongs to.
#[derive(Debug)]
struct Holding {
    /// What the command wrote there before.
    earlier: Vec<String>,
    /// Whether there was a note, or nothing that needed one.
    is_known: bool,
}

impl OutputDirectory {
    /// A directory for new results: one that is empty or not there, or with `force` one whose results of the same command are to be replaced.
    /// Nothing is written yet, and no other process can use it from now on.
    ///
    /// # Errors
    /// A directory that holds anything else, is in use, or cannot be read.
    pub fn new(path: &Path, command: &str, force: bool) -> Result<Self, ReportError> {
        Self::alone(path, command, || examine(path, command, force, &[]))
    }

    /// As [`Self::new`], for a command that keeps what it has done so far in a folder of that name and goes on from there.
    ///
    /// # Errors
    /// A directory that holds anything else, is in use, or cannot be read.
    pub fn resuming(path: &Path, command: &str, force: bool, unfinished: &str) -> Result<Self, ReportError> {
        Self::alone(path, command, || examine(path, command, force, &[unfinished]))
    }

    /// A directory in which the same command goes on: as [`Self::new`], or one that `command` wrote into, or without a note that `is_own` knows.
    ///
    /// # Errors
    /// A directory that holds anything else, is in use, or cannot be read.
    pub fn going_on(path: &Path, command: &str, is_own: impl Fn(&Path) -> bool) -> Result<Self, ReportError> {
        Self::alone(path, command, || examine_going_on(path, command, &is_own))
    }

    /// As [`Self::going_on`], for processes of the same command that work in one directory at a time and keep apart by themselves.
    ///
    /// # Errors
    /// A directory that holds anything else, that one process has for itself, or that cannot be read.
    pub fn shared(path: &Path, command: &str, is_own: impl Fn(&Path) -> bool) -> Result<Self, ReportError> {
        examine_going_on(path, command, &is_own)?;
        let lock = DirectoryLock::acquire_within(path, PATIENCE)?;
        replacement::complete(path)?;
        let holding = examine_going_on(path, command, &is_own)?;
        let own = Self { path: path.to_owned(), command: command.to_owned(), holding, lock: None };
        own.leave_note(&own.holding.earlier)?;
        drop(lock);
        Ok(own)
    }

    fn alone(path: &Path, command: &str, look: impl Fn() -> Result<Holding, ReportError>) -> Result<Self, ReportError> {
        // what is refused anyway is not touched
        if !replacement::is_pending(path) {
            look()?;
        }
        let lock = DirectoryLock::acquire(path)?;
        replacement::complete(path)?;
        // asked of the owner: another process may have written there meanwhile
        let holding = look()?;
        remove_unfinished(path)?;
        Ok(Self { path: path.to_owned(), command: command.to_owned(), holding, lock: Some(lock) })
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Begins results that are to take the place of what the command wrote before.
    ///
    /// # Errors
    /// A directory that was moved or removed, or cannot be written to.
    pub fn begin(&self) -> Result<Replacement, ReportError> {
        if let Some(lock) = &self.lock {
            lock.check()?;
        }
        Ok(Replacement::begin(&self.path)?)
    }

    /// Puts results in the place of what the command wrote before, and of `earlier` files of its own that no note names. Returns the files.
    ///
    /// # Errors
    /// A file that the command did not write; what cannot be written or removed.
    pub fn put_in_place(&self, new: Replacement, earlier: Vec<String>) -> Result<Vec<PathBuf>, ReportError> {
        let names: Vec<String> = new.names()?.into_iter().collect();
        let earlier = [self.holding.earlier.as_slice(), &earlier].concat();
        let is_foreign =
            |name: &&String| self.holding.is_known && !earlier.contains(*name) && self.has_other(&new, name);
        if let Some(name) = names.iter().find(is_foreign) {
            let why = format!("was not written by `{}`, which does not touch it: give another --out", self.command);
            return Err(occupied(&self.path.join(name), &why));
        }
        new.write(NOTE, note_text(&self.path, &self.command, &names)?.as_bytes())?;
        if let Some(lock) = &self.lock {
            lock.check()?;
        }
        new.put_in_place(&earlier)?;
        Ok(names.iter().map(|name| self.path.join(name)).collect())
    }

    /// Writes a report and further files in place of what the command wrote before. Returns the files.
    ///
    /// # Errors
    /// A figure that cannot be drawn, before anything is written; a file that cannot be written or removed.
    pub fn write(&self, report: &Report, further: Vec<(String, Vec<u8>)>) -> Result<Vec<PathBuf>, ReportError> {
        let mut files = report.files()?;
        files.extend(further);
        let shared = self.lock.is_none().then(|| DirectoryLock::acquire_within(&self.path, PATIENCE)).transpose()?;
        if shared.is_some() {
            remove_unfinished(&self.path)?;
        }
        let new = self.begin()?;
        for (name, bytes) in &files {
            new.write(name, bytes)?;
        }
        self.put_in_place(new, Vec::new())?;
        drop(shared);
        Ok(files.iter().map(|(name, _)| self.path.join(name)).collect())
    }

    /// Whether there is a file in the place of a new one that holds something else.
    fn has_other(&self, new: &Replacement, name: &str) -> bool {
        let path = self.path.join(name);
        path.exists() && std::fs::read(path).ok() != std::fs::read(new.folder().join(name)).ok()
    }

    fn leave_note(&self, files: &[String]) -> Result<(), ReportError> {
        let text = note_text(&self.path, &self.command, files)?;
        Ok(write_atomically(&self.path.join(NOTE), text.as_bytes())?)
    }
}

/// What is in a directory for new results, `unfinished` ones left aside.
fn examine(path: &Path, command: &str, force: bool, unfinished: &[&str]) -> Result<Holding, ReportError> {
    let own = |earlier| Ok(Holding { earlier, is_known: true });
    if holds_only(path, unfinished)? {
        return own(Vec::new());
    }
    match owner(path)? {
        Some((owner, files)) if owner == command && force => own(files),
        Some((owner, _)) if owner == command => {
            let why =
                format!("exists already, with results of `{command}`: give --force to replace them, or another --out");
            Err(occupied(path, &why))
        }
        Some((owner, _)) => Err(foreign(path, &owner, command)),
        None if force => own(Vec::new()),
        None => {
            let why = "exists already and is not empty: give --force to write beside what it holds, or another --out";
            Err(occupied(path, why))
        }
    }
}

/// What is in a directory in which a command may go on.
fn examine_going_on(path: &Path, command: &str, is_own: &dyn Fn(&Path) -> bool) -> Result<Holding, ReportError> {
    match note(path)? {
        Some(note) if note.command == command => Ok(Holding { earlier: note.files, is_known: true }),
        None if is_own(path) => Ok(Holding { earlier: Vec::new(), is_known: false }),
        _ => examine(path, command, false, &[]),
    }
}

/// The text of the note of a command and its files.
fn note_text(path: &Path, command: &str, files: &[String]) -> Result<String, ReportError> {
    let mut files = files.to_vec();
    files.sort();
    files.dedup();
    let refused = dem_io::Error::system("write the note of", path);
    let text = serde_json::to_string_pretty(&Note { command: command.to_owned(), files });
    Ok(text.map_err(|error| refused(error.into()))? + "\n")
}

/// Refuses a directory that another command wrote into, for commands that know their own files without a note.
///
/// # Errors
/// The directory of another command, or one that cannot be read.
pub fn refuse_foreign(path: &Path, command: &str) -> Result<(), ReportError> {
    match owner(path)? {
        Some((owner, _)) if owner != command => Err(foreign(path, &owner, command)),
        _ => Ok(()),
    }
}

fn foreign(path: &Path, owner: &str, command: &str) -> ReportError {
    occupied(path, &format!("holds results of `{owner}`, which `{command}` does not touch: give another --out"))
}

fn occupied(path: &Path, why: &str) -> ReportError {
    ReportError::Occupied(format!("{} {why}", path.display()))
}

fn note(path: &Path) -> Result<Option<Note>, ReportError> {
    let file = path.join(NOTE);
    if !file.exists() {
        return Ok(None);
    }
    let refused = dem_io::Error::system("read", &file);
    let text = match dem_io::regular_file::read(&file) {
        Ok(text) => text,
        Err(error) => return Err(refused(error).into()),
    };
    match serde_json::from_slice(&text) {
        Ok(note) => Ok(Some(note)),
        Err(error) => Err(refused(std::io::Error::other(error)).into()),
    }
}

/// The command that wrote into a directory, and its files if it left a note of them.
fn owner(path: &Path) -> Result<Option<(String, Vec<String>)>, ReportError> {
    if let Some(note) = note(path)? {
        return Ok(Some((note.command, note.files)));
    }
    // commands that are known by what they write
    let known = [
        ("packing.json", "dem pack"),
        ("campaign.json", "dem probe"),
        ("unfinished", "dem triaxial"),
        ("assemblies", "dem study clusters"),
        (UNFINISHED_PACKING, "dem pack"),
        (MEMBERS, ENSEMBLE),
        ("beginning.json", "dem run"),
    ];
    let found = known.iter().find(|(file, _)| path.join(file).exists());
    Ok(found.map(|(_, command)| ((*command).to_owned(), Vec::new())))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::table::Table;

    fn report(name: &'static str) -> Report {
        Report { tables: vec![Table::new(name, &["x"])], ..Report::default() }
    }

    fn message<T: std::fmt::Debug>(result: Result<T, ReportError>) -> String {
        result.unwrap_err().to_string()
    }

    #[test]
    fn only_force_replaces_results_and_only_those_of_the_same_command() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        OutputDirectory::new(&path, "dem study a", false).unwrap().write(&report("first"), Vec::new()).unwrap();
        fs::write(path.join("note.txt"), "by hand").unwrap();
        let again = message(OutputDirectory::new(&path, "dem study a", false));
        assert!(again.contains("exists already, with results of `dem study a`: give --force"), "{again}");
        for force in [false, true] {
            let other = message(OutputDirectory::new(&path, "dem study b", force));
            assert!(other.contains("holds results of `dem study a`, which `dem study b` does not touch"), "{other}");
        }
        OutputDirectory::new(&path, "dem study a", true).unwrap().write(&report("second"), Vec::new()).unwrap();
        let mut left: Vec<_> = fs::read_dir(&path).unwrap().map(|e| e.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["note.txt", "second.csv", "second.json", "written_by.json"]);
    }

    #[test]
    fn files_without_a_note_and_runs_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        fs::write(path.join("thesis.csv"), "x").unwrap();
        let message_of = |force| message(OutputDirectory::new(path, "dem merge", force));
        assert!(message_of(false).contains("give --force to write beside"), "{}", message_of(false));
        let beside = OutputDirectory::new(path, "dem merge", true).unwrap();
        let collides = message(beside.write(&report("thesis"), Vec::new()));
        assert!(collides.contains("thesis.csv was not written by `dem merge`"), "{collides}");
        drop(beside);
        assert!(refuse_foreign(path, "dem run").is_ok());
        fs::write(path.join("beginning.json"), "{}").unwrap();
        assert!(message_of(true).contains("holds results of `dem run`"), "{}", message_of(true));
        assert!(refuse_foreign(path, "dem run").is_ok() && refuse_foreign(path, "dem pack").is_err());
        assert!(OutputDirectory::going_on(path, "dem run --seeds", |_| false).is_err());
        assert!(OutputDirectory::going_on(path, "dem run --seeds", |_| true).is_ok());
    }

    #[test]
    fn one_process_has_a_directory_and_leaves_nothing_in_it_but_results() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/out");
        let first = OutputDirectory::new(&path, "dem study a", false).unwrap();
        let second = message(OutputDirectory::new(&path, "dem study a", true));
        assert!(second.contains("is in use by another process"), "{second}");
        drop(first);
        assert!(!folder.path().join("deep").exists());
        let shared = || OutputDirectory::shared(&path, ENSEMBLE, |_| false).unwrap();
        let (one, other) = (shared(), shared());
        one.write(&report("first"), Vec::new()).unwrap();
        other.write(&report("second"), Vec::new()).unwrap();
        // the second knew of no earlier file
        let mut left: Vec<_> = fs::read_dir(&path).unwrap().map(|e| e.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["first.csv", "first.json", "second.csv", "second.json", "written_by.json"]);
        assert!(OutputDirectory::new(&path, "dem study a", true).is_err());
    }

    #[test]
    fn results_that_cannot_be_written_cost_no_earlier_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        OutputDirectory::new(&path, "dem study a", false).unwrap().write(&report("first"), Vec::new()).unwrap();
        let names = |path: &Path| -> Vec<_> {
            let mut all: Vec<_> = fs::read_dir(path).unwrap().map(|e| e.unwrap().file_name()).collect();
            all.sort();
            all
        };
        let before = names(&path);
        // a folder in the place of a file that comes after the first ones
        fs::create_dir(path.join("z.txt")).unwrap();
        let again = OutputDirectory::new(&path, "dem study a", true).unwrap();
        let refused = again.write(&report("second"), vec![("z.txt".to_owned(), b"z".to_vec())]);
        assert!(message(refused).contains("z.txt"));
        drop(again);
        fs::remove_dir(path.join("z.txt")).unwrap();
        assert_eq!(names(&path), before);
    }

    #[test]
    fn a_note_names_nothing_outside_its_directory() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        fs::create_dir(&path).unwrap();
        let outside = folder.path().join("outside.csv");
        fs::write(&outside, "x").unwrap();
        let text = r#"{ "command": "dem merge", "files": ["../outside.csv"] }"#;
        fs::write(path.join(NOTE), text).unwrap();
        OutputDirectory::new(&path, "dem merge", true).unwrap().write(&report("a"), Vec::new()).unwrap();
        assert!(outside.exists());
    }
}
