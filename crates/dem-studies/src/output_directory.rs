//! Whose a directory of results is, and what may be replaced in it.
//!
//! Every command has a directory of its own. It leaves a note of the files it wrote (`written_by.json`), so that `--force` replaces these and
//! nothing else: what another command made is not touched, whatever the options are.

use std::path::{Path, PathBuf};

use dem_io::atomic::write_atomically;
use serde::{Deserialize, Serialize};

use crate::ensemble::MEMBERS;
use crate::error::StudyError;
use crate::report::Report;

/// The note.
const NOTE: &str = "written_by.json";
/// What `dem run` writes over several seeds or values, and what `dem merge` adds to it.
pub const ENSEMBLE: &str = "dem run --seeds";

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
    /// What the command wrote there before.
    earlier: Vec<String>,
    /// Whether there was a note, or nothing that needed one.
    is_known: bool,
}

impl OutputDirectory {
    /// A directory for new results: one that is empty or not there, or with `force` one whose results of the same command are to be replaced. Nothing
    /// is written yet.
    ///
    /// # Errors
    /// A directory that holds anything else, or cannot be read.
    pub fn new(path: &Path, command: &str, force: bool) -> Result<Self, StudyError> {
        let own = |earlier| Self { path: path.to_owned(), command: command.to_owned(), earlier, is_known: true };
        if is_empty(path)? {
            return Ok(own(Vec::new()));
        }
        match owner(path)? {
            Some((owner, files)) if owner == command && force => Ok(own(files)),
            Some((owner, _)) if owner == command => {
                let why = format!(
                    "exists already, with results of `{command}`: give --force to replace them, or another --out"
                );
                Err(occupied(path, &why))
            }
            Some((owner, _)) => Err(foreign(path, &owner, command)),
            None if force => Ok(own(Vec::new())),
            None => {
                let why =
                    "exists already and is not empty: give --force to write beside what it holds, or another --out";
                Err(occupied(path, why))
            }
        }
    }

