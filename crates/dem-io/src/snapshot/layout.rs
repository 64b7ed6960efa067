//! Groups and datasets of a snapshot file, and their creation.

use std::collections::BTreeMap;

use rust_hdf5::{DatatypeMessage, H5File, H5Group};

use super::frame::{Element, Frame, Table};
use super::hdf5::{self, Failure, Storage, failed_on};
use super::schema::{ColumnSchema, Schema};

/// Version of the VTKHDF layout.
pub(super) const VTKHDF_VERSION: [i64; 2] = [2, 3];
/// Cell kinds of VTKHDF PolyData; only the first is used, one vertex for each particle.
pub(super) const CELL_KINDS: [&str; 4] = ["Vertices", "Lines", "Polygons", "Strips"];
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
pub(super) fn create_metadata(file: &H5File, metadata: &BTreeMap<String, String>) -> Result<(), Failure> {
    let group = file.create_group("metadata").map_err(failed_on("metadata"))?;
    for (name, text) in metadata {
        group.set_attr_string(name, text).map_err(failed_on(name))?;
    }
    Ok(())
}

/// Creates every group and dataset of the file, all empty.
pub(super) fn create_columns(file: &H5File, schema: &Schema, chunk_rows: &ChunkRows) -> Result<(), Failure> {
    create_vtk(file, schema, chunk_rows.points)?;
    for (table, &chunk_rows) in schema.tables.iter().zip(&chunk_rows.tables) {
        let group = create_group(file, &table.name)?;
        create_bulk(&group, &table.columns, chunk_rows)?;
        for (name, meaning) in [("frame_offsets", "first row of the frame"), ("frame_rows", "rows of the frame")] {
            per_frame(&group, name, Element::I64, 1, "1", meaning)?;
        }
        write_names(&group, table.columns.iter().map(|c| c.spec.name.as_ref()))?;
    }
    let tables: Vec<&str> = schema.tables.iter().map(|t| t.name.as_str()).collect();
    file.set_attr_string("tables", &tables.join(",")).map_err(failed_on("tables"))?;
    let frames = create_group(file, "frames")?;
    per_frame(&frames, "step", Element::U64, 1, "1", "count of time steps done")?;
    per_frame(&frames, "time", Element::F64, 1, "s", "simulated time")?;
    for spec in &schema.field_data {
        per_frame(&frames, &spec.name, Element::F64, 1, &spec.unit, &spec.meaning)?;
    }
    write_names(&frames, schema.field_data.iter().map(|spec| spec.name.as_ref()))
}

fn create_vtk(file: &H5File, schema: &Schema, chunk_rows: usize) -> Result<(), Failure> {
    let vtk = create_group(file, "VTKHDF")?;
    vtk.set_attr_array_numeric("Version", &VTKHDF_VERSION).map_err(failed_on("Version"))?;
    // VTK demands a fixed-length ASCII string here.
    let kind = DatatypeMessage::FixedString { size: 8, padding: 1, charset: 0 };
    vtk.set_attr_typed("Type", kind, b"PolyData".to_vec()).map_err(failed_on("Type"))?;
    let bulk = Storage::Bulk { chunk_rows };
    hdf5::create_dataset(&vtk, "Points", Element::F64, 3, bulk, "m", "centres of the particles")?;
    per_frame(&vtk, "NumberOfPoints", Element::I64, 1, "1", "particles of the frame")?;
    for kind in CELL_KINDS {
        let group = subgroup(&vtk, kind)?;
        per_frame(&group, "NumberOfCells", Element::I64, 1, "1", "cells of the frame")?;
        per_frame(&group, "NumberOfConnectivityIds", Element::I64, 1, "1", "connectivity entries of the frame")?;
        for (name, meaning) in
            [("Offsets", "0, 1, 2, ... shared by all frames"), ("Connectivity", "0, 1, 2, ... shared by all frames")]
        {
            hdf5::create_dataset(&group, name, Element::I64, 1, bulk, "1", meaning)?;
        }
    }
    let point_data = subgroup(&vtk, "PointData")?;
    create_bulk(&point_data, &schema.point_data, chunk_rows)?;
    write_names(&point_data, schema.point_data.iter().map(|c| c.spec.name.as_ref()))?;
    let steps = subgroup(&vtk, "Steps")?;
    per_frame(&steps, "Values", Element::F64, 1, "s", "simulated time")?;
    for (name, meaning) in STEP_COUNTS {
        per_frame(&steps, name, Element::I64, 1, "1", meaning)?;
    }
    for (name, meaning) in STEP_CELL_COUNTS {
        per_frame(&steps, name, Element::I64, CELL_KINDS.len(), "1", meaning)?;
    }
    let offsets = subgroup(&steps, "PointDataOffsets")?;
    for column in &schema.point_data {
        let meaning = "first row of the frame in PointData";
        per_frame(&offsets, &column.spec.name, Element::I64, 1, "1", meaning)?;
    }
    steps.set_attr_numeric("NSteps", &0i64).map_err(failed_on("NSteps"))
}

fn create_group(file: &H5File, name: &str) -> Result<H5Group, Failure> {
    file.create_group(name).map_err(failed_on(name))
}

fn subgroup(group: &H5Group, name: &str) -> Result<H5Group, Failure> {
    group.create_group(name).map_err(failed_on(name))
}

fn create_bulk(group: &H5Group, columns: &[ColumnSchema], chunk_rows: usize) -> Result<(), Failure> {
    let storage = Storage::Bulk { chunk_rows };
    for ColumnSchema { spec, element } in columns {
        hdf5::create_dataset(group, &spec.name, *element, spec.width, storage, &spec.unit, &spec.meaning)?;
    }
    Ok(())
}

fn per_frame(
    group: &H5Group,
    name: &str,
    element: Element,
    width: usize,
    unit: &str,
    meaning: &str,
) -> Result<(), Failure> {
    hdf5::create_dataset(group, name, element, width, Storage::PerFrame, unit, meaning)
}

/// Records the order of the columns, which HDF5 itself does not keep.
fn write_names<'a>(group: &H5Group, names: impl Iterator<Item = &'a str>) -> Result<(), Failure> {
    let names: Vec<&str> = names.collect();
    group.set_attr_string("columns", &names.join(",")).map_err(failed_on("columns"))
}
