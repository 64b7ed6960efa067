//! How far a long study is, told as events of `tracing` with a target of their own, so that a program can show them and drop the rest.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use tracing::Dispatch;

/// Target of the events.
pub const TARGET: &str = "progress";
/// Time between two of them.
const EVERY: Duration = Duration::from_secs(10);

/// Tells at most every ten seconds how far something is, whatever thread does it.
pub struct Teller {
    /// Who listens to the thread that has begun it: nobody, within studies that are parts of others.
    listener: Dispatch,
    began: Instant,
    last: Mutex<Instant>,
}

impl Teller {
    /// Begins now.
    pub fn begin() -> Self {
        let now = Instant::now();
        Self { listener: tracing::dispatcher::get_default(Dispatch::clone), began: now, last: Mutex::new(now) }
    }

    /// Tells a text, if it is time to.
    pub fn tell(&self, text: impl FnOnce() -> String) {
        let Ok(mut last) = self.last.try_lock() else { return };
        if last.elapsed() >= EVERY {
            *last = Instant::now();
            tracing::dispatcher::with_default(&self.listener, || tracing::info!(target: TARGET, "{}", text()));
        }
    }

    /// Tells how many of so many are done, and about how long the others will take.
    pub fn tell_count(&self, done: usize, of: usize) {
        self.tell(|| {
            let left = self.began.elapsed().as_secs_f64() * of.saturating_sub(done) as f64 / done.max(1) as f64;
            format!("{done} of {of} done, about {left:.0} s left")
        });
    }
}
