//! Fields, and what they do to a particle over a step.

use dem_core::DVec3;
use dem_core::particles::Particles;
use serde::{Deserialize, Serialize};

use super::drag::Drag;
use super::motion::{Load, Motion};
use super::porosity::Porosity;

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
    /// Acceleration of gravity \[m/s²\], at [`Self::gravity_since`] if it turns.
    pub gravity: DVec3,
    /// Time from which on it turns \[s\].
    pub gravity_since: f64,
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

/// The fields over one step.
#[derive(Clone, Copy, Debug)]
pub struct StepFields<'a> {
    pub(super) fields: &'a Fields,
    pub(super) porosity: &'a Porosity,
    pub(super) gravity: DVec3,
    /// Mean of gravity at the start and at the end, if it has no potential.
    pub(super) turning_gravity: DVec3,
    pub(super) time_step: f64,
    pub(super) opposes_motion: bool,
    pub(super) does_work: bool,
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
        let (sine, cosine) = libm::sincos(rate * (time - self.gravity_since));
        let along = axis * axis.dot(self.gravity);
        along + (self.gravity - along) * cosine + axis.cross(self.gravity) * sine
    }

    /// The part of gravity that has a potential \[m/s²\].
    pub fn potential_gravity(&self) -> DVec3 {
        if self.gravity_turns() { DVec3::ZERO } else { self.gravity }
    }

    /// Whether fields without a potential do work.
    pub fn does_work(&self) -> bool {
        self.opposes_motion() || self.local_damping > 0.0 || self.gravity_turns() || self.magnus.is_some()
    }

    fn opposes_motion(&self) -> bool {
        self.drag.is_some() || self.mass_damping > 0.0
    }

    /// What local damping makes of a load, component by component: it takes a fraction off along the velocity and adds
    /// it against it.
    pub(crate) fn after_local_damping(&self, load: DVec3, velocity: DVec3) -> DVec3 {
        load - self.local_damping * load.abs() * sign(velocity)
    }

    /// What it has made into a load, which keeps its sign.
    pub(crate) fn before_local_damping(&self, load: DVec3, velocity: DVec3) -> DVec3 {
        load / (1.0 - self.local_damping * sign(load) * sign(velocity))
    }

    /// The fields over a step of a length \[s\] from a time \[s\] on, with the local porosities of its start and end.
    pub fn over_step<'a>(&'a self, porosity: &'a Porosity, start: f64, time_step: f64) -> StepFields<'a> {
        let gravity = self.gravity_at(start + time_step);
        let turning_gravity = if self.gravity_turns() { 0.5 * (self.gravity_at(start) + gravity) } else { DVec3::ZERO };
        StepFields {
            fields: self,
            porosity,
            gravity,
            turning_gravity,
            time_step,
            opposes_motion: self.opposes_motion(),
            does_work: self.does_work(),
        }
    }

    /// Edge of the cells in which a local porosity is wanted \[m\], if one is.
    pub fn porosity_cell(&self) -> Option<f64> {
        self.drag?.law.porosity_cell()
    }

    /// Rate at which drag and global damping change the velocity of a sphere relative to what surrounds it \[1/s\], at a speed relative to the
    /// fluid \[m/s\].
    pub fn relaxation_rate(&self, radius: f64, mass: f64, speed: f64, porosity: impl Fn() -> f64) -> f64 {
        let of_drag = self.drag.map_or(0.0, |drag| drag.slope(radius, speed, porosity) / mass);
        of_drag + self.mass_damping
    }

    /// Force at a time on a particle that touches nothing, alone in the fluid \[N\].
    pub fn free_force(&self, p: &Particles, slot: usize, time: f64) -> DVec3 {
        let external = p.external.get(slot).map_or(DVec3::ZERO, |load| load.force);
        let alone = Porosity::default();
        self.over_step(&alone, time, 0.0).apply(&Motion::standing(p, slot), external, DVec3::ZERO).force
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
            load.force += magnus.lift(p.velocity, p.angular_velocity);
            let (velocity, spin) = self.mean_velocity(p);
            load.dissipated -= magnus.lift(velocity, spin).dot(magnus.fluid_velocity) * self.time_step;
        }
        if self.opposes_motion {
            let porosity = || self.porosity.end.at(p.position);
            let (force, torque) = self.resistance(p, p.velocity, p.angular_velocity, porosity);
            load.force += force;
            load.torque += torque;
            let (velocity, spin) = self.mean_velocity(p);
            let mean_porosity = || 0.5 * (self.porosity.start.at(p.position - p.moved) + porosity());
            let (force, torque) = self.resistance(p, velocity, spin, mean_porosity);
            load.dissipated -= force.dot(p.moved) + torque.dot(p.turned);
        }
        let damping = self.fields.local_damping;
        if damping > 0.0 {
            let (force, torque) = (load.force, load.torque);
            load.force = self.fields.after_local_damping(force, p.velocity);
            load.torque = self.fields.after_local_damping(torque, p.angular_velocity);
            let undamped = |load, moved| self.fields.before_local_damping(load, moved);
            let (before, torque_before) = p
                .load_before
                .map_or((force, torque), |(force, torque)| (undamped(force, p.moved), undamped(torque, p.turned)));
            let mean = |before: DVec3, after: DVec3| 0.5 * (before.abs() + after.abs());
            load.dissipated +=
                damping * (mean(before, force).dot(p.moved.abs()) + mean(torque_before, torque).dot(p.turned.abs()));
        }
        load
    }

    /// Velocity and spin of a particle between the start and the end of the step.
    fn mean_velocity(&self, p: &Motion) -> (DVec3, DVec3) {
        if self.time_step > 0.0 {
            (p.moved / self.time_step, p.turned / self.time_step)
        } else {
            (p.velocity, p.angular_velocity)
        }
    }

    /// Drag and global damping of a particle at a velocity and a spin: force \[N\] and torque \[N m\].
    fn resistance(&self, p: &Motion, velocity: DVec3, spin: DVec3, porosity: impl Fn() -> f64) -> (DVec3, DVec3) {
        let damping = self.fields.mass_damping;
        let mut force = -damping * p.mass * velocity;
        if let Some(drag) = &self.fields.drag {
            force += drag.force(p.radius, velocity, porosity);
        }
        (force, -damping * p.inertia * spin)
    }
}

impl Magnus {
    fn lift(&self, velocity: DVec3, spin: DVec3) -> DVec3 {
        self.coefficient * spin.cross(velocity - self.fluid_velocity)
    }
}

/// Signs with zero for zero, unlike `f64::signum`.
fn sign(v: DVec3) -> DVec3 {
    let one = |x: f64| if x == 0.0 { 0.0 } else { x.signum() };
    DVec3::new(one(v.x), one(v.y), one(v.z))
}
