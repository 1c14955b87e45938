//! What a tool may ask whoever is at the other end (client/elicitation, client/sampling, client/roots).

use std::collections::BTreeSet;

use schemars::{JsonSchema, generate::SchemaSettings};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};

use super::content::Role;
use crate::{schema, wire::capabilities::Need};

/// A form that a user fills in: a flat struct of text, numbers, booleans and choices.
///
/// Derive it together with `Serialize`, `Deserialize` and `JsonSchema`. The doc comments of the fields are what the
/// user reads.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a form",
    note = "a form is a struct that derives `Elicit`, `Serialize`, `Deserialize` and `JsonSchema`"
)]
pub trait Elicit: Fields {
    /// The name of the question: the struct's name in snake case.
    const KEY: &'static str;
}

/// What the derives of a form give it, as one thing to ask for.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a form yet",
    label = "it is shown by its schema, and its answer is read as JSON",
    note = "derive `Serialize`, `Deserialize` and `JsonSchema` for `{Self}` too"
)]
pub trait Fields: Sized + Send + 'static {
    /// The schema of all fields, which stand in it whole.
    fn schema() -> Value;
    /// What a client sends in; `None` when it is no such form.
    fn from_json(content: Value) -> Option<Self>;
    /// What a client in memory sends in.
    fn to_json(&self) -> Option<Value>;
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + Serialize + JsonSchema + Send + 'static> Fields for T {
    fn schema() -> Value {
        let settings = SchemaSettings::draft2020_12().with(|it| it.inline_subschemas = true);
        schema::tidy(settings.into_generator().into_root_schema_for::<Self>().to_value())
    }

    fn from_json(content: Value) -> Option<Self> {
        serde_json::from_value(content).ok()
    }

    fn to_json(&self) -> Option<Value> {
        serde_json::to_value(self).ok()
    }
}

/// A type that can be a field of a form (client/elicitation#requested-schema).
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a field of a form",
    label = "forms are flat: text, numbers, booleans and choices",
    note = "ask twice, or split `{Self}` into plain fields; for an enum of choices write `impl FormField for {Self} {{}}`"
)]
pub trait FormField {}

macro_rules! form_fields {
    ($($type:ty)*) => { $(impl FormField for $type {})* };
}

form_fields!(bool String i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);
impl<const MAX: usize> FormField for super::text::Text<MAX> {}
impl<const MIN: i64, const MAX: i64> FormField for super::text::Int<MIN, MAX> {}
impl<T: FormField> FormField for Option<T> {}
impl<T: FormField> FormField for Vec<T> {}

/// What a user did with a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer<T> {
    /// They sent it in.
    Accept(T),
    /// They said no.
    Decline,
    /// They closed it without a choice.
    Cancel,
}

/// A form made at run time.
#[derive(Clone, Debug)]
pub struct Form {
    pub(crate) key: String,
    pub(crate) message: String,
    pub(crate) schema: Value,
}

impl Form {
    /// A form with a name for the question, a message for the user, and the schema of a flat object.
    pub fn new(key: impl Into<String>, message: impl Into<String>, schema: Value) -> Self {
        Self { key: key.into(), message: message.into(), schema }
    }

    pub(crate) fn of<F: Elicit>(message: String) -> Self {
        Self { key: F::KEY.into(), message, schema: flat(F::schema()) }
    }

    /// Whether its schema is an object of plain fields (client/elicitation#requested-schema).
    pub(crate) fn is_flat(&self) -> bool {
        let is_plain =
            |it: &Value| matches!(it["type"].as_str(), Some("string" | "number" | "integer" | "boolean"));
        let is_choice =
            |it: &Value| it["type"] == "array" && (is_plain(&it["items"]) || it["items"]["anyOf"].is_array());
        let fields = self.schema["properties"].as_object();
        self.schema["type"] == "object"
            && fields.is_some_and(|all| all.values().all(|it| is_plain(it) || is_choice(it)))
    }
}

/// A form's schema has only these members (schema: `ElicitRequestFormParams`).
fn flat(mut schema: Value) -> Value {
    let mut take = |name: &str| schema.as_object_mut().and_then(|it| it.shift_remove(name));
    let properties = take("properties").unwrap_or_else(|| json!({}));
    let properties = match properties {
        Value::Object(all) => all.into_iter().map(|(name, it)| (name, field(it))).collect::<Map<_, _>>(),
        _ => Map::new(),
    };
    let mut form = Map::new();
    form.insert("type".into(), "object".into());
    form.insert("properties".into(), properties.into());
    if let Some(required) = take("required") {
        form.insert("required".into(), required);
    }
    form.into()
}

/// A choice with descriptions becomes a titled choice, which is how clients show it.
fn field(schema: Value) -> Value {
    let mut schema = schema::without_null(schema);
    let Some(object) = schema.as_object_mut() else { return schema };
    if let Some(Value::Array(choices)) = object.get_mut("oneOf") {
        for it in choices.iter_mut().filter_map(Value::as_object_mut) {
            let title = it.shift_remove("description").or_else(|| it.get("const").cloned());
            it.shift_remove("type");
            it.insert("title".into(), title.unwrap_or_default());
        }
        object.insert("type".into(), "string".into());
    }
    schema
}

/// A prompt for the client's own model (client/sampling).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Sampling {
    /// The name of the question. Default `sampling`.
    pub key: String,
    /// What was said so far.
    pub messages: Vec<SamplingMessage>,
    /// What the model is told before.
    pub system_prompt: Option<String>,
    /// The most tokens that the answer may have.
    pub max_tokens: u32,
    /// How much the model may wander, from 0.
    pub temperature: Option<f64>,
    /// Where the answer ends.
    pub stop_sequences: Vec<String>,
    /// Tools that the model may call, as the protocol's tool definitions. The client must have declared
    /// `sampling.tools`.
    pub tools: Vec<Value>,
}

