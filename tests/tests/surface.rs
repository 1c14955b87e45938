//! What an author can write, seen from the client's side: what is listed, what works, and what a mistake is told.

mod surface {
    mod arguments;
    mod asking;
    mod author_errors;
    mod bounds;
    mod catalog;
    mod client;
    mod configuration;
    mod content;
    mod defaults;
    mod enums;
    mod headers;
    mod hints;
    mod hygiene;
    mod layers;
    mod nested;
    mod output;
    mod prompts;
    mod resources;
    mod state;
}

use serde_json::{Value, json};
use tollgate::{Client, Server, ToolSet};

/// A client in memory of a server with these tools.
fn client(tools: ToolSet) -> Client {
    Server::new("surface", "1").tools(tools).without_auth().client("ann")
}

/// How a tool is listed.
async fn listed(client: &Client, tool: &str) -> Value {
    let exchange = client.request("tools/list", json!({})).await;
    let tools = exchange.response["result"]["tools"].as_array().expect("a list has tools");
    tools.iter().find(|it| it["name"] == tool).expect("the tool is listed").clone()
}

/// What a call that works gives.
async fn good(client: &Client, tool: &str, arguments: Value) -> Value {
    let exchange = client.request("tools/call", json!({"name": tool, "arguments": arguments})).await;
    let result = exchange.response["result"].clone();
    assert!(result.is_object() && result.get("isError").is_none(), "{}", exchange.response);
    result
}

/// The first text of a call that works.
async fn said(client: &Client, tool: &str, arguments: Value) -> String {
    good(client, tool, arguments).await["content"][0]["text"].as_str().unwrap_or_default().to_owned()
}

/// What a call that fails tells the model.
async fn told(client: &Client, tool: &str, arguments: Value) -> String {
    let exchange = client.request("tools/call", json!({"name": tool, "arguments": arguments})).await;
    let result = &exchange.response["result"];
    assert_eq!(result["isError"], true, "{}", exchange.response);
    result["content"][0]["text"].as_str().unwrap_or_default().to_owned()
}

/// The faults in what a call with bad arguments tells the model, one for each line.
async fn faults(client: &Client, tool: &str, arguments: Value) -> Vec<String> {
    told(client, tool, arguments).await.lines().skip(1).map(ToOwned::to_owned).collect()
}
