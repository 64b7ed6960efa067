//! Triangles of the files of meshes, by the ending of their names.
//!
//! | ending | content | what to know |
//! |---|---|---|
//! | `.stl` | [STL](crate::stl), text or binary | |
//! | `.obj` | Wavefront OBJ: lines `v` and `f` count, groups, objects, materials, normals and coordinates of textures do not | indices are absolute or, if negative, from the end; a line that ends with `\` goes on |
//! | `.ply` | PLY, text or binary of either order of bytes: elements `vertex` (`x`, `y`, `z`) and `face` (`vertex_indices` or `vertex_index`) | others are passed over |
//!
//! Faces of more than three corners are cut into triangles, of any shape that does not cross itself (the crate `earcut`). PLY is read by the crate
//! `ply-rs-bw`, after a look at the header: no more is read than the file has room for. OBJ is read here: the crate `tobj` tells no lines, finds
//! indices out of range only at the end of a group, and overflows by some.

mod error;
mod obj;
mod ply;
mod polygon;
mod reading;

pub use self::error::{FileFault, LARGEST, LineFault, MOST_TRIANGLES, MeshFileError};
pub use self::reading::{ENDINGS, read};

#[cfg(test)]
mod tests;
