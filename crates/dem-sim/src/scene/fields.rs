//! Gravity, drag, damping.

use dem_core::DVec3;
use dem_io::units::{
    Acceleration, AngularVelocity, Density, DragCoefficient, DynamicViscosity, Frequency, Length, Mass, Quantity, Ratio,
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::quantities::VelocityVector;
use crate::fields::body_forces::Fields;

/// Gravity, drag, damping.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FieldsScene {
    /// Acceleration of gravity. Default: (0, 0, −9.81) m/s².
    pub gravity: Option<[Quantity<Acceleration>; 3]>,
    /// Angular velocity with which gravity turns in space, as seen from a slowly turning drum; `gravity` is its value at time zero, or when a
    /// stage that sets fields begins.
    /// Centrifugal and Coriolis forces are not part of it.
    pub gravity_rotation: Option<[Quantity<AngularVelocity>; 3]>,
    /// Law of drag. Default: linear with a `drag_coefficient`, otherwise none.
    pub drag: Option<DragScene>,
    /// Coefficient c of linear drag, f = −c (v − fluid_velocity).
    pub drag_coefficient: Option<Quantity<DragCoefficient>>,
    /// Dynamic viscosity of the fluid, for the other laws of drag.
    pub fluid_viscosity: Option<Quantity<DynamicViscosity>>,
    /// Density of the fluid, for drag by Schiller-Naumann and Wen-Yu. Buoyancy is not part of drag.
    pub fluid_density: Option<Quantity<Density>>,
    /// Edge of the cubic cells in which Wen-Yu takes the local porosity, at least two of the largest diameters.
    pub porosity_cell: Option<Quantity<Length>>,
    /// Coefficient S of the Magnus force f = S ω × (v − fluid_velocity).
    pub magnus_coefficient: Option<Quantity<Mass>>,
    /// Velocity of the fluid, for drag and the Magnus force.
    pub fluid_velocity: Option<VelocityVector>,
    /// Local non-viscous damping, 0 ≤ value < 1. It slows free fall: use it for quasi-static simulations only.
    pub local_damping: Option<Quantity<Ratio>>,
    /// Global mass damping c of f = −c m v.
    pub mass_damping: Option<Quantity<Frequency>>,
}

/// How drag depends on the velocity u relative to the fluid, for a sphere of diameter d in a fluid of viscosity η and density ρ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DragScene {
    /// No drag.
    None,
    /// −c u.
    Linear,
    /// −3π η d u, for creeping flow.
    Stokes,
    /// −(π/8) C_d ρ d² |u| u with C_d = max(24/Re (1 + 0.15 Re^0.687), 0.44), Re = ρ |u| d/η.
    SchillerNaumann,
    /// The same times ε^−1.65 with Re = ε ρ |u| d/η, ε the local porosity in cells of `porosity_cell`: linear weights between cells,
    /// not below 0.2.
    WenYu,
}

impl FieldsScene {
    /// Acceleration of gravity \[m/s²\].
    pub fn gravity(&self) -> DVec3 {
        self.gravity.map_or(DVec3::new(0.0, 0.0, -9.81), Quantity::vector)
    }

    /// Whether nothing is given.
    pub fn is_empty(&self) -> bool {
        let Self {
            gravity,
            gravity_rotation,
            drag,
            drag_coefficient,
            fluid_viscosity,
            fluid_density,
            porosity_cell,
            magnus_coefficient,
            fluid_velocity,
            local_damping,
            mass_damping,
        } = self;
        let of_drag = drag.is_none()
            && [fluid_viscosity.is_none(), fluid_density.is_none(), porosity_cell.is_none()] == [true; 3]
            && drag_coefficient.is_none();
        let of_fluid = magnus_coefficient.is_none() && fluid_velocity.is_none();
        let of_gravity = gravity.is_none() && gravity_rotation.is_none();
        of_drag && of_fluid && of_gravity && local_damping.is_none() && mass_damping.is_none()
    }

    /// What is given here from the fields that were built of it, the rest of others.
    pub(crate) fn taken_from(&self, built: &Fields, others: &Fields) -> Fields {
        let of_drag = self.drag.is_some()
            || self.drag_coefficient.is_some()
            || [self.fluid_viscosity.is_some(), self.fluid_density.is_some(), self.porosity_cell.is_some()]
                != [false; 3];
        let mut fields = *others;
        if self.gravity.is_some() || self.gravity_rotation.is_some() {
            fields.gravity = built.gravity;
            fields.gravity_rotation = built.gravity_rotation;
        }
        if of_drag || self.fluid_velocity.is_some() {
            fields.drag = built.drag;
        }
        if self.magnus_coefficient.is_some() || self.fluid_velocity.is_some() {
            fields.magnus = built.magnus;
        }
        if self.local_damping.is_some() {
            fields.local_damping = built.local_damping;
        }
        if self.mass_damping.is_some() {
            fields.mass_damping = built.mass_damping;
        }
        fields
    }

    /// These fields with those that are given in others in their place. Another law of drag brings its own properties of the fluid along.
    pub fn changed_by(&self, change: &Self) -> Self {
        let nothing = Self::default();
        let of_drag = if change.drag.is_some() { &nothing } else { self };
        Self {
            gravity: change.gravity.or(self.gravity),
            gravity_rotation: change.gravity_rotation.or(self.gravity_rotation),
            drag: change.drag.or(self.drag),
            drag_coefficient: change.drag_coefficient.or(of_drag.drag_coefficient),
            fluid_viscosity: change.fluid_viscosity.or(of_drag.fluid_viscosity),
            fluid_density: change.fluid_density.or(of_drag.fluid_density),
            porosity_cell: change.porosity_cell.or(of_drag.porosity_cell),
            magnus_coefficient: change.magnus_coefficient.or(self.magnus_coefficient),
            fluid_velocity: change.fluid_velocity.or(self.fluid_velocity),
            local_damping: change.local_damping.or(self.local_damping),
            mass_damping: change.mass_damping.or(self.mass_damping),
        }
    }
}
