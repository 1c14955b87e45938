//! Secrets among the arguments, and what is repeated in headers.

use super::{
    definition::Definition,
    finding::{Findings, quote},
    property::Property,
    rule::Rule,
    vocabulary::{NO_SECRETS, SECRET_NAMES, SECRET_TEXTS},
    words::Words,
};
use crate::schema::header_params;

pub(super) fn check(tool: &Definition<'_>, found: &mut Findings<'_>) {
    if tool.too_deep.is_none()
        && let Err(error) = header_params(&tool.value["inputSchema"])
    {
        let place = format!("/inputSchema{}", error.pointer);
        let fix = "name it once, in letters, digits and `-`, on a string, an integer or a boolean right under `properties`";
        found.add(tool, Rule::HeaderInvalid, &place, error.problem, fix);
    }
    for parameter in tool.parameters.iter().filter(|it| is_secret(it)) {
        if parameter.schema.get("x-mcp-header").is_some() {
            let place = format!("{}/x-mcp-header", parameter.place);
            let text = format!(
                "{} looks like a secret, and its value is repeated in a header",
                quote(&parameter.name)
            );
            found.add(tool, Rule::HeaderSecret, &place, text, "leave `x-mcp-header` out");
        }
        let text = format!("{} asks the model for a secret", quote(&parameter.name));
        let fix = "take it from the configuration or the authorization of the caller, or ask the user with an elicitation by URL";
        found.add(tool, Rule::SecretParameter, &parameter.place, text, fix);
    }
}

fn is_secret(parameter: &Property<'_>) -> bool {
    let is_other = ["boolean", "integer", "number", "array", "object"].iter().any(|it| parameter.may_be(it));
    if is_other && !parameter.may_be("string") || parameter.has(&["enum", "const"]) {
        return false;
    }
    if parameter.get("format").is_some_and(|it| it == "password") {
        return true;
    }
    let name = spaced(&parameter.name);
    let name = Words::of(&name);
    let description = Words::of(parameter.description().unwrap_or_default());
    // What a description is about stands at its start.
    let is_other = |words: &Words<'_>, most: usize| words.iter().take(most).any(|it| NO_SECRETS.has(it));
    if is_other(&name, usize::MAX) || is_other(&description, 4) {
        return false;
    }
    SECRET_NAMES.are_in(&name) || SECRET_TEXTS.find(&description).is_some_and(|it| it.end <= 4)
}

/// A name with a blank before each hump: `apiKey` is two words.
fn spaced(name: &str) -> String {
    let mut spaced = String::with_capacity(name.len());
    let mut was_lower = false;
    for char in name.chars() {
        if char.is_uppercase() && was_lower {
            spaced.push(' ');
        }
        was_lower = char.is_lowercase() || char.is_ascii_digit();
        spaced.push(char);
    }
    spaced
}
