//! What does a contact law make of an oblique impact, and how far is it from the solution?
//!
//! A sphere meets a wall or an equal sphere in the engine: world, stepper, integrator and law as a scene would have them, at the moment
//! of touch. Every combination of laws, angles, spins, friction and restitution coefficients and numbers of steps is run. Beside them stand
//! the annuli of Maw, Barber and Fawcett, a foundation of 400 springs and sliding all the way, none of which shares code with the laws, and,
//! for their sphere, the rebounds that Kharaz, Gorham and Salman measured.
//!
//! The groups of the plots are those of Maw, Barber and Fawcett as Di Renzo and Di Maio use them: time over the duration of the contact
//! τ*, forces over the largest of Hertz's impact (times μ) f*, contact velocity ψ = κ v_c/(μ v_n0), slip in μ δ_max/κ.

mod case;
pub mod collision;
mod figures;
mod options;
mod results;
pub mod solutions;
mod tables;

#[cfg(test)]
mod tests;

use dem_report::report::Report;
use rayon::prelude::*;

pub use case::{Case, Scales};
pub use collision::{Collision, Moment};
pub use options::{Options, Speed};

use crate::error::StudyError;
use results::Results;

/// Runs the study.
///
/// # Errors
/// Options out of range; a scene, a step or a reference solution that fails.
pub fn run(options: &Options) -> Result<Report, StudyError> {
    let cases = options.cases()?;
    let collisions = cases.par_iter().map(Case::run).collect::<Result<Vec<_>, _>>()?;
    let solutions = solutions::all(options, &cases)?;
    let results = Results { options: options.clone(), cases, collisions, solutions };
    Ok(Report {
        tables: tables::all(&results)?,
        figures: figures::all(&results)?,
        pictures: Vec::new(),
        findings: tables::findings(&results),
        ..Report::default()
    })
}
