//! How one frame is laid into a snapshot file.
//!
//! It takes two sessions of the library, because VTK 9.7 writes past the end of its memory when
//! it finds more times than announced frames, while the library writes the rows of datasets before
//! the attribute that announces the frame. The first session writes the columns and announces
//! the frame ([`write_columns`]), the second publishes it ([`publish`]). In between, VTK sees a
//! last frame without content and this engine does not see it at all.

use super::frame::{Cells, Column, ColumnData, Frame};
use super::hdf5::{Access, WritableFile};
use super::layout::{CELL_DATA, CELL_DATA_OFFSETS, CELL_KINDS, ChunkRows, STEP_CELL_COUNTS, STEP_COUNTS};
use super::schema::Schema;

/// Times of the frames as VTK sees them.
const PUBLISHED_TIMES: &str = "VTKHDF/Steps/Values";

/// Writes everything of some frames but what [`publish`] writes, from number `first` on, counted from 0.
/// Returns where they are.
///
/// Also right when an earlier attempt at the same frames was cut short: rows it may have left
/// behind are never referred to, and its per-frame rows are overwritten.
pub(super) fn write_columns(
    file: &dyn WritableFile,
    chunk_rows: &ChunkRows,
    first: usize,
    frames: &[&Frame],
) -> Access<Vec<Place>> {
    let mut rows = FrameRows::default();
    let mut places = Vec::with_capacity(frames.len());
    for (frame, index) in frames.iter().zip(first..) {
        places.push(write_frame(file, chunk_rows, index, frame, &mut rows)?);
    }
    rows.write(file, first)?;
    announce_frames(file, first + frames.len())?;
    Ok(places)
}

/// Rows of per-frame datasets, in the order in which they first came.
#[derive(Default)]
struct FrameRows(Vec<(String, usize, ColumnData)>);

impl FrameRows {
    /// Adds the row of the next frame.
    fn add(&mut self, name: &str, row: ColumnData) {
        match self.0.iter_mut().find(|(known, ..)| known == name) {
            Some((.., rows)) => rows.append(row),
            None => self.0.push((name.to_owned(), row.len(), row)),
        }
    }

    /// Writes them from the row of a frame on.
    fn write(&self, file: &dyn WritableFile, first: usize) -> Access<()> {
        self.0.iter().try_for_each(|(name, width, rows)| file.write_frame_rows(name, first, *width, rows))
    }
}

/// Writes the columns of one frame, and notes its rows.
fn write_frame(
    file: &dyn WritableFile,
    chunk_rows: &ChunkRows,
    index: usize,
    frame: &Frame,
    per_frame: &mut FrameRows,
) -> Access<Place> {
    let mut names = vec!["VTKHDF/Points".to_owned()];
    names.extend(paths("VTKHDF/PointData", &frame.point_data));
    let offset = next_chunk(file, chunk_rows.points, &names)?;
    let points = ColumnData::F64(frame.positions.iter().flat_map(|p| p.to_array()).collect());
    file.write_chunks(&names[0], chunk_rows.points, offset, 3, &points)?;
    write_group(file, &names[1..], chunk_rows.points, offset, &frame.point_data)?;
    let names = paths(CELL_DATA, &frame.cell_data);
    let first_cell = next_chunk(file, chunk_rows.points, &names)?;
    write_group(file, &names, chunk_rows.points, first_cell, &frame.cell_data)?;

    for (table, &chunk_rows) in frame.tables.iter().zip(&chunk_rows.tables) {
        let name = &table.name;
        let names = paths(name, &table.columns);
        let first = next_chunk(file, chunk_rows, &names)?;
        write_group(file, &names, chunk_rows, first, &table.columns)?;
        per_frame.add(&format!("{name}/frame_offsets"), integers([first])?);
        per_frame.add(&format!("{name}/frame_rows"), integers([table.rows])?);
    }

    per_frame.add("frames/step", ColumnData::U64(vec![frame.step]));
    per_frame.add("frames/time", ColumnData::F64(vec![frame.time]));
    for (spec, value) in &frame.field_data {
        per_frame.add(&format!("frames/{}", spec.name), ColumnData::F64(vec![*value]));
    }
    let offsets = write_cells(file, chunk_rows.points, index, frame.cells, frame.positions.len())?;
    let (cells, points) = (frame.cells, frame.positions.len());
    Ok(Place { index, cells, points, first_point: offset, first_cell, first_offset: offsets })
}

