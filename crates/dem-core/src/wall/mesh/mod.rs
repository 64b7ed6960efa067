//! Triangle meshes as walls.
//!
//! # What a sphere touches
//!
//! The surface is taken for what it is: a polyhedron, thin, solid from both sides; the orientation of facets does not matter. A sphere
//! touches it wherever the distance from the centre to the surface has a *local minimum* that is shorter than the radius. Each local minimum
//! lies on one feature, and at most one lies on each:
//!
//! - a **face**, a connected region of facets in one plane: the foot of the perpendicular lies in the region;
//! - an **edge**, a straight line where faces meet or one ends: the foot lies between the ends of the edge, and in no adjoining face does
//!   the distance fall from the edge inwards;
//! - a **vertex**, where edges end: along every facet that has it as a corner the distance grows.
//!
//! From this everything else follows. Seams between facets of one plane are no features, so a sphere that rolls over them has the
//! contact, and the history, that it has on a plane. Where two faces meet in a convex edge the three conditions exclude each other: one
//! contact, whose normal turns continuously from one face over the edge to the other. In a concave edge both faces have their foot, and the
//! edge never has one: two contacts. On a slot that is narrower than the sphere the two rims are touched.
//!
//! Rounding must leave neither a gap nor an overlap between neighbours. Faces precede edges, edges vertices: where a condition of an
//! edge or a vertex is met or missed by a rounding only, it is touched if no neighbour before it is.
//!
//! # Shallow valleys
//!
//! On the hollow side of a finely divided cylinder the feet of several facets lie side by side, and their contacts would add up to one
//! that is too stiff; where a foot leaves its facet, that contact would end with a jump. Of two faces that meet at less than
//! [`SHALLOW`] and that both have their foot, only the nearer one counts. The potential of the contact then depends on the distance alone, which
//! is continuous. Valleys steeper than this have two contacts; the jump is beyond overlaps of 1 − cos [`SHALLOW`] = 1.8 % of the radius.
//!
//! Near the axis of a cone or tube of many facets the nearest one would jump from side to side. There it brings others of its ring along, at
//! equal angles around the axis (`hollow.rs`).
//!
//! # One history
//!
//! A contact is known by its feature. When a sphere passes from one feature to the next, the record of its contact has to follow; this is
//! done where histories are kept (`dem_contact::kernel`), which asks [`SurfacePoint::is_nearest`] of the contacts that it knows. For the
//! start of a step the point of a feature is continued beyond it: the plane of a face, the line of an edge. The continuation differs
//! from the feature that was touched at the start by the second order of the motion in one step.
//!
//! # Limits
//!
//! - Corners are welded within [`WELD`], faces are flat within [`FLATNESS`] of the size of the mesh: single precision, in which the files are
//!   written, is not felt. Geometry finer than this is lost.
//! - A corner in the middle of another facet's open side divides that facet (`stitching.rs`), so that both share whole sides. One in the middle
//!   of a side that facets share already does not.
//! - The normal of a face, an edge and a vertex is right, the curvature of what the mesh stands for is not known: the effective radius is that
//!   on a flat wall.

mod chain;
mod division;
mod error;
mod features;
mod half_space;
mod hollow;
mod limits;
mod ownership;
mod rings;
mod stitching;
mod tree;
mod welding;

#[cfg(test)]
mod tests;

use glam::DVec3;

pub use self::error::MeshError;
use self::features::{Edge, Face, Facet, Features, Vertex};
use self::hollow::{Hollow, Stave};
pub use self::limits::{FLATNESS, MOST_AT_SIDE, MOST_CORNERS_IN_SIDES, MOST_FACETS, SHALLOW, WELD};
use self::limits::{NONE, ROUNDING};
use self::tree::Tree;
use super::SurfacePoint;

/// Whether a condition is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    No,
    /// As far as rounding lets one tell.
    Perhaps,
    Yes,
}

