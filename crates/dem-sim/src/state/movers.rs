//! What moves by itself: spheres that belong to no body, and rigid bodies. A run of grains counts these.

use dem_core::DVec3;
use dem_core::particles::{NO_BODY, frozen};

use super::world::World;

/// A sphere by itself, given its slot, or a rigid body, given its place in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mover {
    /// A sphere.
    Sphere(usize),
    /// A body.
    Body(usize),
}

impl World {
    /// All that moves by itself and is no ghost.
    pub fn movers(&self) -> impl Iterator<Item = Mover> + '_ {
        let p = &self.particles;
        let spheres = (0..p.owned()).filter(|&slot| p.body[slot] == NO_BODY).map(Mover::Sphere);
        spheres.chain((0..p.bodies.len()).map(Mover::Body))
    }

    /// Slots of all that moves with it.
    pub(crate) fn slots_of(&self, mover: Mover) -> std::ops::Range<u32> {
        match mover {
            Mover::Sphere(slot) => slot as u32..slot as u32 + 1,
            Mover::Body(at) => {
                let body = &self.particles.bodies.all[at];
                body.first..body.first + body.count
            }
        }
    }

    /// Centre of mass \[m\].
    pub(crate) fn centre_of(&self, mover: Mover) -> DVec3 {
        match mover {
            Mover::Sphere(slot) => self.particles.position[slot],
            Mover::Body(at) => self.particles.bodies.all[at].position,
        }
    }

    /// Material, of a body that of its first member.
    pub(crate) fn material_of(&self, mover: Mover) -> u16 {
        self.particles.material[self.slots_of(mover).start as usize]
    }

    /// Mass \[kg\].
    pub(crate) fn mass_of(&self, mover: Mover) -> f64 {
        match mover {
            Mover::Sphere(slot) => self.particles.mass[slot],
            Mover::Body(at) => self.particles.bodies.all[at].mass,
        }
    }

    /// Radius, of a body that of the sphere of its volume \[m\].
    pub(crate) fn radius_of(&self, mover: Mover) -> f64 {
        match mover {
            Mover::Sphere(slot) => self.particles.radius[slot],
            Mover::Body(at) => self.particles.bodies.all[at].equivalent_radius,
        }
    }

    /// Velocity of the centre of mass \[m/s\].
    pub(crate) fn velocity_of(&self, mover: Mover) -> DVec3 {
        match mover {
            Mover::Sphere(slot) => self.particles.velocity[slot],
            Mover::Body(at) => self.particles.bodies.all[at].velocity,
        }
    }

    /// Angular velocity \[rad/s\].
    pub(crate) fn spin_of(&self, mover: Mover) -> DVec3 {
        match mover {
            Mover::Sphere(slot) => self.particles.angular_velocity[slot],
            Mover::Body(at) => self.particles.bodies.all[at].angular_velocity(),
        }
    }

    /// Kinetic energy of a spin \[J\].
    pub(crate) fn energy_of_spin(&self, mover: Mover, spin: DVec3) -> f64 {
        match mover {
            Mover::Sphere(slot) => 0.5 * self.particles.inertia(slot) * spin.length_squared(),
            Mover::Body(at) => 0.5 * spin.dot(self.particles.bodies.all[at].angular_momentum_of(spin)),
        }
    }

    /// Total force of the last accepted evaluation \[N\].
    pub(crate) fn force_on(&self, mover: Mover) -> DVec3 {
        match mover {
            Mover::Sphere(slot) => self.particles.force[slot],
            Mover::Body(at) => self.particles.bodies.all[at].force,
        }
    }

    /// Suppressed degrees of freedom, see [`frozen`].
    pub(crate) fn frozen_of(&self, mover: Mover) -> u8 {
        match mover {
            Mover::Sphere(slot) => self.particles.frozen[slot],
            Mover::Body(at) => self.particles.bodies.all[at].frozen as u8,
        }
    }

    /// Whether any translation is free.
    pub(crate) fn can_move(&self, mover: Mover) -> bool {
        self.frozen_of(mover) & frozen::ALL_TRANSLATIONS != frozen::ALL_TRANSLATIONS
    }

    /// Id of the sphere, or of the first member of the body.
    pub(crate) fn id_of(&self, mover: Mover) -> u64 {
        self.particles.id[self.slots_of(mover).start as usize]
    }

    /// Kinetic energy, and potential energy in gravity \[J\].
    pub(crate) fn mechanical_energy_of(&self, mover: Mover) -> f64 {
        match mover {
            Mover::Sphere(slot) => self.mechanical_energy(slot),
            Mover::Body(at) => self.mechanical_energy_of_body(at),
        }
    }

    /// What fields without a potential have taken from it so far \[J\].
    pub(crate) fn field_dissipation_of(&self, mover: Mover) -> f64 {
        match mover {
            Mover::Sphere(slot) => self.particles.field_dissipation[slot],
            Mover::Body(at) => self.particles.bodies.all[at].field_dissipation,
        }
    }

    /// In messages.
    pub(crate) fn describe_mover(&self, mover: Mover) -> String {
        match mover {
            Mover::Sphere(slot) => format!("particle {}", self.particles.id[slot]),
            Mover::Body(at) => format!("body {}", self.particles.bodies.all[at].id),
        }
    }
}
