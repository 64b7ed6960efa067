//! Cost of a step in a dense packing, one thread, in one process, in turns.

use dem_sim::integrators::Scheme;

use crate::error::StudyError;
use crate::packing::{DENSE, EngineRun, Packing, SettledRun};

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
pub fn measure(schemes: &[Scheme], particles: usize, settling: usize, rounds: usize) -> Result<Vec<Cost>, StudyError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    pool.install(|| {
        let settle =
            |scheme: &Scheme| Packing { scheme: scheme.clone(), ..Packing::new(DENSE, particles, settling) }.settle();
        let mut runs: Vec<SettledRun> = schemes.iter().map(settle).collect::<Result<_, _>>()?;
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
        let describe = |((scheme, run), rounds): ((&Scheme, SettledRun), Vec<f64>)| Cost {
            scheme: scheme.clone(),
            run: run.describe(),
            iterations: run.iterations().map(|iterations| iterations.mean()),
            rounds,
        };
        Ok(schemes.iter().zip(runs).zip(measured).map(describe).collect())
    })
}
