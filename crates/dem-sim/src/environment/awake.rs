//! Threads that stay awake between the parallel regions of steps that follow each other.
//!
//! A thread of a pool that finds nothing to do goes to sleep within microseconds, and to wake it takes some 50 µs: as
//! much as a step of a thousand spheres, and several times in a step. So while steps are computed in parallel the other
//! threads poll for work without sleeping, for about as long as a wake-up takes after the last piece of work, and then
//! sleep as before. They do not where threads outnumber cores, which others need then.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rayon::Yield;

/// For how long a thread polls for work before it sleeps.
const PATIENCE: Duration = Duration::from_micros(200);

/// Spin iterations between two polls.
const SPINS: u32 = 32;

/// Keeps the other threads of a pool awake.
#[derive(Debug)]
pub(crate) struct Wakefulness {
    shared: Arc<Shared>,
    cores: usize,
}

#[derive(Debug)]
struct Shared {
    start: Instant,
    /// Nanoseconds after the start up to which threads poll for work.
    until: AtomicU64,
    /// Threads that do, or have been requested to.
    awake: AtomicUsize,
}

impl Default for Wakefulness {
    fn default() -> Self {
        let shared = Shared { start: Instant::now(), until: AtomicU64::new(0), awake: AtomicUsize::new(0) };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self { shared: Arc::new(shared), cores }
    }
}

impl Wakefulness {
    /// Makes the other threads of the pool of this thread poll for work for a while.
    #[expect(clippy::disallowed_methods, reason = "no result depends on who sleeps")]
    pub fn prolong(&self) {
        let threads = rayon::current_num_threads();
        let Some(caller) = rayon::current_thread_index().filter(|_| threads > 1 && threads <= self.cores) else {
            return;
        };
        let shared = &self.shared;
        shared.until.store(shared.now() + PATIENCE.as_nanos() as u64, Ordering::Relaxed);
        // a thread that has fallen asleep is woken together with all others: they sleep at about the same time
        if shared.awake.compare_exchange(0, threads - 1, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
            let shared = Arc::clone(shared);
            rayon::spawn_broadcast(move |context| {
                if context.index() != caller {
                    shared.look_for_work();
                    shared.awake.fetch_sub(1, Ordering::Relaxed);
                }
            });
        }
    }
}

impl Shared {
    fn now(&self) -> u64 {
        self.start.elapsed().as_nanos() as u64
    }

    /// Executes whatever work there is until there has been none for a while.
    fn look_for_work(&self) {
        let mut idle_since = self.now();
        loop {
            if rayon::yield_now() == Some(Yield::Executed) {
                idle_since = self.now();
            } else {
                let now = self.now();
                if now > self.until.load(Ordering::Relaxed).max(idle_since + PATIENCE.as_nanos() as u64) {
                    return;
                }
                (0..SPINS).for_each(|_| std::hint::spin_loop());
            }
        }
    }
}
