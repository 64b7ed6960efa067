//! Groups and datasets of a snapshot file, and their creation.

use std::collections::BTreeMap;

use super::frame::{Cells, ColumnData, Element, Frame, Table};
use super::hdf5::{Access, NewDataset, Storage, VtkType, WritableFile};
use super::schema::{ColumnSchema, Schema};

/// Version of the VTKHDF layout.
pub(super) const VTKHDF_VERSION: [i64; 2] = [2, 3];
/// Cell kinds of VTKHDF PolyData; a file uses one of the first three.
pub(super) const CELL_KINDS: [&str; 4] = ["Vertices", "Lines", "Polygons", "Strips"];
/// Attribute of `VTKHDF` that names the cell kind of a file if it is not the first.
pub(super) const CELLS: &str = "cells";
/// Group of the columns of cells.
pub(super) const CELL_DATA: &str = "VTKHDF/CellData";
/// Group of where they begin in each frame.
pub(super) const CELL_DATA_OFFSETS: &str = "VTKHDF/Steps/CellDataOffsets";
/// Names of the per-frame datasets of `VTKHDF/Steps` with one number a frame.
pub(super) const STEP_COUNTS: [(&str, &str); 3] = [
    ("PartOffsets", "first part of the frame"),
    ("NumberOfParts", "parts of the frame"),
    ("PointOffsets", "first row of the frame in Points"),
];
/// Names of the per-frame datasets of `VTKHDF/Steps` with one number a cell kind.
pub(super) const STEP_CELL_COUNTS: [(&str, &str); 2] =
    [("CellOffsets", "first cell of the frame"), ("ConnectivityIdOffsets", "first connectivity entry of the frame")];
/// Smallest and largest count of rows in a chunk.
const CHUNK_ROWS: (usize, usize) = (64, 16_384);

/// Rows in a chunk, the same for all columns of a group so that one offset serves them all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ChunkRows {
    pub(super) points: usize,
    /// In the order of the tables of the schema.
    pub(super) tables: Vec<usize>,
}

impl ChunkRows {
    /// Sizes with which a frame like this one spans few chunks and leaves little of the last one
    /// empty.
    pub(super) fn suiting(frame: &Frame) -> Self {
        let clamp = |rows: usize| rows.clamp(CHUNK_ROWS.0, CHUNK_ROWS.1).next_power_of_two();
        let particles = frame.positions.len();
        // A table that is empty now says nothing about its size; contacts grow with particles.
        let rows = |table: &Table| {
            if table.rows == 0 { particles } else { table.rows }
        };
        Self { points: clamp(particles), tables: frame.tables.iter().map(|table| clamp(rows(table))).collect() }
    }
}

/// Writes the metadata group.
pub(super) fn create_metadata(file: &dyn WritableFile, metadata: &BTreeMap<String, String>) -> Access<()> {
    file.create_group("metadata")?;
    metadata.iter().try_for_each(|(name, text)| file.set_text("metadata", name, text))
}

/// Creates every group and dataset of the file, all empty.
pub(super) fn create_columns(file: &dyn WritableFile, schema: &Schema, chunk_rows: &ChunkRows) -> Access<()> {
    create_vtk(file, schema, chunk_rows.points)?;
    create_cell_data(file, schema, chunk_rows.points)?;
    for (table, &chunk_rows) in schema.tables.iter().zip(&chunk_rows.tables) {
        let group = &table.name;
        file.create_group(group)?;
        create_bulk(file, group, &table.columns, chunk_rows)?;
        for (name, meaning) in [("frame_offsets", "first row of the frame"), ("frame_rows", "rows of the frame")] {
            per_frame(file, group, name, Element::I64, 1, "1", meaning)?;
        }
        write_names(file, group, table.columns.iter().map(|c| c.spec.name.as_ref()))?;
    }
    let tables: Vec<&str> = schema.tables.iter().map(|t| t.name.as_str()).collect();
    file.set_text("/", "tables", &tables.join(","))?;
    file.create_group("frames")?;
    per_frame(file, "frames", "step", Element::U64, 1, "1", "count of time steps done")?;
    per_frame(file, "frames", "time", Element::F64, 1, "s", "simulated time")?;
    for spec in &schema.field_data {
        per_frame(file, "frames", &spec.name, Element::F64, 1, &spec.unit, &spec.meaning)?;
    }
    write_names(file, "frames", schema.field_data.iter().map(|spec| spec.name.as_ref()))
}

