//! A store in the memory of one process.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use bytes::Bytes;

mod handles;

use super::{Added, BoxFuture, Found, HandleKey, Holding, Replaced, Spent, Store, StoreError};
use handles::Handles;

/// Remembers what was spent, and keeps what handles name, until it expires or the process ends.
///
/// It is right for one server whose key is also only in memory ([`Secret::random`](crate::seal::Secret::random)):
/// a restart then ends the tokens together with the memory of them. Where a token outlives the process, or more than
/// one process opens it, it can be spent again there; a fleet needs a store that all its servers share.
///
/// At most 100 000 keys are remembered, about 13 MB. When that many are spent and none has expired, spending fails
/// with [`StoreError::Full`]: nothing is forgotten to make room. For handles the same holds, with as many of them and
/// 256 MiB of records.
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
    handles: Mutex<Handles>,
}

impl MemoryStore {
    /// Makes an empty store.
    #[must_use]
    pub fn new() -> Self {
        Self {
            limit: DEFAULT_LIMIT,
            clock: Box::new(SystemTime::now),
            memory: Mutex::default(),
            handles: Mutex::default(),
        }
    }

    /// Changes how many keys, and how many handles, are remembered at most. A key takes about 130 bytes.
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

    fn handles(&self) -> MutexGuard<'_, Handles> {
        self.handles.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn seconds(&self) -> u64 {
        (self.clock)().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |it| it.as_secs())
    }
}

impl Store for MemoryStore {
    fn spend(&self, key: [u8; 32], expires: SystemTime) -> BoxFuture<'_, Result<Spent, StoreError>> {
        Box::pin(async move { self.spend_now(key, expires) })
    }

    fn is_spent(&self, key: [u8; 32]) -> BoxFuture<'_, Result<bool, StoreError>> {
        Box::pin(async move { Ok(self.memory().knows(&key, (self.clock)())) })
    }

    fn hold(
        &self,
        key: HandleKey,
        holding: Holding,
        record: Option<Bytes>,
        most: usize,
    ) -> BoxFuture<'_, Result<Added, StoreError>> {
        Box::pin(async move { self.handles().hold(key, holding, record, most, self.limit, self.seconds()) })
    }

    fn held(&self, key: HandleKey) -> BoxFuture<'_, Result<Option<Found>, StoreError>> {
        Box::pin(async move { Ok(self.handles().held(&key)) })
    }

    fn touch(&self, key: HandleKey, used: u64) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(async move {
            self.handles().touch(&key, used);
            Ok(())
        })
    }

    fn replace(
        &self,
        record: [u8; 16],
        version: u64,
        data: Bytes,
    ) -> BoxFuture<'_, Result<Replaced, StoreError>> {
        Box::pin(async move { self.handles().replace(record, version, data) })
    }

    fn delete(&self, record: [u8; 16]) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(async move {
            self.handles().delete(record);
            Ok(())
        })
    }

    fn release(&self, key: HandleKey) -> BoxFuture<'_, Result<bool, StoreError>> {
        Box::pin(async move { Ok(self.handles().release(&key)) })
    }

    fn holdings(
        &self,
        principal: [u8; 32],
        kind: &'static str,
        most: usize,
    ) -> BoxFuture<'_, Result<Vec<Holding>, StoreError>> {
        Box::pin(async move { Ok(self.handles().of(principal, kind, most, self.seconds())) })
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
