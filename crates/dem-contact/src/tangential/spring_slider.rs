//! Linear spring on the elastic slip, cut off at the friction limit, after which the spring is shortened to what it carries.
//!
//! `T = −k_t s` while `|T| ≤ μN`, else `T = μN T/|T|` and `s = −T/k_t`; s is the elastic slip, carried with the contact.
//!
//! Source: P. A. Cundall, O. D. L. Strack, Géotechnique 29 (1979) 47; truncated spring as in A. Di Renzo, F. P. Di Maio,
//! Chem. Eng. Sci. 59 (2004) 525, Eq. 36.

use dem_core::DVec3;
use dem_core::history::{FieldRole, FieldSpec};
use dem_core::lanes::{Real, Vector};
use dem_core::material::PairMaterial;

use crate::law::{Derived, Kinematics};
use crate::normal::NormalResponse;
use crate::parameter::{LawError, ParameterSet, ParameterSpec};
use crate::submodels::coulomb::{self, Trial};
use crate::submodels::friction::{Coulomb, Friction};
use crate::submodels::stiffness_rule::{STIFFNESS_RATIO, StiffnessRule};
use crate::submodels::tangential_dashpot::{
    SLIDING_DASHPOT, TANGENTIAL_DAMPING_RATE, TANGENTIAL_DAMPING_RATIO, TANGENTIAL_DAMPING_SHARE, TangentialDashpot,
};
use crate::tangential::{StraightTangential, TangentialModel, TangentialResponse, respond_alone};

/// Spring and slider of constant stiffness.
#[derive(Clone, Copy, Debug)]
pub struct SpringSlider<F = Coulomb> {
    stiffness: f64,
    dashpot: TangentialDashpot,
    friction: F,
}

impl<F: Friction> TangentialModel for SpringSlider<F> {
    const KEY: &'static str = "spring-slider";

    fn parameters() -> Vec<ParameterSpec> {
        [
            vec![STIFFNESS_RATIO],
            F::parameters(),
            vec![TANGENTIAL_DAMPING_RATIO, TANGENTIAL_DAMPING_RATE, TANGENTIAL_DAMPING_SHARE, SLIDING_DASHPOT],
        ]
        .concat()
    }

    fn new(parameters: &ParameterSet, pair: &PairMaterial, normal_stiffness: Option<f64>) -> Result<Self, LawError> {
        Ok(Self {
            stiffness: StiffnessRule::constant_share(Self::KEY, parameters, pair, normal_stiffness)?,
            dashpot: TangentialDashpot::new(parameters)?,
            friction: F::new(parameters)?,
        })
    }

    fn fields(&self) -> Vec<FieldSpec> {
        let slip = FieldSpec {
            name: "elastic_slip",
            unit: "m",
            meaning: "elongation of the tangential spring",
            width: 3,
            role: FieldRole::State,
        };
        [vec![slip], F::fields()].concat()
    }

    #[inline(always)]
    fn stiffness<R: Real>(&self, _effective_radius: R, _overlap: R) -> R {
        R::parameter(self.stiffness)
    }

    fn dashpot(&self) -> TangentialDashpot {
        self.dashpot
    }

    fn needs_tangential_velocity(&self) -> bool {
        self.dashpot.is_present() || self.weakening() > 0.0
    }

    fn weakening(&self) -> f64 {
        self.friction.weakening()
    }

    fn elastic_slip(&self, _effective_radius: f64, _overlap: f64, record: &[f64]) -> DVec3 {
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

impl<F: Friction> StraightTangential for SpringSlider<F> {
    type Record<R: Real> = ([R; 3], F::Memory<R>);

    #[inline(always)]
    fn respond_straight<R: Real>(
        &self,
        k: &Kinematics<R>,
        n: &NormalResponse<R>,
        _energy0: R,
        (start, memory): &Self::Record<R>,
    ) -> (TangentialResponse<R>, Self::Record<R>) {
        let carried = k.transport.carry(Vector::from_slice(start));
        let spring = R::parameter(self.stiffness);
        let stretched = carried + k.slip;
        let bounds = self.friction.bounds(n.limit1, k, memory);
        let trial = Trial {
            start: carried * -spring,
            base: carried * -spring,
            elastic: stretched * -spring,
            dashpot: self
                .dashpot
                .dashing(n.viscosity, spring, k.effective_mass, || self.friction.bounds(n.limit0, k, memory).slide),
        };
        let limited = coulomb::limit(k, &bounds, &trial, spring);
        let shortened =
            if self.stiffness > 0.0 { limited.elastic * (R::constant(-1.0) / spring) } else { Vector::zero() };
        let s = Vector::select(limited.response.slides, shortened, stretched);
        (limited.response, ([s.x, s.y, s.z], self.friction.remember(memory, &bounds, &limited)))
    }
}
