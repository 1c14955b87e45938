//! What a server offers, to read and to change while it serves.

mod spending;

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError, RwLock},
};

use super::{
    listing::{Frame, Listing, Offers},
    prompt::Prompt,
    registered::{RegisteredPrompt, RegisteredResource, RegisteredTool},
    resource::Resource,
    tool::Tool,
};
#[cfg(feature = "budget")]
use crate::budget::Costs;
use crate::changes::{Changes, Topic};
pub(crate) use spending::Spending;

/// The one place that holds the current [`Listing`], and tells listeners when it changes.
pub(crate) struct Catalog {
    pub(crate) frame: Frame,
    pub(crate) changes: Changes,
    current: RwLock<Arc<Listing>>,
    /// Held while a new listing is made, so that two changes at once both stay.
    change: Mutex<()>,
}

/// Why a change was refused. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogError(pub(crate) Vec<String>);

impl fmt::Display for CatalogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("; "))
    }
}

impl std::error::Error for CatalogError {}

impl Catalog {
    pub(crate) fn new(
        frame: Frame,
        tools: Vec<RegisteredTool>,
        prompts: Vec<RegisteredPrompt>,
        resources: Vec<RegisteredResource>,
    ) -> Result<Self, CatalogError> {
        let faults = [
            twice("tools", tools.iter().map(|it| it.name.as_str())),
            twice("prompts", prompts.iter().map(|it| it.name.as_str())),
            twice("resources", resources.iter().map(|it| it.uri.as_str())),
            frame.spending.faults(&tools),
        ]
        .concat();
        if !faults.is_empty() {
            return Err(CatalogError(faults));
        }
        let listing = Listing::new(
            &frame,
            tools.into_iter().map(Arc::new).collect(),
            prompts.into_iter().map(Arc::new).collect(),
            resources.into_iter().map(Arc::new).collect(),
            Offers::of(frame.dynamic),
        );
        Ok(Self {
            frame,
            changes: Changes::default(),
            current: RwLock::new(Arc::new(listing)),
            change: Mutex::new(()),
        })
    }

    pub(crate) fn current(&self) -> Arc<Listing> {
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Makes the next listing from the parts of this one, and tells whoever listens.
    fn change<T>(
        &self,
        topic: Topic,
        edit: impl FnOnce(&mut Parts) -> Result<T, CatalogError>,
    ) -> Result<T, CatalogError> {
        let one_at_a_time = self.change.lock().unwrap_or_else(PoisonError::into_inner);
        let before = self.current();
        let mut parts = Parts::of(&before);
        let done = edit(&mut parts)?;
        let next = Listing::new(&self.frame, parts.tools, parts.prompts, parts.resources, before.offers);
        let next = Arc::new(next);
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = next.clone();
        drop(one_at_a_time);
        // The author's code may be dropped with it, and may want the catalog.
        drop(before);
        if topic == Topic::Tools {
            self.frame.spending.tell(next.tools.all());
        }
        self.changes.list_changed(topic);
        Ok(done)
    }
}

/// A listing taken apart.
struct Parts {
    tools: Vec<Arc<RegisteredTool>>,
    prompts: Vec<Arc<RegisteredPrompt>>,
    resources: Vec<Arc<RegisteredResource>>,
}

impl Parts {
    fn of(listing: &Listing) -> Self {
        Self {
            tools: listing.tools.all().to_vec(),
            prompts: listing.prompts.all().to_vec(),
            resources: listing.resources.all().iter().chain(&listing.templates).cloned().collect(),
        }
    }
}

/// The tools, prompts and resources of a server, to change while it serves. Clones change the same server.
///
/// Every change makes new lists at once, and clients that listen are told (basic/patterns/subscriptions).
///
/// ```
/// # use tollgate::prelude::*;
/// # use tollgate::serde_json::json;
/// let server = Server::new("gateway", "1.0.0").without_auth();
/// let catalog = server.catalog();
/// let schema = json!({"type": "object"});
/// catalog.add_tool(Tool::new("ping", "Says pong.", schema, async |_cx, _| Ok("pong"))).unwrap();
/// assert!(catalog.remove_tool("ping"));
/// ```
#[derive(Clone)]
pub struct CatalogHandle<S = ()> {
    state: S,
    catalog: Arc<Catalog>,
}

impl<S: Clone> CatalogHandle<S> {
    pub(crate) const fn new(state: S, catalog: Arc<Catalog>) -> Self {
        Self { state, catalog }
    }
}

impl<S: Clone + Send + Sync + 'static> CatalogHandle<S> {
    /// Adds a tool at the end of the list, or puts it in the place of the one of the same name.
    ///
    /// # Errors
    /// When something is wrong with it, all of it, or the list would cost more tokens than the server's budget allows;
    /// nothing is changed then.
    pub fn add_tool(&self, tool: Tool<S>) -> Result<(), CatalogError> {
        let tool = tool.register(self.state.clone(), &self.catalog.frame.limits).map_err(CatalogError)?;
        self.catalog.change(Topic::Tools, |it| {
            put(&mut it.tools, tool, |it| &it.name)?;
            self.catalog.frame.spending.allow(&it.tools).map_err(CatalogError)
        })
    }

