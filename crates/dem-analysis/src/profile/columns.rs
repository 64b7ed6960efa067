//! Columns of a frame by their names and types.

use dem_core::DVec3;
use dem_io::snapshot::{Column, ColumnData};

use crate::error::AnalysisError;

/// A column by its name, with the numbers of so many rows.
pub(super) fn column<'a>(columns: &'a [Column], name: &str, rows: usize) -> Result<&'a Column, AnalysisError> {
    let found = columns.iter().find(|column| column.spec.name == name);
    let found = found.ok_or_else(|| AnalysisError::Snapshots(format!("there is no column {name}")))?;
    if Some(found.data.len()) == rows.checked_mul(found.spec.width) { Ok(found) } else { Err(other_type(name)) }
}

/// That a column is not what this engine writes.
pub(super) fn other_type(name: &str) -> AnalysisError {
    AnalysisError::Snapshots(format!("column {name} has another type or length than this engine writes"))
}

/// A column of numbers.
pub(super) fn numbers<'a>(columns: &'a [Column], name: &str, rows: usize) -> Result<&'a [f64], AnalysisError> {
    match &column(columns, name, rows)?.data {
        ColumnData::F64(values) if values.len() == rows => Ok(values),
        _ => Err(other_type(name)),
    }
}

/// A column of ids.
pub(super) fn unsigned<'a>(columns: &'a [Column], name: &str, rows: usize) -> Result<&'a [u64], AnalysisError> {
    match &column(columns, name, rows)?.data {
        ColumnData::U64(values) if values.len() == rows => Ok(values),
        _ => Err(other_type(name)),
    }
}

/// A column of vectors.
pub(super) fn vectors(columns: &[Column], name: &str, rows: usize) -> Result<Vec<DVec3>, AnalysisError> {
    match &column(columns, name, rows)?.data {
        ColumnData::F64(values) if values.len() == 3 * rows => {
            Ok(values.chunks_exact(3).map(DVec3::from_slice).collect())
        }
        _ => Err(other_type(name)),
    }
}

/// A column of small ids.
pub(super) fn small_unsigned<'a>(columns: &'a [Column], name: &str, rows: usize) -> Result<&'a [u32], AnalysisError> {
    match &column(columns, name, rows)?.data {
        ColumnData::U32(values) if values.len() == rows => Ok(values),
        _ => Err(other_type(name)),
    }
}
