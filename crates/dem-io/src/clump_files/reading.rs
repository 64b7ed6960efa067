//! A file of clumps in one of the formats.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::clump_shape::ClumpShape;
use super::error::{ClumpFileError, FileFault, LARGEST, MOST_SPHERES, Origin};
use super::format::ClumpFormat;
use super::{dem_engine, lammps_molecule, liggghts, yade};
use crate::regular_file;

/// Reads clumps from a text; `path` is what errors call it. Only files of Yade have more than one.
///
/// # Errors
/// A text that is not of the format, numbers that are not finite or beyond [`LARGEST`](crate::units::LARGEST), radii that are not positive, no spheres or
/// more than [`MOST_SPHERES`]. Errors name the file, the line, what stands there and what is expected.
pub fn read(path: impl AsRef<Path>, text: &str, format: ClumpFormat) -> Result<Vec<ClumpShape>, ClumpFileError> {
    let origin = Origin(path.as_ref());
    // a line makes a sphere of ten times its length at most: memory is bounded before lines are read, of which a sphere may have four and comments
    if text.lines().count() > 8 * MOST_SPHERES {
        return Err(origin.file(FileFault::TooManySpheres));
    }
    let shapes = match format {
        ClumpFormat::Liggghts => liggghts::read(origin, text)?,
        ClumpFormat::DemEngine => dem_engine::read(origin, text)?,
        ClumpFormat::LammpsMolecule => lammps_molecule::read(origin, text)?,
        ClumpFormat::Yade => yade::read(origin, text)?,
    };
    if shapes.iter().map(|shape| shape.spheres.len()).sum::<usize>() > MOST_SPHERES {
        return Err(origin.file(FileFault::TooManySpheres));
    }
    Ok(shapes)
}

/// Reads a file as a whole, and its clumps.
///
/// # Errors
/// As [`read`]; a file that cannot be read, is larger than [`LARGEST`] or not UTF-8.
pub fn read_file(path: impl AsRef<Path>, format: ClumpFormat) -> Result<(String, Vec<ClumpShape>), ClumpFileError> {
    let path = path.as_ref();
    let origin = Origin(path);
    let text = bounded_text(path).map_err(|error| origin.io(error))?.ok_or_else(|| origin.too_large())?;
    let shapes = read(path, &text, format)?;
    Ok((text, shapes))
}

/// The text of a file, none if it is too large.
fn bounded_text(path: &Path) -> io::Result<Option<String>> {
    let file: File = regular_file::open(path)?;
    let mut bytes = Vec::new();
    file.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Ok(None);
    }
    let text = String::from_utf8(bytes);
    text.map(Some).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is no UTF-8 text"))
}
