//! `tollgate doctor`: what it finds, and how it ends.

use serde_json::json;

use super::{
    house::{Serving, on_stdio, with_house_on_stdio},
    kit::{Run, tollgate},
    stranger::{Reply, Request, Stranger},
};

/// The line about something: its mark and what is said.
fn line<'a>(run: &'a Run, what: &str) -> &'a str {
    let mut lines = run.out.lines();
    lines
        .find(|it| it.get(6..).is_some_and(|it| it.starts_with(what)))
        .unwrap_or_else(|| panic!("{what}: {run:?}"))
}

#[test]
fn a_server_of_ours_is_well() {
    let serving = Serving::house();

    let run = tollgate(&["doctor", "-u", &serving.url]).ends_with(0);

    for what in [
        "reachable",
        "eras",
        "server/discover",
        "cache hints",
        "lists",
        "foreign Origin",
        "header mismatch",
        "unknown method",
        "unknown tool",
        "required tools",
        "budget",
    ] {
        assert!(line(&run, what).starts_with("ok"), "{}", run.out);
    }
    assert!(run.out.contains("0 failures"), "{}", run.out);
}

#[test]
fn a_server_on_stdio_is_looked_at_in_both_eras() {
    let house = on_stdio();

    let run = tollgate(&with_house_on_stdio(&["doctor", "-q"], &house)).ends_with(0);

    assert!(line(&run, "eras").contains("modern and legacy"), "{}", run.out);
    assert!(line(&run, "unknown tool").starts_with("ok"), "{}", run.out);
}

/// Answers everything with a good result, whatever it was.
fn careless(request: &Request) -> Reply {
    Reply::result(
        request,
        json!({"tools": [{"name": "dance", "inputSchema": {"type": "object"}}], "content": []}),
    )
}

#[test]
fn a_careless_server_is_told_what_to_do() {
    let stranger = Stranger::modern(careless);

    let run = tollgate(&["doctor", "-u", &stranger.url]).ends_with(2);

    for what in ["cache hints", "foreign Origin", "header mismatch", "unknown method", "unknown tool"] {
        assert!(line(&run, what).starts_with("FAIL"), "{what} {}", run.out);
    }
    assert!(line(&run, "eras").starts_with("warn"), "{}", run.out);
    assert!(run.out.contains("→ compare the headers with the body"), "{}", run.out);
    assert!(!stranger.seen().iter().any(|it| it.body["params"]["name"] == "dance"), "no tool is called");
}

#[test]
fn a_list_that_changes_its_order_is_found() {
    let count = std::sync::atomic::AtomicUsize::new(0);
    let stranger = Stranger::modern(move |request| {
        let mut tools = vec![json!({"name": "a"}), json!({"name": "b"})];
        if count.fetch_add(1, std::sync::atomic::Ordering::Relaxed) % 2 == 1 {
            tools.reverse();
        }
        Reply::result(request, json!({"tools": tools, "ttlMs": 0, "cacheScope": "public"}))
    });

    let run = tollgate(&["doctor", "-u", &stranger.url]).ends_with(2);

    assert!(line(&run, "lists").contains("tools/list differs"), "{}", run.out);
    assert!(line(&run, "cache hints").starts_with("ok"), "{}", run.out);
}

/// Wants a token, and says where to get one.
fn guarded(metadata: &'static str, status: u16) -> Stranger {
    Stranger::start(move |request| match request.path.as_str() {
        "/mcp" => {
            let host = request.header("host").unwrap_or_default();
            let challenge = format!("Bearer resource_metadata=\"http://{host}/where\"");
            Reply::new(401, "text/plain", "").with("www-authenticate", &challenge)
        }
        _ => Reply::new(status, "application/json", metadata),
    })
}

#[test]
fn a_challenge_is_followed_to_the_authorization_servers() {
    let good = guarded(r#"{"resource": "x", "authorization_servers": ["https://login.example.com"]}"#, 200);
    let without = guarded(r#"{"resource": "x", "authorization_servers": []}"#, 200);
    let gone = guarded("", 404);

    let run = tollgate(&["doctor", "-u", &good.url]).ends_with(1);
    assert!(line(&run, "challenge").starts_with("ok"), "{}", run.out);
    assert!(line(&run, "metadata").contains("https://login.example.com"), "{}", run.out);
    assert!(line(&run, "reachable").starts_with("FAIL") && run.out.contains("TOLLGATE_TOKEN"), "{}", run.out);
    for bad in [without, gone] {
        let run = tollgate(&["doctor", "-u", &bad.url]).ends_with(1);
        assert!(line(&run, "metadata").starts_with("FAIL"), "{}", run.out);
    }
}

#[test]
fn a_refusal_that_names_no_metadata_is_found() {
    let silent = Stranger::start(|_| Reply::new(401, "text/plain", ""));
    let vague = Stranger::start(|_| Reply::new(401, "text/plain", "").with("www-authenticate", "Bearer"));

    for stranger in [silent, vague] {
        let run = tollgate(&["doctor", "-u", &stranger.url]).ends_with(1);

        assert!(line(&run, "challenge").starts_with("FAIL"), "{}", run.out);
    }
}

#[test]
fn metadata_of_another_origin_is_not_fetched() {
    let elsewhere = Stranger::start(|_| Reply::new(200, "application/json", "{}"));
    let challenge = format!("Bearer resource_metadata=\"{}\"", elsewhere.url);
    let stranger =
        Stranger::start(move |_| Reply::new(401, "text/plain", "").with("www-authenticate", &challenge));

    tollgate(&["doctor", "-u", &stranger.url]).ends_with(1);

    assert!(elsewhere.seen().is_empty());
}

#[test]
fn nobody_there_ends_with_1() {
    let run = tollgate(&["doctor", "-u", "http://127.0.0.1:1/mcp"]).ends_with(1);

    assert!(line(&run, "reachable").starts_with("FAIL"), "{}", run.out);
}
