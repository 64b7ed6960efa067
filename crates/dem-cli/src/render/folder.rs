//! A film as a folder of pictures.

use std::path::{Path, PathBuf};

use dem_io::atomic::write_atomically;
use dem_view::Image;

use crate::failure::Failure;

/// How the names of its pictures begin.
const PREFIX: &str = "frame_";

/// A folder that is being filled. It takes its place when it is complete.
pub struct Folder {
    path: PathBuf,
    /// Where pictures go meanwhile, in the folder of the other.
    unfinished: PathBuf,
    digits: usize,
}

impl Folder {
    /// Refuses a place where there is something else than pictures of a film. The numbers of the frames have as many digits as the last one.
    pub fn begin(path: &Path, last: usize) -> Result<Self, Failure> {
        // without a separator at the end
        let path: PathBuf = path.components().collect();
        if let Some(other) = other_content(&path)? {
            return Err(Failure::input(format!(
                "--out {}: there is {}, which is no picture of a film; expected a new folder, an empty one or one with pictures of a film alone",
                path.display(),
                other.display()
            )));
        }
        let name = path.file_name().map_or_else(Default::default, std::ffi::OsStr::to_os_string);
        let mut unfinished = std::ffi::OsString::from(".unfinished-");
        unfinished.push(name);
        unfinished.push(format!("-{}", std::process::id()));
        let unfinished = path.with_file_name(unfinished);
        std::fs::create_dir(&unfinished).map_err(|error| failed("create", &unfinished, &error))?;
        Ok(Self { path, unfinished, digits: last.to_string().len().max(4) })
    }

    /// Adds the picture of a frame.
    pub fn add(&mut self, frame: usize, image: &Image) -> Result<(), Failure> {
        let name = format!("{PREFIX}{frame:0width$}.png", width = self.digits);
        Ok(write_atomically(&self.unfinished.join(name), &image.encode_png().map_err(Failure::input)?)?)
    }

    /// Gives it its place, in which older pictures go.
    pub fn finish(self) -> Result<(), Failure> {
        if self.path.exists() {
            // somebody may have put something there meanwhile
            if let Some(other) = other_content(&self.path)? {
                return Err(Failure::input(format!("--out {}: there is {}", self.path.display(), other.display())));
            }
            std::fs::remove_dir_all(&self.path).map_err(|error| failed("replace", &self.path, &error))?;
        }
        std::fs::rename(&self.unfinished, &self.path).map_err(|error| failed("create", &self.path, &error))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // gone if it has been renamed; what cannot be removed is named so that nobody takes it for a film
        let _ = std::fs::remove_dir_all(&self.unfinished);
    }
}

/// Something at a place that is no picture of a film.
fn other_content(path: &Path) -> Result<Option<PathBuf>, Failure> {
    if !path.exists() {
        return Ok(None);
    }
    if !path.is_dir() {
        return Ok(Some(path.to_path_buf()));
    }
    for entry in std::fs::read_dir(path).map_err(|error| failed("list", path, &error))? {
        let entry = entry.map_err(|error| failed("list", path, &error))?;
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.strip_suffix(".png"));
        if !number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())) {
            return Ok(Some(entry.path()));
        }
    }
    Ok(None)
}

fn failed(what: &str, path: &Path, error: &std::io::Error) -> Failure {
    Failure::input(format!("cannot {what} {}: {error}", path.display()))
}
