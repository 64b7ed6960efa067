//! The surface of the spheres and rigid bodies of a frame as triangles.
//!
//! On a sphere, what lies outside another sphere is on one side of the plane through the circle in which both meet. So the exposed part of a
//! member is its sphere cut by as many planes as spheres reach into it: triangles of a sphere are cut by these planes, and the corners that this
//! makes are put on the circle. They are where both surfaces meet, whichever of the two is cut.

use dem_core::DVec3;
use dem_core::bodies::body::NO_BODY;
use dem_core::cell::Cell;
use dem_io::snapshot::{Column, ColumnData, Frame};

use super::body_rows::BODY;

/// A plane that cuts a sphere, in units of its radius from its centre: what lies beyond is inside another sphere.
struct Cut {
    normal: DVec3,
    distance: f64,
}

impl Cut {
    /// How far a point is beyond the plane.
    fn beyond(&self, x: DVec3) -> f64 {
        x.dot(self.normal) - self.distance
    }

    /// Where an edge meets the plane, on the circle that the plane cuts out of the unit sphere.
    fn corner(&self, a: DVec3, b: DVec3) -> DVec3 {
        let (before, after) = (self.beyond(a), self.beyond(b));
        let across = a + (b - a) * (before / (before - after));
        let centre = self.normal * self.distance;
        let out = (across - centre).normalize_or_zero();
        centre + out * (1.0 - self.distance * self.distance).max(0.0).sqrt()
    }
}

/// What a sphere of a frame shows: its place, its size and the body that it is of.
struct Member {
    centre: DVec3,
    radius: f64,
    body: u32,
}

/// Triangles of the surfaces of all spheres and rigid bodies of a frame, counter-clockwise as seen from outside. Every sphere has 20 times the square of
/// `frequency` triangles before what other spheres of its body hide is cut off. None if the frame has no radii.
pub fn grain_surfaces(frame: &Frame, cell: &Cell, frequency: u32) -> Option<Vec<[DVec3; 3]>> {
    let find = |name: &str| -> Option<&Column> { frame.point_data.iter().find(|column| column.spec.name == name) };
    let ColumnData::F64(radii) = &find("radius")?.data else { return None };
    let bodies = match find(BODY).map(|column| &column.data) {
        Some(ColumnData::U32(bodies)) => bodies.clone(),
        _ => vec![NO_BODY; radii.len()],
    };
    let mut members: Vec<Member> = frame
        .positions
        .iter()
        .zip(radii)
        .zip(&bodies)
        .map(|((&centre, &radius), &body)| Member { centre, radius, body })
        .collect();
    members.sort_by_key(|member| member.body);
    let sphere = unit_sphere(frequency.max(1));
    let mut triangles = Vec::new();
    for group in members.chunk_by(|a, b| a.body == b.body && a.body != NO_BODY) {
        // members may be at different sides of a periodic cell
        let first = group[0].centre;
        let centres: Vec<DVec3> =
            group.iter().map(|member| first + cell.nearest_image(member.centre - first)).collect();
        for (k, member) in group.iter().enumerate() {
            let Some(cuts) = cuts(k, group, &centres) else { continue };
            for triangle in &sphere {
                let polygon = exposed(triangle, &cuts);
                let place = |x: DVec3| centres[k] + x * member.radius;
                triangles.extend(fan(&polygon).map(|corners| corners.map(place)));
            }
        }
    }
    Some(triangles)
}

/// What cuts the sphere of a member; none if another sphere encloses it.
fn cuts(k: usize, group: &[Member], centres: &[DVec3]) -> Option<Vec<Cut>> {
    let radius = group[k].radius;
    let mut cuts = Vec::new();
    for (j, other) in group.iter().enumerate().filter(|(j, _)| *j != k) {
        let way = (centres[j] - centres[k]) / radius;
        let (distance, other_radius) = (way.length(), other.radius / radius);
        if distance >= 1.0 + other_radius {
            continue;
        }
        if distance <= (other_radius - 1.0).abs() {
            // of two equal spheres in one place the first is seen
            if other_radius > 1.0 || other_radius == 1.0 && j < k {
                return None;
            }
            continue;
        }
        let height = (distance * distance + 1.0 - other_radius * other_radius) / (2.0 * distance);
        cuts.push(Cut { normal: way / distance, distance: height });
    }
    Some(cuts)
}

