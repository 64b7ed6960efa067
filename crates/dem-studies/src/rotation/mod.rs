//! Which parameterization of a rotation, and which map from spin to increment, is how accurate and how dear?
//!
//! Every parameterization of `dem_core::rotation` follows bodies whose orientation is known in closed form (constant spin, precessing
//! spin), with the exact increment `2 tan(θ/2) e` of a step and with the literal one `θ e`. Optionally it is timed, as a column of
//! particles in the form of the engine's own prediction, and set against the cost of a whole step of the engine in a dense packing and
//! with three spheres. The claims put to the test are those of E. M. B. Campello, Comput. Part. Mech. 2 (2015) 109-125, sections 2 and 5:
//! Rodrigues vectors are as good as quaternions, cost nearly the same in dense systems, and less in systems of few particles.

mod accuracy;
mod contestants;
mod cost;
mod figures;
mod findings;
mod motions;
mod stepping;
mod tables;

#[cfg(test)]
mod tests;

use dem_core::rotation::IncrementMap;

use crate::error::{StudyError, within};
use crate::packing::{self, Packing};
use crate::report::Report;
use accuracy::{ConstantSpin, Precession};
use contestants::Contestant;
use cost::Measurement;

/// What to study.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Steps of constant spin, 1 to 10⁹.
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
        Self { particles: 4000, settling: 20_000, rounds: 15 }
    }
}

impl Options {
    fn check(&self) -> Result<(), StudyError> {
        within("--steps", self.steps, 1, 1_000_000_000)?;
        let Some(bench) = &self.bench else { return Ok(()) };
        within("--particles", bench.particles as u64, 100, 1_000_000)?;
        within("--settling", bench.settling as u64, 0, 10_000_000)?;
        within("--rounds", bench.rounds as u64, 1, 1000)
    }
}

/// Angles of single steps \[rad\].
const STEP_ANGLES: [f64; 10] = [1e-3, 2e-3, 5e-3, 1e-2, 2e-2, 5e-2, 0.1, 0.2, 0.5, 1.0];

/// Everything that was found out.
struct Results {
    contestants: Vec<Contestant>,
    /// Angle and error of a single step with the literal map, in rad.
    single_steps: Vec<[f64; 2]>,
    constant_spin: Vec<ConstantSpin>,
    precession: Vec<Precession>,
    measurement: Option<Measurement>,
}

/// Runs the study.
///
/// # Errors
/// An option out of range; with a timing, a packing that cannot be built or run.
pub fn run(options: &Options) -> Result<Report, StudyError> {
    options.check()?;
    let contestants = contestants::contestants();
    let measurement = match &options.bench {
        None => None,
        Some(bench) => {
            let dense = Packing::new(packing::DENSE, bench.particles, bench.settling);
            let few = Packing::new(packing::FEW, 3, bench.settling);
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
    };
    Ok(Report {
        tables: tables::all(&results),
        figures: figures::all(&results),
        findings: findings::all(&results),
        ..Report::default()
    })
}
