//! Names of the criteria that bound the time step, and what they share.

use dem_contact::time_step::Fractions;

/// Fraction of the time in which drag and global damping take a velocity to that of the fluid: a tenth of the step for
/// which explicit schemes are stable, and less than the fractions for contacts where an integrator needs that.
const SHARE_OF_RELAXATION: f64 = 0.2;

/// Names of criteria.
pub(crate) const DISPLACEMENT: &str = "displacement per step";
pub(crate) const ROTATION: &str = "rotation per step";
pub(crate) const RAYLEIGH: &str = "Rayleigh time";

pub(crate) const RELAXATION: &str = "relaxation by drag";

/// Longest step for a rate at which a velocity relaxes \[1/s\].
pub(crate) fn relaxation_step(rate: f64, fractions: &Fractions) -> f64 {
    SHARE_OF_RELAXATION.min(fractions.damping) / rate
}
