//! No tangential force.

use dem_core::DVec3;
use dem_core::history::FieldSpec;
use dem_core::lanes::Real;
use dem_core::material::PairMaterial;

use crate::law::{Derived, Kinematics};
use crate::normal::NormalResponse;
use crate::parameter::{LawError, ParameterSet, ParameterSpec};
use crate::tangential::{StraightTangential, TangentialModel, TangentialResponse, respond_alone};

/// Frictionless.
#[derive(Clone, Copy, Debug)]
pub struct NoTangential;

impl TangentialModel for NoTangential {
    const KEY: &'static str = "none";

    fn parameters() -> Vec<ParameterSpec> {
        Vec::new()
    }

    fn new(_parameters: &ParameterSet, _pair: &PairMaterial, _normal_stiffness: Option<f64>) -> Result<Self, LawError> {
        Ok(Self)
    }

    fn fields(&self) -> Vec<FieldSpec> {
        Vec::new()
    }

    #[inline(always)]
    fn stiffness<R: Real>(&self, _effective_radius: R, _overlap: R) -> R {
        R::zero()
    }

    fn elastic_slip(&self, _effective_radius: f64, _overlap: f64, _record: &[f64]) -> DVec3 {
        DVec3::ZERO
    }

    fn derived(&self) -> Vec<Derived> {
        Vec::new()
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

impl StraightTangential for NoTangential {
    type Record<R: Real> = [R; 0];

    #[inline(always)]
    fn respond_straight<R: Real>(
        &self,
        _k: &Kinematics<R>,
        n: &NormalResponse<R>,
        _energy0: R,
        _start: &[R; 0],
    ) -> (TangentialResponse<R>, [R; 0]) {
        let zero = R::zero();
        let response = TangentialResponse { loaded: n.limit1.greater(zero), ..TangentialResponse::none() };
        (response, [])
    }
}