/// What is left of a triangle on the unit sphere.
fn exposed(triangle: &[DVec3; 3], cuts: &[Cut]) -> Vec<DVec3> {
    let mut polygon = triangle.to_vec();
    for cut in cuts {
        if polygon.iter().all(|&x| cut.beyond(x) <= 0.0) {
            continue;
        }
        let mut left = Vec::with_capacity(polygon.len() + 1);
        for (at, &b) in polygon.iter().enumerate() {
            let a = polygon[(at + polygon.len() - 1) % polygon.len()];
            if (cut.beyond(a) > 0.0) != (cut.beyond(b) > 0.0) {
                left.push(cut.corner(a, b));
            }
            if cut.beyond(b) <= 0.0 {
                left.push(b);
            }
        }
        polygon = left;
        if polygon.is_empty() {
            break;
        }
    }
    polygon
}

/// The triangles of a convex polygon.
fn fan(polygon: &[DVec3]) -> impl Iterator<Item = [DVec3; 3]> + '_ {
    (2..polygon.len()).map(|k| [polygon[0], polygon[k - 1], polygon[k]])
}

/// Triangles of an icosahedron whose edges are cut into so many pieces, on the unit sphere.
fn unit_sphere(frequency: u32) -> Vec<[DVec3; 3]> {
    let golden = 0.5 * (1.0 + 5f64.sqrt());
    let corners = [
        (-1.0, golden, 0.0),
        (1.0, golden, 0.0),
        (-1.0, -golden, 0.0),
        (1.0, -golden, 0.0),
        (0.0, -1.0, golden),
        (0.0, 1.0, golden),
        (0.0, -1.0, -golden),
        (0.0, 1.0, -golden),
        (golden, 0.0, -1.0),
        (golden, 0.0, 1.0),
        (-golden, 0.0, -1.0),
        (-golden, 0.0, 1.0),
    ]
    .map(|(x, y, z)| DVec3::new(x, y, z).normalize());
    let faces = [
        [0, 11, 5],
        [0, 5, 1],
        [0, 1, 7],
        [0, 7, 10],
        [0, 10, 11],
        [1, 5, 9],
        [5, 11, 4],
        [11, 10, 2],
        [10, 7, 6],
        [7, 1, 8],
        [3, 9, 4],
        [3, 4, 2],
        [3, 2, 6],
        [3, 6, 8],
        [3, 8, 9],
        [4, 9, 5],
        [2, 4, 11],
        [6, 2, 10],
        [8, 6, 7],
        [9, 8, 1],
    ];
    let mut triangles = Vec::with_capacity(20 * (frequency * frequency) as usize);
    for face in faces {
        let [a, b, c] = face.map(|corner: usize| corners[corner]);
        let at = |i: u32, j: u32| {
            let share = |n: u32| f64::from(n) / f64::from(frequency);
            (a + (b - a) * share(i) + (c - a) * share(j)).normalize()
        };
        for i in 0..frequency {
            for j in 0..frequency - i {
                triangles.push([at(i, j), at(i + 1, j), at(i, j + 1)]);
                if i + j + 1 < frequency {
                    triangles.push([at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
                }
            }
        }
    }
    triangles
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use dem_core::cell::FacePolicy;
    use dem_io::snapshot::{Cells, ColumnSpec};

    use super::*;

    fn frame(spheres: &[(DVec3, f64, u32)]) -> Frame {
        let column =
            |name: &'static str, data: ColumnData| Column { spec: ColumnSpec::new(name, "1", "test", 1), data };
        Frame {
            step: 0,
            time: 0.0,
            positions: spheres.iter().map(|sphere| sphere.0).collect(),
            cells: Cells::Vertices,
            point_data: vec![
                column("radius", spheres.iter().map(|sphere| sphere.1).collect::<Vec<_>>().into()),
                column(BODY, spheres.iter().map(|sphere| sphere.2).collect::<Vec<_>>().into()),
            ],
            cell_data: Vec::new(),
            tables: Vec::new(),
            field_data: Vec::new(),
        }
    }

    fn area(triangles: &[[DVec3; 3]]) -> f64 {
        triangles.iter().map(|[a, b, c]| 0.5 * (*b - *a).cross(*c - *a).length()).sum()
    }

    /// Volume by the divergence theorem: also wrong if triangles are turned the wrong way or a gap is left.
    fn volume(triangles: &[[DVec3; 3]]) -> f64 {
        triangles.iter().map(|[a, b, c]| a.dot(b.cross(*c)) / 6.0).sum()
    }

    /// What is left of a sphere of radius r without the cap that a sphere of radius s at a distance d covers.
    fn without_cap(r: f64, s: f64, d: f64) -> f64 {
        2.0 * PI * r * (r + (d * d + r * r - s * s) / (2.0 * d))
    }

    #[test]
    fn surfaces_of_spheres_and_bodies_have_their_area() {
        let dimer = |at: DVec3, body: u32| [(at, 1.0, body), (at + DVec3::new(0.5, 0.4, 0.9), 0.7, body)];
        let d = DVec3::new(0.5, 0.4, 0.9).length();
        let exact = without_cap(1.0, 0.7, d) + without_cap(0.7, 1.0, d);
        let mut spheres = dimer(DVec3::ZERO, 3).to_vec();
        spheres.push((DVec3::new(9.0, 0.0, 0.0), 1.5, NO_BODY));
        // one that touches it and is of no body is not cut
        spheres.push((DVec3::new(-1.8, 0.0, 0.0), 1.0, NO_BODY));
        // a body with a member that another one hides
        spheres.extend([(DVec3::new(0.0, 9.0, 0.0), 1.0, 7), (DVec3::new(0.1, 9.0, 0.0), 0.5, 7)]);
        let all = exact + 4.0 * PI * (2.25 + 1.0 + 1.0);
        let mut last = f64::INFINITY;
        for (frequency, allowed) in [(6, 0.02), (12, 5e-3), (24, 1.3e-3)] {
            let found = area(&grain_surfaces(&frame(&spheres), &Cell::unbounded(), frequency).unwrap());
            let error = (found / all - 1.0).abs();
            assert!(error < allowed && error < last, "{frequency}: {found} {all}");
            last = error;
        }
    }

    #[test]
    fn a_body_across_a_periodic_face_is_whole_and_its_volume_is_that_of_the_union() {
        let cell = Cell::orthogonal(DVec3::ZERO, DVec3::splat(10.0), [true; 3], [[FacePolicy::Error; 2]; 3]);
        // three spheres in a row, and their lenses: no point is in all three
        let row = [
            (DVec3::new(9.9, 5.0, 5.0), 1.0, 0),
            (DVec3::new(1.2, 5.0, 5.0), 1.0, 0),
            (DVec3::new(2.5, 5.0, 5.0), 1.0, 0),
        ];
        let lens = PI / 12.0 * (4.0 + 1.3) * (2.0 - 1.3) * (2.0 - 1.3);
        let exact = 4.0 * PI - 2.0 * lens;
        let triangles = grain_surfaces(&frame(&row), &cell, 24).unwrap();
        let found = volume(&triangles);
        assert!((found / exact - 1.0).abs() < 4e-3, "{found} {exact}");
        let (low, high) =
            triangles.iter().flatten().fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(x.x), high.max(x.x)));
        assert!((high - low - 4.6).abs() < 0.01, "{low} {high}");
    }
}
