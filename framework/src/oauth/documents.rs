//! Client documents by their client id: fetched once, kept for a while, and never fetched too often.

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{
    sync::{Mutex as AsyncMutex, Semaphore},
    time::{Instant, timeout},
};

use crate::{
    clock::Clock,
    fetch::{Demand, Fetcher, Target},
};

use super::{
    builder::{ClientDocumentsBuilder, Trust},
    cache::Cache,
    document::{Accepts, ClientDocument},
    error::ClientDocumentError,
    starts::Starts,
};

/// Fetches and checks Client ID Metadata Documents, for an authorization server
/// (draft-ietf-oauth-client-id-metadata-document-01; specification 2026-07-28,
/// `basic/authorization/client-registration`).
///
/// Make one in a process and clone it: the cache and the limits are shared by clones.
///
/// * A document is kept as long as its HTTP headers say, but at least 60 s and at most 24 h; 5 minutes when they say
///   nothing; not at all with `no-store`. At most 1,000 documents and 8 MiB are kept.
/// * Failures are never kept. For 5 s after one the same client id is not tried again.
/// * One fetch at a time for a client id, 8 at a time in all, 10 a minute for a host. A fetch takes at most 5 s, and
///   waits at most 5 s for its turn.
/// * A document has at most 5 KiB. Nothing that it links to is fetched, also not its logo.
///
/// ```no_run
/// use tollgate::oauth::ClientDocuments;
///
/// # async fn authorize(client_id: &str, redirect_uri: &str) -> Result<(), Box<dyn std::error::Error>> {
/// let documents = ClientDocuments::builder().any_loopback_port().build()?;
///
/// let client = documents.get(client_id).await?;
/// let Some(goes_to) = client.redirect_host(redirect_uri) else {
///     return Err("the redirect URI is not one of the client's".into());
/// };
/// println!("{} ({}) wants to act for you, and gets the answer at {goes_to}", client.client_name(), client.host());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct ClientDocuments(Arc<Inner>);

struct Inner {
    rules: Rules,
    turns: Semaphore,
    state: Mutex<State>,
}

/// What the builder has settled.
pub(super) struct Rules {
    pub(super) fetcher: Fetcher,
    pub(super) demand: Demand,
    pub(super) trust: Trust,
    pub(super) accepts: Accepts,
    pub(super) clock: Box<dyn Clock>,
}

#[derive(Default)]
struct State {
    cache: Cache,
    starts: Starts,
    flights: HashMap<String, Arc<Flight>>,
}

/// One fetch that several callers wait for. Whoever holds it fetches; if that caller leaves, the next one does.
type Flight = AsyncMutex<Option<Outcome>>;

type Outcome = Result<Arc<ClientDocument>, ClientDocumentError>;

impl ClientDocuments {
    /// Starts with documents of all public hosts, on port 443, with redirects to `https` and to this machine.
    pub fn builder() -> ClientDocumentsBuilder {
        ClientDocumentsBuilder::new()
    }

    pub(super) fn new(rules: Rules) -> Self {
        Self(Arc::new(Inner { rules, turns: Semaphore::new(TURNS), state: Mutex::default() }))
    }

    /// The document of a client id, from the cache or from its URL. Dropping the future is safe at any time.
    ///
    /// # Errors
    /// [`ClientDocumentError`], whose text may be shown to the user. Abort the authorization request then, and do not
    /// redirect.
    pub async fn get(&self, client_id: &str) -> Result<Arc<ClientDocument>, ClientDocumentError> {
        let inner = &*self.0;
        let target = inner.rules.fetcher.target(client_id, &inner.rules.demand).map_err(|error| {
            ClientDocumentError::ClientId(error.url_fault().unwrap_or("it is not a URL of a client"))
        })?;
        if !inner.rules.trust.allows(target.host()) {
            return Err(ClientDocumentError::NotTrusted);
        }
        let ticket = match inner.enter(&target)? {
            Entry::Kept(document) => return Ok(document),
            Entry::Flight(ticket) => ticket,
        };
        let mut landed = ticket.flight.lock().await;
        if let Some(outcome) = &*landed {
            return outcome.clone();
        }
        let outcome = inner.fetch(&target).await;
        landed.insert(outcome).clone()
    }
}

