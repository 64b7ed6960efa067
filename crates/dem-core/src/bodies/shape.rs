//! Numbers that describe the shape of a body of spheres.

use glam::{DQuat, DVec3};

use super::MemberSphere;
use super::union::grouping::{groups, outermost};
use super::union::sections;
use crate::lanes::functions::cbrt;

/// Spheres whose gap is less in proportion to the sum of their radii touch: rounding of coordinates must not divide a body.
const TOUCHING: f64 = 1e-9;

/// Surface of the union of the spheres, without what lies inside others \[m²\].
pub fn exposed_surface(spheres: &[MemberSphere]) -> f64 {
    let of_group = |group: &Vec<usize>| {
        let members: Vec<MemberSphere> = group.iter().map(|&k| spheres[k]).collect();
        match members[..] {
            [sphere] => 4.0 * std::f64::consts::PI * sphere.radius * sphere.radius,
            _ => sections::moments(&members).surface,
        }
    };
    groups(spheres, &outermost(spheres), MemberSphere::overlaps).iter().map(of_group).sum()
}

/// Sphericity after H. Wadell, Journal of Geology 43 (1935) 250: surface of the sphere of equal volume over the exposed surface of the body \[-\]. `volume`
/// \[m³\] is that of the union. A sphere has 1, everything else less.
pub fn sphericity(spheres: &[MemberSphere], volume: f64) -> f64 {
    let radius = radius_of_equal_volume(volume);
    4.0 * std::f64::consts::PI * radius * radius / exposed_surface(spheres)
}

/// Radius of the sphere of a volume \[m³\] \[m\].
pub fn radius_of_equal_volume(volume: f64) -> f64 {
    cbrt(0.75 * volume / std::f64::consts::PI)
}

/// Widths of the body along the axes of a frame that `orientation` turns to the given one \[m\].
pub fn widths(spheres: &[MemberSphere], orientation: DQuat) -> DVec3 {
    let inverse = orientation.conjugate();
    let ends = spheres.iter().fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[low, high], sphere| {
        let place = inverse * sphere.position;
        [low.min(place - sphere.radius), high.max(place + sphere.radius)]
    });
    if spheres.is_empty() { DVec3::ZERO } else { ends[1] - ends[0] }
}

/// Ratios of the widths L >= I >= S of a body, after Th. Zingg, Schweizerische Mineralogische und Petrographische Mitteilungen 15 (1935) 39.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proportions {
    /// I/L \[-\]: 1 if no direction is longer than the others, small of a rod.
    pub elongation: f64,
    /// S/I \[-\]: 1 if no direction is shorter than the others, small of a plate.
    pub flatness: f64,
}

/// Proportions of the [widths] along the principal axes.
pub fn proportions(widths: DVec3) -> Proportions {
    let mut sorted = widths.to_array();
    sorted.sort_by(f64::total_cmp);
    let [short, intermediate, long] = sorted;
    Proportions { elongation: intermediate / long, flatness: short / intermediate }
}

/// Number of pieces that do not hang together; spheres that touch or overlap do.
pub fn components(spheres: &[MemberSphere]) -> usize {
    let touch = |a: &MemberSphere, b: &MemberSphere| {
        a.position.distance(b.position) <= (a.radius + b.radius) * (1.0 + TOUCHING)
    };
    groups(spheres, &(0..spheres.len()).collect::<Vec<_>>(), touch).len()
}

/// Radius of the sphere about a centre that encloses all spheres \[m\].
pub fn bounding_radius(spheres: &[MemberSphere], centre: DVec3) -> f64 {
    spheres.iter().fold(0.0, |radius: f64, sphere| radius.max(sphere.position.distance(centre) + sphere.radius))
}

#[cfg(test)]
mod tests;
