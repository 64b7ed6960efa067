//! Walls as triangles, for visualisation.

use dem_core::wall::{BoxFaces, Shape, Wall};
use dem_io::snapshot::Frame;
use glam::DVec3;

/// Segments of a circle of a wall.
const SEGMENTS: usize = 96;

/// Lower and upper corner of the centres of the particles of a frame \[m\]; infinite without any.
pub(crate) fn reach(frame: &Frame) -> (DVec3, DVec3) {
    frame.positions.iter().fold((DVec3::splat(f64::INFINITY), DVec3::splat(f64::NEG_INFINITY)), |(low, high), &x| {
        (low.min(x), high.max(x))
    })
}

/// Triangles of a wall at its present pose; unlimited ones are drawn as far as the particles reach.
pub(crate) fn wall_triangles(wall: &Wall, extent: (DVec3, DVec3)) -> Vec<[DVec3; 3]> {
    let pose = wall.pose;
    let place = |x: DVec3| pose.position + pose.orientation * x;
    let triangles = match wall.shape {
        Shape::Plane { point, normal } => {
            let (low, high) = extent;
            if !low.is_finite() || !high.is_finite() {
                return Vec::new();
            }
            let normal = pose.orientation * normal;
            let middle = 0.5 * (low + high);
            let centre = middle - normal * (middle - place(point)).dot(normal);
            let u = normal.any_orthonormal_vector() * 0.6 * (high - low).length();
            return quad(centre, u, normal.cross(u));
        }
        Shape::Rectangle { centre, half_u, half_v } => quad(centre, half_u, half_v),
        Shape::Box { low, high, closed } => box_faces(low, high, closed),
        Shape::Revolution { base, axis, start, end } => {
            let [start, end] =
                [start, end].map(|p| glam::DVec2::new(p.x, within(p.y, place(base), pose.orientation * axis, extent)));
            if !(start.y.is_finite() && end.y.is_finite()) {
                return Vec::new();
            }
            let u = axis.any_orthonormal_vector();
            let v = axis.cross(u);
            let ring = |p: glam::DVec2| -> Vec<DVec3> {
                (0..=SEGMENTS)
                    .map(|k| {
                        let angle = std::f64::consts::TAU * (k % SEGMENTS) as f64 / SEGMENTS as f64;
                        base + axis * p.y + (u * angle.cos() + v * angle.sin()) * p.x
                    })
                    .collect()
            };
            strip(&ring(start), &ring(end))
        }
        Shape::Sphere { centre, radius } => {
            let ring = |k: usize| -> Vec<DVec3> {
                let polar = std::f64::consts::PI * k as f64 / 24.0;
                (0..=SEGMENTS)
                    .map(|j| {
                        let angle = std::f64::consts::TAU * (j % SEGMENTS) as f64 / SEGMENTS as f64;
                        let across = polar.sin() * radius;
                        centre + DVec3::new(across * angle.cos(), across * angle.sin(), radius * polar.cos())
                    })
                    .collect()
            };
            (0..24).flat_map(|k| strip(&ring(k), &ring(k + 1))).collect()
        }
        Shape::Mesh { ref mesh, at } => mesh.triangles().map(|corners| corners.map(|x| x + at)).collect(),
    };
    triangles.into_iter().map(|t| t.map(place)).collect()
}

/// A height along an axis, or as far as the particles reach if it is unlimited.
fn within(height: f64, base: DVec3, axis: DVec3, (low, high): (DVec3, DVec3)) -> f64 {
    if height.is_finite() || !low.is_finite() || !high.is_finite() {
        return height;
    }
    let middle = (0.5 * (low + high) - base).dot(axis);
    middle + (0.5 * (high - low)).abs().dot(axis.abs()).copysign(height)
}

fn quad(centre: DVec3, u: DVec3, v: DVec3) -> Vec<[DVec3; 3]> {
    let (a, b, c, d) = (centre - u - v, centre + u - v, centre + u + v, centre - u + v);
    vec![[a, b, c], [a, c, d]]
}

fn box_faces(low: DVec3, high: DVec3, closed: BoxFaces) -> Vec<[DVec3; 3]> {
    let mut triangles = Vec::new();
    for (face, _) in closed.iter().enumerate().filter(|(_, closed)| **closed) {
        let k = face / 2;
        let pick = |a: bool, b: bool| {
            let mut corner = DVec3::ZERO;
            corner[k] = if face.is_multiple_of(2) { low[k] } else { high[k] };
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            corner[i] = if a { high[i] } else { low[i] };
            corner[j] = if b { high[j] } else { low[j] };
            corner
        };
        let (a, b, c, d) = (pick(false, false), pick(true, false), pick(true, true), pick(false, true));
        triangles.extend([[a, b, c], [a, c, d]]);
    }
    triangles
}

fn strip(a: &[DVec3], b: &[DVec3]) -> Vec<[DVec3; 3]> {
    let mut triangles = Vec::with_capacity(2 * a.len());
    for k in 0..a.len().min(b.len()).saturating_sub(1) {
        // a ring of radius zero is a point
        if a[k] != a[k + 1] {
            triangles.push([a[k], a[k + 1], b[k]]);
        }
        if b[k] != b[k + 1] {
            triangles.push([a[k + 1], b[k + 1], b[k]]);
        }
    }
    triangles
}
