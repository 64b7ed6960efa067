//! Rigid bodies of one kind that a source inserts.

use std::sync::Arc;

use dem_core::bodies::template::Template;
use glam::{DQuat, DVec3};

use super::orientations::Orientations;
use super::periodic_lengths::PeriodicLengths;
use super::region::Region;
use super::sphere::ROUNDING;

/// A particle to be put into the simulation: a sphere, or a body with its centre of mass, the radius of the sphere of equal volume, and an orientation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NewGrain {
    /// Centre `[m]`.
    pub centre: DVec3,
    /// Radius of the sphere of equal volume `[m]`.
    pub radius: f64,
    /// Orientation of the frame in which the body is written.
    pub orientation: DQuat,
}

/// The bodies of a source.
#[derive(Debug, Clone, PartialEq)]
pub struct BodySource {
    /// Index of the template.
    pub index: u32,
    /// The template.
    pub template: Arc<Template>,
    /// Material of all members, in place of those of the template.
    pub material: Option<u16>,
    /// How they are turned.
    pub orientations: Orientations,
}

impl BodySource {
    /// Size in proportion to the template of a body whose sphere of equal volume has a radius \[m\].
    pub fn scale(&self, radius: f64) -> f64 {
        radius / self.template.equivalent_radius()
    }

    /// Distance from the centre within which all of a body lies \[m\].
    pub fn bounding_radius(&self, radius: f64) -> f64 {
        self.template.bounding_radius * self.scale(radius)
    }

    /// Radius of the smallest and the largest member in proportion to that of the sphere of equal volume.
    pub fn member_radii(&self) -> [f64; 2] {
        let radii = self.template.members.iter().map(|member| member.radius);
        let [low, high] = radii.fold([f64::INFINITY, 0.0], |[low, high], r| [r.min(low), r.max(high)]);
        [low, high].map(|radius| radius / self.template.equivalent_radius())
    }

    /// Orientation of the principal frame of a body.
    pub fn principal_orientation(&self, grain: &NewGrain) -> DQuat {
        let q = grain.orientation * self.template.principal;
        q * (1.0 / q.length())
    }

    /// Centres \[m\] and radii \[m\] of the members of a body.
    pub fn members(&self, grain: &NewGrain) -> Vec<(DVec3, f64)> {
        let (scale, orientation) = (self.scale(grain.radius), self.principal_orientation(grain));
        let place = |x: DVec3| grain.centre + orientation * (x * scale);
        self.template.members.iter().map(|member| (place(member.position), member.radius * scale)).collect()
    }

    /// Whether all members lie inside a region.
    pub(super) fn is_inside(&self, members: &[(DVec3, f64)], region: &Region, periodic: &PeriodicLengths) -> bool {
        members
            .iter()
            .all(|&(centre, radius)| region.contains_sphere(nearest_image(region, periodic, centre), radius, periodic))
    }

    /// Whether two bodies keep a gap: members of one against those of the other.
    pub(super) fn are_clear(
        &self,
        (one, its): (&NewGrain, &[(DVec3, f64)]),
        (other, others): (&NewGrain, &[(DVec3, f64)]),
        gap: f64,
        periodic: &PeriodicLengths,
    ) -> bool {
        let apart = periodic.shortest(one.centre, other.centre).length();
        if apart >= self.bounding_radius(one.radius) + self.bounding_radius(other.radius) + gap {
            return true;
        }
        its.iter().all(|&(x, r)| {
            others.iter().all(|&(y, s)| {
                let needed = (r + s + gap) * (1.0 - ROUNDING);
                periodic.shortest(x, y).length_squared() >= needed * needed
            })
        })
    }
}

/// The image of a point closest to the middle of the region, which lies inside a region that spans the period.
pub(super) fn nearest_image(region: &Region, periodic: &PeriodicLengths, point: DVec3) -> DVec3 {
    let (lower, upper) = region.bounds();
    let middle = 0.5 * (lower + upper);
    let mut image = point;
    let offset = periodic.shortest(middle, point);
    for axis in 0..3 {
        // Coordinates within the region keep their bits.
        if periodic.lengths[axis].is_some() && !(lower[axis]..=upper[axis]).contains(&point[axis]) {
            image[axis] = middle[axis] + offset[axis];
        }
    }
    image
}
