//! Constraints of a schema are enforced, and all faults come at once.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tollgate::prelude::*;

use crate::{client, faults, listed, said, told};

#[derive(Serialize, Deserialize, JsonSchema)]
struct Account {
    #[schemars(range(min = 18, max = 120))]
    age: u8,
    #[schemars(regex(pattern = r"^[a-z]+$"), length(min = 2, max = 8))]
    login: String,
    #[schemars(length(min = 1, max = 2), inner(length(max = 3)))]
    tags: Vec<String>,
    #[schemars(range(min = 0.5))]
    weight: Option<f64>,
}

/// Opens an account.
///
/// Use when somebody joins.
/// Do not use when they leave.
#[tool]
async fn join(account: Account) -> String {
    account.login
}

#[tokio::test]
async fn constraints_of_a_nested_field_are_published_and_enforced() {
    let client = client(tools![join]);
    let account = json!({"age": 17, "login": "Ann", "tags": ["long", "b", "c"], "weight": 0.4});

    let found = faults(&client, "join", json!({"account": account})).await;

    assert_eq!(
        found,
        [
            "/account/age: expected an integer from 18 to 120, found 17",
            "/account/login: expected a string of 2 to 8 characters matching `^[a-z]+$`, found \"Ann\"",
            "/account/tags: expected an array of 1 to 2 items, found [\"long\",\"b\",\"c\"]",
            "/account/tags/0: expected a string of at most 3 characters, found \"long\"",
            "/account/weight: expected a number of at least 0.5, found 0.4",
        ],
    );
    let schema = listed(&client, "join").await.to_string();
    assert!(schema.contains(r#""minimum":18"#) && schema.contains(r#""maxItems":2"#), "{schema}");
}

#[tokio::test]
async fn a_value_within_all_constraints_passes() {
    let client = client(tools![join]);
    let account = json!({"age": 18, "login": "ann", "tags": ["a"]});

    assert_eq!(said(&client, "join", json!({"account": account})).await, "ann");
}

/// Takes numbers.
///
/// Use when numbers are given.
/// Do not use when none are.
#[tool]
async fn take(all: Vec<i64>) -> String {
    all.len().to_string()
}

#[tokio::test]
async fn at_most_twenty_faults_are_told_at_once() {
    let client = client(tools![take]);

    let found = faults(&client, "take", json!({"all": vec!["x"; 50]})).await;

    assert_eq!(found.len(), 20);
    assert!(found[19].starts_with("/all/19: "), "{found:?}");
}

#[tokio::test]
async fn a_long_value_is_shortened_where_it_is_told() {
    let client = client(tools![take]);

    let text = told(&client, "take", json!({"all": ["x".repeat(100_000)]})).await;

    assert!(text.len() < 300 && text.contains('…'), "{} bytes", text.len());
}

#[tokio::test]
async fn control_characters_of_a_value_are_not_told_as_they_are() {
    let client = client(tools![take]);

    let text = told(&client, "take", json!({"all": ["\u{1b}[2J\u{202e}"]})).await;

    assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'), "{text:?}");
}

#[tokio::test]
async fn an_unknown_argument_is_refused_and_the_one_that_was_meant_is_named() {
    let client = client(tools![take]);

    let found = faults(&client, "take", json!({"all": [], "al": 1})).await;

    assert!(found.len() == 1 && found[0].starts_with("/al: "), "{found:?}");
    assert!(found[0].contains("all"), "{found:?}");
    assert_eq!(listed(&client, "take").await["inputSchema"]["additionalProperties"], false);
}

/// Takes what there is.
///
/// Use when more may be given.
/// Do not use when it may not.
#[tool(allow_unknown)]
async fn lenient(first: i64) -> String {
    first.to_string()
}

#[tokio::test]
async fn a_tool_that_allows_unknown_arguments_ignores_them() {
    let client = client(tools![lenient]);

    assert_eq!(said(&client, "lenient", json!({"first": 1, "second": {"a": []}})).await, "1");
    assert!(listed(&client, "lenient").await["inputSchema"].get("additionalProperties").is_none());
    assert_eq!(faults(&client, "lenient", json!({"first": "x"})).await.len(), 1);
}

#[tokio::test]
async fn a_schema_written_by_hand_is_published_as_it_stands_and_enforced() {
    let schema = json!({
        "type": "object",
        "properties": {
            "from": {"type": "string", "pattern": "^[A-Z]{3}$"},
            "to": {"$ref": "#/$defs/code"},
        },
        "required": ["from"],
        "dependentRequired": {"to": ["from"]},
        "additionalProperties": false,
        "$defs": {"code": {"enum": ["FRA", "SIN"]}},
    });
    let fly: Tool = Tool::new("fly", "Flies.", schema.clone(), async |_cx, arguments: Map<String, Value>| {
        Ok(arguments["from"].as_str().unwrap_or_default().to_owned())
    });
    let client = client(vec![fly].into());

    assert_eq!(listed(&client, "fly").await["inputSchema"], schema);
    assert_eq!(said(&client, "fly", json!({"from": "FRA", "to": "SIN"})).await, "FRA");
    assert_eq!(
        faults(&client, "fly", json!({"from": "fra", "to": "LHR"})).await,
        [
            "/from: expected a string matching `^[A-Z]{3}$`, found \"fra\"",
            "/to: expected one of \"FRA\", \"SIN\", found \"LHR\"",
        ],
    );
}
