//! The client in memory: typed, raw, and answering what tools ask.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use http::Request;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tollgate::prelude::*;

#[derive(Elicit, Serialize, Deserialize, JsonSchema)]
struct Hold {
    /// Hold this table?
    hold: bool,
    /// Anything the kitchen should know.
    allergies: Option<Text<200>>,
}

#[derive(Clone, Default)]
struct Tables {
    offered: Arc<AtomicU32>,
    booked: Arc<AtomicU32>,
}

/// Books a table.
///
/// Use when the day is settled.
/// Do not use when it is not.
#[tool]
async fn book(cx: &Cx<Tables>, day: Text<10>) -> Result<String> {
    let offer = async { Ok::<_, ToolError>(cx.state().offered.fetch_add(1, Ordering::Relaxed) + 1) };
    let table: u32 = cx.keep("table", offer).await?;
    let answer: Hold = cx.ask(format!("Table {table} on {day}. Hold it?")).await?;
    if !answer.hold {
        fail!("The guest said no. Offer another day.");
    }
    cx.redeem().await?;
    cx.state().booked.fetch_add(1, Ordering::Relaxed);
    Ok(format!("table {table}, {}", answer.allergies.as_deref().unwrap_or("eats all")))
}

fn request() -> book {
    book { day: "2026-09-01".try_into().unwrap() }
}

fn server() -> (Server<Tables>, Tables) {
    let tables = Tables::default();
    (Server::new("surface", "1").state(tables.clone()).tools(tools![book]).without_auth(), tables)
}

#[tokio::test]
async fn a_typed_call_answers_what_the_tool_asks() {
    let (server, tables) = server();
    let guest = server.client("guest").answer(|message| {
        assert_eq!(message, "Table 1 on 2026-09-01. Hold it?");
        Some(Hold { hold: true, allergies: Some("nuts".try_into().unwrap()) })
    });

    assert_eq!(guest.call(request()).await.unwrap(), "table 1, nuts");

    let counts = (tables.offered.load(Ordering::Relaxed), tables.booked.load(Ordering::Relaxed));
    assert_eq!(counts, (1, 1));
}

#[tokio::test]
async fn nothing_is_booked_without_a_yes() {
    let (server, tables) = server();
    let no = server.client("guest").answer(|_| Some(Hold { hold: false, allergies: None }));
    let declines = server.client("guest").answer::<Hold>(|_| None);

    assert_eq!(no.call(request()).await.unwrap_err().text(), "The guest said no. Offer another day.");
    assert_eq!(
        declines.call(request()).await.unwrap_err().text(),
        "The user declined to answer. Ask them how to go on."
    );

    assert_eq!(tables.booked.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn a_client_that_cannot_show_forms_is_refused_before_it_is_asked() {
    let (server, _) = server();

    let exchange = server
        .client("guest")
        .request("tools/call", json!({"name": "book", "arguments": {"day": "2026-09-01"}}))
        .await;

    assert_eq!((exchange.status, &exchange.response["error"]["code"]), (400, &json!(-32021)));
    assert_eq!(
        exchange.response["error"]["data"]["requiredCapabilities"],
        json!({"elicitation": {"form": {}}})
    );
}

#[tokio::test]
async fn a_question_travels_with_its_form_and_sealed_state() {
    let (server, _) = server();
    let client = server.client("guest").capabilities(json!({"elicitation": {}}));
    let params = json!({"name": "book", "arguments": {"day": "2026-09-01"}});

    let result = client.request("tools/call", params).await.response["result"].clone();

    assert_eq!(result["resultType"], "input_required");
    let question = &result["inputRequests"]["hold"];
    assert_eq!(question["method"], "elicitation/create");
    assert_eq!(
        question["params"]["requestedSchema"],
        json!({
            "type": "object",
            "properties": {
                "hold": {"type": "boolean", "description": "Hold this table?"},
                "allergies": {
                    "type": "string",
                    "maxLength": 200,
                    "description": "Anything the kitchen should know.",
                },
            },
            "required": ["hold"],
        }),
    );
    assert!(result["requestState"].is_string());
}

#[tokio::test]
async fn a_typed_call_of_an_unknown_tool_tells_the_code() {
    let server = Server::new("surface", "1").tools(tools![other]).without_auth();

    let error = server.client("ann").call(request()).await.unwrap_err();

    assert_eq!(error.text(), "-32602: Unknown tool: book");
}

/// Does something else.
///
/// Use when it is wanted.
/// Do not use when it is not.
#[tool]
async fn other(cx: &Cx) -> String {
    cx.progress("half").await;
    "done".into()
}

#[tokio::test]
async fn an_exchange_holds_what_came_before_the_response() {
    let client = Server::new("surface", "1").tools(tools![other]).without_auth().client("ann");
    let params = json!({"name": "other", "arguments": {}, "_meta": {"progressToken": "p"}});

    let exchange = client.request("tools/call", params).await;

    assert_eq!(exchange.status, 200);
    assert_eq!(
        exchange.notifications[0]["params"],
        json!({"progressToken": "p", "progress": 1, "message": "half"})
    );
    assert_eq!(exchange.response["result"]["content"][0]["text"], "done");
}

#[tokio::test]
async fn a_raw_request_passes_the_same_gates() {
    let client = Server::new("surface", "1").tools(tools![other]).without_auth().client("ann");
    let request = |host: &str| {
        Request::post("/mcp")
            .header("host", host)
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .body(r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#.to_owned())
            .unwrap()
    };

    let good = client.send(request("localhost")).await;
    let bad = client.send(request("evil.example.com")).await;

    let good: Value = serde_json::from_slice(good.body()).unwrap();
    assert_eq!(good, json!({"jsonrpc": "2.0", "id": 7, "result": {}}));
    assert_eq!(bad.status(), 403);
}
