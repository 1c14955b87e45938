//! What a check in a test says of tokens.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use tollgate::{CheckError, Server, Tool, budget::Budget, serde_json::json};
use tollgate_tests::Log;

use super::kit::tool;

fn server(tools: impl IntoIterator<Item = Tool>) -> Server {
    Server::new("budget", "1").tools(tools.into_iter().collect::<Vec<_>>()).without_auth()
}

fn notes() -> Server {
    server(["start_note", "append_to_note", "read_note"].map(tool))
}

/// A file of a test, which is not there yet.
fn file(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("tollgate-check-{}-{name}.json", std::process::id()));
    let _ = fs::remove_file(&path);
    path
}

/// Agrees to what the tools of a server cost, as the library does it.
fn agree(server: &Server, path: &Path) {
    let report = server.check().tokens(900).run().unwrap();
    let costs = report.tools.unwrap().costs;
    tollgate::budget::Baseline::new(&costs, Budget::total(900)).write(path).unwrap();
}

fn told(checked: Result<tollgate::CheckReport, CheckError>) -> String {
    checked.unwrap_err().to_string()
}

// --- limits ---

#[test]
fn tools_that_fit_their_budget_pass() {
    notes().check().tokens(900).tokens_each(300).tokens_description(100).assert();
}

#[test]
fn tools_over_their_budget_are_named_with_what_they_cost() {
    let error = notes().check().tokens(100).run().unwrap_err();

    let costs = &error.report().unwrap().tools.as_ref().unwrap().costs;
    let [start, append, read] = costs.tools() else { panic!("three tools") };
    let expected = format!(
        "tools/list costs {} tokens, the budget is 100: start_note {}, append_to_note {}, read_note {}",
        costs.total(),
        start.tokens(),
        append.tokens(),
        read.tokens()
    );
    assert_eq!(error.faults(), [expected]);
    assert!(error.to_string().contains("\ntotal "), "{error}");
}

#[test]
fn a_tool_and_a_description_have_limits_of_their_own() {
    let error = notes().check().tokens_each(20).tokens_description(5).run().unwrap_err();

    assert_eq!(error.faults().len(), 6);
    assert!(error.faults()[0].starts_with("`start_note` costs "), "{error}");
    assert!(error.faults()[1].starts_with("the description of `start_note` costs "), "{error}");
}

#[test]
#[should_panic(expected = "the budget is 10: start_note ")]
fn an_assertion_fails_with_all_of_it() {
    notes().check().tokens(10).assert();
}

#[test]
fn what_is_near_its_limit_passes_and_is_told_to_the_log() {
    let log = Log::start();
    let total = notes().check().tokens(900).run().unwrap().tools.unwrap().costs.total();

    notes().check().tokens(total).assert();

    assert_eq!(log.with(&format!("100 % of the budget of {total}")).len(), 1, "{}", log.text());
}

#[test]
fn a_check_finds_a_wrong_configuration_before_it_counts() {
    let error = server([tool("a b")]).check().tokens(1).run().unwrap_err();

    assert!(error.to_string().starts_with("the server does not start:\n- the tool `a b`: "), "{error}");
    assert_eq!(error.report(), None);
}

#[test]
fn nothing_is_counted_unless_somebody_asks() {
    assert_eq!(notes().check().run().unwrap().tools, None);
}

// --- who sees what ---

#[test]
fn the_list_that_counts_is_the_largest_that_anybody_sees() {
    let tools = || [tool("a"), tool("b").scope("notes:write"), tool("c").scope("admin").hidden()];
    let counted = |server: Server| server.check().tokens(900).run().unwrap().tools.unwrap().costs;

    assert_eq!(counted(server(tools())), counted(server([tool("a"), tool("b"), tool("c")])));
}

#[test]
fn a_named_caller_has_a_budget_of_its_own() {
    let server = server([tool("a"), tool("b").scope("notes:read"), tool("c").scope("notes:write")]);
    let reader = |budget| server.check().profile("reader", ["notes:read"], budget).run();

    let report = reader(Budget::total(900)).unwrap();
    let error = reader(Budget::total(100)).unwrap_err();

    let [(name, reader)] = &report.profiles[..] else { panic!("{report}") };
    assert_eq!(name, "reader");
    let seen: Vec<_> = reader.costs.tools().iter().map(|it| it.name()).collect();
    assert_eq!(seen, ["a", "b"]);
    assert!(error.faults()[0].starts_with("for `reader`: tools/list costs "), "{error}");
    assert!(!error.faults()[0].contains(", c "), "{error}");
}

// --- the baseline ---

