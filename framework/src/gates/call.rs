//! What is being called: the method, and the tool, prompt or resource it names.

use std::{borrow::Cow, sync::Arc};

use serde_json::{Map, Value};

use super::{
    door::Verb,
    era::{self, Dated},
    message::{Message, Sort},
    refusal::{Reason, Refusal, URIS_BYTES},
    session::Seated,
};
use crate::{
    author::{
        access::Protected,
        listing::{Kind as List, Listing},
        registered::{RegisteredPrompt, RegisteredResource, RegisteredTool},
    },
    caller::Caller,
    gate::Gate,
    limits::Limits,
    ready::Asked,
    wire::{
        capabilities::Capabilities,
        level::Level,
        scan::{Kind, Slot, Span},
        version::Version,
        write,
    },
};

/// A request whose target is known.
pub(crate) struct Resolved {
    pub(crate) dated: Dated,
    pub(crate) listing: Arc<Listing>,
    pub(crate) target: Target,
}

impl Resolved {
    /// The whole answer to a call that the model can mend: what went wrong, and what to do.
    pub(crate) fn tool_error(&self, text: &str) -> Vec<u8> {
        let id = self.dated.read.message.id.as_ref().map_or(b"null".as_slice(), |it| it.json());
        let end = self.dated.era.version.is_modern().then_some(&*self.listing.result_end);
        write::tool_error(id, end, text)
    }
}

/// What a message can be about.
pub(crate) enum Target {
    Discover,
    /// The question that may ride on the tools is read by the next gate.
    List {
        kind: List,
        cursor: Option<String>,
        asked: Option<Box<Asked>>,
    },
    Tool {
        tool: Arc<RegisteredTool>,
        arguments: Value,
    },
    Prompt {
        prompt: Arc<RegisteredPrompt>,
        arguments: Value,
    },
    Resource {
        resource: Arc<RegisteredResource>,
        uri: String,
        arguments: Value,
    },
    #[cfg(feature = "resolve")]
    Resolve {
        tool: Arc<RegisteredTool>,
    },
    Complete {
        source: Source,
        name: String,
        typed: String,
    },
    Listen(Filter),
    Notification,
    // Legacy only.
    Initialize {
        version: Version,
        capabilities: Capabilities,
    },
    Ping,
    SetLevel(Level),
    Subscribe(String),
    Unsubscribe(String),
    Answer(Result<Value, Value>),
    Stream,
    EndSession,
}

/// What completion completes.
pub(crate) enum Source {
    Prompt(Arc<RegisteredPrompt>),
    Template(Arc<RegisteredResource>),
}

/// What a listener wants to hear (basic/patterns/subscriptions#notification-filter).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Filter {
    pub(crate) tools: bool,
    pub(crate) prompts: bool,
    pub(crate) resources: bool,
    pub(crate) uris: Vec<String>,
    /// Those among them with handles that are not the caller's.
    pub(crate) unheard: Vec<String>,
}

pub(crate) struct Resolve;

impl Gate for Resolve {
    type In = Seated;
    type Out = Resolved;

    fn pass(it: Seated) -> Result<Resolved, Refusal> {
        let dated = it.0;
        let listing = dated.read.engine.catalog.current();
        let target = match dated.read.message.sort {
            Sort::Request => request(&dated, &listing),
            Sort::Notification => Ok(Target::Notification),
            Sort::Response => response(&dated),
            Sort::Verb if dated.read.verb == Verb::Get => Ok(Target::Stream),
            Sort::Verb => Ok(Target::EndSession),
        };
        match target {
            Ok(target) => Ok(Resolved { dated, listing, target }),
            Err(reason) => Err(reason.of(dated.read.message.id.as_ref())),
        }
    }
}

fn request(it: &Dated, listing: &Listing) -> Result<Target, Reason> {
    let message = &it.read.message;
    let is_modern = it.era.version.is_modern();
    let method = message.method();
    match method {
        "tools/call" if listing.has("tools") => tool(it, listing),
        "tools/list" if listing.has("tools") => Ok(list(message, List::Tools)),
        #[cfg(feature = "resolve")]
        "tools/resolve" if listing.has("tools") => resolve(it, listing),
        "prompts/get" if listing.has("prompts") => prompt(it, listing),
        "prompts/list" if listing.has("prompts") => Ok(list(message, List::Prompts)),
        "resources/read" if listing.has("resources") => resource(it, listing, !is_modern),
        "resources/list" if listing.has("resources") => Ok(list(message, List::Resources)),
        "resources/templates/list" if listing.has("resources") => Ok(list(message, List::Templates)),
        "completion/complete" if listing.has("completions") => complete(it, listing),
        "server/discover" if is_modern => Ok(Target::Discover),
        "subscriptions/listen" if is_modern => filter(message, &it.read.engine.limits).map(Target::Listen),
        "initialize" if !is_modern => initialize(message),
        "ping" if !is_modern => Ok(Target::Ping),
        "logging/setLevel" if !is_modern && listing.has("logging") => level(message).map(Target::SetLevel),
        "resources/subscribe" if !is_modern && listing.has("resources") => {
            uri(message).map(Target::Subscribe)
        }
        "resources/unsubscribe" if !is_modern && listing.has("resources") => {
            uri(message).map(Target::Unsubscribe)
        }
        unknown => Err(Reason::MethodUnknown { method: unknown.to_owned(), legacy: !is_modern }),
    }
}

