//! Which revisions are spoken, and how both sides learn it (basic/versioning, server/discover).

use serde_json::{Value, json};
use tollgate_tests::{Call, raw::meta, start};

use super::{
    house::{initialize, legacy, server, session},
    lines::{Lines, request},
};

/// All revisions of a server that speaks both eras, newest first.
const ALL: [&str; 4] = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"];

fn of_version(version: &str) -> Value {
    let mut meta = meta();
    meta["io.modelcontextprotocol/protocolVersion"] = version.into();
    json!({"_meta": meta})
}

/// A request that names its version in both places.
fn dated(version: &str, method: &str) -> Call {
    Call::modern(method, of_version(version)).replace("MCP-Protocol-Version", version)
}

// --- versions that are not spoken ---

// S-049.
#[tokio::test]
async fn an_unknown_version_is_answered_with_those_that_are_spoken() {
    let running = start(server()).await;

    for version in ["2199-01-01", "1900-01-01", "latest", ""] {
        let answer = dated(version, "tools/list").send(running.address).await;

        assert_eq!(answer.verdict(), (400, -32022), "{version}");
        assert_eq!(answer.json()["error"]["data"], json!({"supported": ALL, "requested": version}));
    }
}

// S-049, S-050.
#[tokio::test]
async fn discovery_in_an_unknown_version_is_answered_the_same() {
    let running = start(server()).await;
    let mut lines = Lines::open(server());

    let http = dated("2199-01-01", "server/discover").send(running.address).await;
    let stdio = lines.ask(&request(1, "server/discover", of_version("2199-01-01"))).await;

    assert_eq!(http.verdict(), (400, -32022));
    assert_eq!(stdio["error"], http.json()["error"]);
}

// S-049.
#[tokio::test]
async fn a_version_that_is_turned_off_is_answered_as_an_unknown_one() {
    let running = start(server().modern_only()).await;
    let bare = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).to_string();

    let with_metadata = dated("2025-11-25", "tools/list").send(running.address).await;
    let with_a_header_alone =
        Call::post(&bare).header("MCP-Protocol-Version: 2025-11-25").send(running.address).await;

    for answer in [with_metadata, with_a_header_alone] {
        assert_eq!(answer.verdict(), (400, -32022));
        let data = json!({"supported": ["2026-07-28"], "requested": "2025-11-25"});
        assert_eq!(answer.json()["error"]["data"], data);
    }
}

// S-049.
#[tokio::test]
async fn a_client_that_takes_a_version_from_the_answer_is_served() {
    let running = start(server()).await;

    let refused = dated("2199-01-01", "tools/list").send(running.address).await.json();
    let version = refused["error"]["data"]["supported"][0].as_str().unwrap();
    let served = dated(version, "tools/list").send(running.address).await;

    assert!(served.result()["tools"].is_array());
}

// --- discovery ---

