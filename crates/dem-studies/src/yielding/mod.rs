//! Laws that yield or creep: how does the restitution go with the speed?
//!
//! A sphere meets a wall of its own material at several speeds under every plastic law and under viscoelastic damping; beside every impact stands the
//! closed form of its law, or for viscoelastic spheres the solution of their equation of motion.

mod figures;
mod laws;
mod options;
mod results;
mod tables;

#[cfg(test)]
mod tests;

use dem_report::parallel_runs::side_by_side;
use dem_report::report::Report;

pub use options::Options;

use crate::error::StudyError;
use crate::head_on::Rebound;
use laws::Bodies;
use results::{Impact, Results};

/// Runs the study.
///
/// # Errors
/// Options out of range; a law or a step that fails.
pub fn run(options: &Options) -> Result<Report, StudyError> {
    options.check()?;
    let bodies = Bodies::new(options);
    let laws = bodies.laws()?;
    let tasks: Vec<(usize, f64)> =
        (0..laws.len()).flat_map(|law| options.speeds.iter().map(move |&speed| (law, speed))).collect();
    let impacts = side_by_side(&tasks, |&(law, speed)| -> Result<Impact, StudyError> {
        let rebound = Rebound::run(&bodies.with(&laws[law].law)?, speed, options.steps, 6.0)?;
        Ok(Impact { law, speed, rebound })
    })?;
    let results = Results { bodies, laws, impacts };
    Ok(Report {
        tables: tables::all(&results),
        figures: figures::all(&results),
        findings: tables::findings(&results),
        ..Report::default()
    })
}
