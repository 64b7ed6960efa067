//! Contact damping from a restitution coefficient, a damping ratio, a damping rate or a dissipation time.
//!
//! A head-on impact without gravity obeys, in units of its own time and length, `x'' = −max(0, x^p + c x^q x')` with
//! `x(0) = 0, x'(0) = 1`: p = 1, q = 0, c = 2ζ for the linear spring and p = 3/2, q = 1/4, c = ζ√6 for Hertz with a
//! dashpot in proportion to `√(m* dN/dδ)`. The speed drops out, so the restitution depends on the damping ratio ζ
//! alone. If the contact may pull, it has a closed form; if tension is cut off, the bodies separate early and the
//! restitution is higher, and the curve is inverted numerically.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::law::Derived;
use crate::parameter::{Interval, LawError, ParameterKind, ParameterSet, ParameterSpec};
use crate::submodels::dashpot::Dashpot;

/// Normal restitution.
pub const RESTITUTION: ParameterSpec = ParameterSpec {
    name: "restitution",
    unit: "-",
    meaning: "normal restitution coefficient of a head-on impact, achieved exactly; alternative to damping_ratio",
    kind: ParameterKind::Optional(Interval::UNIT),
};

/// Damping ratio.
pub const DAMPING_RATIO: ParameterSpec = ParameterSpec {
    name: "damping_ratio",
    unit: "-",
    meaning: "damping as a fraction of critical, as printed in papers; alternative to restitution",
    kind: ParameterKind::Optional(Interval::NOT_NEGATIVE),
};

/// Damping rate.
pub const DAMPING_RATE: ParameterSpec = ParameterSpec {
    name: "damping_rate",
    unit: "1/s",
    meaning: "viscosity of the dashpot over the effective mass, c = g m*, as in LAMMPS's gran/hooke; alternative to restitution",
    kind: ParameterKind::Optional(Interval::NOT_NEGATIVE),
};

/// Dissipation time of a viscoelastic material.
pub const DISSIPATION_TIME: ParameterSpec = ParameterSpec {
    name: "dissipation_time",
    unit: "s",
    meaning: "time A of viscoelastic spheres, N = k_H (δ^(3/2) + 3/2 A √δ δ'), whose restitution falls with the speed; alternative to restitution",
    kind: ParameterKind::Optional(Interval::NOT_NEGATIVE),
};

/// Clip of tension.
pub const NO_TENSION: ParameterSpec = ParameterSpec {
    name: "no_tension",
    unit: "-",
    meaning: "clip the normal force at zero, so that damping never pulls bodies together",
    kind: ParameterKind::Flag(true),
};

/// Shape of the normal spring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Spring {
    /// `N ∝ δ`
    Linear,
    /// `N ∝ δ^(3/2)`
    Hertz,
}

/// Largest damping ratio that is searched.
const LARGEST_RATIO: f64 = 50.0;

impl Spring {
    /// Elastic force, dashpot coefficient at a dimensionless overlap.
    fn terms(self, x: f64, ratio: f64) -> (f64, f64) {
        let x = x.max(0.0);
        match self {
            Self::Linear => (x, 2.0 * ratio),
            Self::Hertz => {
                let root = x.sqrt();
                (x * root, ratio * 6.0f64.sqrt() * root.sqrt())
            }
        }
    }

    /// Restitution of a damping ratio.
    pub fn restitution(self, ratio: f64, no_tension: bool) -> f64 {
        if ratio == 0.0 {
            1.0
        } else if no_tension {
            self.clipped_restitution(ratio)
        } else {
            let b = ratio * self.tension_factor();
            if b < 1.0 { libm::exp(-std::f64::consts::PI * b / (1.0 - b * b).sqrt()) } else { 0.0 }
        }
    }

    /// Ratio of the damping of the equivalent linear oscillator to ζ.
    fn tension_factor(self) -> f64 {
        match self {
            Self::Linear => 1.0,
            Self::Hertz => 1.2f64.sqrt(),
        }
    }

