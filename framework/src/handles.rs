//! Handles: names for data that lives on the server.
//!
//! A name grants nothing. Whoever brings one is looked up together with it, on every call, and what somebody else holds
//! is not there (basic/security, state handles). The wire knows handles as plain strings.

mod access;
mod kind;
mod name;

use std::{sync::Arc, time::Duration};

use bytes::Bytes;

pub use access::{Access, Action, Rights};
pub(crate) use kind::Kind;
pub(crate) use name::{pattern, read};

use crate::{
    caller::Caller,
    clock::{self, Clock, Entropy},
    seal::{KeyRing, Purpose, Times},
    store::{Added, Found, HandleKey, HandleName, Holding, Replaced, Store, StoreError, StoredRecord},
};

/// Where handles are kept, and how many.
pub(crate) struct Handles {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) keys: KeyRing,
    /// Names this server in what it seals.
    pub(crate) audience: String,
    /// How many of one kind a principal may hold.
    pub(crate) most: usize,
}

/// The right to use one record, found for one call.
#[derive(Clone)]
pub(crate) struct Use {
    pub(crate) key: HandleKey,
    pub(crate) is_owner: bool,
    pub(crate) record: [u8; 16],
    pub(crate) stored: StoredRecord,
    pub(crate) ends: u64,
}

/// Why a handle cannot be used.
#[derive(Debug)]
pub(crate) enum Denied {
    /// It was never made, was deleted, or is somebody else's: nobody can tell which.
    Unknown,
    /// It was the caller's, and its time is over.
    Expired,
    /// The store cannot tell.
    Store(StoreError),
}

/// Why no handle was made.
#[derive(Debug)]
pub(crate) enum Unmade {
    TooMany,
    TooLarge,
    NoRandomness(std::io::Error),
    Store(StoreError),
}

impl Handles {
    fn now(&self) -> u64 {
        clock::seconds(self.clock.now())
    }

    /// Makes a record and its owner's handle.
    pub(crate) async fn mint(
        &self,
        caller: &Caller,
        kind: &'static Kind,
        data: Vec<u8>,
    ) -> Result<String, Unmade> {
        if kind.is_sealed {
            return self.seal(caller, kind, &data);
        }
        if data.len() > RECORD_BYTES {
            return Err(Unmade::TooLarge);
        }
        let mut random = [0; 32];
        self.entropy.fill(&mut random).map_err(Unmade::NoRandomness)?;
        let [name, record] = [&random[..16], &random[16..]].map(|it| it.try_into().unwrap_or([0; 16]));
        let handle = name::of(kind, name);
        let key = HandleKey { principal: caller.holder(), kind: kind.name, name: HandleName::new(name) };
        let now = self.now();
        let holding = Holding {
            record,
            is_owner: true,
            rights: Rights::ALL.bits(),
            used: now,
            idle: kind.idle.as_secs(),
            ends: now.saturating_add(kind.lifetime.as_secs()),
            sealed: self.sealed_name(&handle, now)?,
        };
        match self.store.hold(key, holding, Some(data.into()), self.most).await {
            Ok(Added::Done) => Ok(handle),
            Ok(Added::TooMany) => Err(Unmade::TooMany),
            Err(error) => Err(Unmade::Store(error)),
        }
    }

    /// The handle as the store may keep it: only these keys can read it.
    fn sealed_name(&self, handle: &str, now: u64) -> Result<Bytes, Unmade> {
        let mut nonce = [0; 24];
        self.entropy.fill(&mut nonce).map_err(Unmade::NoRandomness)?;
        let times = Times { issued: now, expires: u64::MAX };
        let sealed = self.keys.seal(Purpose::Handle, &[b"name"], handle.as_bytes(), times, nonce);
        Ok(sealed.map_err(|_| Unmade::TooLarge)?.into())
    }

    /// Finds what a caller may do with a record, and the record. The same work is done for every handle that the
    /// caller may not use.
    pub(crate) async fn find(
        &self,
        caller: &Caller,
        kind: &'static Kind,
        handle: &str,
        name: HandleName,
        action: Action,
    ) -> Result<Use, Denied> {
        if kind.is_sealed {
            return self.open(caller, kind, handle);
        }
        let own = HandleKey { principal: caller.holder(), kind: kind.name, name };
        let found = match self.store.held(own).await.map_err(Denied::Store)? {
            Some(found) => Some((own, found)),
            // It may have been shared with this person, by whichever client.
            None => match caller.person() {
                Some(principal) => {
                    let key = HandleKey { principal, ..own };
                    self.store.held(key).await.map_err(Denied::Store)?.map(|found| (key, found))
                }
                None => None,
            },
        };
        let (key, found) = found.ok_or(Denied::Unknown)?;
        self.judge(caller, kind, key, found, action).await
    }

    /// Finds it again later in the call: it may have ended since.
    pub(crate) async fn find_again(
        &self,
        caller: &Caller,
        kind: &'static Kind,
        before: &Use,
        action: Action,
    ) -> Result<Use, Denied> {
        if kind.is_sealed {
            return Ok(before.clone());
        }
        let found = self.store.held(before.key).await.map_err(Denied::Store)?.ok_or(Denied::Unknown)?;
        self.judge(caller, kind, before.key, found, action).await
    }

