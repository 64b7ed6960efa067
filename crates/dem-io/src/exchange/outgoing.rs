//! Particles of a frame on their way into a file of another code.

use glam::DVec3;

use crate::snapshot::{Column, ColumnData};

/// The cell around the particles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OutgoingCell {
    /// Corner \[m\].
    pub origin: DVec3,
    /// Edges \[m\].
    pub edges: [DVec3; 3],
    /// Whether it is periodic along each edge.
    pub periodic: [bool; 3],
}

/// Particles in plain columns.
#[derive(Debug, Clone)]
pub struct ParticleFrame<'a> {
    /// Steps done.
    pub step: u64,
    /// Time \[s\].
    pub time: f64,
    /// The cell, if there is one with ends.
    pub cell: Option<OutgoingCell>,
    /// Centres \[m\].
    pub positions: &'a [DVec3],
    /// Further columns with a row for each particle, with the names that they have in snapshots.
    pub columns: &'a [Column],
    /// Names of the materials, by the numbers in the column `material`.
    pub materials: &'a [String],
}

impl ParticleFrame<'_> {
    /// The name of the material with a number, none if there is no such material.
    pub(super) fn material(&self, number: u32) -> &str {
        self.materials.get(number as usize).map_or("", String::as_str)
    }

    /// The box around all particles, for files that want one whatever there is.
    pub(super) fn reach(&self) -> (DVec3, DVec3) {
        let radii = self.columns.iter().find(|column| column.spec.name == "radius").map(|column| &column.data);
        let radius = |row: usize| match radii {
            Some(ColumnData::F64(radii)) => radii.get(row).copied().unwrap_or_default(),
            _ => 0.0,
        };
        let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let around = |(low, high): (DVec3, DVec3), (row, x): (usize, &DVec3)| {
            (low.min(*x - radius(row)), high.max(*x + radius(row)))
        };
        let (low, high) = self.positions.iter().enumerate().fold(none, around);
        if low.is_finite() { (low, high) } else { (DVec3::ZERO, DVec3::ONE) }
    }
}

/// A number of a column as text: as many digits as it takes to read the same bits again.
pub(super) fn push_number(text: &mut String, data: &ColumnData, index: usize) {
    use std::fmt::Write as _;
    // writing into a string cannot fail
    let _ = match data {
        ColumnData::F64(values) => write!(text, "{:?}", values[index]),
        ColumnData::U64(values) => write!(text, "{}", values[index]),
        ColumnData::I64(values) => write!(text, "{}", values[index]),
        ColumnData::U32(values) => write!(text, "{}", values[index]),
        ColumnData::U8(values) => write!(text, "{}", values[index]),
    };
}

/// Three numbers separated by blanks.
pub(super) fn vector(x: DVec3) -> String {
    format!("{:?} {:?} {:?}", x.x, x.y, x.z)
}
