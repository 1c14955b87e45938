//! Time and randomness: the server takes both from here, and tests replace them.

use std::time::{SystemTime, UNIX_EPOCH};

/// Tells the time of day.
pub trait Clock: Send + Sync + 'static {
    /// The time now.
    fn now(&self) -> SystemTime;
}

/// Gives random bytes that nobody can guess.
pub trait Entropy: Send + Sync + 'static {
    /// Fills `bytes`.
    ///
    /// # Errors
    /// When the source fails; the server then answers with an internal error rather than use a weak value.
    fn fill(&self, bytes: &mut [u8]) -> std::io::Result<()>;
}

/// The clock and the randomness of the operating system.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Os;

impl Clock for Os {
    fn now(&self) -> SystemTime {
        SystemTime::now()
    }
}

impl Entropy for Os {
    fn fill(&self, bytes: &mut [u8]) -> std::io::Result<()> {
        getrandom::fill(bytes).map_err(|error| std::io::Error::other(error.to_string()))
    }
}

/// Whole seconds since 1970; 0 for a clock that stands before.
pub(crate) fn seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |it| it.as_secs())
}

/// A time as RFC 3339 writes it in UTC, with microseconds. What comes before 1970 is told as 1970.
pub(crate) fn rfc3339(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let (days, second) = (since.as_secs() / DAY, since.as_secs() % DAY);
    let (year, month, day) = date(days);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:06}Z", since.subsec_micros())
}

/// The date so many days after 1970 began. Years are counted from March, so that the leap day is the last of them.
const fn date(days: u64) -> (u64, u64, u64) {
    const DAYS_TO_MARCH_0000: u64 = 719_468;
    const DAYS_OF_400_YEARS: u64 = 146_097;
    let days = days + DAYS_TO_MARCH_0000;
    let (cycle, of_cycle) = (days / DAYS_OF_400_YEARS, days % DAYS_OF_400_YEARS);
    let year = (of_cycle - of_cycle / 1_460 + of_cycle / 36_524 - of_cycle / 146_096) / 365;
    let of_year = of_cycle - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let in_next = month >= 10;
    let month = if in_next { month - 9 } else { month + 3 };
    (cycle * 400 + year + in_next as u64, month, day)
}

const DAY: u64 = 24 * 60 * 60;

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_time_is_written_as_rfc_3339_wants_it() {
        for (seconds, written) in [
            (0, "1970-01-01T00:00:00"),
            (951_782_399, "2000-02-28T23:59:59"),
            (951_782_400, "2000-02-29T00:00:00"),
            (1_709_251_199, "2024-02-29T23:59:59"),
            (1_785_196_800, "2026-07-28T00:00:00"),
            (4_107_542_400, "2100-03-01T00:00:00"),
        ] {
            let time = UNIX_EPOCH + Duration::from_secs(seconds) + Duration::from_micros(42);
            assert_eq!(rfc3339(time), format!("{written}.000042Z"));
        }
    }
}
