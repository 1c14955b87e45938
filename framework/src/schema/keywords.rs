//! Which keywords of a schema hold further schemas.

use serde_json::Value;

/// How a keyword holds schemas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    One,
    List,
    Map,
}

/// How `keyword` holds schemas; `None` when its value is plain data.
pub(super) fn holds(keyword: &str) -> Option<Holds> {
    Some(match keyword {
        "additionalProperties"
        | "propertyNames"
        | "items"
        | "contains"
        | "not"
        | "if"
        | "then"
        | "else"
        | "unevaluatedItems"
        | "unevaluatedProperties"
        | "contentSchema" => Holds::One,
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => Holds::List,
        "properties" | "patternProperties" | "dependentSchemas" | "dependencies" | "$defs"
        | "definitions" => Holds::Map,
        _ => return None,
    })
}

/// Whether `keyword` only describes: it never makes an instance valid or invalid.
pub(super) fn describes(keyword: &str) -> bool {
    matches!(
        keyword,
        "title"
            | "description"
            | "default"
            | "examples"
            | "deprecated"
            | "readOnly"
            | "writeOnly"
            | "$comment"
            | "format"
    ) || keyword.starts_with("x-")
}

/// Calls `visit` with every direct subschema and its pointer below `schema`, in the order written.
pub(crate) fn each_child<'s>(schema: &'s Value, mut visit: impl FnMut(String, &'s Value)) {
    for (keyword, value) in schema.as_object().into_iter().flatten() {
        match (holds(keyword), value) {
            (Some(Holds::One), value) => visit(format!("/{keyword}"), value),
            (Some(Holds::List), Value::Array(list)) => {
                list.iter().enumerate().for_each(|(at, it)| visit(format!("/{keyword}/{at}"), it));
            }
            (Some(Holds::Map), Value::Object(map)) => {
                let schemas = map.iter().filter(|(_, it)| !is_list_of_names(keyword, it));
                schemas.for_each(|(name, it)| visit(format!("/{keyword}/{}", escape(name)), it));
            }
            _ => {}
        }
    }
}

/// Calls `visit` with every direct subschema of `schema`.
pub(super) fn each_child_mut(schema: &mut Value, mut visit: impl FnMut(&mut Value)) {
    for (keyword, value) in schema.as_object_mut().into_iter().flatten() {
        match (holds(keyword), value) {
            (Some(Holds::One), value) => visit(value),
            (Some(Holds::List), Value::Array(list)) => list.iter_mut().for_each(&mut visit),
            (Some(Holds::Map), Value::Object(map)) => map.values_mut().for_each(&mut visit),
            _ => {}
        }
    }
}

/// `dependencies` maps a name to a schema or to the names that must come with it.
fn is_list_of_names(keyword: &str, value: &Value) -> bool {
    keyword == "dependencies" && value.is_array()
}

/// One token of a JSON pointer (RFC 6901).
pub(crate) fn escape(token: &str) -> String {
    token.replace('~', "~0").replace('/', "~1")
}
