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
