//! Incremental Mindlin without micro-slip: the force grows by the tangential stiffness at the end of the step times the slip of the
//! step, and is cut off at the friction limit in its own direction.
//!
//! | symbol | meaning |
//! |---|---|
//! | G* | effective shear modulus, `1/G* = Σ(2−ν)/G` |
//! | a = √(r* δ) | contact radius |
//! | k_t = x 8 G* a | tangential stiffness, x = `tangential_stiffness_factor`, 1 by default |
//!
//! `T = R(T₀) − k_t Δs`, `|T| ≤ μN`. What becomes of T₀ while the area changes is up to `unloading`:
//! [`crate::submodels::unloading`].
//!
//! Sources: R. D. Mindlin, J. Appl. Mech. 16 (1949) 259; increments as in D. Zabulionis, R. Kačianauskas, D. Markauskas,
//! J. Rojek (2012), with the stored force taken after the friction limit (otherwise it grows without bound while sliding)
//! and with Mindlin's stiffness without the factor 2/3.

use dem_core::DVec3;
use dem_core::history::{FieldRole, FieldSpec};
use dem_core::lanes::{Real, Vector};
use dem_core::material::PairMaterial;

use crate::law::{Derived, Kinematics};
use crate::normal::NormalResponse;
use crate::parameter::{LawError, ParameterSet, ParameterSpec};
use crate::submodels::coulomb::{self, Trial};
use crate::submodels::friction::{Coulomb, Friction};
use crate::submodels::stiffness_rule::{StiffnessRule, TANGENTIAL_STIFFNESS_FACTOR};
use crate::submodels::tangential_dashpot::{
    SLIDING_DASHPOT, TANGENTIAL_DAMPING_RATIO, TANGENTIAL_DAMPING_SHARE, TangentialDashpot,
};
use crate::submodels::unloading::{ChangingSpring, UNLOADING, Unloading};
use crate::tangential::{StraightTangential, TangentialModel, TangentialResponse, respond_alone};

/// Incremental Mindlin without micro-slip.
#[derive(Clone, Copy, Debug)]
pub struct MindlinNoSlip<F = Coulomb> {
    /// k_t/a \[Pa\]. Not a rule, whose kind would have to be tested for every contact.
    stiffness_per_radius: f64,
    unloading: Unloading,
    dashpot: TangentialDashpot,
    friction: F,
}

impl<F> MindlinNoSlip<F> {
    fn rule(&self) -> StiffnessRule {
        StiffnessRule::PerContactRadius(self.stiffness_per_radius)
    }
}

impl<F: Friction> TangentialModel for MindlinNoSlip<F> {
    const KEY: &'static str = "mindlin-no-slip";

    fn parameters() -> Vec<ParameterSpec> {
        let own = vec![
            TANGENTIAL_STIFFNESS_FACTOR,
            UNLOADING,
            TANGENTIAL_DAMPING_RATIO,
            TANGENTIAL_DAMPING_SHARE,
            SLIDING_DASHPOT,
        ];
        [F::parameters(), own].concat()
    }

    fn new(parameters: &ParameterSet, pair: &PairMaterial, _normal_stiffness: Option<f64>) -> Result<Self, LawError> {
        Ok(Self {
            stiffness_per_radius: StiffnessRule::mindlin(parameters, pair).at(1.0),
            unloading: Unloading::from_parameters(parameters),
            dashpot: TangentialDashpot::new(parameters)?,
            friction: F::new(parameters)?,
        })
    }

    fn fields(&self) -> Vec<FieldSpec> {
        let force = FieldSpec {
            name: "tangential_force",
            unit: "N",
            meaning: "elastic tangential force on the first body",
            width: 3,
            role: FieldRole::State,
        };
        [vec![force], F::fields()].concat()
    }

    #[inline(always)]
    fn stiffness<R: Real>(&self, effective_radius: R, overlap: R) -> R {
        self.rule().at_overlap(effective_radius, overlap)
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

    fn elastic_slip(&self, effective_radius: f64, overlap: f64, record: &[f64]) -> DVec3 {
        let stiffness = self.stiffness(effective_radius, overlap);
        if stiffness > 0.0 { DVec3::from_slice(record) / -stiffness } else { DVec3::ZERO }
    }

    fn force_without_dashpots(&self, _effective_radius: f64, _overlap: f64, record: &[f64]) -> DVec3 {
        DVec3::from_slice(record)
    }

    fn derived(&self) -> Vec<Derived> {
        vec![self.rule().derived()]
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

impl<F: Friction> StraightTangential for MindlinNoSlip<F> {
    type Record<R: Real> = ([R; 3], F::Memory<R>);

    #[inline(always)]
    fn respond_straight<R: Real>(
        &self,
        k: &Kinematics<R>,
        n: &NormalResponse<R>,
        energy0: R,
        (start, memory): &Self::Record<R>,
    ) -> (TangentialResponse<R>, Self::Record<R>) {
        let carried = k.transport.carry(Vector::from_slice(start));
        let per_radius = R::parameter(self.stiffness_per_radius);
        let (spring0, spring) = (per_radius * n.contact_radius0, per_radius * n.contact_radius1);
        let changing = ChangingSpring { force0: carried, energy0, stiffness0: spring0, stiffness1: spring };
        let factor = self.unloading.factor(&changing);
        let base = carried * factor;
        let bounds = self.friction.bounds(n.limit1, k, memory);
        let trial = Trial {
            start: carried,
            base,
            elastic: base.minus_scaled(k.slip, spring),
            dashpot: self
                .dashpot
                .dashing(n.viscosity, spring, k.effective_mass, || self.friction.bounds(n.limit0, k, memory).slide),
        };
        let mut limited = coulomb::limit(k, &bounds, &trial, spring);
        self.unloading.book(k, &changing, factor, &mut limited);
        let force = limited.elastic;
        (limited.response, ([force.x, force.y, force.z], self.friction.remember(memory, &bounds, &limited)))
    }
}
