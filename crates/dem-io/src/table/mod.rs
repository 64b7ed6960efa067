//! Particle tables: text in columns, plain or gzip, one particle a row.
//!
//! ```csv
//! # a packing of two
//! x,y,z,r,material
//! 0,0,0.5e-3,0.5e-3,glass
//! 0,0,1.5e-3,0.5e-3,steel
//! ```
//!
//! The columns `x`, `y`, `z` `[m]` and one of `r`, `radius`, `d` and `diameter` `[m]` are required; `vx`, `vy`, `vz` `[m/s]`, `wx`, `wy`,
//! `wz` `[rad/s]`, `qx`, `qy`, `qz`, `qw`, `material` and `id` are optional, in any order. Lengths are in metres or in a unit that the reader is told, all
//! else is SI. Commas, semicolons, tabs or blanks separate, as in the header; a material name has none of them. Lines beginning with `#` and empty lines
//! are skipped, but for the last one before rows without a header, which is the header.

mod cells;
mod error;
mod header;
mod motion;
mod particle_row;
mod source;

use std::path::Path;

use self::cells::Names;
pub use self::error::{CellError, TableError};
use self::header::Header;
pub use self::motion::{MotionRow, MotionTable, read_motion_table};
pub use self::particle_row::ParticleRow;
use self::source::Lines;

/// Bounds on what a table may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableLimits {
    /// Size of the table after decompression `[byte]`.
    pub bytes: u64,
    /// Number of particles `[-]`.
    pub rows: usize,
}

/// 4 GiB and 100 million particles.
impl Default for TableLimits {
    fn default() -> Self {
        Self { bytes: 4 << 30, rows: 100_000_000 }
    }
}

/// Reads a particle table with lengths in metres within the default limits.
///
/// # Errors
/// As [`read_particle_table_in`].
pub fn read_particle_table(path: impl AsRef<Path>) -> Result<Vec<ParticleRow>, TableError> {
    read_particle_table_in(path, 1.0, TableLimits::default())
}

/// Reads a particle table whose unit of length is `unit` \[m\]; gzip is recognised by its first bytes, not by the name.
///
/// # Errors
/// When the file cannot be read or exceeds the limits, the header lacks a column or has one that is not known or two of the same meaning, or a row has
/// another number of fields than the header, a number that is not finite or beyond [`LARGEST`](crate::units::LARGEST), a radius that is not positive, or an
/// id that another row has. Errors name the file, line and column.
pub fn read_particle_table_in(
    path: impl AsRef<Path>,
    unit: f64,
    limits: TableLimits,
) -> Result<Vec<ParticleRow>, TableError> {
    let path = path.as_ref();
    let mut lines = Lines::open(path, limits.bytes)?;
    let Some((line, text)) = lines.next()? else {
        return Err(TableError::Empty { path: path.into(), example: "x,y,z,r" });
    };
    let (mut names, mut rows, mut ids) = (Names::default(), Vec::new(), Vec::new());
    let mut row = |header: &Header, line: u64, text: &[u8]| {
        if rows.len() == limits.rows {
            return Err(TableError::TooManyRows { path: path.into(), limit: limits.rows });
        }
        let (id, row) = header.row(path, line, text, unit, &mut names)?;
        ids.extend(id.map(|id| (id, line)));
        rows.push(row);
        Ok(())
    };
    // programs that write rows of plain numbers put the header into a comment
    let header = if header::is_row(text) {
        let text = text.to_vec();
        let header = Header::of_comment(path, line, lines.comment())?;
        row(&header, line, &text)?;
        header
    } else {
        Header::read(path, line, text)?
    };
    while let Some((line, text)) = lines.next()? {
        row(&header, line, text)?;
    }
    ids.sort_unstable();
    if let Some(pair) = ids.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        return Err(TableError::RepeatedId { path: path.into(), line: pair[1].1, id: pair[0].0, first: pair[0].1 });
    }
    Ok(rows)
}

#[cfg(test)]
mod tests;
