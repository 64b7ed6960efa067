//! A film that is being written, in any of its formats.

use std::fs::File;
use std::io::{BufWriter, Write};

use dem_io::atomic::Unfinished;
use dem_view::{ApngFilm, GifFilm, Image};

use super::ffmpeg::Mp4;
use super::folder::Folder;
use super::target::{Format, Target};
use crate::failure::Failure;

/// A film that is being written. Dropped, it leaves nothing behind.
pub enum Encoder {
    Mp4(Mp4),
    Gif(Box<GifFilm<BufWriter<File>>>, Unfinished),
    Apng(Box<ApngFilm<BufWriter<File>>>, Unfinished),
    Folder(Folder),
}

/// What a film has.
pub struct Properties<'a> {
    /// Size of its pictures \[pixel\].
    pub size: (u32, u32),
    /// Pictures a second.
    pub rate: f64,
    /// Indices of its frames.
    pub frames: &'a [usize],
}

impl Encoder {
    /// Begins a film. `samples` draws some of its pictures, where colours must be known beforehand.
    pub fn begin(
        target: &Target,
        film: &Properties<'_>,
        samples: impl FnOnce() -> Result<Vec<Image>, Failure>,
    ) -> Result<Self, Failure> {
        let folder = target.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let unfinished = || -> Result<_, Failure> {
            let mut file = Unfinished::begin(folder.unwrap_or(std::path::Path::new(".")))?;
            let handle = file.file().try_clone().map_err(|error| failed(target, &error))?;
            Ok((BufWriter::new(handle), file))
        };
        Ok(match target.format {
            Format::Mp4 => Self::Mp4(Mp4::begin(&target.path, film.size, film.rate)?),
            Format::Gif => {
                let samples = samples()?;
                let (writer, file) = unfinished()?;
                Self::Gif(Box::new(GifFilm::new(writer, film.rate, &samples).map_err(Failure::input)?), file)
            }
            Format::Apng => {
                let (writer, file) = unfinished()?;
                let (size, count) = ([film.size.0, film.size.1], film.frames.len() as u32);
                Self::Apng(Box::new(ApngFilm::new(writer, size, film.rate, count).map_err(Failure::input)?), file)
            }
            Format::Folder => {
                let last = film.frames.iter().copied().max().unwrap_or(0);
                Self::Folder(Folder::begin(&target.path, last)?)
            }
        })
    }

    /// Adds the picture of a frame.
    pub fn add(&mut self, frame: usize, image: &Image) -> Result<(), Failure> {
        match self {
            Self::Mp4(film) => film.add(image),
            Self::Gif(film, _) => film.add(image).map_err(Failure::input),
            Self::Apng(film, _) => film.add(image).map_err(Failure::input),
            Self::Folder(folder) => folder.add(frame, image),
        }
    }

    /// Ends the film and gives it its name.
    pub fn finish(self, target: &Target) -> Result<(), Failure> {
        match self {
            Self::Mp4(film) => film.finish(&target.path),
            Self::Gif(film, file) => {
                let mut writer = film.finish().map_err(Failure::input)?;
                writer.flush().map_err(|error| failed(target, &error))?;
                Ok(file.finish_as(&target.path)?)
            }
            Self::Apng(film, file) => {
                // its last part is flushed with it
                film.finish().map_err(Failure::input)?;
                Ok(file.finish_as(&target.path)?)
            }
            Self::Folder(folder) => folder.finish(),
        }
    }
}

fn failed(target: &Target, error: &std::io::Error) -> Failure {
    Failure::input(format!("cannot write {}: {error}", target.path.display()))
}