/// A triangle mesh, divided into faces, edges and vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    facets: Vec<Facet>,
    faces: Vec<Face>,
    /// Faces that close around an axis in shallow valleys.
    rings: Vec<Vec<Stave>>,
    edges: Vec<Edge>,
    vertices: Vec<Vertex>,
    tree: Tree,
    /// Lengths below this are roundings \[m\].
    rounding: f64,
    /// How far features may be from the facets that they were made of \[m\].
    tolerance: f64,
    /// Numbers of the facets among those that it was made of.
    given: Vec<u32>,
    /// Facets that were left out because they have no area.
    left_out: usize,
    /// Corners that lay in the middle of the side of a facet, which was divided there.
    stitched: usize,
}

impl Mesh {
    /// A mesh of facets given by their corners \[m\].
    ///
    /// # Errors
    /// No facets with an area or too many, corners that are not finite, a side of too many facets.
    pub fn new(facets: &[[DVec3; 3]]) -> Result<Self, MeshError> {
        if facets.is_empty() {
            return Err(MeshError::Empty);
        }
        if facets.len() > MOST_FACETS {
            return Err(MeshError::TooMany { found: facets.len() });
        }
        let mut size = 0.0f64;
        for (number, corners) in facets.iter().enumerate() {
            let reach = corners.iter().map(|corner| corner.abs().max_element()).fold(0.0, f64::max);
            // squares of lengths have to be finite, too
            if corners.iter().any(|corner| !corner.is_finite()) || reach > 1e100 {
                return Err(MeshError::NotFinite { facet: number + 1 });
            }
            size = size.max(reach);
        }
        let mut welded = welding::weld(facets, WELD * size)?;
        let stitched = stitching::stitch(&mut welded, FLATNESS * size, WELD * size)?;
        let flat = FLATNESS * size;
        let tolerance = 2.0 * flat;
        let Features { facets, faces, rings, edges, vertices } = division::divide(&welded, flat)?;
        let corners: Vec<[DVec3; 3]> = facets.iter().map(|facet| facet.corners).collect();
        Ok(Self {
            tree: Tree::new(&corners, tolerance),
            facets,
            faces,
            rings,
            edges,
            vertices,
            rounding: ROUNDING * size,
            tolerance,
            given: welded.given,
            left_out: welded.left_out,
            stitched,
        })
    }

    /// Number of facets that were left out because they have no area.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// Number of corners that lay in the middle of another facet's side, which was divided there.
    pub fn stitched(&self) -> usize {
        self.stitched
    }

    /// Straight lines where the mesh ends: start and end \[m\], the normal of the face that ends there, and the unit vector into it.
    pub fn rims(&self) -> impl Iterator<Item = [DVec3; 4]> {
        self.edges.iter().filter_map(|edge| match edge.sides.as_slice() {
            [(face, side)] => Some([edge.start, edge.end, self.faces[*face as usize].normal, side.inward]),
            _ => None,
        })
    }

    /// Number of features: faces, then edges, then vertices.
    pub fn features(&self) -> u32 {
        (self.faces.len() + self.edges.len() + self.vertices.len()) as u32
    }

    /// Numbers of facets, faces, edges and vertices.
    pub fn counts(&self) -> [usize; 4] {
        [self.facets.len(), self.faces.len(), self.edges.len(), self.vertices.len()]
    }

    /// Corners of the facets \[m\].
    pub fn triangles(&self) -> impl Iterator<Item = [DVec3; 3]> {
        self.facets.iter().map(|facet| facet.corners)
    }

    /// Corners of a box that holds the mesh \[m\].
    pub fn bounds(&self) -> (DVec3, DVec3) {
        let none = (DVec3::splat(f64::INFINITY), DVec3::splat(f64::NEG_INFINITY));
        self.triangles().flatten().fold(none, |(low, high), corner| (low.min(corner), high.max(corner)))
    }

    /// Distance from a point to the surface \[m\].
    pub fn distance(&self, point: DVec3) -> f64 {
        let squared = self.tree.nearest(point, |facet| {
            let nearest = nearest_of_triangle(&self.facets[facet].corners, point);
            (point - nearest).length_squared()
        });
        squared.sqrt()
    }

