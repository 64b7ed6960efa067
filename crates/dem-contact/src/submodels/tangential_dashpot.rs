//! The dashpot in parallel with a tangential spring: one of its own, or a fraction of the normal one.

use dem_core::lanes::Real;

use crate::parameter::{Interval, LawError, ParameterKind, ParameterSet, ParameterSpec};
use crate::submodels::coulomb::{Dashing, SlidingDashpot};
use crate::submodels::dashpot::Dashpot;

/// Tangential damping ratio.
pub const TANGENTIAL_DAMPING_RATIO: ParameterSpec = ParameterSpec {
    name: "tangential_damping_ratio",
    unit: "-",
    meaning: "damping of the tangential spring as a fraction of critical, with the effective mass",
    kind: ParameterKind::Default(0.0, Interval::NOT_NEGATIVE),
};

/// Tangential damping rate.
pub const TANGENTIAL_DAMPING_RATE: ParameterSpec = ParameterSpec {
    name: "tangential_damping_rate",
    unit: "1/s",
    meaning: "viscosity of the tangential dashpot over the effective mass, c_t = g_t m*; alternative to tangential_damping_ratio",
    kind: ParameterKind::Optional(Interval::NOT_NEGATIVE),
};

/// Fraction of the normal dashpot.
pub const TANGENTIAL_DAMPING_SHARE: ParameterSpec = ParameterSpec {
    name: "tangential_damping_share",
    unit: "-",
    meaning: "viscosity of the tangential dashpot over that of the normal one, c_t = x c_n, as in LAMMPS; alternative to tangential_damping_ratio",
    kind: ParameterKind::Optional(Interval::NOT_NEGATIVE),
};

/// What the dashpot does while the contact slides.
pub const SLIDING_DASHPOT: ParameterSpec = ParameterSpec {
    name: "sliding_dashpot",
    unit: "-",
    meaning: "tangential dashpot of a sliding contact: kelvin is parallel to the spring, both in series with the slider; lammps acts on the whole velocity, and its force is kept in the spring; dropped has none while the contact slides; outside is parallel to spring and slider",
    kind: ParameterKind::Choice(&["kelvin", "lammps", "dropped", "outside"]),
};

/// A dashpot in parallel with a tangential spring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TangentialDashpot {
    strength: Strength,
    sliding: SlidingDashpot,
}

/// Viscosity of a tangential dashpot.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Strength {
    /// From the tangential stiffness or the mass.
    Own(Dashpot),
    /// The viscosity of the normal dashpot times a number, which the clip of tension does not change.
    Share(f64),
}

impl TangentialDashpot {
    /// No dashpot.
    pub const NONE: Self = Self { strength: Strength::Own(Dashpot::NONE), sliding: SlidingDashpot::Kelvin };

    /// From `tangential_damping_ratio` or, where a law declares them, `tangential_damping_rate` or `tangential_damping_share`, and
    /// `sliding_dashpot`.
    ///
    /// # Errors
    /// More than one viscosity given.
    pub fn new(parameters: &ParameterSet) -> Result<Self, LawError> {
        let sliding = match parameters.choice(SLIDING_DASHPOT.name) {
            "lammps" => SlidingDashpot::Lammps,
            "dropped" => SlidingDashpot::Dropped,
            "outside" => SlidingDashpot::Outside,
            _ => SlidingDashpot::Kelvin,
        };
        let ratio = Some(parameters.number(TANGENTIAL_DAMPING_RATIO.name)).filter(|ratio| *ratio > 0.0);
        let rate = parameters.optional(TANGENTIAL_DAMPING_RATE.name);
        let share = parameters.optional(TANGENTIAL_DAMPING_SHARE.name);
        let ways = [
            (TANGENTIAL_DAMPING_RATIO.name, ratio.map(|ratio| Strength::Own(Dashpot::Ratio(ratio)))),
            (TANGENTIAL_DAMPING_RATE.name, rate.map(|rate| Strength::Own(Dashpot::Rate(rate)))),
            (TANGENTIAL_DAMPING_SHARE.name, share.map(Strength::Share)),
        ];
        let mut given = ways.into_iter().filter_map(|(name, strength)| Some((name, strength?)));
        let Some((first, strength)) = given.next() else {
            return Ok(Self::NONE);
        };
        match given.next() {
            None => Ok(Self { strength, sliding }),
            Some((second, _)) => {
                Err(LawError::new(second, format!("given together with {first}: give one of the two")))
            }
        }
    }

    /// Whether it can exert a force.
    pub fn is_present(self) -> bool {
        match self.strength {
            Strength::Own(dashpot) => dashpot.is_present(),
            Strength::Share(share) => share > 0.0,
        }
    }

    /// Viscosity, if there is a dashpot \[N s/m\], given a normal dashpot of the viscosity `normal` \[N s/m\] and a
    /// tangential spring of a stiffness \[N/m\] between bodies of an effective mass \[kg\].
    #[inline(always)]
    pub fn viscosity<R: Real>(self, normal: R, stiffness: R, effective_mass: R) -> Option<R> {
        match self.strength {
            Strength::Own(dashpot) => dashpot.viscosity(stiffness, effective_mass),
            Strength::Share(share) => (share > 0.0).then(|| R::parameter(share) * normal),
        }
    }

    /// The dashpot of a step, if there is one; `slide0` is what a sliding contact carried at its start \[N\].
    #[inline(always)]
    pub fn dashing<R: Real>(
        self,
        normal: R,
        stiffness: R,
        effective_mass: R,
        slide0: impl FnOnce() -> R,
    ) -> Option<Dashing<R>> {
        let viscosity = self.viscosity(normal, stiffness, effective_mass)?;
        Some(Dashing { viscosity, sliding: self.sliding, slide0: slide0() })
    }
}
