//! Reads frames back from a snapshot file.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use glam::DVec3;
use rust_hdf5::{H5File, H5Group};

use super::claims::SizeLimit;
use super::frame::{Column, ColumnData, ColumnSpec, Frame, Table};
use super::hdf5::{self, Failure, Source, failed_on, guarded};
use super::layout::ChunkRows;
use super::placement::per_frame_names;
use super::schema::{ColumnSchema, MAX_COLUMNS, Schema, TableSchema};
use crate::error::{Error, Result};

/// Step and time of a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrameInfo {
    /// Count of time steps done.
    pub step: u64,
    /// Simulated time `[s]`.
    pub time: f64,
}

/// Where the rows of each frame lie in the columns of a group.
#[derive(Debug)]
struct RowIndex {
    offsets: Vec<usize>,
    rows: Vec<usize>,
}

/// What is read once, at opening.
struct Contents {
    file: H5File,
    limit: SizeLimit,
    metadata: BTreeMap<String, String>,
    schema: Option<Schema>,
    chunk_rows: Option<ChunkRows>,
    frames: Vec<FrameInfo>,
    points: RowIndex,
    tables: Vec<RowIndex>,
    fields: Vec<Vec<f64>>,
}

/// Reads a snapshot file as it was when it was opened.
///
/// The file may come from anywhere: a damaged one gives an error, and no request is larger than
/// what a file of that size can hold.
pub struct SnapshotReader {
    path: PathBuf,
    contents: Contents,
}

impl std::fmt::Debug for SnapshotReader {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("SnapshotReader")
            .field("path", &self.path)
            .field("frames", &self.contents.frames.len())
            .finish_non_exhaustive()
    }
}

impl SnapshotReader {
    /// Opens a file and reads everything but the columns.
    ///
    /// # Errors
    /// [`Error::System`] if the file cannot be opened, [`Error::Snapshot`] if it is damaged or
    /// foreign.
    pub fn open(path: &Path) -> Result<Self> {
        let length = std::fs::metadata(path).map_err(Error::system("open", path))?.len();
        Ok(Self {
            path: path.to_path_buf(),
            contents: guarded(path, || Contents::read(path, SizeLimit::of_file(length)))?,
        })
    }

    /// Step and time of every frame.
    #[must_use]
    pub fn frames(&self) -> &[FrameInfo] {
        &self.contents.frames
    }

    /// The texts given when the file was created.
    #[must_use]
    pub fn metadata(&self) -> &BTreeMap<String, String> {
        &self.contents.metadata
    }

    /// Columns of the file; `None` before the first frame.
    pub(super) fn schema(&self) -> Option<&Schema> {
        self.contents.schema.as_ref()
    }

    /// Sizes of the chunks of the file; `None` before the first frame.
    pub(super) fn chunk_rows(&self) -> Option<ChunkRows> {
        self.contents.chunk_rows.clone()
    }

    /// Reads one frame, counted from 0.
    ///
    /// # Errors
    /// [`Error::FrameIndex`] if there is no such frame, [`Error::Snapshot`] if the file is
    /// damaged.
    pub fn read(&self, frame_index: usize) -> Result<Frame> {
        let missing =
            || Error::FrameIndex { path: self.path.clone(), count: self.contents.frames.len(), index: frame_index };
        let info = self.contents.frames.get(frame_index).ok_or_else(missing)?;
        let schema = self.schema().ok_or_else(missing)?;
        guarded(&self.path, || self.contents.read_frame(schema, frame_index, *info))
    }
}

impl Contents {
    fn read(path: &Path, limit: SizeLimit) -> std::result::Result<Self, Failure> {
        let file = hdf5::open(path)?;
        let metadata = read_metadata(&file, limit)?;
        let mut contents = Self {
            limit,
            metadata,
            schema: None,
            chunk_rows: None,
            frames: Vec::new(),
            points: RowIndex { offsets: Vec::new(), rows: Vec::new() },
            tables: Vec::new(),
            fields: Vec::new(),
            file,
        };
        if !contents.file.root_group().group_names().map_err(failed_on("/"))?.iter().any(|n| n == "VTKHDF") {
            return Ok(contents);
        }
        let schema = contents.read_schema()?;
        contents.check_claims(&schema)?;
        contents.read_index(&schema)?;
        contents.chunk_rows = Some(contents.read_chunk_rows(&schema)?);
        contents.schema = Some(schema);
        Ok(contents)
    }

