//! Everything that a server lists, written out once: a list is served as bytes.

mod index;
mod pages;
mod shelf;

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use bytes::Bytes;
use hashbrown::HashMap;
use serde_json::{Map, Value, json};

use super::{
    access::Protected,
    catalog::Spending,
    content::Icon,
    registered::{RegisteredPrompt, RegisteredResource, RegisteredTool},
};
use crate::{
    caller::Caller,
    limits::Limits,
    ready::{self, Names, Scope},
    seal::KeyRing,
    wire::{names, version::Version, write},
};
pub(crate) use index::Visible;
pub(crate) use pages::OpenPage;
use pages::Pages;
use shelf::Shelf;

/// What all lists of a server share.
pub(crate) struct Frame {
    pub(crate) info: Info,
    pub(crate) instructions: Option<String>,
    pub(crate) cache: Cache,
    pub(crate) keys: KeyRing,
    pub(crate) limits: Limits,
    pub(crate) modern_only: bool,
    pub(crate) logging: bool,
    /// Whether the server offers everything, though there may be nothing yet.
    pub(crate) dynamic: bool,
    /// Whether callers show what they may do.
    pub(crate) has_auth: bool,
    pub(crate) spending: Spending,
    /// Whether servers stand behind this one.
    pub(crate) has_gateway: bool,
}

/// How long clients may keep lists, and whether caches may share them (server/utilities/caching).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cache {
    pub(crate) ttl: Duration,
    pub(crate) shared: bool,
}

impl Cache {
    /// For whoever asked, for so long. Whole milliseconds count.
    #[must_use]
    pub const fn private(ttl: Duration) -> Self {
        Self { ttl, shared: false }
    }

    /// For everybody, for so long: caches between may serve it to others.
    #[must_use]
    pub const fn public(ttl: Duration) -> Self {
        Self { ttl, shared: true }
    }

    /// Appends the hints as members of a result.
    pub(crate) fn write(self, out: &mut Vec<u8>) {
        let ttl = u64::try_from(self.ttl.as_millis()).unwrap_or(u64::MAX).min(MOST_MILLIS);
        out.extend_from_slice(br#","ttlMs":"#);
        write::json(out, &ttl);
        out.extend_from_slice(br#","cacheScope":"#);
        write::string(out, self.scope());
    }

    const fn scope(self) -> &'static str {
        if self.shared { "public" } else { "private" }
    }
}

/// The largest whole number that every JSON reader keeps.
const MOST_MILLIS: u64 = (1 << 53) - 1;

/// Who the server says it is (schema: `Implementation`).
#[derive(Clone, Debug, Default)]
pub(crate) struct Info {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) website: Option<String>,
    pub(crate) icons: Vec<Icon>,
}

impl Info {
    pub(crate) fn json(&self) -> Value {
        let mut info = Map::new();
        info.insert("name".into(), self.name.as_str().into());
        if let Some(it) = &self.title {
            info.insert("title".into(), it.as_str().into());
        }
        info.insert("version".into(), self.version.as_str().into());
        if let Some(it) = &self.description {
            info.insert("description".into(), it.as_str().into());
        }
        if let Some(it) = &self.website {
            info.insert("websiteUrl".into(), it.as_str().into());
        }
        if !self.icons.is_empty() {
            info.insert("icons".into(), json!(self.icons));
        }
        info.into()
    }
}

/// What a list lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Tools,
    Prompts,
    Resources,
    Templates,
}

impl Kind {
    const fn member(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Prompts => "prompts",
            Self::Resources => "resources",
            Self::Templates => "resourceTemplates",
        }
    }
}

