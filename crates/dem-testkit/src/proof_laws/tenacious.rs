//! A normal force that pulls beyond the surfaces: a linear spring that bodies which have touched keep until they are torn apart.
//!
//! The force is `N = k δ` down to `δ = −w r*`, where it ends: the hold has a reach that depends on the size of the bodies. There is no pull
//! before they have touched. What the spring holds when it is torn, ½ k (w r*)², is dissipated. Friction is limited by the force beyond the
//! strongest pull, `N + k w r*`, and the area of contact is that of the overlap beyond the same, so that both are there while N is negative.

use dem_contact::law::{Derived, Kinematics};
use dem_contact::normal::{NormalModel, NormalResponse};
use dem_contact::submodels::dashpot::Dashpot;
use dem_contact::{Interval, LawError, ParameterKind, ParameterSet, ParameterSpec};
use dem_core::history::{FieldRole, FieldSpec, FurtherWork};
use dem_core::lanes::Real;
use dem_core::material::PairMaterial;

/// The model of a pair of materials.
#[derive(Clone, Copy, Debug)]
pub struct Tenacious {
    /// k \[N/m\].
    stiffness: f64,
    /// w \[-\].
    reach: f64,
}

impl NormalModel for Tenacious {
    const KEY: &'static str = "proof-tenacious";
    /// Work of tearing.
    type Record<R: Real> = [R; 1];

    fn parameters() -> Vec<ParameterSpec> {
        vec![
            ParameterSpec {
                name: "normal_stiffness",
                unit: "N/m",
                meaning: "stiffness k",
                kind: ParameterKind::Required(Interval::POSITIVE),
            },
            ParameterSpec {
                name: "reach",
                unit: "-",
                meaning: "distance w of the surfaces, in effective radii, at which bodies are torn apart",
                kind: ParameterKind::Default(1e-3, Interval::POSITIVE),
            },
        ]
    }

    fn new(parameters: &ParameterSet, _pair: &PairMaterial) -> Result<Self, LawError> {
        Ok(Self { stiffness: parameters.number("normal_stiffness"), reach: parameters.number("reach") })
    }

    fn fields(&self) -> Vec<FieldSpec> {
        vec![FieldSpec {
            name: "adhesion_work",
            unit: "J",
            meaning: "energy dissipated when the bodies were torn apart",
            width: 1,
            role: FieldRole::Further(FurtherWork::Adhesion),
        }]
    }

    fn holds_on(&self) -> bool {
        true
    }

    fn range<R: Real>(&self, effective_radius: R) -> R {
        R::parameter(self.reach) * effective_radius
    }

    fn constant_stiffness(&self) -> Option<f64> {
        Some(self.stiffness)
    }

    fn stiffness<R: Real>(&self, _effective_radius: R, _overlap: R) -> R {
        R::parameter(self.stiffness)
    }

    fn elastic_force(&self, _effective_radius: f64, overlap: f64, _record: &[f64]) -> f64 {
        self.stiffness * overlap
    }

    fn dashpot(&self) -> Dashpot {
        Dashpot::NONE
    }

    fn impact_overlap(&self, _effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        speed * (effective_mass / self.stiffness).sqrt()
    }

    fn contact_duration(&self, _effective_radius: f64, effective_mass: f64, _speed: f64) -> f64 {
        std::f64::consts::PI * (effective_mass / self.stiffness).sqrt()
    }

    fn elastic_energy(&self, _effective_radius: f64, overlap: f64, _record: &[f64]) -> f64 {
        0.5 * self.stiffness * overlap * overlap
    }

    fn derived(&self) -> Vec<Derived> {
        Vec::new()
    }

    #[inline(always)]
    fn respond<R: Real>(&self, k: &Kinematics<R>, _dashpot0: R, &[torn]: &[R; 1]) -> (NormalResponse<R>, [R; 1]) {
        let (zero, stiffness, reach) = (R::zero(), R::parameter(self.stiffness), self.range(k.effective_radius));
        let holds = (-reach).less(k.overlap1);
        // a contact that forms in this step starts where the surfaces meet
        let overlap0 = R::select((-reach).less(k.overlap0), k.overlap0, zero);
        let (force0, pull) = (stiffness * overlap0, stiffness * reach);
        let force1 = R::select(holds, stiffness * k.overlap1, zero);
        let (limit0, limit1) = (force0 + pull, R::select(holds, force1 + pull, zero));
        let radius = |overlap: R| (k.effective_radius * (overlap + reach).maximum(zero)).sqrt();
        let response = NormalResponse {
            force0,
            force1,
            dashpot_force: zero,
            elastic0: force0,
            elastic1: force1,
            limit0,
            limit1,
            elastic_limit0: limit0,
            elastic_limit1: limit1,
            contact_radius0: radius(overlap0),
            contact_radius1: radius(k.overlap1),
            viscosity: zero,
            viscous_work: zero,
        };
        let held = R::constant(0.5) * force0 * overlap0;
        (response, [R::select(holds, torn, torn + held)])
    }
}
