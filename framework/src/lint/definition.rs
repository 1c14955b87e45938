//! One tool of a list: what a model reads of it, and its parameters.

use serde_json::Value;

use super::{
    property::{self, Property},
    words::Words,
};
use crate::schema::escape;

/// A definition, whatever is wrong with it.
pub(super) struct Definition<'a> {
    /// Its position in the list.
    pub(super) at: usize,
    pub(super) value: &'a Value,
    pub(super) name: Option<&'a str>,
    pub(super) description: Option<&'a str>,
    /// The words of the description.
    pub(super) words: Words<'a>,
    /// All texts that may reach a model, in the order written.
    pub(super) texts: Vec<Text<'a>>,
    /// The parameters, and whatever properties they have inside.
    pub(super) parameters: Vec<Property<'a>>,
    /// The same of the result.
    pub(super) outputs: Vec<Property<'a>>,
    /// Where it is nested too deep; then it has no parameters here.
    pub(super) too_deep: Option<String>,
}

/// A text, and where it stands.
pub(super) struct Text<'a> {
    pub(super) place: String,
    pub(super) text: &'a str,
    pub(super) role: Role,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The name of a member, as a property is.
    Key,
    /// A description, of the tool or inside a schema.
    Description,
    /// Any other text: a title, a value of an enum, a default.
    Value,
}

impl<'a> Definition<'a> {
    pub(super) fn read(at: usize, value: &'a Value) -> Self {
        let text = |name: &str| value.get(name).and_then(Value::as_str);
        let mut read = Self {
            at,
            value,
            name: text("name"),
            description: text("description"),
            words: Words::of(text("description").unwrap_or_default()),
            texts: Vec::new(),
            parameters: Vec::new(),
            outputs: Vec::new(),
            too_deep: None,
        };
        for (name, member) in value.as_object().into_iter().flatten().filter(|it| !is_for_hosts(it.0)) {
            let place = format!("/{}", escape(name));
            let role = if name == "description" { Role::Description } else { Role::Value };
            read.collect(member, &place, role, 1);
        }
        if read.too_deep.is_none() {
            read.parameters = property::all(&value["inputSchema"], "/inputSchema");
            read.outputs = property::all(&value["outputSchema"], "/outputSchema");
        }
        read
    }

    fn collect(&mut self, value: &'a Value, place: &str, role: Role, depth: usize) {
        if depth > DEEPEST {
            self.too_deep.get_or_insert_with(|| place.to_owned());
            return;
        }
        match value {
            Value::String(text) => self.texts.push(Text { place: place.to_owned(), text, role }),
            Value::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    self.collect(item, &format!("{place}/{at}"), Role::Value, depth + 1);
                }
            }
            Value::Object(members) => {
                for (name, member) in members {
                    let place = format!("{place}/{}", escape(name));
                    let role = if name == "description" { Role::Description } else { Role::Value };
                    self.texts.push(Text { place: place.clone(), text: name, role: Role::Key });
                    self.collect(member, &place, role, depth + 1);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// What a finding calls it.
    pub(super) fn label(&self) -> String {
        self.name.map_or_else(|| format!("#{}", self.at + 1), str::to_owned)
    }
}

/// Whether no model reads a member of a tool.
fn is_for_hosts(member: &str) -> bool {
    matches!(member, "_meta" | "icons")
}

/// How deep a definition may be nested.
const DEEPEST: usize = 64;
