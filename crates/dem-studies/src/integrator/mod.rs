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
mod results;
mod rolling;
mod tables;

#[cfg(test)]
mod tests;

use dem_report::ReportError;
use dem_report::given::within;
use dem_report::report::Report;
use dem_sim::integrators::all_schemes;
use dem_workloads::bed::Timing;

use crate::error::StudyError;
use results::Results;

/// The timing, unless asked for otherwise.
pub const TIMING: Timing = Timing { particles: 2000, settling: 10_000, rounds: 15 };

/// What to study.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Steps of the undamped oscillation, 1,000 to 10⁹.
    pub steps: u64,
    /// The timing, if any.
    pub bench: Option<Timing>,
}

impl Default for Options {
    fn default() -> Self {
        Self { steps: 1_000_000, bench: None }
    }
}

impl Options {
    fn check(&self) -> Result<(), ReportError> {
        within("--steps", self.steps, 1000, 1_000_000_000)?;
        self.bench.as_ref().map_or(Ok(()), Timing::check)
    }
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
        Some(bench) => cost::measure(&schemes, bench)?,
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
