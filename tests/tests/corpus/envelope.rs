//! C18: the JSON-RPC envelope, changed in every way, for each method. An oracle says what is right.

use serde_json::{Map, Value, json};

use super::{
    bench::{Bench, Expect},
    fixture::{METHODS, good},
};

type Mutation = (&'static str, fn(&mut Value));

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const INFO: &str = "io.modelcontextprotocol/clientInfo";

#[rustfmt::skip]
const MUTATIONS: [Mutation; 52] = [
    ("as it is", |_| {}),
    ("jsonrpc missing", |it| remove(it, "jsonrpc")),
    ("jsonrpc 1.0", |it| it["jsonrpc"] = json!("1.0")),
    ("jsonrpc 2", |it| it["jsonrpc"] = json!(2)),
    ("jsonrpc 2.0 as a number", |it| it["jsonrpc"] = json!(2.0)),
    ("jsonrpc null", |it| it["jsonrpc"] = Value::Null),
    ("jsonrpc with a blank", |it| it["jsonrpc"] = json!("2.0 ")),
    ("id missing", |it| remove(it, "id")),
    ("id null", |it| it["id"] = Value::Null),
    ("id a text", |it| it["id"] = json!("seven")),
    ("id a fraction", |it| it["id"] = json!(1.5)),
    ("id true", |it| it["id"] = json!(true)),
    ("id an object", |it| it["id"] = json!({})),
    ("id beyond 2^53", |it| it["id"] = json!(9_007_199_254_740_992_u64)),
    ("method missing", |it| remove(it, "method")),
    ("method null", |it| it["method"] = Value::Null),
    ("method a number", |it| it["method"] = json!(1)),
    ("method an object", |it| it["method"] = json!({"tools/call": 1})),
    ("method a list", |it| it["method"] = json!(["tools/call"])),
    ("params missing", |it| remove(it, "params")),
    ("params null", |it| it["params"] = Value::Null),
    ("params a list", |it| it["params"] = json!([1])),
    ("params a text", |it| it["params"] = json!("{}")),
    ("params empty", |it| it["params"] = json!({})),
    ("_meta missing", |it| remove(&mut it["params"], "_meta")),
    ("_meta null", |it| it["params"]["_meta"] = Value::Null),
    ("_meta a list", |it| it["params"]["_meta"] = json!([])),
    ("_meta a text", |it| it["params"]["_meta"] = json!("x")),
    ("_meta empty", |it| it["params"]["_meta"] = json!({})),
    ("_meta at the top", |it| { let meta = it["params"]["_meta"].take(); remove(&mut it["params"], "_meta"); it["_meta"] = meta; }),
    ("version missing", |it| remove(&mut it["params"]["_meta"], VERSION)),
    ("version null", |it| it["params"]["_meta"][VERSION] = Value::Null),
    ("version a number", |it| it["params"]["_meta"][VERSION] = json!(20_260_728)),
    ("version a list", |it| it["params"]["_meta"][VERSION] = json!(["2026-07-28"])),
    ("capabilities missing", |it| remove(&mut it["params"]["_meta"], CAPABILITIES)),
    ("capabilities null", |it| it["params"]["_meta"][CAPABILITIES] = Value::Null),
    ("capabilities a list", |it| it["params"]["_meta"][CAPABILITIES] = json!([])),
    ("capabilities true", |it| it["params"]["_meta"][CAPABILITIES] = json!(true)),
    ("capabilities that nobody knows", |it| it["params"]["_meta"][CAPABILITIES] = json!({"x": {"y": [1]}})),
    ("info missing", |it| remove(&mut it["params"]["_meta"], INFO)),
    ("info a text", |it| it["params"]["_meta"][INFO] = json!("raw")),
    ("info a list", |it| it["params"]["_meta"][INFO] = json!([])),
    ("a log level that is none", |it| it["params"]["_meta"]["io.modelcontextprotocol/logLevel"] = json!("loud")),
    ("a log level that is a number", |it| it["params"]["_meta"]["io.modelcontextprotocol/logLevel"] = json!(1)),
    ("a progress token that is true", |it| it["params"]["_meta"]["progressToken"] = json!(true)),
    ("a progress token that is an object", |it| it["params"]["_meta"]["progressToken"] = json!({})),
    ("a progress token that is a text", |it| it["params"]["_meta"]["progressToken"] = json!("p")),
    ("a member that nobody knows", |it| it["x"] = json!({"method": "tools/list"})),
    ("a parameter that nobody knows", |it| it["params"]["x"] = json!([1])),
    ("a result as well", |it| it["result"] = json!({})),
    ("an error as well", |it| it["error"] = json!({"code": 1, "message": "x"})),
    ("a result in place of the method", |it| { remove(it, "method"); it["result"] = json!({}); }),
];

fn remove(within: &mut Value, key: &str) {
    within.as_object_mut().unwrap().remove(key);
}

/// What is wrong with a message by basic/index, in the order in which it has to be seen.
fn judge(message: &Map<String, Value>, runs: usize) -> Expect {
    let id = message.get("id");
    let is_id = |it: &Value| match it {
        Value::String(text) => (1..=256).contains(&text.len()),
        Value::Number(number) => {
            number.as_f64().is_some_and(|it| it.fract() == 0.0 && it.abs() <= 9_007_199_254_740_991.0)
        }
        _ => false,
    };
    let is_answer = message.contains_key("result") || message.contains_key("error");
    let is_method = message.get("method").is_some_and(Value::is_string);
    let is_envelope = message.get("jsonrpc") == Some(&json!("2.0"))
        && id.is_none_or(is_id)
        && is_method
        && !is_answer
        && message.get("params").is_none_or(Value::is_object);
    if is_answer && id.is_some_and(is_id) && !message.contains_key("method") {
        // A response is well-formed, but it has no method for the header to repeat.
        return Expect::refused(400, -32020);
    }
    if !is_envelope {
        return Expect::refused(400, -32600);
    }
    // A notification carries no metadata in this revision, and what it carries is looked at all the same.
    let is_request = id.is_some();
    let meta = message.get("params").and_then(|it| it.get("_meta"));
    let member =
        |key: &str, is_right: fn(&Value) -> bool, is_needed: bool| match meta.and_then(|it| it.get(key)) {
            Some(it) => is_right(it),
            None => !is_needed,
        };
    let levels = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];
    let level = meta.and_then(|it| it.get("io.modelcontextprotocol/logLevel"));
    let is_meta = meta.is_none_or(Value::is_object)
        && member(VERSION, Value::is_string, is_request)
        && member(CAPABILITIES, Value::is_object, is_request)
        && member(INFO, Value::is_object, false)
        && member("progressToken", |it| it.is_string() || it.is_number(), false)
        && level.is_none_or(|it| it.as_str().is_some_and(|it| levels.contains(&it)));
    match (is_meta, is_request) {
        (false, _) => Expect::refused(400, -32602),
        (true, true) => Expect::good(runs),
        (true, false) => Expect::refused(202, 0),
    }
}

