//! Volume, centre and inertia of spheres that form one body, for density one.

use glam::{DMat3, DVec3};

use super::MemberSphere;
use super::union::grouping::{groups, outermost};
use super::union::sections;
use crate::sphere::sphere_volume;

/// What mass properties are for density one: a mass is the density times the volume.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Volume \[m³\].
    pub volume: f64,
    /// Centre of volume \[m\].
    pub centre: DVec3,
    /// Inertia about the centre `∫ (|d|² 1 − d dᵀ) dV` \[m⁵\].
    pub inertia: DMat3,
}

impl MassProperties {
    /// Of one sphere.
    pub fn of_sphere(sphere: &MemberSphere) -> Self {
        let volume = sphere_volume(sphere.radius);
        // in the order of `Particles::inertia`
        let moment = 0.4 * volume * sphere.radius * sphere.radius;
        Self { volume, centre: sphere.position, inertia: DMat3::from_diagonal(DVec3::splat(moment)) }
    }

    /// Of parts that have no volume in common, or whose common volume counts twice. Nothing has no volume, at the origin.
    pub fn joined(parts: &[Self]) -> Self {
        if let [part] = parts {
            return *part;
        }
        let origin = parts.first().map_or(DVec3::ZERO, |part| part.centre);
        let volume = parts.iter().map(|part| part.volume).sum::<f64>();
        let first = parts.iter().map(|part| part.volume * (part.centre - origin)).sum::<DVec3>();
        let centre = if volume > 0.0 { origin + first / volume } else { origin };
        let about_centre = |part: &Self| part.inertia + part.volume * inertia_of_point(part.centre - centre);
        Self { volume, centre, inertia: parts.iter().map(about_centre).fold(DMat3::ZERO, |sum, term| sum + term) }
    }
}

/// Inertia `|d|² 1 − d dᵀ` of a unit mass.
fn inertia_of_point(d: DVec3) -> DMat3 {
    inertia_of_moments(DMat3::from_cols(d * d.x, d * d.y, d * d.z))
}

/// Inertia of a body with the second moments `∫ d dᵀ dV`.
fn inertia_of_moments(second: DMat3) -> DMat3 {
    let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
    DMat3::from_diagonal(DVec3::splat(trace)) - second
}

/// Every sphere in full: what spheres have in common counts as often as there are spheres.
pub fn of_spheres(spheres: &[MemberSphere]) -> MassProperties {
    let parts: Vec<MassProperties> = spheres.iter().map(MassProperties::of_sphere).collect();
    MassProperties::joined(&parts)
}

/// The union of the spheres: what they have in common counts once.
///
/// Relative errors are some 1e-15, whatever overlaps: spheres inside each other, the same sphere twice, circles in common. Spheres that overlap no
/// other one have their closed form; nothing of one sphere differs from it by a bit. Ten spheres take some milliseconds, a hundred or a thousand about a second.
pub fn of_union(spheres: &[MemberSphere]) -> MassProperties {
    let of_group = |group: &Vec<usize>| {
        let members: Vec<MemberSphere> = group.iter().map(|&k| spheres[k]).collect();
        if let [sphere] = members[..] {
            return MassProperties::of_sphere(&sphere);
        }
        let moments = sections::moments(&members);
        MassProperties { volume: moments.volume, centre: moments.centre, inertia: inertia_of_moments(moments.second) }
    };
    let groups = groups(spheres, &outermost(spheres), MemberSphere::overlaps);
    MassProperties::joined(&groups.iter().map(of_group).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests;