fn tool(it: &Dated, listing: &Listing) -> Result<Target, Reason> {
    let message = &it.read.message;
    let name = text(message, Slot::Name)?;
    let found = listing.tools.find(&name);
    let tool = usable(found, &it.read.caller, || Reason::ToolUnknown(name.into_owned()))?;
    let arguments =
        object(message, Slot::Arguments)?.map_or_else(|| Map::new().into(), |it| message.value(it));
    Ok(Target::Tool { tool: tool.clone(), arguments })
}

#[cfg(feature = "resolve")]
fn resolve(it: &Dated, listing: &Listing) -> Result<Target, Reason> {
    match tool(it, listing)? {
        Target::Tool { tool, .. } => Ok(Target::Resolve { tool }),
        other => Ok(other),
    }
}

fn prompt(it: &Dated, listing: &Listing) -> Result<Target, Reason> {
    let message = &it.read.message;
    let name = text(message, Slot::Name)?;
    let found = listing.prompts.find(&name);
    let prompt = usable(found, &it.read.caller, || Reason::PromptUnknown(name.into_owned()))?;
    let texts = texts(object(message, Slot::Arguments)?.map(|it| message.value(it)))?;
    let arguments = prompt.input.read(texts.into_iter());
    Ok(Target::Prompt { prompt: prompt.clone(), arguments })
}

fn resource(it: &Dated, listing: &Listing, legacy: bool) -> Result<Target, Reason> {
    let uri = text(&it.read.message, Slot::Uri)?;
    let (found, variables) = listing.resource(&uri).unzip();
    let unknown = || Reason::ResourceUnknown { uri: uri.clone().into_owned(), legacy };
    let resource = usable(found, &it.read.caller, unknown)?.clone();
    let arguments = variables_of(&resource, variables.unwrap_or_default());
    Ok(Target::Resource { resource, uri: uri.into_owned(), arguments })
}

/// The variables of a template, as its arguments.
pub(super) fn variables_of(resource: &RegisteredResource, variables: Vec<(&str, String)>) -> Value {
    let texts = variables.into_iter().map(|(name, value)| (name.to_owned(), value));
    match &resource.input {
        Some(input) => input.read(texts),
        None => Value::Object(texts.map(|(name, value)| (name, value.into())).collect()),
    }
}

/// What was found, where the caller may use it. From whom it is hidden, to those it is unknown.
///
/// This comes before anything else that the request says is looked at: how something wants to be used is nothing for
/// those who may not.
fn usable<'a, T: Protected>(
    found: Option<&'a Arc<T>>,
    caller: &Caller,
    unknown: impl FnOnce() -> Reason,
) -> Result<&'a Arc<T>, Reason> {
    match found {
        Some(it) if it.access().lets_in(caller) => Ok(it),
        Some(it) if !it.access().is_hidden => {
            Err(Reason::ScopeMissing { scopes: it.access().scopes().to_vec() })
        }
        _ => Err(unknown()),
    }
}

fn list(message: &Message, kind: List) -> Target {
    // What is no text is looked for as it is written, and is no cursor of ours.
    let raw = |it| String::from_utf8_lossy(message.raw(it)).into_owned();
    let cursor = message.at(Slot::Cursor).map(|it| message.text(it).map_or_else(|| raw(it), Cow::into_owned));
    Target::List { kind, cursor, asked: None }
}

