//! `tollgate lint`: what it finds, how it says it, and how it ends.

use serde_json::json;

use super::{
    house::Serving,
    kit::{Folder, tollgate, tollgate_with},
};

/// A tool that reads well, and one without a description.
fn saved(folder: &Folder) -> String {
    let good = json!({
        "name": "find_note",
        "description": "Finds a note by words in it. Use when the user looks for one. Do not use when it is open already.",
        "inputSchema": {"type": "object"},
        "annotations": {"readOnlyHint": true},
    });
    let bare =
        json!({"name": "dance", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}});
    folder.with("tools.json", &json!({"tools": [good, bare]}).to_string())
}

#[test]
fn findings_stand_under_their_tool_with_what_to_write_instead() {
    let folder = Folder::new();

    let run = tollgate(&["lint", "--tools", &saved(&folder)]).ends_with(2);

    assert!(run.out.starts_with("dance\n  error[no-description]"), "{}", run.out);
    assert!(run.out.contains("    fix: ") && run.out.contains("1 error, "), "{}", run.out);
    assert!(!run.out.contains("find_note"), "{}", run.out);
}

#[test]
fn a_rule_can_be_left_out_and_an_unknown_one_is_named() {
    let folder = Folder::new();
    let file = saved(&folder);

    tollgate(&["lint", "--without", "no-description", "--tools", &file]).ends_with(0);
    let wrong = tollgate(&["lint", "--without", "no-descripton", "--tools", &file]).ends_with(1);

    assert!(wrong.err.contains("there is `no-description`"), "{wrong:?}");
}

#[test]
fn warnings_count_when_it_is_strict() {
    let folder = Folder::new();
    let tool = json!({"name": "dance", "description": "Dances well, as everybody says who has seen it once.",
        "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}});
    let file = folder.with("tools.json", &json!([tool]).to_string());

    let lenient = tollgate(&["lint", "--tools", &file]).ends_with(0);
    let strict = tollgate(&["lint", "--strict", "--tools", &file]).ends_with(2);

    assert!(lenient.out.contains("warning[no-when]"), "{}", lenient.out);
    assert!(strict.out.contains("error[no-when]"), "{}", strict.out);
}

#[test]
fn it_is_said_as_json_as_markdown_and_as_notes_of_github() {
    let folder = Folder::new();
    let file = saved(&folder);
    let summary = folder.at("summary.md");

    let json = tollgate(&["lint", "--format", "json", "--tools", &file]).ends_with(2).json();
    let markdown = tollgate(&["lint", "--format", "markdown", "--tools", &file]).ends_with(2).out;
    let variables = [("GITHUB_STEP_SUMMARY", summary.as_str())];
    let github =
        tollgate_with(&variables, &["lint", "--format", "github", "--tools", &file]).ends_with(2).out;

    assert_eq!(json["findings"][0]["rule"], "no-description");
    assert_eq!(json["findings"][0]["level"], "error");
    assert!(markdown.contains("| `dance` | `/description` | error | `no-description` |"), "{markdown}");
    assert!(github.starts_with("::error title=tool definition%3A no-description::"), "{github}");
    assert!(folder.read("summary.md").contains("`no-description`"));
}

#[test]
fn every_rule_is_listed_with_its_reason() {
    let rules = tollgate(&["lint", "--rules"]).ends_with(0).out;

    for rule in tollgate::lint::Rule::ALL {
        assert!(rules.contains(rule.id()), "{rule}");
    }
}

#[test]
fn a_server_can_be_asked() {
    let serving = Serving::house();

    let run = tollgate(&["lint", "--format", "json", "-u", &serving.url]).ends_with(0);

    assert!(run.json()["findings"].is_array());
}
