//! Volume, moments and surface of a union of overlapping spheres, from plane sections.
//!
//! Planes of constant height cut the union in unions of discs, whose area and moments are [known](super::region) to round-off; [between
//! events](super::events) they are analytic functions of the height and are [integrated](super::quadrature). The surface of a sphere between two
//! parallel planes is proportional to their distance (Archimedes), so that the exposed surface of sphere k is the integral of `r_k` times the
//! angle of its exposed arcs.
//!
//! The general frame of the [cluster](super::cluster) keeps events of symmetric templates apart. Other exact ways, by inclusion and exclusion over
//! the dual complex or by the power diagram, decide about simplices (H. Edelsbrunner, The union of balls and its dual shape, Discrete and
//! Computational Geometry 13 (1995) 415); a section has nothing to decide.

use glam::{DMat3, DVec3};

use super::arcs::Plane;
use super::cluster::Cluster;
use super::events::heights_of_union;
use super::quadrature::integrals;
use super::region::Region;
use crate::bodies::MemberSphere;

/// Difference of two rules up to which an interval is not halved, in proportion to the whole.
const TOLERANCE: f64 = 1e-12;

/// What is known of a union of spheres.
#[derive(Clone, Copy, Debug)]
pub struct UnionMoments {
    /// Volume \[m³\].
    pub volume: f64,
    /// Centre of volume \[m\].
    pub centre: DVec3,
    /// Second moments `∫ d dᵀ dV` about the centre \[m⁵\].
    pub second: DMat3,
    /// Exposed surface \[m²\].
    pub surface: f64,
}

/// Components of the integral.
const VOLUME: usize = 0;
const FIRST: usize = 1;
const SECOND: usize = 4;
const SURFACE: usize = 10;

/// Moments of the union of spheres, of which none should be inside another one.
pub fn moments(spheres: &[MemberSphere]) -> UnionMoments {
    let cluster = Cluster::new(spheres);
    let mut scales = [cluster.volume(); SURFACE + 1];
    scales[SURFACE] = cluster.surface();
    let sums = integrals(&heights_of_union(&cluster), &scales, TOLERANCE, |plane: &mut Plane, z, weight, sums| {
        let (region, surface) = section(plane, &cluster, z);
        let Region { area, x, y, xx, yy, xy } = region;
        let terms = [area, x, y, z * area, xx, yy, z * z * area, xy, z * x, z * y, surface];
        for (sum, term) in sums.iter_mut().zip(terms) {
            *sum += weight * term;
        }
    });
    let volume = sums[VOLUME];
    let centre = DVec3::from_slice(&sums[FIRST..]) / volume;
    let [xx, yy, zz] = [0, 1, 2].map(|k| sums[SECOND + k] - volume * centre[k] * centre[k]);
    let [xy, xz, yz] = [[0, 1], [0, 2], [1, 2]].map(|[k, l]| sums[SECOND + 2 + k + l] - volume * centre[k] * centre[l]);
    let second = DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz));
    let back = cluster.turn.transpose();
    let square = cluster.size * cluster.size;
    UnionMoments {
        volume: volume * square * cluster.size,
        centre: cluster.origin + back * centre * cluster.size,
        second: back * second * cluster.turn * (square * square * cluster.size),
        surface: sums[SURFACE] * square,
    }
}

/// Region of a section of the union, and the surface per height.
fn section(plane: &mut Plane, cluster: &Cluster, z: f64) -> (Region, f64) {
    plane.cut(cluster, z);
    let mut region = Region::default();
    let mut surface = 0.0;
    // near what is cut, so that moments of small discs do not drown in those of their distance
    let mut near = None;
    for (disc, sphere) in cluster.spheres.iter().enumerate() {
        let Some(radius) = plane.radius(disc) else { continue };
        let [x, y] = *near.get_or_insert([sphere.position.x, sphere.position.y]);
        let centre = [sphere.position.x - x, sphere.position.y - y];
        plane.arcs(cluster, disc, radius, 0, |_, arc| {
            region.add_arc(centre, radius, arc);
            surface += sphere.radius * (arc[1].angle - arc[0].angle);
        });
    }
    (region.seen_from(near.unwrap_or_default()), surface)
}
