//! Heights at which a section changes its form: between two of them area and moments are analytic functions of the height.
//!
//! The edge of a section gains or loses an arc at the poles of spheres, at the highest and lowest points of the circles in which two spheres meet, and where three
//! spheres meet. What lies inside another sphere changes nothing of the union.

use glam::DVec3;

use super::cluster::Cluster;

/// A point this deep in another sphere, in units of the cluster, counts as hidden. Points that lie on more spheres than define them stay.
const HIDDEN: f64 = 1e-9;
/// Heights that are nearer to each other are one.
const NEAREST: f64 = 1e-14;
/// Three centres whose triangle has a smaller area in proportion lie on a line: their spheres share a circle or no point.
const FLATTEST: f64 = 1e-12;

/// The heights for the union, ascending: the first and last are the ends of the cluster.
pub fn heights_of_union(cluster: &Cluster) -> Vec<f64> {
    let mut heights = Vec::new();
    for i in 0..cluster.spheres.len() {
        let sphere = &cluster.spheres[i];
        let mut add = |point: DVec3, on: [usize; 2]| {
            if is_exposed(cluster, i, on, point) {
                heights.push(point.z);
            }
        };
        for pole in [-DVec3::Z, DVec3::Z] {
            add(sphere.position + sphere.radius * pole, [i; 2]);
        }
        let later: Vec<usize> = cluster.neighbours[i].iter().map(|n| n.place).filter(|&j| j > i).collect();
        for (at, &j) in later.iter().enumerate() {
            for point in ends_of_circle(cluster, i, j).into_iter().flatten() {
                add(point, [j; 2]);
            }
            for &k in &later[at + 1..] {
                for point in common_points(cluster, i, j, k).into_iter().flatten() {
                    add(point, [j, k]);
                }
            }
        }
    }
    sorted(heights)
}

/// The poles of all spheres, ascending.
pub fn heights_of_poles(cluster: &Cluster) -> Vec<f64> {
    let poles = cluster.spheres.iter().flat_map(|s| [s.position.z - s.radius, s.position.z + s.radius]);
    sorted(poles.collect())
}

fn sorted(mut heights: Vec<f64>) -> Vec<f64> {
    heights.sort_unstable_by(f64::total_cmp);
    heights.dedup_by(|next, last| *next - *last < NEAREST);
    heights
}

/// Whether a point on sphere `i` is outside all spheres but those on which it lies by definition.
fn is_exposed(cluster: &Cluster, i: usize, on: [usize; 2], point: DVec3) -> bool {
    cluster.neighbours[i].iter().all(|by| {
        let other = &cluster.spheres[by.place];
        on.contains(&by.place) || point.distance(other.position) > other.radius - HIDDEN
    })
}

/// Distance from the centre of sphere `i` to the plane of its circle with `j`, times the distance of the centres, and the way between these.
fn radical(cluster: &Cluster, i: usize, j: usize) -> (f64, DVec3) {
    let (a, b) = (&cluster.spheres[i], &cluster.spheres[j]);
    let way = b.position - a.position;
    (0.5 * (way.length_squared() + (a.radius - b.radius) * (a.radius + b.radius)), way)
}

/// Lowest and highest point of the circle of two spheres.
fn ends_of_circle(cluster: &Cluster, i: usize, j: usize) -> Option<[DVec3; 2]> {
    let sphere = &cluster.spheres[i];
    let (product, way) = radical(cluster, i, j);
    let square = way.length_squared();
    let centre = way * (product / square);
    let radius = (sphere.radius * sphere.radius - product * product / square).sqrt();
    let upwards = (DVec3::Z - way * (way.z / square)).normalize();
    let point = |side: f64| sphere.position + centre + side * radius * upwards;
    // one sphere inside the other, or a circle that lies in a plane of constant height
    (radius > 0.0 && upwards.is_finite()).then(|| [point(-1.0), point(1.0)])
}

/// The two points in which three spheres meet.
fn common_points(cluster: &Cluster, i: usize, j: usize, k: usize) -> Option<[DVec3; 2]> {
    let sphere = &cluster.spheres[i];
    let ((to_j, a), (to_k, b)) = (radical(cluster, i, j), radical(cluster, i, k));
    let normal = a.cross(b);
    let square = normal.length_squared();
    if square <= FLATTEST * FLATTEST * a.length_squared() * b.length_squared() {
        return None;
    }
    let foot = (to_j * b.cross(normal) + to_k * normal.cross(a)) / square;
    let rest = sphere.radius * sphere.radius - foot.length_squared();
    let along = normal * (rest / square).sqrt();
    (rest > 0.0).then(|| [sphere.position + foot - along, sphere.position + foot + along])
}
