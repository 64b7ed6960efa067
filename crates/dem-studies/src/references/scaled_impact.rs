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

use super::hertz_impact::{Phase, scaled_duration, scaled_time};
use crate::error::StudyError;

/// A contact that answers to a path of its radius and tangential displacement.
pub trait TangentialContact {
    /// Goes on to a radius of the contact (over the largest) and a tangential displacement (in `μ δ_max/κ`) and returns the
    /// tangential force against the displacement (over `μ F_max`).
    ///
    /// # Errors
    /// A state that the method cannot resolve.
    fn advance(&mut self, contact_radius: f64, displacement: f64) -> Result<f64, StudyError>;
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
    /// ψ, the tangential velocity of the contact in `μ v_n0/κ`.
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
) -> Result<Vec<Moment>, StudyError> {
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

/// ψ at the end of a history; not a number if there is none.
pub fn final_psi(history: &[Moment]) -> f64 {
    history.last().map_or(f64::NAN, |moment| moment.psi)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A contact that slides all the way.
    struct Slider;

    impl TangentialContact for Slider {
        fn advance(&mut self, contact_radius: f64, _: f64) -> Result<f64, StudyError> {
            Ok(contact_radius.powi(3))
        }
    }

    #[test]
    fn a_sliding_contact_loses_four_chi() {
        let history = run(9.0, 1.4, &even_phases(2000), &mut Slider).unwrap();
        assert!((final_psi(&history) - (9.0 - 4.0 * 1.4)).abs() < 1e-5, "{}", final_psi(&history));
        assert!((history.last().unwrap().time - 1.0).abs() < 1e-12);
    }
}
