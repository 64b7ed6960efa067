//! Division of a welded mesh into faces, edges and vertices.

use std::collections::BTreeMap;

use glam::DVec3;

use super::chain::Chain;
use super::error::MeshError;
use super::features::{Face, Facet, Features, Side, Vertex};
use super::half_space::HalfSpace;
use super::limits::{MOST_AT_SIDE, NONE, SHALLOW};
use super::rings::note_hollows;
use super::welding::Welded;

/// Convex faces with more sides are tested facet by facet, like others.
const MOST_SIDES: usize = 16;

/// Divides a mesh whose faces are flat within `tolerance` \[m\].
///
/// # Errors
/// A side that too many facets share.
pub(super) fn divide(welded: &Welded, tolerance: f64) -> Result<Features, MeshError> {
    let sides = SideMap::new(welded);
    if let Some(group) = sides.groups().find(|group| group.len() > MOST_AT_SIDE) {
        let corner = welded.points[group[0].0[0] as usize];
        return Err(MeshError::Crowded { found: group.len(), corner });
    }
    let (mut faces, face_of) = find_faces(welded, &sides, tolerance);
    let borders = find_borders(welded, &sides, &faces, &face_of);
    let (chains, edge_of) = find_chains(welded, &borders, tolerance);
    note_shallow(&mut faces, &borders);
    draw_outlines(&mut faces, &face_of, &chains, welded, tolerance);
    let count = faces.len();
    let rings = note_hollows(&mut faces, &middles(&face_of, count, welded), &chains);
    let (vertices, vertex_of) = find_vertices(welded, &borders, &chains, &face_of);
    let facets = (0..welded.facets.len())
        .map(|facet| {
            let corners = welded.corners(facet);
            let face = face_of[facet];
            let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
            let sides = std::array::from_fn(|k| {
                let border = borders.number_of(key(welded.facets[facet], k));
                let edge = border.map_or(NONE, |border| edge_of[border]);
                let (start, end) = (corners[k], corners[(k + 1) % 3]);
                let own = inward(&faces[face as usize], start, end, middle);
                let half_space = match edge {
                    NONE => HalfSpace { origin: start, inward: own },
                    // that of the edge, so that both conditions are on the same number
                    edge => chains[edge as usize]
                        .owners
                        .iter()
                        .find(|(owner, side)| *owner == face && side.inward.dot(own) > 0.0)
                        .map_or(HalfSpace { origin: start, inward: own }, |(_, side)| *side),
                };
                Side { half_space, edge }
            });
            Facet { corners, face, sides, vertices: welded.facets[facet].map(|point| vertex_of[point as usize]) }
        })
        .collect();
    let edges = chains.into_iter().map(|chain| chain.into_edge(&vertex_of)).collect();
    Ok(Features { facets, faces, rings, edges, vertices })
}

/// The two points of side `k` of a facet, the lower first.
fn key(facet: [u32; 3], k: usize) -> [u32; 2] {
    let (a, b) = (facet[k], facet[(k + 1) % 3]);
    [a.min(b), a.max(b)]
}

/// Unit vector in a face from the side `start`–`end` towards a point.
fn inward(face: &Face, start: DVec3, end: DVec3, towards: DVec3) -> DVec3 {
    let across = face.normal.cross(end - start).normalize();
    if (towards - start).dot(across) < 0.0 { -across } else { across }
}

/// Facets by the points of their sides.
struct SideMap {
    /// (points, facet), ascending.
    all: Vec<([u32; 2], u32)>,
}

impl SideMap {
    fn new(welded: &Welded) -> Self {
        let mut all: Vec<([u32; 2], u32)> = (0..welded.facets.len())
            .flat_map(|facet| (0..3).map(move |k| (key(welded.facets[facet], k), facet as u32)))
            .collect();
        all.sort_unstable();
        Self { all }
    }

    /// Facets at a side.
    fn at(&self, points: [u32; 2]) -> &[([u32; 2], u32)] {
        let first = self.all.partition_point(|(own, _)| *own < points);
        let count = self.all[first..].partition_point(|(own, _)| *own == points);
        &self.all[first..first + count]
    }

    /// All sides with their facets, ascending.
    fn groups(&self) -> impl Iterator<Item = &[([u32; 2], u32)]> {
        self.all.chunk_by(|a, b| a.0 == b.0)
    }
}

