//! Which schemas are published, and how they are enforced (basic/index#json-schema-usage).

use std::net::TcpListener;

use serde_json::{Map, Value, json};
use tollgate::{Cx, Server, Tool};
use tollgate_tests::{Call, start};

use super::house::server;

fn tool(schema: Value) -> Tool {
    Tool::new("tool", "Takes what it is given.", schema, async |_cx: Cx, _arguments: Map<String, Value>| {
        Ok("taken")
    })
}

/// What the server says at start about a tool of that schema.
fn faults(schema: Value) -> String {
    let server = Server::new("schemas", "1").tools(vec![tool(schema)]).without_auth();
    server.check().run().map_or_else(|error| error.to_string(), |_| String::new())
}

/// Whether a tool of that schema takes these arguments.
async fn takes(schema: Value, arguments: Value) -> bool {
    let running = start(Server::new("schemas", "1").tools(vec![tool(schema)]).without_auth()).await;
    let result = Call::tool("tool", &arguments).send(running.address).await.result();
    assert!(result["content"][0]["text"].is_string(), "{result}");
    result["isError"] != true
}

/// Keywords that older dialects do not have.
fn modern_schema() -> Value {
    json!({
        "type": "object",
        "properties": {"pair": {"prefixItems": [{"type": "string"}, {"type": "integer"}], "items": false}},
        "dependentRequired": {"pair": ["why"]},
    })
}

// S-026, S-027.
#[tokio::test]
async fn a_schema_without_a_dialect_is_one_of_2020_12() {
    assert!(takes(modern_schema(), json!({"pair": ["a", 1], "why": "so"})).await);
    assert!(!takes(modern_schema(), json!({"pair": [1, "a"], "why": "so"})).await);
    assert!(!takes(modern_schema(), json!({"pair": ["a", 1, 2], "why": "so"})).await);
    assert!(!takes(modern_schema(), json!({"pair": ["a", 1]})).await);
}

// S-027.
#[tokio::test]
async fn a_schema_is_enforced_in_the_dialect_that_it_declares() {
    let old = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "definitions": {"short": {"type": "string", "maxLength": 2}},
        "properties": {"text": {"$ref": "#/definitions/short"}},
    });
    let mut newest = modern_schema();
    newest["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();

    assert!(takes(old.clone(), json!({"text": "ab"})).await);
    assert!(!takes(old, json!({"text": "abc"})).await);
    assert!(!takes(newest, json!({"pair": ["a", 1]})).await);
}

// S-027.
#[test]
fn a_keyword_that_an_older_dialect_does_not_have_is_refused_in_it() {
    let mut schema = modern_schema();
    schema["$schema"] = "http://json-schema.org/draft-07/schema#".into();

    assert!(faults(schema).contains("another meaning than 2020-12"));
}

// S-028, S-029.
#[test]
fn an_unknown_dialect_is_named_together_with_those_that_are_known() {
    let faults = faults(json!({"$schema": "http://json-schema.org/draft-04/schema#", "type": "object"}));

    assert!(faults.contains("draft-04/schema#\" is not a known dialect"), "{faults}");
    assert!(faults.contains("known are 2020-12, 2019-09 and draft-07"), "{faults}");
}

// S-030.
#[test]
fn a_schema_that_is_none_is_not_published() {
    let broken = [
        json!({"type": "object", "properties": {"a": {"type": "strin"}}}),
        json!({"type": "object", "required": "a"}),
        json!({"type": "object", "properties": {"a": {"minLength": -1}}}),
        json!({"type": "object", "properties": {"a": {"pattern": "("}}}),
        json!({"type": "array"}),
        json!(true),
    ];

    for schema in broken {
        assert!(faults(schema.clone()).contains("the tool `tool`"), "{schema}");
    }
}

// S-030.
#[test]
fn an_output_schema_that_is_none_is_not_published() {
    let tool = tool(json!({"type": "object"})).output(json!({"type": "nothing"}));

    let error = Server::new("schemas", "1").tools(vec![tool]).without_auth().check().run().unwrap_err();

    assert!(error.to_string().contains("its output schema"), "{error}");
}

// S-030.
#[test]
fn a_tool_that_joins_later_is_judged_all_the_same() {
    let catalog = Server::new("schemas", "1").without_auth().catalog();

    assert!(catalog.add_tool(tool(json!({"type": "object", "minProperties": "one"}))).is_err());
}

// S-030.
#[tokio::test]
async fn the_schemas_that_types_make_are_schemas() {
    let running = start(server()).await;
    let listed = Call::modern("tools/list", json!({})).send(running.address).await.result();
    let tools = listed["tools"].as_array().unwrap();

    for it in tools {
        assert_eq!(faults(it["inputSchema"].clone()), "", "{}", it["name"]);
    }
    assert!(tools.len() > 5);
}

// S-031, S-032, S-034.
#[test]
fn a_reference_to_the_network_is_refused_and_nobody_is_called() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let url = format!("http://{}/schema.json", listener.local_addr().unwrap());

    let faults = faults(json!({"type": "object", "properties": {"a": {"$ref": url}}}));

    assert!(faults.contains("/properties/a/$ref"), "{faults}");
    assert_eq!(listener.accept().unwrap_err().kind(), std::io::ErrorKind::WouldBlock);
}

// S-034.
#[test]
fn a_reference_that_leads_nowhere_is_refused() {
    for reference in ["#/$defs/none", "#none", "other.json", "file:///etc/hosts", "urn:none"] {
        let faults = faults(json!({"type": "object", "properties": {"a": {"$ref": reference}}}));
        assert!(faults.contains("/properties/a/$ref"), "{reference}: {faults}");
    }
}

// S-035.
#[test]
fn a_schema_is_bounded_in_depth_and_in_size() {
    let deep = (0..70).fold(json!({"type": "string"}), |inner, _| json!({"properties": {"a": inner}}));
    let wide: Map<String, Value> = (0..10_001).map(|it| (format!("p{it}"), json!({}))).collect();

    assert!(!faults(json!({"type": "object", "properties": {"deep": deep}})).is_empty());
    assert!(!faults(json!({"type": "object", "properties": wide})).is_empty());
}

// S-035.
#[tokio::test]
async fn a_schema_that_takes_too_long_to_check_takes_nothing() {
    // Each level doubles the work: 2^28 steps, if nothing stopped it.
    let levels = (0..28).map(|it| {
        let next = json!({"$ref": format!("#/$defs/l{}", it + 1)});
        (format!("l{it}"), json!({"allOf": [next, next]}))
    });
    let mut defs: Map<String, Value> = levels.collect();
    defs.insert("l28".into(), json!({"type": "string"}));
    let bomb = json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/l0"}}, "$defs": defs});

    assert!(!takes(bomb, json!({"a": "x"})).await);
}
