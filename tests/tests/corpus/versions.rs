//! C21: requests of other revisions, of none, and of revisions that will never be.

use serde_json::{Value, json};
use tollgate_tests::Call;

use super::{
    bench::{Bench, Expect},
    fixture::{good, server},
};

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const MODERN: &str = "2026-07-28";
const LEGACY: [&str; 3] = ["2025-11-25", "2025-06-18", "2025-03-26"];

fn legacy(method: &str, params: &Value) -> Call {
    Call::post(&json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string())
}

fn hello(version: &Value) -> Call {
    legacy(
        "initialize",
        &json!({
            "protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"},
        }),
    )
}

/// A modern call whose header and body name these versions.
fn claiming(header: impl AsRef<[u8]>, body: &Value) -> Call {
    good("tools/call").replace("MCP-Protocol-Version", header).edit(|it| {
        it["params"]["_meta"][VERSION] = body.clone();
    })
}

// S-021, S-022.
#[tokio::test]
async fn a_version_that_is_not_spoken_is_refused_with_those_that_are() {
    let mut bench = Bench::new().await;
    let unknown = [
        "2026-07-27",
        "2026-07-29",
        "2027-01-01",
        "9999-12-31",
        "2024-11-05",
        "2025-11-25",
        "2025-06-18",
        "2025-03-26",
        "DRAFT-2026-v1",
        "1.0",
        "v1",
        "latest",
        "2026-7-28",
        "2026/07/28",
        "20260728",
        "2026-07-28x",
        "x2026-07-28",
        "2026-07-28, 2025-11-25",
        "2026-07-28;q=1",
        "null",
        "*",
        "../2026-07-28",
        &"9".repeat(500),
    ];

    for version in unknown {
        let answer =
            bench.call(version, &claiming(version, &json!(version)), Expect::refused(400, -32022)).await;
        let data = answer.json()["error"]["data"].clone();
        let supported = data["supported"].as_array().cloned().unwrap_or_default();
        bench.hold(version, supported.contains(&json!(MODERN)), "those that are spoken are not told");
        let requested = data["requested"].as_str().unwrap_or_default();
        bench.hold(version, !requested.is_empty() && version.starts_with(requested), "it is not said which");
    }

    bench.finish(23);
}

// S-022, S-052.
#[tokio::test]
async fn header_and_body_name_one_version() {
    let mut bench = Bench::new().await;
    let pairs = [
        ("2025-11-25", MODERN),
        (MODERN, "2025-11-25"),
        ("2027-01-01", MODERN),
        (MODERN, "2027-01-01"),
        ("2026-07-28", "2026-07-28 "),
        ("2026-07-28", ""),
        ("", "2026-07-28"),
        ("2025-06-18", "2025-11-25"),
        ("=?base64?MjAyNi0wNy0yOA==?=", MODERN),
        ("\"2026-07-28\"", MODERN),
        ("2026-07-28\u{301}", "2026-07-28\u{301}"),
    ];

    for (header, body) in pairs {
        let name = format!("{header:?} and {body:?}");
        bench.call(&name, &claiming(header, &json!(body)), Expect::refused(400, -32020)).await;
    }
    let missing = good("tools/call").without("MCP-Protocol-Version");
    bench.call("the header is missing", &missing, Expect::refused(400, -32020)).await;
    for wrong in [json!(null), json!(20_260_728), json!(true), json!([MODERN]), json!({"version": MODERN})] {
        bench.call(&wrong.to_string(), &claiming(MODERN, &wrong), Expect::refused(400, -32602)).await;
    }

    bench.finish(17);
}

// S-024, S-025.
#[tokio::test]
async fn initialize_settles_on_a_version_that_both_speak() {
    let mut bench = Bench::new().await;
    let asked = [
        ("2025-11-25", "2025-11-25"),
        ("2025-06-18", "2025-06-18"),
        ("2025-03-26", "2025-03-26"),
        ("2024-11-05", "2025-11-25"),
        (MODERN, "2025-11-25"),
        ("2099-01-01", "2025-11-25"),
        ("", "2025-11-25"),
        ("x", "2025-11-25"),
    ];

    for (version, settled) in asked {
        let answer = bench.call(version, &hello(&json!(version)), Expect::good(0)).await;
        bench.hold(version, answer.result()["protocolVersion"] == settled, "it settled on another");
        bench.hold(version, answer.header("mcp-session-id").is_some(), "there is no session");
    }
    for wrong in [json!(null), json!(1), json!(["2025-11-25"]), json!({})] {
        let answer = bench.call(&wrong.to_string(), &hello(&wrong), Expect::refused(200, -32602)).await;
        bench.hold(&wrong.to_string(), answer.header("mcp-session-id").is_none(), "a session came of it");
    }
    let edited = |edit: fn(&mut Value)| hello(&json!("2025-11-25")).edit(edit);
    let refused = Expect::refused(200, -32602);
    bench
        .call(
            "no capabilities",
            &edited(|it| drop(it["params"].as_object_mut().unwrap().remove("capabilities"))),
            refused,
        )
        .await;
    bench.call("capabilities a list", &edited(|it| it["params"]["capabilities"] = json!([])), refused).await;
    bench.call("no params", &edited(|it| drop(it.as_object_mut().unwrap().remove("params"))), refused).await;
    bench
        .call("a modern initialize", &Call::modern("initialize", json!({})), Expect::refused(404, -32601))
        .await;

    bench.finish(16);
}

