//! Viscosity of a dashpot beside a spring, from the stiffness of the spring and the inertia of the contact.

use dem_core::lanes::Real;

use crate::parameter::{Interval, LawError, ParameterKind, ParameterSet, ParameterSpec};

/// Tangential damping ratio.
pub const TANGENTIAL_DAMPING_RATIO: ParameterSpec = ParameterSpec {
    name: "tangential_damping_ratio",
    unit: "-",
    meaning: "damping of the tangential spring as a fraction of critical, with the effective mass; acts while the contact sticks",
    kind: ParameterKind::Default(0.0, Interval::NOT_NEGATIVE),
};

/// Tangential damping rate.
pub const TANGENTIAL_DAMPING_RATE: ParameterSpec = ParameterSpec {
    name: "tangential_damping_rate",
    unit: "1/s",
    meaning: "viscosity of the tangential dashpot over the effective mass, c_t = g_t m*; alternative to tangential_damping_ratio",
    kind: ParameterKind::Optional(Interval::NOT_NEGATIVE),
};

/// A dashpot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Dashpot {
    /// A fraction ζ of critical damping, `2ζ √(k m*)`: equal restitution whatever the mass.
    Ratio(f64),
    /// A rate γ of decay, `γ m*` \[1/s\]: equal decay in time whatever the stiffness.
    Rate(f64),
}

impl Dashpot {
    /// No dashpot.
    pub const NONE: Self = Self::Ratio(0.0);

    /// That of a tangential spring, from `tangential_damping_ratio` or, where a law declares it, `tangential_damping_rate`.
    ///
    /// # Errors
    /// Both given.
    pub fn tangential(parameters: &ParameterSet) -> Result<Self, LawError> {
        let ratio = parameters.number(TANGENTIAL_DAMPING_RATIO.name);
        match parameters.optional(TANGENTIAL_DAMPING_RATE.name) {
            None => Ok(Self::Ratio(ratio)),
            Some(rate) if ratio == 0.0 => Ok(Self::Rate(rate)),
            Some(_) => Err(LawError::new(
                TANGENTIAL_DAMPING_RATE.name,
                "given together with tangential_damping_ratio: give one of the two",
            )),
        }
    }

    /// Whether it ever exerts a force.
    pub fn is_present(self) -> bool {
        let (Self::Ratio(x) | Self::Rate(x)) = self;
        x > 0.0
    }

    /// Viscosity beside a spring of a stiffness \[N/m\] between bodies of an effective mass \[kg\], if there is a dashpot \[N s/m\]; or that of a
    /// rotation, from a stiffness \[N m/rad\] and a moment of inertia \[kg m²\] \[N m s/rad\].
    #[inline(always)]
    pub fn viscosity<R: Real>(self, stiffness: R, inertia: R) -> Option<R> {
        match self {
            _ if !self.is_present() => None,
            Self::Ratio(ratio) => Some(R::splat(2.0 * ratio) * (stiffness * inertia).sqrt()),
            Self::Rate(rate) => Some(R::splat(rate) * inertia),
        }
    }
}
