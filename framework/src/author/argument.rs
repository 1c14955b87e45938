//! What the model may fill in.

use schemars::{JsonSchema, SchemaGenerator};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use super::{
    error::{Result, ToolError},
    held::Grants,
    kinds,
};
use crate::{handles::Kind, schema};

/// A value that a tool, a prompt or a resource template takes.
///
/// Every type that derives `Deserialize`, `Serialize` and `JsonSchema` is one. `Option<T>` means that the argument may
/// be left out.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument",
    label = "the model has to write this value as JSON",
    note = "derive `Deserialize`, `Serialize` and `JsonSchema` for `{Self}`"
)]
pub trait Argument: Sized + Send + 'static {
    #[doc(hidden)]
    fn json_schema(generator: &mut SchemaGenerator) -> Value;
    #[doc(hidden)]
    fn from_json(value: Value) -> serde_json::Result<Self>;
    #[doc(hidden)]
    fn to_json(&self) -> serde_json::Result<Value>;
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + Serialize + JsonSchema + Send + 'static> Argument for T {
    fn json_schema(generator: &mut SchemaGenerator) -> Value {
        generator.subschema_for::<Self>().to_value()
    }

    fn from_json(value: Value) -> serde_json::Result<Self> {
        serde_json::from_value(value)
    }

    fn to_json(&self) -> serde_json::Result<Value> {
        serde_json::to_value(self)
    }
}

/// The parameters of a function, as the schema of one object.
#[derive(Debug)]
pub struct Parameters {
    generator: SchemaGenerator,
    all: Vec<Parameter>,
    kinds: Vec<&'static Kind>,
}

/// One parameter.
#[derive(Debug)]
pub struct Parameter {
    pub(crate) name: &'static str,
    pub(crate) doc: &'static str,
    pub(crate) schema: Value,
    pub(crate) required: bool,
}

impl Parameters {
    /// No parameters.
    #[expect(clippy::new_without_default, reason = "only generated code makes one")]
    #[must_use]
    pub fn new() -> Self {
        let settings = schemars::generate::SchemaSettings::draft2020_12().for_deserialize();
        Self { generator: settings.into_generator(), all: Vec::new(), kinds: Vec::new() }
    }

    /// Adds a parameter.
    pub fn add<T: Argument>(&mut self, name: &'static str, doc: &'static str) -> &mut Parameter {
        let (schema, kinds) = kinds::noted(|| T::json_schema(&mut self.generator));
        self.kinds.extend(kinds);
        let required = !self.allows_null(&schema);
        // Any value at all is the schema `true`, which could hold no description.
        let schema =
            if schema == Value::Bool(true) { Map::new().into() } else { schema::without_null(schema) };
        self.all.push(Parameter { name, doc, schema, required });
        self.all.last_mut().expect("one was just added")
    }

    /// Whether the argument may be left out: a missing one is read as null.
    fn allows_null(&self, schema: &Value) -> bool {
        let mut whole = Map::new();
        whole.insert("allOf".into(), vec![schema.clone()].into());
        whole.insert("$defs".into(), self.generator.definitions().clone().into());
        schema::compile(&whole.into()).is_ok_and(|it| it.is_valid(&Value::Null))
    }

    /// The kinds of record whose handles are among them.
    pub(crate) fn kinds(&self) -> Vec<&'static Kind> {
        self.kinds.clone()
    }

    pub(crate) fn list(&self) -> &[Parameter] {
        &self.all
    }

    /// The schema of the object that holds all arguments.
    pub(crate) fn into_schema(mut self, allow_unknown: bool) -> Value {
        let mut properties = Map::new();
        let mut required = Vec::new();
        for it in self.all {
            if it.required {
                required.push(Value::from(it.name));
            }
            properties.insert(it.name.into(), described(it.schema, it.doc));
        }
        let mut schema = Map::new();
        schema.insert("type".into(), "object".into());
        schema.insert("properties".into(), properties.into());
        if !required.is_empty() {
            schema.insert("required".into(), required.into());
        }
        if !allow_unknown {
            schema.insert("additionalProperties".into(), false.into());
        }
        let definitions = self.generator.take_definitions(true);
        if !definitions.is_empty() {
            schema.insert("$defs".into(), definitions.into());
        }
        // Definitions are inlined first, so that optional fields inside them are found too.
        schema::without_null(schema::tidy(schema.into()))
    }
}

impl Parameter {
    /// Mirrors the argument into the header `Mcp-Param-{name}`.
    pub fn header(&mut self, name: &'static str) -> &mut Self {
        if let Some(schema) = self.schema.as_object_mut() {
            schema.insert("x-mcp-header".into(), name.into());
        }
        self
    }

    /// The value that an argument has when it is left out.
    pub fn default<T: Argument>(&mut self, value: &T) -> &mut Self {
        self.required = false;
        if let (Some(schema), Ok(value)) = (self.schema.as_object_mut(), value.to_json()) {
            schema.insert("default".into(), value);
        }
        self
    }
}

/// The parameter's own words win over those of its type.
fn described(schema: Value, doc: &str) -> Value {
    let mut object = match schema {
        Value::Object(object) => object,
        other => return other,
    };
    if !doc.is_empty() {
        object.insert("description".into(), doc.into());
    }
    object.into()
}

/// The arguments of one call, already checked against the schema.
#[derive(Debug, Default)]
pub struct Arguments {
    pub(crate) map: Map<String, Value>,
    pub(crate) grants: Grants,
}

impl Arguments {
    /// Takes one argument out.
    ///
    /// # Errors
    /// When the value is none of the type, though its schema let it pass.
    pub fn take<T: Argument>(&mut self, name: &str) -> Result<T> {
        let value = self.map.remove(name).unwrap_or(Value::Null);
        self.grants.while_reading(|| read(name, value))
    }

    /// Takes one argument out, or makes it.
    ///
    /// # Errors
    /// When the value is none of the type, though its schema let it pass.
    pub fn take_or<T: Argument>(&mut self, name: &str, default: impl FnOnce() -> T) -> Result<T> {
        match self.map.remove(name) {
            None | Some(Value::Null) => Ok(default()),
            Some(value) => self.grants.while_reading(|| read(name, value)),
        }
    }
}

fn read<T: Argument>(name: &str, value: Value) -> Result<T> {
    T::from_json(value).map_err(|error| ToolError::told(format!("/{name}: {error}")))
}
