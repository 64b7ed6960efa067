//! Particle tables: CSV, plain or gzip, one particle a row.
//!
//! ```csv
//! # a packing of two
//! x,y,z,r,material
//! 0,0,0.5e-3,0.5e-3,glass
//! 0,0,1.5e-3,0.5e-3,steel
//! ```
//!
//! The columns `x`, `y`, `z` `[m]` and `r` `[m]` are required; `vx`, `vy`, `vz` `[m/s]`, `wx`, `wy`,
//! `wz` `[rad/s]`, `qx`, `qy`, `qz`, `qw` and `material` are optional, in any order. Numbers are SI. Lines beginning with
//! `#` and empty lines are skipped. Commas separate, so a material name has none.

mod error;
mod motion;
mod source;

use std::path::Path;
use std::sync::Arc;

use glam::{DQuat, DVec3};

pub use self::error::{CellError, TableError};
pub use self::motion::{MotionRow, MotionTable, read_motion_table};
use self::source::Lines;
use crate::suggestion::{excerpt, nearest};
use crate::units::LARGEST;

/// Characters of a bad field that a message repeats.
const EXCERPT: usize = 40;
/// Most materials in one table.
const MOST_MATERIALS: usize = 65_536;

/// One particle of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct ParticleRow {
    /// Centre `[m]`.
    pub position: DVec3,
    /// Radius `[m]`, greater than zero.
    pub radius: f64,
    /// Velocity of the centre `[m/s]`, zero where the table has no such column.
    pub velocity: DVec3,
    /// Angular velocity `[rad/s]`, zero where the table has no such column.
    pub angular_velocity: DVec3,
    /// Orientation as a unit quaternion x, y, z, w; `None` where the table has no such columns.
    pub orientation: Option<DQuat>,
    /// Name of the material; `None` where the table has no such column or the field is empty.
    pub material: Option<Arc<str>>,
}

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

/// Reads a particle table within the default limits.
///
/// # Errors
/// As [`read_particle_table_within`].
pub fn read_particle_table(path: impl AsRef<Path>) -> Result<Vec<ParticleRow>, TableError> {
    read_particle_table_within(path, TableLimits::default())
}

/// Reads a particle table; gzip is recognised by its first bytes, not by the name.
///
/// # Errors
/// When the file cannot be read or exceeds the limits, the header lacks a column or has one that
/// is not known, or a row has another number of fields than the header, a number that is not
/// finite or beyond [`LARGEST`], or a radius that is not positive. Errors name the file, line and column.
pub fn read_particle_table_within(path: impl AsRef<Path>, limits: TableLimits) -> Result<Vec<ParticleRow>, TableError> {
    let path = path.as_ref();
    let mut lines = Lines::open(path, limits.bytes)?;
    let Some((line, text)) = lines.next()? else {
        return Err(TableError::Empty { path: path.into(), example: "x,y,z,r" });
    };
    let header = Header::read(path, line, text)?;
    let mut names = Names::default();
    let mut rows = Vec::new();
    while let Some((line, text)) = lines.next()? {
        if rows.len() == limits.rows {
            return Err(TableError::TooManyRows { path: path.into(), limit: limits.rows });
        }
        rows.push(header.row(path, line, text, &mut names)?);
    }
    Ok(rows)
}

/// The columns of numbers, in the order of a row's values.
const NUMBERS: [&str; 14] = ["x", "y", "z", "r", "vx", "vy", "vz", "wx", "wy", "wz", "qx", "qy", "qz", "qw"];
/// How many of the first of [`NUMBERS`] every table has.
const REQUIRED: usize = 4;
const RADIUS: usize = 3;
/// Place of the first component of the orientation, whose columns all tables have or none.
const ORIENTATION: usize = 10;
const MATERIAL: &str = "material";

/// Lengths of a quaternion that is meant to be one: printed with few digits.
const SHORTEST: f64 = 0.9;
const LONGEST: f64 = 1.1;
/// Deviation from one that rounding explains.
const ROUNDING: f64 = 1e-15;

/// What a column of the file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    Number(usize),
    Material,
}

impl Column {
    fn name(self) -> &'static str {
        match self {
            Self::Number(index) => NUMBERS[index],
            Self::Material => MATERIAL,
        }
    }
}

struct Header {
    columns: Vec<Column>,
}

