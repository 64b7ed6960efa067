//! Incremental Mindlin without micro-slip, with every option of the study it comes from.
//!
//! | symbol | parameter | meaning |
//! |---|---|---|
//! | k_t | `stiffness_rule` | tangential stiffness of the contact area |
//! | η | `stiffness_point` | where in the step the stiffness is taken |
//! | t | `sliding_direction` | direction of the sliding force |
//! | I, II | `elastic_displacement` | how the elastic displacement follows a sliding contact |
//! | δ_el, δ_sl | | elastic and sliding displacement, `δ_el + δ_sl` is the whole slip |
//!
//! `k_t(ξ) = k_t0 + η (k_t1 − k_t0)` and `T = R(T₀) − k_t(ξ) Δs` while `|T| ≤ μ_s N`; else `T = μ_d N t` with
//!
//! - `force`: `t = T/|T|` of the trial force,
//! - `displacement`: `t = −d/|d|` with the trial displacement `d = R(δ_el0) + Δs`,
//! - `velocity`: `t = −v_t/|v_t|`, the trial force's direction where `v_t = 0`.
//!
//! While the contact sticks `δ_el` grows by the slip. While it slides, `incremental` (method II) subtracts `(T − R(T₀))/k_t(ξ)`, which is
//! continuous; `secant` (method I) puts `−T/k_t1`, which jumps at every change between sticking and sliding. For the directions `force` and
//! `velocity` the force does not depend on it.
//!
//! Source: D. Zabulionis, R. Kačianauskas, D. Markauskas, J. Rojek, *An investigation of nonlinear tangential contact behaviour of a
//! spherical particle under varying loading*, Bull. Pol. Acad. Sci. Tech. Sci. 60 (2012) 265, Eqs. 18–48.
//!
//! Validity: η = ½ is second order in the step, η = 0 and 1 first order; the first step of a contact starts without an area and takes η = 1.
//! `velocity` makes the force change its sign in every step once the slip velocity has passed zero while the contact slides under a falling
//! N, and `displacement` does so once d has: both are kept because they are published, `force` is the one to use. What
//! becomes of a force held while N changes is up to `unloading` ([`crate::submodels::unloading`]); the published law is `none`, which gains
//! energy where a contact is loaded at a large N and unloaded at a small one (D. Elata, J. G. Berryman, Mech. Mater. 24 (1996) 229).
//!
//! Departures from the print: the stored force is the one after the friction limit (Eqs. 27, 33 would wind up without bound while sliding);
//! Eq. 42 has its sign from Eq. 41; the instant of zero slip velocity is interpolated between both ends of the step, because
//! Eqs. 45–46 mix the velocity of one end with the time of the other; the displacement of the step is the finite slip, not `v_t Δt`
//! (for that, `slip = "first-order"`).

use dem_core::DVec3;
use dem_core::history::{FieldRole, FieldSpec};
use dem_core::lanes::{Mask, Real, Vector};
use dem_core::material::PairMaterial;

use crate::law::{Derived, Kinematics};
use crate::normal::NormalResponse;
use crate::parameter::{Interval, LawError, ParameterKind, ParameterSet, ParameterSpec};
use crate::submodels::coulomb::{self, Attempt, Trial};
use crate::submodels::friction::{Friction, StaticDynamic};
use crate::submodels::stiffness_rule::{STIFFNESS_RULE, StiffnessRule};
use crate::submodels::tangential_dashpot::{
    SLIDING_DASHPOT, TANGENTIAL_DAMPING_RATIO, TANGENTIAL_DAMPING_SHARE, TangentialDashpot,
};
use crate::submodels::unloading::{ChangingSpring, UNLOADING, Unloading};
use crate::tangential::{StraightTangential, TangentialModel, TangentialResponse, respond_alone};

/// Incremental Mindlin.
#[derive(Clone, Copy, Debug)]
pub struct Mindlin {
    stiffness: StiffnessRule,
    /// η
    stiffness_point: f64,
    direction: SlidingDirection,
    displacement: ElasticDisplacement,
    unloading: Unloading,
    dashpot: TangentialDashpot,
    friction: StaticDynamic,
}

/// Direction of the sliding force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlidingDirection {
    /// Of the trial force.
    Force,
    /// Against the trial displacement.
    Displacement,
    /// Against the slip velocity.
    Velocity,
}

/// How the elastic displacement follows a sliding contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElasticDisplacement {
    /// By the increments of the force: method II.
    Incremental,
    /// What the spring of the present stiffness carries: method I.
    Secant,
}

const STIFFNESS_POINT: ParameterSpec = ParameterSpec {
    name: "stiffness_point",
    unit: "-",
    meaning: "where in the step the stiffness is taken: 0 start, 0.5 mean (second order), 1 end; the default is 1",
    kind: ParameterKind::Optional(Interval { low: 0.0, includes_low: true, high: 1.0, includes_high: true }),
};

