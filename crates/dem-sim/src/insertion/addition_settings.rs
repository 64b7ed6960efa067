//! Settings of a random sequential addition.

/// Spheres count as equal, and share a voxel list, while their radii differ by less than this fraction.
pub(super) const CLASS_WIDTH: f64 = 0.05;

/// How many spheres are to be added.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AdditionTarget {
    /// So many spheres.
    Count(usize),
    /// So much of the region's volume, or of the section's area in a plane, to the nearest
    /// sphere `[1]`.
    PackingFraction(f64),
}

/// A plane normal to a coordinate axis in which all centres are to lie.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SectionPlane {
    /// The axis, 0 to 2.
    pub axis: usize,
    /// Its coordinate `[m]`.
    pub coordinate: f64,
}

/// Settings of a random sequential addition.
#[derive(Debug, Clone, PartialEq)]
pub struct SequentialAddition {
    /// How many.
    pub target: AdditionTarget,
    /// Gap kept between surfaces `[m]`.
    pub gap: f64,
    /// Plane of a monolayer; spheres still lie fully inside the region.
    pub plane: Option<SectionPlane>,
    /// Whether spheres are moved to open holes when the region is full.
    pub relax: bool,
    /// Fresh starts with the following random numbers before giving up, at least 1.
    pub attempts: u32,
}

impl SequentialAddition {
    /// One attempt with relaxation, no gap, in space.
    pub fn new(target: AdditionTarget) -> Self {
        Self { target, gap: 0.0, plane: None, relax: true, attempts: 1 }
    }
}
