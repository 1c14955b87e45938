//! A prompt, written with `#[prompt]` or made at run time (server/prompts).

use std::{fmt, future::Future, sync::Arc};

use serde::Serialize;
use serde_json::{Map, Value};

use super::{
    access::Requirement,
    argument::{Arguments, Parameters},
    completions::Completions,
    content::{Content, Icon, Role},
    cx::Cx,
    error::Result,
    tool::BoxFuture,
};
use crate::handles::Kind;

pub(crate) type RunPrompt<S> = dyn Fn(Cx<S>, Arguments) -> BoxFuture<Result<Vec<Message>>> + Send + Sync;

/// One message of a prompt.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Message {
    role: Role,
    content: Content,
}

impl Message {
    /// What the person says.
    pub fn user(content: impl Into<Content>) -> Self {
        Self { role: Role::User, content: content.into() }
    }

    /// What the model says.
    pub fn assistant(content: impl Into<Content>) -> Self {
        Self { role: Role::Assistant, content: content.into() }
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

/// A value that a prompt can return: a text, one message, or several.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be what a prompt returns",
    label = "expected a `String`, a `Message` or a `Vec<Message>`"
)]
pub trait PromptOutput: Send + 'static {
    #[doc(hidden)]
    fn into_messages(self) -> Vec<Message>;
}

impl PromptOutput for String {
    fn into_messages(self) -> Vec<Message> {
        vec![Message::user(self)]
    }
}

impl PromptOutput for &'static str {
    fn into_messages(self) -> Vec<Message> {
        vec![Message::user(self)]
    }
}

impl PromptOutput for Message {
    fn into_messages(self) -> Vec<Message> {
        vec![self]
    }
}

impl PromptOutput for Vec<Message> {
    fn into_messages(self) -> Vec<Message> {
        self
    }
}

impl<const N: usize> PromptOutput for [Message; N] {
    fn into_messages(self) -> Vec<Message> {
        self.into()
    }
}

/// A prompt that a person picks.
pub struct Prompt<S = ()> {
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) description: String,
    pub(crate) icons: Vec<Icon>,
    pub(crate) parameters: Vec<PromptParameter>,
    pub(crate) schema: Value,
    pub(crate) completions: Completions<S>,
    /// The kinds of record whose handles it takes.
    pub(crate) takes: Vec<&'static Kind>,
    pub(crate) access: Requirement,
    pub(crate) run: Arc<RunPrompt<S>>,
}

/// An argument of a prompt, as it is listed (schema: `PromptArgument`).
#[derive(Clone, Debug, Serialize)]
pub(crate) struct PromptParameter {
    pub(crate) name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) description: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) required: bool,
}

impl<S> Prompt<S> {
    /// A prompt that is known at run time. Add its arguments with [`argument`](Self::argument).
    pub fn new<O, F, Fut>(name: impl Into<String>, description: impl Into<String>, run: F) -> Self
    where
        O: PromptOutput,
        F: Fn(Cx<S>, Map<String, Value>) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<O>> + Send + 'static,
    {
        let schema = Parameters::new().into_schema(false);
        let run = move |cx: Cx<S>, arguments: Arguments| run(cx, arguments.map);
        Self::build(name.into(), description.into(), Vec::new(), schema, run)
    }

    fn build<O, F, Fut>(
        name: String,
        description: String,
        parameters: Vec<PromptParameter>,
        schema: Value,
        run: F,
    ) -> Self
    where
        O: PromptOutput,
        F: Fn(Cx<S>, Arguments) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<O>> + Send + 'static,
    {
        Self {
            name,
            title: None,
            description,
            icons: Vec::new(),
            parameters,
            schema,
            completions: Completions::new(),
            takes: Vec::new(),
            access: Requirement::default(),
            run: Arc::new(move |cx, arguments| {
                let run = run(cx, arguments);
                Box::pin(async move { Ok(run.await?.into_messages()) })
            }),
        }
    }

    /// Adds an argument, always a text, to a prompt that is known at run time.
    #[must_use]
    pub fn argument(
        mut self,
        name: impl Into<String>,
        description: impl Into<String>,
        required: bool,
    ) -> Self {
        let (name, description) = (name.into(), description.into());
        if let Some(Value::Object(properties)) = self.schema.get_mut("properties") {
            properties.insert(name.clone(), serde_json::json!({"type": "string"}));
        }
        if required && let Some(schema) = self.schema.as_object_mut() {
            let all = schema.entry("required").or_insert_with(|| Value::Array(Vec::new()));
            all.as_array_mut().into_iter().for_each(|it| it.push(name.clone().into()));
        }
        self.parameters.push(PromptParameter { name, description, required });
        self
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

    /// Completes an argument while a person types it (server/utilities/completion).
    #[must_use]
    pub fn complete<F, Fut>(mut self, argument: &str, complete: F) -> Self
    where
        F: Fn(Cx<S>, String) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Vec<String>>> + Send + 'static,
    {
        self.completions.add(argument, complete);
        self
    }

    /// A scope that a caller's token has to have, or several with a blank between; what is called again adds to them.
    ///
    /// Who lacks one does not find the prompt in lists. Who gets it all the same is told which scopes it needs, so that the
    /// client can ask for them; see [`hidden`](Self::hidden) for one that nobody is told of. Without auth, on stdio and
    /// for a client in memory every caller has every scope.
    #[must_use]
    pub fn scope(mut self, scope: &str) -> Self {
        self.access.add(scope);
        self
    }

    /// Whoever lacks a scope of the prompt is answered as if it did not exist, and its scopes are not published. A prompt
    /// without a scope cannot be hidden.
    #[must_use]
    pub const fn hidden(mut self) -> Self {
        self.access.is_hidden = true;
        self
    }
}

impl Prompt<()> {
    /// The same prompt for a server with a state that it does not look at.
    pub(crate) fn lift<S: 'static>(self) -> Prompt<S> {
        let run = self.run;
        Prompt {
            name: self.name,
            title: self.title,
            description: self.description,
            icons: self.icons,
            parameters: self.parameters,
            schema: self.schema,
            completions: self.completions.lift(),
            takes: self.takes,
            access: self.access,
            run: Arc::new(move |cx: Cx<S>, arguments| run(cx.detach(), arguments)),
        }
    }
}

impl<S> fmt::Debug for Prompt<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prompt").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The arguments of a call to one prompt. `#[prompt]` makes one of the prompt's name.
pub trait PromptRequest {
    /// The prompt's name.
    const NAME: &'static str;
    /// The arguments as they travel.
    fn arguments(&self) -> Map<String, Value>;
}

/// A prompt from generated code.
#[doc(hidden)]
pub fn prompt<O, S, F, Fut>(
    name: &'static str,
    description: &'static str,
    parameters: Parameters,
    run: F,
) -> Prompt<S>
where
    O: PromptOutput,
    F: Fn(Cx<S>, Arguments) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<O>> + Send + 'static,
{
    let listed = parameters
        .list()
        .iter()
        .map(|it| PromptParameter { name: it.name.into(), description: it.doc.into(), required: it.required })
        .collect();
    let takes = parameters.kinds();
    Prompt {
        takes,
        ..Prompt::build(name.into(), description.into(), listed, parameters.into_schema(false), run)
    }
}
