//! What a model is told of each parameter.

use serde_json::Value;

use super::{
    choices,
    definition::Definition,
    finding::{Findings, quote},
    property::Property,
    rule::Rule,
};

pub(super) fn check(tool: &Definition<'_>, found: &mut Findings<'_>) {
    for parameter in &tool.parameters {
        description(tool, parameter, found);
        choice(tool, parameter, found);
    }
    bounds(tool, found);
}

fn description(tool: &Definition<'_>, parameter: &Property<'_>, found: &mut Findings<'_>) {
    match parameter.description() {
        // Where there is but one value, there is nothing to say.
        None if parameter.has(&["const"]) => {}
        None => {
            let text = format!("{} has no description", quote(&parameter.name));
            let fix = "give it a `description`: what belongs there, in which form, and where it comes from";
            found.add(tool, Rule::UndescribedParameter, &parameter.place, text, fix);
        }
        Some(text) if letters(text) == letters(&parameter.name) => {
            let place = format!("{}/description", parameter.place);
            let text = format!("{} says no more than the name", quote(text));
            let fix = "say what belongs there, in which form, and where it comes from";
            found.add(tool, Rule::ParameterSaysName, &place, text, fix);
        }
        Some(_) => {}
    }
}

/// A text without separators, and without an article before it.
fn letters(text: &str) -> String {
    let text = text.trim();
    let bare = ["The ", "the ", "A ", "a ", "An ", "an "].iter().find_map(|it| text.strip_prefix(it));
    let bare = bare.unwrap_or(text).chars().filter(|it| it.is_alphanumeric());
    bare.flat_map(char::to_lowercase).collect()
}

fn choice(tool: &Definition<'_>, parameter: &Property<'_>, found: &mut Findings<'_>) {
    let is_free = parameter.may_be("string") && !parameter.has(&["enum", "const", "pattern", "format"]);
    let Some(text) = parameter.description().filter(|_| is_free) else { return };
    let Some(values) = choices::of(text) else { return };
    let (shown, more) = values.split_at(values.len().min(8));
    let list = shown.iter().map(|it| format!("{it:?}")).collect::<Vec<_>>().join(", ");
    let more = if more.is_empty() { "" } else { ", .." };
    let text = format!(
        "{} takes any text, and its description lists {} values",
        quote(&parameter.name),
        values.len()
    );
    let fix = format!("add `\"enum\": [{list}{more}]`");
    found.add(tool, Rule::EnumAsText, &parameter.place, text, fix);
}

/// Tells all that have no bound at once: one line for a tool is enough.
fn bounds(tool: &Definition<'_>, found: &mut Findings<'_>) {
    let is_open = |it: &&Property<'_>| {
        let is_text = it.may_be("string")
            && !it.has(&["maxLength", "enum", "const", "pattern", "format"])
            && !is_choice(it.schema);
        is_text || it.may_be("array") && !it.has(&["maxItems", "enum", "const"])
    };
    let open: Vec<&Property<'_>> = tool.parameters.iter().filter(is_open).collect();
    if open.is_empty() {
        return;
    }
    let names = open.iter().take(8).map(|it| quote(&it.name)).collect::<Vec<_>>().join(", ");
    let more = if open.len() > 8 { ", .." } else { "" };
    let text = format!("without a bound: {names}{more}");
    found.add(tool, Rule::Unbounded, "/inputSchema", text, "give texts a `maxLength` and lists a `maxItems`");
}

/// Whether a schema chooses among single values.
fn is_choice(schema: &Value) -> bool {
    let branches = schema.get("oneOf").or(schema.get("anyOf")).and_then(Value::as_array);
    branches.is_some_and(|it| it.iter().any(|it| it.get("const").is_some()))
}
