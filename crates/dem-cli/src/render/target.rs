//! What a film is written as.

use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// What can be asked for.
const FORMS: &str = "a name that ends in .mp4, .gif or .apng, or a folder for single pictures, as in frames/";

/// Formats of films.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// H.264, through ffmpeg.
    Mp4,
    Gif,
    Apng,
    /// A folder of PNGs.
    Folder,
}

/// Where a film goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub path: PathBuf,
    pub format: Format,
}

impl Target {
    /// That of `--out`.
    pub fn of(out: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = out else { return Err(Failure::input(format!("--frames needs --out: {FORMS}"))) };
        let format = match path.extension().map(|suffix| suffix.to_string_lossy().to_lowercase()).as_deref() {
            _ if ends_as_folder(path) => Format::Folder,
            None => Format::Folder,
            Some("mp4") => Format::Mp4,
            Some("gif") => Format::Gif,
            Some("apng") => Format::Apng,
            Some("png") => {
                let message = "of several frames, expected .apng for an animation, or a folder for single pictures, as in frames/";
                return Err(Failure::input(format!("--out {}: {message}", path.display())));
            }
            Some(_) => return Err(Failure::input(format!("--out {}: expected {FORMS}", path.display()))),
        };
        if format != Format::Folder && path.is_dir() {
            return Err(Failure::input(format!("--out {}: there is a folder of this name", path.display())));
        }
        Ok(Self { path: path.to_path_buf(), format })
    }

    /// Size of the pictures if none is asked for.
    pub fn default_size(&self) -> (u32, u32) {
        match self.format {
            Format::Mp4 | Format::Folder => (1600, 1200),
            // without loss, or with a poor compression
            Format::Gif | Format::Apng => (800, 600),
        }
    }
}

/// Whether a path ends with a separator.
fn ends_as_folder(path: &Path) -> bool {
    path.as_os_str().to_string_lossy().ends_with(std::path::is_separator)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffix_says_what_is_written() {
        let format = |name: &str| Target::of(Some(Path::new(name))).map(|target| target.format).ok();
        assert_eq!(format("a/film.mp4"), Some(Format::Mp4));
        assert_eq!(format("film.GIF"), Some(Format::Gif));
        assert_eq!(format("film.apng"), Some(Format::Apng));
        assert_eq!(format("frames"), Some(Format::Folder));
        assert_eq!(format("run.7/"), Some(Format::Folder));
        for name in ["film.avi", "film.png", "film.webm"] {
            let refused = Target::of(Some(Path::new(name))).unwrap_err();
            assert!(refused.message().contains(".apng"), "{}", refused.message());
        }
        assert!(Target::of(None).unwrap_err().message().contains(".mp4"));
    }
}
