//! What must be remembered from one request to another.

mod memory;

use std::error::Error;
use std::fmt;
use std::pin::Pin;
use std::time::SystemTime;

pub use self::memory::MemoryStore;

/// Remembers for a while that something was spent.
///
/// A stateless server needs this in two places only: for a `requestState` that may be redeemed once, and for a
/// session of an older protocol revision that was ended. Both name what is spent by a key of 32 bytes, which tells
/// nothing about it.
///
/// Servers that accept each other's tokens need one store together: with a store for each, a token can be spent once
/// on each server.
///
/// Time is the store's own clock. `expires` is when the thing spent is worthless anyway; the store may forget it
/// then, and must not before.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot remember what was spent",
    note = "use `MemoryStore` on one server, or implement `Store` on what the fleet shares"
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
}

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
