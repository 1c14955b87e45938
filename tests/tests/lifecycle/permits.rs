//! How much may run at one time, and how often.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::{io::AsyncReadExt, time::advance};
use tollgate::{Limits, prelude::*};
use tollgate_tests::{Call, Connection, start};
use tower::ServiceExt as _;

use crate::{Stage, call, hang, ping, server, stage};

fn limits(edit: impl FnOnce(&mut Limits)) -> Limits {
    let mut limits = Limits::default();
    edit(&mut limits);
    limits
}

#[tokio::test]
async fn a_call_over_those_of_the_process_is_told_to_come_back() {
    let (stage, mut director) = stage();
    let running = start(server(stage, tools![hang, ping]).limits(limits(|it| it.calls = 1))).await;
    let mut first = Connection::open(running.address).await;
    first.send(&call("hang").bytes()).await;
    director.hears("started").await;

    let second = call("ping").send(running.address).await;

    assert_eq!(second.verdict(), (503, -32603));
    assert_eq!(second.header("retry-after"), Some("1"));
    director.open();
    assert_eq!(first.answer().await.status, 200);
    assert_eq!(call("ping").send(running.address).await.status, 200);
}

#[tokio::test]
async fn a_call_over_those_of_a_caller_is_told_and_others_are_not() {
    let (stage, mut director) = stage();
    let server = server(stage, tools![hang, ping]).limits(limits(|it| it.calls_per_caller = 1));
    let (ann, bob) = (server.client("ann"), server.client("bob"));
    let first = tokio::spawn({
        let ann = ann.clone();
        async move { ann.call(hang {}).await.map(drop) }
    });
    director.hears("started").await;

    let second = ann.request("tools/call", json!({"name": "ping", "arguments": {}})).await;

    assert_eq!((second.status, &second.response["error"]["code"]), (429, &json!(-32603)));
    assert_eq!(bob.call(ping {}).await.unwrap(), "pong");
    director.open();
    first.await.unwrap().unwrap();
    assert_eq!(ann.call(ping {}).await.unwrap(), "pong");
}

fn held(calls: usize) -> Tool<Stage> {
    let schema = json!({"type": "object"});
    Tool::new("held", "Waits.", schema, async |cx: Cx<Stage>, _| {
        cx.state().tell("started");
        cx.state().opened().await;
        Ok("done")
    })
    .calls(calls)
}

#[tokio::test]
async fn a_call_over_those_of_a_tool_is_told_and_other_tools_work() {
    let (stage, mut director) = stage();
    let running = start(server(stage, tools![ping]).tools(vec![held(1)])).await;
    let mut first = Connection::open(running.address).await;
    first.send(&call("held").bytes()).await;
    director.hears("started").await;

    let second = call("held").send(running.address).await;

    assert_eq!(second.verdict(), (429, -32603));
    assert_eq!(second.header("retry-after"), Some("1"));
    assert_eq!(second.json()["id"], 1);
    assert_eq!(call("ping").send(running.address).await.status, 200);
    director.open();
    assert_eq!(first.answer().await.status, 200);
    assert_eq!(call("held").send(running.address).await.status, 200);
}

#[tokio::test(start_paused = true)]
async fn calls_over_those_of_a_second_are_told_to_come_back() {
    let server = server(stage().0, tools![ping]).limits(limits(|it| it.calls_per_second = Some(2)));
    let client = server.client("ann");
    let ping = || client.request("tools/call", json!({"name": "ping", "arguments": {}}));

    let statuses = [ping().await.status, ping().await.status, ping().await.status];
    advance(Duration::from_secs(1)).await;

    assert_eq!(statuses, [200, 200, 503]);
    assert_eq!(ping().await.status, 200);
}

#[tokio::test(start_paused = true)]
async fn calls_over_those_of_a_second_of_one_caller_leave_the_others_alone() {
    let server =
        server(stage().0, tools![ping]).limits(limits(|it| it.calls_per_second_per_caller = Some(1)));
    let (ann, bob) = (server.client("ann"), server.client("bob"));
    let params = json!({"name": "ping", "arguments": {}});

    let statuses = [
        ann.request("tools/call", params.clone()).await.status,
        ann.request("tools/call", params.clone()).await.status,
        bob.request("tools/call", params.clone()).await.status,
    ];

    assert_eq!(statuses, [200, 429, 200]);
}

#[tokio::test(start_paused = true)]
async fn calls_over_those_of_a_second_of_one_tool_leave_the_others_alone() {
    let (stage, director) = stage();
    director.open();
    let client = server(stage, tools![ping]).tools(vec![held(9).calls_per_second(1)]).client("ann");
    let held = || client.request("tools/call", json!({"name": "held", "arguments": {}}));

    let statuses = [held().await.status, held().await.status];

    assert_eq!(statuses, [200, 429]);
    assert_eq!(client.call(ping {}).await.unwrap(), "pong");
}

