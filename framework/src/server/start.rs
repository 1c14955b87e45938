//! From the configuration to a running server, or everything that is wrong with it.

use std::{
    fmt, io,
    net::SocketAddr,
    sync::{Arc, atomic::AtomicUsize},
    time::Duration,
};

use super::{Items, kinds::Kinds};
#[cfg(feature = "auth")]
use crate::{auth::Auth, author::access::published};
use crate::{
    author::{
        access::Protected,
        call::Backing,
        catalog::{Catalog, Spending},
        listing::{Cache, Frame, Info},
    },
    clock::{Clock, Entropy, Os},
    doors::{Allowed, Doors},
    engine::Engine,
    handles::Handles,
    layers::{CallLayers, HttpService},
    limits::Limits,
    pending::Pending,
    permits::{PerCaller, Permits},
    ready::Readiness,
    seal::{KeyRing, Secret},
    store::{MemoryStore, Store},
};

pub(crate) type HttpLayer = Box<dyn Fn(HttpService) -> HttpService + Send + Sync>;

pub(crate) struct Config {
    pub(crate) info: Info,
    pub(crate) instructions: Option<String>,
    pub(crate) limits: Limits,
    pub(crate) spending: Spending,
    pub(crate) result_tokens: Option<usize>,
    /// Unless it was said, whoever reads a list may share it where everybody may read it.
    pub(crate) cache: Option<Cache>,
    pub(crate) keys: Option<KeyRing>,
    pub(crate) audience: Option<String>,
    pub(crate) store: Option<Arc<dyn Store>>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) logging: bool,
    pub(crate) dynamic: bool,
    pub(crate) modern_only: bool,
    pub(crate) path: String,
    pub(crate) hosts: Option<Allowed>,
    pub(crate) origins: Allowed,
    pub(crate) exposed: bool,
    #[cfg(feature = "auth")]
    pub(crate) auth: Option<Auth>,
    pub(crate) call_layers: CallLayers,
    pub(crate) readiness: Readiness,
    pub(crate) http_layers: Vec<HttpLayer>,
}

/// Everything that is wrong with a server's configuration.
#[derive(Clone, PartialEq, Eq)]
pub struct StartError(Vec<String>);

impl StartError {
    /// One sentence for each fault.
    #[must_use]
    pub fn faults(&self) -> &[String] {
        &self.0
    }
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the server does not start:")?;
        self.0.iter().try_for_each(|it| write!(f, "\n- {it}"))
    }
}

/// The same sentences: a `main` that returns an error prints its `Debug` form.
impl fmt::Debug for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for StartError {}

impl Config {
    pub(crate) fn new(info: Info) -> Self {
        Self {
            info,
            instructions: None,
            limits: Limits::default(),
            spending: Spending::default(),
            result_tokens: None,
            cache: None,
            keys: None,
            audience: None,
            store: None,
            clock: Arc::new(Os),
            entropy: Arc::new(Os),
            logging: false,
            dynamic: false,
            modern_only: false,
            path: "/mcp".into(),
            hosts: None,
            origins: Allowed::Loopback,
            exposed: false,
            #[cfg(feature = "auth")]
            auth: None,
            call_layers: CallLayers::default(),
            readiness: Readiness::default(),
            http_layers: Vec::new(),
        }
    }

    /// Says what works here and will not with a restart or a second copy.
    pub(crate) fn warn_of_what_is_forgotten(&self) {
        if self.keys.is_none() {
            tracing::warn!(
                "no secret is set: state that leaves this process is worthless to any other, and after a restart"
            );
        } else if self.store.is_none() {
            tracing::warn!(
                "a secret is set, and what was spent is remembered in memory only: it is forgotten at a restart and \
                 unknown to other copies; call `.store(..)`"
            );
        }
    }

