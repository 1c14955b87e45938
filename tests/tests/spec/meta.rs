//! What travels beside a message: `_meta` and the capabilities in it (basic/index#_meta).

use serde_json::{Map, Value, json};
use tollgate::{Cx, Server, Tool};
use tollgate_tests::{Call, Connection, raw::meta, start};

use super::{
    house::{every_answer, every_legacy_request, server, session},
    lines::{Lines, request},
};

// --- the keys of a server's own metadata ---

/// What the server says at start about a tool whose definition has that key in its `_meta`.
fn faults(key: &str) -> String {
    let tool =
        Tool::new("tool", "Does nothing.", json!({"type": "object"}), async |_cx: Cx, _: Map<_, _>| Ok(()));
    let server = Server::new("meta", "1").tools(vec![tool.meta(key, json!(1))]).without_auth();
    server.check().run().map_or_else(|error| error.to_string(), |_| String::new())
}

// S-036, S-037.
#[test]
fn a_key_is_a_prefix_of_labels_and_a_name() {
    for good in ["name", "n", "a-b_c.d9", "com.example/name", "x/", "a1.b-2/", "com.example.mcp/name"] {
        assert_eq!(faults(good), "", "{good}");
    }
}

// S-036.
#[test]
fn a_prefix_that_is_none_is_refused() {
    for bad in
        ["/name", "1com/name", "com-/name", ".com/name", "com./name", "com..x/name", "c_m/name", "a/b/c"]
    {
        assert!(faults(bad).contains(&format!("`{bad}`")), "{bad}");
    }
}

// S-037.
#[test]
fn a_name_that_is_none_is_refused() {
    for bad in ["-name", "name-", "_name", "com.example/.name", "com.example/na me", "n\u{e9}"] {
        assert!(faults(bad).contains(&format!("`{bad}`")), "{bad}");
    }
}

// S-039.
#[test]
fn a_prefix_of_the_protocol_is_refused() {
    for bad in ["io.modelcontextprotocol/x", "dev.mcp/x", "org.modelcontextprotocol.api/x", "com.mcp.tools/x"]
    {
        assert!(faults(bad).contains("reserved"), "{bad}");
    }
}

// --- the metadata of requests ---

/// The same metadata with another member.
fn with(key: &str, value: Value) -> Value {
    let mut meta = meta();
    meta[key] = value;
    meta
}

fn without(key: &str) -> Value {
    let mut meta = meta();
    meta.as_object_mut().unwrap().remove(&format!("io.modelcontextprotocol/{key}"));
    meta
}

// S-040.
#[tokio::test]
async fn reserved_keys_that_nobody_has_defined_mean_nothing() {
    let running = start(server()).await;

    for value in [json!(null), json!(7), json!({"a": []}), json!("2199-01-01")] {
        let params = json!({"_meta": with("io.modelcontextprotocol/whatever", value)});
        let answer = Call::modern("tools/list", params).send(running.address).await;
        assert!(answer.result()["tools"].is_array());
    }
}

// S-041.
#[tokio::test]
async fn a_request_without_its_version_is_refused() {
    let running = start(server()).await;
    let mut lines = Lines::open(server());
    let params = json!({"_meta": without("protocolVersion")});

    let http = Call::modern("tools/list", params.clone()).send(running.address).await;
    let stdio = lines.ask(&request(1, "tools/list", params)).await;

    assert_eq!(http.verdict(), (400, -32602));
    assert_eq!(stdio["error"]["code"], -32602);
}

// S-041.
#[tokio::test]
async fn a_request_without_its_capabilities_is_refused() {
    let running = start(server()).await;
    let mut lines = Lines::open(server());
    let params = json!({"_meta": without("clientCapabilities")});

    let http = Call::modern("tools/list", params.clone()).send(running.address).await;
    let stdio = lines.ask(&request(1, "tools/list", params)).await;

    assert_eq!(http.verdict(), (400, -32602));
    assert_eq!(stdio["error"]["code"], -32602);
}

// S-041.
#[tokio::test]
async fn every_method_wants_its_metadata() {
    let running = start(server()).await;

    for call in super::house::every_request() {
        let call = call.edit(|it| it["params"]["_meta"] = json!({}));
        assert_eq!(call.send(running.address).await.verdict(), (400, -32602));
    }
}

// S-041.
#[tokio::test]
async fn a_client_may_keep_to_itself_who_it_is() {
    let running = start(server()).await;

    let params = json!({"_meta": without("clientInfo")});
    let answer = Call::modern("tools/list", params).send(running.address).await;

    assert_eq!(answer.status, 200);
}

// --- capabilities ---

/// A call of `ask` by a client with these capabilities.
fn ask(capabilities: &Value) -> Call {
    let meta = with("io.modelcontextprotocol/clientCapabilities", capabilities.clone());
    Call::modern("tools/call", json!({"name": "ask", "arguments": {"host": "Ann"}, "_meta": meta}))
}

// S-042, S-043.
#[tokio::test]
async fn what_a_client_has_not_declared_is_named_and_not_used() {
    let running = start(server()).await;
    let incapable = [
        json!({}),
        json!({"sampling": {}, "roots": {}}),
        json!({"elicitation": {"url": {}}}),
        json!({"elicitation": true}),
        json!({"experimental": {"elicitation": {}}}),
    ];

    for capabilities in incapable {
        let refused = ask(&capabilities).send(running.address).await;
        assert_eq!(refused.verdict(), (400, -32021), "{capabilities}");
        let needed = &refused.json()["error"]["data"]["requiredCapabilities"];
        assert_eq!(*needed, json!({"elicitation": {"form": {}}}));
    }
}

