//! Which kinds of record the schema of a parameter or an output speaks of, and where in the arguments they stand.

use std::cell::RefCell;

use serde_json::Value;

use crate::handles::Kind;

/// The keyword of a handle in a schema. Validators take it for an annotation (JSON Schema 2020-12, section 6.5).
pub(crate) const KEYWORD: &str = "x-handle";

thread_local! {
    static NOTED: RefCell<Vec<&'static Kind>> = const { RefCell::new(Vec::new()) };
}

/// Called by the schema of a handle while it is made.
pub(super) fn note(kind: &'static Kind) {
    NOTED.with_borrow_mut(|it| it.push(kind));
}

/// Makes a schema, and tells which kinds it speaks of.
pub(super) fn noted<T>(make: impl FnOnce() -> T) -> (T, Vec<&'static Kind>) {
    let before = NOTED.take();
    let made = make();
    let mut kinds = NOTED.replace(before);
    kinds.sort_by_key(|it| it.name);
    kinds.dedup_by(|one, other| one.is(other));
    (made, kinds)
}

/// A place in the arguments where a handle stands.
#[derive(Debug)]
pub(crate) struct Place {
    steps: Vec<Step>,
    pub(crate) kind: &'static Kind,
}

#[derive(Clone, Debug)]
enum Step {
    Member(String),
    /// Each item of a list, or each member that is not named.
    Each,
}

/// All places where the schema of the arguments has a handle.
pub(crate) fn places(schema: &Value, kinds: &[&'static Kind]) -> Vec<Place> {
    let mut all = Vec::new();
    if !kinds.is_empty() {
        Walk { root: schema, kinds, all: &mut all }.schema(schema, &[], 0);
    }
    all
}

struct Walk<'a> {
    root: &'a Value,
    kinds: &'a [&'static Kind],
    all: &'a mut Vec<Place>,
}

impl Walk<'_> {
    /// Definitions that refer to themselves are followed as deep as arguments may be.
    fn schema(&mut self, schema: &Value, steps: &[Step], depth: usize) {
        if depth > DEPTH {
            return;
        }
        if let Some(name) = schema.get(KEYWORD).and_then(Value::as_str) {
            let kind = self.kinds.iter().find(|it| it.name == name);
            self.all.extend(kind.map(|kind| Place { steps: steps.to_vec(), kind }));
        }
        let below = |step: Step| [steps, &[step]].concat();
        for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            self.schema(property, &below(Step::Member(name.clone())), depth + 1);
        }
        for keyword in ["items", "additionalProperties"] {
            if let Some(it) = schema.get(keyword) {
                self.schema(it, &below(Step::Each), depth + 1);
            }
        }
        for it in schema.get("prefixItems").and_then(Value::as_array).into_iter().flatten() {
            self.schema(it, &below(Step::Each), depth + 1);
        }
        for keyword in ["anyOf", "oneOf", "allOf"] {
            for it in schema.get(keyword).and_then(Value::as_array).into_iter().flatten() {
                self.schema(it, steps, depth + 1);
            }
        }
        let reference = schema.get("$ref").and_then(Value::as_str).and_then(|it| it.strip_prefix('#'));
        if let Some(definition) = reference.and_then(|it| self.root.pointer(it)) {
            self.schema(definition, steps, depth + 1);
        }
    }
}

/// A type that holds itself is looked into so far. A handle further inside is refused, since nobody looked it up.
const DEPTH: usize = 12;

impl Place {
    /// The argument that is the handle, and not only has one inside.
    pub(crate) fn argument(&self) -> Option<&str> {
        match &self.steps[..] {
            [Step::Member(name)] => Some(name),
            _ => None,
        }
    }

    /// The texts that stand there, with the argument that each is in.
    pub(crate) fn each<'a>(&self, arguments: &'a Value, mut found: impl FnMut(&'a str, &'a str)) {
        let Some((Step::Member(argument), rest)) = self.steps.split_first() else { return };
        let Some((argument, value)) = arguments.as_object().and_then(|it| it.get_key_value(argument)) else {
            return;
        };
        each(rest, value, &mut |text| found(argument, text));
    }
}

fn each<'a>(steps: &[Step], value: &'a Value, found: &mut impl FnMut(&'a str)) {
    match (steps.split_first(), value) {
        (None, Value::String(text)) => found(text),
        (Some((Step::Member(name), rest)), Value::Object(members)) => {
            members.get(name).into_iter().for_each(|it| each(rest, it, found));
        }
        (Some((Step::Each, rest)), Value::Array(items)) => items.iter().for_each(|it| each(rest, it, found)),
        (Some((Step::Each, rest)), Value::Object(members)) => {
            members.values().for_each(|it| each(rest, it, found));
        }
        _ => {}
    }
}
