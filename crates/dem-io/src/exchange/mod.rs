//! Particles in the files of other codes.
//!
//! Written: CSV, extended XYZ, text dumps of LAMMPS, XML PolyData of VTK ([`write_csv`], [`write_extended_xyz`], [`write_lammps_dump`], [`write_vtp`]). Numbers in text
//! have as many digits as it takes to read the same bits again.
//!
//! Read ([`read`]), one frame at a time:
//!
//! | format | content |
//! |---|---|
//! | `lammps-data` | data file with an `Atoms` section of style `sphere`, `bpm/sphere` or `hybrid sphere` |
//! | `lammps-dump` | text dump of LAMMPS or LIGGGHTS with positions and radius or diameter |
//! | `xyz` | extended XYZ with `Properties` that have a radius |
//! | `yade` | `export.text`, `export.textExt` |
//! | `mercury` | `.data` in three dimensions |
//! | `pfc` | commands `ball create`, or a table with names of PFC |
//!
//! Readers take what a file says and believe nothing: counts of headers reserve no memory, lines and files are bounded, numbers finite.

mod block;
mod csv_writer;
mod detection;
mod error;
mod extended_xyz;
mod extended_xyz_writer;
mod format;
mod frames;
mod lammps_data;
mod lammps_dump;
mod lammps_dump_writer;
mod lammps_units;
mod mercury;
mod outgoing;
mod pfc;
mod reading;
mod row;
mod state;
mod vtp_writer;
mod yade;

pub use self::csv_writer::write_csv;
pub use self::error::ExchangeError;
pub use self::extended_xyz_writer::write_extended_xyz;
pub use self::format::ForeignFormat;
pub use self::lammps_dump_writer::write_lammps_dump;
pub use self::outgoing::{OutgoingCell, ParticleFrame};
pub use self::reading::{ReadRequest, read, read_bytes};
pub use self::state::{ForeignBox, ForeignParticle, ForeignState, ForeignUnits, Present, UnitsInFile};
pub use self::vtp_writer::{collection, write_vtp};

#[cfg(test)]
mod tests;
