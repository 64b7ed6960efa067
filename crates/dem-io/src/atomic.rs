//! Replaces files so that a reader, or a restart after a crash, sees the old or the new bytes and
//! nothing in between.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// How the names of temporary files begin.
const UNFINISHED: &str = ".unfinished-";
/// How the names of snapshots and pictures of fields end that are being written.
const UNFINISHED_FRAMES: [&str; 2] = [".vtkhdf.new", ".vtkhdf.part"];

/// Writes a file by way of a temporary file in the same folder.
///
/// The bytes are on the disk before the name is, and the name is before this returns.
///
/// # Errors
/// [`Error::System`] if any step fails; the old file is then untouched.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut file = Unfinished::begin(&folder_of(path))?;
    file.file().write_all(bytes).map_err(Error::system("write", file.path()))?;
    file.finish_as(path)
}

/// A file that is being written and has no name yet that anybody looks for. Dropped, it is removed.
#[derive(Debug)]
pub struct Unfinished(tempfile::NamedTempFile);

impl Unfinished {
    /// An empty file in a folder, which must be on the file system where it is to be.
    ///
    /// # Errors
    /// [`Error::System`] if it cannot be created.
    pub fn begin(folder: &Path) -> Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(UNFINISHED);
        // as readable as any other new file, not for the owner alone
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        builder.tempfile_in(folder).map(Self).map_err(Error::system("create a temporary file in", folder))
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// To write to.
    pub fn file(&mut self) -> &mut File {
        self.0.as_file_mut()
    }

    /// Gives it its name in the place of whatever had it. The bytes are on the disk before the name is, and the name is before this returns.
    ///
    /// # Errors
    /// [`Error::System`] if any step fails; the old file is then untouched.
    pub fn finish_as(self, path: &Path) -> Result<()> {
        self.0.as_file().sync_all().map_err(Error::system("sync", self.0.path()))?;
        self.0.persist(path).map_err(|error| Error::system("rename a new file to", path)(error.error))?;
        sync_folder_of(path)
    }
}

impl Write for Unfinished {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file().flush()
    }
}

/// Whether a name in a folder is that of a file that is being written, or was when its process was killed.
#[must_use]
pub fn is_unfinished(name: &str) -> bool {
    name.starts_with(UNFINISHED) || UNFINISHED_FRAMES.iter().any(|ending| name.ends_with(ending))
}

/// Removes the temporary files and folders that a process left in a folder when it was killed, if there is such a folder. Only for folders
/// nobody else writes to.
///
/// # Errors
/// [`Error::System`] if the folder cannot be read or something not be removed.
pub fn remove_unfinished(folder: &Path) -> Result<()> {
    if !folder.exists() {
        return Ok(());
    }
    for entry in std::fs::read_dir(folder).map_err(Error::system("list", folder))? {
        let entry = entry.map_err(Error::system("list", folder))?;
        if entry.file_name().to_str().is_some_and(is_unfinished) {
            let path = entry.path();
            let is_folder = entry.file_type().map_err(Error::system("look at", &path))?.is_dir();
            let removed = if is_folder { std::fs::remove_dir_all(&path) } else { std::fs::remove_file(&path) };
            removed.map_err(Error::system("remove", &path))?;
        }
    }
    Ok(())
}

/// Makes a rename into the folder of `path` survive a loss of power.
pub(crate) fn sync_folder_of(path: &Path) -> Result<()> {
    let folder = folder_of(path);
    // Only Unix lets a folder be opened and synced; elsewhere the rename itself is all there is.
    if cfg!(unix) {
        File::open(&folder).and_then(|handle| handle.sync_all()).map_err(Error::system("sync", &folder))?;
    }
    Ok(())
}

/// Folder a file lies in; `.` for a bare name.
fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_path_buf(),
        _ => PathBuf::from("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_the_content_and_leaves_no_other_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state");
        write_atomically(&path, b"old").unwrap();
        write_atomically(&path, b"new").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn file_is_as_readable_as_one_written_directly() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (atomic, direct) = (folder.path().join("atomic"), folder.path().join("direct"));
        write_atomically(&atomic, b"").unwrap();
        std::fs::write(&direct, b"").unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&atomic), mode(&direct));
    }

    #[test]
    fn leftovers_of_killed_processes_are_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        for name in [".unfinished-x1", "unfinished", "snapshots.vtkhdf", "snapshots.vtkhdf.new", "walls.vtkhdf.part"] {
            std::fs::write(folder.path().join(name), b"").unwrap();
        }
        std::fs::create_dir_all(folder.path().join(".unfinished-folder/deep")).unwrap();
        remove_unfinished(folder.path()).unwrap();
        remove_unfinished(&folder.path().join("none")).unwrap();
        let mut left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["snapshots.vtkhdf", "unfinished"]);
    }

    #[test]
    fn failure_leaves_the_old_content_and_no_other_file() {
        let folder = tempfile::tempdir().unwrap();
        // A folder in the place of the file makes the rename fail.
        let path = folder.path().join("state");
        std::fs::create_dir(&path).unwrap();
        let error = write_atomically(&path, b"new").unwrap_err();
        assert!(error.to_string().contains("state"), "{error}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