// S-050.
#[tokio::test]
async fn discovery_tells_the_versions_and_what_is_offered() {
    let running = start(server()).await;
    let mut lines = Lines::open(server());

    let http = Call::modern("server/discover", json!({})).send(running.address).await.result();
    let stdio = lines.ask(&request(1, "server/discover", json!({}))).await;

    assert_eq!(http["supportedVersions"], json!(ALL));
    let offered: Vec<_> = http["capabilities"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(offered, ["logging", "completions", "prompts", "resources", "tools", "extensions"]);
    assert_eq!(http["instructions"], "Everything once.");
    assert_eq!(stdio["result"], http);
}

// S-050.
#[tokio::test]
async fn a_server_of_one_era_discovers_one_version() {
    let running = start(server().modern_only()).await;

    let result = Call::modern("server/discover", json!({})).send(running.address).await.result();

    assert_eq!(result["supportedVersions"], json!(["2026-07-28"]));
}

// S-050.
#[tokio::test]
async fn every_version_that_discovery_names_is_spoken() {
    let running = start(server()).await;
    let versions = Call::modern("server/discover", json!({})).send(running.address).await.result();

    for version in versions["supportedVersions"].as_array().unwrap() {
        let mut opening = initialize(&json!({}));
        opening["params"]["protocolVersion"] = version.clone();
        let opened = Call::post(&opening.to_string()).send(running.address).await.result();
        // The newest has no `initialize`: a client that asks for it there gets the newest that has.
        let expected = if version == "2026-07-28" { json!("2025-11-25") } else { version.clone() };
        assert_eq!(opened["protocolVersion"], expected);
    }
    assert_eq!(versions["supportedVersions"], json!(ALL));
}

// --- extensions ---

// S-008, S-051, S-052.
#[tokio::test]
async fn a_client_with_extensions_is_served_by_the_core_alone() {
    let running = start(server()).await;
    let mut meta = meta();
    meta["io.modelcontextprotocol/clientCapabilities"] = json!({
        "extensions": {"io.modelcontextprotocol/tasks": {}, "com.example/any": {"deep": [1]}},
    });

    let discovered =
        Call::modern("server/discover", json!({"_meta": meta})).send(running.address).await.result();
    let params = json!({"name": "echo", "arguments": {"text": "hi"}, "_meta": meta});
    let called = Call::modern("tools/call", params).send(running.address).await.result();

    let offered: Vec<_> = discovered["capabilities"]["extensions"].as_object().unwrap().keys().collect();
    assert_eq!(offered, ["app.mcpproxy/required-tools"]);
    assert_eq!(called["resultType"], "complete");
    assert_eq!(called["content"][0]["text"], "hi");
}

// S-052.
#[tokio::test]
async fn a_method_of_an_extension_that_is_not_there_is_unknown() {
    let running = start(server()).await;

    let answer = Call::modern("tasks/get", json!({"taskId": "1"})).send(running.address).await;

    assert_eq!(answer.verdict(), (404, -32601));
}

// --- two eras ---

// S-054.
#[tokio::test]
async fn a_modern_only_server_tells_a_legacy_client_what_it_speaks() {
    let running = start(server().modern_only()).await;
    let mut lines = Lines::open(server().modern_only());
    let opening = initialize(&json!({}));

    let http = Call::post(&opening.to_string()).send(running.address).await;
    let dated = Call::post(&opening.to_string()).header("MCP-Protocol-Version: 2025-11-25");
    let dated = dated.send(running.address).await;
    let stdio = lines.ask(&opening).await;

    assert_eq!([http.status, dated.status], [400, 400]);
    for error in [&http.json()["error"], &dated.json()["error"], &stdio["error"]] {
        assert_eq!(error["data"]["supported"], json!(["2026-07-28"]));
        assert!(error["message"].as_str().unwrap().contains("2026-07-28"), "{error}");
    }
}

// S-055.
#[tokio::test]
async fn both_eras_are_served_at_one_endpoint() {
    let running = start(server()).await;
    let session = session(running.address, &json!({})).await;

    let modern = Call::modern("tools/list", json!({})).send(running.address).await.result();
    let legacy = legacy(&session, "tools/list", &json!({})).send(running.address).await.result();

    assert_eq!(modern["tools"].as_array().unwrap().len(), legacy["tools"].as_array().unwrap().len());
    assert_eq!((modern.get("ttlMs").is_some(), legacy.get("ttlMs").is_some()), (true, false));
}

// S-055.
#[tokio::test]
async fn both_eras_are_served_in_one_process() {
    let mut lines = Lines::open(server());

    let opened = lines.ask(&initialize(&json!({}))).await;
    let legacy = lines.ask(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})).await;
    let modern = lines.ask(&request(2, "tools/list", json!({}))).await;

    assert_eq!(opened["result"]["protocolVersion"], "2025-11-25");
    assert!(legacy["result"].get("resultType").is_none());
    assert_eq!(modern["result"]["resultType"], "complete");
}

// S-055.
#[tokio::test]
async fn what_only_one_era_has_is_unknown_in_the_other() {
    let running = start(server()).await;
    let session = session(running.address, &json!({})).await;

    let modern = Call::modern("ping", json!({})).send(running.address).await;
    let legacy = legacy(&session, "server/discover", &json!({})).send(running.address).await;

    assert_eq!((modern.code(), legacy.code()), (-32601, -32601));
}
