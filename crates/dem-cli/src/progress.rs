//! Progress: a bar on a terminal, plain lines otherwise.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use dem_sim::run::Status;
use indicatif::{ProgressBar, ProgressStyle};

use crate::terminal::{is_quiet, tell};

/// Time between plain lines.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Shows how far a run is.
pub struct Progress {
    bar: Option<ProgressBar>,
    last_line: Option<Instant>,
}

impl Progress {
    /// A bar if standard error is a terminal.
    pub fn new() -> Self {
        let bar = (std::io::stderr().is_terminal() && !is_quiet()).then(|| {
            let bar = ProgressBar::new(1000);
            if let Ok(style) = ProgressStyle::with_template("{bar:30} {wide_msg}") {
                bar.set_style(style);
            }
            bar
        });
        Self { bar, last_line: None }
    }

    /// Shows a status.
    pub fn show(&mut self, status: &Status) {
        let text = describe(status);
        match &self.bar {
            Some(bar) => {
                bar.set_position((1000.0 * status.done.unwrap_or(0.0)) as u64);
                bar.set_message(text);
            }
            None if self.last_line.is_none_or(|last| last.elapsed() >= LINE_EVERY) => {
                tell!("{text}");
                self.last_line = Some(Instant::now());
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

fn describe(s: &Status) -> String {
    let remaining = match s.remaining {
        Some(time) if time < Duration::from_secs(1_000_000) => {
            let seconds = time.as_secs();
            format!(", at most {}:{:02} left", seconds / 60, seconds % 60)
        }
        _ => String::new(),
    };
    let bodies = if s.bodies > 0 { format!(" ({} bodies)", s.bodies) } else { String::new() };
    format!(
        "[{}] t = {:.4} s, step {}, {} particles{bodies}, {} contacts, kinetic energy {:.2e} J, {:.2} M particle-steps/s{remaining}",
        s.stage,
        s.time,
        s.step,
        s.particles,
        s.contacts,
        s.kinetic_energy,
        s.rate / 1e6
    )
}
