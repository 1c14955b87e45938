//! Members of a JSON object, taken by the type that they must have.

use serde_json::{Map, Value};

/// An object whose members are asked for by name. Errors say which member is wrong, and how.
pub(super) struct Claims<'a>(pub(super) &'a Map<String, Value>);

impl<'a> Claims<'a> {
    pub(super) fn text(&self, name: &str) -> Result<Option<&'a str>, String> {
        match self.0.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(format!("`{name}` is not a string")),
        }
    }

    pub(super) fn required_text(&self, name: &str) -> Result<&'a str, String> {
        self.text(name)?.ok_or_else(|| format!("`{name}` is missing"))
    }

    pub(super) fn texts(&self, name: &str) -> Result<Option<Vec<&'a str>>, String> {
        let not_texts = || format!("`{name}` is not an array of strings");
        let Some(value) = self.0.get(name) else { return Ok(None) };
        let items = value.as_array().ok_or_else(not_texts)?;
        items.iter().map(|it| it.as_str().ok_or_else(not_texts)).collect::<Result<_, _>>().map(Some)
    }

    pub(super) fn is_true(&self, name: &str) -> bool {
        self.0.get(name) == Some(&Value::Bool(true))
    }
}
