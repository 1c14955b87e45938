//! Every way in which a server says no that one request alone can provoke.

use serde_json::{Value, json};
use tollgate::{Limits, Server};
use tollgate_tests::{Call, raw::meta};

use super::house::{House, ask_call, legacy, server};

/// A request, and what it has to be answered with.
pub(crate) struct Case {
    pub(crate) what: &'static str,
    pub(crate) call: Call,
    /// HTTP status and JSON-RPC code.
    pub(crate) verdict: (u16, i64),
    /// The id that the answer has to repeat; null where the request has none that can be read.
    pub(crate) id: Value,
}

/// A server whose limits can be reached.
pub(crate) fn strict_server() -> Server<House> {
    let mut limits = Limits::default();
    limits.body_bytes = 64 * 1024;
    limits.meta_bytes = 1024;
    limits.name_header_bytes = 256;
    limits.param_header_bytes = 256;
    limits.param_headers = 4;
    limits.listen_uris = 2;
    limits.body_gap = std::time::Duration::from_millis(300);
    server().limits(limits)
}

/// All of them, for a server that speaks both eras. `session` is a legacy session of it.
pub(crate) fn all(session: &str) -> Vec<Case> {
    [door(), message(), agreement(), metadata(), calls(), params(), rounds(), beyond(), legacy_ones(session)]
        .into_iter()
        .flatten()
        .collect()
}

fn echo() -> Call {
    Call::tool("echo", &json!({"text": "hi"}))
}

/// The id cannot be read, or nobody has looked for it yet.
fn blind(what: &'static str, verdict: (u16, i64), call: Call) -> Case {
    Case { what, call, verdict, id: Value::Null }
}

/// The id of the request is 1.
fn seen(what: &'static str, verdict: (u16, i64), call: Call) -> Case {
    Case { what, call, verdict, id: json!(1) }
}

fn door() -> Vec<Case> {
    let mut put = echo();
    put.line = "PUT /mcp HTTP/1.1".into();
    let mut elsewhere = echo();
    elsewhere.line = "POST /elsewhere HTTP/1.1".into();
    let mut absolute = echo();
    absolute.line = "POST http://127.0.0.1/mcp HTTP/1.1".into();
    vec![
        blind("no Host", (400, -32600), echo().without("Host")),
        blind("a strange Host", (403, -32600), echo().replace("Host", "evil.example")),
        blind("another Host than the target", (400, -32600), absolute),
        blind("a strange Origin", (403, -32600), echo().header("Origin: https://evil.example")),
        blind("a header that may be folded into ours", (400, -32600), echo().header("mcp_method: x")),
        blind("another path", (404, -32600), elsewhere),
        blind("another verb", (405, -32600), put),
        blind("another media type", (415, -32600), echo().replace("Content-Type", "text/plain")),
        blind(
            "another charset",
            (415, -32600),
            echo().replace("Content-Type", "application/json; charset=latin1"),
        ),
        blind("a compressed body", (415, -32600), echo().header("Content-Encoding: gzip")),
        blind("a client that reads no JSON", (406, -32600), echo().replace("Accept", "text/event-stream")),
    ]
}

