//! A property in the schema of the arguments or the result.

use serde_json::Value;

use crate::schema::each_child;

/// A property at any depth, and everything that its schema says of the value.
pub(super) struct Property<'a> {
    pub(super) name: String,
    pub(super) place: String,
    pub(super) schema: &'a Value,
    /// Its schema, then those that it refers to or chooses from, the nearest first.
    parts: Vec<&'a Value>,
}

/// All properties of the schema `root`, which stands at `place`: in other properties, in items, in definitions.
pub(super) fn all<'a>(root: &'a Value, place: &str) -> Vec<Property<'a>> {
    let mut all = Vec::new();
    collect(root, root, place, &mut all);
    all
}

/// Each place is visited once, as references are not followed: what they lead to is a place of its own.
fn collect<'a>(root: &'a Value, schema: &'a Value, place: &str, all: &mut Vec<Property<'a>>) {
    each_child(schema, |below, child| {
        // What is only compared with the arguments is no description of them.
        if below == "/if" || below == "/not" {
            return;
        }
        let place = format!("{place}{below}");
        if let Some(name) = below.strip_prefix("/properties/") {
            let name = name.replace("~1", "/").replace("~0", "~");
            all.push(Property { name, place: place.clone(), schema: child, parts: parts(root, child) });
        }
        collect(root, child, &place, all);
    });
}

fn parts<'a>(root: &'a Value, schema: &'a Value) -> Vec<&'a Value> {
    let mut parts = vec![schema];
    let mut at = 0;
    while let Some(part) = parts.get(at).copied() {
        let reference = part.get("$ref").and_then(Value::as_str).and_then(|it| it.strip_prefix('#'));
        let referred = reference.and_then(|it| root.pointer(it));
        let chosen = ["allOf", "anyOf", "oneOf"].into_iter().filter_map(|it| part.get(it)?.as_array());
        for next in referred.into_iter().chain(chosen.flatten()) {
            if parts.len() == MOST_PARTS {
                return parts;
            }
            if !parts.iter().any(|it| std::ptr::eq(*it, next)) {
                parts.push(next);
            }
        }
        at += 1;
    }
    parts
}

impl<'a> Property<'a> {
    /// What the nearest schema has under `keyword`.
    pub(super) fn get(&self, keyword: &str) -> Option<&'a Value> {
        self.parts.iter().find_map(|it| it.get(keyword))
    }

    pub(super) fn has(&self, keywords: &[&str]) -> bool {
        keywords.iter().any(|it| self.get(it).is_some())
    }

    pub(super) fn description(&self) -> Option<&'a str> {
        let mut texts = self.parts.iter().filter_map(|it| it.get("description")?.as_str());
        texts.find(|it| !it.trim().is_empty())
    }

    /// Whether a value may be of this type; none is said of a schema without types.
    pub(super) fn may_be(&self, kind: &str) -> bool {
        let mut types = self.parts.iter().filter_map(|it| it.get("type"));
        types.any(|it| match it {
            Value::Array(kinds) => kinds.iter().any(|it| it == kind),
            it => it == kind,
        })
    }
}

/// Choices and references of hostile schemas multiply.
const MOST_PARTS: usize = 16;
