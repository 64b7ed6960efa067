//! Reads frames back from a snapshot file.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use glam::DVec3;

use super::claims::SizeLimit;
use super::frame::{Cells, Column, ColumnData, ColumnSpec, Frame, Table};
use super::hdf5::{Access, Failure, Library, ReadableFile, Source, guarded};
use super::layout::{CELL_DATA, CELL_DATA_OFFSETS, CELLS, ChunkRows};
use super::placement::per_frame_names;
use super::schema::{ColumnSchema, MAX_COLUMNS, Schema, TableSchema};
use crate::error::{Error, Result};
use crate::regular_file;

/// Step and time of a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrameInfo {
    /// Count of time steps done.
    pub step: u64,
    /// Simulated time `[s]`.
    pub time: f64,
}

/// Where the rows of each frame lie in the columns of a group.
#[derive(Debug, Default)]
struct RowIndex {
    offsets: Vec<usize>,
    rows: Vec<usize>,
}

/// What is read once, at opening.
#[derive(Default)]
struct Contents {
    metadata: BTreeMap<String, String>,
    schema: Option<Schema>,
    chunk_rows: Option<ChunkRows>,
    frames: Vec<FrameInfo>,
    points: RowIndex,
    /// First rows of the columns of cells.
    cells: Vec<usize>,
    tables: Vec<RowIndex>,
    fields: Vec<Vec<f64>>,
}

/// Reads a snapshot file as it was when it was opened.
///
/// The file may come from anywhere: a damaged one gives an error, and no request is larger than
/// what a file of that size can hold.
pub struct SnapshotReader {
    path: PathBuf,
    hdf5: Library,
    limit: SizeLimit,
    /// The open file, if it stays open.
    file: Option<Box<dyn ReadableFile>>,
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
        Self::open_with(Library::CHOSEN, path)
    }

    /// The same through a library.
    pub(super) fn open_with(library: Library, path: &Path) -> Result<Self> {
        let length = regular_file::metadata(path).map_err(Error::system("read", path))?.len();
        let limit = SizeLimit::of_file(length);
        let (file, contents) = guarded(path, || {
            let file = library.open(path)?;
            let contents = Contents::read(&Datasets { file: &*file, limit })?;
            Ok((library.readers_stay_open().then_some(file), contents))
        })?;
        Ok(Self { path: path.to_path_buf(), hdf5: library, limit, file, contents })
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

    /// Makes sure that a frame has the columns of those of the file; any may come first.
    ///
    /// # Errors
    /// [`Error::SnapshotColumns`] if they differ, [`Error::Frame`] if the frame contradicts itself.
    pub fn check_columns(&self, frame: &Frame) -> Result<()> {
        let schema = Schema::of(frame)?;
        match self.schema() {
            Some(file) if *file != schema => {
                Err(Error::SnapshotColumns { path: self.path.clone(), reason: file.difference(&schema) })
            }
            _ => Ok(()),
        }
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
        self.read_chosen(frame_index, &|_, _| true)
    }

    /// Reads those columns of a frame that are chosen by the name of their table, none for the columns of particles, and by their own. Positions
    /// are read in any case.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn read_chosen(&self, frame_index: usize, choose: &dyn Fn(Option<&str>, &str) -> bool) -> Result<Frame> {
        let missing =
            || Error::FrameIndex { path: self.path.clone(), count: self.contents.frames.len(), index: frame_index };
        let info = self.contents.frames.get(frame_index).ok_or_else(missing)?;
        let schema = self.schema().ok_or_else(missing)?;
        guarded(&self.path, || {
            let opened;
            let file = match &self.file {
                Some(file) => file,
                None => {
                    opened = self.hdf5.open(&self.path)?;
                    &opened
                }
            };
            let datasets = Datasets { file: &**file, limit: self.limit };
            self.contents.read_frame(&datasets, schema, frame_index, *info, choose)
        })
    }
}

/// The open file of a reader.
struct Datasets<'a> {
    file: &'a dyn ReadableFile,
    limit: SizeLimit,
}