/// Grows faces from the largest facets; returns them and the face of every facet.
fn find_faces(welded: &Welded, sides: &SideMap, tolerance: f64) -> (Vec<Face>, Vec<u32>) {
    let spanned = |facet: usize| {
        let [a, b, c] = welded.corners(facet);
        (b - a).cross(c - a)
    };
    let mut by_area: Vec<(f64, u32)> =
        (0..welded.facets.len()).map(|facet| (spanned(facet).length(), facet as u32)).collect();
    by_area.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut face_of = vec![NONE; welded.facets.len()];
    let mut faces: Vec<Face> = Vec::new();
    for (_, seed) in by_area {
        if face_of[seed as usize] != NONE {
            continue;
        }
        let number = faces.len() as u32;
        let (origin, first) = (welded.corners(seed as usize)[0], spanned(seed as usize).normalize());
        let is_flat =
            |facet: usize| welded.corners(facet).iter().all(|corner| (*corner - origin).dot(first).abs() <= tolerance);
        face_of[seed as usize] = number;
        let (mut members, mut next) = (vec![seed], 0);
        while let Some(&facet) = members.get(next) {
            next += 1;
            for k in 0..3 {
                for &(_, other) in sides.at(key(welded.facets[facet as usize], k)) {
                    if face_of[other as usize] == NONE && is_flat(other as usize) {
                        face_of[other as usize] = number;
                        members.push(other);
                    }
                }
            }
        }
        // the mean plane, weighted with areas
        let (mut normal, mut centre, mut area) = (DVec3::ZERO, DVec3::ZERO, 0.0);
        for &facet in &members {
            let own = spanned(facet as usize);
            normal += if own.dot(first) < 0.0 { -own } else { own };
            let [a, b, c] = welded.corners(facet as usize).map(|corner| corner - origin);
            centre += (a + b + c) * (own.length() / 3.0);
            area += own.length();
        }
        let normal = normal.normalize();
        // the perpendicular part only, so that planes through round numbers stay exact
        let origin = origin + normal * (centre / area).dot(normal);
        faces.push(Face { origin, normal, shallow: Vec::new(), outline: Vec::new(), hollow: None });
    }
    (faces, face_of)
}

/// Side of facets that is not inside a face.
struct Border {
    points: [u32; 2],
    /// Faces that end here, with unit vectors into them, in order of faces.
    owners: Vec<(u32, DVec3)>,
}

/// Borders, ascending by points.
struct Borders {
    all: Vec<Border>,
    /// Those that end in a point.
    at_point: BTreeMap<u32, Vec<usize>>,
}

impl Borders {
    fn number_of(&self, points: [u32; 2]) -> Option<usize> {
        self.all.binary_search_by_key(&points, |border| border.points).ok()
    }
}

fn find_borders(welded: &Welded, sides: &SideMap, faces: &[Face], face_of: &[u32]) -> Borders {
    let mut borders = Borders { all: Vec::new(), at_point: BTreeMap::new() };
    for group in sides.groups() {
        let points = group[0].0;
        let [start, end] = points.map(|point| welded.points[point as usize]);
        let mut owners: Vec<(u32, DVec3)> = group
            .iter()
            .map(|&(_, facet)| {
                let face = face_of[facet as usize];
                let [a, b, c] = welded.corners(facet as usize);
                (face, inward(&faces[face as usize], start, end, (a + b + c) / 3.0))
            })
            .collect();
        owners.sort_by_key(|(face, _)| *face);
        let one_face = owners.iter().all(|(face, _)| *face == owners[0].0);
        let goes_on = owners.iter().any(|(_, inward)| inward.dot(owners[0].1) < 0.0);
        if one_face && goes_on {
            continue;
        }
        for point in points {
            borders.at_point.entry(point).or_default().push(borders.all.len());
        }
        borders.all.push(Border { points, owners });
    }
    borders
}

/// Joins borders that continue each other, from the longest on; returns the chains and the chain of every border.
fn find_chains(welded: &Welded, borders: &Borders, tolerance: f64) -> (Vec<Chain>, Vec<u32>) {
    let point = |number: u32| welded.points[number as usize];
    let length = |border: &Border| point(border.points[0]).distance(point(border.points[1]));
    let mut by_length: Vec<usize> = (0..borders.all.len()).collect();
    by_length.sort_unstable_by(|&a, &b| length(&borders.all[b]).total_cmp(&length(&borders.all[a])).then(a.cmp(&b)));
    let mut chain_of = vec![NONE; borders.all.len()];
    let mut chains = Vec::new();
    for seed in by_length {
        if chain_of[seed] != NONE {
            continue;
        }
        let number = chains.len() as u32;
        chain_of[seed] = number;
        let border = &borders.all[seed];
        let mut ends = border.points;
        let line = (point(ends[1]) - point(ends[0])).normalize();
        for side in 0..2 {
            let ahead = if side == 0 { -line } else { line };
            while let Some(&[a, b]) = borders.at_point.get(&ends[side]).map(Vec::as_slice) {
                let next = if chain_of[a] == NONE { a } else { b };
                if chain_of[next] != NONE {
                    break;
                }
                let other = &borders.all[next];
                let [p, q] = other.points;
                let end = if p == ends[side] { q } else { p };
                let way = point(end) - point(border.points[0]);
                let strays = (way - line * way.dot(line)).length() > tolerance;
                let turns_back = (point(end) - point(ends[side])).dot(ahead) <= 0.0;
                if strays || turns_back || !same_faces(&border.owners, &other.owners) {
                    break;
                }
                chain_of[next] = number;
                ends[side] = end;
            }
        }
        let (start, end) = (point(ends[0]), point(ends[1]));
        let direction = (end - start).normalize();
        let owners = border
            .owners
            .iter()
            .map(|&(face, inward)| {
                let inward = (inward - direction * inward.dot(direction)).normalize();
                (face, HalfSpace { origin: start, inward })
            })
            .collect();
        chains.push(Chain { ends, start, end, direction, owners });
    }
    (chains, chain_of)
}

