//! The linear spring and dashpot with a contact damping on top, [`crate::submodels::contact_damping`].
//!
//! `N = max(0, k δ + c δ') + ν Δδ/Δt` while the bodies touch. The clip is that of the dashpot alone: with ν > 0 the
//! force may be negative, and the restitution is lower than the one requested, by an amount that depends on the mass.
//!
//! The force of this model is the first term, which limits friction; the law adds the second one when the tangential
//! force is known. Of the dashpot force at the start of a step, which is that of both, the fraction `c/(c + ν)` counts
//! for the limit at the start: both go with the same velocity but for its change within a step.

use dem_core::lanes::Real;
use dem_core::material::PairMaterial;

use crate::law::{Derived, Kinematics};
use crate::normal::{Linear, NormalKind, NormalModel, NormalResponse};
use crate::parameter::{LawError, ParameterSet, ParameterSpec};
use crate::submodels::contact_damping::{CONTACT_DAMPING, ContactDamping};
use crate::submodels::dashpot::Dashpot;

/// Linear spring, dashpot and contact damping.
#[derive(Clone, Copy, Debug)]
pub struct ContactDamped {
    linear: Linear,
    contact_damping: ContactDamping,
}

impl NormalModel for ContactDamped {
    const KEY: &'static str = Linear::KEY;
    type Record<R: Real> = [R; 0];

    fn parameters() -> Vec<ParameterSpec> {
        let mut all = Linear::parameters();
        all.push(CONTACT_DAMPING);
        all
    }

    fn new(parameters: &ParameterSet, pair: &PairMaterial) -> Result<Self, LawError> {
        Ok(Self {
            linear: Linear::new(parameters, pair)?,
            contact_damping: ContactDamping::from_parameters(parameters),
        })
    }

    fn kind(&self) -> NormalKind {
        self.linear.kind()
    }

    fn constant_stiffness(&self) -> Option<f64> {
        self.linear.constant_stiffness()
    }

    #[inline(always)]
    fn stiffness<R: Real>(&self, effective_radius: R, overlap: R) -> R {
        self.linear.stiffness(effective_radius, overlap)
    }

    fn elastic_force(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> f64 {
        self.linear.elastic_force(effective_radius, overlap, record)
    }

    fn dashpot(&self) -> Dashpot {
        self.linear.dashpot()
    }

    fn viscosity(&self) -> f64 {
        self.contact_damping.viscosity
    }

    fn impact_overlap(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        self.linear.impact_overlap(effective_radius, effective_mass, speed)
    }

    fn contact_duration(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        self.linear.contact_duration(effective_radius, effective_mass, speed)
    }

    fn elastic_energy(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> f64 {
        self.linear.elastic_energy(effective_radius, overlap, record)
    }

    fn derived(&self) -> Vec<Derived> {
        let mut all = self.linear.derived();
        let viscosity = self.contact_damping.viscosity;
        if viscosity > 0.0 {
            // the restitution now depends on the mass
            all.retain(|derived| derived.name != "achieved restitution");
            all.push(Derived { name: "contact damping", value: viscosity, unit: "N s/m" });
        }
        all
    }

    #[inline(always)]
    fn respond<R: Real>(&self, k: &Kinematics<R>, dashpot0: R, start: &[R; 0]) -> (NormalResponse<R>, [R; 0]) {
        let (mut response, record) = self.linear.respond(k, dashpot0, start);
        if self.contact_damping.viscosity > 0.0 {
            let dashpot = self.linear.viscosity(k.effective_mass);
            let share = dashpot / (dashpot + R::parameter(self.contact_damping.viscosity));
            response.force0 = response.elastic0.plus_product(dashpot0, share).maximum(R::zero());
            response.limit0 = response.force0;
        }
        (response, record)
    }
}
