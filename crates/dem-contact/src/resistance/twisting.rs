//! Resistance against twisting, the relative rotation of two bodies about the normal of their contact.
//!
//! - `spring-dashpot`: a spring with a dashpot on the twist, cut off at `μ_t N r*`. The stiffness is given, or like that of rolling
//!   `2.25 k_n μ_t² r*²`.
//! - `marshall`: the area of contact turns as a whole. With the tangential stiffness k_t, the radius a of the area and
//!   the friction μ the stiffness is `k_t a²/2` and the limit `2/3 a μ N`, the couple of a pressure that is even over
//!   the area. The radius is `√(r* δ)` for an elastic contact; a linear normal spring has no area of its own, and
//!   `twisting_radius` gives a as a fraction of r*.
//!
//! The dashpot `2ζ √(I k)` reckons with `I = 2/5 m* r*²` and acts below the limit.
//!
//! | symbol | meaning |
//! |---|---|
//! | k, ζ | stiffness and damping as a fraction of critical |
//! | μ_t, μ | twisting friction, sliding friction |
//!
//! Sources: S. Luding, Granular Matter 10 (2008) 235 (spring, dashpot, limit); J. S. Marshall, J. Comput. Phys. 228 (2009) 1541,
//! Eqs. 32–33 (stiffness and limit from the area). Departure: the elastic trial starts from the couple after the limit, like the
//! tangential force.

use dem_core::lanes::Real;

use super::couple::Couple;
use crate::law::{Derived, Kinematics};
use crate::parameter::{Interval, LawError, ModelChoice, ParameterKind, ParameterSet, ParameterSpec};
use crate::submodels::dashpot::Dashpot;

/// Stiffness in units of `k_n μ_t² r*²`.
const STIFFNESS_FACTOR: f64 = 2.25;
/// Inertia that the dashpot reckons with in units of `m* r*²`.
const INERTIA: f64 = 0.4;

const LIMIT: ParameterSpec = ParameterSpec {
    name: "twisting_friction",
    unit: "-",
    meaning: "twisting friction μ_t: with spring-dashpot the couple is at most μ_t N r*, with marshall at most 2/3 a μ_t N; the \
              default for marshall is the friction of the law",
    kind: ParameterKind::Required(Interval::NOT_NEGATIVE),
};
const STIFFNESS: ParameterSpec = ParameterSpec {
    name: "twisting_stiffness",
    unit: "N m/rad",
    meaning: "stiffness of the twisting spring; the default is 2.25 k_n μ_t² r*²",
    kind: ParameterKind::Optional(Interval::POSITIVE),
};
const RADIUS: ParameterSpec = ParameterSpec {
    name: "twisting_radius",
    unit: "-",
    meaning: "radius of the area of contact as a share of r*; the default is √(r* δ), for a normal model with an area",
    kind: ParameterKind::Optional(Interval::UNIT),
};
const DAMPING_RATIO: ParameterSpec = ParameterSpec {
    name: "twisting_damping_ratio",
    unit: "-",
    meaning: "damping of the twisting spring as a fraction of critical, with the inertia 2/5 m* r*²",
    kind: ParameterKind::Default(0.3, Interval::NOT_NEGATIVE),
};

/// Twisting resistance of a pair of materials.
#[derive(Clone, Copy, Debug)]
pub enum Twisting {
    /// None.
    None,
    /// Spring, dashpot and slider.
    SpringDashpot {
        /// μ_t \[-\].
        friction: f64,
        /// \[N m/rad\], if it is given.
        stiffness: Option<f64>,
        /// ζ \[-\].
        damping_ratio: f64,
    },
    /// From the area of contact.
    Marshall {
        /// μ \[-\].
        friction: f64,
        /// Fraction of the effective radius, if it is given \[-\].
        radius: Option<f64>,
        /// ζ \[-\].
        damping_ratio: f64,
    },
}

impl Twisting {
    /// The words in scenes and their parameters.
    pub fn choice() -> ModelChoice {
        let optional = ParameterSpec { kind: ParameterKind::Optional(Interval::NOT_NEGATIVE), ..LIMIT };
        ModelChoice {
            choice: ParameterSpec {
                name: "twisting",
                unit: "-",
                meaning: "resistance against twisting",
                kind: ParameterKind::Choice(&["none", "spring-dashpot", "marshall"]),
            },
            models: vec![
                ("none", Vec::new()),
                ("spring-dashpot", vec![LIMIT, STIFFNESS, DAMPING_RATIO]),
                ("marshall", vec![optional, RADIUS, DAMPING_RATIO]),
            ],
        }
    }

