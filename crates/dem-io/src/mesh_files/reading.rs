//! A file of a mesh in the format that the ending of its name tells.

use std::io::Read;
use std::path::Path;

use super::error::{LARGEST, MeshFileError};
use super::{obj, ply};
use crate::regular_file;
use crate::stl::{self, Triangle};

/// Endings of the formats that are read.
pub const ENDINGS: [&str; 3] = [".obj", ".ply", ".stl"];

/// Reads a file as a whole, and its triangles.
///
/// # Errors
/// When it cannot be read, is too large, has another ending than [`ENDINGS`], is not of its format, or has no faces or coordinates that are not finite.
/// Errors name the file and, of texts, the line.
pub fn read(path: impl AsRef<Path>) -> Result<(Vec<u8>, Vec<Triangle>), MeshFileError> {
    let path = path.as_ref();
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    let parse = match ending.as_str() {
        "stl" => return Ok(stl::read(path)?),
        "obj" => obj::parse,
        "ply" => ply::parse,
        _ => return Err(MeshFileError::Ending { path: path.into() }),
    };
    let io = |source| MeshFileError::Io { path: path.into(), source };
    let mut bytes = Vec::new();
    regular_file::open(path).map_err(io)?.take(LARGEST + 1).read_to_end(&mut bytes).map_err(io)?;
    if bytes.len() as u64 > LARGEST {
        return Err(MeshFileError::TooLarge { path: path.into() });
    }
    let triangles = parse(&bytes).map_err(|fault| fault.of(path))?;
    Ok((bytes, triangles))
}