/// One state of everything that is listed. It never changes: a change makes a new one.
pub(crate) struct Listing {
    pub(crate) tools: Table<RegisteredTool>,
    /// Tools of servers behind this one, by `server:tool`.
    upstream: HashMap<String, usize>,
    /// Made when somebody first asks for a tool that there is not.
    names: OnceLock<Names>,
    pub(crate) prompts: Table<RegisteredPrompt>,
    /// Without variables.
    pub(crate) resources: Table<RegisteredResource>,
    pub(crate) templates: Vec<Arc<RegisteredResource>>,
    shelves: [Shelf; 4],
    /// The whole answer to `server/discover` but for the id.
    pub(crate) discover: Bytes,
    pub(crate) offers: Offers,
    pub(crate) capabilities: Value,
    /// The `_meta` member that ends every modern result.
    pub(crate) result_end: Bytes,
}

/// Items in the order they were written, found by name.
pub(crate) struct Table<T> {
    all: Vec<Arc<T>>,
    by_name: HashMap<String, usize>,
}

impl<T> Table<T> {
    pub(crate) fn new(all: Vec<Arc<T>>, name: impl Fn(&T) -> &str) -> Self {
        let by_name = all.iter().enumerate().map(|(at, it)| (name(it).to_owned(), at)).collect();
        Self { all, by_name }
    }

    pub(crate) fn find(&self, name: &str) -> Option<&Arc<T>> {
        self.by_name.get(name).map(|at| &self.all[*at])
    }

    pub(crate) fn all(&self) -> &[Arc<T>] {
        &self.all
    }
}

impl Listing {
    /// What the listing before declared stays declared: clients go by it, and a list may be empty.
    pub(crate) fn new(
        frame: &Frame,
        tools: Vec<Arc<RegisteredTool>>,
        prompts: Vec<Arc<RegisteredPrompt>>,
        resources: Vec<Arc<RegisteredResource>>,
        before: Offers,
    ) -> Self {
        let (resources, templates): (Vec<_>, Vec<_>) =
            resources.into_iter().partition(|it| it.template.is_plain());
        let result_end = result_end(&frame.info);
        let shelves = [
            Shelf::new(frame, Kind::Tools, &result_end, protected(&tools)),
            Shelf::new(frame, Kind::Prompts, &result_end, protected(&prompts)),
            Shelf::new(frame, Kind::Resources, &result_end, protected(&resources)),
            Shelf::new(frame, Kind::Templates, &result_end, protected(&templates)),
        ];
        let offers = Offers {
            tools: before.tools || !tools.is_empty(),
            prompts: before.prompts || !prompts.is_empty(),
            resources: before.resources || !resources.is_empty() || !templates.is_empty(),
            completions: before.completions
                || prompts.iter().any(|it| !it.completions.is_empty())
                || templates.iter().any(|it| !it.completions.is_empty()),
        };
        let capabilities = offers.capabilities(frame.logging);
        Self {
            discover: discover(frame, &capabilities, &result_end),
            upstream: index::upstream(&tools),
            names: OnceLock::new(),
            tools: Table::new(tools, |it| &it.name),
            prompts: Table::new(prompts, |it| &it.name),
            resources: Table::new(resources, |it| &it.uri),
            templates,
            shelves,
            offers,
            capabilities,
            result_end,
        }
    }

    /// A page of a list as the caller may see it; `None` when the cursor is not ours, or the list has changed since it
    /// was given out.
    pub(crate) fn page(&self, frame: &Frame, wanted: &Wanted<'_>) -> Option<Bytes> {
        self.shown_to(frame, wanted, |it| it.find(frame, &self.result_end, wanted.version, wanted.cursor))
    }

    /// The same, to be written to its end for this caller alone.
    pub(crate) fn open_page(&self, frame: &Frame, wanted: &Wanted<'_>) -> Option<OpenPage> {
        self.shown_to(frame, wanted, |it| it.open(frame, &self.result_end, wanted.version, wanted.cursor))
    }

    fn shown_to<T>(&self, frame: &Frame, wanted: &Wanted<'_>, take: impl FnOnce(&Pages) -> T) -> T {
        let shelf = &self.shelves[wanted.kind as usize];
        shelf.shown_to(frame, &self.result_end, wanted.caller, wanted.servers, take)
    }