    /// From validated parameters of a law whose normal model has an area of contact, or has not.
    ///
    /// # Errors
    /// `marshall` without a radius or a friction.
    pub fn new(parameters: &ParameterSet, has_contact_area: bool) -> Result<Self, LawError> {
        let damping_ratio = parameters.number(DAMPING_RATIO.name);
        match parameters.choice("twisting") {
            "spring-dashpot" => Ok(Self::SpringDashpot {
                friction: parameters.number(LIMIT.name),
                stiffness: parameters.optional(STIFFNESS.name),
                damping_ratio,
            }),
            "marshall" => {
                let radius = parameters.optional(RADIUS.name);
                if radius.is_none() && !has_contact_area {
                    return Err(LawError::new(
                        RADIUS.name,
                        "missing: twisting = \"marshall\" needs the radius of the contact area, which a linear normal spring does not have",
                    ));
                }
                let friction = parameters.optional(LIMIT.name).or_else(|| parameters.optional("friction"));
                let friction = friction.ok_or_else(|| {
                    LawError::new(
                        LIMIT.name,
                        "missing: the law has no friction that twisting = \"marshall\" could take",
                    )
                })?;
                Ok(Self::Marshall { friction, radius, damping_ratio })
            }
            _ => Ok(Self::None),
        }
    }

    /// Stiffness \[N m/rad\] where the law has these tangent stiffnesses \[N/m\].
    #[inline(always)]
    pub fn stiffness<R: Real>(&self, effective_radius: R, overlap: R, [normal, tangential]: [R; 2]) -> R {
        match *self {
            Self::None => R::zero(),
            Self::SpringDashpot { stiffness: Some(stiffness), .. } => R::parameter(stiffness),
            Self::SpringDashpot { friction, .. } => {
                let friction = R::parameter(friction);
                R::constant(STIFFNESS_FACTOR) * normal * friction * friction * effective_radius * effective_radius
            }
            Self::Marshall { radius, .. } => {
                R::constant(0.5) * tangential * squared_area_radius(radius, effective_radius, overlap)
            }
        }
    }

    /// Viscosity of the dashpot of a spring of a stiffness \[N m/rad\], if there is one \[N m s/rad\].
    #[inline(always)]
    pub(super) fn dashpot<R: Real>(&self, spring: R, effective_mass: R, effective_radius: R) -> Option<R> {
        let (Self::SpringDashpot { damping_ratio, .. } | Self::Marshall { damping_ratio, .. }) = *self else {
            return None;
        };
        let inertia = R::constant(INERTIA) * effective_mass * effective_radius * effective_radius;
        Dashpot::Ratio(damping_ratio).viscosity(spring, inertia)
    }

    /// Quantities to show in `dem check`.
    pub fn derived(&self) -> Vec<Derived> {
        match *self {
            Self::None => Vec::new(),
            Self::SpringDashpot { stiffness: Some(value), .. } => {
                vec![Derived { name: "twisting stiffness", value, unit: "N m/rad" }]
            }
            Self::SpringDashpot { friction, .. } => {
                let value = STIFFNESS_FACTOR * friction * friction;
                vec![Derived { name: "twisting stiffness / (k_n r*^2)", value, unit: "-" }]
            }
            Self::Marshall { friction, .. } => {
                vec![Derived { name: "twisting limit / (a N)", value: 2.0 / 3.0 * friction, unit: "-" }]
            }
        }
    }

    /// The couple along the normal. `start` is that of the spring at the start of the step, `force` the normal force, without tension.
    #[inline(always)]
    pub(super) fn respond<R: Real>(
        &self,
        k: &Kinematics<R>,
        force: R,
        stiffness: impl FnOnce() -> R,
        start: R,
    ) -> Couple<R> {
        let limit = match *self {
            Self::None => return Couple::none(),
            Self::SpringDashpot { friction, .. } => R::parameter(friction) * force * k.effective_radius,
            Self::Marshall { friction, radius, .. } => {
                let area_radius = match radius {
                    Some(share) => R::parameter(share) * k.effective_radius,
                    None => (k.effective_radius * k.overlap1.maximum(R::zero())).sqrt(),
                };
                R::parameter(2.0 / 3.0 * friction) * area_radius * force
            }
        };
        let spring = stiffness();
        let along = |size: R| k.normal1 * size;
        Couple::limited(
            &Kinematics {
                slip: along(k.relative_rotation.dot(k.normal1)),
                tangential_velocity: along(k.relative_spin.dot(k.normal1)),
                ..*k
            },
            limit,
            along(start),
            spring,
            self.dashpot(spring, k.effective_mass, k.effective_radius),
        )
    }
}

#[inline(always)]
fn squared_area_radius<R: Real>(share: Option<f64>, effective_radius: R, overlap: R) -> R {
    match share {
        Some(share) => R::parameter(share * share) * effective_radius * effective_radius,
        None => effective_radius * overlap.maximum(R::zero()),
    }
}
