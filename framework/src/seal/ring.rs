//! The keys that sign and verify, replaced while the server runs.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use super::{Secret, SecretError};

/// One key that signs, and up to four more that only verify.
///
/// A clone is the same ring: [`rotate`](Self::rotate) on one changes all, while they serve. Servers whose rings share
/// a key open each other's tokens, which is how a fleet works.
///
/// To replace a key without refusing anyone: give every server the new key with [`also_accept`](Self::also_accept),
/// then let it sign and accept the old one, and drop the old one once its last token has expired.
///
/// ```
/// use tollgate::seal::{KeyRing, Secret};
///
/// let ring = KeyRing::new(Secret::random()?).also_accept(Secret::random()?)?;
///
/// ring.rotate(Secret::random()?, vec![])?;
/// # Ok::<(), tollgate::seal::SecretError>(())
/// ```
#[derive(Clone)]
pub struct KeyRing {
    keys: Arc<RwLock<Arc<Keys>>>,
}

impl KeyRing {
    /// Makes a ring of one key, which signs and verifies.
    #[must_use]
    pub fn new(signing: Secret) -> Self {
        Self::with(Keys { signing: Arc::new(signing), accepted: Vec::new() })
    }

    fn with(keys: Keys) -> Self {
        Self { keys: Arc::new(RwLock::new(Arc::new(keys))) }
    }

    /// Adds a key that only verifies, to this ring and all its clones.
    ///
    /// # Errors
    ///
    /// [`SecretError::Duplicate`] if the ring has this key, [`SecretError::TooMany`] if it has four such keys. The
    /// clones then keep the keys they had.
    pub fn also_accept(self, old: Secret) -> Result<Self, SecretError> {
        let mut slot = self.keys.write().unwrap_or_else(PoisonError::into_inner);
        let accepted = slot.accepted.iter().cloned().chain([Arc::new(old)]).collect();
        *slot = Arc::new(Keys::new(Arc::clone(&slot.signing), accepted)?);
        drop(slot);
        Ok(self)
    }

    /// Replaces the keys of this ring and of all its clones. What is being opened meanwhile sees the old keys or the
    /// new ones, never a mixture.
    ///
    /// # Errors
    ///
    /// [`SecretError::Duplicate`] if two keys are the same, [`SecretError::TooMany`] for more than four accepted
    /// keys. The ring then keeps the keys it had.
    pub fn rotate(&self, signing: Secret, accepted: Vec<Secret>) -> Result<(), SecretError> {
        let keys = Keys::new(Arc::new(signing), accepted.into_iter().map(Arc::new).collect())?;
        *self.keys.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(keys);
        Ok(())
    }

    /// The keys as they are now.
    pub(super) fn keys(&self) -> Arc<Keys> {
        Arc::clone(&self.keys.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl fmt::Debug for KeyRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys = self.keys();
        f.debug_struct("KeyRing").field("signing", &keys.signing).field("accepted", &keys.accepted).finish()
    }
}

/// The keys at one moment, no two the same.
pub(super) struct Keys {
    signing: Arc<Secret>,
    accepted: Vec<Arc<Secret>>,
}

impl Keys {
    fn new(signing: Arc<Secret>, accepted: Vec<Arc<Secret>>) -> Result<Self, SecretError> {
        if accepted.len() > MAX_ACCEPTED {
            return Err(SecretError::TooMany);
        }
        for (place, key) in accepted.iter().enumerate() {
            let mut earlier = accepted.iter().take(place).chain([&signing]);
            if earlier.any(|it| it.key_id() == key.key_id()) {
                return Err(SecretError::Duplicate { id: key.id() });
            }
        }
        Ok(Self { signing, accepted })
    }

    pub(super) fn signing(&self) -> &Secret {
        &self.signing
    }

    /// The key that a token names. No other key is tried.
    pub(super) fn find(&self, key_id: &str) -> Option<&Secret> {
        [&self.signing].into_iter().chain(&self.accepted).map(Arc::as_ref).find(|it| it.key_id() == key_id)
    }
}

/// How many keys may only verify.
const MAX_ACCEPTED: usize = 4;
