//! What a store keeps of handles: who holds which name, and the records behind the names.

use std::fmt;

use bytes::Bytes;
use sha2::{Digest, Sha256};

/// The name in a handle, which nobody can guess: 128 random bits.
///
/// It can be compared, and kept in the memory of a process. A store that others may read keeps [`hashed`](Self::hashed):
/// who reads it then learns no handle that can be used.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct HandleName([u8; 16]);

impl HandleName {
    /// A name with these bits.
    #[must_use]
    pub const fn new(bits: [u8; 16]) -> Self {
        Self(bits)
    }

    /// Its SHA-256.
    #[must_use]
    pub fn hashed(&self) -> [u8; 32] {
        Sha256::digest(self.0).into()
    }
}

/// Without its bits.
impl fmt::Debug for HandleName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HandleName")
    }
}

/// What one principal calls one record: the key under which the right to use it is kept.
///
/// The principal is part of the key, so a name that somebody else holds and a name that nobody holds are the same
/// missing row: a store cannot tell them apart, and neither can anybody who measures it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_structs, reason = "stores read and write every part of it")]
pub struct HandleKey {
    /// Stands for issuer, subject, client and tenant.
    pub principal: [u8; 32],
    /// The kind of record, as `note`.
    pub kind: &'static str,
    /// The name in the handle.
    pub name: HandleName,
}

/// The right of one principal to use one record.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "stores read and write every part of it")]
pub struct Holding {
    /// Names the record.
    pub record: [u8; 16],
    /// Whether it is the one who made the record, and not one with whom it was shared.
    pub is_owner: bool,
    /// What may be done: the bits of [`Rights`](crate::Rights).
    pub rights: u8,
    /// When it was used last, in seconds since 1970.
    pub used: u64,
    /// Seconds without use after which it ends.
    pub idle: u64,
    /// When it ends in any case, in seconds since 1970.
    pub ends: u64,
    /// The handle itself, sealed with the server's keys, so that its holder can be reminded of it.
    pub sealed: Bytes,
}

impl Holding {
    /// When it ends unless it is used before, in seconds since 1970.
    #[must_use]
    pub fn expires(&self) -> u64 {
        self.ends.min(self.used.saturating_add(self.idle))
    }
}

/// A record, and which of its versions this is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "stores read and write every part of it")]
pub struct StoredRecord {
    /// Grows by one with each update, from 1.
    pub version: u64,
    /// The record as JSON.
    pub data: Bytes,
}

/// A holding with the record that it is about. `None` once the record was deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "stores read and write every part of it")]
pub struct Found {
    /// The right.
    pub holding: Holding,
    /// What it is a right to.
    pub record: Option<StoredRecord>,
}

/// Whether a holding was added. Complete by definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    /// It is there.
    Done,
    /// The principal holds as many of that kind as it may.
    TooMany,
}

/// Whether a record was replaced. Complete by definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replaced {
    /// By the new one.
    Done,
    /// Somebody else was faster: the version is another by now.
    Changed,
    /// It was deleted.
    Gone,
}
