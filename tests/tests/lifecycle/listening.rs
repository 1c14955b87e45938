//! Streams of changes.

use std::time::Duration;

use serde_json::{Map, Value, json};
use tollgate::{Limits, Prompt, Resource, prelude::*};
use tollgate_tests::{Call, Connection, Running, start};

use crate::{Stage, hang_streaming, ping, server, stage, streamed};

fn listen(notifications: Value) -> Call {
    Call::modern("subscriptions/listen", json!({"notifications": notifications}))
}

/// A stream after its acknowledgement.
async fn listener(running: &Running, call: Call) -> Connection {
    let mut connection = Connection::open(running.address).await;
    connection.send(&call.bytes()).await;
    let head = connection.head().await;
    assert_eq!((head.status, head.header("content-type")), (200, Some("text/event-stream")));
    assert_eq!(head.header("x-accel-buffering"), Some("no"));
    let acknowledged = connection.event().await.unwrap();
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    connection
}

fn made(name: &str) -> Tool<Stage> {
    Tool::new(name, "Is made.", json!({"type": "object"}), async |_cx, _: Map<String, Value>| Ok("made"))
}

fn everything(stage: Stage) -> Server<Stage> {
    let prompt: Prompt<Stage> = Prompt::new("p", "Is made.", async |_cx, _| Ok("made"));
    let resource: Resource<Stage> = Resource::new("made://r", "r", async |_cx, _| Ok("made"));
    server(stage, tools![ping]).prompts(vec![prompt]).resources(vec![resource])
}

#[tokio::test]
async fn ten_thousand_rapid_changes_are_told_as_one() {
    let server = everything(stage().0);
    let catalog = server.catalog();
    let running = start(server).await;
    let filter =
        json!({"toolsListChanged": true, "promptsListChanged": true, "resourceSubscriptions": ["made://r"]});
    let mut connection = listener(&running, listen(filter)).await;

    (0..5_000).for_each(|_| {
        catalog.add_tool(made("again")).unwrap();
        catalog.resource_updated("made://r");
    });
    let mut told = vec![connection.event().await.unwrap(), connection.event().await.unwrap()];
    assert!(catalog.remove_prompt("p"));
    told.push(connection.event().await.unwrap());

    let methods: Vec<_> = told.iter().map(|it| it["method"].as_str().unwrap()).collect();
    assert_eq!(
        methods,
        [
            "notifications/tools/list_changed",
            "notifications/resources/updated",
            "notifications/prompts/list_changed",
        ],
    );
}

#[tokio::test]
async fn a_listener_that_does_not_read_blocks_nobody() {
    let server = everything(stage().0);
    let catalog = server.catalog();
    let running = start(server).await;
    let _deaf = listener(&running, listen(json!({"toolsListChanged": true}))).await;
    let mut reads = listener(&running, listen(json!({"toolsListChanged": true}))).await;

    (0..10_000).for_each(|_| catalog.resource_updated("made://r"));
    catalog.add_tool(made("again")).unwrap();

    assert_eq!(reads.event().await.unwrap()["method"], "notifications/tools/list_changed");
}

#[tokio::test]
async fn two_listeners_with_the_same_id_are_both_told() {
    let server = everything(stage().0);
    let catalog = server.catalog();
    let running = start(server).await;
    let mut first = listener(&running, listen(json!({"toolsListChanged": true}))).await;
    let mut second = listener(&running, listen(json!({"toolsListChanged": true}))).await;

    catalog.add_tool(made("again")).unwrap();

    let told = [first.event().await.unwrap(), second.event().await.unwrap()];
    assert_eq!(told[0], told[1]);
    drop(first);
    catalog.add_tool(made("again")).unwrap();
    assert_eq!(second.event().await.unwrap()["method"], "notifications/tools/list_changed");
}

#[tokio::test]
async fn two_listeners_with_the_same_resource_are_both_told() {
    let server = everything(stage().0);
    let catalog = server.catalog();
    let running = start(server).await;
    let mut first = listener(&running, listen(json!({"resourceSubscriptions": ["made://r"]}))).await;
    let mut second = listener(&running, listen(json!({"resourceSubscriptions": ["made://r"]}))).await;

    catalog.resource_updated("made://r");

    assert_eq!(first.event().await.unwrap()["params"]["uri"], "made://r");
    assert_eq!(second.event().await.unwrap()["params"]["uri"], "made://r");
}

#[tokio::test]
async fn what_the_server_cannot_tell_is_not_acknowledged() {
    let running = start(server(stage().0, tools![ping])).await;
    let all = json!({
        "toolsListChanged": true,
        "promptsListChanged": true,
        "resourcesListChanged": true,
        "resourceSubscriptions": ["made://r"],
    });
    let mut connection = Connection::open(running.address).await;
    connection.send(&listen(all).bytes()).await;
    connection.head().await;

    let acknowledged = connection.event().await.unwrap();

    assert_eq!(acknowledged["params"]["notifications"], json!({"toolsListChanged": true}));
}

fn lively() -> Limits {
    let mut limits = Limits::default();
    limits.keep_alive = Duration::from_millis(50);
    limits
}

#[tokio::test]
async fn a_quiet_listener_gets_comments() {
    let running = start(server(stage().0, tools![ping]).limits(lively())).await;
    let mut connection = listener(&running, listen(json!({"toolsListChanged": true}))).await;

    let comments = [connection.chunk().await.unwrap(), connection.chunk().await.unwrap()];

    assert_eq!(comments, [b":\n\n", b":\n\n"]);
}

#[tokio::test]
async fn a_quiet_call_gets_comments_and_then_its_result() {
    let (stage, mut director) = stage();
    let running = start(server(stage, tools![hang_streaming]).limits(lively())).await;
    let mut connection = Connection::open(running.address).await;
    connection.send(&streamed("hang_streaming").bytes()).await;
    director.hears("started").await;
    connection.head().await;
    assert!(connection.event().await.is_some());

    assert_eq!(connection.chunk().await.unwrap(), b":\n\n");
    director.open();

    assert_eq!(connection.event().await.unwrap()["result"]["content"][0]["text"], "done");
}

#[tokio::test]
async fn a_listener_ends_gracefully_after_its_time() {
    let mut limits = Limits::default();
    limits.listen_time = Duration::from_millis(100);
    let running = start(server(stage().0, tools![ping]).limits(limits)).await;
    let mut connection = listener(&running, listen(json!({"toolsListChanged": true}))).await;

    let end = connection.event().await.unwrap();

    assert_eq!((&end["id"], &end["result"]["resultType"]), (&json!(1), &json!("complete")));
    assert!(connection.event().await.is_none());
}
