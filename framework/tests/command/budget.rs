//! `tollgate budget`: what it counts, what it holds to, and how it ends.

use serde_json::json;

use super::{
    house::Serving,
    kit::{Folder, tollgate, tollgate_with},
};

fn saved(folder: &Folder, descriptions: &[&str]) -> String {
    let tool = |(i, it): (usize, &&str)| json!({"name": format!("t{i}"), "description": it, "inputSchema": {"type": "object"}});
    let tools: Vec<_> = descriptions.iter().enumerate().map(tool).collect();
    folder.with("tools.json", &json!({"result": {"tools": tools}}).to_string())
}

#[test]
fn a_server_and_its_saved_list_cost_the_same() {
    let serving = Serving::house();
    let folder = Folder::new();
    let list = tollgate(&["list", "-o", "json", "-u", &serving.url]).ends_with(0).out;
    let file = folder.with("tools.json", &list);

    let asked = tollgate(&["budget", "--format", "json", "-u", &serving.url]).ends_with(0).json();
    let saved = tollgate(&["budget", "--format", "json", "--tools", &file]).ends_with(0).json();

    assert_eq!(asked, saved);
    assert_eq!(asked["tools"].as_array().unwrap().len(), 7);
}

#[test]
fn what_is_over_the_budget_is_named_and_ends_with_2() {
    let folder = Folder::new();
    let file = saved(&folder, &["Says pong.", &"very long ".repeat(50)]);

    let total = tollgate(&["budget", "--max", "60", "--tools", &file]).ends_with(2);
    let each = tollgate(&["budget", "--each", "60", "--tools", &file]).ends_with(2);
    let within = tollgate(&["budget", "--max", "1000", "--each", "200", "--tools", &file]).ends_with(0);

    assert!(total.out.contains("over: tools/list costs"), "{}", total.out);
    assert!(each.out.contains("over: `t1` costs") && !each.out.contains("over: `t0`"), "{}", each.out);
    assert!(!within.out.contains("over:"), "{}", within.out);
}

#[test]
fn what_was_agreed_to_is_kept_to_and_drift_ends_with_3() {
    let folder = Folder::new();
    let baseline = folder.at("agreed/tools.json");
    let file = saved(&folder, &["Says pong."]);
    let arguments = ["budget", "--baseline", &baseline, "--tools", &file];

    let missing = tollgate(&arguments).ends_with(1);
    let blessed = tollgate(&[&arguments[..], &["--bless", "--max", "100"]].concat()).ends_with(0);
    let same = tollgate(&arguments).ends_with(0);
    saved(&folder, &["Says pong, and more."]);
    let grown = tollgate(&arguments).ends_with(3);
    saved(&folder, &["Pong."]);
    let smaller = tollgate(&arguments).ends_with(0);

    assert!(missing.err.contains("`--bless` writes it"), "{missing:?}");
    assert!(blessed.err.contains("agreed: `") && blessed.err.contains("commit it"), "{blessed:?}");
    assert!(same.out.contains("Limits: 100 for the list."), "{}", same.out);
    assert!(
        grown.out.contains("changed: `t0` has changed: ") && grown.out.contains("`--bless` agrees"),
        "{}",
        grown.out
    );
    assert!(smaller.out.contains("changed: `t0`"), "{}", smaller.out);
}

#[test]
fn agreeing_does_not_make_what_is_over_the_budget_fit() {
    let folder = Folder::new();
    let file = saved(&folder, &["Says pong."]);
    let baseline = folder.at("b.json");

    tollgate(&["budget", "--bless", "--max", "5", "--baseline", &baseline, "--tools", &file]).ends_with(2);
    tollgate(&["budget", "--baseline", &baseline, "--tools", &file]).ends_with(2);
}

#[test]
fn agreeing_does_not_overwrite_another_file() {
    let folder = Folder::new();
    let file = saved(&folder, &["Says pong."]);
    let other = folder.with("notes.txt", "mine");

    tollgate(&["budget", "--bless", "--baseline", &other, "--tools", &file]).ends_with(1);

    assert_eq!(folder.read("notes.txt"), "mine");
}

#[test]
fn github_gets_a_note_for_each_fault_and_a_table_in_its_summary() {
    let folder = Folder::new();
    let file = saved(&folder, &["Says pong."]);
    let summary = folder.at("summary.md");
    let variables = [("GITHUB_STEP_SUMMARY", summary.as_str())];

    let run = tollgate_with(&variables, &["budget", "--max", "5", "--format", "github", "--tools", &file])
        .ends_with(2);

    assert!(run.out.starts_with("::error title=over the token budget::tools/list costs"), "{}", run.out);
    assert!(folder.read("summary.md").contains("| `t0` |"), "{}", folder.read("summary.md"));
}

#[test]
fn markdown_is_a_table() {
    let folder = Folder::new();
    let file = saved(&folder, &["Says pong."]);

    let run = tollgate(&["budget", "--format", "markdown", "--tools", &file]).ends_with(0);

    assert!(run.out.starts_with("### Tokens of the tools: "), "{}", run.out);
    assert!(
        run.out.contains(" of 8000\n\n| Tool | Tokens |") && run.out.contains("\n| `t0` |"),
        "{}",
        run.out
    );
}

#[test]
fn a_file_without_tools_is_refused() {
    let folder = Folder::new();
    for text in ["{}", "not json", "{\"tools\": 7}"] {
        let file = folder.with("tools.json", text);

        tollgate(&["budget", "--tools", &file]).ends_with(1);
    }
    tollgate(&["budget", "--tools", &folder.at("missing")]).ends_with(1);
}

#[test]
fn a_file_and_a_server_are_one_too_many() {
    let run = tollgate(&["budget", "--tools", "x", "-u", "http://127.0.0.1:1/mcp"]).ends_with(1);

    assert!(run.err.contains("not both"), "{run:?}");
}