// V20, V22; S-010, S-013.
#[tokio::test]
async fn the_envelope_of_every_method_is_judged_as_the_specification_says() {
    let mut bench = Bench::new().await;

    for (method, runs) in METHODS {
        for (mutation, mutate) in MUTATIONS {
            let call = good(method).edit(mutate);
            let message: Value = serde_json::from_slice(&call.body).unwrap();
            let expect = judge(message.as_object().unwrap(), runs);
            let answer = bench.call(&format!("{method}, {mutation}"), &call, expect).await;
            let is_empty = answer.body.is_empty();
            bench.hold(mutation, is_empty == (answer.status == 202), "a notification has no answer");
        }
    }

    bench.finish(460);
}

// V20; S-014.
#[tokio::test]
async fn a_client_sends_no_responses() {
    let mut bench = Bench::new().await;
    let responses = [
        json!({"jsonrpc": "2.0", "id": 1, "result": {}}),
        json!({"jsonrpc": "2.0", "id": "a", "error": {"code": -32603, "message": "x"}}),
        json!({"jsonrpc": "2.0", "id": 1, "result": null}),
        json!({"jsonrpc": "2.0", "error": {"code": 1, "message": "x"}}),
        json!({"jsonrpc": "2.0", "result": {}}),
        json!({"jsonrpc": "2.0", "id": null, "error": {"code": 1, "message": "x"}}),
    ];

    for response in responses {
        let meta = json!({"_meta": {VERSION: "2026-07-28", CAPABILITIES: {}}});
        let mut modern = response.clone();
        modern["params"] = meta;
        for message in [&response, &modern] {
            let call = good("tools/list").without("Mcp-Method").body(message.to_string());
            bench.call(&message.to_string(), &call, Expect::refused(400, -32600)).await;
        }
    }

    bench.finish(12);
}
