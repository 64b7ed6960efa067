//! Lines of `run.log`, and where they go.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use dem_io::{is_harmful, regular_file};

use super::own_files::LOG;

/// The latest date that is written, before the year 10000: clocks may be set to anything.
const LAST_DATE: Duration = Duration::from_secs(253_402_300_799);

/// What lines go to.
enum Place {
    Nowhere(String),
    File(File),
}

/// What is shared with those who write frames and checkpoints, and with the listener.
pub(super) struct Lines {
    began: Instant,
    step: AtomicU64,
    /// Bits of the time \[s\].
    time: AtomicU64,
    place: Mutex<Place>,
    /// Whether it was said that the log cannot be written.
    is_lost: AtomicBool,
}

impl Lines {
    /// None yet; those that come are kept until there is a file.
    pub(super) fn new() -> Self {
        Self {
            began: Instant::now(),
            step: AtomicU64::new(0),
            time: AtomicU64::new(0),
            place: Mutex::new(Place::Nowhere(String::new())),
            is_lost: AtomicBool::new(false),
        }
    }

    /// Says how far the run is.
    pub(super) fn reach(&self, step: u64, time: f64) {
        self.step.store(step, Ordering::Relaxed);
        self.time.store(time.to_bits(), Ordering::Relaxed);
    }

    /// Writes the lines so far, and all that follow, to the end of a file.
    pub(super) fn write_to(&self, path: &Path) {
        let open = || {
            regular_file::may_be_written(path)?;
            OpenOptions::new().append(true).create(true).open(path)
        };
        let written = open().and_then(|mut file| {
            let mut place = self.place.lock().unwrap_or_else(PoisonError::into_inner);
            if let Place::Nowhere(text) = &*place {
                file.write_all(text.as_bytes())?;
            }
            *place = Place::File(file);
            Ok(())
        });
        if let Err(error) = written {
            self.lose(&error);
        }
    }

    /// Adds a line about the present state.
    pub(super) fn add_now(&self, what: &str) {
        self.add(self.step.load(Ordering::Relaxed), f64::from_bits(self.time.load(Ordering::Relaxed)), what);
    }

    /// Adds a line about the state at a step and a time \[s\].
    pub(super) fn add(&self, step: u64, time: f64, what: &str) {
        let now = SystemTime::now().clamp(UNIX_EPOCH, UNIX_EPOCH + LAST_DATE);
        let date = humantime::format_rfc3339_seconds(now);
        let wall = self.began.elapsed().as_secs_f64();
        // one line, and nothing that a terminal would obey
        let what = what.replace(is_harmful, " ");
        let line = format!("{date} {wall:>10.2} s  step {step:>9}  t = {time:.6e} s  {what}\n");
        let written = match &mut *self.place.lock().unwrap_or_else(PoisonError::into_inner) {
            Place::Nowhere(text) => {
                text.push_str(&line);
                Ok(())
            }
            // in one piece, so that a process that is killed leaves whole lines
            Place::File(file) => file.write_all(line.as_bytes()),
        };
        if let Err(error) = written {
            self.lose(&error);
        }
    }

    /// Says once that the log cannot be written; the run goes on without.
    fn lose(&self, error: &std::io::Error) {
        if !self.is_lost.swap(true, Ordering::Relaxed) {
            tracing::warn!("cannot write {LOG}: {error}; the run goes on without it");
        }
    }
}
