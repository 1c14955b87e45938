//! The description of a tool: that it is there, its length, and when to use the tool.

use super::{
    definition::Definition,
    finding::{Findings, quote},
    rule::Rule,
    vocabulary,
};

pub(super) fn check(tool: &Definition<'_>, found: &mut Findings<'_>) {
    let place = "/description";
    let is_absent = tool.value.is_object() && tool.value.get("description").is_none();
    let Some(text) = tool.description else {
        if is_absent {
            found.add(tool, Rule::NoDescription, place, "`description` is missing", WHOLE);
        }
        return;
    };
    let words = &tool.words;
    let length = text.trim().chars().count();
    if words.len() == 0 {
        return found.add(tool, Rule::NoDescription, place, "the description is empty", WHOLE);
    }
    if length < SHORTEST {
        let text = format!("the description has {length} characters: {}", quote(text.trim()));
        return found.add(tool, Rule::DescriptionShort, place, text, WHOLE);
    }
    if length > LONGEST {
        let text = format!("the description has {length} characters");
        let fix = "say in at most 600 what the tool does and when to use it; move the rest to the parameters that it is about";
        found.add(tool, Rule::DescriptionLong, place, text, fix);
    }
    if !is_english(text) {
        return;
    }
    if !vocabulary::says_when(words) {
        let fix = "add a line that begins with `Use when`";
        found.add(tool, Rule::NoWhen, place, "it does not say when to use the tool", fix);
    }
    if !vocabulary::says_when_not(words) {
        let fix = "add a line that begins with `Do not use when`, and name the tool that is right then";
        found.add(tool, Rule::NoWhenNot, place, "it does not say when the tool is the wrong one", fix);
    }
}

/// Whether phrases can be found in a text: most of its letters are of the alphabet.
fn is_english(text: &str) -> bool {
    let letters = text.chars().filter(|it| it.is_alphabetic()).count();
    text.chars().filter(char::is_ascii_alphabetic).count() * 2 > letters
}

const WHOLE: &str =
    "say in 40 to 600 characters what it does, `Use when` it is right, and `Do not use when` another tool is";
const SHORTEST: usize = 40;
const LONGEST: usize = 600;
