//! Two equal spheres that slide over each other along a prescribed path: how fast, with which loss, for how long?
//!
//! The upper sphere is guided along a line or an eccentric circle and moves freely on it under the contact force (displacement control),
//! or is driven over a rigid sphere by constant forces (force control). Every number is computed by the engine, with a particle on a
//! guide, and by references that share no code with it: elliptic integrals, adaptive quadrature, the Lobatto rule of five points of the
//! source, an event-by-event integration of the hysteresis.
//!
//! After a reversal friction changes over a transition, for which there are two readings ([`Reading`]): that of a contact law, and that of the
//! source, which needs the load at a place still ahead and the way along the path. The latter exists in this study only
//! (`path_friction.rs`).
//!
//! Source: R. Balevičius, Z. Mróz, A finite sliding model of two identical spheres under displacement and force control, part II: dynamic
//! analysis, Acta Mech. (2013, published online on 17 November). Lengths are in radii and stiffnesses in those of the contact: R = 1 m, k_n = 1 N/m^(3/2), m = 1 kg; the
//! source does not give the mass, the largest overlap or Poisson's ratio: 1 kg, 0.28 R (from y₀/R = 0.86) and 0.3 are taken for them.

mod cases;
mod comparisons;
mod engine;
mod figures;
mod findings;
mod force_figures;
mod path_friction;
mod tables;

#[cfg(test)]
mod tests;

pub use comparisons::{Comparison, comparisons};

use dem_sim::integrators::{INTEGRATORS, find};

use crate::error::StudyError;
pub use crate::references::hysteretic_sliding::Reading;
use crate::report::Report;
use cases::Cases;

/// What to study.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Largest overlap in radii, 0.001 to 0.5.
    pub overlap: f64,
    /// Coefficient of friction, 0.05 to 1.
    pub friction: f64,
    /// Poisson's ratio, 0 to 0.49.
    pub poisson_ratio: f64,
    /// Power of the hysteresis, 0.1 to 1.
    pub power: f64,
    /// Time steps in the time in which the path is passed at the initial velocity, 500 to 10⁶.
    pub steps: u32,
    /// Integrator, with its default options.
    pub integrator: String,
    /// What the transitions of the engine are measured by; comparisons of reversals are made with both.
    pub reading: Reading,
}

impl Default for Options {
    fn default() -> Self {
        let integrator = INTEGRATORS[0].key.to_owned();
        Self {
            overlap: 0.28,
            friction: 0.6,
            poisson_ratio: 0.3,
            power: 0.5,
            steps: 10_000,
            integrator,
            reading: Reading::Contact,
        }
    }
}

impl Options {
    fn check(&self) -> Result<(), StudyError> {
        let numbers = [
            ("--overlap", self.overlap, 0.001, 0.5),
            ("--friction", self.friction, 0.05, 1.0),
            ("--poisson", self.poisson_ratio, 0.0, 0.49),
            ("--power", self.power, 0.1, 1.0),
            ("--steps", f64::from(self.steps), 500.0, 1e6),
        ];
        for (option, value, least, most) in numbers {
            if !(least..=most).contains(&value) {
                return Err(StudyError::Option {
                    option,
                    value: value.to_string(),
                    allowed: format!("{least} to {most}"),
                });
            }
        }
        if find(&self.integrator).is_none() {
            let allowed = INTEGRATORS.iter().map(|entry| entry.key).collect::<Vec<_>>().join(", ");
            return Err(StudyError::Option { option: "--integrator", value: self.integrator.clone(), allowed });
        }
        Ok(())
    }
}

/// Runs the study.
///
/// # Errors
/// An option out of range, or constants with which the spheres never part on a path.
pub fn run(options: &Options) -> Result<Report, StudyError> {
    Ok(compared(options)?.1)
}

/// The comparisons by themselves, and the report.
///
/// # Errors
/// As [`run`].
pub fn compared(options: &Options) -> Result<(Vec<Comparison>, Report), StudyError> {
    options.check()?;
    let cases = Cases::new(options)?;
    let rows = comparisons::of(&cases)?;
    let mut all = figures::all(&cases)?;
    all.extend(force_figures::all(&cases)?);
    let report = Report {
        tables: tables::all(&cases, &rows)?,
        figures: all,
        findings: findings::all(&cases, &rows)?,
        ..Report::default()
    };
    Ok((rows, report))
}