impl Datasets<'_> {
    fn source(&self, name: &str) -> Access<Source<'_>> {
        Source::open(self.file, name, self.limit)
    }

    fn read_metadata(&self) -> Access<BTreeMap<String, String>> {
        let mut length = 0;
        self.file
            .attribute_names("metadata")?
            .into_iter()
            .map(|name| {
                let text = self.file.text("metadata", &name)?;
                length += text.len();
                self.limit.check_text("metadata", length)?;
                Ok((name, text))
            })
            .collect()
    }

    fn read_schema(&self) -> Access<Schema> {
        let tables = self.file.text("/", "tables")?;
        let mut left = MAX_COLUMNS;
        let schema = Schema {
            cells: self.read_cells()?,
            point_data: self.read_columns("VTKHDF/PointData", &mut left)?,
            cell_data: match self.file.has_group(CELL_DATA)? {
                true => self.read_columns(CELL_DATA, &mut left)?,
                false => Vec::new(),
            },
            tables: split(&tables, MAX_COLUMNS)?
                .into_iter()
                .map(|name| Ok(TableSchema { name: name.to_owned(), columns: self.read_columns(name, &mut left)? }))
                .collect::<Access<_>>()?,
            field_data: self.read_columns("frames", &mut left)?.into_iter().map(|column| column.spec).collect(),
        };
        schema.check()?;
        Ok(schema)
    }

    fn read_cells(&self) -> Access<Cells> {
        if !self.file.attribute_names("VTKHDF")?.iter().any(|name| name == CELLS) {
            return Ok(Cells::Vertices);
        }
        let name = self.file.text("VTKHDF", CELLS)?;
        let known = Cells::ALL.into_iter().find(|cells| cells.group() == name);
        known.ok_or_else(|| format!("its cells are {:?}", name.chars().take(40).collect::<String>()))
    }

    /// Reads the columns of a group, of which there may be `left`.
    fn read_columns(&self, group: &str, left: &mut usize) -> Access<Vec<ColumnSchema>> {
        let names = self.file.text(group, "columns")?;
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
    fn check_claims(&self, schema: &Schema) -> Access<()> {
        let points = schema.point_data.iter().map(|column| format!("VTKHDF/PointData/{}", column.spec.name));
        let cells = schema.cell_data.iter().map(|column| format!("{CELL_DATA}/{}", column.spec.name));
        let tables = schema
            .tables
            .iter()
            .flat_map(|table| table.columns.iter().map(|column| format!("{}/{}", table.name, column.spec.name)));
        let mut names = per_frame_names(schema);
        names.push("VTKHDF/Points".to_owned());
        names.extend(points.chain(cells).chain(tables));
        let claims = names.iter().map(|name| Ok(self.source(name)?.claim));
        self.limit.check_claims(claims.collect::<Access<Vec<_>>>()?)
    }

    fn read_chunk_rows(&self, schema: &Schema) -> Access<ChunkRows> {
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
        common(CELL_DATA, &schema.cell_data, Some(points))?;
        Ok(ChunkRows {
            points: common("VTKHDF/PointData", &schema.point_data, Some(points))?,
            tables: schema
                .tables
                .iter()
                .map(|table| common(&table.name, &table.columns, None))
                .collect::<std::result::Result<_, _>>()?,
        })
    }

    fn read_rows(
        &self,
        group: &str,
        columns: &[ColumnSchema],
        [offset, rows]: [usize; 2],
        choose: &dyn Fn(&str) -> bool,
    ) -> Access<Vec<Column>> {
        columns
            .iter()
            .filter(|column| choose(&column.spec.name))
            .map(|column| {
                let source = self.source(&format!("{group}/{}", column.spec.name))?;
                Ok(Column { spec: column.spec.clone(), data: source.read(offset, rows)? })
            })
            .collect()
    }
}

impl Contents {
    fn read(datasets: &Datasets<'_>) -> Access<Self> {
        let mut contents = Self { metadata: datasets.read_metadata()?, ..Self::default() };
        if !datasets.file.has_group("VTKHDF")? {
            return Ok(contents);
        }
        let schema = datasets.read_schema()?;
        datasets.check_claims(&schema)?;
        contents.read_index(datasets, &schema)?;
        contents.chunk_rows = Some(datasets.read_chunk_rows(&schema)?);
        contents.schema = Some(schema);
        Ok(contents)
    }

