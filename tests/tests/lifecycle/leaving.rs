//! A client that leaves stops its call.

use std::time::Duration;

use tokio::time::timeout;
use tollgate::prelude::*;
use tollgate_tests::{Call, Connection, Running, start};

use crate::{Director, Stage, call, hang, hang_streaming, ping, server, stage, streamed, works};

/// How long a call may go on after its client has left.
const SOON: Duration = Duration::from_millis(500);

/// A call that runs, and its connection.
async fn running(call: Call) -> (Running, Director, Connection) {
    let (stage, mut director) = stage();
    let running = start(server(stage, tools![hang, hang_streaming, spawns, ping])).await;
    let mut connection = Connection::open(running.address).await;
    connection.send(&call.bytes()).await;
    director.hears("started").await;
    director.hears_nothing();
    (running, director, connection)
}

#[tokio::test]
async fn a_client_that_closes_stops_a_call_that_has_said_nothing() {
    let (running, mut director, connection) = running(call("hang")).await;

    drop(connection);

    director.hears_within(SOON, "dropped").await;
    works(running.address).await;
}

#[tokio::test]
async fn a_client_that_resets_stops_a_call_that_has_said_nothing() {
    let (running, mut director, connection) = running(call("hang")).await;

    reset(connection);

    director.hears_within(SOON, "dropped").await;
    works(running.address).await;
}

#[tokio::test]
async fn a_client_that_closes_stops_a_stream() {
    let (running, mut director, mut connection) = running(streamed("hang_streaming")).await;
    assert_eq!(connection.head().await.status, 200);
    assert_eq!(connection.event().await.unwrap()["params"]["message"], "started");

    drop(connection);

    director.hears_within(SOON, "dropped").await;
    works(running.address).await;
}

#[tokio::test]
async fn a_client_that_resets_stops_a_stream() {
    let (running, mut director, mut connection) = running(streamed("hang_streaming")).await;
    assert_eq!(connection.head().await.status, 200);
    assert!(connection.event().await.is_some());

    reset(connection);

    director.hears_within(SOON, "dropped").await;
    works(running.address).await;
}

fn reset(connection: Connection) {
    connection.into_stream().set_zero_linger().expect("the socket is open");
}

/// Leaves the work to a task of its own.
///
/// Use when the work is long.
/// Do not use when it is short.
#[tool]
async fn spawns(cx: &Cx<Stage>) -> String {
    let (cancelled, work) = (cx.cancelled(), cx.clone());
    tokio::spawn(async move {
        assert!(!work.is_cancelled());
        work.state().tell("started");
        cancelled.await;
        assert!(work.is_cancelled());
        work.state().tell("cancelled");
    });
    cx.state().opened().await;
    "done".into()
}

#[tokio::test]
async fn work_that_a_call_has_spawned_is_told_that_the_client_has_left() {
    let (_running, mut director, connection) = running(call("spawns")).await;

    drop(connection);

    director.hears_within(SOON, "cancelled").await;
}

#[tokio::test]
async fn work_that_a_call_has_spawned_is_told_that_the_call_is_over() {
    let (_running, mut director, mut connection) = running(call("spawns")).await;

    director.open();

    assert_eq!(connection.answer().await.result()["content"][0]["text"], "done");
    director.hears_within(SOON, "cancelled").await;
}

#[tokio::test]
async fn who_waits_for_the_end_of_a_call_that_is_over_waits_no_longer() {
    let (stage, director) = stage();
    director.open();
    let (sender, receiver) = std::sync::mpsc::channel();
    let keep: Tool<Stage> = Tool::new(
        "keep",
        "Keeps its context.",
        serde_json::json!({"type": "object"}),
        move |cx: Cx<Stage>, _| {
            sender.send(cx.clone()).expect("the test listens");
            async { Ok("kept") }
        },
    );
    let client = server(stage, tools![ping]).tools(vec![keep]).client("ann");

    client.call_raw("keep", serde_json::json!({})).await.unwrap();

    let kept = receiver.recv().unwrap();
    assert!(kept.is_cancelled());
    timeout(SOON, kept.cancelled()).await.unwrap();
}
