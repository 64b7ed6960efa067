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
mod options;
mod path_friction;
mod setup;
mod tables;

#[cfg(test)]
mod tests;

use dem_report::report::Report;

pub use comparisons::{Comparison, comparisons};
pub use dem_reference::hysteretic_sliding::Reading;
pub use options::Options;

use crate::error::StudyError;
use cases::Cases;

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