const SLIDING_DIRECTION: ParameterSpec = ParameterSpec {
    name: "sliding_direction",
    unit: "-",
    meaning: "direction of the sliding force: of the trial force, against the elastic displacement, or against the slip velocity",
    kind: ParameterKind::Choice(&["force", "displacement", "velocity"]),
};

const ELASTIC_DISPLACEMENT: ParameterSpec = ParameterSpec {
    name: "elastic_displacement",
    unit: "-",
    meaning: "elastic displacement of a sliding contact: by increments of force (method II), or -T/k_t (method I)",
    kind: ParameterKind::Choice(&["incremental", "secant"]),
};

/// Elastic displacement after a change of the force from `force0` to `force1` \[N\], both in the present tangent plane, at the stiffness
/// `stiffness` of the step: `δ₁ = δ₀ − (T₁ − T₀)/k_t(ξ)`, the force-driven form of the law. Without a stiffness it does not change.
#[inline(always)]
pub fn force_driven_displacement<R: Real>(
    displacement0: Vector<R>,
    force0: Vector<R>,
    force1: Vector<R>,
    stiffness: R,
) -> Vector<R> {
    displacement0 - (force1 - force0) * coulomb::compliance(stiffness)
}

/// Instant in the step at which the slip velocity passes zero, by linear interpolation along its direction at the start; `otherwise` where
/// there is none. `velocity0` is carried to the end of the step.
#[inline(always)]
pub fn zero_slip_time<R: Real>(k: &Kinematics<R>, velocity0: Vector<R>, otherwise: R) -> R {
    let after = velocity0.dot(k.tangential_velocity);
    let passes = after.less(R::zero());
    if !passes.any() {
        return otherwise;
    }
    let before = velocity0.length_squared();
    let (start, step) = (k.time - k.time_step, k.time_step);
    R::select(passes, start + step * (before / (before - after)), otherwise)
}

impl TangentialModel for Mindlin {
    const KEY: &'static str = "mindlin";

    fn parameters() -> Vec<ParameterSpec> {
        let own = vec![
            STIFFNESS_POINT,
            SLIDING_DIRECTION,
            ELASTIC_DISPLACEMENT,
            UNLOADING,
            TANGENTIAL_DAMPING_RATIO,
            TANGENTIAL_DAMPING_SHARE,
            SLIDING_DASHPOT,
        ];
        [StiffnessRule::PARAMETERS.to_vec(), StaticDynamic::parameters(), own].concat()
    }

    fn new(parameters: &ParameterSet, pair: &PairMaterial, normal_stiffness: Option<f64>) -> Result<Self, LawError> {
        let stiffness = StiffnessRule::from_parameters(parameters, pair, normal_stiffness)?;
        let stiffness_point = parameters.optional(STIFFNESS_POINT.name);
        if let (Some(x), true) = (stiffness_point, stiffness.is_constant()) {
            return Err(LawError::new(
                STIFFNESS_POINT.name,
                format!(
                    "= {x} [-], expected with a {} that follows the contact area, not \"constant\"",
                    STIFFNESS_RULE.name
                ),
            ));
        }
        let unloading = match Unloading::from_parameters(parameters) {
            rule if !stiffness.is_constant() => rule,
            // a constant stiffness does not change; what round-off would make of it must not either
            Unloading::None | Unloading::Carried => Unloading::None,
            _ => {
                return Err(LawError::new(
                    UNLOADING.name,
                    format!(
                        "= \"{}\", expected with a {} that follows the contact area, not \"constant\"",
                        parameters.choice(UNLOADING.name),
                        STIFFNESS_RULE.name
                    ),
                ));
            }
        };
        Ok(Self {
            stiffness,
            stiffness_point: stiffness_point.unwrap_or(1.0),
            direction: match parameters.choice(SLIDING_DIRECTION.name) {
                "displacement" => SlidingDirection::Displacement,
                "velocity" => SlidingDirection::Velocity,
                _ => SlidingDirection::Force,
            },
            displacement: match parameters.choice(ELASTIC_DISPLACEMENT.name) {
                "secant" => ElasticDisplacement::Secant,
                _ => ElasticDisplacement::Incremental,
            },
            unloading,
            dashpot: TangentialDashpot::new(parameters)?,
            friction: StaticDynamic::new(parameters)?,
        })
    }

    fn fields(&self) -> Vec<FieldSpec> {
        let field = |name, unit, meaning, width| FieldSpec { name, unit, meaning, width, role: FieldRole::State };
        let own = vec![
            field("tangential_force", "N", "elastic tangential force on the first body", 3),
            field("elastic_displacement", "m", "elastic part of the slip since the contact formed", 3),
            field("sliding_displacement", "m", "sliding part of the slip since the contact formed", 3),
            field("slip_velocity", "m/s", "tangential velocity of the first body against the second", 3),
            field("zero_slip_time", "s", "last time at which the slip velocity passed zero, 0 if it never did", 1),
        ];
        [own, StaticDynamic::fields()].concat()
    }