    /// A directory in which the same command goes on: as [`Self::new`], or one that `command` wrote into, or without a note that `is_own` knows.
    ///
    /// # Errors
    /// A directory that holds anything else, or cannot be read.
    pub fn going_on(path: &Path, command: &str, is_own: impl Fn(&Path) -> bool) -> Result<Self, StudyError> {
        let own =
            |earlier, is_known| Ok(Self { path: path.to_owned(), command: command.to_owned(), earlier, is_known });
        match note(path)? {
            Some(note) if note.command == command => own(note.files, true),
            None if is_own(path) => own(Vec::new(), false),
            _ => Self::new(path, command, false),
        }
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Leaves the note before anything else is written.
    ///
    /// # Errors
    /// A directory or file that cannot be written.
    pub fn claim(&self) -> Result<(), StudyError> {
        std::fs::create_dir_all(&self.path).map_err(dem_io::Error::system("create directory", &self.path))?;
        self.leave_note(&self.earlier)
    }

    /// Removes what the command wrote before.
    ///
    /// # Errors
    /// A file that cannot be removed.
    pub fn clear(&mut self) -> Result<(), StudyError> {
        for file in std::mem::take(&mut self.earlier) {
            self.remove(&file)?;
        }
        Ok(())
    }

    /// Writes a report and further files in place of what the command wrote before. Returns the files.
    ///
    /// # Errors
    /// A figure that cannot be drawn, before anything is written; a file that cannot be written or removed.
    pub fn write(&self, report: &Report, further: Vec<(String, Vec<u8>)>) -> Result<Vec<PathBuf>, StudyError> {
        let mut files = report.files()?;
        files.extend(further);
        let mut names: Vec<String> = files.iter().map(|(name, _)| name.clone()).collect();
        if let Some(name) = names.iter().find(|name| self.is_foreign(name)) {
            let why = format!("was not written by `{}`, which does not touch it: give another --out", self.command);
            return Err(occupied(&self.path.join(name), &why));
        }
        names.extend(report.written.iter().cloned());
        std::fs::create_dir_all(&self.path).map_err(dem_io::Error::system("create directory", &self.path))?;
        // whatever is there when this is killed has an owner
        self.leave_note(&[names.as_slice(), self.earlier.as_slice()].concat())?;
        for file in self.earlier.iter().filter(|file| !names.contains(file)) {
            self.remove(file)?;
        }
        let mut written = Vec::new();
        for (name, bytes) in &files {
            let path = self.path.join(name);
            write_atomically(&path, bytes)?;
            written.push(path);
        }
        self.leave_note(&names)?;
        Ok(written)
    }

    /// Whether a file is there that the command did not write.
    fn is_foreign(&self, file: &String) -> bool {
        self.is_known && !self.earlier.contains(file) && self.path.join(file).exists()
    }

    fn leave_note(&self, files: &[String]) -> Result<(), StudyError> {
        leave_note(&self.path, &self.command, files)
    }

    /// Removes a file that the note names; nothing beyond the directory, whatever a note says.
    fn remove(&self, file: &str) -> Result<(), StudyError> {
        let is_within = Path::new(file).components().all(|part| matches!(part, std::path::Component::Normal(_)));
        let path = self.path.join(file);
        if is_within && path.is_file() {
            std::fs::remove_file(&path).map_err(dem_io::Error::system("remove", &path))?;
        }
        Ok(())
    }
}

/// Leaves the note of a command and its files in a directory.
///
/// # Errors
/// A file that cannot be written.
pub fn leave_note(directory: &Path, command: &str, files: &[impl AsRef<str>]) -> Result<(), StudyError> {
    let mut files: Vec<String> = files.iter().map(|file| file.as_ref().to_owned()).collect();
    files.sort();
    files.dedup();
    let path = directory.join(NOTE);
    let refused = dem_io::Error::system("write", &path);
    match serde_json::to_string_pretty(&Note { command: command.to_owned(), files }) {
        Ok(text) => Ok(write_atomically(&path, (text + "\n").as_bytes())?),
        Err(error) => Err(refused(std::io::Error::other(error)).into()),
    }
}

/// Refuses a directory that another command wrote into, for commands that know their own files without a note.
///
/// # Errors
/// The directory of another command, or one that cannot be read.
pub fn refuse_foreign(path: &Path, command: &str) -> Result<(), StudyError> {
    match owner(path)? {
        Some((owner, _)) if owner != command => Err(foreign(path, &owner, command)),
        _ => Ok(()),
    }
}

fn foreign(path: &Path, owner: &str, command: &str) -> StudyError {
    occupied(path, &format!("holds results of `{owner}`, which `{command}` does not touch: give another --out"))
}

fn occupied(path: &Path, why: &str) -> StudyError {
    StudyError::Occupied(format!("{} {why}", path.display()))
}

fn is_empty(path: &Path) -> Result<bool, StudyError> {
    let read = || std::fs::read_dir(path).map_err(dem_io::Error::system("read", path));
    Ok(!path.exists() || read()?.next().is_none())
}

fn note(path: &Path) -> Result<Option<Note>, StudyError> {
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
fn owner(path: &Path) -> Result<Option<(String, Vec<String>)>, StudyError> {
    if let Some(note) = note(path)? {
        return Ok(Some((note.command, note.files)));
    }
    // commands that are known by what they write
    let known = [
        ("packing.json", "dem pack"),
        ("campaign.json", "dem probe"),
        ("unfinished", "dem triaxial"),
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

    fn message<T: std::fmt::Debug>(result: Result<T, StudyError>) -> String {
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
        assert!(refuse_foreign(path, "dem run").is_ok());
        fs::write(path.join("beginning.json"), "{}").unwrap();
        assert!(message_of(true).contains("holds results of `dem run`"), "{}", message_of(true));
        assert!(refuse_foreign(path, "dem run").is_ok() && refuse_foreign(path, "dem pack").is_err());
        assert!(OutputDirectory::going_on(path, "dem run --seeds", |_| false).is_err());
        assert!(OutputDirectory::going_on(path, "dem run --seeds", |_| true).is_ok());
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
