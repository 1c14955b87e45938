//! Keeps the keys of one issuer: loads them when they are needed, and never lets go of good ones.
//!
//! No task of its own waits for a load. The load is kept where any token that needs it can go on with it, so that one
//! whose client leaves takes nothing from the next.

use std::{
    collections::HashMap,
    error::Error,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, SystemTime},
};

use tokio::{sync::Mutex as Turn, time::timeout};

use super::{
    algorithm::Algorithm,
    key_set::{Found, Key, KeySet},
    keys::{AnyLoader, KeyDocument, Opened},
    token::Flaw,
    verifier::TokenError,
};
use crate::{clock::Clock, guard::Guarded, store::BoxFuture};

pub(super) struct Keeper {
    /// `None` for a set that is what it is.
    loader: Option<Arc<dyn AnyLoader>>,
    clock: Arc<dyn Clock>,
    held: Mutex<Held>,
    loading: Turn<Option<Loading>>,
}

type Loading = BoxFuture<'static, Result<KeyDocument, Box<dyn Error + Send + Sync>>>;

#[derive(Default)]
struct Held {
    keys: Option<Loaded>,
    /// When the last load began, and how many have.
    tried: Option<SystemTime>,
    begun: u64,
    /// Loads that came to an end.
    ended: u64,
    /// Ids that a set did not have which was loaded for them, and until when they are not asked for again.
    absent: HashMap<String, SystemTime>,
}

#[derive(Clone)]
struct Loaded {
    set: Arc<KeySet>,
    at: SystemTime,
    fresh_for: Duration,
}

/// Why there is no key.
#[derive(Debug)]
pub(super) enum NoKey {
    Flaw(Flaw),
    Unavailable(TokenError),
}

impl Keeper {
    /// # Errors
    /// What is wrong with a set that has to be there at start.
    pub(super) fn new(source: Opened, clock: Arc<dyn Clock>) -> Result<Self, String> {
        let Opened { loader, document } = source;
        let now = clock.now();
        let set = document.map(|it| KeySet::parse(&it)).transpose()?;
        let keys = set.map(|it| Loaded { set: Arc::new(it), at: now, fresh_for: FRESH });
        let held = Held { tried: keys.as_ref().map(|_| now), keys, ..Held::default() };
        Ok(Self { loader, clock, held: Mutex::new(held), loading: Turn::default() })
    }

    /// The key that a token names.
    pub(super) async fn find(&self, id: Option<&str>, algorithm: Algorithm) -> Result<Arc<Key>, NoKey> {
        match self.usable() {
            None => self.load().await,
            // Others go on with what is there while one waits.
            Some(it) if self.is_stale(&it) && self.loading.try_lock().is_ok() => self.load().await,
            Some(_) => {}
        }
        let Some(keys) = self.usable() else { return Err(NoKey::Unavailable(self.unavailable())) };
        let is_absent = matches!(keys.set.find(id, algorithm), Found::Absent);
        let Some(absent) = id.filter(|_| is_absent) else { return key(&keys, id, algorithm) };
        let begun = {
            let held = self.held();
            if held.absent.get(absent).is_some_and(|until| self.clock.now() < *until) {
                return Err(NoKey::Flaw(UNKNOWN));
            }
            held.begun
        };
        self.load().await;
        let newer = self.usable().unwrap_or_else(|| keys.clone());
        // Only a set that was asked for after the token came can say that there is no such key.
        let is_answered = self.held().begun != begun && !Arc::ptr_eq(&newer.set, &keys.set);
        if is_answered && !newer.set.has(absent) {
            self.held().miss(absent, self.clock.now());
        }
        key(&newer, id, algorithm)
    }

    /// The keys that are there, if they may still be used.
    fn usable(&self) -> Option<Loaded> {
        let keys = self.held().keys.clone()?;
        let is_old = |it: &Loaded| age(it.at, self.clock.now()).is_none_or(|age| age >= STALE);
        (self.loader.is_none() || !is_old(&keys)).then_some(keys)
    }

    fn is_stale(&self, keys: &Loaded) -> bool {
        self.loader.is_some() && age(keys.at, self.clock.now()).is_none_or(|age| age >= keys.fresh_for)
    }

