//! Optional means left out, not null.

use serde_json::{Map, Value};

use super::keywords;

/// The schema of an `Option<T>` as the schema of `T`, and the same for every property inside that is not required.
///
/// For arguments: [`Checker::check`](super::Checker::check) takes an explicit null for such a property as absent.
/// Not for outputs, where a null that is written must stay allowed.
pub(crate) fn without_null(mut schema: Value) -> Value {
    strip(&mut schema);
    strip_properties(&mut schema);
    schema
}

fn strip_properties(schema: &mut Value) {
    let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for (name, property) in properties {
            if !required.iter().any(|it| it == name) {
                strip(property);
            }
        }
    }
    keywords::each_child_mut(schema, strip_properties);
}

/// Takes null from what one schema allows, if anything else is left.
fn strip(schema: &mut Value) {
    let Value::Object(members) = schema else { return };
    let stripped = strip_types(members) | strip_choice(members, "anyOf") | strip_choice(members, "oneOf");
    if stripped && members.get("default") == Some(&Value::Null) {
        members.shift_remove("default");
    }
}

fn strip_types(members: &mut Map<String, Value>) -> bool {
    let Some(Value::Array(types)) = members.get_mut("type") else { return false };
    let before = types.len();
    types.retain(|it| it != "null");
    let stripped = types.len() < before && !types.is_empty();
    match types.as_mut_slice() {
        [] => types.push("null".into()),
        [only] => members["type"] = only.take(),
        _ => {}
    }
    if stripped && let Some(Value::Array(values)) = members.get_mut("enum") {
        values.retain(|it| !it.is_null());
    }
    stripped
}

fn strip_choice(members: &mut Map<String, Value>, keyword: &str) -> bool {
    let Some(Value::Array(branches)) = members.get_mut(keyword) else { return false };
    let before = branches.len();
    let is_null =
        |it: &Value| it.get("type").is_some_and(|it| it == "null") || it.get("const") == Some(&Value::Null);
    if branches.iter().all(is_null) {
        return false;
    }
    branches.retain(|it| !is_null(it));
    let stripped = branches.len() < before;
    if stripped && let [Value::Object(only)] = branches.as_slice() {
        let only = only.clone();
        unwrap_branch(members, keyword, only);
    }
    stripped
}

/// Puts the members of the only branch left where the choice stood, if nothing there says something else.
fn unwrap_branch(members: &mut Map<String, Value>, keyword: &str, branch: Map<String, Value>) {
    let beside = |name: &String| name != keyword && members.contains_key(name);
    let conflicts = branch.keys().any(|name| beside(name) && !keywords::describes(name));
    let asserts = members.keys().any(|name| name != keyword && !keywords::describes(name) && name != "$defs");
    if conflicts || asserts {
        return;
    }
    let mut branch = Some(branch);
    let outer = std::mem::take(members);
    for (name, value) in &outer {
        match branch.take_if(|_| name == keyword) {
            Some(branch) => members.extend(branch.into_iter().filter(|(name, _)| !outer.contains_key(name))),
            None => {
                members.insert(name.clone(), value.clone());
            }
        }
    }
}
