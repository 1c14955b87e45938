//! Whether the clock of the machine runs as time does: tokens are only as good as the clock that they are judged by.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, SystemTime},
};

use tokio::time::Instant;

/// What the clock said, and when.
#[derive(Default)]
pub(super) struct Clockwork(Mutex<Option<(Instant, SystemTime)>>);

impl Clockwork {
    /// Notes what the clock says, and logs a step of more than five minutes.
    pub(super) fn note(&self, now: SystemTime) {
        let passed = Instant::now();
        let before = self.0.lock().unwrap_or_else(PoisonError::into_inner).replace((passed, now));
        let Some((then, clock)) = before else { return };
        let expected = clock + passed.duration_since(then);
        let step = now.duration_since(expected).unwrap_or_else(|it| it.duration());
        if step > MOST {
            let direction = if now > expected { "forward" } else { "back" };
            tracing::warn!(
                seconds = step.as_secs(),
                direction,
                "the clock was set while tokens are judged by it"
            );
        }
    }
}

const MOST: Duration = Duration::from_secs(300);
