//! A tool, written with `#[tool]` or made at run time.

use std::{fmt, future::Future, pin::Pin, sync::Arc, time::Duration};

use serde::Serialize;
use serde_json::{Map, Value};

use super::{
    access::Requirement,
    argument::{Arguments, Parameters},
    content::Icon,
    cx::Cx,
    error::Result,
    kinds,
    output::{Output, Said, Shape},
};
use crate::{
    handles::{Action, Kind},
    ready::{Annotations, Unready},
};

pub(crate) type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;
pub(crate) type IsReady<S> = dyn Fn(&S) -> Result<(), Unready> + Send + Sync;
pub(crate) type RunTool<S> = dyn Fn(Cx<S>, Arguments) -> BoxFuture<Result<Said>> + Send + Sync;

/// A tool: what the model reads about it, and what runs (server/tools).
///
/// `#[tool]` makes one from an `async fn`. Make one by hand where tools are known at run time only, as in a gateway:
///
/// ```
/// use tollgate::{Tool, serde_json::{Map, Value, json}};
///
/// let schema = json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]});
/// let shout: Tool = Tool::new("shout", "Writes in capitals.", schema, async |_cx, arguments: Map<String, Value>| {
///     Ok(arguments["text"].as_str().unwrap_or_default().to_uppercase())
/// });
/// ```
pub struct Tool<S = ()> {
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) description: String,
    pub(crate) icons: Vec<Icon>,
    pub(crate) input: Input,
    pub(crate) output: Option<Value>,
    pub(crate) hints: Hints,
    pub(crate) meta: Map<String, Value>,
    pub(crate) deadline: Option<Duration>,
    pub(crate) calls: Option<usize>,
    pub(crate) calls_per_second: Option<u32>,
    pub(crate) result_tokens: Option<usize>,
    /// The kinds of record whose handles it takes.
    pub(crate) takes: Vec<&'static Kind>,
    /// And those whose handles it gives.
    pub(crate) gives: Vec<&'static Kind>,
    pub(crate) access: Requirement,
    /// What stands in its way now.
    pub(crate) ready: Option<Arc<IsReady<S>>>,
    /// The server behind this one that has it, and its name there.
    pub(crate) upstream: Option<(String, String)>,
    pub(crate) run: Arc<RunTool<S>>,
}

/// Where the schema of the arguments comes from.
pub(crate) enum Input {
    Written(Value),
    Parameters { parameters: Box<Parameters>, allow_unknown: bool },
}

/// What a tool does to the world, as a hint to clients (schema: `ToolAnnotations`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Hints {
    #[serde(rename = "readOnlyHint", skip_serializing_if = "Option::is_none")]
    read_only: Option<bool>,
    #[serde(rename = "destructiveHint", skip_serializing_if = "Option::is_none")]
    destructive: Option<bool>,
    #[serde(rename = "idempotentHint", skip_serializing_if = "Option::is_none")]
    idempotent: Option<bool>,
    #[serde(rename = "openWorldHint", skip_serializing_if = "Option::is_none")]
    open_world: Option<bool>,
}

impl<S> Tool<S> {
    /// A tool whose schema is known at run time. The schema is published as it stands, and enforced.
    ///
    /// A schema that cannot be enforced (an unknown dialect, a `$ref` to another document) is refused when the tool
    /// joins a server, as is a name outside `[A-Za-z0-9_.-]{1,128}`.
    pub fn new<O, F, Fut>(
        name: impl Into<String>,
        description: impl Into<String>,
        schema: Value,
        run: F,
    ) -> Self
    where
        O: Output,
        F: Fn(Cx<S>, Map<String, Value>) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<O>> + Send + 'static,
    {
        let run = move |cx: Cx<S>, arguments: Arguments| run(cx, arguments.map);
        Self::build(name.into(), description.into(), Input::Written(schema), run)
    }

