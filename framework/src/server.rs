//! The builder: what a server is made of, decided once.

#[cfg(feature = "budget")]
mod budget;
mod check;
mod decided;
#[cfg(feature = "auth")]
mod doctor;
mod kinds;
mod questions;
mod run;
mod service;
mod start;

use std::{
    fmt,
    marker::PhantomData,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use tower::{Layer, Service};

use crate::{
    answer::Reply,
    author::{
        catalog::CatalogHandle,
        content::Icon,
        listing::{Cache, Info},
        prompt::Prompt,
        resource::Resource,
        sets::{IntoSet, PromptSet, ResourceSet, ToolSet},
        tool::Tool,
    },
    body::Body,
    clock::{Clock, Entropy},
    doors::Allowed,
    engine::Engine,
    layers::{Admitted, CallService, HttpService, Refused},
    limits::Limits,
    seal::{KeyRing, Secret},
    serve::memory::Client,
    store::Store,
};
pub use check::{Check, CheckError, CheckReport};
pub use decided::{AuthDecided, AuthUndecided, Decided};
use start::Config;
pub use start::StartError;

/// An MCP server: tools, prompts and resources behind the row of gates.
///
/// Say what it offers, decide who may call, then serve. It is a [`tower::Service`] of HTTP requests as well, and so
/// nests in anything that speaks Tower; a wrong configuration then answers 500 until it is mended, and
/// [`check`](Server::check) tells at start.
///
/// `S` is the app's state. It is cloned for each call, so make it cheap to clone.
pub struct Server<S = (), A = Decided> {
    shared: Arc<Shared<S>>,
    auth: PhantomData<A>,
}

struct Shared<S> {
    config: Config,
    state: S,
    /// Taken when the engine is built.
    items: Mutex<Items<S>>,
    engine: OnceLock<Result<Arc<Engine>, StartError>>,
}

pub(crate) struct Items<S> {
    tools: Vec<Tool<S>>,
    prompts: Vec<Prompt<S>>,
    resources: Vec<Resource<S>>,
}

impl Server<(), AuthUndecided> {
    /// A server that offers nothing yet.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        let info = Info { name: name.into(), version: version.into(), ..Info::default() };
        let items = Items { tools: Vec::new(), prompts: Vec::new(), resources: Vec::new() };
        Self::of(Shared {
            config: Config::new(info),
            state: (),
            items: Mutex::new(items),
            engine: OnceLock::new(),
        })
    }
}

impl<A> Server<(), A> {
    /// The app's state, which tools reach by [`Cx::state`](crate::Cx::state). What was added before stays.
    #[must_use]
    pub fn state<S: Clone + Send + Sync + 'static>(self, state: S) -> Server<S, A> {
        let shared = self.unshared();
        let items = shared.items.into_inner().unwrap_or_else(PoisonError::into_inner);
        let items = Items {
            tools: items.tools.into_iter().map(Tool::lift).collect(),
            prompts: items.prompts.into_iter().map(Prompt::lift).collect(),
            resources: items.resources.into_iter().map(Resource::lift).collect(),
        };
        Server::of(Shared { config: shared.config, state, items: Mutex::new(items), engine: OnceLock::new() })
    }
}

impl<S, A> Server<S, A> {
    fn of(shared: Shared<S>) -> Self {
        Self { shared: Arc::new(shared), auth: PhantomData }
    }

    fn unshared(self) -> Shared<S> {
        Arc::into_inner(self.shared).expect("a server is configured before it is cloned or served")
    }

    fn edit(mut self, edit: impl FnOnce(&mut Shared<S>)) -> Self {
        let shared =
            Arc::get_mut(&mut self.shared).expect("a server is configured before it is cloned or served");
        assert!(shared.engine.get().is_none(), "a server is configured before it is used");
        edit(shared);
        self
    }

    fn config(self, edit: impl FnOnce(&mut Config)) -> Self {
        self.edit(|it| edit(&mut it.config))
    }

    fn items(self, edit: impl FnOnce(&mut Items<S>)) -> Self {
        self.edit(|it| edit(it.items.get_mut().unwrap_or_else(PoisonError::into_inner)))
    }

    /// Adds tools; their order is that of `tools/list`.
    #[must_use]
    pub fn tools(self, tools: impl IntoSet<ToolSet<S>>) -> Self {
        let tools = tools.into_set();
        self.items(|it| it.tools.extend(tools.0))
    }