    fn source(&self, name: &str) -> std::result::Result<Source, Failure> {
        Source::open(&self.file, name, self.limit)
    }

    fn read_schema(&self) -> std::result::Result<Schema, Failure> {
        let tables = self.file.attr_string("tables").map_err(failed_on("tables"))?;
        let mut left = MAX_COLUMNS;
        let schema = Schema {
            point_data: self.read_columns("VTKHDF/PointData", &mut left)?,
            tables: split(&tables, MAX_COLUMNS)?
                .into_iter()
                .map(|name| Ok(TableSchema { name: name.to_owned(), columns: self.read_columns(name, &mut left)? }))
                .collect::<std::result::Result<_, Failure>>()?,
            field_data: self.read_columns("frames", &mut left)?.into_iter().map(|column| column.spec).collect(),
        };
        schema.check()?;
        Ok(schema)
    }

    /// Reads the columns of a group, of which there may be `left`.
    fn read_columns(&self, group: &str, left: &mut usize) -> std::result::Result<Vec<ColumnSchema>, Failure> {
        let handle: H5Group = self.file.root_group().group(group).map_err(failed_on(group))?;
        let names = handle.attr_string("columns").map_err(failed_on(group))?;
        let names = split(&names, *left)?;
        *left -= names.len();
        names
            .into_iter()
            .map(|name| {
                let source = self.source(&format!("{group}/{name}"))?;
                Ok(ColumnSchema {
                    element: source.element,
                    spec: ColumnSpec {
                        name: Cow::Owned(name.to_owned()),
                        unit: Cow::Owned(source.text("unit")?),
                        meaning: Cow::Owned(source.text("meaning")?),
                        width: source.shape.width,
                    },
                })
            })
            .collect()
    }

    /// Checks all datasets that may be read, before one is.
    fn check_claims(&self, schema: &Schema) -> std::result::Result<(), Failure> {
        let points = schema.point_data.iter().map(|column| format!("VTKHDF/PointData/{}", column.spec.name));
        let tables = schema
            .tables
            .iter()
            .flat_map(|table| table.columns.iter().map(|column| format!("{}/{}", table.name, column.spec.name)));
        let mut names = per_frame_names(schema);
        names.push("VTKHDF/Points".to_owned());
        names.extend(points.chain(tables));
        let claims = names.iter().map(|name| Ok(self.source(name)?.claim));
        self.limit.check_claims(claims.collect::<std::result::Result<Vec<_>, Failure>>()?)
    }

    fn read_chunk_rows(&self, schema: &Schema) -> std::result::Result<ChunkRows, Failure> {
        let common = |group: &str, columns: &[ColumnSchema], first: Option<usize>| {
            let mut found = first;
            for column in columns {
                let name = format!("{group}/{}", column.spec.name);
                let rows = self.source(&name)?.chunk_rows;
                if found.is_some_and(|other| other != rows) {
                    return Err(format!("{name} has chunks of another size than its group"));
                }
                found = Some(rows);
            }
            // A table without columns has no chunks.
            Ok::<_, Failure>(found.unwrap_or(1))
        };
        let points = self.source("VTKHDF/Points")?.chunk_rows;
        Ok(ChunkRows {
            points: common("VTKHDF/PointData", &schema.point_data, Some(points))?,
            tables: schema
                .tables
                .iter()
                .map(|table| common(&table.name, &table.columns, None))
                .collect::<std::result::Result<_, _>>()?,
        })
    }

