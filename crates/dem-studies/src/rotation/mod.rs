//! Which parameterization of a rotation, and which map from spin to increment, is how accurate and how dear?
//!
//! Every parameterization of `dem_core::rotation` follows bodies whose orientation is known in closed form (constant spin, precessing
//! spin), with the exact increment `2 tan(θ/2) e` of a step and with the literal one `θ e`. Optionally it is timed, as a column of
//! particles in the form of the engine's own prediction, and set against the cost of a whole step of the engine in a dense packing and
//! with three spheres. The claims put to the test are those of E. M. B. Campello, Comput. Part. Mech. 2 (2015) 109-125, sections 2 and 5:
//! Rodrigues vectors are as good as quaternions, cost nearly the same in dense systems, and less in systems of few particles.
//!
//! Whole runs of the engine with what a scene can choose of these show the same of free bodies, a packing and spinning spheres.

mod accuracy;
mod contestants;
mod cost;
mod figures;
mod findings;
mod motions;
mod results;
mod runs;
mod stepping;
mod tables;

#[cfg(test)]
mod tests;

use dem_core::rotation::IncrementMap;
use dem_report::ReportError;
use dem_report::given::within;
use dem_report::report::Report;
use dem_workloads::bed::{self, Bed, Timing};

use crate::error::StudyError;
use results::Results;
pub use runs::Runs;

/// The timing, unless asked for otherwise.
pub const TIMING: Timing = Timing { particles: 4000, settling: 20_000, rounds: 15 };

/// What to study.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Steps of constant spin, 1 to 10⁹.
    pub steps: u64,
    /// The timing, if any.
    pub bench: Option<Timing>,
    /// Whole runs of the engine, if any; with a timing their run times, too.
    pub runs: Option<Runs>,
}

impl Default for Options {
    fn default() -> Self {
        Self { steps: 1_000_000, bench: None, runs: Some(Runs::default()) }
    }
}

impl Options {
    fn check(&self) -> Result<(), ReportError> {
        within("--steps", self.steps, 1, 1_000_000_000)?;
        self.runs.as_ref().map_or(Ok(()), Runs::check)?;
        self.bench.as_ref().map_or(Ok(()), Timing::check)
    }
}

/// Angles of single steps \[rad\].
const STEP_ANGLES: [f64; 10] = [1e-3, 2e-3, 5e-3, 1e-2, 2e-2, 5e-2, 0.1, 0.2, 0.5, 1.0];

/// Runs the study.
///
/// # Errors
/// An option out of range; with a timing or runs, a scene that cannot be built or run.
pub fn run(options: &Options) -> Result<Report, StudyError> {
    options.check()?;
    let contestants = contestants::contestants();
    let measurement = match &options.bench {
        None => None,
        Some(bench) => {
            let dense = Bed::new(bed::DENSE, bench.particles, bench.settling);
            let few = Bed::new(bed::FEW, 3, bench.settling);
            Some(cost::measure(&contestants, &[dense, few], bench.rounds)?)
        }
    };
    let results = Results {
        single_steps: STEP_ANGLES
            .map(|angle| [angle, accuracy::error_of_one_step(IncrementMap::Literal, angle)])
            .to_vec(),
        constant_spin: accuracy::constant_spin(&contestants, options.steps),
        precession: accuracy::precession(&contestants),
        contestants,
        measurement,
        runs: options.runs.map(|runs| runs::measure(&runs, options.bench.map(|bench| bench.rounds))).transpose()?,
    };
    Ok(Report {
        tables: tables::all(&results),
        figures: figures::all(&results),
        findings: findings::all(&results),
        ..Report::default()
    })
}
