//! What a tool returns: structured with a published schema, and held to it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tollgate::prelude::*;
use tollgate_tests::{Call, Log, start};

use crate::{client, good, listed};

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Weather {
    degrees: i64,
    wind: Option<String>,
}

/// Looks out.
///
/// Use when the weather matters.
/// Do not use when it does not.
#[tool]
async fn weather() -> Weather {
    Weather { degrees: 21, wind: None }
}

#[tokio::test]
async fn an_object_is_structured_and_repeated_as_text() {
    let client = client(tools![weather]);

    let schema = listed(&client, "weather").await["outputSchema"].clone();
    let result = good(&client, "weather", json!({})).await;

    assert_eq!(schema["type"], "object");
    assert_eq!(schema["properties"]["degrees"], json!({"type": "integer"}));
    assert_eq!(result["structuredContent"], json!({"degrees": 21, "wind": null}));
    let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(text, result["structuredContent"]);
    assert_eq!(client.call(weather {}).await.unwrap(), Weather { degrees: 21, wind: None });
}

/// Lists the days.
///
/// Use when all matter.
/// Do not use when one does.
#[tool]
async fn days() -> Vec<Weather> {
    vec![Weather { degrees: 1, wind: Some("north".into()) }, Weather { degrees: 2, wind: None }]
}

#[tokio::test]
async fn a_list_is_structured_at_its_root() {
    let client = client(tools![days]);

    let result = good(&client, "days", json!({})).await;

    assert_eq!(listed(&client, "days").await["outputSchema"]["type"], "array");
    assert_eq!(
        result["structuredContent"],
        json!([{"degrees": 1, "wind": "north"}, {"degrees": 2, "wind": null}])
    );
    assert_eq!(client.call(days {}).await.unwrap().len(), 2);
}

/// Counts.
///
/// Use when a number is wanted.
/// Do not use when none is.
#[tool]
async fn count() -> u64 {
    u64::MAX
}

