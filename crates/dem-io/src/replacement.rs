//! Puts new files in the place of earlier ones in a directory: all of them or none.
//!
//! New files are written into a folder of their own within the directory. It is renamed when it is complete, and from that moment they count:
//! before it, the earlier files are as they were and the folder is a leftover; after it, whoever owns the directory next does what a killed
//! process has left to do. Files of anybody else in the directory are not touched.

use std::collections::BTreeSet;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::atomic::{self, write_atomically};
use crate::error::{Error, Result};

/// Folder of new files while they are written; a leftover by its name.
const STAGED: &str = ".unfinished-replacement";
/// Its name once it is complete.
const COMPLETE: &str = ".replacement";
/// File in it that lists the earlier files that nothing takes the place of.
const OBSOLETE: &str = ".obsolete";

/// New files for a directory that its owner replaces. They are given up if they are not put in place.
#[derive(Debug)]
pub struct Replacement {
    directory: PathBuf,
    is_in_place: bool,
}

impl Replacement {
    /// Makes a folder for new files. Only for directories nobody else writes to.
    ///
    /// # Errors
    /// [`Error::System`] if the folder cannot be made.
    pub fn begin(directory: &Path) -> Result<Self> {
        complete(directory)?;
        let staged = directory.join(STAGED);
        remove_folder(&staged)?;
        std::fs::create_dir(&staged).map_err(Error::system("create", &staged))?;
        Ok(Self { directory: directory.to_path_buf(), is_in_place: false })
    }

    /// Folder to write the new files into, under the paths that they will have within the directory.
    #[must_use]
    pub fn folder(&self) -> PathBuf {
        self.directory.join(STAGED)
    }

    /// Paths of the new files, as they will be within the directory.
    ///
    /// # Errors
    /// [`Error::System`] if the folder cannot be read.
    pub fn names(&self) -> Result<BTreeSet<String>> {
        files_below(&self.folder())
    }

    /// Writes a new file.
    ///
    /// # Errors
    /// [`Error::System`] if it cannot be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let path = self.folder().join(name);
        make_folder_of(&path)?;
        write_atomically(&path, bytes)
    }

    /// Puts the new files in place and removes those of the `earlier` ones, by their paths within the directory, that have no successor.
    ///
    /// # Errors
    /// [`Error::System`]; what was not yet replaced then is by the next owner of the directory, unless nothing was.
    pub fn put_in_place(mut self, earlier: &[String]) -> Result<()> {
        let staged = self.folder();
        let new = self.names()?;
        for name in &new {
            let path = self.directory.join(name);
            if path.is_dir() {
                return Err(Error::system("replace", &path)(io::ErrorKind::IsADirectory.into()));
            }
        }
        let obsolete: Vec<&String> = earlier.iter().filter(|name| !new.contains(*name)).collect();
        let list =
            serde_json::to_vec(&obsolete).map_err(|error| Error::system("list files in", &staged)(error.into()))?;
        write_atomically(&staged.join(OBSOLETE), &list)?;
        let whole = self.directory.join(COMPLETE);
        std::fs::rename(&staged, &whole).map_err(Error::system("rename a new folder to", &whole))?;
        self.is_in_place = true;
        atomic::sync_folder_of(&whole)?;
        complete(&self.directory)
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if !self.is_in_place {
            let _ = std::fs::remove_dir_all(self.folder());
        }
    }
}

/// Whether a killed process has left something to do for [`complete`].
#[must_use]
pub fn is_pending(directory: &Path) -> bool {
    directory.join(COMPLETE).is_dir()
}

/// Does what a killed process has left to do of a replacement that was complete. Only for directories nobody else writes to.
///
/// # Errors
/// [`Error::System`] if a file cannot be removed or renamed.
pub fn complete(directory: &Path) -> Result<()> {
    let whole = directory.join(COMPLETE);
    if !whole.is_dir() {
        return Ok(());
    }
    let list = whole.join(OBSOLETE);
    let obsolete: Vec<String> = match std::fs::read(&list) {
        Ok(text) => serde_json::from_slice(&text).map_err(|error| Error::system("read", &list)(error.into()))?,
        // it goes last
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(Error::system("read", &list)(error)),
    };
    for name in obsolete.iter().filter(|name| is_within(name)) {
        let path = directory.join(name);
        match std::fs::remove_file(&path) {
            Err(error) if !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Err(Error::system("remove", &path)(error));
            }
            _ => {}
        }
        // folders that held nothing else go with their files
        let mut folder = Path::new(name).parent();
        while let Some(inner) = folder.filter(|inner| !inner.as_os_str().is_empty()) {
            if std::fs::remove_dir(directory.join(inner)).is_err() {
                break;
            }
            folder = inner.parent();
        }
    }
    let mut folders = BTreeSet::new();
    for name in files_below(&whole)? {
        let path = directory.join(&name);
        make_folder_of(&path)?;
        std::fs::rename(whole.join(&name), &path).map_err(Error::system("rename a new file to", &path))?;
        folders.insert(path.with_file_name(""));
    }
    // the new names are on the disk before the folder that they are remembered by is gone
    for folder in folders {
        atomic::sync_folder_of(&folder.join(OBSOLETE))?;
    }
    remove_folder(&whole)?;
    atomic::sync_folder_of(&whole)
}

