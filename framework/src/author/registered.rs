//! Tools, prompts and resources as a server holds them: checked, written out once, and bound to the app's state.

mod faults;
#[cfg(feature = "budget")]
mod tokens;

use std::{sync::Arc, time::Duration};

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::{
    access::{Protected, Requirement},
    argument::Arguments,
    call::Call,
    completions,
    content::{Icon, ResourceContents},
    cx::Cx,
    error::Result as ToolResult,
    kinds::{self, Place},
    output::Said,
    prompt::{Message, Prompt},
    resource::{Origin, Resource},
    template::Template,
    tool::{BoxFuture, Tool},
};
use crate::{
    handles::{Action, Kind},
    limits::Limits,
    permits::Permits,
    ready::{Annotations, Fingerprint, Unready},
    schema::{self, Checker, HeaderParam},
    wire::key,
};

use faults::Faults;

type Bound<A, T> = Box<dyn Fn(Arc<Call>, A) -> BoxFuture<ToolResult<T>> + Send + Sync>;

pub(crate) struct RegisteredTool {
    pub(crate) name: String,
    /// The definition as it travels to modern clients.
    pub(crate) json: String,
    /// The same for legacy clients, whose output schemas are objects only.
    pub(crate) legacy_json: String,
    pub(crate) input: Checker,
    pub(crate) output: Option<Checker>,
    /// Whether legacy clients get the structured output.
    pub(crate) legacy_structured: bool,
    pub(crate) headers: Vec<HeaderParam>,
    pub(crate) deadline: Duration,
    pub(crate) fingerprint: [u8; 32],
    pub(crate) permits: Option<Permits>,
    /// Where handles stand in its arguments, and what it does with their records.
    pub(crate) places: Vec<Place>,
    pub(crate) action: Action,
    #[cfg(feature = "budget")]
    tokens: tokens::Tokens,
    pub(crate) access: Requirement,
    pub(crate) annotations: Annotations,
    /// Stands for the whole definition, however it is written.
    pub(crate) definition: Fingerprint,
    pub(crate) ready: Option<Box<dyn Fn() -> Result<(), Unready> + Send + Sync>>,
    /// The server behind this one that has it, and its name there.
    pub(crate) upstream: Option<(String, String)>,
    pub(crate) run: Bound<Arguments, Said>,
}

pub(crate) struct RegisteredPrompt {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) json: String,
    pub(crate) input: Input,
    pub(crate) fingerprint: [u8; 32],
    pub(crate) completions: completions::Bound,
    pub(crate) places: Vec<Place>,
    pub(crate) access: Requirement,
    pub(crate) run: Bound<Arguments, Vec<Message>>,
}

pub(crate) struct RegisteredResource {
    pub(crate) uri: String,
    pub(crate) template: Template,
    pub(crate) mime_type: Option<String>,
    pub(crate) ttl: Duration,
    pub(crate) shared: bool,
    pub(crate) json: String,
    pub(crate) input: Option<Input>,
    pub(crate) fingerprint: [u8; 32],
    pub(crate) completions: completions::Bound,
    pub(crate) places: Vec<Place>,
    pub(crate) access: Requirement,
    pub(crate) run: Bound<(Arguments, Origin), Vec<ResourceContents>>,
}

/// Arguments that travel as texts, whatever their types are.
pub(crate) struct Input {
    pub(crate) checker: Checker,
    /// Which arguments are no texts.
    scalars: Vec<String>,
}

impl RegisteredTool {
    /// Whether there is anything to ask before it is called.
    pub(crate) const fn may_be_held_back(&self) -> bool {
        self.ready.is_some() || self.upstream.is_some()
    }
}

impl Protected for RegisteredTool {
    fn access(&self) -> &Requirement {
        &self.access
    }

    fn server(&self) -> Option<&str> {
        self.upstream.as_ref().map(|it| it.0.as_str())
    }

    fn json(&self) -> &str {
        &self.json
    }

    fn legacy_json(&self) -> &str {
        &self.legacy_json
    }

    #[cfg(feature = "budget")]
    fn tokens(&self) -> usize {
        self.cost().tokens()
    }
}

impl Protected for RegisteredPrompt {
    fn access(&self) -> &Requirement {
        &self.access
    }

    fn json(&self) -> &str {
        &self.json
    }
}

impl Protected for RegisteredResource {
    fn access(&self) -> &Requirement {
        &self.access
    }

    fn json(&self) -> &str {
        &self.json
    }
}

