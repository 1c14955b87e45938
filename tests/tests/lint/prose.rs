//! What a description has to say.

use serde_json::json;
use tollgate::lint::Rule;

use super::kit::{Case, described, tool};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case::of(Rule::NoDescription)
            .fires("/description", tool(json!({"description": null})))
            .fires("/description", described(""))
            .fires("/description", described(" \n"))
            .fires("/description", described("\u{200B}"))
            .quiet(described("Finds.")),
        Case::of(Rule::DescriptionShort)
            .fires("/description", described("Finds a note."))
            .fires("/description", described(&"a".repeat(39)))
            .quiet(described(&"a".repeat(40)))
            .quiet(described("")),
        Case::of(Rule::DescriptionLong)
            .fires("/description", described(&"a ".repeat(301)))
            .quiet(described(&"ä".repeat(600))),
        WHEN.iter().fold(
            Case::of(Rule::NoWhen)
                .fires("/description", described("Finds a note by words that stand in it, in any order."))
                .fires("/description", described("Finds a note. Do not use when the title is known to you."))
                .fires("/description", described("Finds a note. It should never be used for other documents."))
                .quiet(described("Findet eine Notiz."))
                .quiet(described("用关键词查找笔记。当用户想找到某条笔记时使用。不要用于已知标题的笔记，请改用另一个工具。请只返回匹配的笔记标题，其他内容不要返回。")),
            |case, it| case.quiet(described(&format!("Finds a note by words in it, in any order. {it}"))),
        ),
        WHEN_NOT.iter().fold(
            Case::of(Rule::NoWhenNot)
                .fires("/description", described("Finds a note. Use when the user looks for one by its words."))
                .fires("/description", described("Finds a note by words that stand in it, in any order.")),
            |case, it| case.quiet(described(&format!("Finds a note by words in it, in any order. {it}"))),
        ),
    ]
}

/// Ways to say when a tool is right.
const WHEN: &[&str] = &[
    "Use when the user looks for a note.",
    "Use this tool whenever a note is mentioned.",
    "Use it to look a note up.",
    "Use this for questions about notes.",
    "Call this after a note was named.",
    "Call it before writing.",
    "Useful when the title is not known.",
    "This is useful for research.",
    "Best for exact words.",
    "Ideal for long notebooks.",
    "Should be used when the title is unknown.",
    "Can be used for reading lists.",
    "When the user asks for a note, this finds it.",
    "If you need the text of a note.",
    "When to use: the title is not known.",
    "Designed for short queries.",
    "Only use this after `list_notes`.",
    "Prefer this when several notes match.",
    "This tool is essential for finding things.",
];

/// Ways to say when it is wrong.
const WHEN_NOT: &[&str] = &[
    "Do not use when the title is known.",
    "Don't use it for pictures.",
    "Don’t use this for pictures.",
    "Never call this twice.",
    "Should not be used for pictures.",
    "Not for pictures.",
    "Not suitable for pictures.",
    "It is not meant for pictures.",
    "Avoid for large notebooks.",
    "Avoid using this with one letter.",
    "Use the other tool instead.",
    "Prefer the other one over this for titles.",
    "Cannot read pictures.",
    "Does not search pictures.",
    "When not to use: the title is known.",
    "If the title is known, use the tool for titles.",
    "Only works within one notebook.",
    "Use only when the title is unknown.",
    "Leave it alone unless a note was named.",
    "Finds notes other than pictures.",
    "Deprecated.",
    "There is no need to call it for titles.",
];

#[test]
fn each_rule_of_descriptions_fires_where_it_should_and_nowhere_else() {
    cases().iter().for_each(Case::hold);
}

#[test]
fn a_short_description_is_told_once_what_it_has_to_say() {
    let found = tollgate::lint::lint(&[described("Finds a note.")]);

    assert_eq!(found.len(), 1);
}
