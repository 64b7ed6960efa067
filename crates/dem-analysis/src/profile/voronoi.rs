//! Voronoi cells: for each face its area and the direction to the neighbour on the other side.
//!
//! The face towards a neighbour is the part of the bisecting plane that no other bisecting plane cuts off. Neighbours are taken in order of
//! distance; a plane farther than the farthest corner of a polygon cannot cut it.

use dem_core::DVec3;

/// A face of a Voronoi cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Face {
    /// Unit vector to the neighbour.
    pub direction: DVec3,
    /// Area \[m²\].
    pub area: f64,
}

/// Faces of the Voronoi cell of a point with the given ways to the points around it within `reach` \[m\], which are sorted on the way;
/// `None` if points farther away may have a part in it, as at a surface.
pub fn faces(ways: &mut [DVec3], reach: f64) -> Option<Vec<Face>> {
    ways.sort_unstable_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
    let mut found = Vec::new();
    let (mut polygon, mut clipped) = (Vec::new(), Vec::new());
    for (k, way) in ways.iter().enumerate() {
        let distance = way.length();
        if distance == 0.0 {
            return None;
        }
        let normal = *way / distance;
        let [u, v] = [normal.any_orthonormal_vector(), normal.cross(normal.any_orthonormal_vector())];
        let middle = 0.5 * *way;
        polygon.clear();
        polygon.extend(
            [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(a, b)| middle + reach * (a * u + b * v)),
        );
        for (other, cut) in ways.iter().enumerate() {
            let limit = 0.5 * cut.length_squared();
            let farthest = polygon.iter().map(|corner: &DVec3| corner.length_squared()).fold(0.0, f64::max);
            if farthest * cut.length_squared() <= limit * limit {
                break;
            }
            // most planes pass by
            if other != k && polygon.iter().any(|corner| corner.dot(*cut) > limit) {
                clip(&polygon, *cut, limit, &mut clipped);
                std::mem::swap(&mut polygon, &mut clipped);
                if polygon.is_empty() {
                    break;
                }
            }
        }
        if polygon.iter().any(|corner| corner.length_squared() > 0.25 * reach * reach) {
            return None;
        }
        let area = 0.5 * fan(&polygon).dot(normal).abs();
        if area > 0.0 {
            found.push(Face { direction: normal, area });
        }
    }
    (!found.is_empty()).then_some(found)
}

/// Keeps the part of a polygon with `corner · normal ≤ limit`.
fn clip(polygon: &[DVec3], normal: DVec3, limit: f64, kept: &mut Vec<DVec3>) {
    kept.clear();
    for (k, &corner) in polygon.iter().enumerate() {
        let next = polygon[(k + 1) % polygon.len()];
        let (here, there) = (corner.dot(normal) - limit, next.dot(normal) - limit);
        if here <= 0.0 {
            kept.push(corner);
        }
        if (here < 0.0 && there > 0.0) || (here > 0.0 && there < 0.0) {
            kept.push(corner + (next - corner) * (here / (here - there)));
        }
    }
}

/// Twice the area of a plane polygon, along its normal.
fn fan(polygon: &[DVec3]) -> DVec3 {
    let Some(&first) = polygon.first() else { return DVec3::ZERO };
    polygon.windows(2).map(|pair| (pair[0] - first).cross(pair[1] - first)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cell_of_a_simple_cubic_lattice_is_a_cube() {
        let mut ways = Vec::new();
        for k in 0..125 {
            let way = DVec3::new((k % 5) as f64 - 2.0, (k / 5 % 5) as f64 - 2.0, (k / 25) as f64 - 2.0);
            if way != DVec3::ZERO && way.length() <= 2.4 {
                ways.push(way);
            }
        }
        let found = faces(&mut ways, 2.4).unwrap();
        assert!((found.iter().map(|face| face.area).sum::<f64>() - 6.0).abs() < 1e-12);
        assert_eq!(found.iter().filter(|face| face.area > 1e-9).count(), 6);
    }

    #[test]
    fn cell_with_nothing_on_one_side_is_open() {
        let mut ways: Vec<DVec3> = [DVec3::X, DVec3::Y, DVec3::Z, -DVec3::X, -DVec3::Y].to_vec();
        assert_eq!(faces(&mut ways, 2.4), None);
    }

    /// The cells of all points fill a periodic box: volumes of the pyramids over the faces.
    #[test]
    fn cells_of_random_points_fill_the_box() {
        use crate::profile::neighbours::Neighbourhood;
        use dem_core::cell::{Cell, FacePolicy};
        use rand::{Rng, SeedableRng};
        let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(5);
        let edge = 6.0;
        let cell = Cell::orthogonal(DVec3::ZERO, DVec3::splat(edge), [true; 3], [[FacePolicy::Open; 2]; 3]);
        let mut unit = || (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        let mut point = || DVec3::new(unit(), unit(), unit()) * edge;
        let points: Vec<DVec3> = (0..250).map(|_| point()).collect();
        let reach = 3.0;
        let near = Neighbourhood::new(&points, reach, &cell);
        let mut volume = 0.0;
        for row in 0..points.len() {
            let mut ways = Vec::new();
            near.around(row, |_, way| ways.push(way));
            let distances: Vec<DVec3> = ways.clone();
            let found = faces(&mut ways, reach).expect("the points are dense enough");
            for face in found {
                let nearest = distances.iter().find(|way| (way.normalize() - face.direction).length() < 1e-12);
                volume += face.area * 0.5 * nearest.expect("a neighbour").length() / 3.0;
            }
        }
        assert!((volume - edge.powi(3)).abs() < 1e-9, "{volume}");
    }
}
