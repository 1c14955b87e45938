//! A store that counts what is written to it.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::SystemTime,
};

use bytes::Bytes;
use tollgate::store::{Added, BoxFuture, Found, HandleKey, Holding, Replaced, Spent, Store, StoreError};

/// Another store, and how often something was written to it.
#[derive(Clone)]
pub(super) struct Ledger {
    store: Arc<dyn Store>,
    writes: Arc<AtomicUsize>,
    /// What was held, as it would be logged.
    shown: Arc<Mutex<String>>,
}

impl Ledger {
    pub(super) fn over(store: Arc<dyn Store>) -> Self {
        Self { store, writes: Arc::default(), shown: Arc::default() }
    }

    pub(super) fn writes(&self) -> usize {
        self.writes.load(SeqCst)
    }

    pub(super) fn shown(&self) -> String {
        self.shown.lock().unwrap().clone()
    }

    fn written(&self) -> &dyn Store {
        self.writes.fetch_add(1, SeqCst);
        &*self.store
    }
}

impl Store for Ledger {
    fn spend(&self, key: [u8; 32], expires: SystemTime) -> BoxFuture<'_, Result<Spent, StoreError>> {
        self.written().spend(key, expires)
    }

    fn is_spent(&self, key: [u8; 32]) -> BoxFuture<'_, Result<bool, StoreError>> {
        self.store.is_spent(key)
    }

    fn hold(
        &self,
        key: HandleKey,
        holding: Holding,
        record: Option<Bytes>,
        most: usize,
    ) -> BoxFuture<'_, Result<Added, StoreError>> {
        self.shown.lock().unwrap().push_str(&format!("{key:?} {holding:?} {record:?}\n"));
        self.written().hold(key, holding, record, most)
    }

    fn held(&self, key: HandleKey) -> BoxFuture<'_, Result<Option<Found>, StoreError>> {
        self.store.held(key)
    }

    fn touch(&self, key: HandleKey, used: u64) -> BoxFuture<'_, Result<(), StoreError>> {
        self.written().touch(key, used)
    }

    fn replace(
        &self,
        record: [u8; 16],
        version: u64,
        data: Bytes,
    ) -> BoxFuture<'_, Result<Replaced, StoreError>> {
        self.written().replace(record, version, data)
    }

    fn delete(&self, record: [u8; 16]) -> BoxFuture<'_, Result<(), StoreError>> {
        self.written().delete(record)
    }

    fn release(&self, key: HandleKey) -> BoxFuture<'_, Result<bool, StoreError>> {
        self.written().release(key)
    }

    fn holdings(
        &self,
        principal: [u8; 32],
        kind: &'static str,
        most: usize,
    ) -> BoxFuture<'_, Result<Vec<Holding>, StoreError>> {
        self.store.holdings(principal, kind, most)
    }
}
