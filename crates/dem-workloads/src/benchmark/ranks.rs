//! A benchmark on several ranks in threads.

use std::sync::Arc;
use std::thread::available_parallelism;

use dem_ranks::{Transport, threads};
use dem_report::ReportError;
use dem_sim::builder::LoadedScene;
use dem_sim::checkpoint::scene_fingerprint;
use dem_sim::simulation::{RankLoad, Simulation};
use tracing::Dispatch;
use tracing::dispatcher::{get_default, with_default};
use tracing::subscriber::NoSubscriber;

use super::{Measurement, scaling};
use crate::error::WorkloadError;

/// Has rank 0 of some ranks `build` a scene and share it with the others, each of which is given to `follow`, and has all `act`, which is told the
/// number of threads of all ranks; returns what rank 0 has measured. With no number of threads for each rank all cores are shared.
pub(super) fn run(
    ranks: usize,
    threads: usize,
    loaded: &LoadedScene,
    build: impl Fn(&LoadedScene) -> Result<Simulation, WorkloadError> + Sync,
    follow: impl Fn(&mut Simulation) + Sync,
    act: impl Fn(&mut Simulation, usize) -> Result<(Measurement, Option<Vec<Vec<RankLoad>>>), WorkloadError> + Sync,
) -> Result<Measurement, WorkloadError> {
    let cores = available_parallelism().map_or(1, usize::from);
    let each = if threads == 0 { (cores / ranks).max(1) } else { threads };
    if ranks * each > cores {
        tracing::warn!(
            "{ranks} ranks of {each} threads share {cores} cores: they compute for longer than with a core for each thread, and a forecast is too slow"
        );
    }
    let fingerprint = scene_fingerprint(&loaded.resolved());
    let of_rank = |rank: threads::ThreadRank| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(each).build().map_err(ReportError::from)?;
        // rank 0 tells whoever listens here, also of what goes wrong
        let listener =
            if rank.rank() == 0 { get_default(Dispatch::clone) } else { Dispatch::new(NoSubscriber::default()) };
        let act = || {
            let mut simulation = if rank.rank() == 0 {
                let mut simulation = build(loaded)?;
                simulation.lead_ranks(&fingerprint, Arc::new(rank))?;
                simulation
            } else {
                Simulation::follow_ranks(loaded, &fingerprint, Arc::new(rank))?
            };
            follow(&mut simulation);
            act(&mut simulation, ranks * each)
        };
        pool.install(|| with_default(&listener, act))
    };
    let of_rank = &of_rank;
    let mut all = threads::ranks(ranks, ranks * each <= cores).into_iter();
    let Some(leader) = all.next() else { return Ok(act(&mut build(loaded)?, each)?.0) };
    std::thread::scope(|scope| {
        let others: Vec<_> = all.map(|rank| scope.spawn(move || of_rank(rank))).collect();
        let (mut measured, loads) = of_rank(leader)?;
        let others = others.into_iter().filter_map(|other| other.join().ok()?.ok());
        measured.ranks.extend(others.flat_map(|(measured, _)| measured.ranks));
        measured.forecast = scaling::forecast(&measured.ranks, &loads.unwrap_or_default());
        Ok(measured)
    })
}
