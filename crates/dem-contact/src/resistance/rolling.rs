//! Resistance against rolling.
//!
//! Rolling is the part of the relative rotation of two bodies in the tangent plane. With the normal force N, the effective radius r*
//! and the coefficient μ_r the couple on i never exceeds `μ_r N r*`.
//!
//! - `constant-torque`: the couple has this size and opposes the relative spin, `M = −μ_r N r* ω_t/|ω_t|` (directional constant
//!   torque). Departure: as it stands it changes sign in every step once a body is to rest, and says nothing about what rests. Here it is
//!   the limit of rigid plasticity: what holds below `μ_r N r*` is a spring with a dashpot, as stiff as the step allows, `k_r = 0.04 I/Δt²`
//!   and `0.2 I/Δt` with `I = 2/5 m* r*²`. A contact that is loaded turns by `M/k_r`, of the order Δt², and rests.
//! - `elastic-plastic`: a spring on the rolling angle with a dashpot, cut off at the limit. `dM = −k_r dθ_t`, by
//!   default `k_r = 2.25 k_n μ_r² r*²` with the tangent stiffness k_n of the normal spring: the limit is reached at the
//!   angle `N/(2.25 k_n μ_r r*)`. The dashpot `2ζ √(I k_r)` reckons with `I = 7/5 m* r*²`, the inertia of a sphere
//!   about its contact point with a wall, and is in parallel with the spring, both in series with the slider
//!   ([`crate::submodels::coulomb`]).
//!
//! | symbol | meaning |
//! |---|---|
//! | θ_t, ω_t | rotation of i against j over the step and its rate, in the tangent plane |
//! | μ_r | rolling friction |
//! | k_r, ζ | rolling stiffness and damping as a fraction of critical |
//!
//! Sources: J. Ai, J.-F. Chen, J. M. Rotter, J. Y. Ooi, Powder Technol. 206 (2011) 269, models A and C; stiffness after K. Iwashita,
//! M. Oda, J. Eng. Mech. 124 (1998) 285, in the form of Ai et al.; sum of spring and dashpot under one limit after S. Luding, Granular
//! Matter 10 (2008) 235. Couples are pure: they do not enter the balance of forces, and both bodies feel the same.

use dem_core::lanes::{Real, Vector};

use super::couple::Couple;
use crate::law::{Derived, Kinematics};
use crate::parameter::{Interval, ModelChoice, ParameterKind, ParameterSet, ParameterSpec};
use crate::submodels::dashpot::Dashpot;

/// Stiffness of what holds under a constant torque in units of `I/Δt²`, with I the inertia of a sphere of the effective mass and radius, the least that
/// either body may have: a body with ten such contacts stays stable.
const HOLDING_STIFFNESS: f64 = 0.04;
/// Viscosity in parallel with it in units of `I/Δt`, half of critical.
const HOLDING_VISCOSITY: f64 = 0.2;
/// Stiffness in units of `k_n μ_r² r*²`.
const STIFFNESS_FACTOR: f64 = 2.25;
/// Inertia that the dashpot reckons with in units of `m* r*²`.
const INERTIA: f64 = 1.4;

const FRICTION: ParameterSpec = ParameterSpec {
    name: "rolling_friction",
    unit: "-",
    meaning: "rolling friction μ_r: the couple is at most μ_r N r*",
    kind: ParameterKind::Required(Interval::NOT_NEGATIVE),
};
const STIFFNESS: ParameterSpec = ParameterSpec {
    name: "rolling_stiffness",
    unit: "N m/rad",
    meaning: "stiffness k_r of the rolling spring; the default is 2.25 k_n μ_r² r*²",
    kind: ParameterKind::Optional(Interval::POSITIVE),
};
const DAMPING_RATIO: ParameterSpec = ParameterSpec {
    name: "rolling_damping_ratio",
    unit: "-",
    meaning: "damping of the rolling spring as a fraction of critical, with the inertia 7/5 m* r*²",
    kind: ParameterKind::Default(0.3, Interval::NOT_NEGATIVE),
};

/// Rolling resistance of a pair of materials.
#[derive(Clone, Copy, Debug)]
pub enum Rolling {
    /// None.
    None,
    /// A couple of constant size against the relative spin.
    ConstantTorque {
        /// μ_r \[-\].
        friction: f64,
    },
    /// Spring, dashpot and slider.
    ElasticPlastic {
        /// μ_r \[-\].
        friction: f64,
        /// k_r \[N m/rad\], if it is given.
        stiffness: Option<f64>,
        /// ζ \[-\].
        damping_ratio: f64,
    },
}

