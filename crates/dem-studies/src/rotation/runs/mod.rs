//! Whole runs of the engine with each choice of `time.rotation` that a scene can make.
//!
//! Three systems are run with each choice from the same start and compared with the run that carries quaternions: free asymmetric bodies, whose
//! motion is known; a packing of dimers, in which contacts hand every rounding on; spinning spheres, whose motion must not depend on the choice.

mod cost;
mod engine;
mod extent;
mod figures;
mod findings;
mod free_bodies;
mod outcome;
mod packing;
mod scenes;
mod spheres;
mod tables;

#[cfg(test)]
mod tests;

use dem_report::report::Figure;
use dem_report::table::Table;

use crate::error::StudyError;
pub use extent::Runs;
pub use outcome::Outcome;

/// Runs everything; run times are taken over a number of rounds, if any.
pub(super) fn measure(runs: &Runs, rounds: Option<usize>) -> Result<Outcome, StudyError> {
    Ok(Outcome {
        runs: *runs,
        accuracy: free_bodies::accuracy(runs.bodies)?,
        drift: free_bodies::drift(runs.bodies, runs.steps)?,
        stops: free_bodies::stops(runs.bodies)?,
        packing: packing::departures(runs)?,
        spheres: spheres::compare(runs.bodies, runs.steps / 10)?,
        literal: spheres::literal_turns(runs.bodies)?,
        cost: rounds.map_or(Ok(Vec::new()), |rounds| cost::measure(runs, rounds))?,
    })
}

impl Outcome {
    /// Tables of the runs.
    pub(super) fn tables(&self) -> Vec<Table> {
        tables::all(self)
    }

    /// The figure of the runs.
    pub(super) fn figure(&self) -> Figure {
        figures::figure(self)
    }

    /// A sentence for each result.
    pub(super) fn findings(&self) -> Vec<String> {
        findings::all(self)
    }
}