fn message() -> Vec<Case> {
    let raw = |body: &str| echo().body(body);
    let mut late = echo().header("Content-Length: 5000");
    late.with_length = false;
    let mut unchunked = echo().header("Transfer-Encoding: chunked");
    unchunked.with_length = false;
    let deep = format!("{}{}", "[".repeat(70), "]".repeat(70));
    vec![
        blind("a body over the limit", (413, -32600), raw(&"x".repeat(70_000))),
        blind("a body that does not come", (408, -32600), late),
        blind("a body whose chunks are none", (400, -32700), unchunked),
        blind("no JSON", (400, -32700), raw("{")),
        blind("an empty body", (400, -32700), raw("")),
        blind("bytes that are no UTF-8", (400, -32700), echo().body(b"{\"id\":\"\xff\"}")),
        blind("a key twice", (400, -32700), raw(r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#)),
        blind(
            "too deep",
            (400, -32700),
            echo()
                .edit(|it| it["params"]["arguments"] = json!({"deep": 0}))
                .edit(|it| it["x"] = serde_json::from_str(&deep).expect("it is JSON")),
        ),
        blind("a batch", (400, -32600), raw("[]")),
        blind("a null id", (400, -32600), echo().edit(|it| it["id"] = Value::Null)),
        blind("a fraction as id", (400, -32600), echo().edit(|it| it["id"] = json!(1.5))),
        seen("another JSON-RPC", (400, -32600), echo().edit(|it| it["jsonrpc"] = json!("1.0"))),
        seen("a method that is no text", (400, -32600), echo().edit(|it| it["method"] = json!(7))),
        seen("a method and a result", (400, -32600), echo().edit(|it| it["result"] = json!({}))),
        seen("params that are no object", (400, -32600), echo().edit(|it| it["params"] = json!([]))),
        seen(
            "a response",
            (400, -32600),
            echo().without("Mcp-Method").without("Mcp-Name").body(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#),
        ),
    ]
}

fn agreement() -> Vec<Case> {
    let read = || Call::modern("resources/read", json!({"uri": "test://note"}));
    let get = || Call::modern("prompts/get", json!({"name": "greeting", "arguments": {"name": "Ann"}}));
    let mismatch = |what, call| seen(what, (400, -32020), call);
    vec![
        mismatch("no version header beside metadata", echo().without("MCP-Protocol-Version")),
        mismatch("another version in the header", echo().replace("MCP-Protocol-Version", "2025-11-25")),
        mismatch("the version header twice", echo().header("MCP-Protocol-Version: 2026-07-28")),
        mismatch("no method header", echo().without("Mcp-Method")),
        mismatch("another method in the header", echo().replace("Mcp-Method", "tools/list")),
        mismatch("the method in capitals", echo().replace("Mcp-Method", "TOOLS/CALL")),
        mismatch("no name header for a tool", echo().without("Mcp-Name")),
        mismatch("no name header for a resource", read().without("Mcp-Name")),
        mismatch("no name header for a prompt", get().without("Mcp-Name")),
        mismatch("another tool in the header", echo().replace("Mcp-Name", "weather")),
        mismatch("another resource in the header", read().replace("Mcp-Name", "test://other")),
        mismatch("another prompt in the header", get().replace("Mcp-Name", "broken")),
        mismatch("a name that cannot be decoded", echo().replace("Mcp-Name", "=?base64?!?=")),
        mismatch("a name that holds what no header may", echo().replace("Mcp-Name", b"caf\xe9")),
        mismatch("a name header over the limit", echo().replace("Mcp-Name", "x".repeat(300))),
    ]
}

fn metadata() -> Vec<Case> {
    let with = |key: &str, value: Value| {
        let key = format!("io.modelcontextprotocol/{key}");
        echo().edit(|it| it["params"]["_meta"][key] = value)
    };
    let without = |key: &str| {
        let key = format!("io.modelcontextprotocol/{key}");
        echo().edit(|it| drop(it["params"]["_meta"].as_object_mut().expect("there is one").remove(&key)))
    };
    let malformed = |what, call| seen(what, (400, -32602), call);
    let mut unknown = with("protocolVersion", json!("2199-01-01"));
    unknown = unknown.replace("MCP-Protocol-Version", "2199-01-01");
    vec![
        malformed(
            "no metadata",
            echo().edit(|it| drop(it["params"].as_object_mut().map(|it| it.remove("_meta")))),
        ),
        malformed("metadata that is no object", echo().edit(|it| it["params"]["_meta"] = json!(1))),
        malformed("metadata over the limit", with("other", json!("x".repeat(2000)))),
        malformed("no version", without("protocolVersion")),
        malformed("a version that is no text", with("protocolVersion", json!(1))),
        malformed("no capabilities", without("clientCapabilities")),
        malformed("capabilities that are no object", with("clientCapabilities", json!(true))),
        malformed("a client that is no object", with("clientInfo", json!("raw"))),
        malformed("an unknown log level", with("logLevel", json!("loud"))),
        malformed(
            "a progress token that is a list",
            echo().edit(|it| it["params"]["_meta"]["progressToken"] = json!([])),
        ),
        seen("an unknown version", (400, -32022), unknown),
    ]
}

fn calls() -> Vec<Case> {
    let wrong = |what, call| seen(what, (200, -32602), call);
    let modern = Call::modern;
    let listen = |filter: Value| modern("subscriptions/listen", json!({"notifications": filter}));
    let complete = |reference: Value| {
        let argument = json!({"name": "name", "value": ""});
        modern("completion/complete", json!({"ref": reference, "argument": argument}))
    };
    vec![
        seen("an unknown method", (404, -32601), modern("tools/destroy", json!({}))),
        wrong(
            "a tool without a name",
            echo().edit(|it| drop(it["params"].as_object_mut().map(|it| it.remove("name")))),
        ),
        wrong("arguments that are no object", echo().edit(|it| it["params"]["arguments"] = json!([]))),
        wrong("an unknown tool", Call::tool("nothing", &json!({}))),
        wrong("an unknown prompt", modern("prompts/get", json!({"name": "nothing"}))),
        wrong("a prompt without its argument", modern("prompts/get", json!({"name": "greeting"}))),
        wrong(
            "a prompt with a number",
            modern("prompts/get", json!({"name": "greeting", "arguments": {"name": 1}})),
        ),
        wrong("an unknown resource", modern("resources/read", json!({"uri": "test://nothing"}))),
        wrong("an unknown cursor", modern("tools/list", json!({"cursor": "made-up"}))),
        wrong("a cursor that is no text", modern("tools/list", json!({"cursor": 7}))),
        wrong("a completion of nothing", complete(json!({"type": "ref/tool", "name": "echo"}))),
        wrong(
            "a completion of an unknown prompt",
            complete(json!({"type": "ref/prompt", "name": "nothing"})),
        ),
        wrong(
            "a completion of an unknown template",
            complete(json!({"type": "ref/resource", "uri": "test://x"})),
        ),
        wrong("listening to no one knows what", modern("subscriptions/listen", json!({}))),
        wrong("listening with a flag that is none", listen(json!({"toolsListChanged": 1}))),
        wrong("listening to too much", listen(json!({"resourceSubscriptions": ["a:1", "a:2", "a:3"]}))),
        seen(
            "a question to a client that shows no forms",
            (400, -32021),
            ask_call("Ann").edit(|it| {
                it["params"]["_meta"] = meta();
            }),
        ),
    ]
}

fn params() -> Vec<Case> {
    let place = |arguments: Value| Call::tool("place", &arguments);
    let mismatch = |what, call| seen(what, (400, -32020), call);
    vec![
        mismatch("an argument without its header", place(json!({"region": "eu"}))),
        mismatch(
            "another argument in the header",
            place(json!({"region": "eu"})).header("Mcp-Param-Region: us"),
        ),
        mismatch("an argument in capitals", place(json!({"region": "eu"})).header("Mcp-Param-Region: EU")),
        mismatch("a header without its argument", place(json!({})).header("Mcp-Param-Region: eu")),
        mismatch("another number in the header", place(json!({"count": 42})).header("Mcp-Param-Count: 43")),
        mismatch("a number that is none", place(json!({"count": 42})).header("Mcp-Param-Count: forty-two")),
        mismatch("another truth in the header", place(json!({"dry": true})).header("Mcp-Param-Dry: false")),
        mismatch(
            "an encoding that is none",
            place(json!({"region": "eu"})).header("Mcp-Param-Region: =?base64?!?="),
        ),
        mismatch(
            "a header that stands twice",
            place(json!({"region": "eu"})).header("Mcp-Param-Region: eu").header("mcp-param-region: eu"),
        ),
        mismatch(
            "a header over the limit",
            place(json!({"region": "e".repeat(300)}))
                .header(format!("Mcp-Param-Region: {}", "e".repeat(300))),
        ),
        mismatch(
            "more headers than the limit",
            place(json!({}))
                .header("Mcp-Param-A: 1")
                .header("Mcp-Param-B: 1")
                .header("Mcp-Param-C: 1")
                .header("Mcp-Param-D: 1")
                .header("Mcp-Param-E: 1"),
        ),
    ]
}

fn rounds() -> Vec<Case> {
    let with = |key: &str, value: Value| ask_call("Ann").edit(|it| it["params"][key] = value);
    vec![
        seen("state that is not ours", (200, -32602), with("requestState", json!("made-up"))),
        seen("state that is no text", (200, -32602), with("requestState", json!(7))),
        seen("answers that are no object", (200, -32602), with("inputResponses", json!([]))),
        seen("an answer that is no object", (200, -32602), with("inputResponses", json!({"person": "Bea"}))),
    ]
}

fn beyond() -> Vec<Case> {
    let get = |name: &str, arguments: Value| {
        Call::modern("prompts/get", json!({"name": name, "arguments": arguments}))
    };
    vec![
        seen("a prompt that says no", (200, -32602), get("greeting", json!({"name": "nobody"}))),
        seen("a prompt that panics", (200, -32603), get("broken", json!({}))),
        seen("a tool that panics", (200, -32603), Call::tool("panics", &json!({}))),
    ]
}

fn legacy_ones(session: &str) -> Vec<Case> {
    let legacy = |method: &str, params: Value| legacy(session, method, &params);
    let mut without = Call::post("");
    without.line = "GET /mcp HTTP/1.1".into();
    vec![
        blind("a legacy stream without a session", (400, -32600), without),
        seen(
            "a session that is not ours",
            (404, -32600),
            legacy("tools/list", json!({})).replace("Mcp-Session-Id", "made-up"),
        ),
        seen("an unknown legacy method", (200, -32601), legacy("tools/destroy", json!({}))),
        seen(
            "an unknown tool of legacy clients",
            (200, -32602),
            legacy("tools/call", json!({"name": "nothing"})),
        ),
        seen(
            "an unknown resource of legacy clients",
            (200, -32002),
            legacy("resources/read", json!({"uri": "test://x"})),
        ),
        seen("an unknown level", (200, -32602), legacy("logging/setLevel", json!({"level": "loud"}))),
    ]
}
