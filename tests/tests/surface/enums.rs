//! Enums as arguments, in each of serde's representations.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tollgate::prelude::*;

use crate::{client, faults, good, listed, said};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Unit {
    Metric,
    /// Feet and pounds.
    Imperial,
}

/// Measures.
///
/// Use when a unit is given.
/// Do not use when none is.
#[tool]
async fn measure(unit: Unit) -> String {
    format!("{unit:?}")
}

#[tokio::test]
async fn an_enum_of_names_takes_its_names_alone() {
    let client = client(tools![measure]);

    assert_eq!(said(&client, "measure", json!({"unit": "imperial"})).await, "Imperial");
    assert_eq!(
        faults(&client, "measure", json!({"unit": "miles"})).await,
        ["/unit: expected one of \"metric\", \"imperial\", found \"miles\""],
    );
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
enum External {
    Nothing,
    Point { x: i64 },
    Name(String),
}

/// Draws.
///
/// Use when a shape is given.
/// Do not use when none is.
#[tool]
async fn draw(shape: External) -> String {
    format!("{shape:?}")
}

#[tokio::test]
async fn an_enum_tagged_outside_works() {
    let client = client(tools![draw]);

    assert_eq!(said(&client, "draw", json!({"shape": "Nothing"})).await, "Nothing");
    assert_eq!(said(&client, "draw", json!({"shape": {"Point": {"x": 1.0}}})).await, "Point { x: 1 }");
    assert_eq!(said(&client, "draw", json!({"shape": {"Name": "a"}})).await, "Name(\"a\")");
    assert_eq!(
        faults(&client, "draw", json!({"shape": {"Point": {"x": "far"}}})).await,
        ["/shape/Point/x: expected an integer, found \"far\""],
    );
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Internal {
    Cash { coins: u32, note: Option<String> },
    Card { number: Text<4> },
}

/// Pays.
///
/// Use when a means is given.
/// Do not use when none is.
#[tool]
async fn pay(means: Internal) -> String {
    format!("{means:?}")
}

#[tokio::test]
async fn an_enum_tagged_inside_works_and_tells_the_faults_of_the_named_variant() {
    let client = client(tools![pay]);

    let cash = said(&client, "pay", json!({"means": {"kind": "cash", "coins": 2.0}})).await;
    assert_eq!(cash, "Cash { coins: 2, note: None }");
    assert_eq!(
        faults(&client, "pay", json!({"means": {"kind": "card", "number": "12345"}})).await,
        ["/means/number: expected a string of at most 4 characters, found \"12345\""],
    );
    assert_eq!(
        faults(&client, "pay", json!({"means": {"kind": "gold"}})).await,
        ["/means/kind: expected one of \"cash\", \"card\", found \"gold\""],
    );
}

#[tokio::test]
async fn an_optional_field_of_a_variant_may_be_null() {
    let client = client(tools![pay]);

    let told = said(&client, "pay", json!({"means": {"kind": "cash", "coins": 2, "note": null}})).await;

    assert_eq!(told, "Cash { coins: 2, note: None }");
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Number(i64),
    Pair { a: bool },
}

/// Notes.
///
/// Use when something is to be noted.
/// Do not use when nothing is.
#[tool]
async fn note(what: Adjacent) -> String {
    format!("{what:?}")
}

#[tokio::test]
async fn an_enum_tagged_beside_works() {
    let client = client(tools![note]);

    assert_eq!(said(&client, "note", json!({"what": {"t": "Number", "c": 2.0}})).await, "Number(2)");
    assert_eq!(
        said(&client, "note", json!({"what": {"t": "Pair", "c": {"a": true}}})).await,
        "Pair { a: true }"
    );
    assert_eq!(
        faults(&client, "note", json!({"what": {"t": "Pair", "c": {"a": 1}}})).await,
        ["/what/c/a: expected true or false, found 1"],
    );
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Untagged {
    Number(i64),
    Name(String),
    Both { number: i64, name: String },
}

/// Looks up.
///
/// Use when a key is given.
/// Do not use when none is.
#[tool]
async fn look_up(key: Untagged) -> String {
    format!("{key:?}")
}

#[tokio::test]
async fn an_enum_without_a_tag_works() {
    let client = client(tools![look_up]);

    assert_eq!(said(&client, "look_up", json!({"key": 2.0})).await, "Number(2)");
    assert_eq!(said(&client, "look_up", json!({"key": "a"})).await, "Name(\"a\")");
    let both = said(&client, "look_up", json!({"key": {"number": 1, "name": "b"}})).await;
    assert_eq!(both, "Both { number: 1, name: \"b\" }");
    let found = faults(&client, "look_up", json!({"key": true})).await;
    assert!(found.len() == 1 && found[0].starts_with("/key: expected "), "{found:?}");
}

/// Chooses units.
///
/// Use when units are given.
/// Do not use when none are.
#[tool]
async fn choose(unit: Option<Unit>, others: Vec<Unit>) -> Vec<Unit> {
    unit.into_iter().chain(others).collect()
}

#[tokio::test]
async fn an_enum_may_be_left_out_and_stand_in_a_list() {
    let client = client(tools![choose]);

    assert_eq!(listed(&client, "choose").await["inputSchema"]["required"], json!(["others"]));
    let both = good(&client, "choose", json!({"unit": "metric", "others": ["imperial"]})).await;
    assert_eq!(both["structuredContent"], json!(["metric", "imperial"]));
    assert_eq!(good(&client, "choose", json!({"others": []})).await["structuredContent"], json!([]));
    let found = faults(&client, "choose", json!({"unit": "x", "others": ["metric", "y"]})).await;
    assert!(found[0].starts_with("/unit: ") && found[1].starts_with("/others/1: "), "{found:?}");
}