// S-043.
#[tokio::test]
async fn what_is_named_as_missing_is_enough_once_it_is_declared() {
    let running = start(server()).await;

    let refused = ask(&json!({})).send(running.address).await.json();
    let asked = ask(&refused["error"]["data"]["requiredCapabilities"]).send(running.address).await;

    assert_eq!(asked.result()["resultType"], "input_required");
}

// S-043.
#[tokio::test]
async fn an_empty_elicitation_capability_means_forms() {
    let running = start(server()).await;

    let asked = ask(&json!({"elicitation": {}})).send(running.address).await;

    assert_eq!(asked.result()["resultType"], "input_required");
}

// S-042.
#[tokio::test]
async fn a_legacy_client_is_not_asked_what_it_did_not_declare() {
    let running = start(server()).await;
    let session = session(running.address, &json!({"roots": {}})).await;

    let params = json!({"name": "ask", "arguments": {"host": "Ann"}});
    let answer = super::house::legacy(&session, "tools/call", &params).send(running.address).await;

    assert_eq!(answer.result()["isError"], true);
    assert!(answer.result()["content"][0]["text"].as_str().unwrap().contains("elicitation"));
}

// S-042.
#[tokio::test]
async fn a_legacy_client_that_opened_no_session_has_declared_nothing() {
    let running = start(server()).await;
    let params = json!({"name": "ask", "arguments": {"host": "Ann"}});

    let call = super::house::legacy("none", "tools/call", &params).without("Mcp-Session-Id");
    let answer = call.send(running.address).await;

    assert_eq!(answer.result()["isError"], true);
}

// --- who is who ---

// S-044.
#[tokio::test]
async fn every_result_says_who_answered() {
    let running = start(server()).await;

    let mut results: Vec<_> = every_answer(running.address).await.iter().map(|it| it.result()).collect();
    results.push(ask(&json!({"elicitation": {}})).send(running.address).await.result());

    for result in results {
        let server = &result["_meta"]["io.modelcontextprotocol/serverInfo"];
        assert_eq!(*server, json!({"name": "house", "version": "1"}), "{result}");
    }
}

// S-044, S-055.
#[tokio::test]
async fn results_for_legacy_clients_have_no_such_metadata() {
    let running = start(server()).await;
    let session = session(running.address, &json!({})).await;

    for call in every_legacy_request(&session) {
        let result = call.send(running.address).await.result();
        assert!(result.is_object() && result.get("_meta").is_none(), "{result}");
    }
}

// S-045.
#[tokio::test]
async fn who_a_client_says_it_is_changes_nothing() {
    let running = start(server()).await;
    let of = |info: Value| json!({"_meta": with("io.modelcontextprotocol/clientInfo", info)});

    let mut bodies = Vec::new();
    for info in [json!({"name": "a", "version": "1"}), json!({"name": "root", "admin": true}), json!({})] {
        bodies.push(Call::modern("tools/list", of(info)).send(running.address).await.body);
    }
    bodies.push(
        Call::modern("tools/list", json!({"_meta": without("clientInfo")})).send(running.address).await.body,
    );

    assert!(bodies.windows(2).all(|it| it[0] == it[1] && !it[0].is_empty()));
}

// --- subscriptions ---

// S-046.
#[tokio::test]
async fn everything_on_a_listen_stream_names_its_subscription() {
    let server = server();
    let catalog = server.catalog();
    let mut running = start(server).await;
    let mut listener = Connection::open(running.address).await;
    let filter = json!({
        "toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true,
        "resourceSubscriptions": ["test://note"],
    });
    let listen = Call::modern("subscriptions/listen", json!({"notifications": filter}));
    listener.send(&listen.edit(|it| it["id"] = "mine".into()).bytes()).await;
    listener.head().await;

    let mut messages = vec![listener.event().await.unwrap()];
    catalog.remove_tool("echo");
    messages.push(listener.event().await.unwrap());
    catalog.remove_prompt("broken");
    messages.push(listener.event().await.unwrap());
    catalog.remove_resource("test://notes/{number}");
    messages.push(listener.event().await.unwrap());
    catalog.resource_updated("test://note");
    messages.push(listener.event().await.unwrap());
    running.signal();
    let result = listener.event().await.unwrap();

    let id = |meta: &Value| meta["io.modelcontextprotocol/subscriptionId"].clone();
    assert!(messages.iter().all(|it| id(&it["params"]["_meta"]) == "mine"), "{messages:?}");
    assert_eq!(id(&result["result"]["_meta"]), "mine");
}

// S-046.
#[tokio::test]
async fn on_stdio_two_listeners_are_told_apart_by_their_subscriptions() {
    let server = server();
    let catalog = server.catalog();
    let mut lines = Lines::open(server);
    let listen =
        |id: u8, filter: Value| request(id, "subscriptions/listen", json!({"notifications": filter}));

    let first = lines.ask(&listen(1, json!({"toolsListChanged": true}))).await;
    let second = lines.ask(&listen(2, json!({"promptsListChanged": true}))).await;
    catalog.remove_tool("echo");
    let tools = lines.next().await;
    catalog.remove_prompt("broken");
    let prompts = lines.next().await;
    let rest = lines.end().await;

    let id = |it: &Value| it["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"].clone();
    assert_eq!([&first, &second, &tools, &prompts].map(id), [1, 2, 1, 2]);
    let notifications: Vec<_> = rest.iter().filter(|it| it.get("method").is_some()).collect();
    assert!(notifications.iter().all(|it| id(it) == it["params"]["requestId"]), "{rest:?}");
}
