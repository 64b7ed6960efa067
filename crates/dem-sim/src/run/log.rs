//! `run.log`: what has happened in a run and when, line by line, for people. Nothing reads it, and no other file depends on it.

use std::path::Path;
use std::sync::Arc;

use dem_core::lanes::Width;
use dem_io::shell;
use tracing::{Dispatch, dispatcher};

use super::log_lines::Lines;
use super::log_listener::Listener;
use crate::environment::machine::Machine;
use crate::environment::threads;

/// The log of a run. It has a file once the run is in its directory, that of a restart once it takes a step.
#[derive(Clone)]
pub(super) struct Log {
    lines: Arc<Lines>,
    listener: Dispatch,
}

impl Log {
    /// Begins one, that listens beside whoever listens to this thread now.
    pub(super) fn begin() -> Self {
        let lines = Arc::new(Lines::new());
        let others = dispatcher::get_default(Dispatch::clone);
        let listener = Dispatch::new(Listener { lines: Arc::clone(&lines), others });
        Self { lines, listener }
    }

    /// Does something; all that it tells people becomes lines.
    pub(super) fn listen<T>(&self, action: impl FnOnce() -> T) -> T {
        dispatcher::with_default(&self.listener, action)
    }

    /// The lines, for whoever else adds some.
    pub(super) fn lines(&self) -> Arc<Lines> {
        Arc::clone(&self.lines)
    }

    /// Says how far the run is.
    pub(super) fn reach(&self, step: u64, time: f64) {
        self.lines.reach(step, time);
    }

    /// Adds a line.
    pub(super) fn note(&self, what: &str) {
        self.lines.add_now(what);
    }

    /// Adds that a run begins, with what, where and on what.
    pub(super) fn note_beginning(&self, title: &str) {
        let title = if title.is_empty() { "a run" } else { title };
        self.note(&format!("{title}: begins"));
        self.note_circumstances();
    }

    /// Adds that a run goes on from a checkpoint.
    pub(super) fn note_restart(&self, state: &Path) {
        self.note(&format!("goes on from {}", state.display()));
        self.note_circumstances();
    }

    fn note_circumstances(&self) {
        let words: Vec<String> = std::env::args_os().map(shell::word).collect();
        let folder = std::env::current_dir();
        let place = folder.map_or_else(|_| String::new(), |folder| format!(", in {}", shell::path(&folder)));
        self.note(&format!("command: {}{place}", words.join(" ")));
        let threads = threads::count();
        let machine = Machine::here(Width::fastest().name());
        self.note(&format!("{machine}, {threads} {}", if threads == 1 { "thread" } else { "threads" }));
    }

    /// Writes the lines so far, and all that follow, to the end of a file.
    pub(super) fn write_to(&self, path: &Path) {
        self.lines.write_to(path);
    }
}
