//! A benchmark on several ranks in threads.

use std::sync::Arc;
use std::thread::available_parallelism;

use dem_ranks::threads;
use dem_report::ReportError;
use dem_sim::simulation::{Simulation, SimulationError};
use tracing::subscriber::NoSubscriber;

use super::Measurement;
use crate::error::WorkloadError;

/// Has each of some ranks `begin` and `act`, which is told the number of threads of all ranks; returns what rank 0 has measured. With no number of
/// threads for each rank all cores are shared.
pub(super) fn run(
    ranks: usize,
    threads: usize,
    begin: impl Fn() -> Result<Simulation, WorkloadError> + Sync,
    act: impl Fn(&mut Simulation, usize) -> Result<Measurement, WorkloadError> + Sync,
) -> Result<Measurement, WorkloadError> {
    let cores = available_parallelism().map_or(1, usize::from);
    let each = if threads == 0 { (cores / ranks).max(1) } else { threads };
    let of_rank = |rank: threads::ThreadRank| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(each).build().map_err(ReportError::from)?;
        pool.install(|| {
            let mut simulation = begin()?;
            simulation.join_ranks(Arc::new(rank)).map_err(SimulationError::from)?;
            act(&mut simulation, ranks * each)
        })
    };
    let of_rank = &of_rank;
    let mut all = threads::ranks(ranks, ranks * each <= cores).into_iter();
    let Some(leader) = all.next() else { return begin().and_then(|mut simulation| act(&mut simulation, each)) };
    std::thread::scope(|scope| {
        for rank in all {
            // rank 0 tells of what goes wrong
            scope.spawn(move || drop(tracing::subscriber::with_default(NoSubscriber::default(), || of_rank(rank))));
        }
        of_rank(leader)
    })
}
