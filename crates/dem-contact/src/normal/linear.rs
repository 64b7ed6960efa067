//! Linear spring and dashpot, `N = max(0, k δ + c δ')` with `c = 2ζ √(k m*)`, or `c = γ m*` where a rate is given.
//!
//! Source: P. A. Cundall, O. D. L. Strack, Géotechnique 29 (1979) 47.

use dem_core::lanes::Real;
use dem_core::material::PairMaterial;

use crate::law::{Derived, Kinematics};
use crate::normal::{NormalKind, NormalModel, NormalResponse};
use crate::parameter::{Interval, LawError, ParameterKind, ParameterSet, ParameterSpec};
use crate::submodels::damping::{DAMPING_RATE, DAMPING_RATIO, Damping, NO_TENSION, RESTITUTION, Spring};
use crate::submodels::dashpot::Dashpot;

/// Linear spring and dashpot.
#[derive(Clone, Copy, Debug)]
pub struct Linear {
    stiffness: f64,
    damping: Damping,
    no_tension: bool,
}

impl Linear {
    /// Viscosity of the dashpot \[N s/m\].
    #[inline(always)]
    pub(super) fn viscosity<R: Real>(&self, effective_mass: R) -> R {
        self.damping.dashpot.viscosity(R::parameter(self.stiffness), effective_mass).unwrap_or(R::zero())
    }
}

impl NormalModel for Linear {
    const KEY: &'static str = "linear";
    type Record<R: Real> = [R; 0];

    fn parameters() -> Vec<ParameterSpec> {
        let stiffness = ParameterSpec {
            name: "normal_stiffness",
            unit: "N/m",
            meaning: "normal stiffness k of the pair",
            kind: ParameterKind::Required(Interval::POSITIVE),
        };
        vec![stiffness, RESTITUTION, DAMPING_RATIO, DAMPING_RATE, NO_TENSION]
    }

    fn new(parameters: &ParameterSet, _pair: &PairMaterial) -> Result<Self, LawError> {
        let no_tension = parameters.flag("no_tension");
        Ok(Self {
            stiffness: parameters.number("normal_stiffness"),
            damping: Damping::from_parameters(parameters, Spring::Linear, no_tension)?,
            no_tension,
        })
    }

    fn kind(&self) -> NormalKind {
        NormalKind::Linear
    }

    fn constant_stiffness(&self) -> Option<f64> {
        Some(self.stiffness)
    }

    #[inline(always)]
    fn stiffness<R: Real>(&self, _effective_radius: R, _overlap: R) -> R {
        R::parameter(self.stiffness)
    }

    fn elastic_force(&self, _effective_radius: f64, overlap: f64, _record: &[f64]) -> f64 {
        self.stiffness * overlap.max(0.0)
    }

    fn dashpot(&self) -> Dashpot {
        self.damping.dashpot
    }

    fn impact_overlap(&self, _effective_radius: f64, effective_mass: f64, speed: f64) -> f64 {
        speed * (effective_mass / self.stiffness).sqrt()
    }

    fn contact_duration(&self, _effective_radius: f64, effective_mass: f64, _speed: f64) -> f64 {
        std::f64::consts::PI * (effective_mass / self.stiffness).sqrt()
    }

    fn elastic_energy(&self, _effective_radius: f64, overlap: f64, _record: &[f64]) -> f64 {
        let overlap = overlap.max(0.0);
        0.5 * self.stiffness * overlap * overlap
    }

    fn derived(&self) -> Vec<Derived> {
        let stiffness = Derived { name: "normal stiffness", value: self.stiffness, unit: "N/m" };
        std::iter::once(stiffness).chain(self.damping.derived()).collect()
    }

    #[inline(always)]
    fn respond<R: Real>(&self, k: &Kinematics<R>, dashpot0: R, _start: &[R; 0]) -> (NormalResponse<R>, [R; 0]) {
        let zero = R::zero();
        let (overlap0, overlap1) = (k.overlap0.maximum(zero), k.overlap1.maximum(zero));
        let stiffness = R::parameter(self.stiffness);
        let (elastic0, elastic1) = (stiffness * overlap0, stiffness * overlap1);
        let viscosity = self.viscosity(k.effective_mass);
        let mut force = elastic1.plus_product(viscosity, k.overlap_rate);
        if self.no_tension {
            force = force.maximum(zero);
        }
        let force1 = R::select(k.overlap1.greater(zero), force, zero);
        let dashpot_force = force1 - elastic1;
        let force0 = (elastic0 + dashpot0).maximum(zero);
        let response = NormalResponse {
            force0,
            force1,
            dashpot_force,
            elastic0,
            elastic1,
            limit0: force0,
            limit1: force1,
            elastic_limit0: elastic0,
            elastic_limit1: elastic1,
            contact_radius0: (k.effective_radius * overlap0).sqrt(),
            contact_radius1: (k.effective_radius * overlap1).sqrt(),
            viscosity,
            // the step in which the motion reverses returns no work
            viscous_work: (R::constant(0.5) * (dashpot0 + dashpot_force) * (k.overlap1 - k.overlap0)).maximum(zero),
        };
        (response, [])
    }
}
