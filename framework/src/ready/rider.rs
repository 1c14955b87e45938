//! The question as it rides on `tools/list`: read strictly, and refused with its first fault.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::{
    EXTENSION, MAX_TOOLS,
    evaluate::{Asked, Wanted},
    filter::{Filter, Filters},
};
use crate::wire::kind::kind;

/// The first fault of a question.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// A JSON Pointer into the question.
    pub(crate) path: String,
    /// The kind of fault, for programs.
    pub(crate) fault: &'static str,
    /// The same in words.
    pub(crate) text: String,
}

impl Fault {
    pub(super) fn new(path: impl Into<String>, fault: &'static str, text: impl Into<String>) -> Self {
        Self { path: path.into(), fault, text: text.into() }
    }

    /// What a program is told of it.
    pub(crate) fn data(&self) -> Value {
        json!({"extension": EXTENSION, "path": self.path, "fault": self.fault})
    }
}

/// How a kind of question differs from the other.
pub(crate) struct Form {
    pub(crate) most: usize,
    /// Members beside `tools` and `policy` that the caller reads by itself.
    pub(crate) more: &'static [&'static str],
    /// Members of an entry beside `id`.
    pub(crate) of_entry: &'static [&'static str],
}

/// What rides on `tools/list`.
pub(crate) const RIDER: Form = Form { most: MAX_TOOLS, more: &[], of_entry: &[] };

/// Members that a later version may give a meaning.
const RESERVED: [&str; 4] = ["expect_hashes", "pin_hash", "profile", "wait_ms"];

/// Reads a question. Which members there are is judged before what is in them, objects by sorted keys, arrays in order.
///
/// # Errors
/// The first fault; nothing is evaluated then.
pub(crate) fn read(question: &Value, form: &Form) -> Result<Asked, Fault> {
    let members = object(question, "", "the rider")?;
    check_members(members, "", &[form.more, &["tools", "policy"]].concat())?;
    let tools = members.get("tools").ok_or_else(|| Fault::new("/tools", "missing", "`tools` is required"))?;
    let filters = members.get("policy").map(filters).transpose()?.unwrap_or_default();
    let raw = ids(tools, form)?;
    let mut tools: Vec<Wanted> = Vec::with_capacity(raw.len());
    let mut seen = HashSet::new();
    for written in &raw {
        let id = written.trim();
        if seen.insert(id) {
            // An id of blanks alone names nothing, and an answer has no empty ids.
            let id = if id.is_empty() { written } else { id };
            tools.push(Wanted { id: id.to_owned(), pin: None });
        }
    }
    Ok(Asked { tools, raw, filters })
}

fn filters(policy: &Value) -> Result<Filters, Fault> {
    let members = object(policy, "/policy", "`policy`")?;
    for name in sorted(members) {
        if !Filter::ALL.iter().any(|it| it.name() == name) {
            let text = format!("unknown member `policy.{}`", shown(name));
            return Err(Fault::new(pointer("/policy", name), "unknown_member", text));
        }
    }
    let mut filters = Filters::default();
    for name in sorted(members) {
        let value = &members[name];
        let Value::Bool(on) = value else {
            let text = format!("`policy.{name}` must be a boolean, got {}", kind(value));
            return Err(Fault::new(pointer("/policy", name), "not_boolean", text));
        };
        Filter::ALL.into_iter().filter(|it| it.name() == name).for_each(|it| filters.set(it, *on));
    }
    Ok(filters)
}

/// The ids as they are written.
fn ids(tools: &Value, form: &Form) -> Result<Vec<String>, Fault> {
    let Value::Array(entries) = tools else {
        let text = format!("`tools` must be an array, got {}", kind(tools));
        return Err(Fault::new("/tools", "not_array", text));
    };
    // What is named twice counts twice: the bound is on the work of reading it.
    if entries.is_empty() || entries.len() > form.most {
        let text = format!("`tools` needs 1 to {} entries, got {}", form.most, entries.len());
        return Err(Fault::new("/tools", "count", text));
    }
    entries.iter().enumerate().map(|(at, entry)| id(entry, at, form)).collect()
}

fn id(entry: &Value, at: usize, form: &Form) -> Result<String, Fault> {
    let place = format!("/tools/{at}");
    let members = object(entry, &place, &format!("`tools[{at}]`"))?;
    check_members(members, &place, &[form.of_entry, &["id"]].concat())
        .map_err(|it| Fault { text: format!("`tools[{at}]`: {}", it.text), ..it })?;
    let place = format!("{place}/id");
    match members.get("id") {
        None => Err(Fault::new(place, "missing", format!("`tools[{at}].id` is required"))),
        Some(Value::String(id)) if id.is_empty() => {
            Err(Fault::new(place, "empty", format!("`tools[{at}].id` must not be empty")))
        }
        Some(Value::String(id)) => Ok(id.clone()),
        Some(other) => {
            let text = format!("`tools[{at}].id` must be a string, got {}", kind(other));
            Err(Fault::new(place, "not_string", text))
        }
    }
}

fn check_members(members: &Map<String, Value>, place: &str, known: &[&str]) -> Result<(), Fault> {
    let Some(name) = sorted(members).into_iter().find(|it| !known.contains(it)) else { return Ok(()) };
    let path = pointer(place, name);
    Err(match RESERVED.contains(&name) {
        true => Fault::new(path, "reserved", format!("`{name}` is reserved in version 1")),
        false => Fault::new(path, "unknown_member", format!("unknown member \"{}\"", shown(name))),
    })
}

fn object<'a>(value: &'a Value, place: &str, name: &str) -> Result<&'a Map<String, Value>, Fault> {
    value.as_object().ok_or_else(|| {
        Fault::new(place, "not_object", format!("{name} must be an object, got {}", kind(value)))
    })
}

fn sorted(members: &Map<String, Value>) -> Vec<&str> {
    let mut names: Vec<&str> = members.keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

/// A JSON Pointer to a member (RFC 6901, section 3).
fn pointer(place: &str, name: &str) -> String {
    let name: String = name.chars().take(SHOWN).collect();
    format!("{place}/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// A name that a stranger chose, escaped and short.
fn shown(name: &str) -> String {
    name.chars().take(SHOWN).flat_map(char::escape_debug).take(SHOWN).collect()
}

/// Characters of a stranger's name.
const SHOWN: usize = 64;