#[test]
fn a_baseline_that_is_missing_says_how_it_is_made() {
    let path = file("missing");

    let told = told(notes().check().baseline(&path).run());

    assert!(told.contains(&format!("`{}` is not there", path.display())), "{told}");
    assert!(told.contains("run this again with TOLLGATE_BLESS=1, and commit `"), "{told}");
}

#[test]
fn what_was_agreed_to_passes() {
    let path = file("agreed");
    agree(&notes(), &path);

    let report = notes().check().baseline(&path).run().unwrap();

    assert_eq!(report.tools.unwrap().drift.unwrap().unchanged, 3);
}

#[test]
fn a_word_more_fails_and_says_which_field_grew() {
    let path = file("word");
    agree(&notes(), &path);
    let schema = json!({"type": "object", "properties": {"what": {"type": "string", "maxLength": 20}}});
    let longer = "Does what `read_note` says, once or twice. Use when it has to be done.";
    let read = Tool::new("read_note", longer, schema, async |_cx, _| Ok("done")).read_only(true);

    let error =
        server([tool("start_note"), tool("append_to_note"), read]).check().baseline(&path).run().unwrap_err();

    let [fault] = error.faults() else { panic!("{error}") };
    assert!(fault.starts_with("`read_note` has changed: "), "{fault}");
    assert!(fault.ends_with("tokens, +2 (description +2)"), "{fault}");
    assert!(error.to_string().contains("tokens since the baseline: +2"), "{error}");
}

#[test]
fn a_new_tool_and_one_that_is_gone_fail() {
    let path = file("new");
    agree(&notes(), &path);

    let error = server(["start_note", "read_note", "share_note"].map(tool))
        .check()
        .baseline(&path)
        .run()
        .unwrap_err();

    assert!(error.faults()[0].starts_with("`share_note` is new: "), "{error}");
    assert!(error.faults()[1].starts_with("`append_to_note` is gone: "), "{error}");
}

#[test]
fn a_tool_that_only_became_smaller_passes_with_a_hint() {
    let log = Log::start();
    let path = file("smaller");
    agree(&notes(), &path);
    let schema = json!({"type": "object"});
    let read = Tool::new("read_note", "Reads a note.", schema, async |_cx, _| Ok("done"));

    server([tool("start_note"), tool("append_to_note"), read]).check().baseline(&path).assert();

    let hints = log.with("`read_note` has changed: ");
    assert!(hints.len() == 1 && hints[0].contains("TOLLGATE_BLESS=1 to keep it so small"), "{}", log.text());
}

#[test]
fn the_limits_of_the_baseline_hold_where_the_test_has_none() {
    let path = file("limits");
    let costs = notes().check().tokens(900).run().unwrap().tools.unwrap().costs;
    tollgate::budget::Baseline::new(&costs, Budget::total(100)).write(&path).unwrap();

    assert!(told(notes().check().baseline(&path).run()).contains("the budget is 100: "));
    notes().check().tokens(900).baseline(&path).assert();
}

// --- blessing ---

const BLESSED: &str = "TOLLGATE_TEST_BASELINE";

/// Runs a check in a process of its own, with the variable set.
fn bless(path: &Path) -> bool {
    let run = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "budget::checking::blessing_in_a_process_of_its_own", "--ignored"])
        .env("TOLLGATE_BLESS", "1")
        .env(BLESSED, path)
        .output();
    run.unwrap().status.success()
}

#[test]
#[ignore = "it is run by others, with a baseline to write"]
fn blessing_in_a_process_of_its_own() {
    if let Some(path) = std::env::var_os(BLESSED) {
        notes().check().tokens(500).baseline(path).assert();
    }
}

#[test]
fn blessing_writes_the_baseline_with_the_limits_of_the_test() {
    let path = file("blessed");

    assert!(bless(&path));

    let baseline = tollgate::budget::Baseline::read(&path).unwrap();
    assert_eq!(baseline.budget(), Budget::total(500));
    notes().check().baseline(&path).assert();
}

#[test]
fn blessing_replaces_what_is_outdated() {
    let path = file("outdated");
    agree(&server([tool("other")]), &path);
    let other = fs::read_to_string(&path).unwrap().replace("o200k_base", "cl100k_base");
    fs::write(&path, other).unwrap();
    assert!(told(notes().check().baseline(&path).run()).contains("was counted with `cl100k_base"));

    assert!(bless(&path));

    notes().check().baseline(&path).assert();
}

#[test]
fn blessing_leaves_a_file_alone_that_is_something_else() {
    let path = file("else");
    fs::write(&path, r#"{"name": "package"}"#).unwrap();

    assert!(!bless(&path));

    assert_eq!(fs::read_to_string(&path).unwrap(), r#"{"name": "package"}"#);
}
