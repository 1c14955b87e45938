//! Who asks is answered, in each era by its own way to say that it can ask.

use serde_json::{Value, json};
use tollgate::{Server, ready::EXTENSION, tools};
use tollgate_tests::{Call, start};

use super::kit::{Stand, Way, legacy_listing, listing, open_session_with};

const QUESTION: &str = "own";

fn rider() -> Value {
    json!({ EXTENSION: {"tools": [{"id": QUESTION}]} })
}

fn facet(body: &Value) -> &Value {
    &body["result"]["_meta"][EXTENSION]
}

#[tokio::test]
async fn the_server_says_that_it_can_be_asked() {
    let stand = Stand::new().await;
    let discovered = Call::modern("server/discover", json!({})).send(stand.running.address).await.result();
    let opened = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"},
    }});
    let opened = Call::post(&opened.to_string()).send(stand.running.address).await.result();

    let (modern, legacy) = (&discovered["capabilities"], &opened["capabilities"]);
    assert_eq!(modern["extensions"], json!({ EXTENSION: {"version": 1, "max_tools": 50} }));
    assert_eq!(modern.get("experimental"), None);
    assert_eq!(legacy["experimental"], json!({ EXTENSION: {"version": 1} }));
    assert_eq!(legacy.get("extensions"), None);
}

#[tokio::test]
async fn a_server_without_tools_cannot_be_asked_about_them() {
    let running = start(Server::new("none", "1").tools(tools![]).without_auth()).await;

    let discovered = Call::modern("server/discover", json!({})).send(running.address).await.result();

    assert_eq!(discovered["capabilities"], json!({}));
}

#[tokio::test]
async fn only_a_client_that_declares_the_extension_is_answered() {
    let stand = Stand::new().await;
    let address = stand.running.address;
    for (capabilities, is_answered) in [
        (json!({"extensions": {EXTENSION: {"version": 1}}}), true),
        (json!({"extensions": {EXTENSION: {}}}), true),
        (json!({"extensions": {EXTENSION: {"version": 1, "more": true}}}), true),
        (json!({"extensions": {EXTENSION: {"version": 2}}}), false),
        (json!({"extensions": {EXTENSION: {"version": "1"}}}), false),
        (json!({"extensions": {EXTENSION: true}}), false),
        (json!({"extensions": {EXTENSION: null}}), false),
        (json!({"extensions": {"com.example/other": {}}}), false),
        (json!({"experimental": {EXTENSION: {"version": 1}}}), false),
        (json!({}), false),
    ] {
        let body = listing(&rider(), json!({}), &capabilities).send(address).await.json();
        assert_eq!(facet(&body).is_object(), is_answered, "{capabilities}");
        assert_eq!(body["result"]["tools"].as_array().unwrap().len(), 5);
    }
    for (capabilities, is_answered) in [
        (json!({"experimental": {EXTENSION: {"version": 1}}}), true),
        (json!({"experimental": {EXTENSION: {}}}), true),
        (json!({"experimental": {EXTENSION: {"version": 2}}}), false),
        (json!({"extensions": {EXTENSION: {"version": 1}}}), false),
        (json!({}), false),
    ] {
        let session = open_session_with(&stand.running, &capabilities).await;
        let body = legacy_listing(&session, json!({"_meta": rider()})).send(address).await.json();
        assert_eq!(facet(&body).is_object(), is_answered, "{capabilities}");
        assert_eq!(body["result"]["tools"].as_array().unwrap().len(), 5);
    }
}

#[tokio::test]
async fn what_was_not_declared_is_ignored_however_wrong_it_is() {
    let stand = Stand::new().await;
    let wrong = json!({ EXTENSION: "nonsense" });

    let modern = listing(&wrong, json!({}), &json!({})).send(stand.running.address).await;
    let session = open_session_with(&stand.running, &json!({})).await;
    let legacy = legacy_listing(&session, json!({"_meta": wrong})).send(stand.running.address).await;

    for body in [modern.json(), legacy.json()] {
        assert_eq!(body["result"]["tools"].as_array().unwrap().len(), 5);
        assert!(facet(&body).is_null());
    }
    assert_eq!(stand.records.count(), 0);
}

#[tokio::test]
async fn who_declares_and_does_not_ask_gets_an_ordinary_list() {
    let stand = Stand::new().await;
    let plain = listing(&json!({}), json!({}), &json!({})).send(stand.running.address).await;

    let declared = stand.modern(&json!({}), json!({})).await;

    assert_eq!(declared.body, plain.body);
    assert_eq!(stand.records.count(), 0);
}

#[tokio::test]
async fn other_methods_carry_no_question() {
    let stand = Stand::new().await;
    let mut meta = tollgate_tests::raw::meta();
    meta["io.modelcontextprotocol/clientCapabilities"] = json!({"extensions": {EXTENSION: {}}});
    meta[EXTENSION] = json!("nonsense");

    let params = json!({"name": "own", "arguments": {}, "_meta": meta});
    let called = Call::modern("tools/call", params).send(stand.running.address).await.json();

    assert_eq!(called["result"]["content"][0]["text"], "own");
}

#[tokio::test]
async fn an_answer_holds_for_its_moment() {
    let stand = Stand::new().await;
    let id = "gh:sync_issues";
    assert_eq!(stand.one(Way::Modern, id).await["status"], "ready");

    stand.world.gh(|it| it.policy = it.policy.enabled(false));
    assert_eq!(stand.one(Way::Modern, id).await["reason"], "server_disabled");

    stand.world.gh(|it| it.policy = it.policy.enabled(true));
    assert_eq!(stand.one(Way::Modern, id).await["status"], "ready");
}

#[tokio::test]
async fn an_answer_says_when_it_was_looked_at() {
    let stand = Stand::new().await;
    for way in Way::ALL {
        let seconds = || std::time::UNIX_EPOCH.elapsed().unwrap().as_secs();
        let before = seconds();
        let told = stand.ask(way, &["own"], &Value::Null).await;

        let checked = told.facet["checked_at"].as_str().unwrap();
        let clock = |text: &str| -> u64 {
            let part = |at: std::ops::Range<usize>| text[at].parse::<u64>().unwrap();
            part(11..13) * 3600 + part(14..16) * 60 + part(17..19)
        };
        assert!(checked.ends_with('Z') && checked.len() == 27, "{checked}");
        let range = before..=seconds();
        assert!(range.map(|it| it % 86_400).any(|it| it == clock(checked)), "{checked}");
    }
}

#[tokio::test]
async fn what_cannot_be_read_is_no_verdict() {
    let stand = Stand::new().await;
    for broken in ["server", "connection", "approval", "denies", "scope"] {
        stand.world.edit().broken = Some(broken);
        for way in Way::ALL {
            if broken == "scope" && way == Way::Operator {
                continue;
            }
            let told = stand.ask(way, &["own", "gh:sync_issues"], &Value::Null).await;
            assert!(told.facet.is_null(), "{broken} by {way:?}: {}", told.body);
            match way.is_in_band() {
                true => assert_eq!(told.body["error"]["code"], -32603, "{broken} by {way:?}"),
                false => assert_eq!(told.answer.status, 503, "{broken} by {way:?}"),
            }
            assert!(!told.body.to_string().contains("SECRET"), "{}", told.body);
        }
    }
    assert_eq!(stand.records.count(), 0);
}
