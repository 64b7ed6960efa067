//! Whole runs of the engine with each choice of `time.rotation` that a scene can make.
//!
//! Three systems are run with each choice from the same start and compared with the run that carries quaternions: free asymmetric bodies, whose
//! motion is known; a packing of dimers, in which contacts hand every rounding on; spinning spheres, whose motion must not depend on the choice.

mod cost;
mod engine;
mod figures;
mod findings;
mod free_bodies;
mod packing;
mod scenes;
mod spheres;
mod tables;

#[cfg(test)]
mod tests;

use dem_report::ReportError;
use dem_report::given::within;
use dem_report::report::Figure;
use dem_report::table::Table;

use crate::error::StudyError;
use cost::RunCost;
use free_bodies::{Accuracy, Drift, Stop};
use packing::Departure;
use spheres::{LiteralTurn, SphereRun};

/// The systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Runs {
    /// Free bodies, and spheres of the spinning cloud, 8 to 100,000.
    pub bodies: usize,
    /// Dimers of the packing, 8 to 100,000.
    pub dimers: usize,
    /// Steps over which free bodies drift, 100 to 10⁷; spheres take a tenth.
    pub steps: u64,
    /// Steps in which the packing settles, up to 10⁷; it goes on for a tenth of them.
    pub settling: u64,
}

impl Default for Runs {
    fn default() -> Self {
        Self { bodies: 1000, dimers: 300, steps: 10_000, settling: 20_000 }
    }
}

impl Runs {
    /// Refuses what is out of range.
    pub(super) fn check(&self) -> Result<(), ReportError> {
        within("--run-bodies", self.bodies as u64, 8, 100_000)?;
        within("--run-dimers", self.dimers as u64, 8, 100_000)?;
        within("--run-steps", self.steps, 100, 10_000_000)?;
        within("--run-settling", self.settling, 0, 10_000_000)
    }
}

/// What the runs showed.
pub struct Outcome {
    runs: Runs,
    accuracy: Vec<Accuracy>,
    drift: Vec<Drift>,
    stops: Vec<Stop>,
    packing: Vec<Departure>,
    spheres: Vec<SphereRun>,
    literal: Vec<LiteralTurn>,
    cost: Vec<RunCost>,
}

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
