//! The restitution of viscoelastic spheres, and the dissipation time that gives them one at a speed.
//!
//! A head-on impact with `N = k_H (δ^(3/2) + (3/2) A √δ δ')` obeys, in units of its own time and length, `x'' = −√x (x + β x')` with
//! `x(0) = 0, x'(0) = 1` and `β = (3/2) A (k_H/m*)^(2/5) v^(1/5)`. So a restitution at a speed v₀ means a β₀, found numerically, and with it
//! `A = β₀/((3/2) (k_H/m*)^(2/5) v₀^(1/5))`: a time of its own for every effective mass and radius.

use dem_core::lanes::{Real, functions};

use crate::parameter::{Interval, LawError, ParameterKind, ParameterSpec};

/// Speed of a restitution.
pub const RESTITUTION_SPEED: ParameterSpec = ParameterSpec {
    name: "restitution_speed",
    unit: "m/s",
    meaning: "speed of the impact with the given restitution, which then falls with the speed as that of viscoelastic spheres; only with restitution",
    kind: ParameterKind::Optional(Interval::POSITIVE),
};

/// Largest β that is searched.
const LARGEST: f64 = 20.0;

/// β of an impact of a dissipation time \[s\], `k_H` \[N/m^(3/2)\], effective mass \[kg\] and speed \[m/s\].
pub fn dissipation(time: f64, coefficient: f64, effective_mass: f64, speed: f64) -> f64 {
    1.5 * time * libm::pow(coefficient / effective_mass, 0.4) * libm::pow(speed, 0.2)
}

/// Restitution of a β.
pub fn restitution(beta: f64, no_tension: bool) -> f64 {
    if beta == 0.0 {
        return 1.0;
    }
    // time is t = s²: in s the force, which begins with the root of the overlap, is smooth
    let force = |x: f64, v: f64| x.max(0.0).sqrt() * (x + beta * v);
    let rate = |s: f64, x: f64, v: f64| (2.0 * s * v, -2.0 * s * force(x, v));
    let step = |s: f64, h: f64, x: f64, v: f64| {
        let (x1, v1) = rate(s, x, v);
        let (x2, v2) = rate(s + 0.5 * h, x + 0.5 * h * x1, v + 0.5 * h * v1);
        let (x3, v3) = rate(s + 0.5 * h, x + 0.5 * h * x2, v + 0.5 * h * v2);
        let (x4, v4) = rate(s + h, x + h * x3, v + h * v3);
        (x + h / 6.0 * (x1 + 2.0 * (x2 + x3) + x4), v + h / 6.0 * (v1 + 2.0 * (v2 + v3) + v4))
    };
    let ends = |x: f64, v: f64| v < 0.0 && (x <= 0.0 || no_tension && force(x, v) <= 0.0);
    let h = 2e-3 / (1.0 + beta);
    let (mut s, mut x, mut v) = (0.0, 0.0, 1.0);
    loop {
        let (next_x, next_v) = step(s, h, x, v);
        if ends(next_x, next_v) {
            let (mut low, mut high) = (0.0, h);
            for _ in 0..40 {
                let middle = 0.5 * (low + high);
                let (x, v) = step(s, middle, x, v);
                if ends(x, v) { high = middle } else { low = middle }
            }
            return -step(s, high, x, v).1;
        }
        if s > 30.0 {
            return 0.0; // the body creeps and never leaves
        }
        (s, x, v) = (s + h, next_x, next_v);
    }
}

/// β of a restitution.
///
/// # Errors
/// A restitution below what the largest β reaches.
fn beta(wanted: f64, no_tension: bool) -> Result<f64, LawError> {
    if wanted == 1.0 {
        return Ok(0.0);
    }
    let (mut low, mut high) = (0.0, LARGEST);
    let smallest = restitution(high, no_tension);
    if wanted < smallest {
        let message = format!("= {wanted} [-], expected {smallest:.4} <= value <= 1 with restitution_speed");
        return Err(LawError::new("restitution", message));
    }
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        if restitution(middle, no_tension) > wanted { low = middle } else { high = middle }
    }
    Ok(0.5 * (low + high))
}

/// A dissipation time that gives all contacts of two materials one restitution at one speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Creep {
    /// `A (r*/m*²)^(1/5)`.
    factor: f64,
    /// β at the speed of the restitution.
    pub beta: f64,
}

impl Creep {
    /// From a restitution at a speed \[m/s\] and the effective Young's modulus \[Pa\].
    ///
    /// # Errors
    /// A restitution out of reach.
    pub fn new(restitution: f64, speed: f64, young_modulus: f64, no_tension: bool) -> Result<Self, LawError> {
        let beta = beta(restitution, no_tension)?;
        let factor = beta / (1.5 * libm::pow(4.0 / 3.0 * young_modulus, 0.4) * libm::pow(speed, 0.2));
        Ok(Self { factor, beta })
    }

    /// A \[s\].
    #[inline(always)]
    pub fn time<R: Real>(self, effective_radius: R, effective_mass: R) -> R {
        let size = effective_mass * effective_mass / effective_radius;
        R::parameter(self.factor) * functions::pow(size, R::constant(0.2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn restitution_is_the_published_one_and_inverts() {
        for (value, pulling, clipped) in [
            (0.01, 0.988_545, 0.988_547),
            (0.05, 0.944_260, 0.944_397),
            (0.2, 0.797_550, 0.800_965),
            (0.5, 0.573_825, 0.595_251),
        ] {
            for (no_tension, expected) in [(false, pulling), (true, clipped)] {
                let found = restitution(value, no_tension);
                assert!((found - expected).abs() < 2e-6, "{value} {no_tension} {found}");
                assert!((beta(expected, no_tension).unwrap() / value - 1.0).abs() < 1e-4);
            }
        }
        assert_eq!(beta(1.0, true).unwrap(), 0.0);
        assert!(beta(1e-6, true).unwrap_err().message.contains("<= value <= 1 with restitution_speed"));
    }

    #[test]
    fn every_size_has_the_restitution_at_its_speed() {
        let (modulus, speed): (f64, f64) = (2e9, 0.3);
        let creep = Creep::new(0.8, speed, modulus, true).unwrap();
        for (radius, mass) in [(1e-3, 1e-5), (0.1, 7.0)] {
            let coefficient = 4.0 / 3.0 * modulus * f64::sqrt(radius);
            let found = dissipation(creep.time(radius, mass), coefficient, mass, speed);
            assert!((found / creep.beta - 1.0).abs() < 1e-12, "{radius} {found}");
        }
    }
}
