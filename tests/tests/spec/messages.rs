//! What a message looks like: requests, results, errors, notifications (basic/index#messages).

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tollgate::Tool;
use tollgate_tests::{Call, Connection, start};

use super::{
    house::{
        ask_again, ask_call, every_answer, every_legacy_request, every_request, initialize, legacy,
        meta_with_forms, server, session, watched,
    },
    lines::{Lines, call, request},
    refusals::{self, strict_server},
};

// --- requests and results ---

// S-001.
#[tokio::test]
async fn a_request_is_answered_asked_back_and_listened_to() {
    let server = server();
    let catalog = server.catalog();
    let running = start(server).await;

    let answered = Call::tool("echo", &json!({"text": "hi"})).send(running.address).await;
    let asked = ask_call("Ann").send(running.address).await;
    let done = ask_again("Ann", &asked.result(), "Bea").send(running.address).await;
    let mut listener = Connection::open(running.address).await;
    let filter = json!({"notifications": {"toolsListChanged": true}});
    listener.send(&Call::modern("subscriptions/listen", filter).bytes()).await;
    listener.head().await;
    let acknowledged = listener.event().await.unwrap();
    catalog.remove_tool("weather");
    let changed = listener.event().await.unwrap();

    assert_eq!(answered.result()["content"][0]["text"], "hi");
    assert_eq!(asked.result()["resultType"], "input_required");
    assert_eq!(done.result()["content"][0]["text"], "Ann greets Bea");
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(changed["method"], "notifications/tools/list_changed");
}

// S-002.
#[tokio::test]
async fn every_message_is_one_of_json_rpc_2() {
    let running = start(server()).await;
    let session = session(running.address, &json!({})).await;

    let mut messages = Vec::new();
    for call in every_request().into_iter().chain(every_legacy_request(&session)) {
        let answer = call.send(running.address).await;
        messages.extend(answer.events());
        messages.push(answer.json());
    }

    let sorts = ["result", "error", "method"];
    for message in &messages {
        let is_one_sort = sorts.iter().filter(|it| message.get(**it).is_some()).count() == 1;
        assert!(message["jsonrpc"] == "2.0" && is_one_sort, "{message}");
    }
    assert!(messages.len() > 20);
}

// S-003, S-004.
#[tokio::test]
async fn an_id_is_a_string_or_an_integer() {
    let running = start(server()).await;
    let session = session(running.address, &json!({})).await;
    let ids = [json!(null), json!(1.5), json!(true), json!([1]), json!({"id": 1}), json!(1e300)];

    for id in ids {
        let modern = Call::modern("tools/list", json!({})).edit(|it| it["id"] = id.clone());
        let legacy = legacy(&session, "tools/list", &json!({})).edit(|it| it["id"] = id.clone());

        let answers = [modern.send(running.address).await, legacy.send(running.address).await];

        assert_eq!(answers.each_ref().map(|it| it.verdict()), [(400, -32600); 2], "{id}");
        assert!(answers.iter().all(|it| it.json().get("id").is_none()), "{id}");
    }
}

