//! Files for who begins: written where nothing is yet.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// Writes files, and the folders they lie in, or none of them if one is there already.
pub fn write_new(files: &[(PathBuf, Vec<u8>)]) -> Result<(), Failure> {
    // a link that leads nowhere is there, too
    if let Some((taken, _)) = files.iter().find(|(path, _)| path.symlink_metadata().is_ok()) {
        return Err(exists(taken));
    }
    files.iter().try_for_each(|(path, bytes)| write(path, bytes))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let refused = |error: std::io::Error| match error.kind() {
        ErrorKind::AlreadyExists => exists(path),
        _ => Failure::input(format!("cannot write {}: {error}", path.display())),
    };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(refused)?;
    }
    let mut file = OpenOptions::new().write(true).create_new(true).open(path).map_err(refused)?;
    file.write_all(bytes).map_err(refused)
}

fn exists(path: &Path) -> Failure {
    Failure::input(format!("{} exists and is not overwritten", path.display()))
}
