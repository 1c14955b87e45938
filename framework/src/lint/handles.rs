//! Tools that give a handle out: whether they say how long it lasts (server/tools, stateful tools).

use std::collections::HashSet;

use serde_json::Value;

use super::{
    definition::Definition,
    finding::{Findings, quote},
    property::Property,
    rule::Rule,
    vocabulary::{LIFETIME, MAKES, PERISHES},
    words::Words,
};

pub(super) fn check(tools: &[Definition<'_>], found: &mut Findings<'_>) {
    let perishing: HashSet<&str> = tools
        .iter()
        .flat_map(|it| &it.parameters)
        .filter(|it| PERISHES.are_in(&Words::of(it.description().unwrap_or_default())))
        .map(|it| it.name.as_str())
        .collect();
    for tool in tools {
        // Who only reads gives out handles that others made.
        let only_reads = tool.value.pointer("/annotations/readOnlyHint") == Some(&Value::Bool(true));
        if only_reads || LIFETIME.are_in(&tool.words) {
            continue;
        }
        let is_maker = is_maker(tool);
        let is_handle = |it: &&Property<'_>| {
            it.get(KEYWORD).is_some() || is_maker && looks_like_handle(it, &tool.words, &perishing)
        };
        let is_silent =
            |it: &&Property<'_>| !LIFETIME.are_in(&Words::of(it.description().unwrap_or_default()));
        if let Some(handle) = tool.outputs.iter().filter(is_handle).find(is_silent) {
            let text = format!(
                "it gives out the handle {}, and does not say how long it lasts",
                quote(&handle.name)
            );
            let fix = "add to the description a sentence such as `It expires after 24 hours without use.`";
            found.add(tool, Rule::HandleLifetime, &handle.place, text, fix);
        }
    }
}

/// How this framework marks a handle in a schema.
const KEYWORD: &str = "x-handle";

fn is_maker(tool: &Definition<'_>) -> bool {
    let name = Words::of(tool.name.unwrap_or_default());
    name.get(0).is_some_and(|it| MAKES.iter().any(|verb| it.starts_with(verb)))
}

/// A property that is called a handle, or an id of which some tool says that it does not last.
fn looks_like_handle(property: &Property<'_>, description: &Words<'_>, perishing: &HashSet<&str>) -> bool {
    let name = property.name.to_lowercase();
    let is_id = name == "id" || name.ends_with("_id") || property.name.ends_with("Id");
    let said = Words::of(property.description().unwrap_or_default());
    name.ends_with("handle")
        || is_id
            && (perishing.contains(property.name.as_str())
                || PERISHES.are_in(&said)
                || PERISHES.are_in(description))
}
