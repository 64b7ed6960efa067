//! The header of a particle table, and the rows that follow from it.

use std::path::Path;

use glam::{DQuat, DVec3};

use super::cells::{EXCERPT, Names, read_number, unknown_column};
use super::error::{CellError, TableError};
use super::particle_row::ParticleRow;
use crate::separator::Separator;
use crate::suggestion::excerpt;
use crate::units::LARGEST;

/// The columns of numbers, in the order of a row's values.
const NUMBERS: [&str; 14] = ["x", "y", "z", "r", "vx", "vy", "vz", "wx", "wy", "wz", "qx", "qy", "qz", "qw"];
/// How many of the first of [`NUMBERS`] are lengths, and every table has.
const LENGTHS: usize = 4;
const RADIUS: usize = 3;
/// Place of the first component of the orientation, whose columns all tables have or none.
const ORIENTATION: usize = 10;
/// Names of the radius and the diameter.
const SIZES: [(&str, Column); 4] = [
    ("r", Column::Number(RADIUS)),
    ("radius", Column::Number(RADIUS)),
    ("d", Column::Diameter),
    ("diameter", Column::Diameter),
];

/// Lengths of a quaternion that is meant to be one: printed with few digits.
const SHORTEST: f64 = 0.9;
const LONGEST: f64 = 1.1;
/// Deviation from one that rounding explains.
const ROUNDING: f64 = 1e-15;

/// What a column of the file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    Number(usize),
    Diameter,
    Material,
    Id,
}

/// Columns with the names that they have in the file.
pub(super) struct Header {
    columns: Vec<(Column, &'static str)>,
    separator: Separator,
}

/// The names that a header may have.
fn known() -> impl Iterator<Item = (&'static str, Column)> {
    let numbers = NUMBERS.iter().enumerate().map(|(number, name)| (*name, Column::Number(number)));
    let sizes = SIZES.into_iter().skip(1);
    numbers.chain(sizes).chain([("material", Column::Material), ("id", Column::Id)])
}

/// Whether all fields of a line are numbers: no header is.
pub(super) fn is_row(line: &[u8]) -> bool {
    let separator = Separator::of_header(line).unwrap_or(Separator::Blanks);
    separator.fields(line).all(|field| read_number(field).is_ok())
}

impl Header {
    /// Reads the header in the comment before the first row.
    pub fn of_comment(path: &Path, row: u64, comment: Option<(u64, &[u8])>) -> Result<Self, TableError> {
        let none = TableError::NoHeader { path: path.into(), line: row, example: "x,y,z,r" };
        let Some((line, text)) = comment else { return Err(none) };
        let start = text.iter().position(|byte| *byte != b'#').unwrap_or(text.len());
        let text = text[start..].trim_ascii();
        // a remark, which names no coordinate
        let names = Separator::of_header(text).is_some_and(|by| by.fields(text).any(|field| field == b"x"));
        if names { Self::read(path, line, text) } else { Err(none) }
    }

