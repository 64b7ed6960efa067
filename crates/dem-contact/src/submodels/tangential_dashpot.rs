//! The dashpot beside a tangential spring: one of its own, or a share of the normal one.

use dem_core::lanes::Real;

use crate::parameter::{Interval, LawError, ParameterKind, ParameterSet, ParameterSpec};
use crate::submodels::dashpot::Dashpot;

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

/// Share of the normal dashpot.
pub const TANGENTIAL_DAMPING_SHARE: ParameterSpec = ParameterSpec {
    name: "tangential_damping_share",
    unit: "-",
    meaning: "viscosity of the tangential dashpot over that of the normal one, c_t = x c_n, as in LAMMPS; alternative to tangential_damping_ratio",
    kind: ParameterKind::Optional(Interval::NOT_NEGATIVE),
};

/// A dashpot beside a tangential spring. It acts while the contact sticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TangentialDashpot {
    /// From the tangential stiffness or the mass.
    Own(Dashpot),
    /// The viscosity of the normal dashpot times a number, which the clip of tension does not change.
    Share(f64),
}

impl TangentialDashpot {
    /// No dashpot.
    pub const NONE: Self = Self::Own(Dashpot::NONE);

    /// From `tangential_damping_ratio` or, where a law declares them, `tangential_damping_rate` or `tangential_damping_share`.
    ///
    /// # Errors
    /// More than one given.
    pub fn new(parameters: &ParameterSet) -> Result<Self, LawError> {
        let ratio = Some(parameters.number(TANGENTIAL_DAMPING_RATIO.name)).filter(|ratio| *ratio > 0.0);
        let ways = [
            (TANGENTIAL_DAMPING_RATIO.name, ratio.map(|ratio| Self::Own(Dashpot::Ratio(ratio)))),
            (
                TANGENTIAL_DAMPING_RATE.name,
                parameters.optional(TANGENTIAL_DAMPING_RATE.name).map(|rate| Self::Own(Dashpot::Rate(rate))),
            ),
            (TANGENTIAL_DAMPING_SHARE.name, parameters.optional(TANGENTIAL_DAMPING_SHARE.name).map(Self::Share)),
        ];
        let mut given = ways.into_iter().filter_map(|(name, dashpot)| Some((name, dashpot?)));
        let Some((first, dashpot)) = given.next() else {
            return Ok(Self::NONE);
        };
        match given.next() {
            None => Ok(dashpot),
            Some((second, _)) => {
                Err(LawError::new(second, format!("given together with {first}: give one of the two")))
            }
        }
    }

    /// Whether it can exert a force.
    pub fn is_present(self) -> bool {
        match self {
            Self::Own(dashpot) => dashpot.is_present(),
            Self::Share(share) => share > 0.0,
        }
    }

    /// Viscosity, if there is a dashpot \[N s/m\], beside a normal dashpot of the viscosity `normal` \[N s/m\] and a tangential spring of a stiffness
    /// \[N/m\] between bodies of an effective mass \[kg\].
    #[inline(always)]
    pub fn viscosity<R: Real>(self, normal: R, stiffness: R, effective_mass: R) -> Option<R> {
        match self {
            Self::Own(dashpot) => dashpot.viscosity(stiffness, effective_mass),
            Self::Share(share) => (share > 0.0).then(|| R::splat(share) * normal),
        }
    }
}
