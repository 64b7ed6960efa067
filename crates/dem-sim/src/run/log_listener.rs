//! Hears what is told while a run is worked at, for its log, and passes it on to whoever listened before.

use std::fmt::{Debug, Write};
use std::sync::Arc;

use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::{Interest, Subscriber};
use tracing::{Dispatch, Event, Level, Metadata};

use super::log_lines::Lines;

/// A subscriber in front of another one.
pub(super) struct Listener {
    pub(super) lines: Arc<Lines>,
    pub(super) others: Dispatch,
}

/// Whether something becomes a line: warnings, and what commands show without being asked for more.
fn is_for_people(metadata: &Metadata<'_>) -> bool {
    metadata.is_event() && *metadata.level() <= Level::INFO
}

impl Subscriber for Listener {
    fn register_callsite(&self, _: &'static Metadata<'static>) -> Interest {
        // the others may change their mind
        Interest::sometimes()
    }

    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        is_for_people(metadata) || self.others.enabled(metadata)
    }

    /// Of its own: what is told in more detail is not even put together unless the others want it.
    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(LevelFilter::INFO)
    }

    fn event(&self, event: &Event<'_>) {
        if is_for_people(event.metadata()) {
            let mut text = Text(String::new());
            event.record(&mut text);
            let kind = match *event.metadata().level() {
                Level::ERROR => "error: ",
                Level::WARN => "warning: ",
                _ => "",
            };
            self.lines.add_now(&format!("{kind}{}", text.0));
        }
        if self.others.enabled(event.metadata()) {
            self.others.event(event);
        }
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        self.others.new_span(span)
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        self.others.record(span, values);
    }

    fn record_follows_from(&self, span: &Id, follows: &Id) {
        self.others.record_follows_from(span, follows);
    }

    fn enter(&self, span: &Id) {
        self.others.enter(span);
    }

    fn exit(&self, span: &Id) {
        self.others.exit(span);
    }

    fn clone_span(&self, span: &Id) -> Id {
        self.others.clone_span(span)
    }

    fn try_close(&self, span: Id) -> bool {
        self.others.try_close(span)
    }
}

/// The words of an event.
struct Text(String);

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let space = if self.0.is_empty() { "" } else { " " };
        // a text cannot refuse
        let _ = match field.name() {
            "message" => write!(self.0, "{space}{value:?}"),
            name => write!(self.0, "{space}{name} = {value:?}"),
        };
    }
}
