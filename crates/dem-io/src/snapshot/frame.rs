//! One recorded instant as plain columns, independent of any physics.

use std::borrow::Cow;

use glam::DVec3;

/// Name, unit and meaning of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnSpec {
    /// Name: 1 to 64 of the characters `a-z A-Z 0-9 _`.
    pub name: Cow<'static, str>,
    /// Unit as text, e.g. `m/s`; `1` for a pure number.
    pub unit: Cow<'static, str>,
    /// One sentence that tells a reader of the file what the numbers are.
    pub meaning: Cow<'static, str>,
    /// Numbers per row: 1 for a scalar, 3 for a vector, 4 for a quaternion; at most 64.
    pub width: usize,
}

impl ColumnSpec {
    /// Describes a column from static text.
    #[must_use]
    pub const fn new(name: &'static str, unit: &'static str, meaning: &'static str, width: usize) -> Self {
        Self { name: Cow::Borrowed(name), unit: Cow::Borrowed(unit), meaning: Cow::Borrowed(meaning), width }
    }
}

/// Numbers of a column in row order, `rows * width` of them.
#[derive(Debug, Clone, PartialEq)]
pub enum ColumnData {
    /// Double precision.
    F64(Vec<f64>),
    /// Unsigned 64-bit integers.
    U64(Vec<u64>),
    /// Signed 64-bit integers.
    I64(Vec<i64>),
    /// Unsigned 32-bit integers.
    U32(Vec<u32>),
    /// Bytes: flags and small enumerations.
    U8(Vec<u8>),
}

impl ColumnData {
    /// No numbers of a type.
    pub(crate) fn empty(element: Element) -> Self {
        match element {
            Element::F64 => Self::F64(Vec::new()),
            Element::U64 => Self::U64(Vec::new()),
            Element::I64 => Self::I64(Vec::new()),
            Element::U32 => Self::U32(Vec::new()),
            Element::U8 => Self::U8(Vec::new()),
        }
    }

    /// Count of numbers, rows times width.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::F64(values) => values.len(),
            Self::U64(values) => values.len(),
            Self::I64(values) => values.len(),
            Self::U32(values) => values.len(),
            Self::U8(values) => values.len(),
        }
    }

    /// Whether there is no number.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Type of the numbers.
    #[must_use]
    pub fn element(&self) -> Element {
        match self {
            Self::F64(_) => Element::F64,
            Self::U64(_) => Element::U64,
            Self::I64(_) => Element::I64,
            Self::U32(_) => Element::U32,
            Self::U8(_) => Element::U8,
        }
    }

    /// Adds the numbers of another column of the same type; those of another type are left.
    pub(crate) fn append(&mut self, more: Self) {
        match (self, more) {
            (Self::F64(values), Self::F64(more)) => values.extend(more),
            (Self::U64(values), Self::U64(more)) => values.extend(more),
            (Self::I64(values), Self::I64(more)) => values.extend(more),
            (Self::U32(values), Self::U32(more)) => values.extend(more),
            (Self::U8(values), Self::U8(more)) => values.extend(more),
            _ => {}
        }
    }

    /// The numbers as they lie in memory; the file is little-endian, as is every machine the
    /// HDF5 library builds for.
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::F64(values) => bytemuck::cast_slice(values),
            Self::U64(values) => bytemuck::cast_slice(values),
            Self::I64(values) => bytemuck::cast_slice(values),
            Self::U32(values) => bytemuck::cast_slice(values),
            Self::U8(values) => values,
        }
    }
}

macro_rules! columns_of_numbers {
    ($($variant:ident: $number:ty),+) => {$(
        impl From<Vec<$number>> for ColumnData {
            fn from(numbers: Vec<$number>) -> Self {
                Self::$variant(numbers)
            }
        }

        /// The numbers, or the column itself if it holds others.
        impl TryFrom<ColumnData> for Vec<$number> {
            type Error = ColumnData;

            fn try_from(column: ColumnData) -> Result<Self, ColumnData> {
                match column {
                    ColumnData::$variant(numbers) => Ok(numbers),
                    other => Err(other),
                }
            }
        }
    )+};
}

columns_of_numbers!(F64: f64, U64: u64, I64: i64, U32: u32, U8: u8);

/// Type of the numbers of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Element {
    /// Double precision.
    F64,
    /// Unsigned 64-bit integer.
    U64,
    /// Signed 64-bit integer.
    I64,
    /// Unsigned 32-bit integer.
    U32,
    /// Byte.
    U8,
}

impl Element {
    /// Size of one number in bytes.
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            Self::F64 | Self::U64 | Self::I64 => 8,
            Self::U32 => 4,
            Self::U8 => 1,
        }
    }
}

/// A described column.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Name, unit, meaning, width.
    pub spec: ColumnSpec,
    /// The numbers.
    pub data: ColumnData,
}

/// Columns of equal length that are not per particle, e.g. contacts.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Name of the group in the file: 1 to 64 of the characters `a-z A-Z 0-9 _`.
    pub name: String,
    /// Count of rows; may differ from frame to frame and may be 0.
    pub rows: usize,
    /// The columns.
    pub columns: Vec<Column>,
}

/// What a VTK reader draws of the points of a frame.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum Cells {
    /// Each point.
    #[default]
    Vertices,
    /// A line between each two points.
    Lines,
    /// A triangle on each three points.
    Triangles,
}

impl Cells {
    /// All of them.
    pub(crate) const ALL: [Self; 3] = [Self::Vertices, Self::Lines, Self::Triangles];

    /// Points of one.
    #[must_use]
    pub const fn corners(self) -> usize {
        match self {
            Self::Vertices => 1,
            Self::Lines => 2,
            Self::Triangles => 3,
        }
    }

    /// Name of the group of VTKHDF PolyData that holds them.
    pub(crate) const fn group(self) -> &'static str {
        match self {
            Self::Vertices => "Vertices",
            Self::Lines => "Lines",
            Self::Triangles => "Polygons",
        }
    }
}

/// Everything recorded at one instant.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Frame {
    /// Count of time steps done; strictly increasing within a file.
    pub step: u64,
    /// Simulated time `[s]`.
    pub time: f64,
    /// Centres of the particles, or corners of lines or triangles `[m]`; the count may differ from frame to frame and may be 0.
    pub positions: Vec<DVec3>,
    /// What is drawn of them; the same in all frames of a file.
    pub cells: Cells,
    /// Columns with one row for each point.
    pub point_data: Vec<Column>,
    /// Columns with one row for each of what is drawn; none in most files.
    pub cell_data: Vec<Column>,
    /// Further tables.
    pub tables: Vec<Table>,
    /// Numbers that belong to the frame as a whole (width 1).
    pub field_data: Vec<(ColumnSpec, f64)>,
}

impl Frame {
    /// Count of what is drawn.
    pub(super) fn cell_count(&self) -> usize {
        self.positions.len() / self.cells.corners()
    }
}