    /// What the address that is listened on asks of the configuration.
    ///
    /// # Errors
    /// All of it that is missing.
    pub(crate) fn check_address(&self, address: SocketAddr) -> io::Result<()> {
        let mut faults = Vec::new();
        if address.ip().is_loopback() {
            return Ok(());
        }
        if !self.exposed && !self.has_auth() {
            faults.push(format!(
                "{address} is reached from other machines and there is no auth: listen on 127.0.0.1, or say \
                 `.expose_without_auth()`"
            ));
        }
        if self.keys.is_none() {
            faults.push(format!(
                "{address} is reached from other machines and no key is set: call \
                 `.secret(Secret::from_env(\"TOLLGATE_SECRET\")?)`"
            ));
        }
        if self.hosts.is_none() {
            faults.push(format!(
                "{address} is reached from other machines under a name that is not known: call \
                 `.allow_hosts([\"mcp.example.com\"])`, or `.allow_any_host()`"
            ));
        }
        if faults.is_empty() { Ok(()) } else { Err(io::Error::other(StartError(faults))) }
    }

    /// Whether callers show a token.
    const fn has_auth(&self) -> bool {
        #[cfg(feature = "auth")]
        {
            self.auth.is_some()
        }
        #[cfg(not(feature = "auth"))]
        {
            false
        }
    }

    /// Caches between may not hand to anybody what was answered to a token.
    const fn usual_cache(&self) -> Cache {
        let ttl = Duration::from_secs(60);
        if self.has_auth() { Cache::private(ttl) } else { Cache::public(ttl) }
    }

    fn faults(&self) -> Vec<String> {
        let mut faults = self.limits.faults();
        if self.result_tokens == Some(0) {
            faults.push("results may have 0 tokens".into());
        }
        if self.result_tokens.is_some() && !cfg!(feature = "budget") {
            faults.push("the tokens of results are limited, which needs the feature `budget`".into());
        }
        if self.info.name.is_empty() {
            faults.push("the server has no name".into());
        }
        if !is_path(&self.path) {
            faults.push(format!(
                "the path `{}` does not start with `/`, or holds `?`, `#` or blanks",
                self.path
            ));
        }
        match &self.readiness.api {
            Some(api) if !is_path(api) => {
                faults.push(format!("the path `{api}` does not start with `/`, or holds `?`, `#` or blanks"))
            }
            Some(api) if *api == self.path => {
                faults.push(format!("the endpoint and the preflight are both at `{api}`"));
            }
            Some(_) => {}
            None if self.readiness.operator.is_some() => faults.push(
                "there is an operator's key and nothing that it opens: call `.preflight_api(..)`".into(),
            ),
            None => {}
        }
        let names = |it: &Allowed| match it {
            Allowed::These(names) => names.clone(),
            Allowed::Any | Allowed::Loopback => Vec::new(),
        };
        let hosts = self.hosts.as_ref().map(names).unwrap_or_default();
        if names(&self.origins).iter().chain(&hosts).any(|it| it == "*") {
            faults.push("`*` is no host and no origin: name them, or call `.allow_any_host()`".into());
        }
        let broken = hosts.iter().filter(|it| it.as_str() != "*" && !is_host(it));
        faults.extend(broken.map(|it| format!("`{it}` is no host: write `mcp.example.com`")));
        if let Allowed::These(origins) = &self.origins {
            let broken = origins.iter().filter(|it| it.as_str() != "*" && !is_origin(it));
            faults.extend(broken.map(|it| format!("`{it}` is no origin: write `https://app.example.com`")));
        }
        faults
    }
}

fn is_path(text: &str) -> bool {
    text.starts_with('/') && !text.contains(['?', '#', ' '])
}

fn is_host(text: &str) -> bool {
    !text.is_empty() && !text.contains(['/', '*', ' ', '@'])
}

fn is_origin(text: &str) -> bool {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    host.is_some_and(|it| !it.is_empty() && !it.contains(['/', '*', ' ']))
}

