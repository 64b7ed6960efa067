//! Independent tasks, one per core, each in a pool of its own, most of them of one thread.
//!
//! Within one shared pool a run that waits for a part of its own step may take up a whole other run, and its time would be that of both. What single runs
//! log (stages, reductions of the time step) is not shown: hundreds of them would bury the outcome; how many are done is.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::error::ReportError;
use crate::progress::Teller;

/// Results of tasks in their order.
///
/// # Errors
/// The first error of the lowest worker; threads that cannot be started.
pub fn side_by_side<T: Sync, R: Send, E: From<ReportError> + Send>(
    tasks: &[T],
    act: impl Fn(&T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    side_by_side_with(tasks, 1, act)
}

/// The same with `threads_each` threads for every task, and so many fewer tasks at a time.
///
/// # Errors
/// As [`side_by_side`].
pub fn side_by_side_with<T: Sync, R: Send, E: From<ReportError> + Send>(
    tasks: &[T],
    threads_each: usize,
    act: impl Fn(&T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let next = AtomicUsize::new(0);
    let (teller, finished) = (Teller::begin(), AtomicUsize::new(0));
    let work = || -> Result<Vec<(usize, R)>, E> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads_each).build().map_err(ReportError::from)?;
        pool.install(|| {
            let mut done = Vec::new();
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(task) = tasks.get(at) else { return Ok(done) };
                let silent = tracing::subscriber::NoSubscriber::default();
                let result = tracing::subscriber::with_default(silent, || act(task));
                teller.tell_count(finished.fetch_add(1, Ordering::Relaxed) + 1, tasks.len());
                done.push((at, result.inspect_err(|_| next.store(tasks.len(), Ordering::Relaxed))?));
            }
        })
    };
    #[expect(clippy::disallowed_methods, reason = "how many tasks run at a time changes no result")]
    let workers = (rayon::current_num_threads() / threads_each.max(1)).min(tasks.len()).max(1);
    let mut all: Vec<(usize, R)> = thread::scope(|scope| {
        let handles: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let joined =
            handles.into_iter().map(|handle| handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        joined.collect::<Result<Vec<_>, _>>().map(|parts| parts.into_iter().flatten().collect())
    })?;
    all.sort_unstable_by_key(|&(at, _)| at);
    Ok(all.into_iter().map(|(_, result)| result).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_the_order_of_the_tasks_and_errors_come_through() {
        let tasks: Vec<u64> = (0..50).collect();
        assert_eq!(
            side_by_side(&tasks, |&k| Ok::<_, ReportError>(k * k)).unwrap(),
            tasks.iter().map(|k| k * k).collect::<Vec<_>>()
        );
        let refuse = |&k: &u64| if k == 7 { crate::given::within("--seeds", k, 0, 1) } else { Ok(()) };
        assert!(side_by_side(&tasks, refuse).unwrap_err().to_string().starts_with("--seeds = 7"));
    }
}