impl<S: Clone + Send + Sync + 'static> Tool<S> {
    /// # Errors
    /// Everything that is wrong with the tool.
    pub(crate) fn register(self, state: S, limits: &Limits) -> Result<RegisteredTool, Vec<String>> {
        let mut faults = Faults::of("tool", &self.name);
        faults.check_name(&self.name);
        faults
            .check(!self.description.trim().is_empty(), "it has no description: that is all the model reads");
        let deadline = self.deadline.unwrap_or(limits.call_time);
        faults.check(
            deadline <= limits.call_time_max && !deadline.is_zero(),
            "its deadline is 0, or over the limit `call_time_max`",
        );
        faults.check(self.calls != Some(0), "it lets 0 calls run");
        faults.check(self.calls_per_second != Some(0), "it lets 0 calls a second run");
        faults.check_result_tokens(self.result_tokens);
        faults.check_access(&self.access);
        faults.check_upstream(self.upstream.as_ref());
        let input_schema = self.input.into_schema();
        faults.check_kinds(&[&self.takes[..], &self.gives].concat());
        let places = kinds::places(&input_schema, &self.takes);
        faults.check(is_object(&input_schema), "the root of its schema is no `\"type\": \"object\"`");
        let input = faults.take("its schema", schema::compile(&input_schema));
        let headers = faults.take("its schema", schema::header_params(&input_schema));
        let output = self.output.as_ref().map(|it| faults.take("its output schema", schema::compile(it)));

        let mut definition = Map::new();
        definition.insert("name".into(), self.name.as_str().into());
        insert_some(&mut definition, "title", self.title.as_deref());
        definition.insert("description".into(), lasting(self.description, &self.gives).into());
        definition.insert("inputSchema".into(), input_schema);
        insert_some(&mut definition, "outputSchema", self.output.clone());
        if !self.hints.is_empty() {
            definition.insert("annotations".into(), json!(self.hints));
        }
        insert_icons(&mut definition, &self.icons, &mut faults);
        for name in self.meta.keys() {
            if let Some(fault) = key::fault(name) {
                faults.add(format!("its `_meta` has a member `{name}`: {fault}"));
            }
        }
        if !self.meta.is_empty() {
            definition.insert("_meta".into(), self.meta.into());
        }
        let legacy_structured = self.output.as_ref().is_some_and(is_object);
        let whole = Value::Object(definition.clone());
        let json = whole.to_string();
        if !legacy_structured {
            definition.shift_remove("outputSchema");
        }
        let (Some(input), Some(headers)) = (input, headers) else { return Err(faults.all) };
        faults.finish()?;
        let permits = (self.calls.is_some() || self.calls_per_second.is_some())
            .then(|| Permits::new(self.calls.unwrap_or(usize::MAX), self.calls_per_second));
        let run = self.run;
        let (ready, of) = (self.ready, state.clone());
        let ready = ready.map(|ready| Box::new(move || ready(&of)) as Box<dyn Fn() -> _ + Send + Sync>);
        Ok(RegisteredTool {
            name: self.name,
            fingerprint: Sha256::digest(&json).into(),
            json,
            legacy_json: Value::Object(definition).to_string(),
            input,
            output: output.flatten(),
            legacy_structured,
            headers,
            deadline,
            permits,
            places,
            action: self.hints.action(),
            #[cfg(feature = "budget")]
            tokens: tokens::Tokens::new(self.result_tokens),
            access: self.access,
            annotations: self.hints.annotations(),
            definition: Fingerprint::of(&whole),
            ready,
            upstream: self.upstream,
            run: Box::new(move |call, arguments| run(Cx::new(state.clone(), call), arguments)),
        })
    }
}

impl<S: Clone + Send + Sync + 'static> Prompt<S> {
    /// # Errors
    /// Everything that is wrong with the prompt.
    pub(crate) fn register(self, state: S) -> Result<RegisteredPrompt, Vec<String>> {
        let mut faults = Faults::of("prompt", &self.name);
        faults.check_name(&self.name);
        faults.check(!self.description.trim().is_empty(), "it has no description");
        faults.check_access(&self.access);
        let known: Vec<&str> = self.parameters.iter().map(|it| it.name.as_str()).collect();
        for name in self.completions.names() {
            faults.check(known.contains(&name), "it completes an argument that it does not have");
        }
        let input = Input::compile(&self.schema, &mut faults);
        faults.check_kinds(&self.takes);
        let places = kinds::places(&self.schema, &self.takes);

        let mut definition = Map::new();
        definition.insert("name".into(), self.name.as_str().into());
        insert_some(&mut definition, "title", self.title.as_deref());
        definition.insert("description".into(), self.description.as_str().into());
        if !self.parameters.is_empty() {
            definition.insert("arguments".into(), json!(self.parameters));
        }
        insert_icons(&mut definition, &self.icons, &mut faults);
        let json = Value::Object(definition).to_string();
        let Some(input) = input else { return Err(faults.all) };
        faults.finish()?;
        let (run, completions) = (self.run, self.completions.bind(&state, &places));
        Ok(RegisteredPrompt {
            name: self.name,
            description: self.description,
            fingerprint: Sha256::digest(&json).into(),
            json,
            input,
            completions,
            places,
            access: self.access,
            run: Box::new(move |call, arguments| run(Cx::new(state.clone(), call), arguments)),
        })
    }
}