// S-026.
#[tokio::test]
async fn a_legacy_request_is_answered_as_its_revision_says() {
    let mut bench = Bench::new().await;
    let take = json!({"name": "take", "arguments": {"v": 1}});
    let dated = |call: Call, version: &str| call.header(format!("MCP-Protocol-Version: {version}"));
    let note = |method: &str| Call::post(&json!({"jsonrpc": "2.0", "method": method}).to_string());

    for version in LEGACY {
        let at = |call: Call| dated(call, version);
        bench.call("ping", &at(legacy("ping", &json!({}))), Expect::good(0)).await;
        bench.call("a list", &at(legacy("tools/list", &json!({}))), Expect::good(0)).await;
        bench.call("a call", &at(legacy("tools/call", &take)), Expect::good(1)).await;
        bench
            .call(
                "no params",
                &at(legacy("tools/list", &json!({}))
                    .edit(|it| drop(it.as_object_mut().unwrap().remove("params")))),
                Expect::good(0),
            )
            .await;
        bench.call("a note", &at(note("notifications/initialized")), Expect::refused(202, 0)).await;
        bench.call("an unknown note", &at(note("notifications/x")), Expect::refused(202, 0)).await;
        bench
            .call(
                "an answer",
                &at(Call::post(r#"{"jsonrpc":"2.0","id":"x","result":{}}"#)),
                Expect::refused(202, 0),
            )
            .await;
        bench
            .call("a modern method", &at(legacy("server/discover", &json!({}))), Expect::refused(200, -32601))
            .await;
        bench.call("an unknown method", &at(legacy("x/y", &json!({}))), Expect::refused(200, -32601)).await;
        bench
            .call(
                "an unknown tool",
                &at(legacy("tools/call", &json!({"name": "x"}))),
                Expect::refused(200, -32602),
            )
            .await;
        bench
            .call(
                "an unknown resource",
                &at(legacy("resources/read", &json!({"uri": "test://x"}))),
                Expect::refused(200, -32002),
            )
            .await;
        bench
            .call(
                "a batch",
                &at(Call::post(r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#)),
                Expect::refused(400, -32600),
            )
            .await;
        bench.call("a broken one", &at(Call::post("{")), Expect::refused(400, -32700)).await;
        bench
            .call(
                "a session of nobody",
                &at(legacy("ping", &json!({}))).header("Mcp-Session-Id: x"),
                Expect::refused(404, -32600),
            )
            .await;
        bench
            .call(
                "another method in the header",
                &at(legacy("tools/call", &take)).header("Mcp-Method: ping"),
                Expect::refused(400, -32020),
            )
            .await;
        bench
            .call(
                "another name in the header",
                &at(legacy("tools/call", &take)).header("Mcp-Name: hold"),
                Expect::refused(400, -32020),
            )
            .await;
        bench.call("two versions", &at(at(legacy("ping", &json!({})))), Expect::refused(400, -32020)).await;
    }
    bench.call("no header at all", &legacy("tools/call", &take), Expect::good(1)).await;
    for version in ["2024-11-05", "2026-07-29", "x", ""] {
        let call = dated(legacy("tools/call", &take), version);
        bench.call(&format!("the header {version:?}"), &call, Expect::refused(400, -32020)).await;
    }

    bench.finish(56);
}

// S-023.
#[tokio::test]
async fn a_modern_server_names_what_it_speaks() {
    let (server, runs) = server();
    let mut bench = Bench::of((server.modern_only(), runs)).await;

    for version in LEGACY {
        let answer = bench.call(version, &hello(&json!(version)), Expect::refused(400, -32022)).await;
        let supported = answer.json()["error"]["data"]["supported"].clone();
        bench.hold(version, supported == json!([MODERN]), "it names others");
        let list = legacy("tools/list", &json!({})).header(format!("MCP-Protocol-Version: {version}"));
        bench.call(version, &list, Expect::refused(400, -32022)).await;
        let note = Call::post(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        bench.call(version, &note, Expect::refused(400, -32020)).await;
    }
    bench.call("ping", &legacy("ping", &json!({})), Expect::refused(400, -32020)).await;
    bench.call("a good one", &good("tools/call"), Expect::good(1)).await;

    bench.finish(11);
}
