//! How much may run at one time, and how often.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};

use hashbrown::HashMap;
use tokio::time::Instant;

use crate::caller::Caller;

/// Allows so many at one time and, if asked to, so many a second.
#[derive(Clone, Debug)]
pub(crate) struct Permits(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    most: usize,
    taken: AtomicUsize,
    rate: Option<Rate>,
}

/// Evenly spaced arrivals with a burst of one second's worth (the generic cell rate algorithm).
#[derive(Debug)]
struct Rate {
    start: Instant,
    gap_nanos: u64,
    /// When the allowance would be full again, in nanoseconds since `start`.
    full_at: AtomicU64,
}

/// One place taken. Dropping it gives the place back.
#[derive(Debug)]
pub(crate) struct Permit(Arc<Inner>);

/// There is no place now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full;

impl Permits {
    pub(crate) fn new(most: usize, per_second: Option<u32>) -> Self {
        let rate = per_second.map(|it| Rate {
            start: Instant::now(),
            gap_nanos: 1_000_000_000 / u64::from(it.max(1)),
            full_at: AtomicU64::new(0),
        });
        Self(Arc::new(Inner { most, taken: AtomicUsize::new(0), rate }))
    }

    /// Takes a place without waiting for one.
    pub(crate) fn take(&self) -> Result<Permit, Full> {
        let inner = &self.0;
        if inner.taken.fetch_add(1, Ordering::AcqRel) >= inner.most {
            inner.taken.fetch_sub(1, Ordering::AcqRel);
            return Err(Full);
        }
        let permit = Permit(inner.clone());
        match &inner.rate {
            Some(rate) if !rate.arrive(Instant::now()) => Err(Full),
            _ => Ok(permit),
        }
    }

    pub(crate) fn taken(&self) -> usize {
        self.0.taken.load(Ordering::Acquire)
    }
}

impl Rate {
    fn arrive(&self, now: Instant) -> bool {
        let now = u64::try_from(now.duration_since(self.start).as_nanos()).unwrap_or(u64::MAX);
        let latest = now.saturating_add(Duration::from_secs(1).as_nanos() as u64 - self.gap_nanos);
        let arrived = self.full_at.fetch_update(Ordering::AcqRel, Ordering::Acquire, |full_at| {
            (full_at <= latest).then(|| full_at.max(now).saturating_add(self.gap_nanos))
        });
        arrived.is_ok()
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.taken.fetch_sub(1, Ordering::AcqRel);
    }
}

/// The same allowance for each caller that has a name. Callers without one share the process's.
#[derive(Debug)]
pub(crate) struct PerCaller {
    most: usize,
    per_second: Option<u32>,
    all: Mutex<HashMap<Caller, Permits>>,
}

/// Callers that are remembered before those with nothing in flight are forgotten.
const REMEMBERED: usize = 1_024;

impl PerCaller {
    pub(crate) fn new(most: usize, per_second: Option<u32>) -> Self {
        Self { most, per_second, all: Mutex::default() }
    }

    pub(crate) fn take(&self, caller: &Caller) -> Result<Option<Permit>, Full> {
        if caller.name().is_none() {
            return Ok(None);
        }
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = all.get(caller) {
            return known.take().map(Some);
        }
        if all.len() >= REMEMBERED {
            all.retain(|_, it| it.taken() > 0);
        }
        let first = Permits::new(self.most, self.per_second);
        all.entry(caller.clone()).or_insert(first).take().map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_comes_back_when_its_permit_is_dropped() {
        let permits = Permits::new(1, None);

        let permit = permits.take().unwrap();
        assert_eq!(permits.take().unwrap_err(), Full);
        drop(permit);

        assert!(permits.take().is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn so_many_a_second_pass_and_the_rest_later() {
        let permits = Permits::new(usize::MAX, Some(3));

        let passed = (0..10).filter(|_| permits.take().is_ok()).count();
        tokio::time::advance(Duration::from_secs(1)).await;
        let later = (0..10).filter(|_| permits.take().is_ok()).count();

        assert_eq!((passed, later), (3, 3));
    }

    #[test]
    fn one_caller_does_not_take_the_places_of_another() {
        let callers = PerCaller::new(1, None);
        let (ann, bob) = (Caller::named("ann"), Caller::named("bob"));

        let first = callers.take(&ann).unwrap();

        assert!(callers.take(&ann).is_err());
        assert!(callers.take(&bob).is_ok());
        drop(first);
        assert!(callers.take(&ann).is_ok());
    }

    #[test]
    fn callers_without_a_name_are_not_counted_together() {
        let callers = PerCaller::new(1, None);

        assert!(callers.take(&Caller::ANONYMOUS).unwrap().is_none());
        assert!(callers.take(&Caller::ANONYMOUS).unwrap().is_none());
    }
}