    /// Reads the per-frame datasets. A frame counts only if all of them have its row, so one cut
    /// short by the end of the writing process does not exist.
    fn read_index(&mut self, datasets: &Datasets<'_>, schema: &Schema) -> Access<()> {
        let step = datasets.source("frames/step")?;
        let time = datasets.source("frames/time")?;
        let point_offsets = datasets.source("VTKHDF/Steps/PointOffsets")?;
        let point_rows = datasets.source("VTKHDF/NumberOfPoints")?;
        let first_column = schema.cell_data.first().map(|column| format!("{CELL_DATA_OFFSETS}/{}", column.spec.name));
        let cell_offsets = first_column.map(|name| datasets.source(&name)).transpose()?;
        let mut tables = Vec::new();
        for table in &schema.tables {
            tables.push((
                datasets.source(&format!("{}/frame_offsets", table.name))?,
                datasets.source(&format!("{}/frame_rows", table.name))?,
            ));
        }
        let mut fields = Vec::new();
        for spec in &schema.field_data {
            fields.push(datasets.source(&format!("frames/{}", spec.name))?);
        }
        let mut count = usize::MAX;
        for name in per_frame_names(schema) {
            count = count.min(datasets.source(&name)?.shape.rows);
        }

        let ColumnData::U64(steps) = step.read(0, count)? else {
            return Err("frames/step does not hold unsigned 64-bit integers".to_owned());
        };
        let times = read_numbers(&time, "frames/time", count)?;
        self.frames = steps.into_iter().zip(times).map(|(step, time)| FrameInfo { step, time }).collect();
        if let Some(pair) = self.frames.windows(2).find(|p| p[0].step >= p[1].step) {
            return Err(format!("step {} is followed by step {}", pair[0].step, pair[1].step));
        }
        let index = |(offsets, rows): (&Source<'_>, &Source<'_>)| {
            Ok::<_, Failure>(RowIndex { offsets: offsets.read_counts(count)?, rows: rows.read_counts(count)? })
        };
        self.points = index((&point_offsets, &point_rows))?;
        self.cells = cell_offsets.map_or(Ok(Vec::new()), |offsets| offsets.read_counts(count))?;
        self.tables =
            tables.iter().map(|(offsets, rows)| index((offsets, rows))).collect::<std::result::Result<_, _>>()?;
        self.fields = fields
            .iter()
            .zip(&schema.field_data)
            .map(|(source, spec)| read_numbers(source, &spec.name, count))
            .collect::<std::result::Result<_, _>>()?;
        Ok(())
    }

    fn read_frame(
        &self,
        datasets: &Datasets<'_>,
        schema: &Schema,
        index: usize,
        info: FrameInfo,
        choose: &dyn Fn(Option<&str>, &str) -> bool,
    ) -> Access<Frame> {
        let (offset, rows) = (self.points.offsets[index], self.points.rows[index]);
        let points = datasets.source("VTKHDF/Points")?;
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
                let places = [place.offsets[index], rows];
                let chosen = |name: &str| choose(Some(&table.name), name);
                let columns = datasets.read_rows(&table.name, &table.columns, places, &chosen)?;
                Ok(Table { name: table.name.clone(), rows, columns })
            })
            .collect::<Access<_>>()?;
        Ok(Frame {
            step: info.step,
            time: info.time,
            positions,
            cells: schema.cells,
            point_data: datasets
                .read_rows("VTKHDF/PointData", &schema.point_data, [offset, rows], &|name| choose(None, name))?,
            cell_data: match self.cells.get(index) {
                Some(&first) => {
                    let places = [first, rows / schema.cells.corners()];
                    datasets.read_rows(CELL_DATA, &schema.cell_data, places, &|name| choose(None, name))?
                }
                None => Vec::new(),
            },
            tables,
            field_data: schema
                .field_data
                .iter()
                .zip(&self.fields)
                .map(|(spec, values)| (spec.clone(), values[index]))
                .collect(),
        })
    }
}

fn read_numbers(source: &Source<'_>, name: &str, count: usize) -> Access<Vec<f64>> {
    match source.read(0, count)? {
        ColumnData::F64(values) if source.shape.width == 1 => Ok(values),
        _ => Err(format!("{name} does not hold one number a frame")),
    }
}

/// Names in a comma-separated list, at most so many; an empty text is an empty list.
fn split(names: &str, most: usize) -> Access<Vec<&str>> {
    let names: Vec<&str> = names.split(',').filter(|name| !name.is_empty()).take(most + 1).collect();
    if names.len() > most { Err(format!("more than {MAX_COLUMNS} columns or tables are listed")) } else { Ok(names) }
}
