//! A normal force with a memory: a spring that loads with k₁ and unloads with k₂ = k₁/e².
//!
//! With D the largest overlap so far the force is `max(0, k₂ (δ − (1 − k₁/k₂) D))`: k₁ D at δ = D. It gives back N²/2k₂ of the ½ k₁ D² that
//! were put in, so that `½ k₁ (1 − k₁/k₂) D²` has gone into plastic deformation, whatever the way. The restitution is √(k₁/k₂) = e at any speed.

use dem_contact::law::{Derived, Kinematics};
use dem_contact::normal::{NormalModel, NormalResponse};
use dem_contact::submodels::dashpot::Dashpot;
use dem_contact::{Interval, LawError, ParameterKind, ParameterSet, ParameterSpec};
use dem_core::history::{FieldRole, FieldSpec, FurtherWork};
use dem_core::lanes::Real;
use dem_core::material::PairMaterial;

/// The model of a pair of materials.
#[derive(Clone, Copy, Debug)]
pub struct Hysteretic {
    /// k₁ \[N/m\].
    loading: f64,
    /// k₂ \[N/m\].
    unloading: f64,
}

impl Hysteretic {
    /// Force at an overlap after a largest one \[N\].
    #[inline(always)]
    fn force<R: Real>(&self, overlap: R, largest: R) -> R {
        let rest = R::parameter(1.0 - self.loading / self.unloading) * largest;
        (R::parameter(self.unloading) * (overlap - rest)).maximum(R::zero())
    }

    /// Work of plastic deformation up to a largest overlap \[J\].
    #[inline(always)]
    fn plastic<R: Real>(&self, largest: R) -> R {
        R::parameter(0.5 * self.loading * (1.0 - self.loading / self.unloading)) * largest * largest
    }
}

impl NormalModel for Hysteretic {
    const KEY: &'static str = "proof-hysteretic";
    /// Largest overlap and plastic work.
    type Record<R: Real> = [R; 2];

    fn parameters() -> Vec<ParameterSpec> {
        vec![
            ParameterSpec {
                name: "normal_stiffness",
                unit: "N/m",
                meaning: "stiffness of first loading k1",
                kind: ParameterKind::Required(Interval::POSITIVE),
            },
            ParameterSpec {
                name: "restitution",
                unit: "-",
                meaning: "restitution e of impacts; unloading has k1/e^2",
                kind: ParameterKind::Required(Interval::UNIT),
            },
        ]
    }

    fn new(parameters: &ParameterSet, _pair: &PairMaterial) -> Result<Self, LawError> {
        let (loading, restitution) = (parameters.number("normal_stiffness"), parameters.number("restitution"));
        Ok(Self { loading, unloading: loading / (restitution * restitution) })
    }

    fn fields(&self) -> Vec<FieldSpec> {
        let field = |name, unit, meaning, role| FieldSpec { name, unit, meaning, width: 1, role };
        vec![
            field("largest_overlap", "m", "largest overlap since the contact formed", FieldRole::State),
            field(
                "plastic_work",
                "J",
                "energy dissipated by plastic deformation since the contact formed",
                FieldRole::Further(FurtherWork::Plastic),
            ),
        ]
    }

    fn constant_stiffness(&self) -> Option<f64> {
        Some(self.loading)
    }

    fn stiffness<R: Real>(&self, _effective_radius: R, _overlap: R) -> R {
        R::parameter(self.unloading)
    }

    fn elastic_force(&self, _effective_radius: f64, overlap: f64, record: &[f64]) -> f64 {
        self.force(overlap, record[0])
    }

    fn dashpot(&self) -> Dashpot {
        Dashpot::NONE
    }

    fn impact_overlap(&self, _effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        speed * (effective_mass / self.loading).sqrt()
    }

    fn contact_duration(&self, _effective_radius: f64, effective_mass: f64, _speed: f64) -> f64 {
        let quarter = |stiffness: f64| std::f64::consts::FRAC_PI_2 * (effective_mass / stiffness).sqrt();
        quarter(self.loading) + quarter(self.unloading)
    }

    fn elastic_energy(&self, _effective_radius: f64, overlap: f64, record: &[f64]) -> f64 {
        let force = self.force(overlap, record[0]);
        0.5 * force * force / self.unloading
    }

    fn derived(&self) -> Vec<Derived> {
        vec![Derived { name: "unloading stiffness", value: self.unloading, unit: "N/m" }]
    }

    #[inline(always)]
    fn respond<R: Real>(
        &self,
        k: &Kinematics<R>,
        _dashpot0: R,
        &[largest0, work0]: &[R; 2],
    ) -> (NormalResponse<R>, [R; 2]) {
        let zero = R::zero();
        let (overlap0, overlap1) = (k.overlap0.maximum(zero), k.overlap1.maximum(zero));
        let largest1 = largest0.maximum(overlap1);
        let (force0, force1) = (self.force(overlap0, largest0), self.force(overlap1, largest1));
        let response = NormalResponse {
            force0,
            force1,
            dashpot_force: zero,
            elastic0: force0,
            elastic1: force1,
            limit0: force0,
            limit1: force1,
            elastic_limit0: force0,
            elastic_limit1: force1,
            contact_radius0: (k.effective_radius * overlap0).sqrt(),
            contact_radius1: (k.effective_radius * overlap1).sqrt(),
            viscosity: zero,
            viscous_work: zero,
        };
        // added, not computed from the state: within the range of a force at a distance the record has the work of earlier contacts
        (response, [largest1, work0 + (self.plastic(largest1) - self.plastic(largest0))])
    }
}
