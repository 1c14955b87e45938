//! Definitions that are used once stand where they are used; those that are not used are gone.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::{keywords, uri};

/// Inlines every definition under `$defs` that is used once and does not contain itself, and drops the unused.
pub(super) fn inline(root: &mut Value) {
    let Some(Value::Object(definitions)) = root.as_object_mut().and_then(|it| it.shift_remove(DEFS)) else {
        return;
    };
    let mut definitions = definitions;
    loop {
        let uses = count_uses(root, &definitions);
        let once =
            definitions.keys().find(|name| uses.get(*name) == Some(&Use { whole: 1, part: 0, fits: true }));
        let Some(name) = once.cloned() else { break };
        let Some(definition) = definitions.shift_remove(&name) else { break };
        let mut wanted = Wanted { pointer: pointer(&name), definition: Some(definition) };
        put(root, &mut wanted);
        definitions.values_mut().for_each(|it| put(it, &mut wanted));
    }
    let uses = count_uses(root, &definitions);
    definitions.retain(|name, _| uses.contains_key(name));
    if let Value::Object(members) = root
        && !definitions.is_empty()
    {
        members.insert(DEFS.into(), Value::Object(definitions));
    }
}

/// How a definition is used.
#[derive(PartialEq, Eq)]
struct Use {
    /// By how many references to it.
    whole: usize,
    /// By how many references to something inside it.
    part: usize,
    /// Whether it can stand wherever it is referred to.
    fits: bool,
}

/// The uses of all definitions that can be reached from the root. One that contains itself is used as a part, too.
fn count_uses(root: &Value, definitions: &Map<String, Value>) -> HashMap<String, Use> {
    let mut uses = HashMap::new();
    let mut open = vec![root];
    while let Some(schema) = open.pop() {
        for (reference, siblings_describe) in references(schema) {
            let Some((name, whole)) = definitions.keys().find_map(|it| Some((it, leads_to(&reference, it)?)))
            else {
                continue;
            };
            let known = uses.entry(name.clone()).or_insert_with(|| {
                open.push(&definitions[name]);
                Use { whole: 0, part: usize::from(contains_itself(name, definitions)), fits: true }
            });
            known.whole += usize::from(whole);
            known.part += usize::from(!whole);
            known.fits &= siblings_describe.is_none_or(|it| it && definitions[name].is_object());
        }
    }
    uses
}

/// Whether `reference` leads to the definition itself (`true`) or to something inside it (`false`).
fn leads_to(reference: &str, name: &str) -> Option<bool> {
    let below = reference.strip_prefix(&pointer(name))?;
    (below.is_empty() || below.starts_with('/')).then_some(below.is_empty())
}

fn pointer(name: &str) -> String {
    format!("#/{DEFS}/{}", keywords::escape(name))
}

fn contains_itself(name: &str, definitions: &Map<String, Value>) -> bool {
    let mut seen: Vec<&str> = Vec::new();
    let mut open = vec![name];
    while let Some(it) = open.pop() {
        for (reference, _) in references(&definitions[it]) {
            let next = definitions.keys().find(|it| leads_to(&reference, it).is_some());
            match next.map(String::as_str) {
                Some(next) if next == name => return true,
                Some(next) if !seen.contains(&next) => {
                    seen.push(next);
                    open.push(next);
                }
                _ => {}
            }
        }
    }
    false
}

/// Every reference in `schema`, and whether what stands beside it only describes; `None` when nothing does.
fn references(schema: &Value) -> Vec<(String, Option<bool>)> {
    let mut found = Vec::new();
    collect(schema, &mut found);
    found
}

fn collect(schema: &Value, found: &mut Vec<(String, Option<bool>)>) {
    if let Some(reference) = reference(schema) {
        let beside = || {
            schema.as_object().into_iter().flatten().map(|(name, _)| name.as_str()).filter(|it| *it != REF)
        };
        let describes = beside().next().map(|_| beside().all(keywords::describes));
        found.push((reference, describes));
    }
    keywords::each_child(schema, |_, child| collect(child, found));
}

fn reference(schema: &Value) -> Option<String> {
    uri::decode(schema.get(REF)?.as_str()?)
}

/// A definition on its way to the one place that refers to it.
struct Wanted {
    pointer: String,
    definition: Option<Value>,
}

fn put(schema: &mut Value, wanted: &mut Wanted) {
    if reference(schema).as_deref() == Some(&wanted.pointer)
        && let Some(definition) = wanted.definition.take()
    {
        return merge(schema, definition);
    }
    keywords::each_child_mut(schema, |child| put(child, wanted));
}

/// Puts `definition` where its `$ref` stands. What the reference says beside it is nearer, and wins.
fn merge(schema: &mut Value, definition: Value) {
    match (schema, definition) {
        (Value::Object(members), Value::Object(definition)) => {
            let beside = std::mem::take(members);
            let inner = |(name, _): &(String, Value)| name == REF || !beside.contains_key(name);
            let mut definition = Some(definition.into_iter().filter(inner).collect::<Vec<_>>());
            for (name, value) in beside.clone() {
                match definition.take_if(|_| name == REF) {
                    Some(definition) => members.extend(definition),
                    None => {
                        members.insert(name, value);
                    }
                }
            }
        }
        (schema, definition) => *schema = definition,
    }
}

const DEFS: &str = "$defs";
const REF: &str = "$ref";
