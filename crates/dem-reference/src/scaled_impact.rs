//! The oblique impact of two elastic spheres in dimensionless form, for any tangential response.
//!
//! With the overlap in units of its maximum `δ_max`, time in `δ_max/v_n0`, normal force in its maximum `F_max`, tangential force in
//! `μ F_max` and tangential displacement in `μ δ_max/κ`, only ψ₀ and χ remain:
//!
//! ```text
//! D' = ψ,   ψ' = −(5/2) χ f(a, D, history)
//! ```
//!
//! because `F_max = (5/4) m* v_n0²/δ_max`. The normal motion is that of [`Phase`]; the tangential motion is integrated by velocity
//! Verlet over given phases, whose even steps are finest in time at touch and at release.
//!
//! Source: N. Maw, J. R. Barber, J. N. Fawcett, Wear 38 (1976) 101. Di Renzo and Di Maio (2004) plot the same quantities, but the
//! time over the duration and the displacements in units of `C² R = δ_max`, as here.

use crate::error::ReferenceError;
use crate::hertz_impact::{NormalImpact, Phase, scaled_duration, scaled_time};
use crate::oblique_impact::{ObliqueImpact, Rebound};

/// A contact that answers to a path of its radius and tangential displacement.
pub trait TangentialContact {
    /// Goes on to a radius of the contact (over the largest) and a tangential displacement (in `μ δ_max/κ`) and returns the
    /// tangential force against the displacement (over `μ F_max`).
    ///
    /// # Errors
    /// A state that the method cannot resolve.
    fn advance(&mut self, contact_radius: f64, displacement: f64) -> Result<f64, ReferenceError>;
}

/// A moment of an impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// Time over the duration, τ*.
    pub time: f64,
    /// Overlap over the largest.
    pub overlap: f64,
    /// Normal velocity over that at touch, positive in approach.
    pub normal_velocity: f64,
    /// Normal force over the largest.
    pub normal_force: f64,
    /// Tangential displacement in `μ δ_max/κ`.
    pub displacement: f64,
    /// ψ, the tangential velocity of the contact in `μ v_n0/κ`; the velocity itself \[m/s\] in SI units.
    pub psi: f64,
    /// Tangential force against the displacement over `μ F_max`.
    pub tangential_force: f64,
}

/// Phases with even steps from 0 to π.
pub fn even_phases(steps: usize) -> Vec<f64> {
    (0..=steps).map(|k| std::f64::consts::PI * k as f64 / steps as f64).collect()
}

/// Runs a contact through an impact with ψ₀ and χ; the phases rise from 0 to π.
///
/// # Errors
/// Those of the contact.
pub fn run(
    psi: f64,
    chi: f64,
    phases: &[f64],
    contact: &mut impl TangentialContact,
) -> Result<Vec<Moment>, ReferenceError> {
    let duration = scaled_duration();
    let (mut time, mut displacement, mut psi, mut acceleration) = (0.0, 0.0, psi, 0.0);
    let start = Moment {
        time,
        overlap: 0.0,
        normal_velocity: 1.0,
        normal_force: 0.0,
        displacement,
        psi,
        tangential_force: 0.0,
    };
    let mut moments = vec![start];
    for pair in phases.windows(2) {
        let step = scaled_time(pair[0], pair[1]);
        let phase = Phase::at(pair[1]);
        displacement += step * (psi + 0.5 * step * acceleration);
        let tangential_force = contact.advance(phase.contact_radius, displacement)?;
        let next = -2.5 * chi * tangential_force;
        psi += 0.5 * step * (acceleration + next);
        acceleration = next;
        time += step;
        moments.push(Moment {
            time: time / duration,
            overlap: phase.overlap,
            normal_velocity: phase.rate,
            normal_force: phase.contact_radius.powi(3),
            displacement,
            psi,
            tangential_force,
        });
    }
    Ok(moments)
}

/// The rebound at the end of a history; not a number if the history is empty.
pub fn rebound(impact: &ObliqueImpact, history: &[Moment]) -> Rebound {
    let psi = history.last().map_or(f64::NAN, |moment| moment.psi);
    impact.rebound(psi * impact.velocity_scale())
}

/// A history in SI units: the fields of [`Moment`] in s, m, m/s and N.
pub fn in_units(impact: &ObliqueImpact, history: &[Moment]) -> Vec<Moment> {
    let normal = NormalImpact::new(&impact.pair, impact.normal_speed);
    let displacement_scale = impact.pair.friction * normal.overlap / impact.pair.stiffness_ratio();
    let dimensional = |moment: &Moment| Moment {
        time: moment.time * normal.duration,
        overlap: moment.overlap * normal.overlap,
        normal_velocity: moment.normal_velocity * impact.normal_speed,
        normal_force: moment.normal_force * normal.force,
        displacement: moment.displacement * displacement_scale,
        psi: moment.psi * impact.velocity_scale(),
        tangential_force: moment.tangential_force * impact.pair.friction * normal.force,
    };
    history.iter().map(dimensional).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kharaz::kharaz;
    use crate::many_spring_foundation;

    /// A contact that slides all the way.
    struct Slider;

    impl TangentialContact for Slider {
        fn advance(&mut self, contact_radius: f64, _: f64) -> Result<f64, ReferenceError> {
            Ok(contact_radius.powi(3))
        }
    }

    #[test]
    fn a_sliding_contact_loses_four_chi() {
        let history = run(9.0, 1.4, &even_phases(2000), &mut Slider).unwrap();
        let end = history.last().unwrap();
        assert!((end.psi - (9.0 - 4.0 * 1.4)).abs() < 1e-5, "{}", end.psi);
        assert!((end.time - 1.0).abs() < 1e-12);
    }

    #[test]
    fn impulses_in_units_are_the_changes_of_momentum() {
        let impact = kharaz(15.0_f64.to_radians()).unwrap();
        let scaled = many_spring_foundation::impact(100, impact.psi(), impact.pair.chi()).unwrap();
        let rebound = rebound(&impact, &scaled);
        let history = in_units(&impact, &scaled);
        let impulse = |force: fn(&Moment) -> f64| -> f64 {
            history.windows(2).map(|m| 0.5 * (m[1].time - m[0].time) * (force(&m[0]) + force(&m[1]))).sum()
        };
        let mass = impact.pair.mass;
        let normal = impulse(|moment| moment.normal_force);
        assert!((normal / (2.0 * mass * impact.normal_speed) - 1.0).abs() < 1e-5, "{normal}");
        let tangential = impulse(|moment| moment.tangential_force);
        let lost = mass * (impact.tangential_velocity - rebound.tangential_velocity);
        assert!((tangential / lost - 1.0).abs() < 1e-9, "{tangential} {lost}");
        // displacement is the integral of the contact velocity
        let slip = impulse(|moment| moment.psi);
        let displacement = history.last().unwrap().displacement;
        assert!((slip - displacement).abs() < 1e-5 * slip.abs(), "{slip} {displacement}");
    }
}