    #[inline(always)]
    fn stiffness<R: Real>(&self, effective_radius: R, overlap: R) -> R {
        self.stiffness.at_overlap(effective_radius, overlap)
    }

    fn dashpot(&self) -> TangentialDashpot {
        self.dashpot
    }

    fn weakening(&self) -> f64 {
        self.friction.weakening()
    }

    fn needs_tangential_velocity(&self) -> bool {
        // it is remembered
        true
    }

    fn elastic_slip(&self, _effective_radius: f64, _overlap: f64, record: &[f64]) -> DVec3 {
        DVec3::from_slice(&record[3..])
    }

    fn force_without_dashpots(&self, _effective_radius: f64, _overlap: f64, record: &[f64]) -> DVec3 {
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

/// Tangential stiffness in a step \[N/m\].
struct Stiffnesses<R> {
    start: R,
    /// `k_t(ξ)`
    step: R,
    end: R,
}

impl Mindlin {
    #[inline(always)]
    fn stiffnesses<R: Real>(&self, n: &NormalResponse<R>) -> Stiffnesses<R> {
        let (start, end) = (self.stiffness.at(n.contact_radius0), self.stiffness.at(n.contact_radius1));
        // from the end, so that η = 1 is the end to the last bit
        let between = end - R::parameter(1.0 - self.stiffness_point) * (end - start);
        Stiffnesses { start, step: R::select(n.contact_radius0.greater(R::zero()), between, end), end }
    }
}

/// A sliding force of the size `limit` against a displacement or velocity, or along the trial force where that is zero.
#[inline(always)]
fn against<R: Real>(opposed: Vector<R>, attempt: &Attempt<R>, limit: R) -> Vector<R> {
    let size = opposed.length();
    Vector::select(size.greater(R::zero()), opposed * -(limit / size), attempt.along_the_trial())
}

impl StraightTangential for Mindlin {
    type Record<R: Real> = ([R; 13], [R; 1]);

    #[inline(always)]
    fn respond_straight<R: Real>(
        &self,
        k: &Kinematics<R>,
        n: &NormalResponse<R>,
        energy0: R,
        (start, memory): &Self::Record<R>,
    ) -> (TangentialResponse<R>, Self::Record<R>) {
        let [force0, elastic0, sliding0, velocity0] = k.transport.carry_all([
            Vector::from_slice(&start[0..]),
            Vector::from_slice(&start[3..]),
            Vector::from_slice(&start[6..]),
            Vector::from_slice(&start[9..]),
        ]);
        let Stiffnesses { start: spring0, step: spring, end: spring1 } = self.stiffnesses(n);
        let changing = ChangingSpring { force0, energy0, stiffness0: spring0, stiffness1: spring1 };
        let factor = self.unloading.factor(&changing);
        let base = force0 * factor;
        let bounds = self.friction.bounds(n.limit1, k, memory);
        let trial = Trial {
            start: force0,
            base,
            elastic: base.minus_scaled(k.slip, spring),
            dashpot: self
                .dashpot
                .dashing(n.viscosity, spring1, k.effective_mass, || self.friction.bounds(n.limit0, k, memory).slide),
        };
        let displaced = elastic0 + k.slip;
        let attempt = Attempt::new(k, &bounds, &trial);
        let mut limited = if attempt.sticks.all() {
            attempt.stick()
        } else {
            let cut = match self.direction {
                SlidingDirection::Force => attempt.along_the_trial(),
                SlidingDirection::Displacement => against(displaced, &attempt, bounds.slide),
                SlidingDirection::Velocity => against(k.tangential_velocity, &attempt, bounds.slide),
            };
            attempt.slide(cut, spring)
        };
        self.unloading.book(k, &changing, factor, &mut limited);
        let force = limited.elastic;
        let followed = match self.displacement {
            ElasticDisplacement::Incremental => force_driven_displacement(elastic0, base, force, spring),
            ElasticDisplacement::Secant => -force * coulomb::compliance(spring1),
        };
        let elastic = Vector::select(limited.response.slides, followed, displaced);
        let sliding = sliding0 + k.slip - (elastic - elastic0);
        let velocity = k.tangential_velocity;
        let time = zero_slip_time(k, velocity0, start[12]);
        let record = [
            force.x, force.y, force.z, elastic.x, elastic.y, elastic.z, sliding.x, sliding.y, sliding.z, velocity.x,
            velocity.y, velocity.z, time,
        ];
        (limited.response, (record, self.friction.remember(memory, &bounds, &limited)))
    }
}
