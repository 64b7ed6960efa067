//! How a particle moves where fields act on it, and the load that results.

use dem_core::DVec3;
use dem_core::bodies::body::Body;
use dem_core::particles::Particles;

/// Force and torque on a particle, and the work of a step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Load {
    /// Total force \[N\].
    pub force: DVec3,
    /// Total torque \[N m\].
    pub torque: DVec3,
    /// Energy that fields without a potential took from the particle in the step \[J\].
    pub dissipated: f64,
}

/// What fields may know of a particle.
#[derive(Clone, Copy, Debug)]
pub struct Motion {
    /// Radius \[m\].
    pub radius: f64,
    /// Mass \[kg\].
    pub mass: f64,
    /// Moment of inertia \[kg m²\].
    pub inertia: f64,
    /// Position \[m\].
    pub position: DVec3,
    /// Velocity \[m/s\].
    pub velocity: DVec3,
    /// Angular velocity \[rad/s\].
    pub angular_velocity: DVec3,
    /// Displacement of the step \[m\].
    pub moved: DVec3,
    /// Rotation of the step as a rescaled Rodrigues vector.
    pub turned: DVec3,
    /// Total force \[N\] and torque \[N m\] at the start of the step; none if they are not those of contacts, loads and fields alone.
    pub load_before: Option<(DVec3, DVec3)>,
}

impl Motion {
    /// Of the particle in a slot at the end of a step.
    pub fn of(p: &Particles, slot: usize) -> Self {
        Self {
            radius: p.radius[slot],
            mass: p.mass[slot],
            inertia: p.inertia(slot),
            position: p.position[slot],
            velocity: p.velocity[slot],
            angular_velocity: p.angular_velocity[slot],
            moved: p.position[slot] - p.previous_position[slot],
            turned: p.rotation_increment[slot],
            load_before: Some((p.force[slot], p.torque[slot])),
        }
    }

    /// Of a rigid body, which is a sphere of its volume to fields. Global damping slows its rotation as if every axis had the mean moment of inertia.
    pub fn of_body(body: &Body) -> Self {
        Self {
            radius: body.equivalent_radius,
            mass: body.mass,
            inertia: (body.moments.x + body.moments.y + body.moments.z) / 3.0,
            position: body.position,
            velocity: body.velocity,
            angular_velocity: body.angular_velocity(),
            moved: body.position - body.previous_position,
            turned: body.rotation_increment,
            load_before: Some((body.force, body.torque)),
        }
    }

    /// At rest in a place, as far as the work of a step is concerned.
    fn at_rest(self) -> Self {
        Self { moved: DVec3::ZERO, turned: DVec3::ZERO, load_before: None, ..self }
    }

    /// The same of a rigid body.
    pub(crate) fn standing_body(body: &Body) -> Self {
        Self::of_body(body).at_rest()
    }

    /// The same of the particle in a slot.
    pub(super) fn standing(p: &Particles, slot: usize) -> Self {
        Self::of(p, slot).at_rest()
    }
}
