//! A resource or a family of them, written with `#[resource]` or made at run time (server/resources).

use std::{fmt, future::Future, sync::Arc, time::Duration};

use serde_json::{Map, Value};

use super::{
    access::Requirement,
    argument::{Arguments, Parameters},
    completions::Completions,
    content::{Annotations, Icon, ResourceContents},
    cx::Cx,
    error::Result,
    tool::BoxFuture,
};
use crate::handles::Kind;

pub(crate) type RunResource<S> =
    dyn Fn(Cx<S>, Arguments, Origin) -> BoxFuture<Result<Vec<ResourceContents>>> + Send + Sync;

/// Where contents come from, for outputs that do not say so themselves.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct Origin {
    pub(crate) uri: String,
    pub(crate) mime_type: Option<String>,
}

/// A value that a resource can return: text, bytes, or contents that say themselves what they are.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be what a resource returns",
    label = "expected a `String`, a `Vec<u8>`, `ResourceContents` or a `Vec<ResourceContents>`"
)]
pub trait ResourceOutput: Send + 'static {
    #[doc(hidden)]
    fn into_contents(self, origin: Origin) -> Vec<ResourceContents>;
}

impl ResourceOutput for String {
    fn into_contents(self, origin: Origin) -> Vec<ResourceContents> {
        vec![ResourceContents::text(
            origin.uri,
            origin.mime_type.unwrap_or_else(|| "text/plain".into()),
            self,
        )]
    }
}

impl ResourceOutput for &'static str {
    fn into_contents(self, origin: Origin) -> Vec<ResourceContents> {
        self.to_owned().into_contents(origin)
    }
}

impl ResourceOutput for Vec<u8> {
    fn into_contents(self, origin: Origin) -> Vec<ResourceContents> {
        let mime_type = origin.mime_type.unwrap_or_else(|| "application/octet-stream".into());
        vec![ResourceContents::blob(origin.uri, mime_type, self)]
    }
}

impl ResourceOutput for ResourceContents {
    fn into_contents(self, _: Origin) -> Vec<ResourceContents> {
        vec![self]
    }
}

impl ResourceOutput for Vec<ResourceContents> {
    fn into_contents(self, _: Origin) -> Vec<ResourceContents> {
        self
    }
}

/// Something that clients read by its URI. A URI with `{variables}` is a template for many.
pub struct Resource<S = ()> {
    pub(crate) uri: String,
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) description: String,
    pub(crate) mime_type: Option<String>,
    pub(crate) size: Option<u64>,
    pub(crate) icons: Vec<Icon>,
    pub(crate) annotations: Option<Annotations>,
    pub(crate) ttl: Duration,
    pub(crate) shared: bool,
    pub(crate) schema: Option<Value>,
    pub(crate) completions: Completions<S>,
    /// The kinds of record whose handles it takes.
    pub(crate) takes: Vec<&'static Kind>,
    pub(crate) access: Requirement,
    pub(crate) run: Arc<RunResource<S>>,
}

impl<S> Resource<S> {
    /// A resource that is known at run time. The variables of a template arrive as texts.
    pub fn new<O, F, Fut>(uri: impl Into<String>, name: impl Into<String>, run: F) -> Self
    where
        O: ResourceOutput,
        F: Fn(Cx<S>, Map<String, Value>) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<O>> + Send + 'static,
    {
        Self::build(uri.into(), name.into(), String::new(), None, move |cx, arguments: Arguments| {
            run(cx, arguments.map)
        })
    }

    fn build<O, F, Fut>(uri: String, name: String, description: String, schema: Option<Value>, run: F) -> Self
    where
        O: ResourceOutput,
        F: Fn(Cx<S>, Arguments) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<O>> + Send + 'static,
    {
        Self {
            uri,
            name,
            title: None,
            description,
            mime_type: None,
            size: None,
            icons: Vec::new(),
            annotations: None,
            ttl: Duration::ZERO,
            shared: false,
            schema,
            completions: Completions::new(),
            takes: Vec::new(),
            access: Requirement::default(),
            run: Arc::new(move |cx, arguments, origin| {
                let run = run(cx, arguments);
                Box::pin(async move { Ok(run.await?.into_contents(origin)) })
            }),
        }
    }

