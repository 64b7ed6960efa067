//! Which columns a snapshot file holds: taken from its first frame, demanded of every later one.

use super::frame::{Cells, Column, ColumnData, ColumnSpec, Element, Frame};
use super::hdf5::MAX_TEXT;
use crate::error::{Error, Result};

/// Longest name of a column or table.
const MAX_NAME: usize = 64;
/// Most numbers in a row of a column.
pub(super) const MAX_WIDTH: usize = 64;
/// Most columns of all groups together, and most tables; far above use, it bounds the work on a hostile file.
pub(super) const MAX_COLUMNS: usize = 1024;
/// Groups of the file that no table may take the name of.
const RESERVED_TABLES: [&str; 3] = ["VTKHDF", "frames", "metadata"];
/// Datasets of every table group that no column may take the name of.
pub(super) const RESERVED_TABLE_COLUMNS: [&str; 2] = ["frame_offsets", "frame_rows"];
/// Datasets of the frames group that no field may take the name of.
pub(super) const RESERVED_FIELDS: [&str; 2] = ["step", "time"];

/// A column without its numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ColumnSchema {
    pub(super) spec: ColumnSpec,
    pub(super) element: Element,
}

/// A table without its numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TableSchema {
    pub(super) name: String,
    pub(super) columns: Vec<ColumnSchema>,
}

/// All columns of a file, in the order of the first frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Schema {
    pub(super) cells: Cells,
    pub(super) point_data: Vec<ColumnSchema>,
    pub(super) cell_data: Vec<ColumnSchema>,
    pub(super) tables: Vec<TableSchema>,
    pub(super) field_data: Vec<ColumnSpec>,
}

impl Schema {
    /// Checks a frame against itself and describes its columns.
    pub(super) fn of(frame: &Frame) -> Result<Self> {
        let refuse = |reason: String| Error::Frame { step: frame.step, reason };
        let schema = Self {
            cells: frame.cells,
            point_data: describe(&frame.point_data),
            cell_data: describe(&frame.cell_data),
            tables: frame
                .tables
                .iter()
                .map(|table| TableSchema { name: table.name.clone(), columns: describe(&table.columns) })
                .collect(),
            field_data: frame.field_data.iter().map(|(spec, _)| spec.clone()).collect(),
        };
        schema.check().map_err(refuse)?;
        if !frame.positions.len().is_multiple_of(frame.cells.corners()) {
            let (points, corners) = (frame.positions.len(), frame.cells.corners());
            return Err(refuse(format!("{points} points are not {corners} for each of {:?}", frame.cells)));
        }
        check_lengths("particles", frame.positions.len(), &frame.point_data).map_err(refuse)?;
        check_lengths("cells", frame.cell_count(), &frame.cell_data).map_err(refuse)?;
        for table in &frame.tables {
            check_lengths(&table.name, table.rows, &table.columns).map_err(refuse)?;
        }
        Ok(schema)
    }

    /// Checks names, widths and uniqueness; the error is a reason without context.
    pub(super) fn check(&self) -> std::result::Result<(), String> {
        let tables = self.tables.iter().map(|table| table.columns.len());
        let columns = self.point_data.len() + self.cell_data.len() + self.field_data.len() + tables.sum::<usize>();
        if columns > MAX_COLUMNS || self.tables.len() > MAX_COLUMNS {
            return Err(format!(
                "{columns} columns in {} tables, at most {MAX_COLUMNS} of each are allowed",
                self.tables.len()
            ));
        }
        check_columns("particles", &self.point_data, &[])?;
        check_columns("cells", &self.cell_data, &[])?;
        for (index, table) in self.tables.iter().enumerate() {
            check_name("table", &table.name)?;
            let taken = self.tables[..index].iter().any(|t| t.name == table.name);
            if taken || RESERVED_TABLES.contains(&table.name.as_str()) {
                return Err(format!("table name `{}` is taken", table.name));
            }
            check_columns(&table.name, &table.columns, &RESERVED_TABLE_COLUMNS)?;
        }
        let fields: Vec<ColumnSchema> =
            self.field_data.iter().map(|spec| ColumnSchema { spec: spec.clone(), element: Element::F64 }).collect();
        check_columns("frames", &fields, &RESERVED_FIELDS)?;
        match self.field_data.iter().find(|spec| spec.width != 1) {
            Some(spec) => Err(format!("field `{}` has width {}, only 1 is allowed", spec.name, spec.width)),
            None => Ok(()),
        }
    }

    /// Says in what way `other` differs from this schema, the one of the file.
    pub(super) fn difference(&self, other: &Self) -> String {
        let file = self.names();
        let frame = other.names();
        let missing: Vec<_> = file.iter().filter(|name| !frame.contains(name)).collect();
        let added: Vec<_> = frame.iter().filter(|name| !file.contains(name)).collect();
        if self.cells != other.cells {
            format!("it draws {:?} and the file {:?}", other.cells, self.cells)
        } else if missing.is_empty() && added.is_empty() {
            "columns differ from those of the first frame in order, type, width, unit or meaning".to_owned()
        } else {
            format!("columns differ from those of the first frame: missing {missing:?}, added {added:?}")
        }
    }

    fn names(&self) -> Vec<String> {
        let points = self.point_data.iter().map(|c| c.spec.name.to_string());
        let tables = self
            .tables
            .iter()
            .flat_map(|table| table.columns.iter().map(|c| format!("{}/{}", table.name, c.spec.name)));
        let fields = self.field_data.iter().map(|spec| format!("frames/{}", spec.name));
        let cells = self.cell_data.iter().map(|c| format!("cells/{}", c.spec.name));
        points.chain(cells).chain(tables).chain(fields).collect()
    }
}

/// Checks that a name can be a dataset name everywhere.
fn check_name(what: &str, name: &str) -> std::result::Result<(), String> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.is_empty() || name.len() > MAX_NAME || !name.chars().all(allowed) {
        return Err(format!("{what} name {name:?} is not 1 to {MAX_NAME} letters, digits and underscores"));
    }
    Ok(())
}

fn check_columns(owner: &str, columns: &[ColumnSchema], reserved: &[&str]) -> std::result::Result<(), String> {
    for (index, column) in columns.iter().enumerate() {
        let name = column.spec.name.as_ref();
        check_name("column", name)?;
        if reserved.contains(&name) || columns[..index].iter().any(|c| c.spec.name == name) {
            return Err(format!("column name `{name}` of {owner} is taken"));
        }
        if column.spec.width == 0 || column.spec.width > MAX_WIDTH {
            return Err(format!(
                "column `{name}` of {owner} has width {}, 1 to {MAX_WIDTH} are allowed",
                column.spec.width
            ));
        }
        if column.spec.unit.len() > MAX_TEXT || column.spec.meaning.len() > MAX_TEXT {
            return Err(format!("unit or meaning of column `{name}` of {owner} is longer than {MAX_TEXT} bytes"));
        }
    }
    Ok(())
}

fn check_lengths(owner: &str, rows: usize, columns: &[Column]) -> std::result::Result<(), String> {
    for column in columns {
        if rows.checked_mul(column.spec.width) != Some(column.data.len()) {
            return Err(format!(
                "column `{}` of {owner} has {} numbers, {rows} rows of width {} are needed",
                column.spec.name,
                column.data.len(),
                column.spec.width
            ));
        }
    }
    Ok(())
}

fn describe(columns: &[Column]) -> Vec<ColumnSchema> {
    columns
        .iter()
        .map(|column| ColumnSchema { spec: column.spec.clone(), element: ColumnData::element(&column.data) })
        .collect()
}
