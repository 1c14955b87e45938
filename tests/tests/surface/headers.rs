//! An argument that the client repeats in a header.

use serde_json::json;
use tollgate::prelude::*;
use tollgate_tests::{Call, start};

use crate::{client, listed};

/// Looks into a region.
///
/// Use when the region is known.
/// Do not use when it is not.
#[tool]
async fn look(
    #[arg(header = "Region")] region: Text<20>,
    #[arg(header = "Level")] level: Option<i64>,
    #[arg(header = "Deep", default = false)] deep: bool,
) -> String {
    format!("{region} {level:?} {deep}")
}

fn server() -> Server {
    Server::new("surface", "1").tools(tools![look]).without_auth()
}

#[tokio::test]
async fn the_header_of_an_argument_is_published_with_it() {
    let properties = listed(&client(tools![look]), "look").await["inputSchema"]["properties"].clone();

    assert_eq!(properties["region"], json!({"type": "string", "maxLength": 20, "x-mcp-header": "Region"}));
    assert_eq!(properties["level"], json!({"type": "integer", "x-mcp-header": "Level"}));
    assert_eq!(properties["deep"]["x-mcp-header"], "Deep");
}

#[tokio::test]
async fn a_header_that_repeats_its_argument_passes() {
    let running = start(server()).await;

    let call = Call::tool("look", &json!({"region": "Zürich", "level": 42.0, "deep": true}))
        .header("Mcp-Param-Region: =?base64?WsO8cmljaA==?=")
        .header("mcp-param-level: 42")
        .header("MCP-PARAM-DEEP: true");

    assert_eq!(call.send(running.address).await.result()["content"][0]["text"], "Zürich Some(42) true");
}

#[tokio::test]
async fn an_argument_that_is_left_out_needs_no_header() {
    let running = start(server()).await;

    let call = Call::tool("look", &json!({"region": "here"})).header("Mcp-Param-Region: here");

    assert_eq!(call.send(running.address).await.result()["content"][0]["text"], "here None false");
}

#[tokio::test]
async fn a_header_that_is_missing_or_differs_is_refused() {
    let running = start(server()).await;
    let call = || Call::tool("look", &json!({"region": "here"}));

    let missing = call().send(running.address).await;
    let differs = call().header("Mcp-Param-Region: there").send(running.address).await;
    let too_many =
        call().header("Mcp-Param-Region: here").header("Mcp-Param-Level: 1").send(running.address).await;

    let verdicts = [missing.verdict(), differs.verdict(), too_many.verdict()];
    assert_eq!(verdicts, [(400, -32020), (400, -32020), (400, -32020)]);
}

#[tokio::test]
async fn the_client_in_memory_sends_the_headers_that_a_tool_wants() {
    let request = look { region: "Zürich".try_into().unwrap(), level: Some(3), deep: true };

    let said = client(tools![look]).call(request).await;

    assert_eq!(said.unwrap(), "Zürich Some(3) true");
}
