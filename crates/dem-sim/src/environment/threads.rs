//! The thread that calls takes part in the work.
//!
//! What is done in parallel runs in a thread pool of `rayon`. A thread outside the pool passes every such piece of a
//! step to it and sleeps until it is done: several switches of threads a step, which cost more than a step of a small
//! scene. So a thread that calls from outside becomes one of the threads of a pool of its own, with as many as rayon's
//! global pool has (all cores, or what the program or `RAYON_NUM_THREADS` says). Threads of a pool that a program has
//! made stay in it.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::ThreadPoolBuilder;

/// Threads that may have pools of their own. A pool is not given up when its thread ends, so that a program that takes a new thread for
/// every run must not make one each time; its later threads work as before, with the switches.
const MOST: usize = 8;

static POOLS: AtomicUsize = AtomicUsize::new(0);

/// Threads that share the work, for reports.
#[expect(clippy::disallowed_methods, reason = "reported only; no result depends on it")]
pub(crate) fn count() -> usize {
    rayon::current_num_threads()
}

/// Makes the calling thread one of the threads of a pool, unless it is.
#[inline]
pub(crate) fn join_pool() {
    if rayon::current_thread_index().is_none() {
        make_pool();
    }
}

#[cold]
#[expect(clippy::disallowed_methods, reason = "a pool like another; results do not depend on it")]
fn make_pool() {
    let is_new = POOLS.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |pools| (pools < MOST).then_some(pools + 1));
    if is_new.is_ok()
        && let Ok(pool) =
            ThreadPoolBuilder::new().num_threads(rayon::current_num_threads()).use_current_thread().build()
    {
        // the threads of a pool end with it
        std::mem::forget(pool);
    }
}
