//! The lines that stand for a wall: its borders, its creases and its contour as seen from the eye.

use std::collections::BTreeMap;

use glam::DVec3;

use crate::picture::lens::Lens;
use crate::picture::scene::WallSurface;

/// Neighbouring triangles that meet at more than this angle share a crease: cosine of 30 degrees.
const CREASE_COSINE: f64 = 0.866_025_403_784_438_6;

type CornerKey = [u64; 3];

/// Segments in camera axes: the wall's own lines and the drawn edges of its triangles.
pub(crate) fn trace_outline(wall: &WallSurface, to_camera: impl Fn(DVec3) -> DVec3, lens: &Lens) -> Vec<[DVec3; 2]> {
    // Ends of each edge and the corners opposite to it, one for each triangle at the edge.
    let mut edges: BTreeMap<[CornerKey; 2], ([DVec3; 2], Vec<DVec3>)> = BTreeMap::new();
    for corners in &wall.triangles {
        for k in 0..3 {
            let (a, b, opposite) = (corners[k], corners[(k + 1) % 3], corners[(k + 2) % 3]);
            let mut ends = [(key(a), a), (key(b), b)];
            ends.sort_unstable_by_key(|end| end.0);
            if ends[0].0 != ends[1].0 {
                let entry = edges.entry([ends[0].0, ends[1].0]).or_insert(([ends[0].1, ends[1].1], Vec::new()));
                entry.1.push(opposite);
            }
        }
    }
    let given = wall.lines.iter().map(|line| line.map(&to_camera));
    let found = edges.into_values().filter_map(|(ends, opposites)| {
        let ends = ends.map(&to_camera);
        let drawn = match opposites[..] {
            [first, second] => {
                let beside = [to_camera(first), to_camera(second)];
                is_crease(ends, beside) || lens.is_silhouette(ends, beside)
            }
            _ => true,
        };
        drawn.then_some(ends)
    });
    given.chain(found).collect()
}

/// Whether the triangles on both sides of an edge fold. Works on the opposite corners, not on normals, so that the order
/// of rotation of the corners does not matter.
fn is_crease(edge: [DVec3; 2], beside: [DVec3; 2]) -> bool {
    let along = (edge[1] - edge[0]).normalize_or_zero();
    let [first, second] = beside.map(|corner| (corner - edge[0]).reject_from_normalized(along).normalize_or_zero());
    first.dot(second) > -CREASE_COSINE
}

/// Bits of a corner with one zero only.
fn key(corner: DVec3) -> CornerKey {
    corner.to_array().map(|x| (x + 0.0).to_bits())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::camera::Camera;
    use crate::picture::view::{Projection, View};

    fn front_lens() -> (Camera, Lens) {
        let projection = Projection::Perspective { field_of_view_degrees: 30.0 };
        let view = View { azimuth_degrees: 0.0, elevation_degrees: 0.0, projection, ..View::default() };
        let camera = Camera::fit(&[(DVec3::ZERO, 2.0)], &view, 1.0).unwrap();
        (camera, Lens::new(&camera, [0.0; 2], [100.0; 2]))
    }

    #[test]
    fn flat_square_is_its_border_only() {
        let [a, b, c, d] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(|[y, z]| DVec3::new(0.0, y, z));
        // The second triangle turns the other way round.
        let wall = WallSurface { triangles: vec![[a, b, c], [a, d, c]], ..WallSurface::default() };
        let (camera, lens) = front_lens();
        assert_eq!(trace_outline(&wall, |p| camera.to_camera(p), &lens).len(), 4);
    }

    #[test]
    fn smooth_tube_shows_its_rims_and_two_contour_lines() {
        let count = 48;
        let ring = |k: u32, z: f64| {
            let angle = f64::from(k % count) / f64::from(count) * std::f64::consts::TAU;
            DVec3::new(angle.cos(), angle.sin(), z)
        };
        let triangles = (0..count)
            .flat_map(|k| {
                let (a, b, c, d) = (ring(k, -1.0), ring(k + 1, -1.0), ring(k + 1, 1.0), ring(k, 1.0));
                [[a, b, c], [a, c, d]]
            })
            .collect();
        let (camera, lens) = front_lens();
        let segments =
            trace_outline(&WallSurface { triangles, ..WallSurface::default() }, |p| camera.to_camera(p), &lens);
        let upright = segments.iter().filter(|[a, b]| (a.y - b.y).abs() > 0.5).count();
        assert_eq!((segments.len() - upright, upright), (2 * count as usize, 2));
    }

    #[test]
    fn cube_keeps_its_twelve_edges() {
        let corner = |k: usize| DVec3::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2 & 1) as f64);
        let faces = [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];
        let triangles = faces
            .iter()
            .flat_map(|&[a, b, c, d]| [[corner(a), corner(b), corner(c)], [corner(a), corner(c), corner(d)]])
            .collect();
        let (camera, lens) = front_lens();
        assert_eq!(
            trace_outline(&WallSurface { triangles, ..WallSurface::default() }, |p| camera.to_camera(p), &lens).len(),
            12
        );
    }
}