    /// Reads the per-frame datasets. A frame counts only if all of them have its row, so one cut
    /// short by the end of the writing process does not exist.
    fn read_index(&mut self, schema: &Schema) -> std::result::Result<(), Failure> {
        let step = self.source("frames/step")?;
        let time = self.source("frames/time")?;
        let point_offsets = self.source("VTKHDF/Steps/PointOffsets")?;
        let point_rows = self.source("VTKHDF/NumberOfPoints")?;
        let mut tables = Vec::new();
        for table in &schema.tables {
            tables.push((
                self.source(&format!("{}/frame_offsets", table.name))?,
                self.source(&format!("{}/frame_rows", table.name))?,
            ));
        }
        let mut fields = Vec::new();
        for spec in &schema.field_data {
            fields.push(self.source(&format!("frames/{}", spec.name))?);
        }
        let mut count = usize::MAX;
        for name in per_frame_names(schema) {
            count = count.min(self.source(&name)?.shape.rows);
        }

        let ColumnData::U64(steps) = step.read(0, count)? else {
            return Err("frames/step does not hold unsigned 64-bit integers".to_owned());
        };
        let times = read_numbers(&time, "frames/time", count)?;
        self.frames = steps.into_iter().zip(times).map(|(step, time)| FrameInfo { step, time }).collect();
        if let Some(pair) = self.frames.windows(2).find(|p| p[0].step >= p[1].step) {
            return Err(format!("step {} is followed by step {}", pair[0].step, pair[1].step));
        }
        let index = |(offsets, rows): (&Source, &Source)| {
            Ok::<_, Failure>(RowIndex { offsets: offsets.read_counts(count)?, rows: rows.read_counts(count)? })
        };
        self.points = index((&point_offsets, &point_rows))?;
        self.tables =
            tables.iter().map(|(offsets, rows)| index((offsets, rows))).collect::<std::result::Result<_, _>>()?;
        self.fields = fields
            .iter()
            .zip(&schema.field_data)
            .map(|(source, spec)| read_numbers(source, &spec.name, count))
            .collect::<std::result::Result<_, _>>()?;
        Ok(())
    }

    fn read_frame(&self, schema: &Schema, index: usize, info: FrameInfo) -> std::result::Result<Frame, Failure> {
        let (offset, rows) = (self.points.offsets[index], self.points.rows[index]);
        let points = self.source("VTKHDF/Points")?;
        let ColumnData::F64(coordinates) = points.read(offset, rows)? else {
            return Err("VTKHDF/Points does not hold double precision".to_owned());
        };
        if points.shape.width != 3 {
            return Err("VTKHDF/Points does not hold three numbers a row".to_owned());
        }
        let positions = coordinates.chunks_exact(3).map(DVec3::from_slice).collect();
        let tables = schema
            .tables
            .iter()
            .zip(&self.tables)
            .map(|(table, place)| {
                let rows = place.rows[index];
                Ok(Table {
                    name: table.name.clone(),
                    rows,
                    columns: self.read_rows(&table.name, &table.columns, place.offsets[index], rows)?,
                })
            })
            .collect::<std::result::Result<_, Failure>>()?;
        Ok(Frame {
            step: info.step,
            time: info.time,
            positions,
            point_data: self.read_rows("VTKHDF/PointData", &schema.point_data, offset, rows)?,
            tables,
            field_data: schema
                .field_data
                .iter()
                .zip(&self.fields)
                .map(|(spec, values)| (spec.clone(), values[index]))
                .collect(),
        })
    }

    fn read_rows(
        &self,
        group: &str,
        columns: &[ColumnSchema],
        offset: usize,
        rows: usize,
    ) -> std::result::Result<Vec<Column>, Failure> {
        columns
            .iter()
            .map(|column| {
                let source = self.source(&format!("{group}/{}", column.spec.name))?;
                Ok(Column { spec: column.spec.clone(), data: source.read(offset, rows)? })
            })
            .collect()
    }
}

fn read_metadata(file: &H5File, limit: SizeLimit) -> std::result::Result<BTreeMap<String, String>, Failure> {
    let group = file.root_group().group("metadata").map_err(failed_on("metadata"))?;
    let mut length = 0;
    group
        .attr_names()
        .map_err(failed_on("metadata"))?
        .into_iter()
        .map(|name| {
            let text = group.attr_string(&name).map_err(failed_on(&name))?;
            length += text.len();
            limit.check_text("metadata", length)?;
            Ok((name, text))
        })
        .collect()
}

fn read_numbers(source: &Source, name: &str, count: usize) -> std::result::Result<Vec<f64>, Failure> {
    match source.read(0, count)? {
        ColumnData::F64(values) if source.shape.width == 1 => Ok(values),
        _ => Err(format!("{name} does not hold one number a frame")),
    }
}

/// Names in a comma-separated list, at most so many; an empty text is an empty list.
fn split(names: &str, most: usize) -> std::result::Result<Vec<&str>, Failure> {
    let names: Vec<&str> = names.split(',').filter(|name| !name.is_empty()).take(most + 1).collect();
    if names.len() > most { Err(format!("more than {MAX_COLUMNS} columns or tables are listed")) } else { Ok(names) }
}
