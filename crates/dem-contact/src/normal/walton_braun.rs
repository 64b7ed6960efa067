//! A spring that is stiffer when it unloads, after Walton and Braun.
//!
//! On first loading `N = k₁ δ`; below the largest overlap D so far `N = max(0, k₂ (δ − (1 − k₁/k₂) D))`, which meets the first line at D. k₂ is
//! given, or grows with the load as `k₂ = k₁ (1 + S D)`.
//!
//! The spring gives back N²/2k₂, so that `½ k₁ (1 − k₁/k₂) D²` has gone into plastic deformation, whatever the way. The restitution of an impact is `√(k₁/k₂)`:
//! the same at all speeds for a given k₂, and `(1 + S v √(m*/k₁))^(−1/2)` for one that grows.
//!
//! Source: O. R. Walton, R. L. Braun, J. Rheol. 30 (1986) 949. A dashpot of k₁ may be added.

use dem_core::history::FieldSpec;
use dem_core::lanes::Real;
use dem_core::material::PairMaterial;

use super::memory::{largest_overlap, plastic_work};
use super::plastic_spring::{LOADING_STIFFNESS, PLASTIC_DAMPING_RATIO, PlasticSpring};
use crate::law::{Derived, Kinematics};
use crate::normal::{NormalModel, NormalResponse};
use crate::parameter::{Interval, LawError, ParameterKind, ParameterSet, ParameterSpec};
use crate::submodels::adhesion::RESTITUTION_AT_SPEED;
use crate::submodels::damping::NO_TENSION;
use crate::submodels::dashpot::Dashpot;

const UNLOADING_STIFFNESS: ParameterSpec = ParameterSpec {
    name: "unloading_stiffness",
    unit: "N/m",
    meaning: "stiffness k2 of unloading, more than that of loading; alternative to stiffening",
    kind: ParameterKind::Optional(Interval::POSITIVE),
};

const STIFFENING: ParameterSpec = ParameterSpec {
    name: "stiffening",
    unit: "1/m",
    meaning: "S of an unloading stiffness k1 (1 + S D) that grows with the largest overlap D; alternative to unloading_stiffness",
    kind: ParameterKind::Optional(Interval::NOT_NEGATIVE),
};

/// The model.
#[derive(Clone, Copy, Debug)]
pub struct WaltonBraun {
    spring: PlasticSpring,
    /// k₂ at no load \[N/m\].
    unloading: f64,
    /// What k₂ grows by with the largest overlap \[N/m²\].
    growth: f64,
}

impl WaltonBraun {
    #[inline(always)]
    fn unloading<R: Real>(&self, largest: R) -> R {
        R::parameter(self.unloading).plus_product(R::parameter(self.growth), largest)
    }

    /// Force at an overlap after a largest one \[N\].
    #[inline(always)]
    fn force<R: Real>(&self, overlap: R, largest: R) -> R {
        let loading = R::parameter(self.spring.loading);
        let unloading = self.unloading(largest);
        (loading * largest).plus_product(unloading, overlap - largest).maximum(R::zero())
    }

    /// Work of plastic deformation up to a largest overlap \[J\].
    #[inline(always)]
    fn plastic<R: Real>(&self, largest: R) -> R {
        let loading = R::parameter(self.spring.loading);
        let share = R::constant(1.0) - loading / self.unloading(largest);
        R::constant(0.5) * loading * share * largest * largest
    }
}

impl NormalModel for WaltonBraun {
    const KEY: &'static str = "walton-braun";
    /// Largest overlap and plastic work.
    type Record<R: Real> = [R; 2];

    fn parameters() -> Vec<ParameterSpec> {
        vec![LOADING_STIFFNESS, UNLOADING_STIFFNESS, STIFFENING, PLASTIC_DAMPING_RATIO, NO_TENSION]
    }