impl Rolling {
    /// The words in scenes and their parameters.
    pub fn choice() -> ModelChoice {
        ModelChoice {
            choice: ParameterSpec {
                name: "rolling",
                unit: "-",
                meaning: "resistance against rolling",
                kind: ParameterKind::Choice(&["none", "constant-torque", "elastic-plastic"]),
            },
            models: vec![
                ("none", Vec::new()),
                ("constant-torque", vec![FRICTION]),
                ("elastic-plastic", vec![FRICTION, STIFFNESS, DAMPING_RATIO]),
            ],
        }
    }

    /// From validated parameters.
    pub fn new(parameters: &ParameterSet) -> Self {
        let friction = parameters.number(FRICTION.name);
        match parameters.choice("rolling") {
            "constant-torque" => Self::ConstantTorque { friction },
            "elastic-plastic" => Self::ElasticPlastic {
                friction,
                stiffness: parameters.optional(STIFFNESS.name),
                damping_ratio: parameters.number(DAMPING_RATIO.name),
            },
            _ => Self::None,
        }
    }

    /// Stiffness \[N m/rad\] where the normal spring has the tangent stiffness `normal_stiffness` \[N/m\].
    #[inline(always)]
    pub fn stiffness<R: Real>(&self, effective_radius: R, normal_stiffness: R) -> R {
        match *self {
            Self::ElasticPlastic { stiffness: Some(stiffness), .. } => R::parameter(stiffness),
            Self::ElasticPlastic { friction, .. } => {
                let friction = R::parameter(friction);
                R::constant(STIFFNESS_FACTOR)
                    * normal_stiffness
                    * friction
                    * friction
                    * effective_radius
                    * effective_radius
            }
            _ => R::zero(),
        }
    }

    /// Viscosity of the dashpot of a spring of a stiffness \[N m/rad\], if there is one \[N m s/rad\].
    #[inline(always)]
    pub(super) fn dashpot<R: Real>(&self, spring: R, effective_mass: R, effective_radius: R) -> Option<R> {
        let Self::ElasticPlastic { damping_ratio, .. } = *self else { return None };
        let inertia = R::constant(INERTIA) * effective_mass * (effective_radius * effective_radius);
        Dashpot::Ratio(damping_ratio).viscosity(spring, inertia)
    }

    /// Quantities to show in `dem check`.
    pub fn derived(&self) -> Vec<Derived> {
        let (friction, stiffness) = match *self {
            Self::None => return Vec::new(),
            Self::ConstantTorque { friction } => (friction, None),
            Self::ElasticPlastic { friction, stiffness: None, .. } => {
                let value = STIFFNESS_FACTOR * friction * friction;
                (friction, Some(Derived { name: "rolling stiffness / (k_n r*^2)", value, unit: "-" }))
            }
            Self::ElasticPlastic { friction, stiffness: Some(value), .. } => {
                (friction, Some(Derived { name: "rolling stiffness", value, unit: "N m/rad" }))
            }
        };
        let slope = Derived { name: "steepest slope without rolling", value: libm::atan(friction), unit: "rad" };
        std::iter::once(slope).chain(stiffness).collect()
    }

    /// The couple. `start` is the couple of the spring at the start of the step, `force` the normal force, without tension.
    #[inline(always)]
    pub(super) fn respond<R: Real>(
        &self,
        k: &Kinematics<R>,
        force: R,
        normal_stiffness: impl FnOnce() -> R,
        start: Vector<R>,
    ) -> Couple<R> {
        let carried = k.transport.carry(start);
        let rotation = k.relative_rotation.reject(k.normal1);
        let spin = k.relative_spin.reject(k.normal1);
        // the angle is to the couple what the slip is to the force
        let motion = Kinematics { slip: rotation, tangential_velocity: spin, ..*k };
        match *self {
            Self::None => Couple::none(),
            Self::ConstantTorque { friction } => {
                let inertia = R::constant(0.4) * k.effective_mass * (k.effective_radius * k.effective_radius);
                let per_time = R::constant(1.0) / k.time_step;
                let spring = inertia * (R::constant(HOLDING_STIFFNESS) * per_time * per_time);
                let dashpot = inertia * (R::constant(HOLDING_VISCOSITY) * per_time);
                // by the mean spin of the step: where there is none yet, a dashpot as strong as this would book work that nothing has done
                let motion = Kinematics { tangential_velocity: rotation * per_time, ..motion };
                let limit = R::parameter(friction) * force * k.effective_radius;
                Couple::limited(&motion, limit, carried, spring, Some(dashpot))
            }
            Self::ElasticPlastic { friction, stiffness, .. } => {
                let squared = k.effective_radius * k.effective_radius;
                let spring = match stiffness {
                    Some(stiffness) => R::parameter(stiffness),
                    None => R::parameter(STIFFNESS_FACTOR * friction * friction) * squared * normal_stiffness(),
                };
                Couple::limited(
                    &motion,
                    R::parameter(friction) * force * k.effective_radius,
                    carried,
                    spring,
                    self.dashpot(spring, k.effective_mass, k.effective_radius),
                )
            }
        }
    }
}