/// More bytes than some frames add to a file.
pub(super) fn room_for(frames: &[&Frame]) -> u64 {
    frames.iter().fold(0, |sum, frame| sum.saturating_add(room_for_one(frame)))
}

fn room_for_one(frame: &Frame) -> u64 {
    /// For each dataset: a chunk of rows that are not filled, and blocks of the index of chunks.
    const STRUCTURE: u64 = 128 << 10;
    /// Datasets that any file has.
    const COMMON: usize = 40;
    let drawn = || frame.point_data.iter().chain(&frame.cell_data);
    let columns = || drawn().chain(frame.tables.iter().flat_map(|table| &table.columns));
    let numbers: usize = columns().map(|column| column.data.len()).sum();
    let datasets = COMMON + 2 * columns().count() + 2 * frame.tables.len() + frame.field_data.len();
    // no number is longer; twice, for what a chunk of each column leaves empty
    2 * 8 * (numbers + 8 * frame.positions.len()) as u64 + datasets as u64 * STRUCTURE
}

/// Where a frame is.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Place {
    index: usize,
    cells: Cells,
    points: usize,
    /// Row of its first point.
    first_point: usize,
    /// Row of the first of its cells in their columns.
    first_cell: usize,
    /// Row of the first of the offsets of its cells.
    first_offset: usize,
}

/// Tells VTK where frames are, as [`write_columns`] returned it.
pub(super) fn publish(file: &dyn WritableFile, frames: &[&Frame], places: &[Place]) -> Access<()> {
    let Some(first) = places.first().map(|place| place.index) else { return Ok(()) };
    let mut rows = FrameRows::default();
    for (frame, &place) in frames.iter().zip(places) {
        let columns = frame.point_data.iter().map(|c| c.spec.name.as_ref());
        let of_cells = frame.cell_data.iter().map(|c| c.spec.name.as_ref());
        for (name, row) in published_rows(columns, of_cells, place) {
            rows.add(&name, integers(row)?);
        }
    }
    rows.write(file, first)?;
    // VTK takes the times for the frames that there are
    file.keep_order()?;
    let times = frames.iter().map(|frame| frame.time).collect();
    file.write_frame_rows(PUBLISHED_TIMES, first, 1, &ColumnData::F64(times))
}

/// Every dataset that has a row for each complete frame.
pub(super) fn per_frame_names(schema: &Schema) -> Vec<String> {
    let columns = schema.point_data.iter().map(|c| c.spec.name.as_ref());
    let of_cells = schema.cell_data.iter().map(|c| c.spec.name.as_ref());
    let published = published_rows(columns, of_cells, Place::default());
    let mut names: Vec<String> = published.into_iter().map(|(name, _)| name).collect();
    names.push(PUBLISHED_TIMES.to_owned());
    for table in &schema.tables {
        names.push(format!("{}/frame_offsets", table.name));
        names.push(format!("{}/frame_rows", table.name));
    }
    names.extend(["frames/step".to_owned(), "frames/time".to_owned()]);
    let fields = schema.field_data.iter();
    names.extend(fields.map(|spec| format!("frames/{}", spec.name)));
    names
}