    fn new(parameters: &ParameterSet, _pair: &PairMaterial) -> Result<Self, LawError> {
        let spring = PlasticSpring::new(parameters);
        let loading = spring.loading;
        let given = [UNLOADING_STIFFNESS, STIFFENING].map(|spec| parameters.optional(spec.name));
        let (unloading, growth) = match given {
            [Some(_), Some(_)] => {
                let message = format!("given together with {}: give one of the two", UNLOADING_STIFFNESS.name);
                return Err(LawError::new(STIFFENING.name, message));
            }
            [Some(unloading), None] if unloading < loading => {
                let message = format!("= {unloading} [N/m], expected at least {} {loading}", LOADING_STIFFNESS.name);
                return Err(LawError::new(UNLOADING_STIFFNESS.name, message));
            }
            [Some(unloading), None] => (unloading, 0.0),
            [None, Some(stiffening)] => (loading, loading * stiffening),
            [None, None] => {
                let message = format!("missing: give it or {} [1/m]", STIFFENING.name);
                return Err(LawError::new(UNLOADING_STIFFNESS.name, message));
            }
        };
        Ok(Self { spring, unloading, growth })
    }

    fn fields(&self) -> Vec<FieldSpec> {
        vec![largest_overlap(), plastic_work()]
    }

    fn constant_stiffness(&self) -> Option<f64> {
        Some(self.spring.loading)
    }

    #[inline(always)]
    fn stiffness<R: Real>(&self, _effective_radius: R, overlap: R) -> R {
        self.unloading(overlap.maximum(R::zero()))
    }

    fn elastic_force(&self, _effective_radius: f64, overlap: f64, record: &[f64]) -> f64 {
        let overlap = overlap.max(0.0);
        self.force(overlap, record.first().copied().unwrap_or(0.0).max(overlap))
    }

    fn dashpot(&self) -> Dashpot {
        self.spring.dashpot
    }

    fn impact_overlap(&self, _effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        self.spring.impact_overlap(effective_mass, speed)
    }

    fn contact_duration(&self, _effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        let largest = self.spring.impact_overlap(effective_mass, speed);
        self.spring.contact_duration(effective_mass, self.unloading(largest))
    }

    fn elastic_energy(&self, _effective_radius: f64, overlap: f64, record: &[f64]) -> f64 {
        let largest = record.first().copied().unwrap_or(0.0);
        let force = self.force(overlap.max(0.0), largest);
        0.5 * force * force / self.unloading(largest)
    }

    fn facts(&self, _effective_radius: f64, effective_mass: f64, speed: f64) -> Vec<Derived> {
        let unloading = self.unloading(self.spring.impact_overlap(effective_mass, speed));
        let value = (self.spring.loading / unloading).sqrt();
        vec![Derived { name: RESTITUTION_AT_SPEED, value, unit: "-" }]
    }

    fn derived(&self) -> Vec<Derived> {
        if self.growth > 0.0 {
            return Vec::new();
        }
        let restitution = (self.spring.loading / self.unloading).sqrt();
        vec![Derived { name: "restitution without dashpot", value: restitution, unit: "-" }]
    }

    #[inline(always)]
    fn respond<R: Real>(
        &self,
        k: &Kinematics<R>,
        dashpot0: R,
        &[largest0, work0]: &[R; 2],
    ) -> (NormalResponse<R>, [R; 2]) {
        let zero = R::zero();
        let (overlap0, overlap1) = (k.overlap0.maximum(zero), k.overlap1.maximum(zero));
        let largest1 = largest0.maximum(overlap1);
        let (elastic0, elastic1) = (self.force(overlap0, largest0.maximum(overlap0)), self.force(overlap1, largest1));
        let response = self.spring.respond(k, dashpot0, [elastic0, elastic1], [elastic0, elastic1]);
        // added, not computed from the state: within the range of a force at a distance the record has the work of earlier contacts
        (response, [largest1, work0 + (self.plastic(largest1) - self.plastic(largest0))])
    }
}