    /// Calls `visit` for every feature on which a place within `margin` of a point has a local minimum of the distance, if that is shorter
    /// than `reach` \[m\]; for some more than once, and for some on which only roundings tell.
    ///
    /// The conditions of a local minimum are distances from planes, which change by no more than a point moves: what misses one by more than
    /// the margin is left out.
    pub fn visit_near(&self, point: DVec3, reach: f64, margin: f64, visit: &mut dyn FnMut(u32)) {
        let margin = margin + self.tolerance;
        let reach = reach + margin;
        let (faces, edges) = (self.faces.len() as u32, self.edges.len() as u32);
        let is_near = |nearest: DVec3| (point - nearest).length_squared() < reach * reach;
        self.tree.visit_within(point, reach, |facet| {
            let Facet { corners, face, sides, vertices } = &self.facets[facet];
            let nearest = nearest_of_triangle(corners, point);
            if !is_near(nearest) {
                return;
            }
            let Face { origin, normal, hollow, .. } = &self.faces[*face as usize];
            // from the facet to the foot on its plane
            let aside = (point - nearest).reject_from_normalized(*normal);
            let may_surround = hollow.as_deref().is_some_and(|hollow| hollow.may_surround(*origin, point, margin));
            if aside.length_squared() <= margin * margin || may_surround {
                visit(*face);
            }
            for k in 0..3 {
                let (start, end) = (corners[k], corners[(k + 1) % 3]);
                if sides[k].edge != NONE
                    && self.edge_may_be_nearest(sides[k].edge, point, margin)
                    && is_near(nearest_of_segment(start, end, point))
                {
                    visit(faces + sides[k].edge);
                }
                if vertices[k] != NONE && is_near(start) && self.vertex_may_be_nearest(vertices[k], point, margin) {
                    visit(faces + edges + vertices[k]);
                }
            }
        });
    }

    /// Whether the distance may have a local minimum on an edge somewhere within `margin` of a point.
    fn edge_may_be_nearest(&self, edge: u32, point: DVec3, margin: f64) -> bool {
        let Edge { start, end, direction, sides, .. } = &self.edges[edge as usize];
        sides.iter().all(|(_, side)| side.depth(point) <= margin)
            && (point - *end).dot(*direction) <= margin
            && (*start - point).dot(*direction) <= margin
    }

    /// The same of a vertex.
    fn vertex_may_be_nearest(&self, vertex: u32, point: DVec3, margin: f64) -> bool {
        let Vertex { position, directions, .. } = &self.vertices[vertex as usize];
        directions.iter().all(|direction| (point - *position).dot(*direction) <= margin)
    }

    /// Point of a feature nearest to a given point, or of its continuation where the distance has no local minimum on the feature. This holds up
    /// to a distance of `reach`: none farther away is said to be [nearest](SurfacePoint::is_nearest).
    #[inline]
    pub fn surface_point(&self, feature: u32, point: DVec3, reach: f64) -> SurfacePoint {
        let feature = feature as usize;
        if let Some(face) = self.faces.get(feature) {
            let height = (point - face.origin).dot(face.normal);
            let normal = if height < 0.0 { -face.normal } else { face.normal };
            let surrounding = || face.hollow.as_deref().filter(|hollow| hollow.surrounds(face.origin, point, height));
            let is_nearest = height.abs() < reach
                && match surrounding() {
                    Some(hollow) => self.is_led(feature as u32, hollow, point),
                    None => self.holds_foot(feature, point, height) && !self.is_undercut(feature, point, height),
                };
            return SurfacePoint { distance: height.abs(), normal, curvature: 0.0, is_nearest };
        }
        let feature = feature - self.faces.len();
        if let Some(edge) = self.edges.get(feature) {
            let offset = point - edge.start;
            let offset = offset - edge.direction * offset.dot(edge.direction);
            let of_surface = || {
                let beside = edge.sides.first().map(|(face, _)| self.faces[*face as usize].normal);
                beside.unwrap_or_else(|| edge.direction.any_orthonormal_vector())
            };
            let aside = SurfacePoint::towards(offset, self.rounding, of_surface);
            return SurfacePoint {
                is_nearest: aside.distance < reach && self.edge_is_nearest(feature, point),
                ..aside
            };
        }
        let feature = feature - self.edges.len();
        let Some(vertex) = self.vertices.get(feature) else { return SurfacePoint::NONE };
        let is_nearest = || match self.vertex_verdict(vertex, point) {
            Verdict::No => false,
            Verdict::Perhaps => {
                !self.any_holds_foot(&vertex.faces, point)
                    && !vertex.edges.iter().any(|&edge| self.edge_is_nearest(edge as usize, point))
            }
            Verdict::Yes => true,
        };
        let of_surface = || vertex.faces.first().map_or(DVec3::Z, |&face| self.faces[face as usize].normal);
        let away = SurfacePoint::towards(point - vertex.position, self.rounding, of_surface);
        SurfacePoint { is_nearest: away.distance < reach && is_nearest(), ..away }
    }