    /// Adds prompts; their order is that of `prompts/list`.
    #[must_use]
    pub fn prompts(self, prompts: impl IntoSet<PromptSet<S>>) -> Self {
        let prompts = prompts.into_set();
        self.items(|it| it.prompts.extend(prompts.0))
    }

    /// Adds resources and templates; their order is that of the lists.
    #[must_use]
    pub fn resources(self, resources: impl IntoSet<ResourceSet<S>>) -> Self {
        let resources = resources.into_set();
        self.items(|it| it.resources.extend(resources.0))
    }

    /// What people read in place of the name.
    #[must_use]
    pub fn title(self, title: impl Into<String>) -> Self {
        let title = title.into();
        self.config(|it| it.info.title = Some(title))
    }

    /// What the server is for.
    #[must_use]
    pub fn description(self, description: impl Into<String>) -> Self {
        let description = description.into();
        self.config(|it| it.info.description = Some(description))
    }

    /// Where people read about it.
    #[must_use]
    pub fn website(self, url: impl Into<String>) -> Self {
        let url = url.into();
        self.config(|it| it.info.website = Some(url))
    }

    /// A picture.
    #[must_use]
    pub fn icon(self, icon: impl Into<Icon>) -> Self {
        let icon = icon.into();
        self.config(|it| it.info.icons.push(icon))
    }

    /// What the model should know before it uses any of the tools (server/discover).
    #[must_use]
    pub fn instructions(self, text: impl Into<String>) -> Self {
        let text = text.into();
        self.config(|it| it.instructions = Some(text))
    }

    /// Replaces the limits.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        self.config(|it| it.limits = limits)
    }

    /// Tokens that the text of a tool's result may have, unless the tool [says more](Tool::result_tokens) or less. A
    /// result that has more is not shown, and not cut either: the model is told how many tokens it had, and to ask for
    /// less. Default: any number.
    ///
    /// It needs the feature `budget`: without it the server does not start.
    #[must_use]
    pub fn result_tokens(self, most: usize) -> Self {
        self.config(|it| it.result_tokens = Some(most))
    }

    /// How long clients may keep lists, and whether caches may share them. Default: a minute, and without auth they may,
    /// since everybody gets the same (server/utilities/caching).
    #[must_use]
    pub fn cache(self, cache: Cache) -> Self {
        self.config(|it| it.cache = Some(cache))
    }

    /// The key that signs what leaves and must come back: state between rounds, sessions, cursors. Copies of a server
    /// need the same one. Without it a key is made up at start, which only a listener on this machine may do.
    #[must_use]
    pub fn secret(self, secret: Secret) -> Self {
        self.keys(KeyRing::new(secret))
    }

    /// The same with several keys, to change them without a restart.
    #[must_use]
    pub fn keys(self, keys: KeyRing) -> Self {
        self.config(|it| it.keys = Some(keys))
    }

    /// What this server calls itself in what it signs. Default: its name. Two servers that share a key and take each
    /// other's state for their own need different ones.
    #[must_use]
    pub fn audience(self, audience: impl Into<String>) -> Self {
        let audience = audience.into();
        self.config(|it| it.audience = Some(audience))
    }

    /// Where it is remembered what was spent. Default: in memory, which is right for one process.
    #[must_use]
    pub fn store(self, store: impl Store) -> Self {
        self.config(|it| it.store = Some(Arc::new(store)))
    }

    /// Replaces the clock, for tests.
    #[must_use]
    pub fn clock(self, clock: impl Clock) -> Self {
        self.config(|it| it.clock = Arc::new(clock))
    }

    /// Replaces the source of randomness, for tests.
    #[must_use]
    pub fn entropy(self, entropy: impl Entropy) -> Self {
        self.config(|it| it.entropy = Arc::new(entropy))
    }

    /// Lets tools send log messages to clients that ask for them (server/utilities/logging).
    #[must_use]
    pub fn logging(self) -> Self {
        self.config(|it| it.logging = true)
    }

    /// Declares tools, prompts and resources though there may be none yet, for a server whose
    /// [`catalog`](Server::catalog) is filled while it serves. Without it a server declares what it has.
    #[must_use]
    pub fn dynamic(self) -> Self {
        self.config(|it| it.dynamic = true)
    }

    /// Turns the revisions off that open with `initialize`.
    #[must_use]
    pub fn modern_only(self) -> Self {
        self.config(|it| it.modern_only = true)
    }

    /// The path of the endpoint. Default `/mcp`. A service that is nested elsewhere leaves it to its router.
    #[must_use]
    pub fn path(self, path: impl Into<String>) -> Self {
        let path = path.into();
        self.config(|it| it.path = path)
    }

    /// The hosts under which this server is reached, as `mcp.example.com` or with a port. Default: this machine.
    #[must_use]
    pub fn allow_hosts<H: Into<String>>(self, hosts: impl IntoIterator<Item = H>) -> Self {
        let hosts = hosts.into_iter().map(Into::into).collect();
        self.config(|it| it.hosts = Some(Allowed::These(hosts)))
    }

    /// Takes requests for any host. A page that a browser was lured to can then reach a server behind a firewall.
    #[must_use]
    pub fn allow_any_host(self) -> Self {
        self.config(|it| it.hosts = Some(Allowed::Any))
    }

    /// The origins of web pages that may call, as `https://app.example.com`. Default: this machine.
    #[must_use]
    pub fn allow_origins<O: Into<String>>(self, origins: impl IntoIterator<Item = O>) -> Self {
        let origins = origins.into_iter().map(Into::into).collect();
        self.config(|it| it.origins = Allowed::These(origins))
    }

    /// Puts one of the app's own layers around every call that passed the gates. The first one is innermost.
    ///
    /// Tower's timeout and concurrency layers end at the head of a response, while a call may go on in its body; use
    /// the [`Limits`] for those.
    #[must_use]
    pub fn call_layer<L>(self, layer: L) -> Self
    where
        L: Layer<CallService>,
        L::Service: Service<Admitted, Response = Reply, Error = Refused> + Clone + Send + Sync + 'static,
        <L::Service as Service<Admitted>>::Future: Send,
    {
        self.config(|it| it.call_layers = std::mem::take(&mut it.call_layers).around(layer))
    }

    /// Puts one of the app's own layers around HTTP, before the first gate. The last one is outermost. It stands
    /// around the server's own listener; whoever nests the server puts layers around it themselves.
    #[must_use]
    pub fn http_layer<L>(self, layer: L) -> Self
    where
        L: Layer<HttpService> + Send + Sync + 'static,
        L::Service: Service<
                http::Request<hyper::body::Incoming>,
                Response = http::Response<Body>,
                Error = std::convert::Infallible,
            > + Clone
            + Send
            + Sync
            + 'static,
        <L::Service as Service<http::Request<hyper::body::Incoming>>>::Future: Send,
    {
        self.config(|it| it.http_layers.push(Box::new(move |inner| HttpService::of(layer.layer(inner)))))
    }
}

