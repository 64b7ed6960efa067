//! Seams between walls: where two walls lie in one plane and meet along a line, a sphere on the line touches both.

use dem_core::DVec3;
use dem_core::wall::{Shape, Wall};

/// Angle between the planes \[rad\] and distance of the lines in proportion to the longer one up to which they are the same.
const SAME: f64 = 1e-6;
/// Most pairs of lines of two walls that are compared: meshes may have many rims.
const MOST_COMPARED: usize = 4_000_000;

/// Where two walls in one plane meet.
#[derive(Clone, Debug, PartialEq)]
pub struct Seam {
    /// Numbers of the walls, ascending.
    pub walls: [usize; 2],
    /// Number of lines along which they meet.
    pub lines: usize,
    /// Ends of the first of them \[m\].
    pub ends: [DVec3; 2],
}

/// A line where a flat part of a wall ends.
#[derive(Clone, Copy, Debug)]
struct Rim {
    start: DVec3,
    end: DVec3,
    /// Unit normal of the part.
    normal: DVec3,
    /// Unit vector into it, across the line.
    inward: DVec3,
}

/// The seams between walls where they are now, in order of the walls.
pub fn seams(walls: &[Wall]) -> Vec<Seam> {
    let rims: Vec<Vec<Rim>> = walls.iter().map(rims).collect();
    let mut found = Vec::new();
    for first in 0..walls.len() {
        for second in first + 1..walls.len() {
            let (some, others) = (near(&rims[first], &rims[second]), near(&rims[second], &rims[first]));
            let pairs = some.iter().flat_map(|a| others.iter().map(move |b| (a, b)));
            let mut shared = pairs.take(MOST_COMPARED).filter_map(|(a, b)| common(a, b));
            if let Some(ends) = shared.next() {
                found.push(Seam { walls: [first, second], lines: 1 + shared.count(), ends });
            }
        }
    }
    found
}

/// The lines where the flat parts of a wall end.
fn rims(wall: &Wall) -> Vec<Rim> {
    let around = |centre: DVec3, u: DVec3, v: DVec3| {
        let normal = u.cross(v).normalize();
        [(u, v), (-u, v), (v, u), (-v, u)].map(|(out, along)| Rim {
            start: centre + out - along,
            end: centre + out + along,
            normal,
            inward: -out.normalize(),
        })
    };
    let own: Vec<Rim> = match wall.shape {
        Shape::Rectangle { centre, half_u, half_v } => around(centre, half_u, half_v).to_vec(),
        Shape::Box { low, high, closed } => {
            let (centre, half) = (0.5 * (low + high), 0.5 * (high - low));
            let axis = |k: usize| DVec3::AXES[k] * half[k];
            (0..6)
                .filter(|&face| closed[face])
                .flat_map(|face| {
                    let (k, side) = (face / 2, if face % 2 == 0 { -1.0 } else { 1.0 });
                    around(centre + side * axis(k), axis((k + 1) % 3), axis((k + 2) % 3))
                })
                .collect()
        }
        Shape::Mesh { ref mesh, at } => mesh
            .rims()
            .map(|[start, end, normal, inward]| Rim { start: start + at, end: end + at, normal, inward })
            .collect(),
        Shape::Plane { .. } | Shape::Revolution { .. } | Shape::Sphere { .. } => Vec::new(),
    };
    let (position, orientation) = (wall.pose.position, wall.pose.orientation);
    let placed = |rim: &Rim| Rim {
        start: position + orientation * rim.start,
        end: position + orientation * rim.end,
        normal: orientation * rim.normal,
        inward: orientation * rim.inward,
    };
    own.iter().map(placed).collect()
}

/// Those lines that come near the box around other ones.
fn near<'a>(rims: &'a [Rim], others: &[Rim]) -> Vec<&'a Rim> {
    let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let (low, high) = others
        .iter()
        .fold(none, |(low, high), rim| (low.min(rim.start).min(rim.end), high.max(rim.start).max(rim.end)));
    let margin = SAME * (high - low).length();
    let comes_near = |rim: &&Rim| {
        rim.start.max(rim.end).cmpge(low - margin).all() && rim.start.min(rim.end).cmple(high + margin).all()
    };
    rims.iter().filter(comes_near).collect()
}

/// The part of a line that two flat parts share which continue in one plane to both sides of it.
fn common(a: &Rim, b: &Rim) -> Option<[DVec3; 2]> {
    let along = a.end - a.start;
    let (length, longest) = (along.length(), along.length().max((b.end - b.start).length()));
    let is_plane = a.normal.cross(b.normal).length() <= SAME && a.inward.dot(b.inward) < 0.0;
    if !is_plane || length == 0.0 {
        return None;
    }
    let along = along / length;
    let place = |point: DVec3| (point - a.start).dot(along);
    let is_off = |point: DVec3| (point - a.start - along * place(point)).length() > SAME * longest;
    if is_off(b.start) || is_off(b.end) {
        return None;
    }
    let (from, to) = (place(b.start).min(place(b.end)).max(0.0), place(b.start).max(place(b.end)).min(length));
    (to - from > SAME * longest).then(|| [from, to].map(|share| a.start + along * share))
}

#[cfg(test)]
mod tests {
    use dem_core::wall::Motion;

    use super::*;

    fn rectangle(x: f64, y: f64, z: f64, turned: f64) -> Wall {
        let shape = Shape::Rectangle {
            centre: DVec3::new(x, y, z),
            half_u: DVec3::new(0.5, 0.0, turned),
            half_v: DVec3::new(0.0, 0.5, 0.0),
        };
        Wall::new("w", shape, DVec3::ONE, 0, Motion::default())
    }

    #[test]
    fn seams_are_found_where_walls_go_on_in_one_plane() {
        let at = |others: &[Wall]| seams(&[&[rectangle(0.0, 0.0, 0.0, 0.0)], others].concat());
        let beside = at(&[rectangle(1.0, 0.3, 0.0, 0.0)]);
        assert_eq!((beside.len(), beside[0].walls, beside[0].lines), (1, [0, 1], 1));
        let [start, end] = beside[0].ends;
        assert!(((start - end).length() - 0.7).abs() < 1e-12 && (start.x - 0.5).abs() < 1e-12, "{beside:?}");
        for other in [
            rectangle(1.0, 0.0, 0.1, 0.0),
            rectangle(1.0, 0.0, 0.0, 0.1),
            rectangle(1.1, 0.0, 0.0, 0.0),
            rectangle(1.0, 1.0, 0.0, 0.0),
        ] {
            assert_eq!(at(&[other]), [], "above, inclined, apart and at a corner");
        }
        let tray = Shape::Box { low: DVec3::new(-0.5, 0.5, 0.0), high: DVec3::new(0.5, 1.0, 1.0), closed: [true; 6] };
        let tray = Wall::new("tray", tray, DVec3::ZERO, 0, Motion::default());
        assert_eq!(at(&[tray])[0].lines, 1, "the floor of a box goes on beside it");
    }
}
