//! `tollgate preflight`: what it asks, what it makes of the answer, and how it ends.

use serde_json::{Value, json};
use tollgate::ready::EXTENSION;

use super::{
    house::{Serving, on_stdio, with_house_on_stdio},
    kit::{Run, tollgate, tollgate_with},
    stranger::{Reply, Request, Stranger},
};

fn ready(id: &str) -> Value {
    json!({"id": id, "status": "ready"})
}

fn missing(id: &str, reason: &str) -> Value {
    json!({"id": id, "status": "unavailable", "reason": reason, "retryable": false, "did_you_mean": ["near"]})
}

fn facet(verdict: &str, tools: &[Value]) -> Value {
    json!({"verdict": verdict, "checked_at": "2026-09-01T00:00:00Z", "tools": tools})
}

/// A server that answers every question with this.
fn rest(facet: Value) -> Stranger {
    Stranger::start(move |_| {
        Reply::new(200, "application/json", json!({"success": true, "data": facet}).to_string())
    })
}

#[test]
fn the_rest_surface_is_asked_at_the_origin_of_the_url() {
    let stranger = rest(facet("ready", &[ready("a"), ready("b")]));
    let hash = format!("sha256/v1:{}", "a".repeat(64));
    let pin = format!("a={hash}");
    let filters = ["--read-only-only", "--exclude-destructive", "--exclude-open-world"];
    let rest = ["--profile", "night", "--wait", "1.0001s", "--pin", &pin, "-u", &stranger.url];

    let run = tollgate(&[&["preflight", "a", "b"][..], &filters, &rest].concat()).ends_with(0);

    let seen = &stranger.seen()[0];
    assert_eq!((seen.verb.as_str(), seen.path.as_str()), ("POST", "/api/v1/preflight"));
    let expected = json!({
        "tools": [{"id": "a", "pin_hash": hash}, {"id": "b"}],
        "profile": "night",
        "wait_ms": 1001,
        "policy": {"read_only_only": true, "exclude_destructive": true, "exclude_open_world": true},
    });
    assert_eq!(seen.body, expected);
    assert!(run.out.starts_with("Verdict     ready (exit code 0)\n") && run.err.is_empty(), "{run:?}");
}

#[test]
fn another_path_can_be_asked() {
    let stranger = rest(facet("ready", &[ready("a")]));

    tollgate(&["preflight", "a", "--rest-path", "/ready", "-u", &stranger.url]).ends_with(0);

    assert_eq!(stranger.seen()[0].path, "/ready");
}

#[test]
fn where_nothing_answers_another_way_is_named() {
    let house = Serving::house();

    let run = tollgate(&["preflight", "greet", "--rest-path", "/nowhere", "-u", &house.url]).ends_with(1);

    assert!(run.err.contains("`/nowhere`") && run.err.contains("--in-band"), "{run:?}");
}

#[test]
fn each_class_has_its_exit_code_and_the_worse_counts() {
    let table = [
        ("degraded_retryable", "server_initializing", 10),
        ("blocked", "server_disabled", 11),
        ("unknown_ids", "not_found", 12),
        ("ready", "server_unhealthy", 10),
        ("ready", "not_found", 12),
        ("blocked", "server_unhealthy", 11),
        ("splendid", "server_unhealthy", 11),
        ("ready", "something_new", 11),
    ];
    for (verdict, reason, code) in table {
        let stranger = rest(facet(verdict, &[ready("a"), missing("b", reason)]));

        let run = tollgate(&["preflight", "a", "b", "-u", &stranger.url]).ends_with(code);

        assert_eq!(run.err, format!("1 of 2 tools unavailable: b ({reason})\n"));
    }
}

#[test]
fn a_server_that_calls_ready_what_is_not_does_not_end_with_0() {
    let stranger = rest(json!({"verdict": "blocked", "checked_at": "x", "tools": [ready("a")]}));

    let run = tollgate(&["preflight", "a", "-u", &stranger.url]).ends_with(11);

    assert!(run.err.contains("all tools are ready, and yet the server says `blocked`"), "{run:?}");
}

#[test]
fn what_is_wrong_with_the_question_is_said_without_asking() {
    let hash = format!("sha256/v1:{}", "a".repeat(64));
    let other = format!("sha256/v1:{}", "b".repeat(64));
    let (pin, second, foreign) = (format!("a={hash}"), format!("a={other}"), format!("z={hash}"));
    let wrong: &[&[&str]] = &[
        &[],
        &[""],
        &["a", " "],
        &["a", "--pin", "a=sha1"],
        &["a", "--pin", &foreign],
        &["a", "--pin", &pin, "--pin", &second],
        &["a", "--wait", "10.0000001s"],
        &["a", "--wait", "10"],
        &["a", "--wait", "-1s"],
        &["a", "--in-band", "--wait", "1s"],
        &["a", "--in-band", "--pin", &pin],
        &["a", "--in-band", "--profile", "x"],
    ];
    let stranger = rest(facet("ready", &[ready("a")]));
    for arguments in wrong {
        tollgate(&[&["preflight"][..], arguments, &["-u", &stranger.url]].concat()).ends_with(1);
    }

    assert!(stranger.seen().is_empty());
}

