//! The ranks of a run: threads of this process, or processes that a launcher of MPI has started.

use std::sync::Arc;
use std::thread::available_parallelism;

use dem_ranks::Transport;
#[cfg(unix)]
use dem_ranks::mpi::MpiRank;
use dem_ranks::threads;
use dem_sim::builder::LoadedScene;
use dem_sim::run::{Team, follow};
use rayon::ThreadPool;
use tracing::subscriber::NoSubscriber;

use super::arguments::Arguments;
use crate::failure::{ExitCode, Failure};
use crate::threads::pool;

/// What this process is.
pub enum Place {
    /// All of a run, in so many ranks.
    Process(usize),
    /// A rank among others.
    #[cfg(unix)]
    Rank(Arc<MpiRank>),
}

/// Threads of each rank: what is asked for, or all cores shared among ranks in threads.
pub fn threads_of_each(arguments: &Arguments) -> Option<u16> {
    let shared = |ranks: u16| u16::try_from((cores() / usize::from(ranks)).max(1)).unwrap_or(1);
    arguments.threads.or(arguments.ranks.map(shared))
}

fn cores() -> usize {
    available_parallelism().map_or(1, usize::from)
}

impl Place {
    /// That of this process.
    pub fn find(arguments: &Arguments) -> Result<Self, Failure> {
        #[cfg(unix)]
        if let Some(rank) = MpiRank::find().map_err(Failure::input)? {
            let place = Self::Rank(Arc::new(rank));
            let refused = if let Some(ranks) = arguments.ranks {
                format!("--ranks {ranks}: under a launcher of MPI ranks are the processes that it starts")
            } else if arguments.ensemble.is_given() {
                "several runs of a scene do not share the processes of an MPI launcher: start them without one, in parts with --shard"
                    .to_owned()
            } else {
                return Ok(place);
            };
            return Err(place.leave(Failure::input(refused)));
        }
        Ok(Self::Process(arguments.ranks.map_or(1, usize::from)))
    }

    /// Ends a run that cannot begin; one of several processes says why.
    pub fn leave(&self, failure: Failure) -> Failure {
        match self {
            Self::Process(_) => failure,
            #[cfg(unix)]
            Self::Rank(rank) => {
                rank.finish();
                if rank.rank() == 0 { failure } else { Failure::silent() }
            }
        }
    }

    /// Calls `act` as the leader of all ranks while the others follow; elsewhere follows.
    pub fn run(
        self,
        loaded: &LoadedScene,
        pool: &ThreadPool,
        act: impl FnOnce(Option<Team>) -> Result<ExitCode, Failure> + Send,
    ) -> Result<ExitCode, Failure> {
        match self {
            Self::Process(1) => pool.install(|| act(None)),
            Self::Process(ranks) => in_threads(ranks, loaded, pool, act),
            #[cfg(unix)]
            Self::Rank(rank) => under_mpi(&rank, loaded, pool, act),
        }
    }
}

/// Follows without a word: the leader says everything, also if it is gone.
fn follow_silently(loaded: &LoadedScene, rank: &Arc<dyn Transport>) {
    drop(tracing::subscriber::with_default(NoSubscriber::default(), || follow(loaded, rank)));
}

fn in_threads(
    size: usize,
    loaded: &LoadedScene,
    own: &ThreadPool,
    act: impl FnOnce(Option<Team>) -> Result<ExitCode, Failure> + Send,
) -> Result<ExitCode, Failure> {
    let each = own.current_num_threads();
    let fit = each * size <= cores();
    if !fit {
        tracing::warn!("{size} ranks of {each} threads share {} cores", cores());
    }
    let mut ranks = threads::ranks(size, fit).into_iter();
    let leader: Option<Arc<dyn Transport>> = ranks.next().map(|rank| Arc::new(rank) as _);
    let others: Vec<(Arc<dyn Transport>, ThreadPool)> =
        ranks.map(|rank| Ok((Arc::new(rank) as _, pool(u16::try_from(each).ok())?))).collect::<Result<_, Failure>>()?;
    std::thread::scope(|scope| {
        for (rank, pool) in others {
            scope.spawn(move || pool.install(|| follow_silently(loaded, &rank)));
        }
        own.install(|| act(leader.map(Team::new)))
    })
}

#[cfg(unix)]
fn under_mpi(
    rank: &Arc<MpiRank>,
    loaded: &LoadedScene,
    pool: &ThreadPool,
    act: impl FnOnce(Option<Team>) -> Result<ExitCode, Failure> + Send,
) -> Result<ExitCode, Failure> {
    let transport: Arc<dyn Transport> = rank.clone();
    let ended = if rank.rank() > 0 {
        pool.install(|| follow_silently(loaded, &transport));
        Ok(ExitCode::SUCCESS)
    } else {
        tracing::debug!("{} ranks over {}", rank.size(), rank.describe());
        pool.install(|| act((rank.size() > 1).then(|| Team::new(transport))))
    };
    rank.finish();
    ended
}
