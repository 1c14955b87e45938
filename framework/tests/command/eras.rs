//! How the command finds out what a server speaks, and keeps to it.

use serde_json::json;

use super::{
    house::Serving,
    kit::tollgate,
    stranger::{Reply, Stranger, script},
};

fn tools(request: &super::stranger::Request) -> Reply {
    Reply::result(request, json!({"tools": [{"name": "dance", "inputSchema": {"type": "object"}}]}))
}

#[test]
fn the_modern_era_is_asked_for_first_and_kept() {
    let serving = Serving::house();

    let run = tollgate(&["discover", "-o", "json", "-u", &serving.url]).ends_with(0);

    assert_eq!(run.json()["era"], "modern");
}

#[test]
fn an_older_server_is_met_with_a_handshake_and_its_session_is_ended() {
    let stranger = Stranger::legacy(tools);

    let run = tollgate(&["list", "-u", &stranger.url]).ends_with(0);

    assert!(run.out.contains("dance"), "{run:?}");
    let asked = ["server/discover", "initialize", "notifications/initialized", "tools/list", ""];
    assert_eq!(stranger.methods(), asked);
    let seen = stranger.seen();
    assert_eq!(seen[1].header("mcp-protocol-version"), None);
    assert_eq!(seen[3].header("mcp-protocol-version"), Some("2025-11-25"));
    assert_eq!(seen[3].header("mcp-session-id"), Some("session-7"));
    assert_eq!((seen[4].verb.as_str(), seen[4].header("mcp-session-id")), ("DELETE", Some("session-7")));
}

#[test]
fn a_modern_request_repeats_itself_in_headers_and_names_the_client() {
    let stranger = Stranger::modern(tools);

    tollgate(&["list", "-u", &stranger.url]).ends_with(0);

    let list = &stranger.seen()[1];
    assert_eq!(list.header("mcp-method"), Some("tools/list"));
    assert_eq!(list.header("mcp-protocol-version"), Some("2026-07-28"));
    assert_eq!(list.header("accept"), Some("application/json, text/event-stream"));
    let meta = &list.body["params"]["_meta"];
    assert_eq!(meta["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
    assert_eq!(meta["io.modelcontextprotocol/clientInfo"]["name"], "tollgate");
    assert!(meta["io.modelcontextprotocol/clientCapabilities"]["elicitation"]["form"].is_object());
}

#[test]
fn an_era_that_is_wanted_is_the_only_one_that_is_spoken() {
    let legacy = Stranger::legacy(tools);
    let modern = Stranger::modern(tools);

    tollgate(&["list", "--era", "modern", "-u", &legacy.url]).ends_with(1);
    tollgate(&["list", "--era", "legacy", "-u", &modern.url]).ends_with(1);

    assert_eq!(legacy.methods(), ["server/discover"]);
    assert_eq!(modern.methods(), ["initialize"]);
}

#[test]
fn an_error_of_the_modern_era_leads_to_no_handshake() {
    for code in [-32020, -32021, -32022] {
        let stranger = Stranger::start(move |it| Reply::error(it, 400, code, "no"));

        let run = tollgate(&["list", "-u", &stranger.url]).ends_with(1);

        assert_eq!(stranger.methods(), ["server/discover"], "{code}");
        assert!(run.err.contains(&format!("the server says {code}: no")), "{run:?}");
    }
}

#[test]
fn trouble_is_no_sign_of_an_older_server() {
    for status in [401, 403, 408, 429, 500, 503] {
        let stranger = Stranger::start(move |_| Reply::new(status, "text/plain", "later"));

        let run = tollgate(&["list", "-u", &stranger.url]).ends_with(1);

        assert_eq!(stranger.methods(), ["server/discover"], "{status}");
        assert!(run.err.contains(&format!("HTTP {status}: later")), "{run:?}");
    }
}

#[test]
fn a_revision_that_nobody_knows_is_refused() {
    let stranger = Stranger::start(|request| match request.method() {
        "initialize" => Reply::result(request, json!({"protocolVersion": "2001-01-01", "capabilities": {}})),
        _ => Reply::new(404, "text/plain", ""),
    });

    let run = tollgate(&["list", "-u", &stranger.url]).ends_with(1);

    assert!(run.err.contains("it wants revision `2001-01-01`"), "{run:?}");
}

#[test]
fn an_answer_may_come_as_a_stream_of_events() {
    let stranger = Stranger::legacy(|request| {
        let note = json!({"jsonrpc": "2.0", "method": "notifications/message",
            "params": {"level": "warning", "data": "slow"}});
        let result = json!({"tools": [{"name": "dance", "inputSchema": {"type": "object"}}],
            "content": [{"type": "text", "text": "danced"}]});
        Reply::events(&[note, json!({"jsonrpc": "2.0", "id": request.body["id"], "result": result})])
    });

    let run = tollgate(&["call", "dance", "-u", &stranger.url]).ends_with(0);

    assert_eq!(run.out, "danced\n");
    assert!(run.err.contains("[warning] slow"), "{run:?}");
}

#[test]
fn a_stream_that_ends_too_soon_is_come_back_to() {
    let stranger = Stranger::start(|request| match (request.verb.as_str(), request.method()) {
        ("GET", _) if request.header("last-event-id") == Some("e1") => Reply::new(
            200,
            "text/event-stream",
            "id: e2\ndata: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":[]}}\n\n",
        ),
        ("GET" | "DELETE", _) => Reply::new(405, "text/plain", ""),
        (_, "initialize") => {
            Reply::result(request, json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}}))
        }
        (_, "tools/list") => Reply::new(200, "text/event-stream", "id: e1\nretry: 1\ndata:\n\n"),
        _ => Reply::new(202, "text/plain", ""),
    });

    let run = tollgate(&["list", "--era", "legacy", "-u", &stranger.url]).ends_with(0);

    assert_eq!(run.out, "Nothing is offered.\n");
}

#[test]
fn a_child_that_ends_when_it_is_asked_for_the_modern_era_is_started_again() {
    let script = script(
        r#"read -r line
        case "$line" in *server/discover*) exit 3;; esac
        echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}}}}'
        read -r line; read -r line
        echo '{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"dance","inputSchema":{"type":"object"}}]}}'
        read -r line"#,
    );

    let run = tollgate(&[&["list", "--"][..], &script].concat()).ends_with(0);

    assert!(run.out.contains("dance"), "{run:?}");
}