    /// The resource that a URI is of, with the variables in it: the one of that very URI, or the first template that it
    /// fits, whoever asks.
    pub(crate) fn resource(&self, uri: &str) -> Option<(&Arc<RegisteredResource>, Variables<'_>)> {
        if let Some(resource) = self.resources.find(uri) {
            return Some((resource, Vec::new()));
        }
        let mut templates = self.templates.iter().filter(|_| uri.len() <= URI_BYTES);
        templates.find_map(|it| it.template.matches(uri).map(|variables| (it, variables)))
    }

    pub(crate) fn has(&self, capability: &str) -> bool {
        self.capabilities.get(capability).is_some()
    }
}

/// Which page of which list, and for whom.
pub(crate) struct Wanted<'a> {
    pub(crate) kind: Kind,
    pub(crate) caller: &'a Caller,
    /// The servers behind this one that the caller may use.
    pub(crate) servers: &'a Scope,
    pub(crate) version: Version,
    pub(crate) cursor: Option<&'a str>,
}

/// The variables of a template by name.
pub(crate) type Variables<'a> = Vec<(&'a str, String)>;

/// Bytes of a URI that is matched against templates.
const URI_BYTES: usize = 8 * 1024;

fn protected<T: Protected + 'static>(all: &[Arc<T>]) -> Vec<Arc<dyn Protected>> {
    all.iter().map(|it| it.clone() as Arc<dyn Protected>).collect()
}

/// `,"_meta":{..}}`: what ends every modern result.
fn result_end(info: &Info) -> Bytes {
    let mut out = Vec::with_capacity(128);
    out.extend_from_slice(br#","_meta":"#);
    write::json(&mut out, &json!({ names::SERVER_INFO: info.json() }));
    out.push(b'}');
    out.into()
}

/// What a server offers. What it has offered once it goes on offering, though nothing of it may be left.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Offers {
    tools: bool,
    prompts: bool,
    resources: bool,
    completions: bool,
}

impl Offers {
    /// Everything or nothing, before anything is registered.
    pub(crate) const fn of(all: bool) -> Self {
        Self { tools: all, prompts: all, resources: all, completions: all }
    }

    fn capabilities(self, logging: bool) -> Value {
        let changing = json!({"listChanged": true});
        let all = [
            ("logging", logging, json!({})),
            ("completions", self.completions, json!({})),
            ("prompts", self.prompts, changing.clone()),
            ("resources", self.resources, json!({"subscribe": true, "listChanged": true})),
            ("tools", self.tools, changing),
        ];
        Value::Object(all.into_iter().filter(|it| it.1).map(|it| (it.0.to_owned(), it.2)).collect())
    }
}

/// Where there are tools, clients may ask whether they are ready.
fn with_extensions(capabilities: &Value) -> Value {
    let mut all = capabilities.clone();
    if all.get("tools").is_some() {
        let settings = json!({"version": ready::VERSION, "max_tools": ready::MAX_TOOLS});
        all["extensions"] = json!({ ready::EXTENSION: settings });
    }
    all
}

fn discover(frame: &Frame, capabilities: &Value, result_end: &[u8]) -> Bytes {
    let mut out = Vec::with_capacity(512);
    out.extend_from_slice(br#"{"jsonrpc":"2.0","result":{"resultType":"complete","supportedVersions":"#);
    write::json(&mut out, &supported(frame.modern_only));
    out.extend_from_slice(br#","capabilities":"#);
    write::json(&mut out, &with_extensions(capabilities));
    if let Some(instructions) = &frame.instructions {
        out.extend_from_slice(br#","instructions":"#);
        write::string(&mut out, instructions);
    }
    frame.cache.write(&mut out);
    out.extend_from_slice(result_end);
    out.extend_from_slice(br#","id":"#);
    out.into()
}

/// The versions that a server speaks, newest first.
pub(crate) fn supported(modern_only: bool) -> Vec<&'static str> {
    Version::ALL.into_iter().filter(|it| it.is_modern() || !modern_only).map(Version::as_str).collect()
}
