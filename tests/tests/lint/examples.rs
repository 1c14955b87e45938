//! What the lint says of the examples of this repository: what is true.

use std::{
    io::{Read, Write},
    process::{Command, Stdio},
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tollgate::{lint::lint, prelude::*};

/// The tools that an example lists on standard output.
fn listed(program: &str) -> Vec<Value> {
    let mut process = Command::new(program)
        .arg("--stdio")
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta}});
    let mut input = process.stdin.take().unwrap();
    writeln!(input, "{request}").unwrap();
    drop(input);
    let mut output = String::new();
    process.stdout.take().unwrap().read_to_string(&mut output).unwrap();
    process.wait().unwrap();
    let answer: Value = serde_json::from_str(output.lines().next().unwrap()).unwrap();
    answer["result"]["tools"].as_array().unwrap().clone()
}

#[test]
fn hello_is_as_it_should_be() {
    assert_says(&listed(env!("CARGO_BIN_EXE_hello-of-the-tests")), 1, &[]);
}

#[test]
fn booking_does_not_say_what_it_does_to_the_world() {
    assert_says(&listed(env!("CARGO_BIN_EXE_booking-of-the-tests")), 1, &["no-annotations"]);
}

#[test]
fn notes_do_not_say_what_they_do_to_the_world_and_list_without_an_object() {
    let rules = ["no-annotations", "no-annotations", "no-annotations", "output-schema"];
    assert_says(&listed(env!("CARGO_BIN_EXE_notes-of-the-tests")), 5, &rules);
}

#[track_caller]
fn assert_says(tools: &[Value], count: usize, rules: &[&str]) {
    let found = lint(tools);

    assert_eq!(tools.len(), count);
    let said: Vec<&str> = found.iter().map(|it| it.rule.id()).collect();
    assert_eq!(said, rules, "{found:#?}");
}

/// Holds something for a while.
#[derive(Record, Serialize, Deserialize, JsonSchema)]
#[record(owner_only)]
struct Basket {}

/// What a new basket is known by, and how it begins.
#[derive(Serialize, JsonSchema)]
struct Started {
    basket: Handle<Basket>,
    places: u32,
}

/// Starts an empty basket.
///
/// Use when the user begins to shop.
/// Do not use when there is a basket.
#[tool(destructive = false)]
async fn start_basket(cx: &Cx) -> Result<Started> {
    Ok(Started { basket: cx.mint(Basket {}).await?, places: 10 })
}

#[tokio::test]
async fn what_the_framework_writes_of_a_handle_is_enough_and_needed() {
    let client = Server::new("shop", "1").tools(tools![start_basket]).without_auth().client("ann");

    let listed = client.request("tools/list", json!({})).await;

    let mut tools = listed.response["result"]["tools"].as_array().unwrap().clone();
    assert_says(&tools, 1, &[]);
    tools[0]["description"] =
        json!("Starts an empty basket. Use when the user begins to shop. Do not use twice.");
    assert_says(&tools, 1, &["handle-lifetime"]);
}