/// One message for the client's model.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct SamplingMessage {
    /// Who says it.
    pub role: Role,
    /// What is said, as a content block of the protocol.
    pub content: Value,
}

impl SamplingMessage {
    /// A text.
    pub fn text(role: Role, text: impl Into<String>) -> Self {
        Self { role, content: json!({"type": "text", "text": text.into()}) }
    }
}

impl Sampling {
    /// Asks the model one thing.
    pub fn new(prompt: impl Into<String>, max_tokens: u32) -> Self {
        Self {
            key: "sampling".into(),
            messages: vec![SamplingMessage::text(Role::User, prompt)],
            system_prompt: None,
            max_tokens,
            temperature: None,
            stop_sequences: Vec::new(),
            tools: Vec::new(),
        }
    }

    /// The same under another name, for a tool that asks for several at once.
    #[must_use]
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = key.into();
        self
    }

    /// Whether every use of a tool is answered at once, by a message of nothing but results
    /// (client/sampling#tool-use-and-result-balance).
    pub(crate) fn is_in_order(&self) -> bool {
        let mut open = BTreeSet::new();
        for it in &self.messages {
            let results = ids(&it.content, "tool_result", "toolUseId");
            let uses = ids(&it.content, "tool_use", "id");
            let is_pure =
                results.is_empty() || (it.role == Role::User && results.len() == blocks(&it.content).len());
            if results != open || !is_pure || (it.role == Role::User && !uses.is_empty()) {
                return false;
            }
            open = uses;
        }
        open.is_empty()
    }

    fn params(&self) -> Value {
        let mut params = Map::new();
        params.insert("messages".into(), json!(self.messages));
        if let Some(it) = &self.system_prompt {
            params.insert("systemPrompt".into(), it.as_str().into());
        }
        params.insert("maxTokens".into(), self.max_tokens.into());
        if let Some(it) = self.temperature {
            params.insert("temperature".into(), it.into());
        }
        if !self.stop_sequences.is_empty() {
            params.insert("stopSequences".into(), json!(self.stop_sequences));
        }
        if !self.tools.is_empty() {
            params.insert("tools".into(), json!(self.tools));
        }
        params.into()
    }
}

/// What the client's model said.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Sampled {
    /// Which model it was.
    pub model: String,
    /// Who says it; the model.
    pub role: String,
    /// A content block of the protocol, or a list of them.
    pub content: Value,
    /// Why it stopped.
    pub stop_reason: Option<String>,
}

impl Sampled {
    /// All text of the answer.
    #[must_use]
    pub fn text(&self) -> String {
        let texts = blocks(&self.content).iter().filter_map(|it| it.get("text").and_then(Value::as_str));
        texts.collect::<Vec<_>>().join("\n")
    }
}

/// One block of content, or the list of them.
fn blocks(content: &Value) -> &[Value] {
    match content {
        Value::Array(blocks) => blocks,
        one => std::slice::from_ref(one),
    }
}

/// What the blocks of one type name.
fn ids<'a>(content: &'a Value, kind: &str, member: &str) -> BTreeSet<&'a str> {
    let of_kind = blocks(content).iter().filter(|it| it["type"] == kind);
    of_kind.map(|it| it[member].as_str().unwrap_or_default()).collect()
}

/// A folder that the client works in (client/roots).
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct Root {
    /// A `file://` URI.
    pub uri: String,
    /// What people call it.
    pub name: Option<String>,
}

/// One open question.
#[derive(Clone, Debug)]
pub(crate) enum Question {
    Form(Form),
    Url { message: String, url: String },
    Sampling(Sampling),
    Roots,
}

impl Question {
    pub(crate) fn need(&self) -> Need {
        match self {
            Self::Form(_) => Need::Forms,
            Self::Url { .. } => Need::Urls,
            Self::Sampling(it) if !it.tools.is_empty() => Need::SamplingTools,
            Self::Sampling(_) => Need::Sampling,
            Self::Roots => Need::Roots,
        }
    }

    pub(crate) const fn method(&self) -> &'static str {
        match self {
            Self::Form(_) | Self::Url { .. } => "elicitation/create",
            Self::Sampling(_) => "sampling/createMessage",
            Self::Roots => "roots/list",
        }
    }

    /// The parameters of the request; `id` names a URL question to clients of 2025-11-25, which need one.
    pub(crate) fn params(&self, id: Option<&str>) -> Value {
        match self {
            Self::Form(it) => json!({"mode": "form", "message": it.message, "requestedSchema": it.schema}),
            Self::Url { message, url } => {
                let mut params = json!({"mode": "url", "message": message, "url": url});
                if let (Some(id), Some(params)) = (id, params.as_object_mut()) {
                    params.insert("elicitationId".into(), id.into());
                }
                params
            }
            Self::Sampling(it) => it.params(),
            Self::Roots => json!({}),
        }
    }
}

/// Whether people can be sent there: `https`, or `http` on this machine while developing.
pub(crate) fn is_safe_url(url: &str) -> bool {
    if !url.bytes().all(|it| it.is_ascii_graphic()) {
        return false;
    }
    let here = ["http://localhost", "http://127.0.0.1", "http://[::1]"];
    let is_local = here
        .iter()
        .filter_map(|it| url.strip_prefix(it))
        .any(|rest| rest.is_empty() || rest.starts_with([':', '/']));
    is_local
        || url
            .strip_prefix("https://")
            .is_some_and(|it| it.starts_with(|c: char| c.is_alphanumeric() || c == '['))
}
