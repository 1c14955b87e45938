//! A tool that panics answers, and takes nobody with it.

use std::time::Duration;

use serde_json::{Map, Value, json};
use tollgate::{Limits, prelude::*};
use tollgate_tests::{Connection, start};

use crate::{Stage, call, ping, server, stage, streamed, works};

/// Panics at once.
///
/// Use when it has to.
/// Do not use when it has not.
#[tool]
async fn panics() -> String {
    panic!("secret-panic")
}

#[tokio::test]
async fn a_panic_is_an_internal_error_without_its_text_and_the_next_call_works() {
    let running = start(server(stage().0, tools![panics, ping])).await;
    let mut connection = Connection::open(running.address).await;

    connection.send(&call("panics").bytes()).await;
    let answer = connection.answer().await;

    assert_eq!(answer.verdict(), (200, -32603));
    assert!(!answer.json().to_string().contains("secret-panic"));
    connection.send(&call("ping").bytes()).await;
    assert_eq!(connection.answer().await.result()["content"][0]["text"], "pong");
    works(running.address).await;
}

/// Panics after it has said something.
///
/// Use when a stream has to break.
/// Do not use when it has not.
#[tool]
async fn panics_later(cx: &Cx<Stage>) -> String {
    cx.progress("so far so good").await;
    cx.state().opened().await;
    panic!("secret-panic")
}

#[tokio::test]
async fn a_panic_during_a_stream_ends_it_with_an_internal_error() {
    let (stage, director) = stage();
    let running = start(server(stage, tools![panics_later, ping])).await;
    let mut connection = Connection::open(running.address).await;
    connection.send(&streamed("panics_later").bytes()).await;
    assert_eq!(connection.head().await.header("content-type"), Some("text/event-stream"));
    assert_eq!(connection.event().await.unwrap()["params"]["message"], "so far so good");

    director.open();

    let last = connection.event().await.unwrap();
    assert_eq!((&last["id"], &last["error"]["code"]), (&json!(1), &json!(-32603)));
    assert!(!last.to_string().contains("secret-panic"));
    assert!(connection.event().await.is_none());
    connection.send(&call("ping").bytes()).await;
    assert_eq!(connection.answer().await.result()["content"][0]["text"], "pong");
}

struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("secret-panic");
    }
}

/// Panics when it is over.
///
/// Use when it has to.
/// Do not use when it has not.
#[tool]
async fn panics_at_its_end() -> String {
    let _bomb = Bomb;
    "done".into()
}

#[tokio::test]
async fn a_panic_at_the_end_of_the_function_is_an_internal_error() {
    let running = start(server(stage().0, tools![panics_at_its_end, ping])).await;

    assert_eq!(call("panics_at_its_end").send(running.address).await.verdict(), (200, -32603));
    works(running.address).await;
}

/// Panics when it is stopped.
///
/// Use when it has to.
/// Do not use when it has not.
#[tool]
async fn panics_when_dropped(cx: &Cx<Stage>) -> String {
    let _bomb = Bomb;
    cx.state().tell("started");
    cx.state().opened().await;
    "done".into()
}

#[tokio::test]
async fn a_panic_in_a_future_that_is_stopped_at_its_deadline_changes_nothing() {
    let mut limits = Limits::default();
    limits.call_time = Duration::from_millis(50);
    let running = start(server(stage().0, tools![panics_when_dropped, ping]).limits(limits)).await;

    let answer = call("panics_when_dropped").send(running.address).await;

    assert_eq!(answer.result()["isError"], true, "{answer:?}");
    assert!(answer.result()["content"][0]["text"].as_str().unwrap().starts_with("It took too long"));
    works(running.address).await;
}

#[tokio::test]
async fn a_panic_in_a_future_whose_client_has_left_gives_its_place_back() {
    let (stage, mut director) = stage();
    let mut limits = Limits::default();
    limits.calls = 1;
    let running = start(server(stage, tools![panics_when_dropped, ping]).limits(limits)).await;
    let mut connection = Connection::open(running.address).await;
    connection.send(&call("panics_when_dropped").bytes()).await;
    director.hears("started").await;
    assert_eq!(call("ping").send(running.address).await.status, 503);

    drop(connection);

    // The place is free as soon as the server has seen the end of the connection.
    let free = async { while call("ping").send(running.address).await.status == 503 {} };
    tokio::time::timeout(Duration::from_millis(500), free).await.unwrap();
    works(running.address).await;
}

#[tokio::test]
async fn a_tool_made_by_hand_may_panic_before_its_future_exists() {
    let schema = json!({"type": "object"});
    let early: Tool<Stage> = Tool::new("early", "Panics.", schema, |_cx, arguments: Map<String, Value>| {
        let name = arguments["name"].to_string();
        async move { Ok(name) }
    });
    let running = start(server(stage().0, tools![ping]).tools(vec![early])).await;

    let answer = call("early").send(running.address).await;

    assert_eq!(answer.verdict(), (200, -32603));
    works(running.address).await;
}

/// Asks something.
#[prompt]
async fn panicking_prompt(#[arg(complete = panicking_completion)] _name: String) -> String {
    panic!("secret-panic")
}

async fn panicking_completion(_cx: &Cx, _typed: &str) -> Vec<String> {
    panic!("secret-panic")
}

/// Something to read.
#[resource(uri = "test://panics")]
async fn panicking_resource() -> String {
    panic!("secret-panic")
}

#[tokio::test]
async fn prompts_resources_and_completions_may_panic_too() {
    let client = Server::new("lifecycle", "1")
        .prompts(prompts![panicking_prompt])
        .resources(resources![panicking_resource])
        .without_auth()
        .client("ann");
    let reference = json!({"type": "ref/prompt", "name": "panicking_prompt"});
    let complete = json!({"ref": reference, "argument": {"name": "_name", "value": ""}});

    let prompt =
        client.request("prompts/get", json!({"name": "panicking_prompt", "arguments": {"_name": "a"}})).await;
    let resource = client.request("resources/read", json!({"uri": "test://panics"})).await;
    let completion = client.request("completion/complete", complete).await;

    let codes = [prompt, resource, completion].map(|it| it.response["error"]["code"].clone());
    assert_eq!(codes, [-32603, -32603, -32603]);
}