/// Whether a path leads nowhere else than below the directory it is taken relative to.
#[must_use]
pub fn is_within(name: &str) -> bool {
    !name.is_empty() && Path::new(name).components().all(|part| matches!(part, Component::Normal(_)))
}

/// Paths of all files below a folder, relative to it, but for the list of obsolete ones.
fn files_below(folder: &Path) -> Result<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    let mut folders = vec![String::new()];
    while let Some(inner) = folders.pop() {
        let path = folder.join(&inner);
        for entry in std::fs::read_dir(&path).map_err(Error::system("list", &path))? {
            let entry = entry.map_err(Error::system("list", &path))?;
            let name = entry.file_name();
            let Some(name) = name.to_str() else {
                let unknown = io::Error::new(io::ErrorKind::InvalidData, "its name is not valid UTF-8");
                return Err(Error::system("replace a file by", &entry.path())(unknown));
            };
            let name = if inner.is_empty() { name.to_owned() } else { format!("{inner}/{name}") };
            if entry.file_type().map_err(Error::system("look at", &path))?.is_dir() {
                folders.push(name);
            } else if name != OBSOLETE {
                found.insert(name);
            }
        }
    }
    Ok(found)
}

fn make_folder_of(path: &Path) -> Result<()> {
    let Some(folder) = path.parent() else { return Ok(()) };
    std::fs::create_dir_all(folder).map_err(Error::system("create", folder))
}

fn remove_folder(folder: &Path) -> Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::system("remove", folder)(error)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;

    use super::*;

    /// Files of a directory and what they hold.
    fn contents(folder: &Path) -> BTreeMap<String, String> {
        let names = files_below(folder).unwrap();
        names.into_iter().map(|name| (name.clone(), fs::read_to_string(folder.join(name)).unwrap())).collect()
    }

    fn write_all(folder: &Path, files: &[(&str, &str)]) {
        for (name, text) in files {
            make_folder_of(&folder.join(name)).unwrap();
            fs::write(folder.join(name), text).unwrap();
        }
    }

    fn of(files: &[(&str, &str)]) -> BTreeMap<String, String> {
        files.iter().map(|&(name, text)| (name.to_owned(), text.to_owned())).collect()
    }

    const EARLIER: &[(&str, &str)] = &[("a", "old"), ("b", "old"), ("sub/c", "old")];
    const NOTES: (&str, &str) = ("sub/notes", "mine");

    fn earlier(folder: &Path) -> Vec<String> {
        write_all(folder, EARLIER);
        write_all(folder, &[NOTES]);
        EARLIER.iter().map(|(name, _)| (*name).to_owned()).collect()
    }

    #[test]
    fn new_files_take_the_places_of_earlier_ones_and_of_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let names = earlier(folder.path());
        let new = Replacement::begin(folder.path()).unwrap();
        new.write("a", b"new").unwrap();
        new.write("deep/er/d", b"new").unwrap();
        new.put_in_place(&names).unwrap();
        assert_eq!(contents(folder.path()), of(&[("a", "new"), ("deep/er/d", "new"), NOTES]));
        assert!(!folder.path().join(COMPLETE).exists());
    }

    #[test]
    fn what_is_given_up_leaves_no_trace() {
        let folder = tempfile::tempdir().unwrap();
        let names = earlier(folder.path());
        let before = contents(folder.path());
        let new = Replacement::begin(folder.path()).unwrap();
        new.write("a", b"new").unwrap();
        drop(new);
        assert_eq!(contents(folder.path()), before);
        // a folder in the place of a file
        let new = Replacement::begin(folder.path()).unwrap();
        new.write("b", b"new").unwrap();
        new.write("sub", b"new").unwrap();
        assert!(new.put_in_place(&names).unwrap_err().to_string().contains("sub"));
        assert_eq!(contents(folder.path()), before);
    }

    #[test]
    fn kill_at_any_moment_leaves_the_earlier_files_or_is_made_good() {
        let wanted = of(&[("a", "new"), ("d", "new"), NOTES]);
        let staged = [("a", "new"), ("d", "new"), (OBSOLETE, r#"["b","sub/c","../outside"]"#)];
        // how many files were removed and renamed before the kill
        for (removed, renamed) in [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2)] {
            let above = tempfile::tempdir().unwrap();
            let folder = above.path().join("out");
            earlier(&folder);
            fs::write(above.path().join("outside"), "mine").unwrap();
            write_all(&folder.join(COMPLETE), &staged);
            for name in ["b", "sub/c"].iter().take(removed) {
                fs::remove_file(folder.join(name)).unwrap();
            }
            for name in ["a", "d"].iter().take(renamed) {
                fs::rename(folder.join(COMPLETE).join(name), folder.join(name)).unwrap();
            }
            complete(&folder).unwrap();
            assert_eq!(contents(&folder), wanted, "{removed} {renamed}");
            assert!(above.path().join("outside").exists());
            complete(&folder).unwrap();
        }
        // killed while the new files were written
        let folder = tempfile::tempdir().unwrap();
        earlier(folder.path());
        let before = contents(folder.path());
        write_all(&folder.path().join(STAGED), &staged[..1]);
        complete(folder.path()).unwrap();
        atomic::remove_unfinished(folder.path()).unwrap();
        assert_eq!(contents(folder.path()), before);
    }
}