    /// What people read in place of the name.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// What it holds.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// Its MIME type.
    #[must_use]
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Its size in bytes.
    #[must_use]
    pub const fn size(mut self, bytes: u64) -> Self {
        self.size = Some(bytes);
        self
    }

    /// A picture.
    #[must_use]
    pub fn icon(mut self, icon: impl Into<Icon>) -> Self {
        self.icons.push(icon.into());
        self
    }

    /// Hints about who it is for.
    #[must_use]
    pub fn annotated(mut self, annotations: Annotations) -> Self {
        self.annotations = Some(annotations);
        self
    }

    /// How long a client may keep what it read. Default: not at all (server/utilities/caching).
    #[must_use]
    pub const fn cache(mut self, ttl: Duration) -> Self {
        self.ttl = ttl;
        self
    }

    /// What it holds is the same for everybody, and caches may share it.
    #[must_use]
    pub const fn shared(mut self) -> Self {
        self.shared = true;
        self
    }

    /// Completes a variable of a template while a person types it (server/utilities/completion).
    #[must_use]
    pub fn complete<F, Fut>(mut self, variable: &str, complete: F) -> Self
    where
        F: Fn(Cx<S>, String) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Vec<String>>> + Send + 'static,
    {
        self.completions.add(variable, complete);
        self
    }

    /// A scope that a caller's token has to have, or several with a blank between; what is called again adds to them.
    ///
    /// Who lacks one does not find the resource in lists. Who reads it all the same is told which scopes it needs, so that the
    /// client can ask for them; see [`hidden`](Self::hidden) for one that nobody is told of. Of several templates that
    /// match a URI the first one decides, whoever asks. A resource that is [`shared`](Self::shared) needs none. Without
    /// auth, on stdio and for a client in memory every caller has every scope.
    #[must_use]
    pub fn scope(mut self, scope: &str) -> Self {
        self.access.add(scope);
        self
    }

    /// Whoever lacks a scope of the resource is answered as if it did not exist, and its scopes are not published. A resource
    /// without a scope cannot be hidden.
    #[must_use]
    pub const fn hidden(mut self) -> Self {
        self.access.is_hidden = true;
        self
    }
}

impl Resource<()> {
    /// The same resource for a server with a state that it does not look at.
    pub(crate) fn lift<S: 'static>(self) -> Resource<S> {
        let run = self.run;
        Resource {
            uri: self.uri,
            name: self.name,
            title: self.title,
            description: self.description,
            mime_type: self.mime_type,
            size: self.size,
            icons: self.icons,
            annotations: self.annotations,
            ttl: self.ttl,
            shared: self.shared,
            schema: self.schema,
            completions: self.completions.lift(),
            takes: self.takes,
            access: self.access,
            run: Arc::new(move |cx: Cx<S>, arguments, origin| run(cx.detach(), arguments, origin)),
        }
    }
}

impl<S> fmt::Debug for Resource<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Resource").field("uri", &self.uri).finish_non_exhaustive()
    }
}

/// A resource from generated code.
#[doc(hidden)]
pub fn resource<O, S, F, Fut>(
    uri: &'static str,
    name: &'static str,
    description: &'static str,
    parameters: Parameters,
    run: F,
) -> Resource<S>
where
    O: ResourceOutput,
    F: Fn(Cx<S>, Arguments) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<O>> + Send + 'static,
{
    let takes = parameters.kinds();
    let schema = Some(parameters.into_schema(false));
    Resource { takes, ..Resource::build(uri.into(), name.into(), description.into(), schema, run) }
}
