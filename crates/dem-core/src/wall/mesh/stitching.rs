//! Facets that share a side in part: where a corner lies in the middle of another facet's side, this facet is divided there.
//!
//! Two parts of a surface that were divided into facets by themselves meet like that, and so do the neighbours of a facet without area that was
//! left out. Afterwards neighbours share whole sides, and faces, edges and vertices are what they are anywhere else. Sides that two facets share
//! need no check, so that a closed mesh costs nothing.

use std::collections::BTreeMap;

use glam::DVec3;

use super::error::MeshError;
use super::limits::MOST_CORNERS_IN_SIDES;
use super::tree::Tree;
use super::welding::{Welded, are_on_a_line};

/// Corners in the middle of sides that are allowed beside those for each facet.
const FEW: usize = 1024;
/// Most rounds: a side that was divided may have another corner in the middle of a half.
const MOST_ROUNDS: usize = 64;

/// Divides facets at the corners in the middle of their open sides, which are no farther from them than `tolerance` \[m\]; corners closer than
/// `weld` \[m\] are one. Returns at how many.
///
/// # Errors
/// More such corners than any sound mesh has.
pub(super) fn stitch(welded: &mut Welded, tolerance: f64, weld: f64) -> Result<usize, MeshError> {
    let mut divisions = 0;
    let facets = welded.facets.len();
    for _ in 0..MOST_ROUNDS {
        let most = (MOST_CORNERS_IN_SIDES * facets + FEW).saturating_sub(divisions);
        let found = find(welded, tolerance, most)
            .map_err(|corners| MeshError::Tangled { corners: divisions + corners, facets })?;
        if found.is_empty() {
            break;
        }
        let mut divided = 0;
        for (facet, points) in found {
            divided += divide(welded, facet as usize, &points, weld);
        }
        divisions += divided;
        if divided == 0 {
            break;
        }
    }
    Ok(divisions)
}

/// The side `k` of a facet, the lower point first.
fn side(facet: [u32; 3], k: usize) -> [u32; 2] {
    let (a, b) = (facet[k], facet[(k + 1) % 3]);
    [a.min(b), a.max(b)]
}

/// Sides that one facet has for itself, ascending.
fn open_sides(welded: &Welded) -> Vec<[u32; 2]> {
    let mut all: Vec<[u32; 2]> = welded.facets.iter().flat_map(|&facet| (0..3).map(move |k| side(facet, k))).collect();
    all.sort_unstable();
    all.chunk_by(|a, b| a == b).filter(|group| group.len() == 1).map(|group| group[0]).collect()
}

/// For facets with corners in the middle of an open side: that side, and the corners. Fails with their number if it is above `most`.
fn find(welded: &Welded, tolerance: f64, most: usize) -> Result<BTreeMap<u32, Vec<(usize, u32)>>, usize> {
    let open = open_sides(welded);
    let mut found = BTreeMap::new();
    if open.is_empty() {
        return Ok(found);
    }
    let mut ends: Vec<u32> = open.iter().flatten().copied().collect();
    ends.sort_unstable();
    ends.dedup();
    let owners: Vec<u32> = (0..welded.facets.len() as u32)
        .filter(|&facet| (0..3).any(|k| open.binary_search(&side(welded.facets[facet as usize], k)).is_ok()))
        .collect();
    let corners: Vec<[DVec3; 3]> = owners.iter().map(|&facet| welded.corners(facet as usize)).collect();
    let tree = Tree::new(&corners, tolerance);
    let mut count = 0;
    for &end in &ends {
        let point = welded.points[end as usize];
        tree.visit_within(point, tolerance, |number| {
            let facet = welded.facets[owners[number] as usize];
            if facet.contains(&end) {
                return;
            }
            let on = |&k: &usize| {
                open.binary_search(&side(facet, k)).is_ok()
                    && lies_within(corners[number][k], corners[number][(k + 1) % 3], point, tolerance)
            };
            if let Some(k) = (0..3).find(on) {
                found.entry(owners[number]).or_insert_with(Vec::new).push((k, end));
                count += 1;
            }
        });
        // sides that lie in each other have all their corners in each other
        if count > most {
            return Err(count);
        }
    }
    Ok(found)
}

