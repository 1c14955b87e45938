//! Text that speaks to the model over the head of the user.

use super::{
    definition::{Definition, Role, Text},
    finding::{Findings, quote},
    phrases::Phrases,
    rule::Rule,
    vocabulary::{CONTEXT, OVERRIDES, PRIORITY, SECRECY},
    words::{Words, start},
};

pub(super) fn check(tool: &Definition<'_>, found: &mut Findings<'_>) {
    for text in &tool.texts {
        phrases(tool, text, found);
        marks(tool, text, found);
        if text.role != Role::Key {
            links(tool, text, found);
            blobs(tool, text, found);
        }
    }
}

fn phrases(tool: &Definition<'_>, text: &Text<'_>, found: &mut Findings<'_>) {
    let words = Words::of(text.text);
    let tables: [(Rule, &Phrases, &str); 4] = [
        (
            Rule::OverridesInstructions,
            &OVERRIDES,
            "say what the tool does, and nothing of other instructions",
        ),
        (Rule::KeepsFromUser, &SECRECY, "leave it out: what a tool does is for the user to know"),
        (
            Rule::ClaimsPriority,
            &PRIORITY,
            "say in which case the tool is right, and leave the choice to the model",
        ),
        (Rule::AsksForContext, &CONTEXT, "ask for the one thing that the tool needs"),
    ];
    for (rule, table, fix) in tables {
        if let Some(phrase) = table.find_text(&words) {
            found.add(tool, rule, &text.place, format!("it says {}", quote(phrase)), fix);
        }
    }
}

/// Tags and marks that only prompts have.
fn marks(tool: &Definition<'_>, text: &Text<'_>, found: &mut Findings<'_>) {
    let tag = text.text.match_indices('<').find_map(|(at, _)| {
        let inside = text.text[at + 1..].split(['>', '<']).next()?.trim_start_matches('/');
        let name = inside.split_whitespace().next()?.to_ascii_lowercase();
        (TAGS.contains(&name.as_str()) && inside.len() <= 64).then(|| format!("<{inside}>"))
    });
    let mark = || MARKS.iter().find(|it| text.text.contains(**it)).map(|it| (*it).to_owned());
    if let Some(mark) = tag.or_else(mark) {
        let fix = "write plain sentences, without tags and comments";
        found.add(tool, Rule::PosesAsPrompt, &text.place, format!("it has {} in it", quote(&mark)), fix);
    }
}

const TAGS: &[&str] = &[
    "important",
    "system",
    "instruction",
    "instructions",
    "critical",
    "secret",
    "hidden",
    "admin",
    "assistant",
    "system-reminder",
    "system_prompt",
    "priority",
    "mandatory",
    "override",
    "reminder",
];
const MARKS: &[&str] = &[
    "<!--",
    "<|im_start|>",
    "<|system|>",
    "<|user|>",
    "<|endoftext|>",
    "<|eot_id|>",
    "[INST]",
    "[/INST]",
    "<<SYS>>",
    "\n\nHuman:",
    "\n\nAssistant:",
];

/// Links and images of Markdown whose target has a place for data.
fn links(tool: &Definition<'_>, text: &Text<'_>, found: &mut Findings<'_>) {
    // An image is a link with a `!` before it.
    let mut is_image = false;
    for (at, part) in text.text.match_indices(['[', ']']) {
        if part == "[" {
            is_image = text.text[..at].ends_with('!');
            continue;
        }
        let target = text.text[at + 1..].strip_prefix('(').filter(|it| it.starts_with("http"));
        let Some(target) = target else { continue };
        let target = start(target, LONGEST_LINK).split([')', ' ', '\n']).next().unwrap_or_default();
        let Some((_, query)) = target.split_once('?') else { continue };
        let has_place = query.contains(['{', '<', '$', '[', '%'])
            || query.split('&').any(|it| CARRIERS.contains(&it.split('=').next().unwrap_or_default()));
        if has_place || is_image {
            let text_of = format!("a link carries data to {}", quote(target));
            let fix = "leave the link out, or its query";
            return found.add(tool, Rule::LinkWithData, &text.place, text_of, fix);
        }
    }
}

const LONGEST_LINK: usize = 500;
const CARRIERS: &[&str] = &[
    "data",
    "d",
    "q",
    "payload",
    "content",
    "context",
    "conversation",
    "secret",
    "token",
    "key",
    "log",
    "text",
    "msg",
    "message",
    "prompt",
    "body",
    "leak",
    "info",
];

/// Long runs of the characters of base64, with all sorts of them.
fn blobs(tool: &Definition<'_>, text: &Text<'_>, found: &mut Findings<'_>) {
    let is_base64 = |it: char| it.is_ascii_alphanumeric() || matches!(it, '+' | '/' | '=' | '-' | '_');
    let mut runs = text.text.split(|it| !is_base64(it)).filter(|it| it.len() >= SHORTEST_BLOB);
    let is_blob = |run: &&str| {
        let has = |of: fn(&u8) -> bool| run.as_bytes().iter().filter(|it| of(it)).count();
        let separators = has(|it| matches!(it, b'/' | b'-' | b'_'));
        has(u8::is_ascii_uppercase) > 0
            && has(u8::is_ascii_lowercase) > 0
            && has(u8::is_ascii_digit) > 0
            && separators * 12 <= run.len()
    };
    if let Some(run) = runs.find(is_blob) {
        let text_of = format!("{} characters that look encoded: {}", run.len(), quote(run));
        let fix = "write it in plain text, or let a resource hold it";
        found.add(tool, Rule::EncodedText, &text.place, text_of, fix);
    }
}

const SHORTEST_BLOB: usize = 100;