impl<S: Clone + Send + Sync + 'static> Resource<S> {
    /// # Errors
    /// Everything that is wrong with the resource.
    pub(crate) fn register(self, state: S) -> Result<RegisteredResource, Vec<String>> {
        let mut faults = Faults::of("resource", &self.uri);
        faults.check(is_uri(&self.uri), "its URI has no scheme, or holds blanks (RFC 3986)");
        faults.check(!self.name.is_empty(), "it has no name");
        faults.check_access(&self.access);
        faults.check(
            !self.shared || self.access.scopes().is_empty(),
            "it is shared and needs a scope: a cache would give it to those who lack the scope",
        );
        let template = faults.take("its URI", Template::parse(&self.uri)).unwrap_or_else(Template::empty);
        for name in self.completions.names() {
            faults.check(
                template.variables().any(|it| it == name),
                "it completes a variable that it does not have",
            );
        }
        let input = match &self.schema {
            Some(schema) => Input::compile(schema, &mut faults),
            None => None,
        };
        faults.check_kinds(&self.takes);
        let places = self.schema.as_ref().map(|it| kinds::places(it, &self.takes)).unwrap_or_default();

        let mut definition = Map::new();
        let uri_member = if template.is_plain() { "uri" } else { "uriTemplate" };
        definition.insert(uri_member.into(), self.uri.as_str().into());
        definition.insert("name".into(), self.name.into());
        insert_some(&mut definition, "title", self.title);
        insert_some(&mut definition, "description", Some(self.description).filter(|it| !it.is_empty()));
        insert_some(&mut definition, "mimeType", self.mime_type.as_deref());
        insert_some(&mut definition, "size", self.size.filter(|_| template.is_plain()));
        insert_some(&mut definition, "annotations", self.annotations.map(|it| json!(it)));
        insert_icons(&mut definition, &self.icons, &mut faults);
        let json = Value::Object(definition).to_string();
        faults.finish()?;
        let (run, completions) = (self.run, self.completions.bind(&state, &places));
        Ok(RegisteredResource {
            uri: self.uri,
            template,
            mime_type: self.mime_type,
            ttl: self.ttl,
            shared: self.shared,
            fingerprint: Sha256::digest(&json).into(),
            json,
            input,
            completions,
            places,
            access: self.access,
            run: Box::new(move |call, (arguments, origin)| {
                run(Cx::new(state.clone(), call), arguments, origin)
            }),
        })
    }
}

impl Input {
    fn compile(schema: &Value, faults: &mut Faults) -> Option<Self> {
        let mut scalars = Vec::new();
        let properties = schema.get("properties").and_then(Value::as_object);
        for (name, property) in properties.into_iter().flatten() {
            match property.get("type").and_then(Value::as_str) {
                Some("integer" | "number" | "boolean") => scalars.push(name.clone()),
                Some("array" | "object" | "null") => {
                    faults.add(format!(
                        "its argument `{name}` is no text, number or boolean, and travels as a text"
                    ));
                }
                _ => {}
            }
        }
        Some(Self { checker: faults.take("its arguments", schema::compile(schema))?, scalars })
    }

    /// Turns texts into the numbers and booleans that they stand for; what stands for none stays, and is a fault.
    pub(crate) fn read(&self, texts: impl Iterator<Item = (String, String)>) -> Value {
        let read = |(name, text): (String, String)| {
            let scalar = self.scalars.contains(&name).then(|| serde_json::from_str(&text).ok()).flatten();
            (name, scalar.unwrap_or(Value::String(text)))
        };
        Value::Object(texts.map(read).collect())
    }
}

/// Who makes a handle is told how long it lasts (server/tools, stateful tools).
fn lasting(mut description: String, gives: &[&Kind]) -> String {
    for kind in gives {
        description.push_str("\n\n");
        description.push_str(&kind.lasts());
    }
    description
}

fn is_object(schema: &Value) -> bool {
    schema.get("type").and_then(Value::as_str) == Some("object")
}

fn is_uri(uri: &str) -> bool {
    let Some((scheme, rest)) = uri.split_once(':') else { return false };
    let legal = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'+' | b'-' | b'.');
    scheme.starts_with(|it: char| it.is_ascii_alphabetic())
        && scheme.bytes().all(legal)
        && !rest.is_empty()
        && uri.bytes().all(|it| it.is_ascii_graphic())
}

fn insert_some(definition: &mut Map<String, Value>, name: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        definition.insert(name.into(), value.into());
    }
}

fn insert_icons(definition: &mut Map<String, Value>, icons: &[Icon], faults: &mut Faults) {
    let is_safe = |it: &Icon| it.src.starts_with("https://") || it.src.starts_with("data:");
    faults.check(icons.iter().all(is_safe), "an icon is an `https:` or a `data:` URI");
    if !icons.is_empty() {
        definition.insert("icons".into(), json!(icons));
    }
}
