//! The body of particles that walls and periodic faces enclose: its edges, areas and volume.
//!
//! Along a periodic direction the sample is as long as the edge of the cell, along any other as far as two walls that face each other across
//! the axis are apart: planes, and closed faces of boxes that have not been turned. What a stage has taken away encloses nothing.

use dem_core::cell::Cell;
use dem_core::wall::{Shape, Wall};
use dem_core::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// How far a normal may be from an axis \[-\].
const ALONG: f64 = 1e-9;

/// Two walls that face each other across an axis, and how far they are apart.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Span {
    /// Numbers of the wall that faces upwards and of the one that faces downwards; a box faces itself.
    pub walls: [usize; 2],
    /// Distance from one to the other \[m\].
    pub length: f64,
}

/// The innermost walls that face each other across an axis, numbered in the order that they are given in.
pub fn span<'a>(walls: impl Iterator<Item = (usize, &'a Wall)>, axis: usize) -> Option<Span> {
    let (mut low, mut high) = ((f64::NEG_INFINITY, 0), (f64::INFINITY, 0));
    for (number, wall) in walls {
        for (place, upwards) in faces_across(wall, axis) {
            if upwards && place > low.0 {
                low = (place, number);
            } else if !upwards && place < high.0 {
                high = (place, number);
            }
        }
    }
    let length = high.0 - low.0;
    (length > 0.0 && length.is_finite()).then_some(Span { walls: [low.1, high.1], length })
}

/// The walls that are in place, with their numbers.
pub fn walls_in_place(walls: &[Wall]) -> impl Iterator<Item = (usize, &Wall)> + Clone {
    walls.iter().enumerate().filter(|(_, wall)| wall.active)
}

/// Edges of the sample between the walls \[m\]; none along directions that nothing encloses.
pub fn edges<'a>(cell: &Cell, walls: impl Iterator<Item = (usize, &'a Wall)> + Clone) -> [Option<DVec3>; 3] {
    std::array::from_fn(|k| {
        if cell.periodic[k] {
            return Some(cell.matrix().col(k));
        }
        span(walls.clone(), k).map(|span| DVec3::AXES[k] * span.length)
    })
}

/// Places of the surfaces of a wall across an axis \[m\], and whether they face upwards along it.
fn faces_across(wall: &Wall, axis: usize) -> impl Iterator<Item = (f64, bool)> + use<> {
    let pose = wall.pose;
    let faces = match &wall.shape {
        Shape::Plane { point, normal } => {
            let normal = (pose.orientation * *normal)[axis];
            let place = (pose.position + pose.orientation * *point)[axis];
            [(normal.abs() > 1.0 - ALONG).then_some((place, normal > 0.0)), None]
        }
        Shape::Box { low, high, closed } if pose.orientation == DQuat::IDENTITY => [
            closed[2 * axis].then(|| (pose.position[axis] + low[axis], true)),
            closed[2 * axis + 1].then(|| (pose.position[axis] + high[axis], false)),
        ],
        _ => [None, None],
    };
    faces.into_iter().flatten()
}

/// Area of the sample across an axis \[m²\], if it is enclosed along the two others.
pub fn area_across(edges: &[Option<DVec3>; 3], axis: usize) -> Option<f64> {
    let (a, b) = (edges[(axis + 1) % 3]?, edges[(axis + 2) % 3]?);
    Some(a.cross(b)[axis].abs())
}

/// Axis that a unit vector lies along.
pub fn axis_along(direction: DVec3) -> Option<usize> {
    (0..3).find(|&k| direction[k].abs() > 1.0 - ALONG)
}

/// Volume of the sample between walls \[m³\], that of the cell where they do not determine it.
pub fn volume(cell: &Cell, walls: &[Wall]) -> f64 {
    if cell.periodic == [true; 3] {
        return cell.volume();
    }
    match edges(cell, walls_in_place(walls)) {
        [Some(a), Some(b), Some(c)] => a.dot(b.cross(c)).abs(),
        _ => cell.volume(),
    }
}
