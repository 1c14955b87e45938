//! What tools of one list say of each other.

use serde_json::{Value, json};
use tollgate::lint::{Rule, lint};

use super::kit::{Case, described, named, tool};

pub(super) fn cases() -> Vec<Case> {
    let other = "Writes a line at the end of a note. Use when the user adds to it. Do not use for new notes.";
    let pair = |one: &str, two: &str| [named(one, other), tool(json!({"name": two}))];
    let twins = |one: &str, two: &str| [named("read_note", one), named("find_note", two)];
    let long = "Gets what the user has written down on a day that they name, with all of its pictures";
    vec![
        Case::of(Rule::DuplicateName)
            .fires("/name", pair("find_note", "find_note"))
            .quiet(pair("find_note", "Find_note")),
        Case::of(Rule::SimilarNames)
            .fires("/name", pair("find_note", "find_notes"))
            .fires("/name", pair("find_note", "findNote"))
            .fires("/name", pair("find-note", "find_note"))
            .fires("/name", pair("find_node", "find_note"))
            .quiet(pair("find_note", "read_note"))
            .quiet(pair("get_env", "set_env"))
            .quiet(pair("to_mp3", "to_mp4"))
            .quiet(pair("sum", "sub")),
        Case::of(Rule::NearDuplicate)
            .fires("/description", twins(long, long))
            .fires("/description", twins("Find a note.", "find a NOTE"))
            .fires("/description", twins(&format!("{long} in it."), &format!("{long}, in it, too.")))
            .quiet(twins("Deletes a note for good.", "Deletes a label for good."))
            .quiet(twins("", "")),
        Case::of(Rule::SameStart)
            .fires(
                "/description",
                twins(
                    &format!("{long}. Not for labels, dates or drawings."),
                    &format!("{long} but as a list of lines for those who want to quote it."),
                ),
            )
            .quiet(twins(&long[..50], &format!("{} and more of them all", &long[..50])))
            .quiet(twins(long, long)),
        Case::of(Rule::UnknownTool)
            .fires("/description", mentions("Then call `raed_note`."))
            .fires("/description", mentions("Not for titles: read_nose does that."))
            .fires("/description", mentions("See the `archive` tool."))
            .fires("/description", mentions("To list them, use get_all_notes."))
            .fires(
                "/inputSchema/properties/x/description",
                [
                    named("read_note", other),
                    super::kit::with(
                        json!({"type": "string", "maxLength": 9, "description": "What `list_titles` gave."}),
                    ),
                ],
            )
            .quiet(mentions("Then call `read_note`, never `find_note` again."))
            .quiet(mentions(
                "In order of `created_at`, `user_id` or max_count; `true` for all, as `read-only`.",
            ))
            .quiet(mentions(
                "Looks at `words` first, as in `set_by`, in src/get_note.rs and https://a.example/get_it.",
            ))
            .quiet([tool(
                json!({"inputSchema": {"type": "object", "properties": {"get_all": {"enum": ["list_all"]}}},
                "description": "With get_all, or `list_all`."}),
            )]),
    ]
}

fn mentions(sentence: &str) -> [Value; 2] {
    [
        tool(json!({"name": "read_note", "inputSchema": {"type": "object", "properties": {"set_by": {}}}})),
        described(&format!("Finds a note by words in it. Use when needed. {sentence}")),
    ]
}

#[test]
fn each_rule_of_lists_fires_where_it_should_and_nowhere_else() {
    cases().iter().for_each(Case::hold);
}

#[test]
fn an_unknown_name_comes_with_the_nearest_that_there_is() {
    let fix = |sentence| {
        let found = lint(&mentions(sentence));
        found.into_iter().find(|it| it.rule == Rule::UnknownTool).unwrap().fix
    };

    assert_eq!(fix("Call `raed_note`."), "write `read_note`, if that is meant, or leave the name out");
    assert_eq!(fix("Call `readNote`."), "write `read_note`, if that is meant, or leave the name out");
    assert_eq!(fix("Call `paint`."), "write the name of a tool of this list, or leave it out");
}

#[test]
fn the_third_of_three_that_are_alike_is_compared_with_the_first() {
    let tools =
        ["one", "two_more", "and_three"].map(|it| named(it, "Finds notes by words that stand in them."));

    let found = lint(&tools);

    let twins: Vec<&str> =
        found.iter().filter(|it| it.rule == Rule::NearDuplicate).map(|it| it.text.as_str()).collect();
    assert_eq!(twins, ["at least nine words of ten are those of the tool `one`"; 2]);
}
