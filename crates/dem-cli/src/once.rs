//! Messages that are the same are shown once.

use std::collections::BTreeSet;
use std::fmt::{Debug, Write};
use std::sync::{Mutex, PoisonError};

use tracing::field::{Field, Visit};
use tracing::{Event, Metadata};
use tracing_subscriber::layer::{Context, Filter};

/// Most messages that are remembered.
const MOST: usize = 10_000;

/// Lets every warning through once; all others as often as they come.
pub struct Once {
    is_active: bool,
    seen: Mutex<BTreeSet<String>>,
}

impl Once {
    /// A filter that lets everything through unless it is active.
    pub fn new(is_active: bool) -> Self {
        Self { is_active, seen: Mutex::default() }
    }

    /// Whether a message is new.
    fn is_new(&self, message: String) -> bool {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.len() >= MOST || seen.insert(message)
    }
}

impl<S> Filter<S> for Once {
    fn enabled(&self, _: &Metadata<'_>, _: &Context<'_, S>) -> bool {
        true
    }

    fn event_enabled(&self, event: &Event<'_>, _: &Context<'_, S>) -> bool {
        if !self.is_active || *event.metadata().level() != tracing::Level::WARN {
            return true;
        }
        let mut text = Text(String::new());
        event.record(&mut text);
        self.is_new(text.0)
    }
}

/// The words of an event.
struct Text(String);

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let _ = write!(self.0, "{}={value:?} ", field.name());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_is_new_once() {
        let once = Once::new(true);
        assert!(once.is_new("a".to_owned()) && once.is_new("b".to_owned()));
        assert!(!once.is_new("a".to_owned()));
    }
}