    /// Loads the keys, or goes on with the load that somebody else began. Nothing happens when the last one began less
    /// than 30 s ago.
    async fn load(&self) {
        let Some(loader) = &self.loader else { return };
        let before = self.held().ended;
        let mut loading = self.loading.lock().await;
        if self.held().ended != before {
            return;
        }
        if loading.is_none() {
            let now = self.clock.now();
            let mut held = self.held();
            if held.tried.and_then(|it| age(it, now)).is_some_and(|age| age < PAUSE) {
                return;
            }
            held.tried = Some(now);
            held.begun += 1;
            drop(held);
            *loading = Some(bounded(loader.clone()));
        }
        let Some(going) = loading.as_mut() else { return };
        let loaded = going.await;
        *loading = None;
        self.take(loaded);
    }

    /// A set that is any good takes the place of the one before.
    fn take(&self, loaded: Result<KeyDocument, Box<dyn Error + Send + Sync>>) {
        let parsed = loaded.map_err(|error| error.to_string()).and_then(|it| {
            let fresh_for = it.fresh_for.unwrap_or(FRESH).clamp(LEAST_FRESH, MOST_FRESH);
            KeySet::parse(&it.bytes).map(|set| (Arc::new(set), fresh_for))
        });
        let mut held = self.held();
        held.ended += 1;
        match parsed {
            Ok((set, fresh_for)) => {
                held.absent.retain(|id, _| !set.has(id));
                held.keys = Some(Loaded { set, at: self.clock.now(), fresh_for });
            }
            Err(error) => {
                tracing::warn!(%error, has_keys = held.keys.is_some(), "the keys of an issuer cannot be loaded");
            }
        }
    }

    /// When it makes sense to come again.
    fn unavailable(&self) -> TokenError {
        let since = self.held().tried.and_then(|it| age(it, self.clock.now())).unwrap_or_default();
        TokenError::unavailable(PAUSE.saturating_sub(since))
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn key(keys: &Loaded, id: Option<&str>, algorithm: Algorithm) -> Result<Arc<Key>, NoKey> {
    match keys.set.find(id, algorithm) {
        Found::Key(key) => Ok(key),
        Found::Absent => Err(NoKey::Flaw(UNKNOWN)),
        Found::Never(flaw) => Err(NoKey::Flaw(flaw)),
    }
}

const UNKNOWN: Flaw = Flaw("its key is unknown");

impl Held {
    /// Remembers an id that no set has, if there is room for it.
    fn miss(&mut self, id: &str, now: SystemTime) {
        if self.absent.len() >= MOST_ABSENT {
            self.absent.retain(|_, until| now < *until);
        }
        if self.absent.len() < MOST_ABSENT {
            self.absent.insert(id.to_owned(), now + ABSENT);
        }
    }
}

/// A loader that hangs or panics has failed.
fn bounded(loader: Arc<dyn AnyLoader>) -> Loading {
    Box::pin(async move {
        match timeout(LOAD, Guarded(loader.load())).await {
            Ok(Ok(loaded)) => loaded,
            Ok(Err(panic)) => Err(panic.into()),
            Err(_) => Err("it took too long".into()),
        }
    })
}

/// `None` for a time that is still to come: the clock was set back, and nothing is known.
fn age(since: SystemTime, now: SystemTime) -> Option<Duration> {
    now.duration_since(since).ok()
}

/// How long a set is fresh that does not say.
const FRESH: Duration = Duration::from_secs(600);
const LEAST_FRESH: Duration = Duration::from_secs(300);
const MOST_FRESH: Duration = Duration::from_secs(24 * 3_600);
/// How long a set may be used while no newer one can be had.
const STALE: Duration = Duration::from_secs(24 * 3_600);
/// Between the beginnings of two loads.
const PAUSE: Duration = Duration::from_secs(30);
/// For one load.
const LOAD: Duration = Duration::from_secs(10);
/// How long an id that was looked for in vain is not looked for again, and how many of them are remembered.
const ABSENT: Duration = Duration::from_secs(300);
const MOST_ABSENT: usize = 1_024;