    /// How far a point may move before the answer may change whether the distance has a local minimum on a feature \[m\]: positive if it has,
    /// negative if it has none, zero if it is not known. No less than [`Self::surface_point`] asks, in conditions that change by no more than a
    /// point moves.
    pub fn certainty(&self, feature: u32, point: DVec3) -> f64 {
        let feature = feature as usize;
        let certainty = if let Some(face) = self.faces.get(feature) {
            self.certainty_of_face(face, point)
        } else if let Some(edge) = self.edges.get(feature - self.faces.len()) {
            let beside = edge.sides.iter().map(|(_, side)| side.depth(point)).fold(f64::NEG_INFINITY, f64::max);
            let beyond = (point - edge.end).dot(edge.direction).max((edge.start - point).dot(edge.direction));
            -beside.max(beyond)
        } else if let Some(vertex) = self.vertices.get(feature - self.faces.len() - self.edges.len()) {
            let offset = point - vertex.position;
            -vertex.directions.iter().map(|direction| offset.dot(*direction)).fold(f64::NEG_INFINITY, f64::max)
        } else {
            0.0
        };
        // what only roundings tell is not certain
        certainty.signum() * (certainty.abs() - 2.0 * self.rounding).clamp(0.0, f64::MAX)
    }

    fn certainty_of_face(&self, face: &Face, point: DVec3) -> f64 {
        if face.outline.is_empty() {
            return 0.0;
        }
        let foot = |face: &Face| face.outline.iter().map(|side| side.depth(point)).fold(f64::INFINITY, f64::min);
        let height = (point - face.origin).dot(face.normal);
        let within = foot(face);
        // up to there it is no matter of the axis of a ring
        let mut far = face.hollow.as_deref().map_or(f64::INFINITY, |hollow| hollow.stays_aside(height));
        if within < 0.0 {
            return -far.min(-within);
        }
        far = far.min(within);
        for &other in &face.shallow {
            let neighbour = &self.faces[other as usize];
            if neighbour.outline.is_empty() {
                return 0.0;
            }
            let own = (point - neighbour.origin).dot(neighbour.normal);
            let beside = foot(neighbour);
            // one of the conditions under which the neighbour counts instead is missed by so much
            let farther = 0.5 * (own.abs() - height.abs());
            let sides = own.abs().min(height.abs());
            let agree = neighbour.normal.dot(face.normal) * own * height > 0.0;
            let missed = farther.max(-beside).max(if agree { 0.0 } else { sides });
            if missed <= 0.0 {
                // it counts, until one of them is
                return -far.min(-farther).min(beside).min(sides).max(0.0);
            }
            far = far.min(missed);
        }
        far.max(0.0)
    }

    /// Whether a number is below zero.
    fn is_negative(&self, number: f64) -> Verdict {
        if number < -self.rounding {
            Verdict::Yes
        } else if number <= self.rounding {
            Verdict::Perhaps
        } else {
            Verdict::No
        }
    }

    /// Whether the distance grows from a vertex in all directions.
    fn vertex_verdict(&self, vertex: &Vertex, point: DVec3) -> Verdict {
        let offset = point - vertex.position;
        let verdicts = vertex.directions.iter().map(|direction| self.is_negative(offset.dot(*direction)));
        verdicts.min().unwrap_or(Verdict::Yes)
    }

    /// Whether the foot on an edge lies beyond neither end, and the distance grows from there into all faces.
    fn edge_verdict(&self, edge: &Edge, point: DVec3) -> Verdict {
        let sides = edge.sides.iter().map(|(_, side)| self.is_negative(side.depth(point)));
        let before_end = self.is_negative((point - edge.end).dot(edge.direction));
        let after_start = self.is_negative((edge.start - point).dot(edge.direction));
        sides.min().unwrap_or(Verdict::Yes).min(before_end).min(after_start)
    }

