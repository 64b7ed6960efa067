//! How the volume of a union belongs to its spheres.
//!
//! A point belongs to the sphere k with the least power distance `|x − x_k|² − r_k²` (F. Aurenhammer, SIAM Journal on Computing 16 (1987) 78). Where two spheres
//! overlap, the plane of their common circle divides them. What belongs to a sphere is convex, and so are its sections: discs cut by straight lines.

use super::MemberSphere;
use super::mass_properties::MassProperties;
use super::union::arcs::Plane;
use super::union::cluster::Cluster;
use super::union::events::{heights_of_poles, heights_of_union};
use super::union::grouping::{groups, outermost};
use super::union::quadrature::integrals;

/// Difference of two rules up to which an interval is not halved, in proportion to the whole. Sections of what belongs to a sphere have kinks between the events
/// of the union.
const TOLERANCE: f64 = 1e-9;
/// As above for triple overlaps, whose events inside the union are not looked for.
const TOLERANCE_OF_TRIPLES: f64 = 1e-8;
/// Lines whose directions or places differ by less, in proportion to the disc, are one.
const SAME_LINE: f64 = 1e-12;

/// Share of the union that is nearest to each sphere by power distance \[-\], to some 1e-9. The sum is one, the share of a sphere inside another one is
/// zero, and of equal spheres the first one has all.
pub fn of_union(spheres: &[MemberSphere]) -> Vec<f64> {
    let mut volumes = vec![0.0; spheres.len()];
    for group in groups(spheres, &outermost(spheres), MemberSphere::overlaps) {
        let members: Vec<MemberSphere> = group.iter().map(|&k| spheres[k]).collect();
        let parts = match members[..] {
            [sphere] => vec![MassProperties::of_sphere(&sphere).volume],
            _ => nearest_volumes(&members),
        };
        for (&k, part) in group.iter().zip(parts) {
            volumes[k] = part;
        }
    }
    let total: f64 = volumes.iter().sum();
    volumes.iter().map(|volume| volume / total).collect()
}

/// Share of the union that lies in three spheres or more \[-\], to some 1e-7.
pub fn triple_overlap_share(spheres: &[MemberSphere]) -> f64 {
    if spheres.len() < 3 {
        return 0.0;
    }
    let cluster = Cluster::new(spheres);
    let events = heights_of_poles(&cluster);
    let scales = [cluster.volume(); 2];
    let (whole, triple) = (0, 1);
    let volumes = integrals(&events, &scales, TOLERANCE_OF_TRIPLES, |plane: &mut Plane, z, weight, sums| {
        plane.cut(&cluster, z);
        for (disc, sphere) in cluster.spheres.iter().enumerate() {
            let Some(radius) = plane.radius(disc) else { continue };
            let [x, y] = [sphere.position.x, sphere.position.y];
            plane.arcs(&cluster, disc, radius, 2, |depth, [from, to]| {
                let chord = x * (to.sine - from.sine) - y * (to.cosine - from.cosine);
                let area = 0.5 * weight * radius * (chord + radius * (to.angle - from.angle));
                // what is inside the edge lies in one disc more
                match depth {
                    0 => sums[whole] += area,
                    2 => sums[triple] += area,
                    _ => {}
                }
            });
        }
    });
    volumes[triple] / volumes[whole]
}

/// Volume of the union of overlapping spheres that is nearest to each \[m³\].
fn nearest_volumes(spheres: &[MemberSphere]) -> Vec<f64> {
    let cluster = Cluster::new(spheres);
    let scales = vec![cluster.volume(); spheres.len()];
    let volumes = integrals(&heights_of_union(&cluster), &scales, TOLERANCE, |plane: &mut Plane, z, weight, sums| {
        plane.cut(&cluster, z);
        for (disc, sum) in sums.iter_mut().enumerate() {
            *sum += weight * nearest_area(plane, &cluster, disc);
        }
    });
    let unit = cluster.size * cluster.size * cluster.size;
    volumes.into_iter().map(|volume| volume * unit).collect()
}

/// A straight line that cuts off a part of a disc, about its centre.
struct Line {
    /// Unit vector across the line, away from what remains.
    direction: [f64; 2],
    /// Distance from the centre, negative if the centre is cut off.
    distance: f64,
    place: usize,
}

/// Area of a disc that is nearest to its sphere: sectors of its exposed arcs, and triangles over the pieces of the lines.
fn nearest_area(plane: &mut Plane, cluster: &Cluster, disc: usize) -> f64 {
    let Some(radius) = plane.radius(disc) else { return 0.0 };
    let mut sectors = 0.0;
    plane.arcs(cluster, disc, radius, 0, |_, [from, to]| sectors += to.angle - from.angle);
    let mut lines = Vec::new();
    for by in &cluster.neighbours[disc] {
        let cosine = plane.covered(disc, radius, by);
        if cosine <= -1.0 {
            return 0.0;
        }
        if cosine < 1.0 {
            lines.push(Line { direction: by.direction, distance: radius * cosine, place: by.place });
        }
    }
    let triangles: f64 = lines.iter().map(|line| line.distance * remaining_length(line, &lines, radius)).sum();
    0.5 * (radius * radius * sectors + triangles)
}

/// Length of a line inside the disc that no other line cuts off.
fn remaining_length(line: &Line, lines: &[Line], radius: f64) -> f64 {
    let half = ((radius - line.distance) * (radius + line.distance)).sqrt();
    let [x, y] = line.direction;
    let (mut from, mut to) = (-half, half);
    for other in lines.iter().filter(|other| other.place != line.place) {
        if from >= to {
            return 0.0;
        }
        let [u, v] = other.direction;
        let slope = x * v - y * u;
        let left = other.distance - line.distance * (x * u + y * v);
        if slope.abs() > SAME_LINE {
            if slope > 0.0 { to = to.min(left / slope) } else { from = from.max(left / slope) }
        } else if left < -SAME_LINE * radius
            || left <= SAME_LINE * radius && x * u + y * v > 0.0 && other.place < line.place
        {
            return 0.0;
        }
    }
    (to - from).max(0.0)
}

#[cfg(test)]
mod tests;
