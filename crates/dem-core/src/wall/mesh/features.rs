//! What a mesh is divided into: facets, faces, edges and vertices.

use glam::DVec3;

use super::half_space::HalfSpace;
use super::hollow::{Hollow, Stave};

/// All of a mesh.
pub(super) struct Features {
    pub(super) facets: Vec<Facet>,
    pub(super) faces: Vec<Face>,
    /// Faces that close around an axis in shallow valleys.
    pub(super) rings: Vec<Vec<Stave>>,
    pub(super) edges: Vec<Edge>,
    pub(super) vertices: Vec<Vertex>,
}

/// Side of a facet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Side {
    pub(super) half_space: HalfSpace,
    /// Number of the edge among the edges, or [`NONE`](super::limits::NONE) if the side is inside a face.
    pub(super) edge: u32,
}

/// Triangle.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Facet {
    pub(super) corners: [DVec3; 3],
    pub(super) face: u32,
    /// Side k goes from corner k to corner k + 1.
    pub(super) sides: [Side; 3],
    /// Numbers of the corners among the vertices, or [`NONE`](super::limits::NONE).
    pub(super) vertices: [u32; 3],
}

/// Region in one plane.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Face {
    pub(super) origin: DVec3,
    pub(super) normal: DVec3,
    /// Faces that meet it in a shallow edge, ascending.
    pub(super) shallow: Vec<u32>,
    /// The sides of a convex face, which say all about it; empty for others.
    pub(super) outline: Vec<HalfSpace>,
    /// The ring that it belongs to.
    pub(super) hollow: Option<Box<Hollow>>,
}

/// Straight line where faces meet or end.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Edge {
    pub(super) start: DVec3,
    pub(super) end: DVec3,
    pub(super) direction: DVec3,
    /// Faces that end here, and half of space on their side.
    pub(super) sides: Vec<(u32, HalfSpace)>,
    /// Numbers of the vertices at the ends.
    pub(super) vertices: [u32; 2],
}

/// End of edges.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Vertex {
    pub(super) position: DVec3,
    /// Unit vectors along the edges and sides of facets that end here.
    pub(super) directions: Vec<DVec3>,
    /// Faces that have it as a corner, ascending.
    pub(super) faces: Vec<u32>,
    /// Edges that end here, ascending.
    pub(super) edges: Vec<u32>,
}
