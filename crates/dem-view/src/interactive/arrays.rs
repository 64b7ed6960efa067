//! What the page shows, as plain arrays.

use std::collections::BTreeMap;

use serde::Serialize;

use super::block::Block;

/// Name of the column of a field.
pub fn of_field(name: &str) -> String {
    format!("field:{name}")
}

/// Name of the column of a value of facets.
pub fn of_facets(name: &str) -> String {
    format!("facet:{name}")
}

/// A column of a frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// `x`, `y`, `z` (whole numbers of the quantum above the origin), `radius`, `id`, [fields](of_field), [values of facets](of_facets); of contacts `first` (row of a sphere), `second` (row of
    /// the other one above it, or zero), `force`, and `branch`, the ways from `first` to the ends of those with zero, three numbers each.
    pub name: String,
    /// Its numbers.
    pub block: Block,
}

/// Where a wall is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct WallPlace {
    /// Whether it is there.
    pub active: bool,
    /// Of its body frame.
    pub position: [f64; 3],
    /// Quaternion x, y, z, w from its body frame to the space frame.
    pub orientation: [f64; 4],
}

/// What is shown at one time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FrameArrays {
    /// Number of the step.
    pub step: u64,
    /// Time \[s\].
    pub time: f64,
    /// Number of spheres.
    pub count: usize,
    /// Where positions are counted from.
    pub origin: [f64; 3],
    /// What they are counted in.
    pub quantum: f64,
    /// Lower and upper corner of the box around nearly all spheres; none without any.
    pub bounds: Option<[[f64; 3]; 2]>,
    /// Least and largest finite value of the fields, by name.
    pub ranges: BTreeMap<String, [f64; 2]>,
    /// Where walls are, in the order of the scene.
    pub walls: Vec<WallPlace>,
    /// Origin and edges of the cell, if it is to be drawn.
    pub cell: Option<[[f64; 3]; 4]>,
    /// Columns.
    #[serde(skip)]
    pub columns: Vec<Column>,
}

/// What spheres can be coloured by.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FieldSpec {
    /// Name.
    pub name: String,
    /// Unit, nothing for a pure number.
    pub unit: String,
    /// Whether values are numbers of categories.
    pub categorical: bool,
    /// Names of the categories 0, 1, 2, ..; may be fewer.
    pub categories: Vec<String>,
}

/// A wall.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WallSpec {
    /// Name.
    pub name: String,
    /// Whether it moves or is driven, and so has a colour of its own.
    pub is_moving: bool,
    /// Whether it is opaque to begin with, as what moves is that does not enclose the spheres.
    pub is_opaque: bool,
    /// Number of its triangles, which follow those of the walls before.
    pub triangles: usize,
}

/// What stays the same over time.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneArrays {
    /// Title.
    pub title: String,
    /// The vertical.
    pub up: [f64; 3],
    /// Fields, in the order in which to offer them. The page adds `height` itself.
    pub fields: Vec<FieldSpec>,
    /// Field that is shown first.
    pub first_field: String,
    /// Walls.
    pub walls: Vec<WallSpec>,
    /// Corners of the triangles of all walls in their body frames, nine numbers a triangle.
    pub corners: Block,
    /// Values of facets that walls can be coloured by.
    pub facets: FacetSpec,
}

/// Values of the facets of some walls.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct FacetSpec {
    /// Numbers of the walls, all triangles of which have values, in the order of the columns of frames.
    pub walls: Vec<u32>,
    /// What the values are.
    pub fields: Vec<FieldSpec>,
}
