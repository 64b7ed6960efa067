//! Which integrator is how accurate, how faithful to energy, and how dear?
//!
//! Every scheme of the registry follows motions that are known otherwise (smooth conservative contact, damped contact, stick and slip) at
//! time steps that halve; oscillates and collides for many steps without damping; and rolls as in the examples of E. M. B. Campello,
//! Comput. Part. Mech. 2 (2015) 109-125. Optionally a step of each is timed in a dense packing.

mod cost;
mod energy;
mod figures;
mod findings;
mod order;
mod rolling;
mod tables;

#[cfg(test)]
mod tests;

use dem_sim::integrators::{Scheme, all_schemes};

use crate::error::{StudyError, within};
use crate::report::Report;
use cost::Cost;
use energy::EnergyCourse;
use order::Convergence;
use rolling::Rolling;

/// What to study.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Steps of the undamped oscillation, 1,000 to 10⁹.
    pub steps: u64,
    /// The timing, if any.
    pub bench: Option<BenchOptions>,
}

/// How to time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BenchOptions {
    /// Spheres of the dense packing, 100 to 10⁶.
    pub particles: usize,
    /// Steps in which it comes to rest, 0 to 10⁷.
    pub settling: usize,
    /// Rounds of which the median is taken, 1 to 1,000.
    pub rounds: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { steps: 1_000_000, bench: None }
    }
}

impl Default for BenchOptions {
    fn default() -> Self {
        Self { particles: 2000, settling: 10_000, rounds: 15 }
    }
}

impl Options {
    fn check(&self) -> Result<(), StudyError> {
        within("--steps", self.steps, 1000, 1_000_000_000)?;
        let Some(bench) = &self.bench else { return Ok(()) };
        within("--particles", bench.particles as u64, 100, 1_000_000)?;
        within("--settling", bench.settling as u64, 0, 10_000_000)?;
        within("--rounds", bench.rounds as u64, 1, 1000)
    }
}

/// Everything that was found out.
struct Results {
    schemes: Vec<Scheme>,
    steps: u64,
    convergence: Vec<Convergence>,
    oscillation: Vec<EnergyCourse>,
    gas: Vec<EnergyCourse>,
    rolling: Vec<Rolling>,
    costs: Vec<Cost>,
}

/// Runs the study.
///
/// # Errors
/// An option out of range; a scene that cannot be built or run.
pub fn run(options: &Options) -> Result<Report, StudyError> {
    options.check()?;
    let schemes = all_schemes();
    let costs = match &options.bench {
        None => Vec::new(),
        Some(bench) => cost::measure(&schemes, bench.particles, bench.settling, bench.rounds)?,
    };
    let results = Results {
        steps: options.steps,
        convergence: order::convergence(&schemes)?,
        oscillation: energy::oscillation(&schemes, options.steps)?,
        gas: energy::gas(&schemes, options.steps)?,
        rolling: rolling::rolling(&schemes)?,
        costs,
        schemes,
    };
    Ok(Report {
        tables: tables::all(&results),
        figures: figures::all(&results),
        findings: findings::all(&results),
        ..Report::default()
    })
}