/// Whether a point lies on a segment, clear of its ends.
fn lies_within(start: DVec3, end: DVec3, point: DVec3, tolerance: f64) -> bool {
    let along = end - start;
    let share = (point - start).dot(along) / along.length_squared();
    let foot = start + along * share;
    let from_end = share.min(1.0 - share) * along.length();
    from_end > tolerance && (point - foot).length() <= tolerance
}

/// Divides a facet at corners in the middle of one of its sides, the first that has any; the others follow in the next round. Returns at how many.
fn divide(welded: &mut Welded, facet: usize, points: &[(usize, u32)], weld: f64) -> usize {
    let Some(k) = points.iter().map(|(k, _)| *k).min() else { return 0 };
    let corners = welded.facets[facet];
    let (start, end, opposite) = (corners[k], corners[(k + 1) % 3], corners[(k + 2) % 3]);
    let place = |point: u32| welded.points[point as usize];
    let along = place(end) - place(start);
    let mut on: Vec<u32> = points.iter().filter(|(side, _)| *side == k).map(|(_, point)| *point).collect();
    on.sort_by(|&a, &b| (place(a) - place(start)).dot(along).total_cmp(&(place(b) - place(start)).dot(along)));
    let stops: Vec<u32> = [start].into_iter().chain(on).chain([end]).collect();
    let parts: Vec<[u32; 3]> = stops.windows(2).map(|pair| [pair[0], pair[1], opposite]).collect();
    if parts.iter().any(|part| are_on_a_line(part.map(place), weld)) {
        // a sliver: a part of it would have no area
        return 0;
    }
    welded.facets[facet] = parts[0];
    welded.facets.extend(&parts[1..]);
    welded.given.resize(welded.facets.len(), welded.given[facet]);
    parts.len() - 1
}

#[cfg(test)]
mod tests {
    use super::super::{FLATNESS, Mesh, WELD, welding};
    use super::*;

    /// A rectangle between two corners, as two facets.
    fn plate(low: [f64; 2], high: [f64; 2]) -> [[DVec3; 3]; 2] {
        let at = |x: f64, y: f64| DVec3::new(x, y, 0.0);
        let [a, b, c, d] = [at(low[0], low[1]), at(high[0], low[1]), at(high[0], high[1]), at(low[0], high[1])];
        [[a, b, c], [a, c, d]]
    }

    fn rounded(facets: &[[DVec3; 3]]) -> Vec<[DVec3; 3]> {
        let turn = glam::DQuat::from_rotation_x(0.4) * glam::DQuat::from_rotation_y(0.3);
        facets.iter().map(|corners| corners.map(|x| (turn * x).as_vec3().as_dvec3())).collect()
    }

    #[test]
    fn plates_that_share_a_side_in_part_are_one_face() {
        let half = [plate([0.0, -1.0], [1.0, 0.3]), plate([0.0, 0.3], [1.0, 1.0])].concat();
        let whole = [plate([-1.0, -1.0], [0.0, 1.0]).to_vec(), half].concat();
        for facets in [whole.clone(), rounded(&whole)] {
            let mesh = Mesh::new(&facets).unwrap();
            assert_eq!(mesh.counts()[1..], [1, 4, 4], "one plate with its rim");
            assert_eq!(mesh.stitched(), 1);
        }
    }

