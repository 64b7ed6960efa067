//! Cost of a step in a dense packing, one thread, in one process, in turns.

use dem_report::ReportError;
use dem_sim::integrators::Scheme;
use dem_workloads::bed::{Bed, DENSE, EngineRun, SettledBed, Timing};

use crate::error::StudyError;

/// Cost of one scheme.
#[derive(Clone, Debug)]
pub struct Cost {
    /// Scheme.
    pub scheme: Scheme,
    /// The packing under it.
    pub run: EngineRun,
    /// Iterations per step, of a scheme that iterates.
    pub iterations: Option<f64>,
    /// Nanoseconds per particle-step, round by round.
    pub rounds: Vec<f64>,
}

/// Lets a packing settle under every scheme, then measures all of them in each round, so that the load of the machine weighs on all.
///
/// # Errors
/// A packing that cannot be built or run.
pub fn measure(schemes: &[Scheme], timing: &Timing) -> Result<Vec<Cost>, StudyError> {
    let rounds = timing.rounds;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(ReportError::from)?;
    pool.install(|| {
        let settle = |scheme: &Scheme| {
            Bed { scheme: scheme.clone(), ..Bed::new(DENSE, timing.particles, timing.settling) }.settle()
        };
        let mut runs: Vec<SettledBed> = schemes.iter().map(settle).collect::<Result<_, _>>()?;
        let mut measured = vec![Vec::with_capacity(rounds); runs.len()];
        for round in 0..=rounds {
            for (run, measured) in runs.iter_mut().zip(&mut measured) {
                let nanoseconds = run.measure()?;
                // the first round warms up
                if round > 0 {
                    measured.push(nanoseconds);
                }
            }
        }
        let describe = |((scheme, run), rounds): ((&Scheme, SettledBed), Vec<f64>)| Cost {
            scheme: scheme.clone(),
            run: run.describe(),
            iterations: run.iterations().map(|iterations| iterations.mean()),
            rounds,
        };
        Ok(schemes.iter().zip(runs).zip(measured).map(describe).collect())
    })
}
