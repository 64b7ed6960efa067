//! What a guide leads: a sphere, or a rigid body by its centre of mass.

use dem_core::bodies::body::Body;
use dem_core::cell::Cell;
use dem_core::particles::Particles;
use dem_core::{DQuat, DVec3};

/// Motion of what a guide leads.
#[derive(Clone, Copy, Debug)]
pub struct GuidedMotion {
    /// Mass \[kg\].
    pub mass: f64,
    /// Centre of mass \[m\].
    pub position: DVec3,
    /// Velocity \[m/s\].
    pub velocity: DVec3,
    /// Angular momentum of a body \[kg m²/s\]; that of a sphere, which is along its spin whatever its orientation, counts for nothing.
    pub angular_momentum: DVec3,
}

impl GuidedMotion {
    /// Of the sphere in a slot.
    pub fn of_sphere(p: &Particles, slot: usize) -> Self {
        let (mass, position, velocity) = (p.mass[slot], p.position[slot], p.velocity[slot]);
        Self { mass, position, velocity, angular_momentum: DVec3::ZERO }
    }

    /// Of a body.
    pub fn of_body(body: &Body) -> Self {
        let &Body { mass, position, velocity, angular_momentum, .. } = body;
        Self { mass, position, velocity, angular_momentum }
    }
}

/// A sphere, given its slot, or a body, given its place in the table.
#[derive(Clone, Copy, Debug)]
pub(super) enum Led {
    Sphere(usize),
    Body(usize),
}

impl Led {
    /// What moves with the particle in a slot.
    pub fn with(p: &Particles, slot: usize) -> Self {
        match p.body_of(slot) {
            None => Self::Sphere(slot),
            Some(_) => Self::Body(p.bodies.body_of[p.bodies.member_in(slot)] as usize),
        }
    }

    pub fn motion(self, p: &Particles) -> GuidedMotion {
        match self {
            Self::Sphere(slot) => GuidedMotion::of_sphere(p, slot),
            Self::Body(at) => GuidedMotion::of_body(&p.bodies.all[at]),
        }
    }

    pub fn orientation(self, p: &Particles) -> DQuat {
        match self {
            Self::Sphere(slot) => p.orientation[slot],
            Self::Body(at) => p.bodies.all[at].orientation(),
        }
    }

    /// Kinetic energy \[J\].
    pub fn kinetic_energy(self, p: &Particles) -> f64 {
        match self {
            Self::Sphere(slot) => {
                0.5 * p.mass[slot] * p.velocity[slot].length_squared()
                    + 0.5 * p.inertia(slot) * p.angular_velocity[slot].length_squared()
            }
            Self::Body(at) => p.bodies.all[at].kinetic_energy().iter().sum(),
        }
    }

    /// Puts the centre somewhere with a velocity, and turns the whole to an orientation with an angular velocity if there are some. Returns the longest
    /// move of any part \[m\].
    pub fn put(self, p: &mut Particles, position: DVec3, velocity: DVec3, turn: Option<(DQuat, DVec3)>) -> f64 {
        match self {
            Self::Sphere(slot) => {
                let moved = (position - p.position[slot]).length();
                (p.position[slot], p.velocity[slot]) = (position, velocity);
                if let Some((_, spin)) = turn {
                    // its orientation follows by itself, exactly
                    p.angular_velocity[slot] = spin;
                }
                moved
            }
            Self::Body(at) => {
                let body = &mut p.bodies.all[at];
                (body.position, body.velocity) = (position, velocity);
                if let Some((orientation, spin)) = turn {
                    body.orientation = orientation.to_array();
                    body.angular_momentum = body.angular_momentum_of(spin);
                }
                let slots = body.first as usize..(body.first + body.count) as usize;
                let before = p.position[slots.clone()].to_vec();
                // guides are in cells without periodic images only
                p.place_members(at, &Cell::unbounded());
                let moves = p.position[slots].iter().zip(&before).map(|(now, before)| (now - before).length());
                moves.fold(0.0, f64::max)
            }
        }
    }

    /// Gives it a total load: force \[N\] and torque \[N m\].
    pub fn load(self, p: &mut Particles, force: DVec3, torque: DVec3) {
        match self {
            Self::Sphere(slot) => (p.force[slot], p.torque[slot]) = (force, torque),
            Self::Body(at) => (p.bodies.all[at].force, p.bodies.all[at].torque) = (force, torque),
        }
    }

    /// Its total load.
    pub fn loaded(self, p: &Particles) -> (DVec3, DVec3) {
        match self {
            Self::Sphere(slot) => (p.force[slot], p.torque[slot]),
            Self::Body(at) => (p.bodies.all[at].force, p.bodies.all[at].torque),
        }
    }

    /// Where what friction takes from it is counted \[J\].
    pub fn field_dissipation(self, p: &mut Particles) -> &mut f64 {
        match self {
            Self::Sphere(slot) => &mut p.field_dissipation[slot],
            Self::Body(at) => &mut p.bodies.all[at].field_dissipation,
        }
    }
}
