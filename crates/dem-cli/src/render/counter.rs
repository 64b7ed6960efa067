//! How far a count is, with the time that is left: a bar on a terminal, plain lines otherwise.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::terminal::tell;

/// Time before the first plain line, and between two of them.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Shows a count.
pub struct Counter {
    what: &'static str,
    bar: Option<ProgressBar>,
    count: usize,
    begin: Instant,
    last_line: Instant,
}

impl Counter {
    /// A bar if standard error is a terminal.
    pub fn new(what: &'static str, count: usize) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(count as u64);
            if let Ok(style) = ProgressStyle::with_template("{msg} {bar:30} {pos} of {len}, {eta} left") {
                bar.set_style(style);
            }
            bar.set_message(what);
            bar
        });
        let now = Instant::now();
        Self { what, bar, count, begin: now, last_line: now }
    }

    /// So many are done.
    pub fn show(&mut self, done: usize) {
        match &self.bar {
            Some(bar) => bar.set_position(done as u64),
            None if self.last_line.elapsed() >= LINE_EVERY => {
                self.last_line = Instant::now();
                let share = self.count.saturating_sub(done) as f64 / done.max(1) as f64;
                let left = self.begin.elapsed().mul_f64(share).as_secs();
                tell!("{} {done} of {}, {}:{:02} left", self.what, self.count, left / 60, left % 60);
            }
            None => {}
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
