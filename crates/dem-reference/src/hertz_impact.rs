//! The elastic impact along the normal: largest load, duration and history of two spheres under Hertz's law.
//!
//! `N = k δ^(3/2)`, `k = (4/3) E* √R`, so `m* δ̈ = −k δ^(3/2)` and with the speed `v` at touch `½ m* v² = (2/5) k δ_max^(5/2)`.
//!
//! In units of δ_max for the overlap, `v` for the velocity and `δ_max/v` for the time there is one impact only:
//! `x' = √(1 − x^(5/2))`. With the radius of the contact as a sine, `√x = s = sin θ`, `θ` from 0 to π, it is smooth to the ends:
//!
//! ```text
//! x = s²,   x' = g cos θ,   dt/dθ = 2 s/g,   g² = (1 + s + s² + s³ + s⁴)/(1 + s)
//! ```
//!
//! which follows from `1 − s⁵ = (1 − s)(1 + s + s² + s³ + s⁴)` and `cos² θ = (1 − s)(1 + s)`.
//!
//! Sources: H. Hertz, J. reine angew. Math. 92 (1882) 156; K. L. Johnson, Contact Mechanics, section 11.4; A. Di Renzo,
//! F. P. Di Maio, Chem. Eng. Sci. 59 (2004) 525, equations 27 to 30.

use crate::oblique_impact::ElasticPair;
use crate::quadrature::gauss;

/// Largest values of a normal impact and its duration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NormalImpact {
    /// Largest overlap \[m\].
    pub overlap: f64,
    /// Largest force \[N\].
    pub force: f64,
    /// Largest radius of the contact \[m\].
    pub contact_radius: f64,
    /// Duration \[s\].
    pub duration: f64,
}

impl NormalImpact {
    /// The impact of a pair at a speed \[m/s\].
    pub fn new(pair: &ElasticPair, speed: f64) -> Self {
        let stiffness = 4.0 / 3.0 * pair.modulus * pair.radius.sqrt();
        let overlap = (1.25 * pair.mass * speed * speed / stiffness).powf(0.4);
        Self {
            overlap,
            force: stiffness * overlap.powf(1.5),
            contact_radius: (pair.radius * overlap).sqrt(),
            duration: scaled_duration() * overlap / speed,
        }
    }
}

/// Duration of an impact in units of the largest overlap over the speed, 2.943275; in closed form `(4/5) √π Γ(2/5)/Γ(9/10)`.
pub fn scaled_duration() -> f64 {
    scaled_time(0.0, std::f64::consts::PI)
}

/// Time from one phase θ to another in units of the largest overlap over the speed; to round-off for steps below π.
pub fn scaled_time(from: f64, to: f64) -> f64 {
    gauss(|phase| Phase::at(phase).time_rate, from, to, 1)
}

/// A moment of the scaled impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Phase {
    /// Radius of the contact over the largest.
    pub contact_radius: f64,
    /// Overlap over the largest.
    pub overlap: f64,
    /// Rate of the overlap over the speed at touch.
    pub rate: f64,
    /// dt/dθ.
    pub time_rate: f64,
}

impl Phase {
    /// The moment with a phase θ in \[0, π\].
    pub fn at(phase: f64) -> Self {
        let s = phase.sin().max(0.0);
        let g = ((1.0 + s * (1.0 + s * (1.0 + s * (1.0 + s)))) / (1.0 + s)).sqrt();
        Self { contact_radius: s, overlap: s * s, rate: g * phase.cos(), time_rate: 2.0 * s / g }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kharaz::kharaz;
    use crate::runge_kutta::advance;

    #[test]
    fn table_1_of_di_renzo_and_di_maio() {
        let impact = NormalImpact::new(&kharaz(0.1).unwrap().pair, 3.9);
        let close = |value: f64, printed: f64, digit: f64| (value - printed).abs() <= 0.5 * digit;
        assert!(close(impact.contact_radius, 2.060e-4, 1e-7), "{}", impact.contact_radius);
        assert!(close(impact.overlap, 1.697e-5, 1e-8), "{}", impact.overlap);
        assert!(close(impact.force, 293.3, 0.1), "{}", impact.force);
        assert!(close(impact.duration, 1.2806e-5, 1e-9), "{}", impact.duration);
    }

    #[test]
    fn duration_is_that_of_the_gamma_functions() {
        // Γ(2/5) and Γ(9/10)
        let closed = 0.8 * std::f64::consts::PI.sqrt() * 2.218_159_543_757_688 / 1.068_628_702_119_319_4;
        assert!((scaled_duration() - closed).abs() < 1e-12, "{} {closed}", scaled_duration());
    }

    #[test]
    fn history_solves_the_equation_of_motion() {
        // x'' = −(5/4) x^(3/2), integrated from a moment of the history to a later one
        let (from, to) = (0.7, 2.5);
        let steps = 4000;
        let step = scaled_time(from, to) / f64::from(steps);
        let mut state = [Phase::at(from).overlap, Phase::at(from).rate];
        for _ in 0..steps {
            state = advance(|y| [y[1], -1.25 * y[0].powf(1.5)], &state, step);
        }
        assert!((state[0] - Phase::at(to).overlap).abs() < 1e-12);
        assert!((state[1] - Phase::at(to).rate).abs() < 1e-12);
    }
}