enum Entry<'a> {
    Kept(Arc<ClientDocument>),
    Flight(Ticket<'a>),
}

impl Inner {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(&self, target: &Target) -> Result<Entry<'_>, ClientDocumentError> {
        let mut state = self.state();
        if let Some(document) = state.cache.get(target.url(), self.rules.clock.now()) {
            return Ok(Entry::Kept(document));
        }
        let too_soon = state.starts.check(target.url(), Instant::now());
        too_soon.map_err(|_| ClientDocumentError::TemporarilyUnavailable)?;
        let flight = state.flights.entry(target.url().to_owned()).or_default().clone();
        Ok(Entry::Flight(Ticket { inner: self, client_id: target.url().to_owned(), flight }))
    }

    /// Fetches for everybody who waits. What is kept and what is forgotten changes in one step, so that nobody who
    /// comes in between fetches again.
    async fn fetch(&self, target: &Target) -> Outcome {
        let fetched = self.attempt(target).await;
        let mut state = self.state();
        state.flights.remove(target.url());
        match fetched {
            Ok((document, Keep::For(fresh_for))) => {
                state.cache.keep(document.clone(), fresh_for, self.rules.clock.now());
                Ok(document)
            }
            Ok((document, Keep::No)) => Ok(document),
            Err(error) => {
                if error != ClientDocumentError::TemporarilyUnavailable {
                    state.starts.fail(target.url(), Instant::now());
                }
                Err(error)
            }
        }
    }

    async fn attempt(&self, target: &Target) -> Result<(Arc<ClientDocument>, Keep), ClientDocumentError> {
        let Ok(Ok(_turn)) = timeout(PATIENCE, self.turns.acquire()).await else {
            return Err(ClientDocumentError::TemporarilyUnavailable);
        };
        let started = self.state().starts.start(target.host(), Instant::now());
        started.map_err(|_| ClientDocumentError::TemporarilyUnavailable)?;
        let fetched = self.rules.fetcher.get_target(target, &self.rules.demand).await;
        let fetched = fetched.map_err(|_| ClientDocumentError::NotFetched)?;
        let keep = if fetched.no_store { Keep::No } else { Keep::For(fetched.fresh_for) };
        match ClientDocument::parse(target.url(), target.host(), fetched.bytes, &self.rules.accepts) {
            Ok(document) => Ok((Arc::new(document), keep)),
            Err(why) => {
                tracing::info!(client_id = target.url(), why, "a client document is not valid");
                Err(ClientDocumentError::Invalid(why))
            }
        }
    }
}

enum Keep {
    For(Option<Duration>),
    No,
}

/// A caller's part in a flight. The last one who leaves takes a flight away that never landed.
struct Ticket<'a> {
    inner: &'a Inner,
    client_id: String,
    flight: Arc<Flight>,
}

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        let mut state = self.inner.state();
        let is_ours = state.flights.get(&self.client_id).is_some_and(|it| Arc::ptr_eq(it, &self.flight));
        // One is the map's, one is this one's.
        if is_ours && Arc::strong_count(&self.flight) == 2 {
            state.flights.remove(&self.client_id);
        }
    }
}

impl fmt::Debug for ClientDocuments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientDocuments")
            .field("fetcher", &self.0.rules.fetcher)
            .field("trust", &self.0.rules.trust)
            .field("accepts", &self.0.rules.accepts)
            .finish_non_exhaustive()
    }
}

/// Fetches at one time.
const TURNS: usize = 8;
/// How long one waits for its turn.
const PATIENCE: Duration = Duration::from_secs(5);
