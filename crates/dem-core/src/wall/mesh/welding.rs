//! From loose facets to corners that neighbours share.
//!
//! Facets whose corners are on a line, as far as the file can tell, have no side that a sphere could touch: they are left out. What they joined is
//! joined again by [`super::stitching`].

use std::collections::BTreeMap;

use glam::DVec3;

use super::error::MeshError;

/// Facets by the numbers of their corners.
pub(super) struct Welded {
    /// Corners \[m\].
    pub points: Vec<DVec3>,
    /// Facets.
    pub facets: Vec<[u32; 3]>,
    /// Their numbers among those that were given.
    pub given: Vec<u32>,
    /// Number of those that were left out because they have no area.
    pub left_out: usize,
}

impl Welded {
    /// Corners of a facet.
    pub fn corners(&self, facet: usize) -> [DVec3; 3] {
        self.facets[facet].map(|point| self.points[point as usize])
    }
}

/// Whether corners are on a line: the height above the longest side is no more than `tolerance` \[m\].
pub(super) fn are_on_a_line([a, b, c]: [DVec3; 3], tolerance: f64) -> bool {
    let longest = (b - a).length().max((c - b).length()).max((a - c).length());
    (b - a).cross(c - a).length() <= longest * tolerance
}

/// Makes one of corners that are closer than `tolerance` \[m\], and leaves out facets that have no area then.
///
/// # Errors
/// No facet with an area.
pub(super) fn weld(facets: &[[DVec3; 3]], tolerance: f64) -> Result<Welded, MeshError> {
    let mut welded = Welded {
        points: Vec::new(),
        facets: Vec::with_capacity(facets.len()),
        given: Vec::with_capacity(facets.len()),
        left_out: 0,
    };
    // points by cell, as wide as the tolerance: few are in one, whatever the mesh
    let mut cells: BTreeMap<[i64; 3], Vec<u32>> = BTreeMap::new();
    let width = tolerance.max(f64::MIN_POSITIVE);
    for (number, corners) in facets.iter().enumerate() {
        let points = corners.map(|corner| {
            let cell = (corner / width).floor().to_array().map(|x| x as i64);
            if let Some(found) = find(&cells, &welded.points, cell, corner, tolerance) {
                return found;
            }
            let new = welded.points.len() as u32;
            welded.points.push(corner);
            cells.entry(cell).or_default().push(new);
            new
        });
        if are_on_a_line(points.map(|point| welded.points[point as usize]), tolerance) {
            welded.left_out += 1;
        } else {
            welded.facets.push(points);
            welded.given.push(number as u32);
        }
    }
    if welded.facets.is_empty() { Err(MeshError::NoArea { found: facets.len() }) } else { Ok(welded) }
}

fn find(
    cells: &BTreeMap<[i64; 3], Vec<u32>>,
    points: &[DVec3],
    [x, y, z]: [i64; 3],
    corner: DVec3,
    tolerance: f64,
) -> Option<u32> {
    let steps = || -1..=1i64;
    let around = steps().flat_map(|i| steps().flat_map(move |j| steps().map(move |k| [x + i, y + j, z + k])));
    around
        .filter_map(|cell| cells.get(&cell))
        .flatten()
        .copied()
        .filter(|&point| points[point as usize].distance(corner) <= tolerance)
        .min()
}
