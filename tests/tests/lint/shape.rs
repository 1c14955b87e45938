//! What the protocol and the hosts want of each definition.

use serde_json::json;
use tollgate::lint::Rule;

use super::kit::{Case, described, named, tool};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case::of(Rule::IllTyped)
            .fires("", json!(["find_note"]))
            .fires("", json!(null))
            .fires("/name", tool(json!({"name": null})))
            .fires("/name", tool(json!({"name": 7})))
            .fires("/description", tool(json!({"description": ["Finds."]})))
            .fires("/outputSchema", tool(json!({"outputSchema": true})))
            .fires("/annotations", tool(json!({"annotations": []})))
            .fires("/annotations/readOnlyHint", tool(json!({"annotations": {"readOnlyHint": "yes"}})))
            .quiet(tool(json!({"title": "Find", "icons": [], "_meta": {}, "more": 1}))),
        Case::of(Rule::TooDeep)
            .fires(
                concat!(
                    "/inputSchema",
                    "/not/not/not/not/not/not/not/not",
                    "/not/not/not/not/not/not/not/not",
                    "/not/not/not/not/not/not/not/not",
                    "/not/not/not/not/not/not/not/not",
                    "/not/not/not/not/not/not/not/not",
                    "/not/not/not/not/not/not/not/not",
                    "/not/not/not/not/not/not/not/not",
                    "/not/not/not/not/not/not/not/not"
                ),
                nested(100),
            )
            .quiet(nested(60)),
        Case::of(Rule::NameCharset)
            .fires("/name", tool(json!({"name": "find note"})))
            .fires("/name", tool(json!({"name": ""})))
            .fires("/name", tool(json!({"name": "n".repeat(129)})))
            .fires("/name", tool(json!({"name": "find/nöte"})))
            .quiet(tool(json!({"name": "notes.find-2_A"}))),
        Case::of(Rule::NameHost)
            .fires("/name", tool(json!({"name": "notes.find"})))
            .fires("/name", tool(json!({"name": "n".repeat(65)})))
            .quiet(tool(json!({"name": "n".repeat(64)})))
            .quiet(tool(json!({"name": "find note"}))),
        Case::of(Rule::InputSchema)
            .fires("/inputSchema", tool(json!({"inputSchema": null})))
            .fires("/inputSchema", tool(json!({"inputSchema": true})))
            .fires("/inputSchema", tool(json!({"inputSchema": {}})))
            .fires("/inputSchema", tool(json!({"inputSchema": {"type": ["object", "null"]}})))
            .quiet(tool(json!({"inputSchema": {"type": "object", "additionalProperties": false}}))),
        Case::of(Rule::OutputSchema)
            .fires("/outputSchema", tool(json!({"outputSchema": {"type": "array"}})))
            .fires("/outputSchema", tool(json!({"outputSchema": {}})))
            .quiet(tool(json!({"outputSchema": {"type": "object"}})))
            .quiet(tool(json!({"outputSchema": 1}))),
        Case::of(Rule::NoAnnotations)
            .fires("", tool(json!({"annotations": null})))
            .quiet(tool(json!({"annotations": {}}))),
        Case::of(Rule::AnnotationsContradict)
            .fires(
                "/annotations/destructiveHint",
                tool(json!({"annotations": {"readOnlyHint": true, "destructiveHint": true}})),
            )
            .quiet(tool(json!({"annotations": {"readOnlyHint": true, "destructiveHint": false}})))
            .quiet(tool(json!({"annotations": {"readOnlyHint": false, "destructiveHint": true}}))),
        Case::of(Rule::ReadOnlyActs)
            .fires("/annotations/readOnlyHint", described("Deletes a note for good."))
            .fires("/annotations/readOnlyHint", described("Reads a note and sends it to somebody."))
            .fires("/annotations/readOnlyHint", named("delete_note", "Takes a note by its title."))
            .quiet(described("Finds notes. Deleted ones are left out. Use when the user deletes one."))
            .quiet(described("Lists the messages that a team sends."))
            .quiet(tool(json!({"description": "Deletes a note.", "annotations": {"destructiveHint": true}}))),
    ]
}

/// A tool whose schema is nested so deep.
fn nested(depth: usize) -> serde_json::Value {
    let mut schema = json!(true);
    for _ in 0..depth {
        schema = json!({"not": schema});
    }
    schema["type"] = json!("object");
    tool(json!({"inputSchema": schema}))
}

#[test]
fn each_rule_of_the_shape_fires_where_it_should_and_nowhere_else() {
    cases().iter().for_each(Case::hold);
}

#[test]
fn a_name_that_is_refused_comes_with_one_that_is_not() {
    let found = tollgate::lint::lint(&[tool(json!({"name": "Find a note!"}))]);

    assert_eq!(found[0].fix, "call it `Find_a_note`");
}