fn create_vtk(file: &dyn WritableFile, schema: &Schema, chunk_rows: usize) -> Access<()> {
    let vtk = "VTKHDF";
    file.create_group(vtk)?;
    file.set_numbers(vtk, "Version", &ColumnData::I64(VTKHDF_VERSION.to_vec()))?;
    file.set_vtk_type(vtk, VtkType::PolyData)?;
    if schema.cells != Cells::Vertices {
        file.set_text(vtk, CELLS, schema.cells.group())?;
    }
    let bulk = Storage::Bulk { chunk_rows };
    let meaning = match schema.cells {
        Cells::Vertices => "centres of the particles",
        Cells::Lines => "ends of the lines",
        Cells::Triangles => "corners of the triangles",
    };
    let points = NewDataset::of_rows(Element::F64, 3, bulk, "m", meaning);
    file.create_dataset("VTKHDF/Points", &points)?;
    per_frame(file, vtk, "NumberOfPoints", Element::I64, 1, "1", "points of the frame")?;
    for kind in CELL_KINDS {
        let group = format!("{vtk}/{kind}");
        file.create_group(&group)?;
        per_frame(file, &group, "NumberOfCells", Element::I64, 1, "1", "cells of the frame")?;
        let meaning = "connectivity entries of the frame";
        per_frame(file, &group, "NumberOfConnectivityIds", Element::I64, 1, "1", meaning)?;
        let meanings = [
            ("Offsets", "first entry in Connectivity of each cell of each frame, and the end of the last"),
            ("Connectivity", "0, 1, 2, ... shared by all frames"),
        ];
        for (name, meaning) in meanings {
            let shared = NewDataset::of_rows(Element::I64, 1, bulk, "1", meaning);
            file.create_dataset(&format!("{group}/{name}"), &shared)?;
        }
    }
    let point_data = "VTKHDF/PointData";
    file.create_group(point_data)?;
    create_bulk(file, point_data, &schema.point_data, chunk_rows)?;
    write_names(file, point_data, schema.point_data.iter().map(|c| c.spec.name.as_ref()))?;
    let steps = "VTKHDF/Steps";
    file.create_group(steps)?;
    per_frame(file, steps, "Values", Element::F64, 1, "s", "simulated time")?;
    for (name, meaning) in STEP_COUNTS {
        per_frame(file, steps, name, Element::I64, 1, "1", meaning)?;
    }
    for (name, meaning) in STEP_CELL_COUNTS {
        per_frame(file, steps, name, Element::I64, CELL_KINDS.len(), "1", meaning)?;
    }
    let offsets = "VTKHDF/Steps/PointDataOffsets";
    file.create_group(offsets)?;
    for column in &schema.point_data {
        let meaning = "first row of the frame in PointData";
        per_frame(file, offsets, &column.spec.name, Element::I64, 1, "1", meaning)?;
    }
    file.set_integer(steps, "NSteps", 0)
}

/// Creates the columns of cells, if there are any.
fn create_cell_data(file: &dyn WritableFile, schema: &Schema, chunk_rows: usize) -> Access<()> {
    if schema.cell_data.is_empty() {
        return Ok(());
    }
    file.create_group(CELL_DATA)?;
    create_bulk(file, CELL_DATA, &schema.cell_data, chunk_rows)?;
    write_names(file, CELL_DATA, schema.cell_data.iter().map(|c| c.spec.name.as_ref()))?;
    file.create_group(CELL_DATA_OFFSETS)?;
    for column in &schema.cell_data {
        let meaning = "first row of the frame in CellData";
        per_frame(file, CELL_DATA_OFFSETS, &column.spec.name, Element::I64, 1, "1", meaning)?;
    }
    Ok(())
}

fn create_bulk(file: &dyn WritableFile, group: &str, columns: &[ColumnSchema], chunk_rows: usize) -> Access<()> {
    let storage = Storage::Bulk { chunk_rows };
    for ColumnSchema { spec, element } in columns {
        let column = NewDataset::of_rows(*element, spec.width, storage, &spec.unit, &spec.meaning);
        file.create_dataset(&format!("{group}/{}", spec.name), &column)?;
    }
    Ok(())
}

fn per_frame(
    file: &dyn WritableFile,
    group: &str,
    name: &str,
    element: Element,
    width: usize,
    unit: &str,
    meaning: &str,
) -> Access<()> {
    let rows = NewDataset::of_rows(element, width, Storage::PerFrame, unit, meaning);
    file.create_dataset(&format!("{group}/{name}"), &rows)
}

/// Records the order of the columns, which HDF5 itself does not keep.
fn write_names<'a>(file: &dyn WritableFile, group: &str, names: impl Iterator<Item = &'a str>) -> Access<()> {
    let names: Vec<&str> = names.collect();
    file.set_text(group, "columns", &names.join(","))
}
