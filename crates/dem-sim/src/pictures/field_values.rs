//! Columns of a frame as one number a row.

use dem_io::snapshot::{Column, ColumnData};

/// A column as numbers; the magnitude of a vector.
pub(super) fn magnitudes(column: &Column) -> Vec<f64> {
    let values: Vec<f64> = match &column.data {
        ColumnData::F64(v) => v.clone(),
        ColumnData::U64(v) => v.iter().map(|&x| x as f64).collect(),
        ColumnData::I64(v) => v.iter().map(|&x| x as f64).collect(),
        ColumnData::U32(v) => v.iter().map(|&x| f64::from(x)).collect(),
        ColumnData::U8(v) => v.iter().map(|&x| f64::from(x)).collect(),
    };
    if column.spec.width <= 1 {
        return values;
    }
    values.chunks_exact(column.spec.width).map(|v| v.iter().map(|x| x * x).sum::<f64>().sqrt()).collect()
}

/// Unit of a column, nothing for a pure number.
pub(super) fn unit_of(column: &Column) -> String {
    if column.spec.unit == "1" { String::new() } else { column.spec.unit.to_string() }
}
