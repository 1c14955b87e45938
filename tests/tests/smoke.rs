//! A first look: a tool answers over raw HTTP.

use serde_json::json;
use tollgate::prelude::*;
use tollgate_tests::{Call, start};

/// Says the text back.
///
/// Use when the text is wanted again.
/// Do not use when it is not.
#[tool(read_only)]
async fn echo(text: String) -> String {
    text
}

#[tokio::test]
async fn a_tool_answers() {
    let server = start(Server::new("smoke", "1").tools(tools![echo]).without_auth()).await;

    let answer = Call::tool("echo", &json!({"text": "hi"})).send(server.address).await;

    assert_eq!(answer.status, 200);
    assert_eq!(answer.result()["content"][0]["text"], "hi");
}
