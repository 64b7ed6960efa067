//! Values of spheres by the rigid bodies that they belong to: all spheres of a body have one colour.

use dem_core::particles::NO_BODY;
use dem_io::snapshot::{Column, ColumnData, Frame};

use super::field_values::{magnitudes, unit_of};
use crate::frames::body_rows::{BODY, TABLE};

/// Values and unit of a field of bodies by the spheres of a frame: `body`, its id, or a column of the table of bodies as in `bodies/mass`. A sphere
/// that belongs to no body has what its own column of this name says, nothing if there is none. None if the frame has no such field.
pub(super) fn field(frame: &Frame, name: &str) -> Option<(Vec<f64>, String)> {
    let ColumnData::U32(body) = &of(&frame.point_data, BODY)?.data else { return None };
    if name == BODY {
        let ids = magnitudes(of(&frame.point_data, "id")?);
        let one = |(&body, id): (&u32, f64)| if body == NO_BODY { id } else { f64::from(body) };
        return Some((body.iter().zip(ids).map(one).collect(), String::new()));
    }
    let column_name = name.strip_prefix(TABLE)?.strip_prefix('/')?;
    let table = frame.tables.iter().find(|table| table.name == TABLE)?;
    let column = of(&table.columns, column_name)?;
    let ColumnData::U32(ids) = &of(&table.columns, "id")?.data else { return None };
    let (of_bodies, unit) = (magnitudes(column), unit_of(column));
    let alike = of(&frame.point_data, column_name).filter(|own| own.spec.unit == column.spec.unit);
    let own = alike.map_or_else(|| vec![0.0; body.len()], magnitudes);
    // rows are in order of ids
    let value = |(body, own): (&u32, f64)| ids.binary_search(body).map_or(own, |row| of_bodies[row]);
    Some((body.iter().zip(own).map(value).collect(), unit))
}

fn of<'a>(columns: &'a [Column], name: &str) -> Option<&'a Column> {
    columns.iter().find(|column| column.spec.name == name)
}
