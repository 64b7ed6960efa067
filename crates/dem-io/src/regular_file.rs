//! Regular files: bytes with an end. A pipe in the place of a file would be waited for without end, a device may give bytes
//! without end; both are refused before they are opened.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::Path;

/// Metadata of a regular file.
///
/// # Errors
/// A file that does not exist, and one that is no regular file.
pub fn metadata(path: &Path) -> io::Result<Metadata> {
    let metadata = fs::metadata(path)?;
    let kind = if metadata.is_file() {
        return Ok(metadata);
    } else if metadata.is_dir() {
        "it is a directory, expected a file"
    } else {
        "it is not a regular file"
    };
    Err(io::Error::new(io::ErrorKind::InvalidInput, kind))
}

/// Opens a file for reading.
///
/// # Errors
/// As [`metadata`], and what the system refuses.
pub fn open(path: &Path) -> io::Result<File> {
    metadata(path)?;
    File::open(path)
}

/// Reads a file as a whole.
///
/// # Errors
/// As [`open`].
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    metadata(path)?;
    fs::read(path)
}

/// Reads a file of UTF-8 as a whole.
///
/// # Errors
/// As [`open`], and bytes that are not UTF-8.
pub fn read_to_string(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    open(path)?.read_to_string(&mut text)?;
    Ok(text)
}

/// Checks before a file is written in place that nothing else is there.
///
/// # Errors
/// Something that is no regular file.
pub fn may_be_written(path: &Path) -> io::Result<()> {
    match metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        found => found.map(|_| ()),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_file_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        for (path, words) in [(folder.path(), "directory"), (Path::new("/dev/zero"), "not a regular file")] {
            for error in [
                open(path).unwrap_err(),
                read(path).unwrap_err(),
                read_to_string(path).unwrap_err(),
                may_be_written(path).unwrap_err(),
            ] {
                assert!(error.to_string().contains(words), "{}: {error}", path.display());
            }
        }
        let file = folder.path().join("file");
        may_be_written(&file).unwrap();
        fs::write(&file, "text").unwrap();
        may_be_written(&file).unwrap();
        assert_eq!((read(&file).unwrap(), read_to_string(&file).unwrap()), (b"text".to_vec(), "text".to_owned()));
    }
}
