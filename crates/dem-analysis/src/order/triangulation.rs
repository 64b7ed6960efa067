//! Delaunay triangulation of points in the plane, with its boundary and the sides of the Voronoi cells.

use delaunator::{EMPTY, Point, triangulate};

/// A triangulation.
pub struct Triangulation {
    /// Corners, three for each triangle; the half-edge k leads from corner k to the next one of its triangle.
    corners: Vec<usize>,
    /// The half-edge on the other side of each; `EMPTY` on the hull.
    opposite: Vec<usize>,
    /// Centre and radius of the circle through the corners of each triangle \[m\].
    circles: Vec<([f64; 2], f64)>,
    hull: Vec<usize>,
    count: usize,
}

impl Triangulation {
    /// Of some points; without triangles if they all lie on a line.
    pub fn new(points: &[[f64; 2]]) -> Self {
        let converted: Vec<Point> = points.iter().map(|&[x, y]| Point { x, y }).collect();
        let found = triangulate(&converted);
        let circle = |triangle: &[usize]| circle([points[triangle[0]], points[triangle[1]], points[triangle[2]]]);
        Self {
            circles: found.triangles.chunks_exact(3).map(circle).collect(),
            corners: found.triangles,
            opposite: found.halfedges,
            hull: found.hull,
            count: points.len(),
        }
    }

    /// Calls back once for every edge with its ends and the length of the side that the Voronoi cells of the ends have in common \[m\],
    /// zero on the hull.
    pub fn for_each_edge(&self, mut act: impl FnMut([usize; 2], f64)) {
        for (at, &opposite) in self.opposite.iter().enumerate() {
            let ends = [self.corners[at], self.corners[next(at)]];
            if opposite == EMPTY {
                act(ends, 0.0);
            } else if at < opposite {
                let ([x, y], [u, v]) = (self.circles[at / 3].0, self.circles[opposite / 3].0);
                act(ends, libm::hypot(u - x, v - y));
            }
        }
    }

    /// Which points are on the hull, or can be touched from outside by a circle of the given radius \[m\] without points in it.
    pub fn boundary(&self, radius: f64) -> Vec<bool> {
        let mut boundary = vec![self.corners.is_empty(); self.count];
        for &point in &self.hull {
            boundary[point] = true;
        }
        let is_open = |triangle: usize| self.circles[triangle].1 > radius;
        let mut outside = vec![false; self.circles.len()];
        let mut waiting: Vec<usize> =
            (0..self.opposite.len()).filter(|&at| self.opposite[at] == EMPTY).map(|at| at / 3).collect();
        while let Some(triangle) = waiting.pop() {
            if outside[triangle] || !is_open(triangle) {
                continue;
            }
            outside[triangle] = true;
            for at in 3 * triangle..3 * triangle + 3 {
                boundary[self.corners[at]] = true;
                if self.opposite[at] != EMPTY {
                    waiting.push(self.opposite[at] / 3);
                }
            }
        }
        boundary
    }
}

/// The next half-edge of the same triangle.
fn next(at: usize) -> usize {
    if at % 3 == 2 { at - 2 } else { at + 1 }
}

/// Centre and radius of the circle through three points; infinite if they lie on a line.
fn circle([a, b, c]: [[f64; 2]; 3]) -> ([f64; 2], f64) {
    let (bx, by, cx, cy) = (b[0] - a[0], b[1] - a[1], c[0] - a[0], c[1] - a[1]);
    let area = 2.0 * (bx * cy - by * cx);
    if area == 0.0 {
        return (a, f64::INFINITY);
    }
    let (b2, c2) = (bx * bx + by * by, cx * cx + cy * cy);
    let (x, y) = ((cy * b2 - by * c2) / area, (bx * c2 - cx * b2) / area);
    ([a[0] + x, a[1] + y], libm::hypot(x, y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circle_goes_through_its_corners() {
        let corners = [[1.0, 2.0], [3.0, 1.0], [2.0, 5.0]];
        let (centre, radius) = circle(corners);
        for [x, y] in corners {
            assert!(((x - centre[0]).hypot(y - centre[1]) - radius).abs() < 1e-12);
        }
        assert_eq!(circle([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]).1, f64::INFINITY);
    }

    #[test]
    fn edges_of_a_square_are_its_sides_and_one_diagonal() {
        let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let mut lengths = Vec::new();
        Triangulation::new(&square).for_each_edge(|[a, b], side| {
            let length: f64 = (square[a][0] - square[b][0]).hypot(square[a][1] - square[b][1]);
            lengths.push((length, side));
        });
        assert_eq!(lengths.len(), 5);
        assert_eq!(lengths.iter().filter(|(length, _)| *length > 1.1).count(), 1);
        assert!(lengths.iter().all(|(_, side)| side.abs() < 1e-12));
    }
}