fn complete(it: &Dated, listing: &Listing) -> Result<Target, Reason> {
    let (message, caller) = (&it.read.message, &it.read.caller);
    let reference = object(message, Slot::Ref)?.ok_or_else(|| needs("ref"))?;
    let reference = message.value(reference);
    let argument = object(message, Slot::Argument)?.ok_or_else(|| needs("argument"))?;
    let argument = message.value(argument);
    let member = |of: &Value, name: &str| of.get(name).and_then(Value::as_str).map(ToOwned::to_owned);
    let name = member(&argument, "name").ok_or_else(|| needs("argument/name"))?;
    let typed = member(&argument, "value").ok_or_else(|| needs("argument/value"))?;
    let source = match member(&reference, "type").as_deref() {
        Some("ref/prompt") => {
            let name = member(&reference, "name").ok_or_else(|| needs("ref/name"))?;
            let found = listing.prompts.find(&name);
            Source::Prompt(usable(found, caller, || Reason::PromptUnknown(name))?.clone())
        }
        Some("ref/resource") => {
            let uri = member(&reference, "uri").ok_or_else(|| needs("ref/uri"))?;
            let template = listing.templates.iter().find(|it| it.uri == uri);
            let found = template.or_else(|| listing.resources.find(&uri));
            let unknown = || Reason::ResourceUnknown { uri, legacy: false };
            Source::Template(usable(found, caller, unknown)?.clone())
        }
        _ => return Err(Reason::Params("`ref/type` has to be `ref/prompt` or `ref/resource`".into())),
    };
    Ok(Target::Complete { source, name, typed })
}

fn filter(message: &Message, limits: &Limits) -> Result<Filter, Reason> {
    let span = object(message, Slot::Notifications)?.ok_or_else(|| needs("notifications"))?;
    let value = message.value(span);
    let flag = |name: &str| match value.get(name) {
        None => Ok(false),
        Some(it) => it.as_bool().ok_or_else(|| Reason::Params(format!("`{name}` has to be true or false"))),
    };
    let uris: Vec<String> = match value.get("resourceSubscriptions") {
        None => Vec::new(),
        Some(it) => serde_json::from_value(it.clone())
            .map_err(|_| Reason::Params("`resourceSubscriptions` has to be a list of URIs".into()))?,
    };
    if uris.len() > limits.listen_uris || uris.iter().map(String::len).sum::<usize>() > URIS_BYTES {
        return Err(Reason::too_many_uris(limits));
    }
    Ok(Filter {
        tools: flag("toolsListChanged")?,
        prompts: flag("promptsListChanged")?,
        resources: flag("resourcesListChanged")?,
        uris,
        unheard: Vec::new(),
    })
}

/// Bytes of one URI that a legacy client subscribes to.
const LISTEN_URI_BYTES: usize = 2 * 1024;

fn initialize(message: &Message) -> Result<Target, Reason> {
    let asked = text(message, Slot::Version)?;
    let version = Version::parse(&asked).filter(|it| !it.is_modern()).unwrap_or(Version::LATEST_LEGACY);
    let capabilities = object(message, Slot::Capabilities)?.ok_or_else(|| needs("capabilities"))?;
    Ok(Target::Initialize { version, capabilities: era::capabilities(message, capabilities, false)? })
}

fn level(message: &Message) -> Result<Level, Reason> {
    let name = text(message, Slot::Level)?;
    Level::parse(&name).ok_or_else(|| Reason::Params("there is no such log level".into()))
}

fn uri(message: &Message) -> Result<String, Reason> {
    let uri = text(message, Slot::Uri)?.into_owned();
    if uri.len() > LISTEN_URI_BYTES {
        return Err(Reason::Params(format!("a URI has at most {LISTEN_URI_BYTES} bytes")));
    }
    Ok(uri)
}

fn response(it: &Dated) -> Result<Target, Reason> {
    if it.era.version.is_modern() {
        return Err(Reason::Envelope("a client sends requests and notifications, no responses"));
    }
    let message = &it.read.message;
    let read = |span| message.value(span);
    Ok(Target::Answer(match (message.at(Slot::Result), message.at(Slot::Error)) {
        (Some(result), _) => Ok(read(result)),
        (None, error) => Err(error.map(read).unwrap_or_default()),
    }))
}

fn text(message: &Message, slot: Slot) -> Result<Cow<'_, str>, Reason> {
    let span = message.at(slot).ok_or_else(|| needs(slot.name()))?;
    message.text(span).ok_or_else(|| Reason::Params(format!("`{}` has to be a string", slot.name())))
}

fn object(message: &Message, slot: Slot) -> Result<Option<Span>, Reason> {
    match message.at(slot) {
        Some(it) if message.kind(it) != Kind::Object => {
            Err(Reason::Params(format!("`{}` has to be an object", slot.name())))
        }
        it => Ok(it),
    }
}

/// The arguments of a prompt are texts (schema: `GetPromptRequestParams`).
fn texts(arguments: Option<Value>) -> Result<Vec<(String, String)>, Reason> {
    let Some(Value::Object(arguments)) = arguments else { return Ok(Vec::new()) };
    arguments
        .into_iter()
        .map(|(name, value)| match value {
            Value::String(text) => Ok((name, text)),
            _ => Err(Reason::Params("the arguments of a prompt are strings".into())),
        })
        .collect()
}

fn needs(name: &str) -> Reason {
    Reason::Params(format!("`{name}` is missing"))
}
