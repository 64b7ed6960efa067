//! Adhesive laws: how strongly does a pair hold on, what sticks, and what is lost by pressing and parting once?
//!
//! Every law of the engine that pulls takes a sphere pressed on a wall through one loop of prescribed overlap, and meets the wall at speeds through that at
//! which it sticks. Beside them stand closed forms and quadrature that share no code with the laws; beside liquid bridges, solutions of the
//! Young-Laplace equation.

mod bridges;
mod curves;
mod dented_contact;
mod figures;
mod findings;
mod impacts;
mod options;
mod results;
mod setup;
mod tables;

#[cfg(test)]
mod tests;

use dem_report::parallel_runs::side_by_side;
use dem_report::report::Report;

pub use bridges::Bridge;
pub use options::Options;

use crate::error::StudyError;
use curves::PullCurve;
use results::Results;
use setup::Setup;

/// Largest overlap over the radius: contacts are small against the bodies.
const LARGEST: f64 = 0.01;

/// Runs the study.
///
/// # Errors
/// Options out of range; a law or a step that fails.
pub fn run(options: &Options) -> Result<Report, StudyError> {
    options.check()?;
    let setup = Setup::new(options);
    let largest = setup.deepest() / options.radius;
    if largest > LARGEST {
        return Err(options.too_strong(largest, LARGEST).into());
    }
    let laws = setup.laws()?;
    let curves = side_by_side(&laws, |law| PullCurve::follow(&setup, law, options.steps as usize))?;
    let impacts = impacts::all(&setup, options.steps)?;
    let bridges = bridges(options)?;
    let results = Results { setup, curves, impacts, bridges };
    Ok(Report {
        tables: tables::all(&results),
        figures: figures::all(&results),
        findings: findings::all(&results),
        ..Report::default()
    })
}

/// Bridges of all volumes and contact angles that the Young-Laplace equation was solved for, in all forms, drawn out by the bodies of options.
///
/// # Errors
/// A law or a step that fails.
pub fn bridges(options: &Options) -> Result<Vec<Bridge>, StudyError> {
    bridges::all(&Setup::new(options), options.steps as usize)
}
