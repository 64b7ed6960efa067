//! The tangential spring in its total form: the force is the present stiffness times the whole elongation, which the slider cuts off at the
//! friction limit.
//!
//! In the units of [`scaled_impact`] the stiffness of a contact without slip is `(3/2) a`, `a` the radius of the contact, and the
//! limit `a³`, so that the elongation is at most `(2/3) a²`. An impact without slip has a force that is odd in time about the largest overlap.
//!
//! Source: the model without slip of A. Di Renzo, F. P. Di Maio, Chem. Eng. Sci. 59 (2004) 525, equation 37, with the truncated
//! elongation that their figures show.

use crate::error::ReferenceError;
use crate::scaled_impact::{self, Moment, TangentialContact};

/// The spring.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TotalSpring {
    elongation: f64,
    displacement: f64,
}

impl TangentialContact for TotalSpring {
    fn advance(&mut self, contact_radius: f64, displacement: f64) -> Result<f64, ReferenceError> {
        let most = 2.0 / 3.0 * contact_radius * contact_radius;
        self.elongation = (self.elongation + displacement - self.displacement).clamp(-most, most);
        self.displacement = displacement;
        Ok(1.5 * contact_radius * self.elongation)
    }
}

/// An impact with ψ₀ and χ in a number of phases.
///
/// # Errors
/// None of its own; those of the method of integration.
pub fn impact(phases: usize, psi: f64, chi: f64) -> Result<Vec<Moment>, ReferenceError> {
    scaled_impact::run(psi, chi, &scaled_impact::even_phases(phases), &mut TotalSpring::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHI: f64 = 1.5035;

    /// The end of the rebound converges, so that half as many phases change it by little.
    #[test]
    fn more_phases_hardly_change_the_rebound() {
        let end = |phases| impact(phases, 1.64, CHI).unwrap().last().unwrap().psi;
        assert!((end(4000) - end(8000)).abs() < 1e-4, "{} {}", end(4000), end(8000));
    }

    /// The published curve is symmetric about its centre as long as nothing slips.
    #[test]
    fn force_of_a_slow_impact_is_odd_about_the_largest_overlap() {
        let history = impact(4000, 0.3, CHI).unwrap();
        for (early, late) in history.iter().zip(history.iter().rev()) {
            assert!((early.tangential_force + late.tangential_force).abs() < 1e-2, "{early:?} {late:?}");
        }
    }

    /// Above 4χ − 1 every law slides: the impulse is μ times the normal one, ψ falls by 4χ.
    #[test]
    fn fast_impact_slides_all_the_way() {
        let end = impact(4000, 10.0, CHI).unwrap().last().unwrap().psi;
        assert!((end - (10.0 - 4.0 * CHI)).abs() < 1e-5, "{end}");
    }
}