    /// Whether the distance has a local minimum on an edge.
    fn edge_is_nearest(&self, number: usize, point: DVec3) -> bool {
        let edge = &self.edges[number];
        match self.edge_verdict(edge, point) {
            Verdict::No => return false,
            Verdict::Yes => return true,
            Verdict::Perhaps => {}
        }
        let ends = edge.vertices.map(|vertex| &self.vertices[vertex as usize]);
        let lies_at =
            |vertex: &&&Vertex| self.is_negative((point - vertex.position).dot(edge.direction)) == Verdict::Perhaps;
        let owners = edge.sides.iter().any(|(face, _)| self.any_holds_foot(&[*face], point));
        let beside = ends.iter().filter(lies_at).any(|vertex| {
            let before = vertex.edges.iter().take_while(|other| (**other as usize) < number);
            self.any_holds_foot(&vertex.faces, point)
                || before.into_iter().any(|&other| self.edge_verdict(&self.edges[other as usize], point) > Verdict::No)
        });
        !owners && !beside
    }

    fn any_holds_foot(&self, faces: &[u32], point: DVec3) -> bool {
        faces.iter().any(|&face| {
            let plane = &self.faces[face as usize];
            self.holds_foot(face as usize, point, (point - plane.origin).dot(plane.normal))
        })
    }

    /// Whether the foot of the perpendicular of a point at `height` above a face lies in the face.
    fn holds_foot(&self, face: usize, point: DVec3, height: f64) -> bool {
        let outline = &self.faces[face].outline;
        if !outline.is_empty() {
            return outline.iter().all(|side| side.depth(point) >= 0.0);
        }
        let foot = point - self.faces[face].normal * height;
        self.tree.any_around(foot, |facet| {
            let facet = &self.facets[facet];
            facet.face as usize == face
                && facet
                    .sides
                    .iter()
                    .all(|side| side.half_space.depth(point) >= if side.edge == NONE { -self.rounding } else { 0.0 })
        })
    }

    /// Whether a face that surrounds a point near the axis of its ring is the nearest one there or touched together with it.
    fn is_led(&self, face: u32, hollow: &Hollow, point: DVec3) -> bool {
        hollow::leader(&self.rings[hollow.ring as usize], point).is_some_and(|leader| {
            (leader == face || hollow.leaders.contains(&leader)) && self.any_holds_foot(&[leader], point)
        })
    }

    /// Whether a face that meets this one in a shallow valley is nearer.
    fn is_undercut(&self, face: usize, point: DVec3, height: f64) -> bool {
        self.faces[face].shallow.iter().any(|&other| {
            let neighbour = &self.faces[other as usize];
            let own = (point - neighbour.origin).dot(neighbour.normal);
            let nearer = own.abs() < height.abs() || (own.abs() == height.abs() && (other as usize) < face);
            // seen from the same side
            let agree = neighbour.normal.dot(self.faces[face].normal) * own * height > 0.0;
            nearer && agree && self.holds_foot(other as usize, point, own)
        })
    }
}

/// Point of a segment nearest to a point.
fn nearest_of_segment(start: DVec3, end: DVec3, point: DVec3) -> DVec3 {
    let along = end - start;
    start + along * ((point - start).dot(along) / along.length_squared()).clamp(0.0, 1.0)
}

/// Point of a triangle nearest to a point.
fn nearest_of_triangle(corners: &[DVec3; 3], point: DVec3) -> DVec3 {
    let [a, b, c] = *corners;
    let normal = (b - a).cross(c - a);
    let inside = (0..3).all(|k| {
        let (start, end) = (corners[k], corners[(k + 1) % 3]);
        normal.cross(end - start).dot(point - start) >= 0.0
    });
    if inside {
        return point - normal * ((point - a).dot(normal) / normal.length_squared());
    }
    let candidates = [(a, b), (b, c), (c, a)].map(|(start, end)| nearest_of_segment(start, end, point));
    let mut nearest = candidates[0];
    for candidate in candidates {
        if (point - candidate).length_squared() < (point - nearest).length_squared() {
            nearest = candidate;
        }
    }
    nearest
}
