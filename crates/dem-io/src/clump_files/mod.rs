//! Clumps of spheres in the text files of other programs.
//!
//! | format | content | what to know |
//! |---|---|---|
//! | `liggghts` | lines `x y z r`, `#` begins a comment | no mass: LIGGGHTS finds it by random points |
//! | `dem-engine` | CSV with a header of `x`, `y`, `z` and `r`, lines with `#` are comments | volume and moments that its files name in comments are not read: some are wrong by a third |
//! | `lammps-molecule` | header `N atoms`, `M mass`, `x y z com`, `xx yy zz xy xz yz inertia`; sections `Coords`, `Diameters`, `Types`, `Masses` | products of inertia have the sign of the components of the tensor; the first line and the one below the name of a section are skipped |
//! | `yade` | lines `x y z r` of one clump, or `x y z r id` of many | a fifth column is a material if the line `#format` says so; such files are refused |
//!
//! Lengths and masses are those of the file: whoever reads it gives them a unit. Numbers are finite, and lines are refused rather than skipped.

mod clump_shape;
mod dem_engine;
mod error;
mod fields;
mod format;
mod lammps_molecule;
mod lammps_sections;
mod liggghts;
mod reading;
mod yade;

pub use self::clump_shape::{ClumpShape, ClumpSphere, GivenProperties};
pub use self::error::{ClumpFileError, FileFault, LARGEST, LineFault, MOST_SPHERES, NumberFault};
pub use self::format::ClumpFormat;
pub use self::reading::{read, read_file};

#[cfg(test)]
mod tests;