fn same_faces(a: &[(u32, DVec3)], b: &[(u32, DVec3)]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|((f, u), (g, v))| f == g && u.dot(*v) > 0.0)
}

/// Notes which faces meet at less than [`SHALLOW`].
fn note_shallow(faces: &mut [Face], borders: &Borders) {
    let limit = libm::cos(SHALLOW);
    for border in &borders.all {
        for (at, &(a, _)) in border.owners.iter().enumerate() {
            for &(b, _) in &border.owners[at + 1..] {
                if a != b && faces[a as usize].normal.dot(faces[b as usize].normal).abs() > limit {
                    faces[a as usize].shallow.push(b);
                    faces[b as usize].shallow.push(a);
                }
            }
        }
    }
    for face in faces {
        face.shallow.sort_unstable();
        face.shallow.dedup();
    }
}

/// Notes the sides of faces that lie on the inner side of all of them: such a face has no dent and no hole.
fn draw_outlines(faces: &mut [Face], face_of: &[u32], chains: &[Chain], welded: &Welded, tolerance: f64) {
    for &(face, side) in chains.iter().flat_map(|chain| &chain.owners) {
        faces[face as usize].outline.push(side);
    }
    let mut is_convex: Vec<bool> = faces.iter().map(|face| face.outline.len() <= MOST_SIDES).collect();
    for (facet, &face) in face_of.iter().enumerate() {
        let is_convex = &mut is_convex[face as usize];
        *is_convex = *is_convex
            && welded
                .corners(facet)
                .iter()
                .all(|corner| faces[face as usize].outline.iter().all(|side| side.depth(*corner) >= -tolerance));
    }
    for (face, _) in faces.iter_mut().zip(is_convex).filter(|(_, is_convex)| !is_convex) {
        face.outline = Vec::new();
    }
}

/// Means of the corners of the facets of each face.
fn middles(face_of: &[u32], faces: usize, welded: &Welded) -> Vec<DVec3> {
    let mut sums = vec![(DVec3::ZERO, 0.0); faces];
    for (facet, &face) in face_of.iter().enumerate() {
        let (sum, corners) = &mut sums[face as usize];
        *sum += welded.corners(facet).into_iter().sum::<DVec3>();
        *corners += 3.0;
    }
    sums.into_iter().map(|(sum, corners)| sum / corners).collect()
}

/// Vertices where edges end, and the vertex of every point.
fn find_vertices(welded: &Welded, borders: &Borders, chains: &[Chain], face_of: &[u32]) -> (Vec<Vertex>, Vec<u32>) {
    let mut vertices: Vec<Vertex> = Vec::new();
    let mut vertex_of = vec![NONE; welded.points.len()];
    for (edge, chain) in chains.iter().enumerate() {
        for (point, direction) in [(chain.ends[0], chain.direction), (chain.ends[1], -chain.direction)] {
            let number = &mut vertex_of[point as usize];
            if *number == NONE {
                *number = vertices.len() as u32;
                let position = welded.points[point as usize];
                vertices.push(Vertex { position, directions: Vec::new(), faces: Vec::new(), edges: Vec::new() });
            }
            let vertex = &mut vertices[*number as usize];
            vertex.directions.push(direction);
            vertex.edges.push(edge as u32);
        }
    }
    for (facet, points) in welded.facets.iter().enumerate() {
        for k in 0..3 {
            let (a, b) = (points[k], points[(k + 1) % 3]);
            let inside = borders.number_of(key(*points, k)).is_none();
            let direction = (welded.points[b as usize] - welded.points[a as usize]).normalize();
            for (point, direction) in [(a, direction), (b, -direction)] {
                if let Some(vertex) = vertices.get_mut(vertex_of[point as usize] as usize) {
                    vertex.faces.push(face_of[facet]);
                    if inside {
                        vertex.directions.push(direction);
                    }
                }
            }
        }
    }
    for vertex in &mut vertices {
        vertex.faces.sort_unstable();
        vertex.faces.dedup();
        // a ring has the same edge twice
        vertex.edges.dedup();
    }
    (vertices, vertex_of)
}
