//! Lists and calls, over HTTP and stdio, in both eras.

use serde_json::json;

use super::{
    house::{Serving, everywhere, on_stdio, with_house_on_stdio},
    kit::{Folder, tollgate},
};

#[test]
fn a_tool_is_called_with_arguments_of_the_types_of_its_schema() {
    everywhere(&["call", "greet", "name=42", "times=2"], |run| {
        assert_eq!((run.code, run.out.as_str()), (0, "Hello, 42! Hello, 42!\n"), "{run:?}");
    });
}

#[test]
fn a_list_is_read_to_its_last_page() {
    everywhere(&["list", "-o", "json"], |run| {
        let tools =
            run.json()["tools"].as_array().unwrap().iter().map(|it| it["name"].clone()).collect::<Vec<_>>();

        assert_eq!(tools, ["greet", "add", "region", "stumble", "work", "hold", "folders"], "{run:?}");
    });
}

#[test]
fn arguments_that_travel_in_headers_do() {
    everywhere(&["call", "region", "region= Zürich "], |run| {
        assert_eq!((run.code, run.out.as_str()), (0, " Zürich \n"), "{run:?}");
    });
}

#[test]
fn a_tool_that_says_that_it_failed_ends_with_2() {
    everywhere(&["call", "stumble"], |run| {
        assert_eq!((run.code, run.out.as_str()), (2, "There is a stone. Walk around it.\n"), "{run:?}");
        assert!(run.err.contains("the tool says that it failed"), "{run:?}");
    });
}

#[test]
fn log_messages_are_shown_without_what_a_terminal_obeys() {
    everywhere(&["call", "work"], |run| {
        assert_eq!((run.code, run.out.as_str()), (0, "all done\n"), "{run:?}");
        assert!(run.err.contains("[info] did one\n") && run.err.contains("[info] did three\n"), "{run:?}");
    });
}

#[test]
fn folders_are_named_where_the_user_gives_them() {
    let folder = Folder::new();
    let path = folder.at("");

    everywhere(&["call", "folders", "--root", &path], |run| {
        assert!(run.code == 0 && run.out.starts_with("file:///"), "{run:?}");
    });
}

#[test]
fn what_a_child_writes_to_standard_error_is_passed_on_unless_quiet_is_wanted() {
    let house = on_stdio();
    let loud = tollgate(&with_house_on_stdio(&["list"], &house)).ends_with(0);
    let quiet = tollgate(&with_house_on_stdio(&["list", "--quiet"], &house)).ends_with(0);

    assert!(loud.err.contains("sh | the house is open"), "{loud:?}");
    assert_eq!(quiet.err, "");
}

#[test]
fn structured_content_is_json_on_request() {
    let serving = Serving::house();
    let call =
        |shape| tollgate(&["call", "add", "a=1", "b=2.5", "-o", shape, "-u", &serving.url]).ends_with(0);

    assert_eq!(call("json").json(), json!({"sum": 3.5}));
    assert_eq!(call("raw").json()["structuredContent"], json!({"sum": 3.5}));
}

#[test]
fn arguments_come_from_json_from_files_and_from_the_line() {
    let serving = Serving::house();
    let folder = Folder::new();
    let name = folder.with("name.txt", "Ann");
    let call = |arguments: &[&str]| {
        tollgate(&[&["call", "greet"][..], arguments, &["-u", &serving.url]].concat()).ends_with(0).out
    };

    assert_eq!(call(&["--json", r#"{"name": "Bob", "times": 2}"#, "name=Ann"]), "Hello, Ann! Hello, Ann!\n");
    assert_eq!(call(&[&format!("name=@{name}"), "times:=2"]), "Hello, Ann! Hello, Ann!\n");
}

#[test]
fn a_wrong_name_is_said_before_anything_is_called() {
    let serving = Serving::house();
    let told = |arguments: &[&str]| tollgate(&[arguments, &["-u", &serving.url]].concat()).ends_with(1).err;

    assert!(told(&["call", "gret", "name=Ann"]).contains("no tool `gret`. Did you mean `greet`?"));
    assert!(told(&["call", "greet", "nam=Ann"]).contains("no argument `nam`. Did you mean `name`?"));
    assert!(told(&["call", "greet"]).contains("the tool needs `name` too"));
    assert!(told(&["call", "greet", "name=Ann", "times=two"]).contains("`times` is a whole number"));
}

#[test]
fn a_table_is_80_columns_wide_where_there_is_no_terminal() {
    let serving = Serving::house();

    let run = tollgate(&["list", "-u", &serving.url]).ends_with(0);

    let widest = run.out.lines().map(|it| it.chars().count()).max();
    assert_eq!(widest, Some(80), "{}", run.out);
    assert!(run.out.contains("greet") && run.out.contains("read-only"), "{}", run.out);
}

#[test]
fn a_server_is_described_in_words_and_in_json() {
    let serving = Serving::house();
    let words = tollgate(&["discover", "-u", &serving.url]).ends_with(0).out;
    let json = tollgate(&["discover", "-o", "json", "-u", &serving.url]).ends_with(0).json();

    assert!(words.contains("house 1.2.3") && words.contains("modern, revision 2026-07-28"), "{words}");
    assert!(words.contains("Ring first."), "{words}");
    assert_eq!(json["serverInfo"], json!({"name": "house", "version": "1.2.3"}));
    assert_eq!(json["protocolVersion"], "2026-07-28");
    assert_eq!(json["instructions"], "Ring first.");
}
