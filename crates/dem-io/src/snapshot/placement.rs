//! How one frame is laid into a snapshot file.
//!
//! It takes two sessions of the library, because VTK 9.7 writes past the end of its memory when
//! it finds more times than announced frames, while the library writes the rows of datasets before
//! the attribute that announces the frame. The first session writes the columns and announces
//! the frame ([`write_columns`]), the second publishes it ([`publish`]). In between, VTK sees a
//! last frame without content and this engine does not see it at all.

use super::frame::{Column, ColumnData, Frame};
use super::hdf5::{Access, WritableFile};
use super::layout::{CELL_KINDS, ChunkRows, STEP_CELL_COUNTS, STEP_COUNTS};
use super::schema::Schema;

/// Times of the frames as VTK sees them.
const PUBLISHED_TIMES: &str = "VTKHDF/Steps/Values";

/// Writes everything of a frame but what [`publish`] writes, as number `index` counted from 0.
/// Returns the row of its first particle.
///
/// Also right when an earlier attempt at the same frame was cut short: rows it may have left
/// behind are never referred to, and its per-frame rows are overwritten.
pub(super) fn write_columns(
    file: &dyn WritableFile,
    chunk_rows: &ChunkRows,
    index: usize,
    frame: &Frame,
) -> Access<usize> {
    let mut names = vec!["VTKHDF/Points".to_owned()];
    names.extend(paths("VTKHDF/PointData", &frame.point_data));
    let offset = next_chunk(file, chunk_rows.points, &names)?;
    let points = ColumnData::F64(frame.positions.iter().flat_map(|p| p.to_array()).collect());
    file.write_chunks(&names[0], chunk_rows.points, offset, 3, &points)?;
    write_group(file, &names[1..], chunk_rows.points, offset, &frame.point_data)?;

    for (table, &chunk_rows) in frame.tables.iter().zip(&chunk_rows.tables) {
        let name = &table.name;
        let names = paths(name, &table.columns);
        let first = next_chunk(file, chunk_rows, &names)?;
        write_group(file, &names, chunk_rows, first, &table.columns)?;
        file.write_frame_row(&format!("{name}/frame_offsets"), index, &integers([first])?)?;
        file.write_frame_row(&format!("{name}/frame_rows"), index, &integers([table.rows])?)?;
    }

    file.write_frame_row("frames/step", index, &ColumnData::U64(vec![frame.step]))?;
    file.write_frame_row("frames/time", index, &ColumnData::F64(vec![frame.time]))?;
    for (spec, value) in &frame.field_data {
        file.write_frame_row(&format!("frames/{}", spec.name), index, &ColumnData::F64(vec![*value]))?;
    }
    grow_cells(file, chunk_rows.points, frame.positions.len())?;
    announce_frames(file, index + 1)?;
    Ok(offset)
}

/// More bytes than a frame adds to a file.
pub(super) fn room_for(frame: &Frame) -> u64 {
    /// For each dataset: a chunk of rows that are not filled, and blocks of the index of chunks.
    const STRUCTURE: u64 = 128 << 10;
    /// Datasets that any file has.
    const COMMON: usize = 40;
    let columns = || frame.point_data.iter().chain(frame.tables.iter().flat_map(|table| &table.columns));
    let numbers: usize = columns().map(|column| column.data.len()).sum();
    let datasets = COMMON + 2 * columns().count() + 2 * frame.tables.len() + frame.field_data.len();
    // no number is longer; twice, for what a chunk of each column leaves empty
    2 * 8 * (numbers + 8 * frame.positions.len()) as u64 + datasets as u64 * STRUCTURE
}

/// Tells VTK where frame `index` is; `offset` is what [`write_columns`] returned.
pub(super) fn publish(file: &dyn WritableFile, index: usize, frame: &Frame, offset: usize) -> Access<()> {
    let columns = frame.point_data.iter().map(|c| c.spec.name.as_ref());
    for (name, row) in published_rows(columns, index, frame.positions.len(), offset) {
        file.write_frame_row(&name, index, &integers(row)?)?;
    }
    // VTK takes the times for the frames that there are
    file.keep_order()?;
    file.write_frame_row(PUBLISHED_TIMES, index, &ColumnData::F64(vec![frame.time]))
}

/// Every dataset that has a row for each complete frame.
pub(super) fn per_frame_names(schema: &Schema) -> Vec<String> {
    let columns = schema.point_data.iter().map(|c| c.spec.name.as_ref());
    let mut names: Vec<String> = published_rows(columns, 0, 0, 0).into_iter().map(|(name, _)| name).collect();
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
    index: usize,
    particles: usize,
    offset: usize,
) -> Vec<(String, Vec<usize>)> {
    let mut rows = vec![("VTKHDF/NumberOfPoints".to_owned(), vec![particles])];
    for (position, kind) in CELL_KINDS.into_iter().enumerate() {
        let cells = if position == 0 { particles } else { 0 };
        rows.push((format!("VTKHDF/{kind}/NumberOfCells"), vec![cells]));
        rows.push((format!("VTKHDF/{kind}/NumberOfConnectivityIds"), vec![cells]));
    }
    for ((name, _), value) in STEP_COUNTS.into_iter().zip([index, 1, offset]) {
        rows.push((format!("VTKHDF/Steps/{name}"), vec![value]));
    }
    for (name, _) in STEP_CELL_COUNTS {
        rows.push((format!("VTKHDF/Steps/{name}"), vec![0; CELL_KINDS.len()]));
    }
    for name in columns {
        let name = format!("VTKHDF/Steps/PointDataOffsets/{name}");
        rows.push((name, vec![offset]));
    }
    rows
}

/// Tells VTK how many frames there are.
pub(super) fn announce_frames(file: &dyn WritableFile, count: usize) -> Access<()> {
    file.set_integer("VTKHDF/Steps", "NSteps", signed(count)?)
}

/// Extends the identity tables behind the cells, which all frames share, to `count` vertices.
fn grow_cells(file: &dyn WritableFile, chunk_rows: usize, count: usize) -> Access<()> {
    for (position, kind) in CELL_KINDS.into_iter().enumerate() {
        let cells = if position == 0 { count } else { 0 };
        for (name, needed) in [("Offsets", cells + 1), ("Connectivity", cells)] {
            let name = format!("VTKHDF/{kind}/{name}");
            let present = file.rows(&name)?;
            if present >= needed {
                continue;
            }
            // Whole chunks, so that no chunk is ever rewritten.
            let end = needed.next_multiple_of(chunk_rows);
            let values = (signed(present)?..signed(end)?).collect();
            file.write_chunks(&name, chunk_rows, present, 1, &ColumnData::I64(values))?;
        }
    }
    Ok(())
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
