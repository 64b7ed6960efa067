//! The van der Waals attraction of two spheres, in Derjaguin's approximation.
//!
//! With the gap h between the surfaces (negative in contact), the Hamaker constant A and h₀ the smallest separation, the pull is
//! `A r*/(6 max(h, h₀)²)` while h is below the cutoff h_c: below h₀, and so in contact, it is constant. The potential energy is
//! `U = −A r*/(6h)` down to h₀ and goes on linearly below, `−A r*/(6h₀) (1 + (h₀ − h)/h₀)`; it is shifted to zero at the cutoff.
//! The force ends there with the size it has, (h₀/h_c)² of its largest.
//!
//! The work of adhesion of two plane surfaces that belongs to it is `A/(12π h₀²)`. The law of the contact must not adhere by itself: that
//! would count the same attraction twice.
//!
//! Source: H. C. Hamaker, Physica 4 (1937) 1058; J. N. Israelachvili, Intermolecular and Surface Forces (1985), sections 11 and 13.
//! Departures: the cutoff, and the constant pull below h₀.

use super::parameters::SEPARATION_MINIMUM;
use crate::law::Derived;
use crate::parameter::{Interval, LawError, ParameterKind, ParameterSet, ParameterSpec};
use crate::submodels::adhesion::VAN_DER_WAALS_PULL;

const HAMAKER_CONSTANT: ParameterSpec = ParameterSpec {
    name: "hamaker_constant",
    unit: "J",
    meaning: "Hamaker constant A of the two materials in the medium between them",
    kind: ParameterKind::Required(Interval::POSITIVE),
};
const CUTOFF: ParameterSpec = ParameterSpec {
    name: "van_der_waals_cutoff",
    unit: "m",
    meaning: "distance between the surfaces beyond which the force is zero",
    kind: ParameterKind::Required(Interval::POSITIVE),
};

/// The attraction of a pair of materials.
#[derive(Clone, Copy, Debug)]
pub(super) struct VanDerWaals {
    hamaker_constant: f64,
    /// h₀ \[m\].
    smallest: f64,
    cutoff: f64,
}

impl VanDerWaals {
    /// Its parameters.
    pub fn parameters() -> Vec<ParameterSpec> {
        let separation = ParameterSpec { kind: ParameterKind::Required(Interval::POSITIVE), ..SEPARATION_MINIMUM };
        vec![HAMAKER_CONSTANT, separation, CUTOFF]
    }

    /// From its parameters.
    ///
    /// # Errors
    /// A cutoff within the smallest separation.
    pub fn new(parameters: &ParameterSet) -> Result<Self, LawError> {
        let (smallest, cutoff) = (parameters.number(SEPARATION_MINIMUM.name), parameters.number(CUTOFF.name));
        if cutoff <= smallest {
            let message = format!("= {cutoff} [m], expected more than {} = {smallest}", SEPARATION_MINIMUM.name);
            return Err(LawError::new(CUTOFF.name, message));
        }
        Ok(Self { hamaker_constant: parameters.number(HAMAKER_CONSTANT.name), smallest, cutoff })
    }

    /// Distance between the surfaces up to which it acts \[m\].
    pub fn range(&self) -> f64 {
        self.cutoff
    }

    /// `A r*/6` \[N m²\].
    fn strength(&self, effective_radius: f64) -> f64 {
        self.hamaker_constant * effective_radius / 6.0
    }

    /// Pull at a gap between the surfaces \[N\], and the energy \[J\].
    pub fn pull(&self, effective_radius: f64, gap: f64) -> Option<(f64, f64)> {
        (gap < self.cutoff).then(|| {
            let (strength, h) = (self.strength(effective_radius), gap.max(self.smallest));
            let pull = strength / (h * h);
            (pull, strength / self.cutoff - strength / h - pull * (h - gap))
        })
    }

    /// The largest `|dF/dh|`, at h₀ \[N/m\].
    pub fn stiffness(&self, effective_radius: f64) -> f64 {
        2.0 * self.strength(effective_radius) / (self.smallest * self.smallest * self.smallest)
    }

    /// Pull between bodies that touch, for `dem check`.
    pub fn pull_at_contact(&self, effective_radius: f64) -> Derived {
        let value = self.strength(effective_radius) / (self.smallest * self.smallest);
        Derived { name: VAN_DER_WAALS_PULL, value, unit: "N" }
    }

    /// Quantities to show in `dem check`.
    pub fn derived(&self) -> Derived {
        let value = self.hamaker_constant / (12.0 * std::f64::consts::PI * self.smallest * self.smallest);
        Derived { name: "work of adhesion A/(12 pi h0^2)", value, unit: "J/m^2" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const R: f64 = 5e-6;
    const LAW: VanDerWaals = VanDerWaals { hamaker_constant: 6.5e-20, smallest: 4e-10, cutoff: 1e-7 };

    #[test]
    fn pull_in_contact_is_that_of_the_work_of_adhesion() {
        // Derjaguin: 2 pi w r*
        let (pull, _) = LAW.pull(R, -1e-9).unwrap();
        assert!((LAW.pull_at_contact(R).value / pull - 1.0).abs() < 1e-14);
        let w = LAW.derived().value;
        assert!((w / 1.077_611_4e-2 - 1.0).abs() < 1e-6, "{w}");
        assert!((pull / (std::f64::consts::TAU * w * R) - 1.0).abs() < 1e-14);
        assert!((pull / (6.5e-20 * R / (6.0 * 16e-20)) - 1.0).abs() < 1e-14);
    }

    #[test]
    fn the_force_is_the_slope_of_the_potential() {
        for gap in [-3e-10, 1e-10, 3.9e-10, 4.1e-10, 2e-9, 5e-8, 9.9e-8] {
            let h = 1e-4 * f64::abs(gap);
            let at = |gap: f64| LAW.pull(R, gap).unwrap();
            let slope = (at(gap + h).1 - at(gap - h).1) / (2.0 * h);
            assert!((slope / at(gap).0 - 1.0).abs() < 1e-6, "{gap}");
            let steepness = (at(gap + h).0 - at(gap - h).0).abs() / (2.0 * h);
            assert!(steepness <= LAW.stiffness(R) * (1.0 + 1e-6), "{gap}");
        }
        assert!(LAW.pull(R, 1e-7).is_none());
        assert!(LAW.pull(R, 1e-7 * (1.0 - 1e-12)).unwrap().1.abs() < 1e-10 * LAW.pull(R, 0.0).unwrap().1.abs());
        assert!((LAW.stiffness(R) / (6.5e-20 * R / (3.0 * 64e-30)) - 1.0).abs() < 1e-14);
    }
}
