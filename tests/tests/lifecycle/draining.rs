//! What happens when the server is told to stop.

use std::time::Duration;

use serde_json::json;
use tokio::{
    net::TcpStream,
    time::{Instant, timeout},
};
use tollgate::{Limits, prelude::*};
use tollgate_tests::{Call, Connection, start};

use crate::{call, hang, hang_streaming, ping, server, stage, streamed};

#[tokio::test]
async fn a_call_that_runs_is_answered_and_then_the_server_ends() {
    let (stage, mut director) = stage();
    let mut running = start(server(stage, tools![hang])).await;
    let mut connection = Connection::open(running.address).await;
    connection.send(&call("hang").bytes()).await;
    director.hears("started").await;

    running.signal();
    refused(running.address).await;
    director.open();

    let answer = connection.answer().await;
    assert_eq!(answer.result()["content"][0]["text"], "done");
    assert!(connection.closes_within(Duration::from_secs(1)).await);
    running.stop().await.unwrap();
}

#[tokio::test]
async fn a_stream_that_runs_is_answered_to_its_end() {
    let (stage, mut director) = stage();
    let mut running = start(server(stage, tools![hang_streaming])).await;
    let mut connection = Connection::open(running.address).await;
    connection.send(&streamed("hang_streaming").bytes()).await;
    assert_eq!(connection.head().await.status, 200);
    director.hears("started").await;

    running.signal();
    refused(running.address).await;
    director.open();

    let first = connection.event().await.unwrap();
    let last = connection.event().await.unwrap();
    assert_eq!(first["method"], "notifications/progress");
    assert_eq!(last["result"]["content"][0]["text"], "done");
    running.stop().await.unwrap();
}

/// Waits until nobody listens at an address any more.
async fn refused(address: std::net::SocketAddr) {
    let refused = async { while TcpStream::connect(address).await.is_ok() {} };
    timeout(Duration::from_secs(5), refused).await.expect("new connections are refused");
}

#[tokio::test]
async fn listeners_get_their_result() {
    let running = start(server(stage().0, tools![ping])).await;
    let listen = Call::modern("subscriptions/listen", json!({"notifications": {"toolsListChanged": true}}));
    let mut connection = Connection::open(running.address).await;
    connection.send(&listen.edit(|it| it["id"] = json!("l1")).bytes()).await;
    assert_eq!(connection.head().await.status, 200);
    assert_eq!(connection.event().await.unwrap()["method"], "notifications/subscriptions/acknowledged");

    running.stop().await.unwrap();

    let end = connection.event().await.unwrap();
    assert_eq!((&end["id"], &end["result"]["resultType"]), (&json!("l1"), &json!("complete")));
    assert_eq!(end["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"], "l1");
    assert!(end["result"]["_meta"]["io.modelcontextprotocol/serverInfo"].is_object());
    assert!(connection.event().await.is_none());
}

#[tokio::test]
async fn a_connection_without_a_request_is_closed() {
    let running = start(server(stage().0, tools![ping])).await;
    let mut idle = Connection::open(running.address).await;
    idle.send(&call("ping").bytes()).await;
    assert_eq!(idle.answer().await.status, 200);

    let begun = Instant::now();
    running.stop().await.unwrap();

    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    assert!(idle.closes_within(Duration::from_secs(1)).await);
}

#[tokio::test]
async fn a_connection_that_never_sent_anything_does_not_hold_the_server() {
    let mut limits = Limits::default();
    limits.drain_time = Duration::from_millis(500);
    let running = start(server(stage().0, tools![ping]).limits(limits)).await;
    let mut silent = Connection::open(running.address).await;

    let begun = Instant::now();
    running.stop().await.unwrap();

    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    assert!(silent.closes_within(Duration::from_secs(1)).await);
}

#[tokio::test]
async fn a_call_that_does_not_end_is_cut_off_at_the_end_of_the_drain_time() {
    let (stage, mut director) = stage();
    let mut limits = Limits::default();
    limits.drain_time = Duration::from_millis(200);
    let running = start(server(stage, tools![hang]).limits(limits)).await;
    let mut connection = Connection::open(running.address).await;
    connection.send(&call("hang").bytes()).await;
    director.hears("started").await;

    let begun = Instant::now();
    running.stop().await.unwrap();

    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    director.hears("dropped").await;
    assert_eq!(connection.answer().await.status, 0);
}

#[tokio::test]
async fn a_request_on_an_open_connection_is_told_that_the_server_stops() {
    let (stage, mut director) = stage();
    let server = server(stage, tools![hang, ping]);
    let client = server.client("ann");
    let mut running = start(server).await;
    let mut connection = Connection::open(running.address).await;
    connection.send(&call("hang").bytes()).await;
    director.hears("started").await;
    running.signal();
    refused(running.address).await;

    let exchange = client.request("tools/call", json!({"name": "ping", "arguments": {}})).await;

    assert_eq!((exchange.status, &exchange.response["error"]["code"]), (503, &json!(-32603)));
    assert_eq!(exchange.response["id"], 1);
    director.open();
    assert_eq!(connection.answer().await.status, 200);
}