    async fn judge(
        &self,
        caller: &Caller,
        kind: &Kind,
        key: HandleKey,
        found: Found,
        action: Action,
    ) -> Result<Use, Denied> {
        let Found { holding, record } = found;
        let now = self.now();
        if now >= holding.expires() {
            return Err(if holding.is_owner { Denied::Expired } else { Denied::Unknown });
        }
        let stored = record.ok_or(Denied::Unknown)?;
        let is_owner = holding.is_owner;
        let rights = Rights::from_bits(holding.rights);
        if !rights.allow(action) || !kind.allows(caller, &stored.data, Access { action, is_owner }) {
            return Err(Denied::Unknown);
        }
        // A store need not write for each of many calls in a row.
        if now >= holding.used.saturating_add(holding.idle / 16) {
            self.store.touch(key, now).await.map_err(Denied::Store)?;
        }
        Ok(Use { key, is_owner, record: holding.record, stored, ends: holding.ends })
    }

    /// Replaces a record, unless somebody else was faster.
    pub(crate) async fn replace(&self, it: &Use, data: Vec<u8>) -> Result<Replaced, StoreError> {
        self.store.replace(it.record, it.stored.version, data.into()).await
    }

    pub(crate) async fn delete(&self, it: &Use) -> Result<(), StoreError> {
        self.store.delete(it.record).await
    }

    /// Lets somebody else use the record under the same name.
    pub(crate) async fn share(
        &self,
        it: &Use,
        with: [u8; 32],
        handle: &str,
        rights: Rights,
        lifetime: Duration,
    ) -> Result<(), Unmade> {
        let now = self.now();
        let holding = Holding {
            record: it.record,
            is_owner: false,
            rights: rights.bits(),
            used: now,
            idle: lifetime.as_secs(),
            // Nobody holds it longer than its owner.
            ends: it.ends.min(now.saturating_add(lifetime.as_secs())),
            sealed: self.sealed_name(handle, now)?,
        };
        let key = HandleKey { principal: with, ..it.key };
        match self.store.hold(key, holding, None, self.most).await {
            Ok(Added::Done) => Ok(()),
            Ok(Added::TooMany) => Err(Unmade::TooMany),
            Err(error) => Err(Unmade::Store(error)),
        }
    }

    /// Takes back what was shared, and tells whether it was.
    pub(crate) async fn unshare(&self, it: &Use, with: [u8; 32]) -> Result<bool, StoreError> {
        self.store.release(HandleKey { principal: with, ..it.key }).await
    }

    /// The handles that a caller holds, those used last first. One that was sealed with a key that is gone by now is
    /// left out.
    pub(crate) async fn list(&self, caller: &Caller, kind: &'static Kind) -> Result<Vec<String>, StoreError> {
        let mut all = self.store.holdings(caller.holder(), kind.name, self.most).await?;
        if let Some(person) = caller.person() {
            all.extend(self.store.holdings(person, kind.name, self.most).await?);
        }
        all.sort_by_key(|it| std::cmp::Reverse(it.used));
        let now = self.now();
        let handles = all.iter().filter_map(|it| {
            let sealed = std::str::from_utf8(&it.sealed).ok()?;
            let opened = self.keys.open(Purpose::Handle, &[b"name"], sealed, now).ok()?;
            String::from_utf8(opened.payload).ok()
        });
        Ok(handles.collect())
    }

    // --- sealed kinds, which need no store ---

    fn seal(&self, caller: &Caller, kind: &Kind, data: &[u8]) -> Result<String, Unmade> {
        let mut nonce = [0; 24];
        self.entropy.fill(&mut nonce).map_err(Unmade::NoRandomness)?;
        let now = self.now();
        let times = Times { issued: now, expires: now.saturating_add(kind.lifetime.as_secs()) };
        let holder = caller.holder();
        let binding: [&[u8]; 3] = [self.audience.as_bytes(), kind.name.as_bytes(), &holder];
        let token = self.keys.seal(Purpose::Handle, &binding, data, times, nonce);
        Ok(format!("{}_{}", kind.name, token.map_err(|_| Unmade::TooLarge)?))
    }

    fn open(&self, caller: &Caller, kind: &'static Kind, handle: &str) -> Result<Use, Denied> {
        let principal = caller.holder();
        let binding: [&[u8]; 3] = [self.audience.as_bytes(), kind.name.as_bytes(), &principal];
        let token = handle.strip_prefix(kind.name).and_then(|it| it.strip_prefix('_')).unwrap_or_default();
        let opened = self.keys.open(Purpose::Handle, &binding, token, self.now()).map_err(|error| {
            tracing::debug!(?error, kind = kind.name, "a sealed handle was refused");
            Denied::Unknown
        })?;
        let stored = StoredRecord { version: 1, data: opened.payload.into() };
        let access = Access { action: Action::Read, is_owner: true };
        if !kind.allows(caller, &stored.data, access) {
            return Err(Denied::Unknown);
        }
        Ok(Use {
            key: HandleKey { principal, kind: kind.name, name: HandleName::new([0; 16]) },
            is_owner: true,
            record: [0; 16],
            stored,
            ends: opened.expires,
        })
    }
}

/// Bytes of one record as JSON.
pub(crate) const RECORD_BYTES: usize = 1024 * 1024;
