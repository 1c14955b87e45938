//! What is written to the log, read by a test.

use std::{
    fmt::{Debug, Write},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tracing::{
    Dispatch, Event, Metadata, Subscriber,
    field::{Field, Visit},
    span,
    subscriber::{DefaultGuard, set_default},
};

/// All that anybody writes to the log on this thread for as long as it lives, down to TRACE.
pub struct Log {
    lines: Lines,
    /// While there is one listener only, `tracing` asks the thread that comes first whether anybody wants an event, and
    /// that may be the thread of another test. So there are two.
    _second: Dispatch,
    _guard: DefaultGuard,
}

impl Log {
    /// Starts to listen.
    pub fn start() -> Self {
        let lines = Lines::default();
        let _second = Dispatch::new(Lines::default());
        let _guard = set_default(lines.clone());
        Self { lines, _second, _guard }
    }

    /// All lines that hold a text. A line begins with its level.
    pub fn with(&self, text: &str) -> Vec<String> {
        self.lines.all().iter().filter(|it| it.contains(text)).cloned().collect()
    }

    /// All lines.
    pub fn text(&self) -> String {
        self.lines.all().join("\n")
    }
}

#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<String>>>);

impl Lines {
    fn all(&self) -> MutexGuard<'_, Vec<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, start: &dyn std::fmt::Display, record: impl FnOnce(&mut Line)) {
        let mut line = Line(start.to_string());
        record(&mut line);
        self.all().push(line.0);
    }
}

impl Subscriber for Lines {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, attributes: &span::Attributes<'_>) -> span::Id {
        self.add(attributes.metadata().level(), |line| attributes.record(line));
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, values: &span::Record<'_>) {
        self.add(&"", |line| values.record(line));
    }

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, event: &Event<'_>) {
        self.add(event.metadata().level(), |line| event.record(line));
    }

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let _ = write!(self.0, " {field}={value:?}");
    }
}
