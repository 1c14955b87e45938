//! How long something is worked at, on a machine that has other work to do.

use std::time::{Duration, Instant};

/// The longest that one piece of work may take; without optimization it is twenty times what it is with.
pub(super) const LONGEST: Duration =
    if cfg!(debug_assertions) { Duration::from_secs(2) } else { Duration::from_millis(100) };

/// What was worked since then, not counting how long other tests had the processor.
///
/// Test and server share one thread, and Linux knows how long that has run. Elsewhere the clock has to do.
pub(super) struct Work(Option<Duration>, Instant);

impl Work {
    pub(super) fn begin() -> Self {
        Self(Self::of_thread(), Instant::now())
    }

    fn of_thread() -> Option<Duration> {
        let all = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        Some(Duration::from_nanos(all.split(' ').next()?.parse().ok()?))
    }

    pub(super) fn done(&self) -> Duration {
        self.0.and_then(|begun| Self::of_thread()?.checked_sub(begun)).unwrap_or_else(|| self.1.elapsed())
    }
}