impl Header {
    fn read(path: &Path, line: u64, text: &[u8]) -> Result<Self, TableError> {
        let mut columns = Vec::new();
        for field in fields(text) {
            let name = String::from_utf8_lossy(field);
            let number = NUMBERS.iter().position(|&known| known == name);
            let column = match number {
                Some(number) => Column::Number(number),
                None if name == MATERIAL => Column::Material,
                None => {
                    let known = NUMBERS.iter().copied().chain([MATERIAL]).collect();
                    return Err(unknown_column(path, line, columns.len() + 1, &name, known));
                }
            };
            if columns.contains(&column) {
                return Err(TableError::RepeatedColumn { path: path.into(), line, name: column.name() });
            }
            columns.push(column);
        }
        for (number, &name) in NUMBERS.iter().enumerate().take(REQUIRED) {
            if !columns.contains(&Column::Number(number)) {
                let required = "x, y, z and r are";
                return Err(TableError::MissingColumn { path: path.into(), line, name, required });
            }
        }
        let has_orientation = |number| columns.contains(&Column::Number(number));
        if (ORIENTATION..NUMBERS.len()).any(has_orientation) {
            for (number, &name) in NUMBERS.iter().enumerate().skip(ORIENTATION) {
                if !has_orientation(number) {
                    let required = "qx, qy, qz and qw together are";
                    return Err(TableError::MissingColumn { path: path.into(), line, name, required });
                }
            }
        }
        Ok(Self { columns })
    }

    fn row(&self, path: &Path, line: u64, text: &[u8], names: &mut Names) -> Result<ParticleRow, TableError> {
        let found = fields(text).count();
        if found != self.columns.len() {
            return Err(TableError::FieldCount { path: path.into(), line, found, expected: self.columns.len() });
        }
        let mut numbers = [0.0; NUMBERS.len()];
        let mut material = None;
        for (index, (&column, field)) in self.columns.iter().zip(fields(text)).enumerate() {
            let refuse = |reason: CellError| TableError::Cell {
                path: path.into(),
                line,
                column: index + 1,
                name: column.name(),
                text: excerpt(&String::from_utf8_lossy(field), EXCERPT),
                reason,
            };
            match column {
                Column::Number(number) => {
                    let value = read_number(field).map_err(refuse)?;
                    if number == RADIUS && value <= 0.0 {
                        return Err(refuse(CellError::RadiusNotPositive));
                    }
                    numbers[number] = value;
                }
                Column::Material => material = names.intern(field).map_err(refuse)?,
            }
        }
        let [x, y, z, radius, vx, vy, vz, wx, wy, wz, qx, qy, qz, qw] = numbers;
        let mut orientation = None;
        if let Some(first) = self.columns.iter().position(|&column| column == Column::Number(ORIENTATION)) {
            let q = DQuat::from_xyzw(qx, qy, qz, qw);
            let length = q.length();
            if !(SHORTEST..=LONGEST).contains(&length) {
                let text = excerpt(&format!("{qx}, {qy}, {qz}, {qw}"), EXCERPT);
                let (path, column, name, reason) =
                    (path.into(), first + 1, NUMBERS[ORIENTATION], CellError::NoRotation);
                return Err(TableError::Cell { path, line, column, name, text, reason });
            }
            // what is of length one but for rounding keeps its bits
            orientation = Some(if (length - 1.0).abs() < ROUNDING { q } else { q * (1.0 / length) });
        }
        Ok(ParticleRow {
            position: DVec3::new(x, y, z),
            radius,
            velocity: DVec3::new(vx, vy, vz),
            angular_velocity: DVec3::new(wx, wy, wz),
            orientation,
            material,
        })
    }
}

fn unknown_column(path: &Path, line: u64, column: usize, name: &str, known: Vec<&'static str>) -> TableError {
    let hint = nearest(name, known.iter().copied()).map(|name| format!(", did you mean `{name}`?")).unwrap_or_default();
    TableError::UnknownColumn { path: path.into(), line, column, name: excerpt(name, EXCERPT), hint, known }
}

fn read_number(field: &[u8]) -> Result<f64, CellError> {
    let read = std::str::from_utf8(field).ok().and_then(|text| text.parse::<f64>().ok());
    let value = read.filter(|value| value.is_finite()).ok_or(CellError::NoNumber)?;
    if value.abs() <= LARGEST { Ok(value) } else { Err(CellError::TooLarge) }
}

fn fields(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|&byte| byte == b',').map(<[u8]>::trim_ascii)
}

/// Material names, each held once.
#[derive(Default)]
struct Names {
    known: std::collections::BTreeSet<Arc<str>>,
}

impl Names {
    fn intern(&mut self, field: &[u8]) -> Result<Option<Arc<str>>, CellError> {
        let name = std::str::from_utf8(field).map_err(|_| CellError::NotUtf8)?;
        // Some programs quote every text.
        let name = name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name);
        if name.is_empty() {
            return Ok(None);
        }
        if let Some(known) = self.known.get(name) {
            return Ok(Some(known.clone()));
        }
        if self.known.len() == MOST_MATERIALS {
            return Err(CellError::TooManyMaterials);
        }
        let name: Arc<str> = name.into();
        self.known.insert(name.clone());
        Ok(Some(name))
    }
}

#[cfg(test)]
mod tests;