impl<S: Clone + Send + Sync + 'static, A> Server<S, A> {
    pub(crate) fn engine(&self) -> Result<Arc<Engine>, StartError> {
        self.shared
            .engine
            .get_or_init(|| {
                let mut items = self.shared.items.lock().unwrap_or_else(PoisonError::into_inner);
                let taken = Items {
                    tools: std::mem::take(&mut items.tools),
                    prompts: std::mem::take(&mut items.prompts),
                    resources: std::mem::take(&mut items.resources),
                };
                start::build(&self.shared.config, &self.shared.state, taken).map(Arc::new)
            })
            .clone()
    }

    /// The tools, prompts and resources, to change while the server serves.
    ///
    /// # Panics
    /// When the configuration is wrong; [`check`](Self::check) tells without.
    #[must_use]
    pub fn catalog(&self) -> CatalogHandle<S>
    where
        A: AuthDecided,
    {
        let engine = self.engine().unwrap_or_else(|error| panic!("{error}"));
        CatalogHandle::new(self.shared.state.clone(), engine.catalog.clone())
    }

    /// A client in memory, for tests. It sends real requests through every gate, as the caller of that name; no road
    /// from the network leads there.
    ///
    /// # Panics
    /// When the configuration is wrong; [`check`](Self::check) tells without.
    #[must_use]
    pub fn client(&self, caller: &str) -> Client
    where
        A: AuthDecided,
    {
        Client::new(self.engine().unwrap_or_else(|error| panic!("{error}")), caller)
    }
}

impl<S> Clone for Server<S> {
    fn clone(&self) -> Self {
        Self { shared: self.shared.clone(), auth: PhantomData }
    }
}

impl<S, A> fmt::Debug for Server<S, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("name", &self.shared.config.info.name).finish_non_exhaustive()
    }
}