/// Datasets of [`publish`] that hold counts, with the row of a frame.
fn published_rows<'a>(
    columns: impl Iterator<Item = &'a str>,
    of_cells: impl Iterator<Item = &'a str>,
    Place { index, cells, points, first_point, first_cell, first_offset }: Place,
) -> Vec<(String, Vec<usize>)> {
    let mut rows = vec![("VTKHDF/NumberOfPoints".to_owned(), vec![points])];
    for kind in CELL_KINDS {
        let entries = if kind == cells.group() { points } else { 0 };
        rows.push((format!("VTKHDF/{kind}/NumberOfCells"), vec![entries / cells.corners()]));
        rows.push((format!("VTKHDF/{kind}/NumberOfConnectivityIds"), vec![entries]));
    }
    for ((name, _), value) in STEP_COUNTS.into_iter().zip([index, 1, first_point]) {
        rows.push((format!("VTKHDF/Steps/{name}"), vec![value]));
    }
    // see `write_cells`
    let first = |kind| if kind == cells.group() { first_offset.saturating_sub(index) } else { 0 };
    for (name, values) in STEP_CELL_COUNTS.into_iter().zip([CELL_KINDS.map(first), [0; CELL_KINDS.len()]]) {
        rows.push((format!("VTKHDF/Steps/{}", name.0), values.to_vec()));
    }
    for name in columns {
        let name = format!("VTKHDF/Steps/PointDataOffsets/{name}");
        rows.push((name, vec![first_point]));
    }
    rows.extend(of_cells.map(|name| (format!("{CELL_DATA_OFFSETS}/{name}"), vec![first_cell])));
    rows
}

/// Tells VTK how many frames there are.
pub(super) fn announce_frames(file: &dyn WritableFile, count: usize) -> Access<()> {
    file.set_integer("VTKHDF/Steps", "NSteps", signed(count)?)
}

/// Writes the cells of frame `index` and returns the row of the first of their offsets.
///
/// Which point a cell is made of is the same in all frames, so that these share one table, but each frame has offsets of its own: VTK 9.3 looks for
/// them as many rows behind `CellOffsets` as there were parts before, later versions only if `CellOffsets` is above the number of all
/// earlier cells, and take it as it is otherwise. A row to spare in each frame sees to it that it always is.
fn write_cells(file: &dyn WritableFile, chunk_rows: usize, index: usize, cells: Cells, points: usize) -> Access<usize> {
    let mut first = 0;
    for kind in CELL_KINDS {
        let offsets = format!("VTKHDF/{kind}/Offsets");
        if kind == cells.group() {
            let corners = cells.corners();
            let values = (0..=signed(points / corners)? + 1).map(|cell| cell * corners as i64).collect();
            first = next_chunk(file, chunk_rows, std::slice::from_ref(&offsets))?;
            file.write_chunks(&offsets, chunk_rows, first, 1, &ColumnData::I64(values))?;
            grow(file, &format!("VTKHDF/{kind}/Connectivity"), chunk_rows, points, |row| row)?;
        } else {
            grow(file, &offsets, chunk_rows, index + 1, |_| 0)?;
        }
    }
    Ok(first)
}

/// Extends a table that all frames share to `needed` rows at least.
fn grow(file: &dyn WritableFile, name: &str, chunk_rows: usize, needed: usize, value: fn(i64) -> i64) -> Access<()> {
    let present = file.rows(name)?;
    if present >= needed {
        return Ok(());
    }
    // Whole chunks, so that no chunk is ever rewritten.
    let end = needed.next_multiple_of(chunk_rows);
    let values = (signed(present)?..signed(end)?).map(value).collect();
    file.write_chunks(name, chunk_rows, present, 1, &ColumnData::I64(values))
}

/// First row of the first chunk that no dataset of `names` has touched.
fn next_chunk(file: &dyn WritableFile, chunk_rows: usize, names: &[String]) -> Access<usize> {
    let mut first = 0;
    for name in names {
        first = first.max(file.rows(name)?.next_multiple_of(chunk_rows));
    }
    Ok(first)
}

fn write_group(
    file: &dyn WritableFile,
    names: &[String],
    chunk_rows: usize,
    first_row: usize,
    columns: &[Column],
) -> Access<()> {
    for (name, column) in names.iter().zip(columns) {
        file.write_chunks(name, chunk_rows, first_row, column.spec.width, &column.data)?;
    }
    Ok(())
}

fn paths(group: &str, columns: &[Column]) -> Vec<String> {
    columns.iter().map(|column| format!("{group}/{}", column.spec.name)).collect()
}

fn integers(values: impl IntoIterator<Item = usize>) -> Access<ColumnData> {
    Ok(ColumnData::I64(values.into_iter().map(signed).collect::<Access<_>>()?))
}

fn signed(value: usize) -> Access<i64> {
    i64::try_from(value).map_err(|_| format!("count {value} does not fit 63 bits"))
}