    #[test]
    fn many_corners_on_all_sides_leave_no_hole() {
        // a large facet whose sides border on many small ones
        let (a, b, c) = (DVec3::ZERO, DVec3::X, DVec3::Y);
        let mut facets = vec![[a, b, c]];
        for (from, to, out) in [(a, b, -DVec3::Y), (b, c, DVec3::X + DVec3::Y), (c, a, -DVec3::X)] {
            let at = |k: usize| from + (to - from) * (k as f64 / 7.0);
            facets.extend((0..7).map(|k| [at(k), at(k + 1), 0.5 * (from + to) + 0.4 * out]));
        }
        for facets in [facets.clone(), rounded(&facets)] {
            let mut welded = welding::weld(&facets, WELD).unwrap();
            assert_eq!(stitch(&mut welded, FLATNESS, WELD), Ok(18));
            let area = |facet: usize| {
                let [a, b, c] = welded.corners(facet);
                0.5 * (b - a).cross(c - a).length()
            };
            let given: f64 = facets.iter().map(|[a, b, c]| 0.5 * (b - a).cross(c - a).length()).sum();
            let found: f64 = (0..welded.facets.len()).map(area).sum();
            assert!((found - given).abs() < 1e-6, "{found} {given}");
            assert_eq!(Mesh::new(&facets).unwrap().counts()[1], 1, "one face");
        }
    }

    #[test]
    fn an_edge_that_faces_share_in_part_is_no_rim() {
        // a wall that stands on the side of a floor whose facets end elsewhere
        let floor = [plate([0.0, 0.0], [1.0, 0.4]), plate([0.0, 0.4], [1.0, 1.0])].concat();
        let at = |y: f64, z: f64| DVec3::new(0.0, y, z);
        let wall = [[at(0.0, 0.0), at(1.0, 0.0), at(1.0, 1.0)], [at(0.0, 0.0), at(1.0, 1.0), at(0.0, 1.0)]];
        let mesh = Mesh::new(&[floor, wall.to_vec()].concat()).unwrap();
        assert_eq!((mesh.counts()[1], mesh.stitched()), (2, 1));
        assert_eq!(mesh.rims().count(), 6, "three rims of each");
    }

    #[test]
    fn a_mesh_that_shares_whole_sides_is_left_alone() {
        let facets = [plate([0.0, 0.0], [1.0, 1.0]), plate([1.0, 0.0], [2.0, 1.0])].concat();
        let mut welded = welding::weld(&facets, WELD).unwrap();
        let before = welded.facets.clone();
        assert_eq!(stitch(&mut welded, FLATNESS, WELD), Ok(0));
        assert_eq!(welded.facets, before);
    }

    #[test]
    fn sides_that_lie_in_each_other_are_refused_before_they_are_divided() {
        let facets: Vec<[DVec3; 3]> = (0..200)
            .map(|k| {
                let (x, angle) = (1.0 + f64::from(k), 0.01 * f64::from(k));
                [DVec3::X * -x, DVec3::X * x, DVec3::new(0.0, libm::cos(angle), libm::sin(angle)) * x]
            })
            .collect();
        assert!(matches!(Mesh::new(&facets), Err(crate::wall::MeshError::Tangled { facets: 200, .. })));
    }

    #[test]
    fn neighbours_of_a_facet_without_area_are_joined() {
        let plates = [plate([0.0, 0.0], [1.0, 1.0]).to_vec(), {
            let at = |x: f64, y: f64| DVec3::new(x, y, 0.0);
            vec![
                [at(1.0, 0.0), at(2.0, 0.0), at(1.0, 0.5)],
                [at(2.0, 0.0), at(2.0, 1.0), at(1.0, 0.5)],
                [at(2.0, 1.0), at(1.0, 1.0), at(1.0, 0.5)],
            ]
        }]
        .concat();
        let sliver = [DVec3::new(1.0, 0.0, 0.0), DVec3::new(1.0, 0.5, 0.0), DVec3::new(1.0, 1.0, 0.0)];
        let mesh = Mesh::new(&[plates, vec![sliver, [DVec3::ZERO; 3]]].concat()).unwrap();
        assert_eq!((mesh.left_out(), mesh.stitched(), mesh.counts()[1]), (2, 1, 1));
    }
}
