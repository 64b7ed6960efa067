//! Sides of facets that lie in one line, where a mesh is divided.

use glam::DVec3;

use super::features::Edge;
use super::half_space::HalfSpace;

/// Borders in one line.
pub(super) struct Chain {
    pub(super) ends: [u32; 2],
    pub(super) start: DVec3,
    pub(super) end: DVec3,
    pub(super) direction: DVec3,
    pub(super) owners: Vec<(u32, HalfSpace)>,
}

impl Chain {
    /// As an edge, given the vertices of the points.
    pub(super) fn into_edge(self, vertex_of: &[u32]) -> Edge {
        let Self { ends, start, end, direction, owners } = self;
        Edge { start, end, direction, sides: owners, vertices: ends.map(|point| vertex_of[point as usize]) }
    }
}
