//! Sources that pour during a run.

use std::sync::Arc;

use dem_core::DVec3;
use dem_core::particles::{ExternalLoad, sphere_volume};

use super::body_source::BodySource;
use super::pouring::Pouring;
use super::wetness::Wetness;

/// What the particles of a source have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Kind {
    /// Index of the material, of a body that of its first member.
    pub material: u16,
    /// What bodies they are; spheres otherwise.
    pub bodies: Option<Arc<BodySource>>,
    /// Density, of bodies their mass over the volume of their spheres' union \[kg/m³\].
    pub density: f64,
    /// Groups as a bit mask.
    pub group: u32,
    /// Frozen degrees of freedom.
    pub frozen: u8,
    /// Load on each, of a body on its centre of mass.
    pub load: ExternalLoad,
    /// Liquid on each sphere.
    pub wetness: Wetness,
    /// Initial velocity \[m/s\].
    pub velocity: DVec3,
    /// Initial angular velocity \[rad/s\].
    pub angular_velocity: DVec3,
}

/// A source that pours during the run.
#[derive(Clone, Debug)]
pub struct PouringSource {
    /// Name.
    pub name: String,
    /// What its particles have in common.
    pub kind: Kind,
    /// Rate, region, sizes and how far it has come.
    pub pouring: Pouring,
    /// Whether it pours now.
    pub active: bool,
    /// Corners of its region \[m\].
    pub bounds: (DVec3, DVec3),
    /// Smallest radius, of bodies that of a member \[m\].
    pub smallest: f64,
    /// Largest radius, of bodies that of a member \[m\].
    pub largest: f64,
}

impl PouringSource {
    /// Materials of its particles, with the radius \[m\] of the smallest sphere of each and the smallest mass \[kg\] that an impact on one may meet.
    pub fn smallest_impacts(&self) -> Vec<(u16, f64, f64)> {
        let Some(bodies) = &self.kind.bodies else {
            return vec![(self.kind.material, self.smallest, self.kind.density * sphere_volume(self.smallest))];
        };
        let scale = bodies.scale(self.pouring.settings().sizes.min_radius());
        let mass = self.kind.density * bodies.template.smallest_contact_mass() * scale * scale * scale;
        let members = bodies.template.members.iter();
        members.map(|member| (bodies.material.unwrap_or(member.material), member.radius * scale, mass)).collect()
    }

    /// Whether some of the requested particles are missing, and it finds no place for them.
    pub fn lacks_room(&self) -> bool {
        self.active && self.pouring.settings().limit.is_some() && self.pouring.is_blocked()
    }
}