    pub(crate) fn build<O, F, Fut>(name: String, description: String, input: Input, run: F) -> Self
    where
        O: Output,
        F: Fn(Cx<S>, Arguments) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<O>> + Send + 'static,
    {
        let (shape, gives) = kinds::noted(O::shape);
        let is_plain = matches!(shape, Shape::Plain);
        Self {
            name,
            title: None,
            description,
            icons: Vec::new(),
            input,
            output: match shape {
                Shape::Structured(schema) => schema,
                Shape::Plain => None,
            },
            hints: Hints::default(),
            meta: Map::new(),
            deadline: None,
            calls: None,
            calls_per_second: None,
            result_tokens: None,
            takes: Vec::new(),
            gives,
            access: Requirement::default(),
            ready: None,
            upstream: None,
            run: Arc::new(move |cx, arguments| {
                let run = run(cx, arguments);
                Box::pin(async move { run.await?.into_said(is_plain) })
            }),
        }
    }

    /// What people read in place of the name.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// A picture.
    #[must_use]
    pub fn icon(mut self, icon: impl Into<Icon>) -> Self {
        self.icons.push(icon.into());
        self
    }

    /// It changes nothing.
    #[must_use]
    pub const fn read_only(mut self, yes: bool) -> Self {
        self.hints.read_only = Some(yes);
        self
    }

    /// It may destroy something.
    #[must_use]
    pub const fn destructive(mut self, yes: bool) -> Self {
        self.hints.destructive = Some(yes);
        self
    }

    /// A second call with the same arguments does nothing more.
    #[must_use]
    pub const fn idempotent(mut self, yes: bool) -> Self {
        self.hints.idempotent = Some(yes);
        self
    }

    /// It reaches beyond this server.
    #[must_use]
    pub const fn open_world(mut self, yes: bool) -> Self {
        self.hints.open_world = Some(yes);
        self
    }

    /// Publishes a schema for the structured output, in place of the one of its type.
    #[must_use]
    pub fn output(mut self, schema: Value) -> Self {
        self.output = Some(schema);
        self
    }

    /// Lets arguments through that the schema does not name. Without it they are refused.
    #[must_use]
    pub fn allow_unknown(mut self) -> Self {
        if let Input::Parameters { allow_unknown, .. } = &mut self.input {
            *allow_unknown = true;
        }
        self
    }

    /// A member of the definition's `_meta`.
    #[must_use]
    pub fn meta(mut self, key: impl Into<String>, value: Value) -> Self {
        self.meta.insert(key.into(), value);
        self
    }

    /// Time for one call, in place of [`Limits::call_time`](crate::Limits); at most `Limits::call_time_max`.
    #[must_use]
    pub const fn deadline(mut self, time: Duration) -> Self {
        self.deadline = Some(time);
        self
    }

    /// Calls of this tool in flight; over it 429.
    #[must_use]
    pub const fn calls(mut self, most: usize) -> Self {
        self.calls = Some(most);
        self
    }

    /// Calls of this tool a second; over it 429.
    #[must_use]
    pub const fn calls_per_second(mut self, most: u32) -> Self {
        self.calls_per_second = Some(most);
        self
    }

    /// Tokens that the text of a result may have, in place of
    /// [`Server::result_tokens`](crate::Server::result_tokens). A result that has more is not shown, and not cut either:
    /// the model is told how many tokens it had, and to ask for less.
    ///
    /// It needs the feature `budget`: without it a server with such a tool does not start.
    #[must_use]
    pub const fn result_tokens(mut self, most: usize) -> Self {
        self.result_tokens = Some(most);
        self
    }

    /// A scope that a caller's token has to have, or several with a blank between; what is called again adds to them.
    ///
    /// Who lacks one does not find the tool in lists. Who calls it all the same is told which scopes it needs, so that the
    /// client can ask for them; see [`hidden`](Self::hidden) for one that nobody is told of. Without auth, on stdio and
    /// for a client in memory every caller has every scope.
    #[must_use]
    pub fn scope(mut self, scope: &str) -> Self {
        self.access.add(scope);
        self
    }

