//! What a tool gives back.

use std::any::Any;

use schemars::{JsonSchema, generate::SchemaSettings};
use serde::Serialize;
use serde_json::Value;

use super::{
    content::{Content, Contents},
    error::Result,
};
use crate::schema;

/// A value that a tool can return.
///
/// * `String`, `&'static str`, `Text` and `()` become text.
/// * [`Content`] and [`Contents`] become what they are.
/// * Everything else that derives `Serialize` and `JsonSchema` becomes structured output with a published schema, and
///   the same JSON as text for clients that do not read it (server/tools#structured-content).
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the output of a tool",
    label = "the model has to read this value as JSON",
    note = "derive `Serialize` and `JsonSchema` for `{Self}`, or return `Contents`"
)]
pub trait Output: Sized + Send + 'static {
    #[doc(hidden)]
    fn shape() -> Shape;
    #[doc(hidden)]
    fn into_said(self, is_plain: bool) -> Result<Said>;
}

/// How a value is shown.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub enum Shape {
    /// As text or content alone.
    Plain,
    /// As JSON too. Any value at all has no schema to publish.
    Structured(Option<Value>),
}

/// What a tool said, before it is put in the words of an era.
#[derive(Debug, Default)]
pub struct Said {
    pub(crate) content: Vec<Content>,
    pub(crate) structured: Option<Value>,
}

impl Said {
    pub(crate) fn text(text: String) -> Self {
        Self { content: vec![Content::text(text)], structured: None }
    }
}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema + Send + 'static> Output for T {
    fn shape() -> Shape {
        let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
        let schema = schema::tidy(generator.into_root_schema_for::<Self>().to_value());
        match schema.get("type").and_then(Value::as_str) {
            Some("string") if schema.get("enum").is_none() && schema.get("const").is_none() => Shape::Plain,
            Some("null") => Shape::Plain,
            _ => Shape::Structured(Some(schema).filter(|it| it.as_object().is_some_and(|it| !it.is_empty()))),
        }
    }

    fn into_said(self, is_plain: bool) -> Result<Said> {
        // The common case moves the text rather than serialize it.
        let mut this = Some(self);
        if let Some(text) = (&mut this as &mut dyn Any).downcast_mut::<Option<String>>() {
            return Ok(Said::text(text.take().unwrap_or_default()));
        }
        match serde_json::to_value(this.take())? {
            Value::Null if is_plain => Ok(Said::default()),
            Value::String(text) if is_plain => Ok(Said::text(text)),
            value => Ok(Said { content: vec![Content::text(value.to_string())], structured: Some(value) }),
        }
    }
}

impl Output for Content {
    fn shape() -> Shape {
        Shape::Plain
    }

    fn into_said(self, _: bool) -> Result<Said> {
        Ok(Said { content: vec![self], structured: None })
    }
}

impl Output for Contents {
    fn shape() -> Shape {
        Shape::Plain
    }

    fn into_said(self, _: bool) -> Result<Said> {
        Ok(Said { content: self.0, structured: None })
    }
}
