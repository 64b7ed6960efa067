//! Forces on particles that do not come from contacts: gravity, drag, local non-viscous and global mass damping.

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

/// All fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Fields {
    /// Acceleration of gravity \[m/s²\].
    pub gravity: DVec3,
    /// Drag.
    pub drag: Option<Drag>,
    /// Local non-viscous damping α \[-\]: `f = −α |F| sign(v)` per component, 0 ≤ α < 1. Free fall runs at (1 − α) g: for quasi-static
    /// work only.
    pub local_damping: f64,
    /// Global mass damping c_m \[1/s\]: `f = −c_m m v`.
    pub mass_damping: f64,
}

/// Force and torque on a particle, and the dissipative part of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Load {
    /// Total force \[N\].
    pub force: DVec3,
    /// Total torque \[N m\].
    pub torque: DVec3,
    /// Part of the force that drag and damping contributed \[N\].
    pub dissipative_force: DVec3,
    /// Part of the torque that damping contributed \[N m\].
    pub dissipative_torque: DVec3,
}

impl Fields {
    /// Whether any field dissipates.
    pub fn is_dissipative(&self) -> bool {
        self.drag.is_some() || self.local_damping > 0.0 || self.mass_damping > 0.0
    }

    /// Whether a field distorts the motion of free particles, so that restitution and conservation cannot be measured.
    pub fn is_artificial(&self) -> bool {
        self.local_damping > 0.0 || self.mass_damping > 0.0
    }

    /// Adds the fields to the contact and external force and torque of a particle.
    #[inline]
    pub fn apply(&self, p: &Particles, slot: usize, force: DVec3, torque: DVec3) -> Load {
        let mut load = Load { force: force + p.mass[slot] * self.gravity, torque, ..Load::default() };
        if !self.is_dissipative() {
            return load;
        }
        let (v, w) = (p.velocity[slot], p.angular_velocity[slot]);
        if let Some(drag) = &self.drag {
            load.dissipative_force -= drag.coefficient * (v - drag.fluid_velocity);
        }
        load.dissipative_force -= self.mass_damping * p.mass[slot] * v;
        load.dissipative_torque -= self.mass_damping * p.inertia(slot) * w;
        if self.local_damping > 0.0 {
            let oppose =
                |f: DVec3, v: DVec3| f.abs() * DVec3::new(sign(v.x), sign(v.y), sign(v.z)) * -self.local_damping;
            let (f, m) = (load.force + load.dissipative_force, load.torque + load.dissipative_torque);
            load.dissipative_force += oppose(f, v);
            load.dissipative_torque += oppose(m, w);
        }
        load.force += load.dissipative_force;
        load.torque += load.dissipative_torque;
        load
    }

    /// Force on a particle that touches nothing \[N\].
    pub fn free_force(&self, p: &Particles, slot: usize) -> DVec3 {
        self.apply(p, slot, p.external_force[slot], DVec3::ZERO).force
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
