//! What meshes may have, and which lengths and angles count.

/// Most facets of a mesh.
pub const MOST_FACETS: usize = 2_000_000;
/// Most corners in the middle of sides of other facets, for each facet.
pub const MOST_CORNERS_IN_SIDES: usize = 4;
/// Most facets that share a side.
pub const MOST_AT_SIDE: usize = 64;
/// Corners closer than this are one, in proportion to the size of the mesh: twice the rounding of single precision.
pub const WELD: f64 = 1.5e-7;
/// Facets belong to one plane if their corners are closer to it than this, in proportion to the size of the mesh.
pub const FLATNESS: f64 = 2e-6;
/// Angle between faces below which a sphere in the valley touches only the nearer one \[rad\]: 11 degrees.
pub const SHALLOW: f64 = 0.192;
/// Lengths below this are roundings, in proportion to the size of the mesh.
pub(super) const ROUNDING: f64 = 1e-12;
/// No feature.
pub(super) const NONE: u32 = u32::MAX;