    /// Damping ratio that achieves a restitution.
    ///
    /// # Errors
    /// A restitution below what the largest damping reaches.
    pub fn ratio(self, restitution: f64, no_tension: bool) -> Result<f64, LawError> {
        if restitution == 1.0 {
            return Ok(0.0);
        }
        if !no_tension {
            let l = libm::log(restitution);
            return Ok(-l / (std::f64::consts::PI.powi(2) + l * l).sqrt() / self.tension_factor());
        }
        // the same few are asked for whenever a law is set up, by all members of an ensemble and all probes of a state
        static FOUND: Mutex<BTreeMap<(Spring, u64), f64>> = Mutex::new(BTreeMap::new());
        let found = || FOUND.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (self, restitution.to_bits());
        if let Some(&ratio) = found().get(&key) {
            return Ok(ratio);
        }
        let ratio = self.clipped_ratio(restitution)?;
        found().insert(key, ratio);
        Ok(ratio)
    }

    /// The same where tension is clipped, by bisection.
    fn clipped_ratio(self, restitution: f64) -> Result<f64, LawError> {
        let (mut low, mut high) = (0.0, LARGEST_RATIO);
        let smallest = self.clipped_restitution(high);
        if restitution < smallest {
            return Err(LawError::new(
                "restitution",
                format!("= {restitution} [-], expected {smallest:.4} <= value <= 1 (no_tension = true)"),
            ));
        }
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if self.clipped_restitution(middle) > restitution {
                low = middle;
            } else {
                high = middle;
            }
        }
        Ok(0.5 * (low + high))
    }

    /// Integrates the impact until the force vanishes. Time is `t = s⁴`: in `s` the quarter power of the overlap is smooth.
    fn clipped_restitution(self, ratio: f64) -> f64 {
        let force = |x: f64, v: f64| {
            let (elastic, dashpot) = self.terms(x, ratio);
            elastic + dashpot * v
        };
        let rate = |s: f64, x: f64, v: f64| {
            let stretch = 4.0 * s * s * s;
            (stretch * v, -stretch * force(x, v))
        };
        let step = |s: f64, h: f64, x: f64, v: f64| {
            let (k1x, k1v) = rate(s, x, v);
            let (k2x, k2v) = rate(s + 0.5 * h, x + 0.5 * h * k1x, v + 0.5 * h * k1v);
            let (k3x, k3v) = rate(s + 0.5 * h, x + 0.5 * h * k2x, v + 0.5 * h * k2v);
            let (k4x, k4v) = rate(s + h, x + h * k3x, v + h * k3v);
            (x + h / 6.0 * (k1x + 2.0 * k2x + 2.0 * k3x + k4x), v + h / 6.0 * (k1v + 2.0 * k2v + 2.0 * k3v + k4v))
        };
        // stiff damping needs shorter steps at the start: its time scale is 1/ζ
        let h = 1e-3 / (1.0 + ratio).sqrt();
        let (mut s, mut x, mut v) = (0.0, 0.0, 1.0);
        loop {
            let (next_x, next_v) = step(s, h, x, v);
            if next_v < 0.0 && (next_x <= 0.0 || force(next_x, next_v) <= 0.0) {
                // the root of the force inside the step, by bisection of the step
                let (mut low, mut high) = (0.0, h);
                for _ in 0..50 {
                    let middle = 0.5 * (low + high);
                    let (mx, mv) = step(s, middle, x, v);
                    if mv < 0.0 && (mx <= 0.0 || force(mx, mv) <= 0.0) {
                        high = middle;
                    } else {
                        low = middle;
                    }
                }
                return -step(s, high, x, v).1;
            }
            if s > 10.0 {
                return 0.0; // t = 10⁴ contact times: the body creeps and never leaves
            }
            (s, x, v) = (s + h, next_x, next_v);
        }
    }
}

/// Damping of a law: the dashpot used and the restitution it achieves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Damping {
    /// Dashpot in parallel with the normal spring.
    pub dashpot: Dashpot,
    /// Restitution of a head-on impact, if it is the same for all masses.
    pub restitution: Option<f64>,
}

