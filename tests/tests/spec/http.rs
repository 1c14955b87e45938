//! The endpoint and its answers (basic/transports/streamable-http). Headers and streams have files of their own.

use serde_json::json;
use tollgate_tests::{Call, Connection, start};

use super::{
    house::{initialize, legacy, say_call, server, session},
    refusals,
};

fn echo() -> Call {
    Call::tool("echo", &json!({"text": "hi"}))
}

/// The same request with another first line.
fn line(line: &str, call: &Call) -> Call {
    Call { line: line.into(), ..call.clone() }
}

fn notification(method: &str) -> Call {
    Call::modern(method, json!({})).edit(|it| drop(it.as_object_mut().map(|it| it.remove("id"))))
}

// --- the endpoint ---

// S-066.
#[tokio::test]
async fn one_path_takes_posts() {
    let running = start(server()).await;
    let elsewhere = start(server().path("/api/tools")).await;

    assert_eq!(echo().send(running.address).await.status, 200);
    assert_eq!(line("POST /mcp?a=b HTTP/1.1", &echo()).send(running.address).await.status, 200);
    assert_eq!(line("POST / HTTP/1.1", &echo()).send(running.address).await.status, 404);
    assert_eq!(line("POST /mcp/ HTTP/1.1", &echo()).send(running.address).await.status, 404);
    assert_eq!(echo().send(elsewhere.address).await.status, 404);
    assert_eq!(line("POST /api/tools HTTP/1.1", &echo()).send(elsewhere.address).await.status, 200);
}

// S-067.
#[tokio::test]
async fn an_origin_is_judged_whatever_else_the_request_is() {
    let running = start(server()).await;
    let session = session(running.address, &json!({})).await;
    let strange = |call: Call| call.header("Origin: https://evil.example");
    let stream = line("GET /mcp HTTP/1.1", &legacy(&session, "ping", &json!({})));

    let answers = [
        strange(echo()).send(running.address).await,
        strange(notification("notifications/whatever")).send(running.address).await,
        strange(Call::post(&initialize(&json!({})).to_string())).send(running.address).await,
        strange(legacy(&session, "tools/list", &json!({}))).send(running.address).await,
        strange(stream.clone()).send(running.address).await,
        strange(line("DELETE /mcp HTTP/1.1", &stream)).send(running.address).await,
        strange(line("OPTIONS /mcp HTTP/1.1", &stream)).send(running.address).await,
        strange(line("POST /elsewhere HTTP/1.1", &echo())).send(running.address).await,
        strange(echo().body("{")).send(running.address).await,
    ];

    assert!(answers.iter().all(|it| it.status == 403), "{answers:?}");
}

// S-067, S-068.
#[tokio::test]
async fn only_an_origin_that_is_allowed_gets_in() {
    let here = start(server()).await;
    let named = start(server().allow_origins(["https://app.example"])).await;
    let table = [
        ("http://localhost:3000", 200, 403),
        ("http://127.0.0.1", 200, 403),
        ("http://[::1]:80", 200, 403),
        ("https://app.example", 403, 200),
        ("https://app.example:443", 403, 200),
        ("http://app.example", 403, 403),
        ("https://app.example:444", 403, 403),
        ("https://app.example.evil.example", 403, 403),
        ("https://localhost.evil.example", 403, 403),
        ("http://localhost@evil.example", 403, 403),
        ("null", 403, 403),
        ("", 403, 403),
    ];

    for (origin, at_home, by_name) in table {
        let call = echo().header(format!("Origin: {origin}"));
        assert_eq!(call.send(here.address).await.status, at_home, "{origin}");
        assert_eq!(call.send(named.address).await.status, by_name, "{origin}");
    }
}

// S-068.
#[tokio::test]
async fn a_strange_origin_is_told_so_without_an_id() {
    let running = start(server()).await;

    let refused = echo().header("Origin: https://evil.example").send(running.address).await;

    assert_eq!(refused.status, 403);
    assert_eq!((refused.json()["jsonrpc"].clone(), refused.json().get("id")), (json!("2.0"), None));
    assert!(refused.json()["error"]["message"].is_string());
}

// S-067, S-068.
#[tokio::test]
async fn two_origins_are_none() {
    let running = start(server()).await;

    let both = echo().header("Origin: http://localhost").header("Origin: http://localhost");

    assert_eq!(both.send(running.address).await.status, 403);
}

// S-067.
#[tokio::test]
async fn a_page_that_hides_its_origin_is_a_stranger() {
    let running = start(server()).await;
    let from = |site: &str| echo().header(format!("Sec-Fetch-Site: {site}"));

    assert_eq!(from("cross-site").send(running.address).await.status, 403);
    assert_eq!(from("same-origin").send(running.address).await.status, 200);
    assert_eq!(from("none").send(running.address).await.status, 200);
}

// --- answers ---

// S-071.
#[tokio::test]
async fn a_notification_is_accepted_with_an_empty_202() {
    let running = start(server()).await;

    let accepted = notification("notifications/whatever").send(running.address).await;

    assert_eq!((accepted.status, accepted.body.as_slice()), (202, &b""[..]));
    assert_eq!(accepted.header("content-type"), None);
}

