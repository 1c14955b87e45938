//! How often documents are fetched: a stranger's client id must not make us knock at a third one's door.

use std::{
    collections::{HashMap, VecDeque},
    time::Duration,
};

use tokio::time::Instant;

/// What was tried lately. It holds no answer, only times.
#[derive(Default)]
pub(super) struct Starts {
    by_host: HashMap<String, VecDeque<Instant>>,
    failed: HashMap<String, Instant>,
}

/// It is too soon.
#[derive(Debug)]
pub(super) struct TooSoon;

impl Starts {
    /// Whether the last attempt failed a moment ago.
    pub(super) fn check(&self, client_id: &str, now: Instant) -> Result<(), TooSoon> {
        match self.failed.get(client_id) {
            Some(failed) if now < *failed + COOL_DOWN => Err(TooSoon),
            _ => Ok(()),
        }
    }

    /// Counts an attempt, if one more is allowed.
    pub(super) fn start(&mut self, host: &str, now: Instant) -> Result<(), TooSoon> {
        let is_over = |start: &Instant| now >= *start + WINDOW;
        if self.by_host.len() >= MOST {
            self.by_host.retain(|_, starts| starts.back().is_some_and(|it| !is_over(it)));
        }
        if self.by_host.len() >= MOST && !self.by_host.contains_key(host) {
            return Err(TooSoon);
        }
        let starts = self.by_host.entry(host.to_owned()).or_default();
        while starts.front().is_some_and(is_over) {
            starts.pop_front();
        }
        if starts.len() >= STARTS {
            return Err(TooSoon);
        }
        starts.push_back(now);
        Ok(())
    }

    /// Remembers that an attempt failed. The starts of a host hold, too, when there is no room for it.
    pub(super) fn fail(&mut self, client_id: &str, now: Instant) {
        if self.failed.len() >= MOST {
            self.failed.retain(|_, failed| now < *failed + COOL_DOWN);
        }
        if self.failed.len() < MOST {
            self.failed.insert(client_id.to_owned(), now);
        }
    }
}

const COOL_DOWN: Duration = Duration::from_secs(5);
const WINDOW: Duration = Duration::from_secs(60);
const STARTS: usize = 10;
/// Hosts, and client ids, that are remembered at one time.
const MOST: usize = 10_000;
