//! A force between the centres of spheres, as from a generalised Mie potential.
//!
//! The force on i is `f = (κ₁ d^(−λ₁) − κ₂ d^(−λ₂)) n` with the distance d of the centres: κ₁ attracts, κ₂ repels; the potential of
//! Lennard-Jones is a special case. It acts while the surfaces are closer than the cutoff, also in contact. With `λ₁ < λ₂` the pair is in
//! equilibrium at `d = (κ₂/κ₁)^(1/(λ₂ − λ₁))`.
//!
//! Of a wall, d is the distance of the centre from its nearest point.
//!
//! The potential energy `U = −κ₁ d^(1−λ₁)/(λ₁−1) + κ₂ d^(1−λ₂)/(λ₂−1)` is shifted to zero at the cutoff. The force ends there
//! with the size it has: energy is conserved to the extent that a step resolves this jump.
//!
//! Source: E. M. B. Campello, Comput. Part. Mech. 2 (2015) 109-125, Eqs. 16–18. Departures: the cutoff, which the source does not have, and
//! walls.

use dem_core::lanes::functions::alone;

use crate::law::Derived;
use crate::parameter::{Interval, ParameterKind, ParameterSet, ParameterSpec};

/// Exponents beyond this make forces that no step resolves.
const EXPONENT: Interval = Interval { low: 1.0, includes_low: false, high: 60.0, includes_high: true };

const ATTRACTION: ParameterSpec = ParameterSpec {
    name: "mie_attraction",
    unit: "-",
    meaning: "κ₁ of the attraction κ₁ d^(−λ₁) at the distance d of the centres, a plain number in N m^λ₁",
    kind: ParameterKind::Required(Interval::NOT_NEGATIVE),
};
const ATTRACTION_EXPONENT: ParameterSpec = ParameterSpec {
    name: "mie_attraction_exponent",
    unit: "-",
    meaning: "λ₁ of the attraction",
    kind: ParameterKind::Required(EXPONENT),
};
const REPULSION: ParameterSpec = ParameterSpec {
    name: "mie_repulsion",
    unit: "-",
    meaning: "κ₂ of the repulsion κ₂ d^(−λ₂), a plain number in N m^λ₂",
    kind: ParameterKind::Required(Interval::NOT_NEGATIVE),
};
const REPULSION_EXPONENT: ParameterSpec = ParameterSpec {
    name: "mie_repulsion_exponent",
    unit: "-",
    meaning: "λ₂ of the repulsion",
    kind: ParameterKind::Required(EXPONENT),
};
const CUTOFF: ParameterSpec = ParameterSpec {
    name: "mie_cutoff",
    unit: "m",
    meaning: "distance between the surfaces beyond which the force is zero",
    kind: ParameterKind::Required(Interval::POSITIVE),
};

/// The Mie force of a pair of materials.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mie {
    attraction: f64,
    attraction_exponent: f64,
    repulsion: f64,
    repulsion_exponent: f64,
    cutoff: f64,
}

impl Mie {
    /// Its parameters.
    pub fn parameters() -> Vec<ParameterSpec> {
        vec![ATTRACTION, ATTRACTION_EXPONENT, REPULSION, REPULSION_EXPONENT, CUTOFF]
    }

    /// From its parameters.
    pub fn new(parameters: &ParameterSet) -> Self {
        Self {
            attraction: parameters.number(ATTRACTION.name),
            attraction_exponent: parameters.number(ATTRACTION_EXPONENT.name),
            repulsion: parameters.number(REPULSION.name),
            repulsion_exponent: parameters.number(REPULSION_EXPONENT.name),
            cutoff: parameters.number(CUTOFF.name),
        }
    }

    /// Distance between the surfaces up to which it acts \[m\].
    pub fn range(&self) -> f64 {
        self.cutoff
    }

    /// Attraction minus repulsion at a distance of the centres, with a gap between the surfaces \[N\], and the energy \[J\].
    pub fn pull(&self, d: f64, gap: f64) -> Option<(f64, f64)> {
        (gap < self.cutoff).then(|| (self.force(d), self.potential(d) - self.potential(d - gap + self.cutoff)))
    }

    fn force(&self, d: f64) -> f64 {
        self.attraction * alone::pow(d, -self.attraction_exponent)
            - self.repulsion * alone::pow(d, -self.repulsion_exponent)
    }

    /// `U(d)`, zero at infinity \[J\].
    fn potential(&self, d: f64) -> f64 {
        let term = |strength: f64, exponent: f64| strength * alone::pow(d, 1.0 - exponent) / (exponent - 1.0);
        term(self.repulsion, self.repulsion_exponent) - term(self.attraction, self.attraction_exponent)
    }

    /// Size of `dF/dd` \[N/m\].
    pub fn stiffness(&self, d: f64) -> f64 {
        let term = |strength: f64, exponent: f64| strength * exponent * alone::pow(d, -exponent - 1.0);
        (term(self.repulsion, self.repulsion_exponent) - term(self.attraction, self.attraction_exponent)).abs()
    }

    /// Quantities to show in `dem check`.
    pub fn derived(&self) -> Option<Derived> {
        let has_balance =
            self.attraction > 0.0 && self.repulsion > 0.0 && self.attraction_exponent != self.repulsion_exponent;
        has_balance.then(|| {
            let power = 1.0 / (self.repulsion_exponent - self.attraction_exponent);
            let value = alone::pow(self.repulsion / self.attraction, power);
            Derived { name: "distance of centres where the Mie force vanishes", value, unit: "m" }
        })
    }
}