// S-004.
#[tokio::test]
async fn what_a_legacy_client_is_asked_has_an_id_of_its_own() {
    let mut lines = Lines::open(server());
    lines.ask(&initialize(&json!({"elicitation": {}}))).await;

    let arguments = json!({"name": "ask", "arguments": {"host": "Ann"}});
    let asked =
        lines.ask(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": arguments})).await;

    assert_eq!(asked["method"], "elicitation/create");
    assert!(asked["id"].as_str().is_some_and(|it| !it.is_empty()), "{asked}");
}

// S-005.
#[tokio::test]
async fn a_result_repeats_the_id_of_its_request() {
    let running = start(server()).await;
    let mut lines = Lines::open(server());
    let ids = [
        json!(0),
        json!(-7),
        json!(9_007_199_254_740_991_i64),
        json!("1"),
        json!("a b"),
        json!("\u{e9}\n\""),
    ];

    for id in ids {
        for call in every_request() {
            let answer = call.edit(|it| it["id"] = id.clone()).send(running.address).await;
            assert_eq!(answer.json()["id"], id);
        }
        let answer = lines.ask(&call(id.clone(), "echo", &json!({"text": "hi"}))).await;
        assert_eq!(answer["id"], id);
    }
}

// S-006, S-007, S-008.
#[tokio::test]
async fn every_success_has_a_result_of_a_type_that_the_core_defines() {
    let running = start(server()).await;

    let answers = every_answer(running.address).await;
    let asked = ask_call("Ann").send(running.address).await;

    for answer in &answers {
        assert!(answer.result().is_object(), "{:?}", answer.json());
        assert_eq!(answer.result()["resultType"], "complete");
    }
    assert_eq!(asked.result()["resultType"], "input_required");
}

// S-007, S-055.
#[tokio::test]
async fn results_for_legacy_clients_have_no_type() {
    let running = start(server()).await;
    let opened = Call::post(&initialize(&json!({})).to_string()).send(running.address).await;
    let session = session(running.address, &json!({})).await;

    let mut results = vec![opened.result()];
    for call in every_legacy_request(&session) {
        results.push(call.send(running.address).await.result());
    }

    for result in results {
        assert!(result.is_object() && result.get("resultType").is_none(), "{result}");
    }
}

// S-007.
#[tokio::test]
async fn the_end_of_a_listen_stream_is_a_complete_result() {
    let mut lines = Lines::open(server());
    lines
        .ask(&request(5, "subscriptions/listen", json!({"notifications": {"toolsListChanged": true}})))
        .await;

    let last = lines.end().await.pop().unwrap();

    assert_eq!(last["id"], 5);
    assert_eq!(last["result"]["resultType"], "complete");
}

// --- errors ---

// S-009, S-010, S-011, S-015.
#[tokio::test]
async fn every_refusal_has_its_status_its_code_and_the_id_of_its_request() {
    let running = start(strict_server()).await;
    let session = session(running.address, &json!({})).await;

    for case in refusals::all(&session) {
        let answer = case.call.send(running.address).await;
        let error = answer.json()["error"].clone();

        assert_eq!(answer.verdict(), case.verdict, "{}: {error}", case.what);
        assert_eq!(answer.json()["id"], case.id, "{}", case.what);
        assert_eq!(answer.json().get("id").is_some(), !case.id.is_null(), "{}", case.what);
        assert!(error["code"].is_i64(), "{}", case.what);
        let message = error["message"].as_str().unwrap();
        let is_short = (1..=160).contains(&message.chars().count()) && !message.contains('\n');
        assert!(is_short, "{}: {message}", case.what);
    }
}

// S-012, S-013, S-014, S-016, S-017, S-018.
#[tokio::test]
async fn the_codes_are_those_of_json_rpc_and_three_of_the_protocol() {
    let running = start(strict_server()).await;
    let session = session(running.address, &json!({})).await;

    let mut modern = BTreeSet::new();
    let mut legacy = BTreeSet::new();
    for case in refusals::all(&session) {
        let is_legacy = case.what.contains("legacy");
        let code = case.call.send(running.address).await.code();
        if is_legacy { &mut legacy } else { &mut modern }.insert(code);
    }

    let all = [-32700, -32603, -32602, -32601, -32600, -32022, -32021, -32020];
    assert_eq!(modern, BTreeSet::from(all));
    // Revisions up to 2025-11-25 have a code of their own for a resource that is not there.
    assert_eq!(legacy, BTreeSet::from([-32602, -32601, -32600, -32002]));
}

// S-009, S-010, S-013.
#[tokio::test]
async fn a_server_without_room_says_so_with_a_standard_code() {
    let (server, mut watch) = watched();
    let mut limits = tollgate::Limits::default();
    limits.calls = 1;
    let running = start(server.limits(limits)).await;
    let mut held = Connection::open(running.address).await;
    held.send(&Call::tool("hold", &json!({})).bytes()).await;
    assert_eq!(watch.next().await, "started");

    let refused = Call::tool("echo", &json!({"text": "hi"})).send(running.address).await;

    assert_eq!(refused.verdict(), (503, -32603));
    assert_eq!(refused.json()["id"], 1);
    assert_eq!(refused.header("retry-after"), Some("1"));
}

// S-009, S-010, S-013.
#[tokio::test]
async fn a_tool_without_room_says_so_with_a_standard_code() {
    let (server, mut watch) = watched();
    let catalog = server.catalog();
    let events = std::sync::Arc::new(tokio::sync::Notify::new());
    let started = events.clone();
    let narrow = Tool::new("narrow", "Waits.", json!({"type": "object"}), move |_cx, _arguments| {
        let started = started.clone();
        async move {
            started.notify_one();
            std::future::pending::<()>().await;
            Ok("done")
        }
    });
    catalog.add_tool(narrow.calls(1)).unwrap();
    let running = start(server).await;
    let mut held = Connection::open(running.address).await;
    held.send(&Call::tool("narrow", &json!({})).bytes()).await;
    events.notified().await;

    let refused = Call::tool("narrow", &json!({})).send(running.address).await;

    assert_eq!(refused.verdict(), (429, -32603));
    assert_eq!(refused.json()["id"], 1);
    assert!(watch.events.try_recv().is_err());
}

// S-009, S-010, S-013.
#[tokio::test]
async fn a_server_that_ends_says_so_with_a_standard_code() {
    let server = server();
    let running = start(server.clone()).await;
    running.stop().await.unwrap();

    let refused = server.client("Ann").request("tools/list", json!({})).await;

    assert_eq!((refused.status, refused.response["error"]["code"].as_i64()), (503, Some(-32603)));
}

// S-009, S-010, S-013.
#[tokio::test]
async fn a_caller_without_room_is_told_so_with_a_standard_code() {
    let (server, mut watch) = watched();
    let mut limits = tollgate::Limits::default();
    limits.calls_per_caller = 1;
    let client = server.limits(limits).client("Ann");
    let holds = client.clone();
    tokio::spawn(async move { holds.call_raw("hold", json!({})).await });
    assert_eq!(watch.next().await, "started");

    let refused = client.request("tools/list", json!({})).await;

    assert_eq!((refused.status, refused.response["error"]["code"].as_i64()), (429, Some(-32603)));
    assert!(refused.response["id"].is_u64());
}

// S-009, S-010, S-013.
#[tokio::test]
async fn what_is_too_much_for_stdio_is_told_with_a_standard_code() {
    let (server, mut watch) = watched();
    let mut limits = tollgate::Limits::default();
    limits.stdio_calls = 1;
    limits.line_bytes = 1000;
    let mut lines = Lines::open(server.limits(limits));
    lines.send(&call(1, "hold", &json!({}))).await;
    assert_eq!(watch.next().await, "started");

    let twice = lines.ask(&call(1, "echo", &json!({"text": "hi"}))).await;
    let full = lines.ask(&call(2, "echo", &json!({"text": "hi"}))).await;
    let long = lines.ask(&call(3, "echo", &json!({"text": "x".repeat(1000)}))).await;

    let seen = [twice, full, long].map(|it| (it["id"].clone(), it["error"]["code"].clone()));
    let expected = [(json!(1), json!(-32600)), (json!(2), json!(-32600)), (json!(null), json!(-32700))];
    assert_eq!(seen, expected);
}

// --- notifications ---

// S-019.
#[tokio::test]
async fn a_notification_is_not_answered() {
    let running = start(server()).await;
    let session = session(running.address, &json!({})).await;
    let edit = |it: &mut Value| drop(it.as_object_mut().map(|it| it.remove("id")));

    let modern = Call::modern("notifications/whatever", json!({})).edit(edit).send(running.address).await;
    let legacy =
        legacy(&session, "notifications/initialized", &json!({})).edit(edit).send(running.address).await;

    for answer in [modern, legacy] {
        assert_eq!((answer.status, answer.body.len()), (202, 0));
    }
}

// S-019.
#[tokio::test]
async fn on_stdio_no_notification_is_answered_whatever_is_wrong_with_it() {
    let mut dual = Lines::open(server());
    let mut modern_only = Lines::open(server().modern_only());
    let unknown = json!({"io.modelcontextprotocol/protocolVersion": "2199-01-01"});
    let notifications = [
        json!({"jsonrpc": "2.0", "method": "notifications/whatever"}),
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "method": "tools/list"}),
        json!({"jsonrpc": "2.0", "method": "notifications/whatever", "params": {"_meta": unknown}}),
        json!({"jsonrpc": "2.0", "method": "notifications/whatever", "params": {"_meta": 7}}),
    ];

    for notification in &notifications {
        dual.send(notification).await;
        modern_only.send(notification).await;
    }

    assert_eq!(dual.end().await, [] as [Value; 0]);
    assert_eq!(modern_only.end().await, [] as [Value; 0]);
}

// S-020.
#[tokio::test]
async fn a_notification_has_no_id() {
    let running = start(server()).await;
    let mut meta = meta_with_forms();
    meta["progressToken"] = "token".into();
    meta["io.modelcontextprotocol/logLevel"] = "debug".into();
    let params = json!({"name": "say", "arguments": {"text": "hi"}, "_meta": meta});

    let mut messages = Call::modern("tools/call", params).send(running.address).await.events();
    let result = messages.pop().unwrap();

    let methods: Vec<_> = messages.iter().map(|it| it["method"].clone()).collect();
    assert_eq!(methods, ["notifications/progress", "notifications/message"]);
    assert!(messages.iter().all(|it| it.get("id").is_none()));
    assert_eq!(result["id"], 1);
}
