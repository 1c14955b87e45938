//! Several requests on one connection, and requests that wait for a word before they go on.

use std::time::Duration;

use serde_json::json;
use tollgate_tests::{Call, Connection, start};

use super::call;
use crate::corpus::fixture::{Runs, server, take_with};

async fn connection() -> (Connection, Runs, tollgate_tests::Running) {
    let (server, runs) = server();
    let running = start(server).await;
    (Connection::open(running.address).await, runs, running)
}

fn numbered(id: u32) -> Call {
    take_with(&json!({"v": id})).edit(|it| it["id"] = json!(id))
}

// V29, V33.
#[tokio::test]
async fn requests_that_come_at_once_are_answered_in_order() {
    let (mut connection, runs, _running) = connection().await;
    let all: Vec<u8> = (1..=50).flat_map(|id| numbered(id).bytes()).collect();

    connection.send(&all).await;

    for id in 1..=50 {
        assert_eq!(connection.answer().await.json()["id"], id);
    }
    assert_eq!(runs.count(), 50);
}

// V22, V29.
#[tokio::test]
async fn a_refused_request_between_good_ones_takes_nothing_with_it() {
    let (mut connection, runs, _running) = connection().await;
    let bad = [
        numbered(2).body("{"),
        numbered(2).body(numbered(2).bytes()),
        numbered(2).replace("Mcp-Name", "hold"),
        numbered(2).replace("Content-Type", "text/plain"),
        numbered(2).replace("Host", "evil.example"),
    ];

    for bad in &bad {
        connection.send(&[numbered(1).bytes(), bad.bytes(), numbered(3).bytes()].concat()).await;

        assert_eq!(connection.answer().await.json()["id"], 1);
        let refused = connection.answer().await.status;
        assert!((400..500).contains(&refused), "{refused}");
        assert_eq!(connection.answer().await.json()["id"], 3);
    }
    assert_eq!(runs.count(), 2 * bad.len());
}

// V23, V29.
#[tokio::test]
async fn what_is_left_of_a_body_with_a_short_length_is_no_request() {
    let (mut connection, runs, _running) = connection().await;
    let mut short = call();
    short.with_length = false;
    let length = short.body.len() - 10;

    connection.send(&short.header(format!("Content-Length: {length}")).bytes()).await;

    assert_eq!(connection.answer().await.verdict(), (400, -32700));
    assert_eq!(connection.answer().await.verdict(), (400, 0));
    assert!(connection.closes_within(Duration::from_secs(5)).await);
    assert_eq!(runs.count(), 0);
}

// V29.
#[tokio::test]
async fn a_request_hidden_in_a_body_with_two_lengths_is_never_run() {
    let (mut connection, runs, _running) = connection().await;
    let hidden = numbered(9).bytes();
    let mut outer = call().header("Transfer-Encoding: chunked");
    outer.with_length = false;
    let outer = outer.header(format!("Content-Length: {}", 5 + hidden.len()));

    connection.send(&outer.body([b"0\r\n\r\n", hidden.as_slice()].concat()).bytes()).await;

    assert_eq!(connection.answer().await.status, 400);
    assert_eq!(connection.answer().await.status, 0);
    assert_eq!(runs.count(), 0);
}

// V23.
#[tokio::test]
async fn a_client_that_waits_is_told_to_go_on() {
    let (mut connection, runs, _running) = connection().await;
    let bytes = call().header("Expect: 100-continue").bytes();
    let (head, body) = bytes.split_at(bytes.len() - call().body.len());

    connection.send(head).await;
    let go_on = connection.head().await.status;
    connection.send(body).await;

    assert_eq!(go_on, 100);
    assert_eq!(connection.answer().await.verdict(), (200, 0));
    assert_eq!(runs.count(), 1);
}

// V23.
#[tokio::test]
async fn a_client_that_waits_in_vain_is_told_so_without_its_body() {
    let (server, runs) = server();
    let running = start(server).await;
    let refused = [
        (call().replace("Host", "evil.example"), 403),
        (call().replace("Content-Type", "text/plain"), 415),
        (call().replace("Accept", "text/html"), 406),
        (call().header("Origin: null"), 403),
    ];

    for (call, status) in refused {
        let bytes = call.clone().header("Expect: 100-continue").bytes();
        let mut connection = Connection::open(running.address).await;
        connection.send(&bytes[..bytes.len() - call.body.len()]).await;

        assert_eq!(connection.answer().await.status, status);
    }
    assert_eq!(runs.count(), 0);
}
