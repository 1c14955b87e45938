//! Tokens that were checked within the last minute, so that a call costs no signature.
//!
//! A token is known by a keyed hash of 128 bits (SipHash-1-3) whose key is made at start and never leaves: nobody can
//! aim at the hash of another's token, and no token is kept. SHA-256 would do the same for ten times the instructions
//! where the processor has none for it.

use std::{
    sync::{Mutex, PoisonError},
    time::SystemTime,
};

use hashbrown::HashMap;
use siphasher::sip128::SipHasher13;

use crate::{
    caller::Caller,
    clock::{self, Entropy},
};

pub(super) struct Cache {
    hasher: SipHasher13,
    checked: Mutex<Checked>,
}

#[derive(Default)]
struct Checked {
    all: HashMap<u128, Entry>,
    /// When those that are over were last looked for.
    swept: u64,
}

struct Entry {
    caller: Caller,
    /// The first second in which it no longer counts.
    until: u64,
}

/// Tokens that are remembered.
const MOST: usize = 10_000;
/// Seconds for which one is.
const LIFE: u64 = 60;

impl Cache {
    /// # Errors
    /// When there is no randomness.
    pub(super) fn new(entropy: &dyn Entropy) -> std::io::Result<Self> {
        let mut key = [0; 16];
        entropy.fill(&mut key)?;
        Ok(Self { hasher: SipHasher13::new_with_key(&key), checked: Mutex::default() })
    }

    pub(super) fn get(&self, token: &[u8], now: SystemTime) -> Option<Caller> {
        let (hash, now) = (self.hash(token), clock::seconds(now));
        let checked = self.checked.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = checked.all.get(&hash)?;
        // A clock that was set back must not give a token a longer life.
        (now < entry.until && entry.until - now <= LIFE).then(|| entry.caller.clone())
    }

    pub(super) fn put(&self, token: &[u8], caller: &Caller, now: SystemTime) {
        let (hash, now) = (self.hash(token), clock::seconds(now));
        let expires = caller.expires().map_or(u64::MAX, clock::seconds);
        let until = expires.min(now.saturating_add(LIFE));
        if until <= now {
            return;
        }
        let mut checked = self.checked.lock().unwrap_or_else(PoisonError::into_inner);
        if checked.all.len() >= MOST {
            checked.make_room(now);
        }
        checked.all.insert(hash, Entry { caller: caller.clone(), until });
    }

    fn hash(&self, token: &[u8]) -> u128 {
        self.hasher.hash(token).as_u128()
    }
}

impl Checked {
    /// Looks through all of them once a second at most; between, one of them has to go.
    fn make_room(&mut self, now: u64) {
        if self.swept != now {
            self.swept = now;
            self.all.retain(|_, it| now < it.until && it.until - now <= LIFE);
        }
        if self.all.len() >= MOST {
            let first = self.all.keys().next().copied();
            first.and_then(|it| self.all.remove(&it));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;
    use crate::{auth::Principal, clock::Os};

    fn at(seconds: u64) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(seconds)
    }

    fn ann() -> Principal {
        Principal::new("https://login.example.com", "ann")
    }

    #[test]
    fn a_token_is_remembered_for_a_minute() {
        let cache = Cache::new(&Os).unwrap();

        cache.put(b"t", &Caller::verified(ann()), at(1_000));

        assert_eq!(cache.get(b"t", at(1_059)), Some(Caller::verified(ann())));
        assert_eq!(cache.get(b"t", at(1_060)), None);
        assert_eq!(cache.get(b"t", at(999)), None);
        assert_eq!(cache.get(b"u", at(1_000)), None);
    }

    #[test]
    fn no_token_is_remembered_beyond_its_end() {
        let cache = Cache::new(&Os).unwrap();

        cache.put(b"t", &Caller::verified(ann().with_expiry(at(1_010))), at(1_000));
        cache.put(b"u", &Caller::verified(ann().with_expiry(at(1_000))), at(1_000));

        assert!(cache.get(b"t", at(1_009)).is_some());
        assert!(cache.get(b"t", at(1_010)).is_none());
        assert!(cache.get(b"u", at(1_000)).is_none());
    }

    #[test]
    fn only_so_many_tokens_are_remembered() {
        let cache = Cache::new(&Os).unwrap();
        let ann = Caller::verified(ann());

        (0..MOST + 500).for_each(|it| cache.put(it.to_string().as_bytes(), &ann, at(1_000)));
        assert_eq!(cache.checked.lock().unwrap().all.len(), MOST);
        assert!(cache.get((MOST + 499).to_string().as_bytes(), at(1_000)).is_some());

        cache.put(b"later", &ann, at(1_060));
        assert_eq!(cache.checked.lock().unwrap().all.len(), 1);
    }
}
