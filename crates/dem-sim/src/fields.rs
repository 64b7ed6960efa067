//! Forces on particles that do not come from contacts: gravity, drag, the Magnus force, local non-viscous and global mass damping.
//!
//! Gravity may turn uniformly in space, as seen from a drum that turns slowly: `g(t) = R(Ω t) g(0)`. The other forces of a turning frame,
//! centrifugal and Coriolis, are not part of it. Turning gravity has no potential: its work counts like that of the other fields.

use dem_core::DVec3;
use dem_core::particles::Particles;
use serde::{Deserialize, Serialize};

/// Linear drag `f = −c (v − v_fluid)`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drag {
    /// Coefficient c \[N s/m\].
    pub coefficient: f64,
    /// Velocity of the fluid \[m/s\].
    pub fluid_velocity: DVec3,
}

/// Magnus force `f = S ω × (v − v_fluid)` (Campello, Comput. Part. Mech. 2, 2015, Section 3.6, there for a fluid at rest).
///
/// It is perpendicular to the motion through the fluid: its power `f·v = f·v_fluid` is that of the fluid alone.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Magnus {
    /// Coefficient S \[kg\].
    pub coefficient: f64,
    /// Velocity of the fluid \[m/s\].
    pub fluid_velocity: DVec3,
}

/// All fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Fields {
    /// Acceleration of gravity at time zero \[m/s²\].
    pub gravity: DVec3,
    /// Angular velocity Ω with which gravity turns in space \[rad/s\].
    pub gravity_rotation: DVec3,
    /// Drag.
    pub drag: Option<Drag>,
    /// Magnus force.
    pub magnus: Option<Magnus>,
    /// Local non-viscous damping α \[-\]: `f = −α |F| sign(v)` per component, 0 ≤ α < 1. Free fall runs at (1 − α) g: for quasi-static
    /// work only.
    pub local_damping: f64,
    /// Global mass damping c_m \[1/s\]: `f = −c_m m v`.
    pub mass_damping: f64,
}

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
}

impl Motion {
    /// Of the particle in a slot at the end of a step.
    pub fn of(p: &Particles, slot: usize) -> Self {
        Self {
            mass: p.mass[slot],
            inertia: p.inertia(slot),
            position: p.position[slot],
            velocity: p.velocity[slot],
            angular_velocity: p.angular_velocity[slot],
            moved: p.position[slot] - p.previous_position[slot],
            turned: p.rotation_increment[slot],
        }
    }
}

/// The fields over one step.
#[derive(Clone, Copy, Debug)]
pub struct StepFields<'a> {
    fields: &'a Fields,
    gravity: DVec3,
    /// Mean of gravity at the start and at the end, if it has no potential.
    turning_gravity: DVec3,
    time_step: f64,
    opposes_motion: bool,
    does_work: bool,
}

impl Fields {
    /// Whether gravity turns in space.
    pub fn gravity_turns(&self) -> bool {
        self.gravity_rotation != DVec3::ZERO
    }

    /// Gravity at a time \[m/s²\].
    pub fn gravity_at(&self, time: f64) -> DVec3 {
        if !self.gravity_turns() {
            return self.gravity;
        }
        let rate = self.gravity_rotation.length();
        let axis = self.gravity_rotation / rate;
        let (sine, cosine) = libm::sincos(rate * time);
        let along = axis * axis.dot(self.gravity);
        along + (self.gravity - along) * cosine + axis.cross(self.gravity) * sine
    }

    /// The part of gravity that has a potential \[m/s²\].
    pub fn potential_gravity(&self) -> DVec3 {
        if self.gravity_turns() { DVec3::ZERO } else { self.gravity }
    }

    /// Whether fields without a potential do work.
    pub fn does_work(&self) -> bool {
        self.opposes_motion() || self.gravity_turns() || self.magnus.is_some()
    }

    fn opposes_motion(&self) -> bool {
        self.drag.is_some() || self.local_damping > 0.0 || self.mass_damping > 0.0
    }

    /// The fields over a step \[s\].
    pub fn over_step(&self, start: f64, end: f64) -> StepFields<'_> {
        let gravity = self.gravity_at(end);
        let turning_gravity = if self.gravity_turns() { 0.5 * (self.gravity_at(start) + gravity) } else { DVec3::ZERO };
        StepFields {
            fields: self,
            gravity,
            turning_gravity,
            time_step: end - start,
            opposes_motion: self.opposes_motion(),
            does_work: self.does_work(),
        }
    }

    /// Force at a time on a particle that touches nothing \[N\].
    pub fn free_force(&self, p: &Particles, slot: usize, time: f64) -> DVec3 {
        let external = p.external.get(slot).map_or(DVec3::ZERO, |load| load.force);
        let motion = Motion {
            mass: p.mass[slot],
            inertia: p.inertia(slot),
            position: p.position[slot],
            velocity: p.velocity[slot],
            angular_velocity: p.angular_velocity[slot],
            moved: DVec3::ZERO,
            turned: DVec3::ZERO,
        };
        self.over_step(time, time).apply(&motion, external, DVec3::ZERO).force
    }
}

impl StepFields<'_> {
    /// Whether [`Load::dissipated`] is ever anything but zero.
    #[inline(always)]
    pub fn does_work(&self) -> bool {
        self.does_work
    }

    /// Gravity at the end of the step \[m/s²\]: all there is unless fields do work.
    #[inline(always)]
    pub fn gravity(&self) -> DVec3 {
        self.gravity
    }

    /// Adds the fields to the contact and external force and torque of a particle.
    pub fn apply(&self, p: &Motion, force: DVec3, torque: DVec3) -> Load {
        let mut load = Load { force: force + p.mass * self.gravity, torque, dissipated: 0.0 };
        if !self.does_work {
            return load;
        }
        load.dissipated -= p.mass * self.turning_gravity.dot(p.moved);
        if let Some(magnus) = &self.fields.magnus {
            let lift = magnus.coefficient * p.angular_velocity.cross(p.velocity - magnus.fluid_velocity);
            load.force += lift;
            load.dissipated -= lift.dot(magnus.fluid_velocity) * self.time_step;
        }
        if self.opposes_motion {
            let (force, torque) = self.resistance(p, load.force, load.torque);
            load.dissipated -= force.dot(p.moved) + torque.dot(p.turned);
            load.force += force;
            load.torque += torque;
        }
        load
    }

    /// Drag and damping: force \[N\] and torque \[N m\].
    fn resistance(&self, p: &Motion, total_force: DVec3, total_torque: DVec3) -> (DVec3, DVec3) {
        let fields = self.fields;
        let (v, w) = (p.velocity, p.angular_velocity);
        let mut force = -fields.mass_damping * p.mass * v;
        let mut torque = -fields.mass_damping * p.inertia * w;
        if let Some(drag) = &fields.drag {
            force -= drag.coefficient * (v - drag.fluid_velocity);
        }
        if fields.local_damping > 0.0 {
            let oppose =
                |f: DVec3, v: DVec3| f.abs() * DVec3::new(sign(v.x), sign(v.y), sign(v.z)) * -fields.local_damping;
            (force, torque) = (force + oppose(total_force + force, v), torque + oppose(total_torque + torque, w));
        }
        (force, torque)
    }
}

/// Sign with zero for zero, unlike `f64::signum`.
fn sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}
