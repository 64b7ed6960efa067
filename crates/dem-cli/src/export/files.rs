//! Names of the files that particles go into. None that is there is replaced without `--force`.

use std::path::{Path, PathBuf};

use super::arguments::{Arguments, ParticleFormat};
use crate::failure::{Failure, expect_suffix};

/// Where frames go.
pub enum Targets {
    /// All into one file.
    One(PathBuf),
    /// Each into a file of its own in a directory.
    Each(PathBuf),
}

impl Targets {
    /// The files of so many frames of the snapshots in a folder.
    pub fn of(arguments: &Arguments, format: ParticleFormat, folder: &Path, frames: usize) -> Result<Self, Failure> {
        let ending = format.endings()[0];
        let file = format!("particles.{ending}");
        if frames == 1 || format.holds_many() {
            let path = match &arguments.out {
                None => folder.join(file),
                Some(out) if out.is_dir() => out.join(file),
                Some(out) => {
                    expect_suffix("--out", out, format.endings())?;
                    out.clone()
                }
            };
            return Ok(Self::One(path));
        }
        let directory = arguments.out.clone().unwrap_or_else(|| folder.join(format!("particles_{ending}")));
        if directory.extension().is_some_and(|suffix| suffix == ending) || directory.is_file() {
            let what = format!("{frames} frames are {frames} files of {}", format.name());
            return Err(Failure::input(format!(
                "--out {}: {what}, expected a directory, or one --frame",
                directory.display()
            )));
        }
        Ok(Self::Each(directory))
    }

    /// The file of a frame.
    pub fn file(&self, format: ParticleFormat, frame: usize) -> PathBuf {
        match self {
            Self::One(path) => path.clone(),
            Self::Each(directory) => directory.join(format!("particles_{frame:06}.{}", format.endings()[0])),
        }
    }

    /// The file of the contacts of a frame.
    pub fn contacts(&self, frame: usize) -> PathBuf {
        match self {
            Self::One(path) => {
                let stem = path.file_stem().unwrap_or_default().to_string_lossy();
                path.with_file_name(format!("{stem}_contacts.vtp"))
            }
            Self::Each(directory) => directory.join(format!("contacts_{frame:06}.vtp")),
        }
    }
}

/// Refuses a file that is there.
pub fn expect_free(path: &Path, force: bool) -> Result<(), Failure> {
    if path.exists() && !force {
        return Err(Failure::input(format!(
            "{} is there, expected another name, or --force to replace it",
            path.display()
        )));
    }
    Ok(())
}
