//! Linear spring and slider as most codes have it: the whole slip of the step loads the spring, and the force is cut to the limit at the
//! end of the step, in its own direction. For comparison with [`super::Kuhn`], whose history and frame transport it shares.
//!
//! `T = (R(T₀) − k_t Δs) min(1, μN₁/|·|)`, N₁ the elastic normal force at the end. A fresh contact takes the slip from before it formed.
//!
//! Source: the model that M. R. Kuhn, K. Suzuki, A. Daouadji, "Linear-frictional contact model for 3D discrete element simulations of
//! granular systems", compare with in Figs. 4 and 5. The work of a step is the trapezoid of its ends.

use dem_core::DVec3;
use dem_core::history::FieldSpec;
use dem_core::lanes::{Real, Vector};
use dem_core::material::PairMaterial;

use crate::law::{Derived, Kinematics};
use crate::normal::{NormalKind, NormalResponse};
use crate::parameter::{LawError, ParameterSet, ParameterSpec};
use crate::submodels::coulomb::{self, Bounds, Trial};
use crate::submodels::friction::FRICTION;
use crate::submodels::stiffness_rule::{STIFFNESS_RATIO, StiffnessRule};
use crate::tangential::kuhn::FORCE_FIELD;
use crate::tangential::{StraightTangential, TangentialModel, TangentialResponse, respond_alone};

/// Spring and slider of constant stiffness, cut at the end of the step.
#[derive(Clone, Copy, Debug)]
pub struct Conventional {
    stiffness: f64,
    friction: f64,
}

impl TangentialModel for Conventional {
    const KEY: &'static str = "conventional";

    fn parameters() -> Vec<ParameterSpec> {
        vec![STIFFNESS_RATIO, FRICTION]
    }

    fn new(parameters: &ParameterSet, pair: &PairMaterial, normal_stiffness: Option<f64>) -> Result<Self, LawError> {
        Ok(Self {
            stiffness: StiffnessRule::constant_share(Self::KEY, parameters, pair, normal_stiffness)?,
            friction: parameters.number("friction"),
        })
    }

    fn made_for(&self) -> Option<NormalKind> {
        Some(NormalKind::Linear)
    }

    fn fields(&self) -> Vec<FieldSpec> {
        vec![FORCE_FIELD]
    }

    #[inline(always)]
    fn stiffness<R: Real>(&self, _effective_radius: R, _overlap: R) -> R {
        R::parameter(self.stiffness)
    }

    fn elastic_slip(&self, _effective_radius: f64, _overlap: f64, record: &[f64]) -> DVec3 {
        if self.stiffness > 0.0 { DVec3::from_slice(record) / -self.stiffness } else { DVec3::ZERO }
    }

    fn force_without_dashpots(&self, _effective_radius: f64, _overlap: f64, record: &[f64]) -> DVec3 {
        DVec3::from_slice(record)
    }

    fn derived(&self) -> Vec<Derived> {
        vec![Derived { name: "tangential stiffness", value: self.stiffness, unit: "N/m" }]
    }

    #[inline(always)]
    fn respond(
        &self,
        k: &Kinematics,
        n: &NormalResponse,
        energy0: f64,
        start: &[f64],
        end: &mut [f64],
    ) -> TangentialResponse {
        respond_alone(self, k, n, energy0, start, end)
    }
}

impl StraightTangential for Conventional {
    type Record<R: Real> = [R; 3];

    #[inline(always)]
    fn respond_straight<R: Real>(
        &self,
        k: &Kinematics<R>,
        n: &NormalResponse<R>,
        _energy0: R,
        start: &[R; 3],
    ) -> (TangentialResponse<R>, [R; 3]) {
        let carried = k.transport.carry(Vector::from_slice(start));
        let spring = R::parameter(self.stiffness);
        let limit = R::parameter(self.friction) * n.elastic_limit1;
        let bounds = Bounds { stick: limit, slide: limit };
        let trial = Trial { start: carried, base: carried, elastic: carried - k.slip * spring, dashpot: None };
        let limited = coulomb::limit(k, &bounds, &trial, spring);
        let (response, force) = (limited.response, limited.elastic);
        (response, [force.x, force.y, force.z])
    }
}
