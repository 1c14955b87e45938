//! How many messages a call may send now.

use std::time::Duration;

use tokio::time::Instant;

/// A bucket that holds what one second allows and refills evenly.
pub(super) struct Allowance {
    left: f64,
    since: Instant,
}

impl Allowance {
    pub(super) fn full(per_second: u32, now: Instant) -> Self {
        Self { left: f64::from(per_second), since: now }
    }

    pub(super) fn take(&mut self, per_second: u32, now: Instant) -> bool {
        if per_second == 0 {
            return true;
        }
        let rate = f64::from(per_second);
        self.left = (self.left + now.duration_since(self.since).as_secs_f64() * rate).min(rate);
        self.since = now;
        let enough = self.left >= 1.0;
        if enough {
            self.left -= 1.0;
        }
        enough
    }

    /// Counts one that goes because it is due.
    pub(super) fn spend(&mut self, per_second: u32, now: Instant) {
        // What is due may be a rounding error short of a whole one.
        if !self.take(per_second, now) {
            self.left = 0.0;
        }
    }

    /// When the next one may go.
    pub(super) fn due(&self, per_second: u32) -> Instant {
        let missing = (1.0 - self.left).max(0.0);
        self.since + Duration::from_secs_f64(missing / f64::from(per_second.max(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_s_worth_goes_at_once_and_the_rest_evenly() {
        let start = Instant::now();
        let mut allowance = Allowance::full(10, start);

        let at_once = (0..20).filter(|_| allowance.take(10, start)).count();
        let due = allowance.due(10);

        assert_eq!(at_once, 10);
        assert!(!allowance.take(10, due - Duration::from_millis(1)));
        assert!(allowance.take(10, due + Duration::from_millis(1)));
    }

    #[test]
    fn zero_means_no_limit() {
        let start = Instant::now();
        let mut allowance = Allowance::full(0, start);

        assert!((0..1_000).all(|_| allowance.take(0, start)));
    }
}
