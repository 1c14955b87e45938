//! How hosts put a tool before a model.

use std::fmt;

use serde_json::Value;

use super::field::Field;

/// A way to write a tool down that hosts really use. Objects have their keys sorted, and nothing is indented.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Form {
    /// The definition as it travels, with every member.
    Wire,
    /// The projection to a function: `{"type":"function","function":{"name":…,"description":…,"parameters":…}}`. What
    /// else the definition has is left out.
    Function,
}

impl Form {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Wire, Self::Function];
}

/// In a word, as `wire`.
impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Wire => "wire",
            Self::Function => "function",
        })
    }
}

/// A piece of a tool that is written down, and the field that it is of.
pub(super) struct Part {
    pub(super) field: Field,
    pub(super) text: String,
}

impl Part {
    fn rest(text: &str) -> Self {
        Self { field: Field::Rest, text: text.into() }
    }
}

/// Writes a definition, whose keys are sorted, as an element of an array: with the comma behind it.
pub(super) fn write(definition: &Value, form: Form) -> Vec<Part> {
    let members = definition.as_object().into_iter().flatten().map(|(member, it)| (member.as_str(), it));
    let (start, members, end): (_, Vec<_>, _) = match form {
        Form::Wire => ("{", members.map(|(member, it)| (member, member, it)).collect(), "},"),
        Form::Function => (r#"{"type":"function","function":{"#, function(definition).collect(), "}},"),
    };
    let mut parts = vec![Part::rest(start)];
    for (place, (member, key, value)) in members.into_iter().enumerate() {
        let comma = if place == 0 { "" } else { "," };
        parts.push(Part { field: Field::of(member), text: format!("{comma}{}:{value}", Value::from(key)) });
    }
    parts.push(Part::rest(end));
    parts
}

/// The members of a function, with what they are called there.
fn function(definition: &Value) -> impl Iterator<Item = (&'static str, &'static str, &Value)> {
    [("name", "name"), ("description", "description"), ("inputSchema", "parameters")]
        .into_iter()
        .filter_map(|(member, key)| Some((member, key, definition.get(member)?)))
}
