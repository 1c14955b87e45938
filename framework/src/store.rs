//! What must be remembered from one request to another.

mod handle;
mod memory;
#[cfg(feature = "sqlite")]
mod sqlite;

use std::error::Error;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::Bytes;

pub use self::handle::{Added, Found, HandleKey, HandleName, Holding, Replaced, StoredRecord};
pub use self::memory::MemoryStore;
#[cfg(feature = "sqlite")]
pub use self::sqlite::SqliteStore;

/// Remembers for a while that something was spent, and keeps what handles name.
///
/// **Spending.** A `requestState` may be redeemed once, and a session of an older protocol revision may be ended. Both
/// name what is spent by a key of 32 bytes, which tells nothing about it.
///
/// **Handles.** A [`Holding`] says that a principal may use a record; it is kept under a [`HandleKey`]. One record may
/// have several, when it is shared. A store keeps a holding until [`REMEMBERED`] after it has ended, so that its holder
/// can be told that it has expired, and then forgets it; a record without holdings may be forgotten with the last.
/// The caller judges rights and times: a store only keeps and finds.
///
/// Servers that accept each other's tokens need one store together: with a store for each, a token can be spent once
/// on each server, and a handle works on one of them.
///
/// Time is the store's own clock. `expires` is when the thing spent is worthless anyway; the store may forget it
/// then, and must not before.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot remember what was spent",
    note = "use `MemoryStore` in one process, `SqliteStore` on one machine, or implement `Store` on what the fleet shares"
)]
pub trait Store: Send + Sync + 'static {
    /// Spends a key, in one step that cannot be divided: of any number of calls at the same time exactly one gets
    /// [`Spent::First`].
    ///
    /// A key whose `expires` has come is [`Spent::Again`], whether it was spent or not: the store may have forgotten
    /// it. If the future is dropped before it is ready, the key may or may not be spent.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] if the store cannot tell or cannot remember. The caller then refuses, as for
    /// [`Spent::Again`].
    fn spend(&self, key: [u8; 32], expires: SystemTime) -> BoxFuture<'_, Result<Spent, StoreError>>;

    /// Tells whether a key is spent, without spending it. `false` once it has expired.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] if the store cannot tell. The caller then refuses.
    fn is_spent(&self, key: [u8; 32]) -> BoxFuture<'_, Result<bool, StoreError>>;

    /// Adds a holding, and with `record` the record that it is about, in one step: both are there or neither.
    /// A holding that is there already under this key is replaced.
    ///
    /// With `most` holdings of this principal and kind that have not expired and whose record is there, none is added.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] if nothing was added.
    fn hold(
        &self,
        key: HandleKey,
        holding: Holding,
        record: Option<Bytes>,
        most: usize,
    ) -> BoxFuture<'_, Result<Added, StoreError>>;

    /// Finds a holding and its record, with one and the same work for each key that is not there.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] if the store cannot tell. The caller then refuses.
    fn held(&self, key: HandleKey) -> BoxFuture<'_, Result<Option<Found>, StoreError>>;

    /// Notes that a holding was used, unless it was used later than that.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] if it was not noted.
    fn touch(&self, key: HandleKey, used: u64) -> BoxFuture<'_, Result<(), StoreError>>;

    /// Replaces a record if it still has this version, in one step that cannot be divided.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] if nothing was replaced.
    fn replace(
        &self,
        record: [u8; 16],
        version: u64,
        data: Bytes,
    ) -> BoxFuture<'_, Result<Replaced, StoreError>>;

    /// Deletes a record: from then on no holding finds it.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] if the record may still be there.
    fn delete(&self, record: [u8; 16]) -> BoxFuture<'_, Result<(), StoreError>>;

    /// Ends one holding, and tells whether it was there.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] if the holding may still be there.
    fn release(&self, key: HandleKey) -> BoxFuture<'_, Result<bool, StoreError>>;

    /// The holdings of one principal and kind that have not expired and whose record is there, the newest first, at
    /// most so many.
    ///
    /// # Errors
    ///
    /// A [`StoreError`] if the store cannot tell.
    fn holdings(
        &self,
        principal: [u8; 32],
        kind: &'static str,
        most: usize,
    ) -> BoxFuture<'_, Result<Vec<Holding>, StoreError>>;
}

/// One store for several servers of a process.
impl<T: Store + ?Sized> Store for Arc<T> {
    fn spend(&self, key: [u8; 32], expires: SystemTime) -> BoxFuture<'_, Result<Spent, StoreError>> {
        (**self).spend(key, expires)
    }

    fn is_spent(&self, key: [u8; 32]) -> BoxFuture<'_, Result<bool, StoreError>> {
        (**self).is_spent(key)
    }

    fn hold(
        &self,
        key: HandleKey,
        holding: Holding,
        record: Option<Bytes>,
        most: usize,
    ) -> BoxFuture<'_, Result<Added, StoreError>> {
        (**self).hold(key, holding, record, most)
    }

    fn held(&self, key: HandleKey) -> BoxFuture<'_, Result<Option<Found>, StoreError>> {
        (**self).held(key)
    }

    fn touch(&self, key: HandleKey, used: u64) -> BoxFuture<'_, Result<(), StoreError>> {
        (**self).touch(key, used)
    }

    fn replace(
        &self,
        record: [u8; 16],
        version: u64,
        data: Bytes,
    ) -> BoxFuture<'_, Result<Replaced, StoreError>> {
        (**self).replace(record, version, data)
    }

    fn delete(&self, record: [u8; 16]) -> BoxFuture<'_, Result<(), StoreError>> {
        (**self).delete(record)
    }

    fn release(&self, key: HandleKey) -> BoxFuture<'_, Result<bool, StoreError>> {
        (**self).release(key)
    }

    fn holdings(
        &self,
        principal: [u8; 32],
        kind: &'static str,
        most: usize,
    ) -> BoxFuture<'_, Result<Vec<Holding>, StoreError>> {
        (**self).holdings(principal, kind, most)
    }
}

/// How long a holding is remembered after it has ended.
pub const REMEMBERED: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Whether the key was spent by this call. Complete by definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spent {
    /// By this call.
    First,
    /// By an earlier one, or its time is over.
    Again,
}

/// Why a store could not remember or tell.
#[derive(Debug)]
#[non_exhaustive]
pub enum StoreError {
    /// It remembers as much as it may, and nothing of that has expired.
    Full,
    /// It cannot be reached, or failed.
    Unavailable(Box<dyn Error + Send + Sync>),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full => f.write_str("the store is full and nothing in it has expired"),
            Self::Unavailable(error) => write!(f, "the store is unavailable: {error}"),
        }
    }
}

impl Error for StoreError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Full => None,
            Self::Unavailable(error) => Some(error.as_ref()),
        }
    }
}

/// The future that a method of a trait object returns.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