#[tokio::test]
async fn a_number_is_structured() {
    let client = client(tools![count]);

    assert_eq!(listed(&client, "count").await["outputSchema"]["type"], "integer");
    assert_eq!(good(&client, "count", json!({})).await["structuredContent"], u64::MAX);
    assert_eq!(client.call(count {}).await.unwrap(), u64::MAX);
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Answer {
    Yes,
    No,
}

/// Answers.
///
/// Use when asked.
/// Do not use when not.
#[tool]
async fn answer() -> Answer {
    Answer::No
}

#[tokio::test]
async fn an_enum_is_structured_and_its_schema_lists_the_names() {
    let client = client(tools![answer]);

    let schema = listed(&client, "answer").await["outputSchema"].clone();

    assert_eq!(schema["enum"], json!(["yes", "no"]), "{schema}");
    assert_eq!(good(&client, "answer", json!({})).await["structuredContent"], "no");
    assert_eq!(client.call(answer {}).await.unwrap(), Answer::No);
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
enum Found {
    Nothing,
    One { name: String },
}

/// Finds.
///
/// Use when something is lost.
/// Do not use when it is not.
#[tool]
async fn find(name: Option<String>) -> Found {
    name.map_or(Found::Nothing, |name| Found::One { name })
}

#[tokio::test]
async fn an_enum_of_objects_is_structured() {
    let client = client(tools![find]);

    let one = good(&client, "find", json!({"name": "key"})).await;

    assert_eq!(one["structuredContent"], json!({"kind": "One", "name": "key"}));
    assert_eq!(good(&client, "find", json!({})).await["structuredContent"], json!({"kind": "Nothing"}));
    assert_eq!(client.call(find { name: None }).await.unwrap(), Found::Nothing);
}

/// Looks.
///
/// Use when it may be there.
/// Do not use when it is.
#[tool]
async fn look(there: bool) -> Option<Weather> {
    there.then_some(Weather { degrees: 3, wind: None })
}

#[tokio::test]
async fn an_option_is_its_value_or_null() {
    let client = client(tools![look]);

    let some = good(&client, "look", json!({"there": true})).await;
    let none = good(&client, "look", json!({"there": false})).await;

    assert_eq!(some["structuredContent"]["degrees"], 3);
    assert_eq!(none["structuredContent"], Value::Null);
    assert!(none.as_object().unwrap().contains_key("structuredContent"), "{none}");
    assert!(client.call(look { there: false }).await.unwrap().is_none());
    assert!(client.call(look { there: true }).await.unwrap().is_some());
}

/// Gives anything.
///
/// Use when anything will do.
/// Do not use when it will not.
#[tool]
async fn anything() -> Value {
    json!({"a": [1, {"b": null}]})
}

#[tokio::test]
async fn any_json_is_structured_without_a_schema() {
    let client = client(tools![anything]);

    assert!(listed(&client, "anything").await.get("outputSchema").is_none());
    assert_eq!(
        good(&client, "anything", json!({})).await["structuredContent"],
        json!({"a": [1, {"b": null}]})
    );
}

/// Maps.
///
/// Use when names have numbers.
/// Do not use when not.
#[tool]
async fn map() -> BTreeMap<String, (i64, bool)> {
    [("a".to_owned(), (1, true))].into()
}

#[tokio::test]
async fn a_map_of_tuples_is_structured() {
    let client = client(tools![map]);

    assert_eq!(good(&client, "map", json!({})).await["structuredContent"], json!({"a": [1, true]}));
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Tree {
    children: Vec<Tree>,
}

/// Grows.
///
/// Use when a tree is wanted.
/// Do not use when none is.
#[tool]
async fn grow() -> Tree {
    Tree { children: vec![Tree { children: Vec::new() }] }
}

#[tokio::test]
async fn a_struct_that_holds_itself_can_be_returned() {
    let client = client(tools![grow]);

    let result = good(&client, "grow", json!({})).await;

    assert_eq!(result["structuredContent"], json!({"children": [{"children": []}]}));
}

/// Says nothing.
///
/// Use when there is nothing to say.
/// Do not use when there is.
#[tool]
async fn nothing() {}

/// Says a text.
///
/// Use when there is something to say.
/// Do not use when there is not.
#[tool]
async fn text() -> Text<9> {
    "hi".try_into().unwrap()
}

#[tokio::test]
async fn texts_and_nothing_have_no_structure() {
    let client = client(tools![nothing, text]);

    let none = good(&client, "nothing", json!({})).await;
    let text = good(&client, "text", json!({})).await;

    assert_eq!(none["content"], json!([]));
    assert_eq!(text["content"], json!([{"type": "text", "text": "hi"}]));
    assert!(none.get("structuredContent").is_none() && text.get("structuredContent").is_none());
    assert!(listed(&client, "text").await.get("outputSchema").is_none());
    client.call(nothing {}).await.unwrap();
}

fn liar(schema: Value, said: Value) -> Tool {
    Tool::new("liar", "Lies.", json!({"type": "object"}), move |_cx, _: Map<String, Value>| {
        let said = said.clone();
        async move { Ok(said) }
    })
    .output(schema)
}

#[tokio::test]
async fn an_output_that_breaks_its_schema_is_a_fault_of_the_server_and_logged() {
    let log = Log::start();
    let schema = json!({"type": "object", "properties": {"age": {"type": "integer"}}, "required": ["age"]});
    let client = client(vec![liar(schema, json!({"age": "secret-7"}))].into());

    let exchange = client.request("tools/call", json!({"name": "liar", "arguments": {}})).await;

    let error = &exchange.response["error"];
    assert_eq!(error["code"], -32603, "{}", exchange.response);
    assert!(!exchange.response.to_string().contains("secret-7"));
    let reference = error["data"]["reference"].as_str().unwrap();
    assert_eq!(log.with("liar").iter().filter(|it| it.contains(reference)).count(), 1);
    assert!(log.with(reference)[0].starts_with("ERROR"));
}

#[tokio::test]
async fn an_output_that_keeps_its_schema_passes() {
    let schema = json!({"type": "object", "properties": {"age": {"type": "integer"}}, "required": ["age"]});
    let client = client(vec![liar(schema.clone(), json!({"age": 7}))].into());

    assert_eq!(listed(&client, "liar").await["outputSchema"], schema);
    assert_eq!(good(&client, "liar", json!({})).await["structuredContent"], json!({"age": 7}));
}

#[tokio::test]
async fn a_result_over_the_limit_is_told_to_the_model() {
    let mut limits = tollgate::Limits::default();
    limits.result_bytes = 1_000;
    let long: Tool =
        Tool::new("long", "Goes on.", json!({"type": "object"}), async |_cx, _| Ok("x".repeat(2_000)));
    let client = Server::new("surface", "1").tools(vec![long]).limits(limits).without_auth().client("ann");

    let told = client.call_raw("long", json!({})).await.unwrap_err();

    assert_eq!(told.text(), "The result is larger than 1000 bytes. Ask for less of it.");
}

#[tokio::test]
async fn a_legacy_client_gets_objects_as_structure_and_all_else_as_text() {
    let server = start(Server::new("surface", "1").tools(tools![weather, days]).without_auth()).await;
    let legacy = |method: &str, params: Value| {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        Call::post(&body.to_string()).header("MCP-Protocol-Version: 2025-06-18")
    };

    let object = legacy("tools/call", json!({"name": "weather"})).send(server.address).await.result();
    let list = legacy("tools/call", json!({"name": "days"})).send(server.address).await.result();
    let listed = legacy("tools/list", json!({})).send(server.address).await.result();

    assert_eq!(object["structuredContent"]["degrees"], 21);
    assert!(list.get("structuredContent").is_none(), "{list}");
    assert!(list["content"][0]["text"].as_str().unwrap().starts_with('['));
    assert_eq!(listed["tools"][0]["outputSchema"]["type"], "object");
    assert!(listed["tools"][1].get("outputSchema").is_none());
}

#[tokio::test]
async fn a_client_of_2025_03_26_gets_no_structure_at_all() {
    let server = start(Server::new("surface", "1").tools(tools![weather]).without_auth()).await;
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"weather"}}"#;

    let result =
        Call::post(body).header("MCP-Protocol-Version: 2025-03-26").send(server.address).await.result();

    assert!(result.get("structuredContent").is_none(), "{result}");
    assert!(result["content"][0]["text"].as_str().unwrap().contains("21"));
}
