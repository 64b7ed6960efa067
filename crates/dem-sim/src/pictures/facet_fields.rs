//! What an interactive picture shows of the facets of meshes whose loads and wear are recorded.

use dem_io::snapshot::{ColumnData, Frame, Table};
use dem_view::interactive::{Block, Column, FacetSpec, FieldSpec, of_facets};

use super::field_values::unit_of;
use crate::frames::facet_rows::TABLE;

fn table(frame: &Frame) -> Option<&Table> {
    frame.tables.iter().find(|table| table.name == TABLE && table.rows > 0)
}

/// Numbers of the facets by the name of their column; those of walls and facets are no values.
fn values(table: &Table) -> impl Iterator<Item = (&dem_io::snapshot::Column, Vec<f64>)> {
    table.columns.iter().filter(|column| column.spec.width == 1 && column.spec.name != "area").filter_map(|column| {
        let values = match &column.data {
            ColumnData::F64(values) => values.clone(),
            ColumnData::U64(values) => values.iter().map(|&value| value as f64).collect(),
            _ => return None,
        };
        Some((column, values))
    })
}

/// The walls whose facets have values, and what these are.
pub fn interactive_facets(frame: &Frame) -> FacetSpec {
    let Some(table) = table(frame) else { return FacetSpec::default() };
    let mut walls: Vec<u32> = match table.columns.iter().find(|column| column.spec.name == "wall") {
        Some(column) => match &column.data {
            ColumnData::U32(walls) => walls.clone(),
            _ => Vec::new(),
        },
        None => Vec::new(),
    };
    walls.dedup();
    let field = |(column, _): (&dem_io::snapshot::Column, Vec<f64>)| FieldSpec {
        name: column.spec.name.to_string(),
        unit: unit_of(column),
        categorical: false,
        categories: Vec::new(),
    };
    FacetSpec { walls, fields: values(table).map(field).collect() }
}

/// Columns of the facets of a frame, wall by wall in the order of the meshes, with their least and largest values.
pub(super) fn facet_columns(frame: &Frame) -> Vec<(Column, [f64; 2])> {
    let Some(table) = table(frame) else { return Vec::new() };
    let column = |(column, values): (&dem_io::snapshot::Column, Vec<f64>)| {
        let finite = values.iter().copied().filter(|value| value.is_finite());
        let range = finite.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)]);
        (Column { name: of_facets(&column.spec.name), block: Block::rounded(values) }, range)
    };
    values(table).map(column).filter(|(_, [low, high])| low <= high).collect()
}
