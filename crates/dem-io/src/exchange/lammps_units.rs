//! Systems of units of LAMMPS, by the command `units`.

use super::state::{ForeignUnits, UnitsInFile};

/// The units of a name; those of atoms and of dimensionless systems have no sizes here.
pub(super) fn named(name: &str) -> UnitsInFile {
    let of = |length, time, mass| UnitsInFile::Known(name.to_owned(), ForeignUnits { length, time, mass });
    match name {
        "si" => of(1.0, 1.0, 1.0),
        "cgs" => of(1e-2, 1.0, 1e-3),
        // micrometres, microseconds, picograms
        "micro" => of(1e-6, 1e-6, 1e-15),
        // nanometres, nanoseconds, attograms
        "nano" => of(1e-9, 1e-9, 1e-21),
        _ => UnitsInFile::Free(name.chars().filter(char::is_ascii_alphanumeric).take(16).collect()),
    }
}