impl Damping {
    /// From the parameters `restitution`, `damping_ratio` or, where a law declares them, `damping_rate` or `dissipation_time`, exactly one of which must be given.
    ///
    /// # Errors
    /// Several or none given, or a restitution out of reach.
    pub fn from_parameters(parameters: &ParameterSet, spring: Spring, no_tension: bool) -> Result<Self, LawError> {
        let known: &[ParameterSpec] = match spring {
            Spring::Linear => &[RESTITUTION, DAMPING_RATIO, DAMPING_RATE],
            Spring::Hertz => &[RESTITUTION, DAMPING_RATIO, DISSIPATION_TIME],
        };
        let mut given = known.iter().filter_map(|spec| Some((spec.name, parameters.optional(spec.name)?)));
        let Some((name, value)) = given.next() else {
            let names: Vec<&str> = known.iter().map(|spec| spec.name).collect();
            return Err(LawError::new(RESTITUTION.name, format!("missing: give {}", names.join(" or "))));
        };
        if let Some((other, _)) = given.next() {
            return Err(LawError::new(other, format!("given together with {name}: give one of the two")));
        }
        let (dashpot, restitution) = if name == RESTITUTION.name {
            (Dashpot::Ratio(spring.ratio(value, no_tension)?), Some(value))
        } else if name == DAMPING_RATIO.name {
            (Dashpot::Ratio(value), Some(spring.restitution(value, no_tension)))
        } else if name == DAMPING_RATE.name {
            (Dashpot::Rate(value), None)
        } else {
            (Dashpot::Time(value), None)
        };
        Ok(Self { dashpot, restitution })
    }

    /// Quantities to show in `dem check`.
    pub fn derived(&self) -> impl Iterator<Item = Derived> {
        let dashpot = match self.dashpot {
            Dashpot::Ratio(value) => Derived { name: "damping ratio", value, unit: "-" },
            Dashpot::Rate(value) => Derived { name: "damping rate", value, unit: "1/s" },
            Dashpot::Time(value) => Derived { name: "dissipation time", value, unit: "s" },
        };
        let restitution = self.restitution.map(|value| Derived { name: "achieved restitution", value, unit: "-" });
        std::iter::once(dashpot).chain(restitution)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Closed form of the clipped linear impact (Schwager & Pöschel, Granular Matter 9 (2007) 465, Eq. 21), underdamped branch.
    fn clipped_linear(ratio: f64) -> f64 {
        let damped = (1.0 - ratio * ratio).sqrt();
        let phase = std::f64::consts::PI - (2.0 * ratio * damped).atan2(1.0 - 2.0 * ratio * ratio);
        // −v at the phase where x'' = 0
        -(phase.cos() - ratio / damped * phase.sin()) * (-ratio * phase / damped).exp()
    }

    #[test]
    fn clipped_linear_restitution_matches_its_closed_form() {
        for ratio in [1e-3, 0.05, 0.3, 0.7, 0.95] {
            let (found, expected) = (Spring::Linear.restitution(ratio, true), clipped_linear(ratio));
            assert!((found - expected).abs() < 1e-8, "{ratio}: {found} {expected}");
        }
    }

    #[test]
    fn restitution_and_ratio_invert_each_other() {
        for spring in [Spring::Linear, Spring::Hertz] {
            for no_tension in [false, true] {
                for restitution in [0.05, 0.1, 0.5, 0.9, 0.999, 1.0] {
                    let ratio = spring.ratio(restitution, no_tension).unwrap();
                    assert!((spring.restitution(ratio, no_tension) - restitution).abs() < 1e-9);
                }
            }
        }
    }

    /// With tension allowed, damping for e = 0.9, 0.5, 0.1 gives 0.902, 0.550, 0.253 when tension is cut off: published
    /// for both springs.
    #[test]
    fn clipping_raises_the_restitution_by_the_known_amount() {
        for (asked, clipped) in [(0.9, 0.902), (0.5, 0.550), (0.1, 0.253)] {
            let ratio = Spring::Hertz.ratio(asked, false).unwrap();
            let found = Spring::Hertz.restitution(ratio, true);
            assert!((found - clipped).abs() < 1e-3, "{asked}: {found}");
        }
    }

    #[test]
    fn unreachable_restitution_is_refused_with_the_range() {
        let error = Spring::Linear.ratio(1e-6, true).unwrap_err();
        assert!(error.message.contains("<= value <= 1"), "{error}");
    }
}
