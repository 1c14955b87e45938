//! How many messages a call may send now.

use std::time::Duration;

use tokio::time::Instant;

/// Lets one second's worth go at once and the rest evenly (the generic cell rate algorithm), in whole nanoseconds, so
/// that what is due has room once its time has come.
pub(super) struct Allowance {
    /// When the allowance would be full again.
    full_at: Instant,
}

impl Allowance {
    pub(super) const fn full(now: Instant) -> Self {
        Self { full_at: now }
    }

    pub(super) fn take(&mut self, per_second: u32, now: Instant) -> bool {
        if per_second == 0 {
            return true;
        }
        let enough = self.due(per_second) <= now;
        if enough {
            self.full_at = self.full_at.max(now) + gap(per_second);
        }
        enough
    }

    /// When the next one may go.
    pub(super) fn due(&self, per_second: u32) -> Instant {
        let burst = Duration::from_secs(1) - gap(per_second);
        self.full_at.checked_sub(burst).unwrap_or(self.full_at)
    }
}

fn gap(per_second: u32) -> Duration {
    Duration::from_secs(1) / per_second.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_s_worth_goes_at_once_and_the_rest_evenly() {
        let start = Instant::now();
        let mut allowance = Allowance::full(start);

        let at_once = (0..20).filter(|_| allowance.take(10, start)).count();
        let due = allowance.due(10);

        assert_eq!(at_once, 10);
        assert!(!allowance.take(10, due - Duration::from_nanos(1)));
        assert!(allowance.take(10, due));
    }

    #[test]
    fn zero_means_no_limit() {
        let start = Instant::now();
        let mut allowance = Allowance::full(start);

        assert!((0..1_000).all(|_| allowance.take(0, start)));
    }
}