#[test]
fn an_answer_that_is_none_ends_with_1() {
    let answers = [
        Reply::new(500, "text/plain", "broken"),
        Reply::new(400, "application/json", "{\"error\": \"no such profile\"}"),
        Reply::new(200, "text/html", "<html>"),
        Reply::new(200, "application/json", "{\"verdict\": \"ready\"}"),
        Reply::new(200, "application/json", "{\"data\": {\"tools\": []}}"),
        Reply::new(200, "application/json", json!({"data": facet("ready", &[ready("b")])}).to_string()),
    ];
    for answer in answers {
        let told = answer.clone();
        let stranger = Stranger::start(move |_| answer.clone());

        let run = tollgate(&["preflight", "a", "-u", &stranger.url]);

        assert_eq!(run.code, 1, "{told:?} {run:?}");
    }
}

#[test]
fn it_is_shown_as_a_table_as_json_and_as_yaml() {
    let answer = facet("unknown_ids", &[ready("a"), missing("b\u{1b}[31m\u{202e}", "not_found")]);
    let stranger = rest(answer.clone());
    let ask = |shape: &str| {
        tollgate(&["preflight", "a", "b\u{1b}[31m\u{202e}", "-o", shape, "-u", &stranger.url]).ends_with(12)
    };

    assert_eq!(ask("JSON").json(), answer);
    let yaml: Value = serde_norway::from_str(&ask("yaml").out).unwrap();
    assert_eq!(yaml, answer);
    let table = ask("table");
    assert!(table.out.contains("unknown_ids (exit code 12)") && table.out.contains("near?"), "{}", table.out);
    assert!(!table.out.contains(['\u{1b}', '\u{202e}']) && !table.err.contains('\u{1b}'), "{table:?}");
    let by_default = [("TOLLGATE_OUTPUT", "json")];
    let run = tollgate_with(&by_default, &["preflight", "a", "-u", &rest(facet("ready", &[ready("a")])).url]);
    assert_eq!(run.json()["verdict"], "ready");
}

/// A server that knows the extension where the client has declared it.
fn in_band(request: &Request) -> Reply {
    let meta = &request.body["params"]["_meta"];
    let mut result = json!({"tools": []});
    if let Some(rider) = meta.get(EXTENSION) {
        let judge = |it: &Value| match it["id"].as_str() {
            Some("a") => ready("a"),
            other => missing(other.unwrap_or_default(), "not_found"),
        };
        let tools: Vec<_> = rider["tools"].as_array().unwrap().iter().map(judge).collect();
        result["_meta"] = json!({EXTENSION: facet("unknown_ids", &tools)});
    }
    Reply::result(request, result)
}

#[test]
fn it_can_be_asked_beside_a_list_in_both_eras() {
    for stranger in [Stranger::modern(in_band), Stranger::legacy(in_band)] {
        let arguments =
            ["preflight", "a", "b", "--in-band", "--exclude-destructive", "-o", "json", "-u", &stranger.url];

        let run = tollgate(&arguments).ends_with(12);

        assert_eq!(run.json()["tools"][0], ready("a"));
        let list = stranger.seen().into_iter().find(|it| it.method() == "tools/list").unwrap();
        let rider = &list.body["params"]["_meta"][EXTENSION];
        let expected = json!({"tools": [{"id": "a"}, {"id": "b"}], "policy": {"exclude_destructive": true}});
        assert_eq!(*rider, expected);
    }
}

#[test]
fn the_extension_is_declared_as_each_era_does() {
    let (modern, legacy) = (Stranger::modern(in_band), Stranger::legacy(in_band));
    for stranger in [&modern, &legacy] {
        tollgate(&["preflight", "a", "b", "--in-band", "-u", &stranger.url]).ends_with(12);
    }

    let list = &modern.seen()[1].body["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"];
    let initialize = &legacy.seen()[1].body["params"]["capabilities"];
    assert_eq!(list["extensions"][EXTENSION], json!({"version": 1}));
    assert_eq!(initialize["experimental"][EXTENSION], json!({"version": 1}));
}

#[test]
fn a_server_that_does_not_know_the_extension_is_no_answer() {
    let stranger = Stranger::modern(|it| Reply::result(it, json!({"tools": []})));

    let run = tollgate(&["preflight", "greet", "--in-band", "-u", &stranger.url]).ends_with(1);

    assert!(run.err.contains("the server does not know"), "{run:?}");
}

#[test]
fn a_server_of_ours_answers_every_way_of_asking_alike() {
    let serving = Serving::house();
    let house = on_stdio();
    let question = ["preflight", "greet", "hold", "gret", "--read-only-only", "-o", "json"];
    let told = |run: Run| {
        let tools = run.ends_with(12).json()["tools"].as_array().unwrap().clone();
        let told = |it: &Value| (it["id"].clone(), it["status"].clone(), it["reason"].clone());
        tools.iter().map(told).collect::<Vec<_>>()
    };

    let by_rest = told(tollgate(&[&question[..], &["-u", &serving.url]].concat()));

    assert_eq!(by_rest[0], (json!("greet"), json!("ready"), Value::Null));
    assert_eq!(by_rest[1].2, "missing_annotation");
    assert_eq!(by_rest[2].2, "not_found");
    for era in ["modern", "legacy"] {
        let in_band = [&question[..], &["--in-band", "--era", era]].concat();

        assert_eq!(told(tollgate(&[&in_band[..], &["-u", &serving.url]].concat())), by_rest);
        assert_eq!(told(tollgate(&with_house_on_stdio(&in_band, &house))), by_rest);
    }
}

#[test]
fn a_command_has_no_rest_surface() {
    let run = tollgate(&["preflight", "a", "--", "true"]).ends_with(1);

    assert!(run.err.contains("add `--in-band`"), "{run:?}");
}
