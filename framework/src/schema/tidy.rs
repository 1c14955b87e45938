//! A generated schema without what no client needs.

use serde_json::{Map, Value};

use super::{inline, keywords};

/// Takes from a schema that `schemars` generated what only Rust knows: `$schema`, the names of types, the widths of
/// numbers, indirections. The result accepts the same instances, but for numbers over the width of their type, which
/// could not be read; members keep their order.
///
/// A schema written by hand is not for this function: it is published as it is.
pub(crate) fn tidy(mut schema: Value) -> Value {
    strip(&mut schema);
    inline::inline(&mut schema);
    schema
}

fn strip(schema: &mut Value) {
    keywords::each_child_mut(schema, strip);
    if let Value::Object(members) = schema {
        members.shift_remove("$schema");
        bound(members);
        members.retain(|keyword, value| match keyword.as_str() {
            "title" => !value.as_str().is_some_and(is_type_name),
            "format" => !value.as_str().is_some_and(|it| WIDTHS.contains(&it)),
            _ => true,
        });
        gather(members);
    }
}

/// Says in bounds how wide a number of 32 bits is; narrower ones have theirs already.
fn bound(members: &mut Map<String, Value>) {
    let (least, most) = match members.get("format").and_then(Value::as_str) {
        Some("int32") => (i64::from(i32::MIN), i64::from(i32::MAX)),
        Some("uint32") => (0, i64::from(u32::MAX)),
        _ => return,
    };
    for (name, value) in std::mem::take(members) {
        match name.as_str() {
            "format" => {
                members.entry("minimum").or_insert_with(|| least.into());
                members.entry("maximum").or_insert_with(|| most.into());
            }
            _ => {
                members.insert(name, value);
            }
        }
    }
}

/// Whether a title can be the name of a type, which is what is generated where the author gave none.
fn is_type_name(title: &str) -> bool {
    title.starts_with(|char: char| char.is_ascii_uppercase() || char == '_')
        && title.chars().all(|char| char.is_alphanumeric() || char == '_')
}

/// Writes a choice between single values in its shortest form: an `enum`, or each `const` with its description.
fn gather(members: &mut Map<String, Value>) {
    let Some(Value::Array(branches)) = members.get("oneOf") else { return };
    let Some(consts) = branches.iter().map(single).collect::<Option<Vec<_>>>() else { return };
    let shared =
        branches[0].get("type").filter(|it| branches.iter().all(|branch| branch.get("type") == Some(it)));
    let shared = shared.filter(|_| !members.contains_key("type")).cloned();
    let bare = |branch: &Value| {
        branch.as_object().is_some_and(|it| it.keys().all(|it| it == "const" || it == "type"))
    };
    let distinct = consts.iter().enumerate().all(|(at, it)| !consts[..at].contains(it));
    let choice = match branches.iter().all(bare) && distinct && !members.contains_key("enum") {
        true => ("enum", consts.into_iter().cloned().collect()),
        false => ("oneOf", branches.iter().map(without_type).collect()),
    };
    replace(members, choice, shared);
}

/// The value of a branch that allows one only and says its type, if at all, correctly.
fn single(branch: &Value) -> Option<&Value> {
    let value = branch.get("const")?;
    let agrees = match branch.get("type").map(Value::as_str) {
        None => true,
        Some(Some("string")) => value.is_string(),
        Some(Some("integer")) => value.is_i64() || value.is_u64(),
        Some(Some("boolean")) => value.is_boolean(),
        Some(_) => false,
    };
    agrees.then_some(value)
}

fn without_type(branch: &Value) -> Value {
    let kept = branch.as_object().into_iter().flatten().filter(|(keyword, _)| *keyword != "type");
    Value::Object(kept.map(|(keyword, value)| (keyword.clone(), value.clone())).collect())
}

/// Puts the type that all branches share, and the choice, where `oneOf` was.
fn replace(members: &mut Map<String, Value>, choice: (&str, Vec<Value>), shared: Option<Value>) {
    let (keyword, values) = choice;
    let mut values = Some(values);
    let mut shared = shared;
    for (name, value) in std::mem::take(members) {
        match values.take_if(|_| name == "oneOf") {
            Some(values) => {
                shared.take().and_then(|it| members.insert("type".into(), it));
                members.insert(keyword.into(), Value::Array(values));
            }
            None => {
                members.insert(name, value);
            }
        }
    }
}

/// What `schemars` calls the widths of Rust's numbers.
const WIDTHS: [&str; 14] = [
    "int8", "int16", "int32", "int64", "int128", "int", "uint8", "uint16", "uint32", "uint64", "uint128",
    "uint", "float", "double",
];