    /// Removes a tool; says whether it was there. Calls that run go on.
    pub fn remove_tool(&self, name: &str) -> bool {
        self.catalog.change(Topic::Tools, |it| take(&mut it.tools, |it| it.name == name)).is_ok()
    }

    /// Adds a prompt at the end of the list, or puts it in the place of the one of the same name.
    ///
    /// # Errors
    /// When something is wrong with it, all of it; nothing is changed then.
    pub fn add_prompt(&self, prompt: Prompt<S>) -> Result<(), CatalogError> {
        let prompt = prompt.register(self.state.clone()).map_err(CatalogError)?;
        self.catalog.change(Topic::Prompts, |it| put(&mut it.prompts, prompt, |it| &it.name))
    }

    /// Removes a prompt; says whether it was there.
    pub fn remove_prompt(&self, name: &str) -> bool {
        self.catalog.change(Topic::Prompts, |it| take(&mut it.prompts, |it| it.name == name)).is_ok()
    }

    /// Adds a resource at the end of the list, or puts it in the place of the one of the same URI.
    ///
    /// # Errors
    /// When something is wrong with it, all of it; nothing is changed then.
    pub fn add_resource(&self, resource: Resource<S>) -> Result<(), CatalogError> {
        let resource = resource.register(self.state.clone()).map_err(CatalogError)?;
        self.catalog.change(Topic::Resources, |it| put(&mut it.resources, resource, |it| &it.uri))
    }

    /// Removes a resource or a template; says whether it was there.
    pub fn remove_resource(&self, uri: &str) -> bool {
        self.catalog.change(Topic::Resources, |it| take(&mut it.resources, |it| it.uri == uri)).is_ok()
    }

    /// What the tools cost in `tools/list`, for a caller who may see all of them, those too that a budget leaves out.
    #[cfg(feature = "budget")]
    #[must_use]
    pub fn tokens(&self) -> Costs {
        self.catalog.current().tools.all().iter().map(|it| it.cost().clone()).collect()
    }

    /// Tells whoever subscribed to this resource that it has changed.
    pub fn resource_updated(&self, uri: &str) {
        self.catalog.changes.resource_updated(uri);
    }
}

#[expect(clippy::unnecessary_wraps, reason = "an edit may fail, this one does not")]
fn put<T>(all: &mut Vec<Arc<T>>, new: T, name: impl Fn(&T) -> &str) -> Result<(), CatalogError> {
    let new = Arc::new(new);
    match all.iter().position(|it| name(it) == name(&new)) {
        Some(at) => all[at] = new,
        None => all.push(new),
    }
    Ok(())
}

fn take<T>(all: &mut Vec<Arc<T>>, is_it: impl Fn(&T) -> bool) -> Result<(), CatalogError> {
    let at = all.iter().position(|it| is_it(it)).ok_or_else(|| CatalogError(Vec::new()))?;
    all.remove(at);
    Ok(())
}

fn twice<'a>(what: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    names.filter(|it| !seen.insert(*it)).map(|it| format!("two {what} are named `{it}`")).collect()
}

impl<S> fmt::Debug for CatalogHandle<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CatalogHandle").finish_non_exhaustive()
    }
}
