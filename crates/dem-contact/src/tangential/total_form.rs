//! Total form of Mindlin without micro-slip: the force is the tangential stiffness of the present contact area times the whole elastic
//! slip, and sliding shortens the spring to what it carries.
//!
//! | symbol | meaning |
//! |---|---|
//! | s | elastic slip, carried with the contact |
//! | k_t | tangential stiffness of the contact area at the end of the step, by `stiffness_rule` |
//! | μ_s, μ_d | static and dynamic friction |
//!
//! `T = −k_t s` while `|T| ≤ μ_s N`, else `T = μ_d N T/|T|` and `s = −T/k_t`.
//!
//! Sources: H-MDns of A. Di Renzo, F. P. Di Maio, Chem. Eng. Sci. 59 (2004) 525, Eqs. 36–37, with the spring truncated when it slides (the
//! untruncated displacement of Eq. 2 misses the published curves); E. M. B. Campello, Comput. Part. Mech. 2 (2015) 109, Eqs. 30–38, with
//! the sign that opposes slip.
//!
//! Validity: exact for constant N below the friction limit, but for micro-slip. The energy `½ k_t s²` is multiplied with the contact area: a contact
//! that is loaded tangentially at a small N and unloaded at a large one returns more than it took, `½ Δk_t s²` per cycle. For
//! comparison with published results; the incremental form of [`super::Mindlin`] does not do so on that path.

use dem_core::DVec3;
use dem_core::history::{FieldRole, FieldSpec};
use dem_core::lanes::{Mask, Real, Vector};
use dem_core::material::PairMaterial;

use crate::law::{Derived, Kinematics};
use crate::normal::NormalResponse;
use crate::parameter::{LawError, ParameterSet, ParameterSpec};
use crate::submodels::coulomb::{self, Attempt, Trial};
use crate::submodels::friction::{Friction, StaticDynamic};
use crate::submodels::stiffness_rule::StiffnessRule;
use crate::submodels::tangential_dashpot::{
    SLIDING_DASHPOT, TANGENTIAL_DAMPING_RATIO, TANGENTIAL_DAMPING_SHARE, TangentialDashpot,
};
use crate::submodels::unloading::{ChangingSpring, Unloading};
use crate::tangential::{StraightTangential, TangentialModel, TangentialResponse, respond_alone};

/// Spring and slider whose stiffness follows the contact area.
#[derive(Clone, Copy, Debug)]
pub struct TotalForm {
    stiffness: StiffnessRule,
    dashpot: TangentialDashpot,
    friction: StaticDynamic,
}

impl TangentialModel for TotalForm {
    const KEY: &'static str = "total-form";

    fn parameters() -> Vec<ParameterSpec> {
        [
            StiffnessRule::PARAMETERS.to_vec(),
            StaticDynamic::parameters(),
            vec![TANGENTIAL_DAMPING_RATIO, TANGENTIAL_DAMPING_SHARE, SLIDING_DASHPOT],
        ]
        .concat()
    }

    fn new(parameters: &ParameterSet, pair: &PairMaterial, normal_stiffness: Option<f64>) -> Result<Self, LawError> {
        Ok(Self {
            stiffness: StiffnessRule::from_parameters(parameters, pair, normal_stiffness)?,
            dashpot: TangentialDashpot::new(parameters)?,
            friction: StaticDynamic::new(parameters)?,
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
        [vec![slip], StaticDynamic::fields()].concat()
    }

    #[inline(always)]
    fn stiffness<R: Real>(&self, effective_radius: R, overlap: R) -> R {
        self.stiffness.at_overlap(effective_radius, overlap)
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
        vec![self.stiffness.derived()]
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

impl StraightTangential for TotalForm {
    type Record<R: Real> = ([R; 3], [R; 1]);

    #[inline(always)]
    fn respond_straight<R: Real>(
        &self,
        k: &Kinematics<R>,
        n: &NormalResponse<R>,
        energy0: R,
        (start, memory): &Self::Record<R>,
    ) -> (TangentialResponse<R>, Self::Record<R>) {
        let carried = k.transport.carry(Vector::from_slice(start));
        let (spring0, spring1) = (self.stiffness.at(n.contact_radius0), self.stiffness.at(n.contact_radius1));
        let stretched = carried + k.slip;
        let bounds = self.friction.bounds(n.limit1, k, memory);
        let trial = Trial {
            start: carried * -spring0,
            base: carried * -spring1,
            elastic: stretched * -spring1,
            dashpot: self
                .dashpot
                .dashing(n.viscosity, spring1, k.effective_mass, || self.friction.bounds(n.limit0, k, memory).slide),
        };
        let compliance = coulomb::compliance(spring1);
        let attempt = Attempt::new(k, &bounds, &trial);
        let mut limited = if attempt.sticks.all() {
            attempt.stick()
        } else {
            let cut = attempt.along_the_trial();
            attempt.slide(cut, spring1)
        };
        let changing = ChangingSpring { force0: trial.start, energy0, stiffness0: spring0, stiffness1: spring1 };
        // the slip is what is kept; the rule only says how the energy is booked
        Unloading::Total.book(k, &changing, R::constant(1.0), &mut limited);
        let s = Vector::select(limited.response.slides, -limited.elastic * compliance, stretched);
        (limited.response, ([s.x, s.y, s.z], self.friction.remember(memory, &bounds, &limited)))
    }
}
