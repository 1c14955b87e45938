//! Lines on standard input and output (basic/transports/stdio).

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;

use super::{
    house::{initialize, meta_with_forms, server, watched},
    lines::{Lines, call, cancel, request},
};

// S-060, S-061.
#[tokio::test]
async fn whatever_is_written_is_one_message_a_line() {
    let mut lines = Lines::open(server());
    let text = json!({"text": "one\ntwo\r\nthree\u{2028}four"});
    let mut meta = meta_with_forms();
    meta["progressToken"] = "a\nb".into();
    meta["io.modelcontextprotocol/logLevel"] = "debug".into();
    lines.send(&call("i\nd", "echo", &text)).await;
    lines.send(&request(2, "tools/call", json!({"name": "say", "arguments": text, "_meta": meta}))).await;
    lines.send(&call(3, "no\nsuch", &text)).await;
    lines.send(&call(4, "panics", &json!({}))).await;
    lines
        .send(&request(5, "subscriptions/listen", json!({"notifications": {"toolsListChanged": true}})))
        .await;
    lines.send(&request(6, "server/discover", json!({}))).await;

    let written = String::from_utf8(lines.end_raw().await).unwrap();

    let body = written.strip_suffix('\n').unwrap();
    let messages: Vec<Value> = body.split('\n').map(|it| serde_json::from_str(it).unwrap()).collect();
    assert!(messages.iter().all(|it| it["jsonrpc"] == "2.0"));
    let answered = messages.iter().filter(|it| it.get("id").is_some()).count();
    assert_eq!(answered, 6);
}

// S-061.
#[tokio::test]
async fn what_is_no_message_is_answered_with_one() {
    let mut lines = Lines::open(server());

    for line in ["hello", "{", "[]", "7", "\u{1b}[31m"] {
        lines.write(line).await;
        let answer = lines.next().await;
        assert!(answer["error"]["code"].is_i64() && answer.get("id").is_none(), "{answer}");
    }
}

// S-061.
#[tokio::test]
async fn empty_lines_are_passed_over() {
    let mut lines = Lines::open(server());

    lines.write("").await;
    lines.write(" \r").await;
    let answer = lines.ask(&request(1, "tools/list", json!({}))).await;

    assert_eq!(answer["id"], 1);
    assert_eq!(lines.end().await, [] as [Value; 0]);
}

// S-062.
#[tokio::test]
async fn a_modern_client_is_asked_in_a_result() {
    let mut lines = Lines::open(server());
    lines.ask(&initialize(&json!({"elicitation": {}}))).await;

    let params = json!({"name": "ask", "arguments": {"host": "Ann"}, "_meta": meta_with_forms()});
    let asked = lines.ask(&request(1, "tools/call", params)).await;

    assert_eq!(asked["result"]["resultType"], "input_required");
    assert_eq!(lines.end().await, [] as [Value; 0]);
}

// S-063.
#[tokio::test]
async fn a_cancelled_call_is_dropped() {
    let (server, mut watch) = watched();
    let mut lines = Lines::open(server);

    lines.send(&call(1, "hold", &json!({}))).await;
    assert_eq!(watch.next().await, "started");
    lines.send(&cancel(1)).await;

    assert_eq!(watch.next().await, "dropped");
}

// S-063.
#[tokio::test]
async fn only_the_call_that_was_named_is_dropped() {
    let (server, mut watch) = watched();
    let mut lines = Lines::open(server);

    lines.send(&call(1, "hold", &json!({}))).await;
    assert_eq!(watch.next().await, "started");
    lines.send(&cancel("1")).await;
    lines.send(&cancel(2)).await;
    lines.ask(&call(3, "echo", &json!({"text": "hi"}))).await;
    watch.release.notify_waiters();

    assert_eq!(lines.next().await["id"], 1);
}

// S-064.
#[tokio::test]
async fn nothing_more_is_said_of_a_cancelled_request() {
    let (server, mut watch) = watched();
    let mut lines = Lines::open(server);
    for id in 0..32 {
        lines.send(&call(id, "hold", &json!({}))).await;
        assert_eq!(watch.next().await, "started");
    }

    // Their ends come at the same time as the news that nobody wants them.
    for id in 0..32 {
        lines.send(&cancel(id)).await;
    }
    watch.release.notify_waiters();

    assert_eq!(lines.end().await, [] as [Value; 0]);
}

// S-064.
#[tokio::test]
async fn nothing_more_is_said_of_a_cancelled_subscription() {
    let server = server();
    let catalog = server.catalog();
    let mut lines = Lines::open(server);
    let filter = json!({"notifications": {"toolsListChanged": true}});
    lines.ask(&request(1, "subscriptions/listen", filter)).await;

    lines.send(&cancel(1)).await;
    lines.ask(&call(2, "echo", &json!({"text": "hi"}))).await;
    catalog.remove_tool("echo");

    assert_eq!(lines.end().await, [] as [Value; 0]);
}

// S-065.
#[tokio::test]
async fn the_server_ends_when_its_input_does() {
    let lines = Lines::open(server());

    assert_eq!(lines.end_raw().await, b"");
}

// S-065.
#[tokio::test]
async fn a_call_that_never_ends_does_not_keep_the_server() {
    let (server, mut watch) = watched();
    let mut lines = Lines::open(server);
    lines.send(&call(1, "hold", &json!({}))).await;
    assert_eq!(watch.next().await, "started");

    let closed = Instant::now();
    lines.end_raw().await;

    assert_eq!(watch.next().await, "dropped");
    assert!(closed.elapsed() < Duration::from_secs(10));
}

// S-065.
#[tokio::test]
async fn what_was_asked_before_the_end_of_the_input_is_still_answered() {
    let mut lines = Lines::open(server());
    lines.send(&call(1, "echo", &json!({"text": "hi"}))).await;

    let rest = lines.end().await;

    assert_eq!(rest.len(), 1);
    assert_eq!(rest[0]["result"]["content"][0]["text"], "hi");
}

// S-065.
#[tokio::test]
async fn a_client_that_does_not_read_does_not_keep_the_server() {
    let (mut input, theirs) = tokio::io::duplex(64 * 1024);
    let (_unread, output) = tokio::io::duplex(64);
    let served = tokio::spawn(server().serve_streams(tokio::io::BufReader::new(theirs), output));

    let long = call(1, "echo", &json!({"text": "x".repeat(1000)}));
    input.write_all(format!("{long}\n").as_bytes()).await.unwrap();
    drop(input);

    let ended = tokio::time::timeout(Duration::from_secs(20), served).await;
    assert!(ended.is_ok_and(|it| it.is_ok()), "the server waits for its client to read");
}
