//! Viscous damping of the whole motion of a contact, normal and tangential, by one constant.
//!
//! The force on i is `−ν ū` with `ū` the mean velocity of i against j over the step: `ν Δδ/Δt` of the normal force and `−ν Δs/Δt` of the
//! tangential one. It is added after the friction law: it does not count for the friction limit, nothing clips it, and it may pull
//! bodies together that separate.
//!
//! Source: M. R. Kuhn, K. Suzuki, A. Daouadji, "Linear-frictional contact model for 3D discrete element simulations of granular
//! systems", last paragraph of section 2; P. A. Cundall, O. D. L. Strack, Géotechnique 29 (1979) 47.

use dem_core::lanes::{Real, Vector};

use crate::law::Kinematics;
use crate::normal::NormalResponse;
use crate::parameter::{Interval, ParameterKind, ParameterSet, ParameterSpec};
use crate::tangential::TangentialResponse;

/// Viscosity of a contact.
pub const CONTACT_DAMPING: ParameterSpec = ParameterSpec {
    name: "contact_damping",
    unit: "N s/m",
    meaning: "viscosity ν of a force −ν v on the relative velocity at the contact, outside the friction limit; may pull",
    kind: ParameterKind::Default(0.0, Interval::NOT_NEGATIVE),
};

/// The damping of one pair of materials.
#[derive(Clone, Copy, Debug, Default)]
pub struct ContactDamping {
    /// Viscosity ν \[N s/m\].
    pub viscosity: f64,
}

impl ContactDamping {
    /// From the parameter `contact_damping`.
    pub fn from_parameters(parameters: &ParameterSet) -> Self {
        Self { viscosity: parameters.number("contact_damping") }
    }

    /// Viscosity over the length of the step, where the bodies touch at its end \[N/m\].
    #[inline(always)]
    fn per_step<R: Real>(self, k: &Kinematics<R>) -> R {
        R::select(k.overlap1.greater(R::zero()), R::parameter(self.viscosity) / k.time_step, R::zero())
    }

    /// Adds the normal part.
    #[inline(always)]
    pub fn add_normal<R: Real>(self, k: &Kinematics<R>, response: &mut NormalResponse<R>) {
        if self.viscosity > 0.0 {
            let approach = k.overlap1 - k.overlap0;
            let force = self.per_step(k) * approach;
            response.force1 += force;
            response.dashpot_force += force;
            response.viscous_work += R::constant(0.5) * force * approach;
        }
    }

    /// Adds the tangential part.
    #[inline(always)]
    pub fn add_tangential<R: Real>(self, k: &Kinematics<R>, response: &mut TangentialResponse<R>) {
        if self.viscosity > 0.0 {
            let force: Vector<R> = k.slip * self.per_step(k);
            response.force -= force;
            response.viscous += force.dot(k.slip);
        }
    }
}
