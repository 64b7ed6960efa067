//! Triangles of STL files, binary and text.
//!
//! A binary file has a header of 80 bytes, the number of facets (u32, little-endian) and 50 bytes per facet: a normal, three corners (12
//! times f32) and 2 bytes without meaning. A text file has a line that begins with `solid`; what programs put before it, a byte order mark or
//! lines of comments, is passed over. The two are told apart by the length, which must be the one that the number of facets gives: headers of
//! binary files begin with `solid`, too. Normals are not read, programs write anything there.
//!
//! Memory is bounded by the length of the file, which is at most [`LARGEST`]: facets take 1.5 times the bytes of a binary file, and never
//! more in proportion from text. What a header announces is compared with the length before anything is done with it.
//!
//! The crate `stl_io` decides by the first word, reads text in single precision and does not say where a file is wrong.

mod error;
mod text;
mod triangle;

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use glam::DVec3;

use self::error::Origin;
pub use self::error::{FormError, LARGEST, StlError};
pub use self::triangle::Triangle;

/// Bytes before the number of facets.
const HEADER: usize = 80;
/// Bytes before the first facet.
const START: usize = HEADER + 4;
/// Bytes of a facet.
const FACET: usize = 50;
/// Bytes of a facet before its corners: the normal.
const NORMAL: usize = 12;

/// Reads a file as a whole, and its triangles.
///
/// # Errors
/// When it cannot be read, is too large, is no STL file or has no triangles, coordinates that are not finite, or text that is not
/// as expected. Errors name the file and the facet or line.
pub fn read(path: impl AsRef<Path>) -> Result<(Vec<u8>, Vec<Triangle>), StlError> {
    let path = path.as_ref();
    let origin = Origin(path);
    // checked before opening: opening a pipe would wait for a writer
    let metadata = fs::metadata(path).map_err(|error| origin.io(error))?;
    if !metadata.is_file() {
        return Err(StlError::NotAFile { path: path.into() });
    }
    let too_large = || StlError::TooLarge { path: path.into() };
    if metadata.len() > LARGEST {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| origin.io(error))?;
    file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(|error| origin.io(error))?;
    // it may have grown
    if bytes.len() as u64 > LARGEST {
        return Err(too_large());
    }
    let triangles = parse(&bytes).map_err(|error| origin.form(error))?;
    Ok((bytes, triangles))
}

/// Writes triangles into a binary file, with normals by the right hand. Coordinates are rounded to single precision.
///
/// # Errors
/// When it cannot be written.
pub fn write(path: &Path, triangles: &[Triangle]) -> Result<(), crate::Error> {
    let mut bytes = b"triangles in metres".to_vec();
    bytes.resize(HEADER, b' ');
    bytes.extend((triangles.len() as u32).to_le_bytes());
    bytes.reserve(triangles.len() * FACET);
    for &[a, b, c] in triangles {
        let normal = (b - a).cross(c - a).normalize_or_zero();
        for x in [normal, a, b, c] {
            bytes.extend(x.as_vec3().to_array().into_iter().flat_map(f32::to_le_bytes));
        }
        bytes.extend([0; 2]);
    }
    crate::atomic::write_atomically(path, &bytes)
}

/// Reads triangles from the bytes of a file.
fn parse(bytes: &[u8]) -> Result<Vec<Triangle>, FormError> {
    let announced = bytes.get(HEADER..START).and_then(|field| field.try_into().ok()).map(u32::from_le_bytes);
    let expected = announced.map(|facets| START as u64 + u64::from(facets) * FACET as u64);
    let triangles = if expected == Some(bytes.len() as u64) {
        binary(&bytes[START..])
    } else if let Some(words) = text::Words::from_solid(bytes) {
        text::triangles(words)?
    } else {
        return Err(match (announced, expected) {
            (Some(facets), Some(expected)) => FormError::Length { facets, expected, found: bytes.len() },
            _ => FormError::NoStl,
        });
    };
    if triangles.is_empty() {
        return Err(FormError::Empty);
    }
    match triangles.iter().position(|corners| corners.iter().any(|corner| !corner.is_finite())) {
        Some(facet) => Err(FormError::NotFinite { facet: facet + 1 }),
        None => Ok(triangles),
    }
}

fn binary(facets: &[u8]) -> Vec<Triangle> {
    let (facets, _) = facets.as_chunks::<FACET>();
    let coordinate = |facet: &[u8; FACET], number: usize| {
        let at = NORMAL + 4 * number;
        f64::from(f32::from_le_bytes([facet[at], facet[at + 1], facet[at + 2], facet[at + 3]]))
    };
    facets
        .iter()
        .map(|facet| {
            [0, 3, 6].map(|first| {
                DVec3::new(coordinate(facet, first), coordinate(facet, first + 1), coordinate(facet, first + 2))
            })
        })
        .collect()
}

#[cfg(test)]
mod tests;
