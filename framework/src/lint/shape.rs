//! What the protocol and the hosts want of each definition.

use serde_json::Value;

use super::{
    definition::Definition,
    finding::{Findings, quote},
    rule::Rule,
    vocabulary::{ACTING_NAMES, ACTS},
    words::Words,
};
use crate::wire::kind::kind;

pub(super) fn check(tool: &Definition<'_>, found: &mut Findings<'_>) {
    if !tool.value.is_object() {
        let text = format!("the entry is {}, and no definition", kind(tool.value));
        return found.add(
            tool,
            Rule::IllTyped,
            "",
            text,
            "list objects with `name`, `description` and `inputSchema`",
        );
    }
    if let Some(place) = &tool.too_deep {
        let text = "here it is nested deeper than 64 levels, and was not looked into further";
        found.add(tool, Rule::TooDeep, place, text, "make it flat: nobody fills in what is nested so deep");
    }
    types(tool, found);
    name(tool, found);
    schemas(tool, found);
    annotations(tool, found);
}

fn types(tool: &Definition<'_>, found: &mut Findings<'_>) {
    if tool.value.get("name").is_none() {
        let fix = "give it a `name` of 1 to 64 letters, digits, `_` and `-`";
        found.add(tool, Rule::IllTyped, "/name", "`name` is missing", fix);
    }
    for (place, wanted) in TYPES {
        let Some(value) = tool.value.pointer(place) else { continue };
        if kind(value) != wanted {
            let name = place.rsplit('/').next().unwrap_or(place);
            let text = format!("`{name}` is {}, and has to be {wanted}", kind(value));
            found.add(tool, Rule::IllTyped, place, text, format!("make it {wanted}, or leave it out"));
        }
    }
}

/// The type of each member; those of `inputSchema` have a rule of their own.
const TYPES: [(&str, &str); 12] = [
    ("/name", "a string"),
    ("/title", "a string"),
    ("/description", "a string"),
    ("/outputSchema", "an object"),
    ("/icons", "an array"),
    ("/_meta", "an object"),
    ("/annotations", "an object"),
    ("/annotations/title", "a string"),
    ("/annotations/readOnlyHint", "a boolean"),
    ("/annotations/destructiveHint", "a boolean"),
    ("/annotations/idempotentHint", "a boolean"),
    ("/annotations/openWorldHint", "a boolean"),
];

fn name(tool: &Definition<'_>, found: &mut Findings<'_>) {
    let Some(name) = tool.name else { return };
    let is_plain = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '-');
    let length = name.chars().count();
    let other = name.chars().find(|it| !is_plain(*it));
    let is_allowed = name.chars().all(|it| is_plain(it) || it == '.') && (1..=128).contains(&length);
    if !is_allowed {
        let text = match name.chars().find(|it| !is_plain(*it) && *it != '.') {
            Some(char) => format!("the name has {} in it", quote(&char.to_string())),
            None => format!("the name has {length} characters"),
        };
        found.add(tool, Rule::NameCharset, "/name", text, rename(name));
    } else if other.is_some() || length > 64 {
        let text = match other {
            Some(_) => "several hosts refuse a name with a dot".to_owned(),
            None => format!("several hosts refuse a name of {length} characters"),
        };
        found.add(tool, Rule::NameHost, "/name", text, rename(name));
    }
}

/// How to spell a name so that everybody takes it.
fn rename(name: &str) -> String {
    let parts = name.split(|it: char| !it.is_ascii_alphanumeric() && !matches!(it, '_' | '-'));
    let better = parts.filter(|it| !it.is_empty()).collect::<Vec<_>>().join("_");
    match better.len() {
        1..=64 => format!("call it {}", quote(&better)),
        _ => "use 1 to 64 letters, digits, `_` and `-`".to_owned(),
    }
}

fn schemas(tool: &Definition<'_>, found: &mut Findings<'_>) {
    let schema = tool.value.get("inputSchema");
    let text = match schema {
        None => Some("`inputSchema` is missing".to_owned()),
        Some(it) if !it.is_object() => {
            Some(format!("`inputSchema` is {}, and has to be an object", kind(it)))
        }
        Some(it) if it.get("type").is_none_or(|it| it != "object") => {
            Some("the root of `inputSchema` has not the `type` object".to_owned())
        }
        Some(_) => None,
    };
    if let Some(text) = text {
        let fix = "write `{\"type\": \"object\", \"properties\": {..}}`; without parameters, `{\"type\": \"object\", \
                   \"additionalProperties\": false}`";
        found.add(tool, Rule::InputSchema, "/inputSchema", text, fix);
    }
    let output = tool.value.get("outputSchema").filter(|it| it.is_object());
    if output.is_some_and(|it| it.get("type").is_none_or(|it| it != "object")) {
        let text = "the root of `outputSchema` has not the `type` object";
        let fix = "put the result into a member of an object, if older clients have to read it";
        found.add(tool, Rule::OutputSchema, "/outputSchema", text, fix);
    }
}

fn annotations(tool: &Definition<'_>, found: &mut Findings<'_>) {
    let Some(annotations) = tool.value.get("annotations") else {
        let fix = "say `readOnlyHint`, and for a tool that changes something `destructiveHint` and `idempotentHint`";
        return found.add(tool, Rule::NoAnnotations, "", "it has no `annotations`", fix);
    };
    let is_true = |name: &str| annotations.get(name) == Some(&Value::Bool(true));
    if !is_true("readOnlyHint") {
        return;
    }
    if is_true("destructiveHint") {
        let text = "`destructiveHint` and `readOnlyHint` are both true";
        let fix = "leave out the one that is not true";
        found.add(tool, Rule::AnnotationsContradict, "/annotations/destructiveHint", text, fix);
    }
    if let Some(act) = acts(tool) {
        let text = format!("`readOnlyHint` is true, and the tool says {}", quote(&act));
        let fix = "leave `readOnlyHint` out, or say what the tool reads";
        found.add(tool, Rule::ReadOnlyActs, "/annotations/readOnlyHint", text, fix);
    }
}

/// The words by which a tool says that it changes something.
fn acts(tool: &Definition<'_>) -> Option<String> {
    let name = Words::of(tool.name.unwrap_or_default());
    let in_name = name.get(0).filter(|it| ACTING_NAMES.has(it)).map(str::to_owned);
    ACTS.find_text(&tool.words).map(str::to_owned).or(in_name)
}