    /// Whoever lacks a scope of the tool is answered as if it did not exist, and its scopes are not published. A tool
    /// without a scope cannot be hidden.
    #[must_use]
    pub const fn hidden(mut self) -> Self {
        self.access.is_hidden = true;
        self
    }

    /// Says whether the tool is ready, from what the state knows already; see [`ready`](crate::ready). It cannot wait:
    /// a client asks before its job begins, and whoever it asks must not wake the world.
    ///
    /// What somebody decided (`Disabled`, `Quarantined`, `PendingApproval`, `Changed`, `Blocked`, `Denied`) holds for
    /// calls as well: they are told the same, and the tool does not run.
    #[must_use]
    pub fn ready(mut self, ready: impl Fn(&S) -> Result<(), Unready> + Send + Sync + 'static) -> Self {
        self.ready = Some(Arc::new(ready));
        self
    }

    /// Says which server behind this one has the tool, and what it is called there. Clients may then ask for it as
    /// `server:tool`, and the [`Gateway`](crate::ready::Gateway) decides whether it may be called.
    #[must_use]
    pub fn upstream(mut self, server: impl Into<String>, tool: impl Into<String>) -> Self {
        self.upstream = Some((server.into(), tool.into()));
        self
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Tool<()> {
    /// The same tool for a server with a state that it does not look at.
    pub(crate) fn lift<S: 'static>(self) -> Tool<S> {
        let run = self.run;
        Tool {
            name: self.name,
            title: self.title,
            description: self.description,
            icons: self.icons,
            input: self.input,
            output: self.output,
            hints: self.hints,
            meta: self.meta,
            deadline: self.deadline,
            calls: self.calls,
            calls_per_second: self.calls_per_second,
            result_tokens: self.result_tokens,
            takes: self.takes,
            gives: self.gives,
            access: self.access,
            ready: self.ready.map(|ready| Arc::new(move |_: &S| ready(&())) as Arc<IsReady<S>>),
            upstream: self.upstream,
            run: Arc::new(move |cx: Cx<S>, arguments| run(cx.detach(), arguments)),
        }
    }
}

impl Input {
    pub(crate) fn into_schema(self) -> Value {
        match self {
            Self::Written(schema) => schema,
            Self::Parameters { parameters, allow_unknown } => parameters.into_schema(allow_unknown),
        }
    }
}

impl Hints {
    pub(crate) fn is_empty(self) -> bool {
        self == Self::default()
    }

    pub(crate) const fn annotations(self) -> Annotations {
        Annotations { read_only: self.read_only, destructive: self.destructive, open_world: self.open_world }
    }

    /// What the tool does with the records that it takes. A tool that does not say may change them.
    pub(crate) const fn action(self) -> Action {
        match (self.read_only, self.destructive) {
            (Some(true), _) => Action::Read,
            (_, Some(true)) => Action::Delete,
            _ => Action::Write,
        }
    }
}

impl<S> fmt::Debug for Tool<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tool").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A tool from generated code.
#[doc(hidden)]
pub fn tool<O, S, F, Fut>(
    name: &'static str,
    description: &'static str,
    parameters: Parameters,
    run: F,
) -> Tool<S>
where
    O: Output,
    F: Fn(Cx<S>, Arguments) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<O>> + Send + 'static,
{
    let takes = parameters.kinds();
    let input = Input::Parameters { parameters: Box::new(parameters), allow_unknown: false };
    Tool { takes, ..Tool::build(name.into(), description.into(), input, run) }
}

/// The arguments of a call to one tool, with the type of what comes back. `#[tool]` makes one of the tool's name.
#[diagnostic::on_unimplemented(message = "`{Self}` is not a tool", note = "put `#[tool]` on an `async fn`")]
pub trait Request {
    /// The tool's name.
    const NAME: &'static str;
    /// What comes back.
    type Output;
    /// The arguments as they travel.
    fn arguments(&self) -> Map<String, Value>;
}