pub(crate) fn build<S: Clone + Send + Sync + 'static>(
    config: &Config,
    state: &S,
    items: Items<S>,
) -> Result<Engine, StartError> {
    let mut faults = config.faults();
    let kinds = Kinds::of(&items);
    faults.extend(kinds.namesakes());
    kinds.warn(config.has_auth());
    let tools = registered(items.tools, &mut faults, |it| it.register(state.clone(), &config.limits));
    let prompts = registered(items.prompts, &mut faults, |it| it.register(state.clone()));
    let resources = registered(items.resources, &mut faults, |it| it.register(state.clone()));
    let accesses = tools.iter().map(Protected::access);
    let accesses = accesses.chain(prompts.iter().map(Protected::access));
    let accesses: Vec<_> = accesses.chain(resources.iter().map(Protected::access)).collect();
    if !config.has_auth() && accesses.iter().any(|it| !it.scopes().is_empty()) {
        tracing::warn!("there are scopes and no auth: everybody has every scope");
    }
    if config.readiness.gateway.is_none() && tools.iter().any(|it| it.upstream.is_some()) {
        tracing::warn!(
            "tools are said to be of servers behind this one, and nothing is known of those: call `.gateway(..)`"
        );
    }
    #[cfg(feature = "auth")]
    let auth = config.auth.as_ref().and_then(|it| {
        it.build(published(accesses), &config.clock, &*config.entropy)
            .map_err(|more| faults.extend(more))
            .ok()
            .map(Arc::new)
    });
    let keys = match &config.keys {
        Some(keys) => Some(keys.clone()),
        None => Secret::random().map(KeyRing::new).map_err(|error| faults.push(error.to_string())).ok(),
    };
    let Some(keys) = keys else { return Err(StartError(faults)) };
    let frame = Frame {
        info: config.info.clone(),
        instructions: config.instructions.clone(),
        cache: config.cache.unwrap_or_else(|| config.usual_cache()),
        keys: keys.clone(),
        limits: config.limits.clone(),
        modern_only: config.modern_only,
        logging: config.logging,
        dynamic: config.dynamic,
        has_auth: config.has_auth(),
        spending: config.spending,
        has_gateway: config.readiness.gateway.is_some(),
    };
    let catalog = match Catalog::new(frame, tools, prompts, resources) {
        Ok(catalog) if faults.is_empty() => Arc::new(catalog),
        Ok(_) => return Err(StartError(faults)),
        Err(error) => return Err(StartError([faults, error.0].concat())),
    };
    let limits = config.limits.clone();
    let store = config.store.clone().unwrap_or_else(|| Arc::new(MemoryStore::new()));
    let audience = config.audience.clone().unwrap_or_else(|| config.info.name.clone());
    let handles = Handles {
        store: store.clone(),
        clock: config.clock.clone(),
        entropy: config.entropy.clone(),
        keys: keys.clone(),
        audience: audience.clone(),
        most: limits.handles_per_caller,
    };
    let backing = Backing {
        store,
        handles: Arc::new(handles),
        clock: config.clock.clone(),
        entropy: config.entropy.clone(),
        pending: Pending::default(),
        catalog: catalog.clone(),
        notifications_per_second: limits.notifications_per_second,
        redeemed_for: limits.state_time * limits.rounds + limits.call_time_max + SKEW,
    };
    Ok(Engine {
        backing: Arc::new(backing),
        catalog,
        doors: Doors {
            hosts: config.hosts.clone().unwrap_or(Allowed::Loopback),
            origins: config.origins.clone(),
            legacy: !config.modern_only,
        },
        #[cfg(feature = "auth")]
        auth,
        keys,
        audience,
        // A store of its own, unless the app has one: ending sessions is free, and must not fill the other.
        sessions: config.store.clone().unwrap_or_else(|| Arc::new(MemoryStore::new().with_limit(SESSIONS))),
        modern_only: config.modern_only,
        calls: Permits::new(limits.calls, limits.calls_per_second),
        calls_per_caller: PerCaller::new(limits.calls_per_caller, limits.calls_per_second_per_caller),
        listeners: Permits::new(limits.listeners, None),
        listeners_per_caller: PerCaller::new(limits.listeners_per_caller, None),
        reading: AtomicUsize::new(0),
        call_layers: config.call_layers.clone(),
        #[cfg(feature = "budget")]
        result_tokens: config.result_tokens,
        readiness: config.readiness.clone(),
        limits,
    })
}

/// How far the clocks of two servers may be apart.
const SKEW: Duration = Duration::from_secs(60);
/// Ended sessions that are remembered at most, where the app has no store.
const SESSIONS: usize = 10_000;

fn registered<T, R>(
    items: Vec<T>,
    faults: &mut Vec<String>,
    register: impl Fn(T) -> Result<R, Vec<String>>,
) -> Vec<R> {
    let mut all = Vec::with_capacity(items.len());
    for it in items {
        match register(it) {
            Ok(registered) => all.push(registered),
            Err(more) => faults.extend(more),
        }
    }
    all
}
