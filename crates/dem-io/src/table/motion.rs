//! Tables of the motion of a wall: CSV, plain or gzip, one time a row.
//!
//! ```csv
//! # a plate that comes down
//! time,z,angle
//! 0,0,0
//! 0.1,-2e-3,0.1
//! ```
//!
//! The column `time` `[s]` is required, and one of `x`, `y`, `z` `[m]` and `angle` `[rad]`; their order is free. Numbers are SI; commas, semicolons, tabs or
//! blanks separate. Lines that begin
//! with `#` and empty lines are skipped.

use std::path::Path;

use glam::DVec3;

use super::cells::{EXCERPT, read_number, unknown_column};
use super::error::TableError;
use super::source::Lines;
use crate::separator::Separator;
use crate::suggestion::excerpt;

/// Columns in the order of a row's values.
const NAMES: [&str; 5] = ["time", "x", "y", "z", "angle"];
/// Most bytes after decompression.
const MOST_BYTES: u64 = 256 << 20;
/// Most rows.
const MOST_ROWS: usize = 1_000_000;

/// One time of a table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MotionRow {
    /// Time `[s]`.
    pub time: f64,
    /// Position `[m]`, zero where the table has no such column.
    pub position: DVec3,
    /// Angle `[rad]`, zero where the table has no such column.
    pub angle: f64,
}

/// A table of the motion of a wall.
#[derive(Debug, Clone, PartialEq)]
pub struct MotionTable {
    /// Whether it has a column `angle`.
    pub turns: bool,
    /// Rows, as they stand in the file.
    pub rows: Vec<MotionRow>,
}

/// Reads a table of the motion of a wall; gzip is recognised by its first bytes, not by the name.
///
/// # Errors
/// When the file cannot be read or has more than 256 MiB or a million rows, the header lacks `time` or has nothing beside it or a column that is not
/// known, or a row has another number of fields than the header or a number that is not finite or beyond
/// [`LARGEST`](crate::units::LARGEST). Errors name the file, line and column.
pub fn read_motion_table(path: impl AsRef<Path>) -> Result<MotionTable, TableError> {
    let path = path.as_ref();
    let mut lines = Lines::open(path, MOST_BYTES)?;
    let Some((line, text)) = lines.next()? else {
        return Err(TableError::Empty { path: path.into(), example: "time,x,y,z" });
    };
    let separator = Separator::of_header(text).ok_or(TableError::TwoSeparators { path: path.into(), line })?;
    let columns = header(path, line, separator.fields(text))?;
    let mut table = MotionTable { turns: columns.iter().any(|&column| NAMES[column] == "angle"), rows: Vec::new() };
    while let Some((line, text)) = lines.next()? {
        if table.rows.len() == MOST_ROWS {
            return Err(TableError::TooManyRows { path: path.into(), limit: MOST_ROWS });
        }
        let found = separator.fields(text).count();
        if found != columns.len() {
            let separator = separator.name();
            return Err(TableError::FieldCount { path: path.into(), line, found, expected: columns.len(), separator });
        }
        let mut values = [0.0; NAMES.len()];
        for (index, (&column, field)) in columns.iter().zip(separator.fields(text)).enumerate() {
            values[column] = read_number(field).map_err(|reason| TableError::Cell {
                path: path.into(),
                line,
                column: index + 1,
                name: NAMES[column],
                text: excerpt(&String::from_utf8_lossy(field), EXCERPT),
                reason,
            })?;
        }
        let [time, x, y, z, angle] = values;
        table.rows.push(MotionRow { time, position: DVec3::new(x, y, z), angle });
    }
    Ok(table)
}

/// Which of [`NAMES`] the columns are.
fn header<'a>(path: &Path, line: u64, fields: impl Iterator<Item = &'a [u8]>) -> Result<Vec<usize>, TableError> {
    let mut columns = Vec::new();
    for field in fields {
        let name = String::from_utf8_lossy(field);
        let Some(column) = NAMES.iter().position(|&known| known == name) else {
            return Err(unknown_column(path, line, columns.len() + 1, &name, NAMES.to_vec()));
        };
        if columns.contains(&column) {
            return Err(TableError::RepeatedColumn { path: path.into(), line, name: NAMES[column] });
        }
        columns.push(column);
    }
    let missing = |name| TableError::MissingColumn {
        path: path.into(),
        line,
        name,
        required: "time and one of x, y, z and angle are",
    };
    match (columns.contains(&0), columns.len()) {
        (false, _) => Err(missing("time")),
        (true, 1) => Err(missing("x")),
        _ => Ok(columns),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<MotionTable, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.csv");
        std::fs::write(&path, text).unwrap();
        read_motion_table(&path).map_err(|error| error.to_string().replace(&path.display().to_string(), "m.csv"))
    }

    #[test]
    fn columns_are_known_by_their_names() {
        let table = read("# down\nangle,time,z\n0.5,0,1\n0.6,1e-3,-2\n").unwrap();
        assert!(table.turns);
        assert_eq!(table.rows[1], MotionRow { time: 1e-3, position: DVec3::new(0.0, 0.0, -2.0), angle: 0.6 });
        assert!(!read("time,x\n0,0\n").unwrap().turns);
    }

    #[test]
    fn what_is_no_motion_is_refused_with_its_place() {
        for (text, expected) in [
            ("", "m.csv: no header line, expected a line such as `time,x,y,z`"),
            ("x,y\n", "m.csv:1: the column `time` is missing, time and one of x, y, z and angle are required"),
            ("time\n", "m.csv:1: the column `x` is missing"),
            ("time,q\n", "m.csv:1: column 2 has the unknown name `q`; known are time, x, y, z, angle"),
            ("time,angel\n", "did you mean `angle`?"),
            ("time,x,time\n", "m.csv:1: the column `time` appears twice"),
            ("time,x\n0,0\n1\n", "m.csv:3: 1 fields separated by commas, expected 2"),
            ("time,x\n0,up\n", "m.csv:2: column 2 (x) is \"up\", expected a finite number"),
            ("time,x\n0,1e200\n", "expected a number of at most 1e100"),
        ] {
            let message = read(text).unwrap_err();
            assert!(message.contains(expected), "{text:?}: {message}");
        }
    }
}
