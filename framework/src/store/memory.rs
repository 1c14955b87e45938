//! A store in the memory of one process.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use super::{BoxFuture, Spent, Store, StoreError};

/// Remembers what was spent until it expires or the process ends.
///
/// It is right for one server whose key is also only in memory ([`Secret::random`](crate::seal::Secret::random)):
/// a restart then ends the tokens together with the memory of them. Where a token outlives the process, or more than
/// one process opens it, it can be spent again there; a fleet needs a store that all its servers share.
///
/// At most 100 000 keys are remembered, about 13 MB. When that many are spent and none has expired, spending fails
/// with [`StoreError::Full`]: nothing is forgotten to make room.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// use std::time::{Duration, SystemTime};
/// use tollgate::store::{MemoryStore, Spent, Store};
///
/// let store = MemoryStore::new();
/// let expires = SystemTime::now() + Duration::from_secs(600);
///
/// assert_eq!(store.spend([7; 32], expires).await.unwrap(), Spent::First);
/// assert_eq!(store.spend([7; 32], expires).await.unwrap(), Spent::Again);
/// # });
/// ```
pub struct MemoryStore {
    limit: usize,
    clock: Box<dyn Fn() -> SystemTime + Send + Sync>,
    memory: Mutex<Memory>,
}

impl MemoryStore {
    /// Makes an empty store.
    #[must_use]
    pub fn new() -> Self {
        Self { limit: DEFAULT_LIMIT, clock: Box::new(SystemTime::now), memory: Mutex::default() }
    }

    /// Changes how many keys are remembered at most. Each takes about 130 bytes.
    #[must_use]
    pub fn with_limit(mut self, keys: usize) -> Self {
        self.limit = keys;
        self
    }

    /// Takes the time from this function instead of the system's clock, for tests.
    #[must_use]
    pub fn with_clock(mut self, clock: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        self.clock = Box::new(clock);
        self
    }

    fn spend_now(&self, key: [u8; 32], expires: SystemTime) -> Result<Spent, StoreError> {
        let mut memory = self.memory();
        // Read under the lock, so that time does not go back from one call to the next.
        let now = (self.clock)();
        memory.forget_some(now);
        if expires <= now || memory.knows(&key, now) {
            return Ok(Spent::Again);
        }
        if memory.spent.len() >= self.limit {
            return Err(StoreError::Full);
        }
        memory.remember(key, expires);
        Ok(Spent::First)
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for MemoryStore {
    fn spend(&self, key: [u8; 32], expires: SystemTime) -> BoxFuture<'_, Result<Spent, StoreError>> {
        Box::pin(async move { self.spend_now(key, expires) })
    }

    fn is_spent(&self, key: [u8; 32]) -> BoxFuture<'_, Result<bool, StoreError>> {
        Box::pin(async move { Ok(self.memory().knows(&key, (self.clock)())) })
    }
}

impl Default for MemoryStore {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for MemoryStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryStore")
            .field("limit", &self.limit)
            .field("remembered", &self.memory().spent.len())
            .finish_non_exhaustive()
    }
}

/// The keys that were spent, and in which order they expire.
///
/// A key that expired and was spent anew before it was forgotten stands in the order twice; only the later entry
/// counts.
#[derive(Default)]
struct Memory {
    spent: HashMap<[u8; 32], SystemTime>,
    order: BinaryHeap<Reverse<(SystemTime, [u8; 32])>>,
}

impl Memory {
    fn knows(&self, key: &[u8; 32], now: SystemTime) -> bool {
        self.spent.get(key).is_some_and(|expires| now < *expires)
    }

    fn remember(&mut self, key: [u8; 32], expires: SystemTime) {
        self.spent.insert(key, expires);
        self.order.push(Reverse((expires, key)));
    }

    /// Removes a bounded number of expired keys: more than one call adds, so that the store empties again, and few
    /// enough that no call waits for a flood that expires at once.
    fn forget_some(&mut self, now: SystemTime) {
        for _ in 0..FORGOTTEN_PER_CALL {
            let Some(Reverse((expires, key))) = self.order.peek().copied() else { return };
            if now < expires {
                return;
            }
            self.order.pop();
            if self.spent.get(&key) == Some(&expires) {
                self.spent.remove(&key);
            }
        }
    }
}

const DEFAULT_LIMIT: usize = 100_000;

const FORGOTTEN_PER_CALL: usize = 16;

#[cfg(test)]
mod tests;