    pub fn read(path: &Path, line: u64, text: &[u8]) -> Result<Self, TableError> {
        let separator = Separator::of_header(text).ok_or(TableError::TwoSeparators { path: path.into(), line })?;
        let mut columns: Vec<(Column, &'static str)> = Vec::new();
        for field in separator.fields(text) {
            let name = String::from_utf8_lossy(field);
            let Some((name, column)) = known().find(|(known, _)| *known == name) else {
                let names = known().map(|(name, _)| name).collect();
                return Err(unknown_column(path, line, columns.len() + 1, &name, names));
            };
            let is_size = |column: Column| matches!(column, Column::Number(RADIUS) | Column::Diameter);
            if let Some((_, first)) =
                columns.iter().find(|(other, _)| *other == column || is_size(*other) && is_size(column))
            {
                let path = path.into();
                return Err(if *first == name {
                    TableError::RepeatedColumn { path, line, name }
                } else {
                    TableError::SizeTwice { path, line, first, second: name }
                });
            }
            columns.push((column, name));
        }
        let has = |column: Column| columns.iter().any(|(other, _)| *other == column);
        let missing = |name, required| TableError::MissingColumn { path: path.into(), line, name, required };
        for (number, &name) in NUMBERS.iter().enumerate().take(LENGTHS) {
            let given = has(Column::Number(number)) || number == RADIUS && has(Column::Diameter);
            if !given {
                return Err(missing(name, "x, y, z and one of r, radius, d and diameter are"));
            }
        }
        let orientation = ORIENTATION..NUMBERS.len();
        if orientation.clone().any(|number| has(Column::Number(number)))
            && let Some(number) = orientation.clone().find(|&number| !has(Column::Number(number)))
        {
            return Err(missing(NUMBERS[number], "qx, qy, qz and qw together are"));
        }
        Ok(Self { columns, separator })
    }

    /// A particle with its id, if the table has ids. `unit` is the unit of lengths `[m]`.
    pub fn row(
        &self,
        path: &Path,
        line: u64,
        text: &[u8],
        unit: f64,
        names: &mut Names,
    ) -> Result<(Option<u64>, ParticleRow), TableError> {
        let found = self.separator.fields(text).count();
        if found != self.columns.len() {
            let separator = self.separator.name();
            return Err(TableError::FieldCount {
                path: path.into(),
                line,
                found,
                expected: self.columns.len(),
                separator,
            });
        }
        let mut numbers = [0.0; NUMBERS.len()];
        let (mut material, mut id) = (None, None);
        for (index, (&(column, name), field)) in self.columns.iter().zip(self.separator.fields(text)).enumerate() {
            let refuse = |reason: CellError| TableError::Cell {
                path: path.into(),
                line,
                column: index + 1,
                name,
                text: excerpt(&String::from_utf8_lossy(field), EXCERPT),
                reason,
            };
            match column {
                Column::Number(number) => {
                    let value = read_number(field).map_err(refuse)?;
                    numbers[number] = if number < LENGTHS { in_metres(value, unit).map_err(refuse)? } else { value };
                    if number == RADIUS && numbers[number] <= 0.0 {
                        return Err(refuse(CellError::RadiusNotPositive));
                    }
                }
                Column::Diameter => {
                    let value = read_number(field).map_err(refuse)?;
                    numbers[RADIUS] = 0.5 * in_metres(value, unit).map_err(refuse)?;
                    if numbers[RADIUS] <= 0.0 {
                        return Err(refuse(CellError::DiameterNotPositive));
                    }
                }
                Column::Material => material = names.intern(field).map_err(refuse)?,
                Column::Id => {
                    let read = std::str::from_utf8(field).ok().and_then(|text| text.parse().ok());
                    id = Some(read.ok_or_else(|| refuse(CellError::NoId))?);
                }
            }
        }
        let [x, y, z, radius, vx, vy, vz, wx, wy, wz, qx, qy, qz, qw] = numbers;
        let mut orientation = None;
        if let Some(first) = self.columns.iter().position(|&(column, _)| column == Column::Number(ORIENTATION)) {
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
        let row = ParticleRow {
            position: DVec3::new(x, y, z),
            radius,
            velocity: DVec3::new(vx, vy, vz),
            angular_velocity: DVec3::new(wx, wy, wz),
            orientation,
            material,
        };
        Ok((id, row))
    }
}

/// A length in metres. Of a unit that is a whole part of a metre the result is the double nearest to what is written.
fn in_metres(value: f64, unit: f64) -> Result<f64, CellError> {
    let parts = (1.0 / unit).round();
    let whole = parts >= 1.0 && 1.0 / parts == unit;
    let length = if whole { value / parts } else { value * unit };
    if length.abs() <= LARGEST { Ok(length) } else { Err(CellError::TooLarge) }
}