// S-072.
#[tokio::test]
async fn a_notification_that_cannot_be_accepted_has_the_status_of_an_error() {
    let running = start(server()).await;
    let call = || notification("notifications/whatever");

    let answers = [
        call().replace("Mcp-Method", "notifications/other").send(running.address).await,
        call().replace("MCP-Protocol-Version", "2025-11-25").send(running.address).await,
        call().edit(|it| it["params"] = json!([])).send(running.address).await,
        call().edit(|it| it["jsonrpc"] = json!("1.0")).send(running.address).await,
        call().header("Origin: https://evil.example").send(running.address).await,
    ];

    assert_eq!(answers.each_ref().map(|it| it.status), [400, 400, 400, 400, 403]);
    assert!(answers.iter().all(|it| it.json().get("id").is_none()));
}

// S-073, S-076.
#[tokio::test]
async fn a_request_is_answered_with_one_object_or_with_a_stream_that_ends_with_it() {
    let running = start(server()).await;
    let mut connection = Connection::open(running.address).await;

    connection.send(&echo().bytes()).await;
    let plain = connection.answer().await;
    connection.send(&say_call("a").bytes()).await;
    let streamed = connection.answer().await;
    connection.send(&echo().bytes()).await;
    let after = connection.answer().await;

    assert_eq!(plain.header("content-type"), Some("application/json"));
    assert_eq!(streamed.header("content-type"), Some("text/event-stream"));
    let results: Vec<_> = streamed.events().iter().map(|it| it.get("result").is_some()).collect();
    assert_eq!(results, [false, true]);
    assert_eq!(after.status, 200);
}

// S-073.
#[tokio::test]
async fn every_refusal_of_a_request_is_one_json_object() {
    let running = start(refusals::strict_server()).await;
    let session = session(running.address, &json!({})).await;

    for case in refusals::all(&session) {
        let answer = case.call.send(running.address).await;
        assert_eq!(answer.header("content-type"), Some("application/json"), "{}", case.what);
        assert!(answer.json().is_object(), "{}", case.what);
    }
}

// --- methods ---

// S-082.
#[tokio::test]
async fn methods_that_are_gone_are_unknown() {
    let running = start(server()).await;
    let modern_only = start(server().modern_only()).await;
    let gone = [
        "initialize",
        "ping",
        "logging/setLevel",
        "resources/subscribe",
        "resources/unsubscribe",
        "tasks/result",
        "tasks/list",
        "sampling/createMessage",
        "elicitation/create",
        "roots/list",
        "tools/Call",
        "",
    ];

    for method in gone {
        let params =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "level": "info", "uri": "a:b"});
        let call = Call::modern(method, params);
        for address in [running.address, modern_only.address] {
            let answer = call.send(address).await;
            assert_eq!(
                (answer.verdict(), answer.json()["id"].clone()),
                ((404, -32601), json!(1)),
                "{method}"
            );
        }
    }
}

// S-082.
#[tokio::test]
async fn a_legacy_client_is_told_without_a_404() {
    let running = start(server()).await;
    let session = session(running.address, &json!({})).await;

    let answer = legacy(&session, "tasks/list", &json!({})).send(running.address).await;

    assert_eq!(answer.verdict(), (200, -32601));
}

// --- a server of one era ---

// S-097.
#[tokio::test]
async fn a_modern_only_server_takes_nothing_but_posts() {
    let running = start(server().modern_only()).await;

    for verb in ["GET", "DELETE", "PUT", "HEAD", "OPTIONS", "PATCH"] {
        let mut connection = Connection::open(running.address).await;
        connection.send(&line(&format!("{verb} /mcp HTTP/1.1"), &echo()).bytes()).await;
        let head = connection.head().await;
        assert_eq!((head.status, head.header("allow")), (405, Some("POST")), "{verb}");
    }
}

// S-098.
#[tokio::test]
async fn a_modern_client_has_no_session() {
    let dual = start(server()).await;
    let modern_only = start(server().modern_only()).await;

    for address in [dual.address, modern_only.address] {
        let answers = [
            echo().header("Mcp-Session-Id: made-up").send(address).await,
            echo().header("Mcp-Session-Id: a").header("Mcp-Session-Id: b").send(address).await,
            Call::modern("server/discover", json!({})).send(address).await,
            say_call("a").send(address).await,
        ];
        assert!(answers.iter().all(|it| it.status == 200 && it.header("mcp-session-id").is_none()));
    }
}

// S-098.
#[tokio::test]
async fn a_modern_only_server_opens_no_session() {
    let running = start(server().modern_only()).await;

    let refused = Call::post(&initialize(&json!({})).to_string()).send(running.address).await;

    assert_eq!((refused.status, refused.header("mcp-session-id")), (400, None));
}

// S-099.
#[tokio::test]
async fn a_stream_is_not_resumed() {
    let running = start(server().modern_only()).await;

    let plain = echo().header("Last-Event-ID: 7").send(running.address).await;
    let streamed = say_call("a").header("Last-Event-ID: 7").send(running.address).await;

    assert_eq!(plain.result()["content"][0]["text"], "hi");
    assert_eq!(streamed.events().len(), 2);
    assert!(!String::from_utf8(streamed.body).unwrap().contains("id:"));
}

// S-100.
#[tokio::test]
async fn the_transport_of_2024_is_not_spoken() {
    let running = start(server()).await;
    let open = line("GET /mcp HTTP/1.1", &Call::post(""));

    let opened = open.send(running.address).await;
    let older = line("GET /sse HTTP/1.1", &Call::post("")).send(running.address).await;

    assert_eq!([opened.status, older.status], [400, 404]);
}