#[tokio::test]
async fn a_refused_request_keeps_no_place() {
    let running = start(server(stage().0, tools![ping]).limits(limits(|it| it.calls = 1))).await;

    let refused = [
        call("ping").replace("Host", "evil.example.com").send(running.address).await.status,
        call("ping").body("{").send(running.address).await.status,
        call("ping").replace("Mcp-Name", "other").send(running.address).await.status,
        call("nothing").send(running.address).await.status,
        call("ping")
            .edit(|it| it["params"]["arguments"] = json!({"x": 1}))
            .send(running.address)
            .await
            .status,
    ];

    assert_eq!(refused, [403, 400, 400, 200, 200]);
    assert_eq!(call("ping").send(running.address).await.status, 200);
}

#[tokio::test]
async fn a_place_is_held_until_the_body_is_gone() {
    let server = server(stage().0, tools![ping]).limits(limits(|it| it.calls = 1));
    let request = || {
        let call = call("ping");
        let mut request = http::Request::post("/mcp");
        for header in &call.headers {
            let (name, value) = std::str::from_utf8(header).unwrap().split_once(": ").unwrap();
            request = request.header(name, value);
        }
        request.body(axum::body::Body::from(call.body)).unwrap()
    };

    let first = server.clone().oneshot(request()).await.unwrap();
    let second = server.clone().oneshot(request()).await.unwrap();
    drop(first);
    let third = server.clone().oneshot(request()).await.unwrap();

    assert_eq!((second.status().as_u16(), third.status().as_u16()), (503, 200));
}

/// Says a great deal.
///
/// Use when much is wanted.
/// Do not use when little is.
#[tool]
async fn much() -> String {
    "x".repeat(MUCH)
}

const MUCH: usize = 32 * 1024 * 1024;

#[tokio::test]
async fn a_place_is_held_while_a_slow_client_reads() {
    let limits = limits(|it| (it.calls, it.result_bytes) = (1, 2 * MUCH));
    let running = start(server(stage().0, tools![much, ping]).limits(limits)).await;
    let mut slow = Connection::open(running.address).await;
    slow.send(&call("much").bytes()).await;
    let mut stream = slow.into_stream();
    // The first byte of the answer is there, and most of it is not sent yet.
    stream.peek(&mut [0]).await.unwrap();

    let meanwhile = call("ping").send(running.address).await.status;
    let mut read = 0;
    let mut buffer = vec![0; 1024 * 1024];
    while read < MUCH {
        read += stream.read(&mut buffer).await.unwrap();
    }

    assert_eq!(meanwhile, 503);
    let free = async { while call("ping").send(running.address).await.status == 503 {} };
    tokio::time::timeout(Duration::from_secs(5), free).await.unwrap();
}

fn listen() -> Call {
    Call::modern("subscriptions/listen", json!({"notifications": {"toolsListChanged": true}}))
}

#[tokio::test]
async fn a_listener_takes_the_place_of_no_call() {
    let running = start(server(stage().0, tools![ping]).limits(limits(|it| it.calls = 1))).await;
    let mut listener = Connection::open(running.address).await;
    listener.send(&listen().bytes()).await;
    assert_eq!(listener.head().await.status, 200);

    assert_eq!(call("ping").send(running.address).await.status, 200);
}

#[tokio::test]
async fn listeners_have_places_of_their_own() {
    let running = start(server(stage().0, tools![ping]).limits(limits(|it| it.listeners = 1))).await;
    let mut first = Connection::open(running.address).await;
    first.send(&listen().bytes()).await;
    assert_eq!(first.head().await.status, 200);

    let second = listen().send(running.address).await;

    assert_eq!(second.verdict(), (503, -32603));
    drop(first);
    let free = async {
        loop {
            let mut next = Connection::open(running.address).await;
            next.send(&listen().bytes()).await;
            if next.head().await.status == 200 {
                break;
            }
        }
    };
    tokio::time::timeout(Duration::from_millis(500), free).await.unwrap();
}

#[tokio::test]
async fn refusals_for_want_of_a_place_are_json() {
    let (stage, mut director) = stage();
    let running = start(server(stage, tools![hang]).limits(limits(|it| it.calls = 1))).await;
    let mut first = Connection::open(running.address).await;
    first.send(&call("hang").bytes()).await;
    director.hears("started").await;

    let second = call("hang").send(running.address).await;

    assert_eq!(second.header("content-type"), Some("application/json"));
    let body: Value = serde_json::from_slice(&second.body).unwrap();
    assert_eq!(
        body,
        json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32603, "message": "the server is busy"}})
    );
}

#[tokio::test]
async fn a_connection_over_the_limit_is_closed_and_its_place_comes_back() {
    let running = start(server(stage().0, tools![ping]).limits(limits(|it| it.connections = 1))).await;
    let mut first = Connection::open(running.address).await;
    first.send(&call("ping").bytes()).await;
    assert_eq!(first.answer().await.status, 200);

    let mut second = Connection::open(running.address).await;

    assert!(second.closes_within(Duration::from_secs(5)).await);
    drop(first);
    let free = async { while call("ping").send(running.address).await.status != 200 {} };
    tokio::time::timeout(Duration::from_secs(5), free).await.unwrap();
}
