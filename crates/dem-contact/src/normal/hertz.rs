//! Hertz with a dashpot in proportion to `√(m* dN/dδ)`, which makes the restitution independent of the speed.
//!
//! | symbol | meaning |
//! |---|---|
//! | E* | effective Young's modulus, `1/E* = Σ(1−ν²)/E` |
//! | a = √(r* δ) | contact radius |
//! | d* = 2ζ √(m* 2E* a) | dashpot |
//!
//! `N = max(0, 4/3 E* √r* δ^(3/2) + d* δ')`.
//!
//! Sources: H. Hertz (1882); damping after Y. Tsuji, T. Tanaka, T. Ishida, Powder Technol. 71 (1992) 239. For a target e the
//! ratio is `ζ = √(5/6) (−ln e)/√(π² + ln² e)` if tension is allowed; without the factor `√(5/6)`, as often printed, the
//! achieved restitution is lower.

use dem_core::lanes::Real;
use dem_core::material::PairMaterial;

use crate::law::{Derived, Kinematics};
use crate::normal::{NormalKind, NormalModel, NormalResponse};
use crate::parameter::{LawError, ParameterSet, ParameterSpec};
use crate::submodels::damping::{DAMPING_RATIO, Damping, NO_TENSION, RESTITUTION, Spring};
use crate::submodels::dashpot::Dashpot;

/// Hertz with damping.
#[derive(Clone, Copy, Debug)]
pub struct Hertz {
    young_modulus: f64,
    damping: Damping,
    no_tension: bool,
}

/// Ratio of the duration of an undamped Hertz impact to (largest overlap)/(speed): `4/5 · √π Γ(2/5)/Γ(9/10)`.
const DURATION_FACTOR: f64 = 2.943_275_1;

impl Hertz {
    /// Without a dashpot.
    pub(super) fn elastic(young_modulus: f64) -> Self {
        Self { young_modulus, damping: Damping { dashpot: Dashpot::NONE, restitution: Some(1.0) }, no_tension: true }
    }

    /// E* \[Pa\].
    #[inline(always)]
    pub(super) fn young_modulus(&self) -> f64 {
        self.young_modulus
    }

    /// Whether the dashpot may not pull.
    #[inline(always)]
    pub(super) fn allows_no_tension(&self) -> bool {
        self.no_tension
    }

    /// `k_H` of `N = k_H δ^(3/2)` \[N/m^(3/2)\].
    pub(super) fn coefficient(&self, effective_radius: f64) -> f64 {
        4.0 / 3.0 * self.young_modulus * effective_radius.sqrt()
    }
}

impl NormalModel for Hertz {
    const KEY: &'static str = "hertz";
    type Record<R: Real> = [R; 0];

    fn parameters() -> Vec<ParameterSpec> {
        vec![RESTITUTION, DAMPING_RATIO, NO_TENSION]
    }

    fn new(parameters: &ParameterSet, pair: &PairMaterial) -> Result<Self, LawError> {
        let no_tension = parameters.flag("no_tension");
        Ok(Self {
            young_modulus: pair.effective_young_modulus,
            damping: Damping::from_parameters(parameters, Spring::Hertz, no_tension)?,
            no_tension,
        })
    }

    fn kind(&self) -> NormalKind {
        NormalKind::Hertz
    }

    fn constant_stiffness(&self) -> Option<f64> {
        None
    }

    #[inline(always)]
    fn stiffness<R: Real>(&self, effective_radius: R, overlap: R) -> R {
        R::parameter(2.0 * self.young_modulus) * (effective_radius * overlap.maximum(R::zero())).sqrt()
    }

    fn elastic_force(&self, effective_radius: f64, overlap: f64, _record: &[f64]) -> f64 {
        let overlap = overlap.max(0.0);
        4.0 / 3.0 * self.young_modulus * (effective_radius * overlap).sqrt() * overlap
    }

    fn dashpot(&self) -> Dashpot {
        self.damping.dashpot
    }

    fn impact_overlap(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        // (5/4 m* v² / k_H)^(2/5)
        libm::pow(1.25 * effective_mass * speed * speed / self.coefficient(effective_radius), 0.4)
    }

    fn contact_duration(&self, effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        if speed > 0.0 {
            DURATION_FACTOR * self.impact_overlap(effective_radius, effective_mass, speed) / speed
        } else {
            f64::INFINITY
        }
    }

    fn elastic_energy(&self, effective_radius: f64, overlap: f64, _record: &[f64]) -> f64 {
        let overlap = overlap.max(0.0);
        0.4 * self.coefficient(effective_radius) * overlap * overlap * overlap.sqrt()
    }

    fn derived(&self) -> Vec<Derived> {
        let modulus = Derived { name: "effective Young's modulus E*", value: self.young_modulus, unit: "Pa" };
        std::iter::once(modulus).chain(self.damping.derived()).collect()
    }

    #[inline(always)]
    fn respond<R: Real>(&self, k: &Kinematics<R>, dashpot0: R, start: &[R; 0]) -> (NormalResponse<R>, [R; 0]) {
        let (mut response, record) = self.respond_unclipped(k, dashpot0, start);
        let zero = R::zero();
        if self.no_tension {
            response.force1 = response.force1.maximum(zero);
            response.dashpot_force = response.force1 - response.elastic1;
        }
        response.force0 = response.force0.maximum(zero);
        (response.limit0, response.limit1) = (response.force0, response.force1);
        let works = (dashpot0 + response.dashpot_force) * (k.overlap1 - k.overlap0);
        // the step in which the motion reverses returns no work
        response.viscous_work = (R::constant(0.5) * works).maximum(zero);
        (response, record)
    }
}

impl Hertz {
    /// The response with a dashpot that may pull, without its work.
    #[inline(always)]
    pub(super) fn respond_unclipped<R: Real>(
        &self,
        k: &Kinematics<R>,
        dashpot0: R,
        _start: &[R; 0],
    ) -> (NormalResponse<R>, [R; 0]) {
        let zero = R::zero();
        let (overlap0, overlap1) = (k.overlap0.maximum(zero), k.overlap1.maximum(zero));
        let contact_radius0 = (k.effective_radius * overlap0).sqrt();
        let contact_radius1 = (k.effective_radius * overlap1).sqrt();
        let elastic = R::parameter(4.0 / 3.0 * self.young_modulus);
        let (elastic0, elastic1) = (elastic * contact_radius0 * overlap0, elastic * contact_radius1 * overlap1);
        let stiffness = R::parameter(2.0 * self.young_modulus) * contact_radius1;
        let viscosity = self.damping.dashpot.viscosity(stiffness, k.effective_mass).unwrap_or(zero);
        let force1 = elastic1.plus_product(viscosity, k.overlap_rate);
        let response = NormalResponse {
            force0: elastic0 + dashpot0,
            force1,
            dashpot_force: force1 - elastic1,
            elastic0,
            elastic1,
            limit0: elastic0 + dashpot0,
            limit1: force1,
            elastic_limit0: elastic0,
            elastic_limit1: elastic1,
            contact_radius0,
            contact_radius1,
            viscosity,
            viscous_work: zero,
        };
        (response, [])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duration_factor_is_the_ratio_of_gamma_functions() {
        let gamma = libm::tgamma;
        let exact = 0.8 * std::f64::consts::PI.sqrt() * gamma(0.4) / gamma(0.9);
        assert!((DURATION_FACTOR - exact).abs() < 1e-6, "{exact}");
    }
}
