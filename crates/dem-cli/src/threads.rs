//! The threads of a command, and the flag by which Ctrl-C ends it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::failure::{Failure, INTERRUPTED};
use crate::signals;

/// A pool of so many threads, or of as many as there are cores.
pub fn pool(threads: Option<u16>) -> Result<ThreadPool, Failure> {
    ThreadPoolBuilder::new().num_threads(threads.map_or(0, usize::from)).build().map_err(Failure::input)
}

/// Becomes true with Ctrl-C, the signals TERM and HUP, and those by which batch systems warn.
pub fn interrupt_flag() -> Arc<AtomicBool> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    let survives_terminal = signals::survives_terminal();
    // without a handler Ctrl-C ends the process, which the run directory survives
    let handler = move || {
        // the second one does not wait for the step, or for a scene that is still being built
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED.into());
        }
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        tracing::warn!("Ctrl-C will not save a checkpoint: {error}");
    }
    if survives_terminal {
        signals::survive_terminal();
    }
    signals::raise_with_warnings(&interrupted);
    interrupted
}
