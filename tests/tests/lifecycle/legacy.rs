//! Sessions, standing streams and questions of clients that open with `initialize`.

use std::net::SocketAddr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tollgate::{Resource, Sampling, prelude::*};
use tollgate_tests::{Call, Connection, Running, start};

use crate::{Stage, ping, server, stage};

const VERSION: &str = "2025-11-25";

fn legacy(method: &str, params: Value, session: &str) -> Call {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    within(Call::post(&body.to_string()), session)
}

fn within(call: Call, session: &str) -> Call {
    call.header(format!("MCP-Protocol-Version: {VERSION}")).header(format!("Mcp-Session-Id: {session}"))
}

/// Opens a session of a client that can do this.
async fn initialize(address: SocketAddr, capabilities: Value) -> String {
    let params = json!({
        "protocolVersion": VERSION,
        "capabilities": capabilities,
        "clientInfo": {"name": "old", "version": "1"},
    });
    let body = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
    let answer = Call::post(&body.to_string()).send(address).await;
    assert_eq!(answer.result()["protocolVersion"], VERSION);
    answer.header("mcp-session-id").expect("a session is opened").to_owned()
}

fn verb(verb: &str, session: &str) -> Call {
    let mut call = within(Call::post(""), session).replace("Accept", "text/event-stream");
    call = call.without("Content-Type");
    call.line = format!("{verb} /mcp HTTP/1.1");
    call.with_length = false;
    call
}

async fn stream(running: &Running, session: &str) -> Connection {
    let mut connection = Connection::open(running.address).await;
    connection.send(&verb("GET", session).bytes()).await;
    let head = connection.head().await;
    assert_eq!((head.status, head.header("content-type")), (200, Some("text/event-stream")));
    connection
}

fn everything() -> Server<Stage> {
    let resource = |uri: &str| -> Resource<Stage> { Resource::new(uri, "r", async |_cx, _| Ok("made")) };
    server(stage().0, tools![ping, chats, samples, asks_once])
        .resources(vec![resource("made://r"), resource("made://s")])
        .logging()
}

fn made(name: &str) -> Tool<Stage> {
    Tool::new(name, "Is made.", json!({"type": "object"}), async |_cx, _: Map<String, Value>| Ok("made"))
}

#[tokio::test]
async fn a_standing_stream_hears_of_changes_of_lists() {
    let server = everything();
    let catalog = server.catalog();
    let running = start(server).await;
    let session = initialize(running.address, json!({})).await;
    let mut stream = stream(&running, &session).await;

    catalog.add_tool(made("new")).unwrap();

    let told = stream.event().await.unwrap();
    assert_eq!(told, json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": {}}));
}

#[tokio::test]
async fn a_standing_stream_hears_of_the_resources_that_it_subscribed_to() {
    let server = everything();
    let catalog = server.catalog();
    let running = start(server).await;
    let session = initialize(running.address, json!({})).await;
    let mut stream = stream(&running, &session).await;
    let subscribed = legacy("resources/subscribe", json!({"uri": "made://r"}), &session);
    assert_eq!(subscribed.send(running.address).await.result(), json!({}));

    catalog.resource_updated("made://s");
    catalog.resource_updated("made://r");

    let told = stream.event().await.unwrap();
    assert_eq!(told["method"], "notifications/resources/updated");
    assert_eq!(told["params"], json!({"uri": "made://r"}));
    let unsubscribed = legacy("resources/unsubscribe", json!({"uri": "made://r"}), &session);
    assert_eq!(unsubscribed.send(running.address).await.result(), json!({}));
    catalog.resource_updated("made://r");
    catalog.add_tool(made("new")).unwrap();
    assert_eq!(stream.event().await.unwrap()["method"], "notifications/tools/list_changed");
}

#[tokio::test]
async fn a_subscription_of_one_session_is_not_that_of_another() {
    let server = everything();
    let catalog = server.catalog();
    let running = start(server).await;
    let (ann, bob) =
        (initialize(running.address, json!({})).await, initialize(running.address, json!({})).await);
    assert_ne!(ann, bob);
    let (mut to_ann, mut to_bob) = (stream(&running, &ann).await, stream(&running, &bob).await);
    legacy("resources/subscribe", json!({"uri": "made://r"}), &ann).send(running.address).await;

    catalog.resource_updated("made://r");
    catalog.add_tool(made("new")).unwrap();

    assert_eq!(to_bob.event().await.unwrap()["method"], "notifications/tools/list_changed");
    let mut told = [to_ann.event().await.unwrap(), to_ann.event().await.unwrap()];
    told.sort_by_key(|it| it["method"].to_string());
    assert_eq!(told[0]["method"], "notifications/resources/updated");
}

#[tokio::test]
async fn a_standing_stream_ends_when_the_server_stops() {
    let running = start(everything()).await;
    let session = initialize(running.address, json!({})).await;
    let mut stream = stream(&running, &session).await;

    running.stop().await.unwrap();

    assert!(stream.event().await.is_none());
}

#[tokio::test]
async fn a_change_is_told_on_one_of_the_streams_of_a_session() {
    let server = everything();
    let catalog = server.catalog();
    let running = start(server).await;
    let session = initialize(running.address, json!({})).await;
    let (mut first, mut second) = (stream(&running, &session).await, stream(&running, &session).await);

    catalog.add_tool(made("new")).unwrap();
    running.stop().await.unwrap();

    let told = [first.event().await, second.event().await];
    assert_eq!(told.iter().flatten().count(), 1, "{told:?}");
}

#[tokio::test]
async fn a_standing_stream_needs_a_session() {
    let running = start(everything()).await;
    let mut without = verb("GET", "x").without("Mcp-Session-Id");

    let missing = without.send(running.address).await;
    without = verb("GET", "forged");
    let forged = without.send(running.address).await;

    assert_eq!((missing.status, forged.status), (400, 404));
}

#[tokio::test]
async fn a_session_that_was_ended_is_gone() {
    let running = start(everything()).await;
    let session = initialize(running.address, json!({})).await;
    assert_eq!(legacy("ping", json!({}), &session).send(running.address).await.status, 200);

    let ended = verb("DELETE", &session).send(running.address).await;

    assert_eq!((ended.status, ended.body.len()), (204, 0));
    assert_eq!(legacy("ping", json!({}), &session).send(running.address).await.verdict(), (404, -32600));
    assert_eq!(verb("GET", &session).send(running.address).await.status, 404);
    assert_eq!(verb("DELETE", &session).send(running.address).await.status, 404);
    let other = initialize(running.address, json!({})).await;
    assert_eq!(legacy("ping", json!({}), &other).send(running.address).await.status, 200);
}

#[derive(Elicit, Serialize, Deserialize, JsonSchema)]
struct Name {
    /// What is it?
    name: String,
}

/// Asks for a name, twice.
///
/// Use when two names are wanted.
/// Do not use when they are known.
#[tool]
async fn chats(cx: &Cx<Stage>) -> Result<String> {
    let first: Name = cx.ask("Who?").await?;
    let second: Name = cx.ask("And who else?").await?;
    Ok(format!("{} and {}", first.name, second.name))
}

/// Asks for a name.
///
/// Use when one is wanted.
/// Do not use when it is known.
#[tool]
async fn asks_once(cx: &Cx<Stage>) -> Result<String> {
    let name: Name = cx.ask("Who?").await?;
    Ok(name.name)
}

/// Asks the client's model, and for its folders.
///
/// Use when both are wanted.
/// Do not use when neither is.
#[tool]
async fn samples(cx: &Cx<Stage>) -> Result<String> {
    let said = cx.sample(Sampling::new("What is two and two?", 10)).await?;
    let roots = cx.roots().await?;
    Ok(format!("{} {}", said.text(), roots[0].uri))
}

/// Calls a tool and gives back its stream and the first question on it.
async fn asked(running: &Running, session: &str, tool: &str) -> (Connection, Value) {
    let mut connection = Connection::open(running.address).await;
    connection.send(&legacy("tools/call", json!({"name": tool, "arguments": {}}), session).bytes()).await;
    let head = connection.head().await;
    assert_eq!((head.status, head.header("content-type")), (200, Some("text/event-stream")));
    let question = connection.event().await.unwrap();
    (connection, question)
}

async fn answer(running: &Running, session: &str, question: &Value, result: Value) -> u16 {
    let body = json!({"jsonrpc": "2.0", "id": question["id"], "result": result});
    within(Call::post(&body.to_string()), session).send(running.address).await.status
}

#[tokio::test]
async fn questions_go_out_on_the_stream_and_are_answered_by_post() {
    let running = start(everything()).await;
    let session = initialize(running.address, json!({"elicitation": {}})).await;

    let (mut connection, first) = asked(&running, &session, "chats").await;

    assert_eq!(
        (&first["method"], &first["params"]["message"]),
        (&json!("elicitation/create"), &json!("Who?"))
    );
    assert_eq!(first["params"]["requestedSchema"]["required"], json!(["name"]));
    let accept = |name: &str| json!({"action": "accept", "content": {"name": name}});
    assert_eq!(answer(&running, &session, &first, accept("Ann")).await, 202);
    let second = connection.event().await.unwrap();
    assert_eq!(second["params"]["message"], "And who else?");
    assert_ne!(first["id"], second["id"]);
    assert_eq!(answer(&running, &session, &second, accept("Bob")).await, 202);
    assert_eq!(connection.event().await.unwrap()["result"]["content"][0]["text"], "Ann and Bob");
    assert!(connection.event().await.is_none());
}

#[tokio::test]
async fn the_model_and_the_folders_of_a_client_are_asked_for() {
    let running = start(everything()).await;
    let session = initialize(running.address, json!({"sampling": {}, "roots": {}})).await;

    let (mut connection, question) = asked(&running, &session, "samples").await;

    assert_eq!(question["method"], "sampling/createMessage");
    assert_eq!(question["params"]["maxTokens"], 10);
    let said = json!({"role": "assistant", "model": "m", "content": {"type": "text", "text": "4"}});
    assert_eq!(answer(&running, &session, &question, said).await, 202);
    let question = connection.event().await.unwrap();
    assert_eq!(question["method"], "roots/list");
    assert_eq!(answer(&running, &session, &question, json!({"roots": [{"uri": "file:///a"}]})).await, 202);
    assert_eq!(connection.event().await.unwrap()["result"]["content"][0]["text"], "4 file:///a");
}

#[tokio::test]
async fn an_answer_from_another_session_is_ignored() {
    let running = start(everything()).await;
    let ann = initialize(running.address, json!({"elicitation": {}})).await;
    let bob = initialize(running.address, json!({"elicitation": {}})).await;
    let (mut connection, question) = asked(&running, &ann, "asks_once").await;

    let accept = |name: &str| json!({"action": "accept", "content": {"name": name}});
    assert_eq!(answer(&running, &bob, &question, accept("Bob")).await, 202);
    assert_eq!(answer(&running, &ann, &question, accept("Ann")).await, 202);

    assert_eq!(connection.event().await.unwrap()["result"]["content"][0]["text"], "Ann");
}

#[tokio::test]
async fn a_question_that_is_declined_or_answered_with_an_error_is_told_to_the_model() {
    let running = start(everything()).await;
    let session = initialize(running.address, json!({"elicitation": {}})).await;

    let (mut declined, question) = asked(&running, &session, "asks_once").await;
    answer(&running, &session, &question, json!({"action": "decline"})).await;
    let declined = declined.event().await.unwrap();
    let (mut failed, question) = asked(&running, &session, "asks_once").await;
    let error = json!({"jsonrpc": "2.0", "id": question["id"], "error": {"code": -1, "message": "secret"}});
    within(Call::post(&error.to_string()), &session).send(running.address).await;
    let failed = failed.event().await.unwrap();

    assert_eq!(
        declined["result"]["content"][0]["text"],
        "The user declined to answer. Ask them how to go on."
    );
    assert_eq!(failed["result"]["isError"], true);
    assert!(!failed.to_string().contains("secret"));
}

#[tokio::test]
async fn an_answer_that_does_not_fit_the_form_is_told_to_the_model() {
    let running = start(everything()).await;
    let session = initialize(running.address, json!({"elicitation": {}})).await;
    let (mut connection, question) = asked(&running, &session, "asks_once").await;

    answer(&running, &session, &question, json!({"action": "accept", "content": {"name": 3}})).await;

    assert_eq!(connection.event().await.unwrap()["result"]["isError"], true);
}

#[tokio::test]
async fn a_client_that_cannot_answer_is_not_asked() {
    let running = start(everything()).await;
    let session = initialize(running.address, json!({})).await;

    let answer =
        legacy("tools/call", json!({"name": "asks_once"}), &session).send(running.address).await.result();

    assert_eq!(answer["isError"], true);
    assert!(answer["content"][0]["text"].as_str().unwrap().contains("elicitation"), "{answer}");
}

/// Writes to the client's log.
///
/// Use when it has to be logged.
/// Do not use when not.
#[tool]
async fn logs(cx: &Cx<Stage>) -> String {
    cx.log(Level::Debug, "fine").await;
    cx.log(Level::Error, "bad").await;
    "done".into()
}

#[tokio::test]
async fn the_level_of_the_log_is_that_which_a_session_with_a_stream_has_set() {
    let running = start(everything().tools(tools![logs])).await;
    let session = initialize(running.address, json!({})).await;
    let _stream = stream(&running, &session).await;
    let logged = async || {
        let events = legacy("tools/call", json!({"name": "logs", "arguments": {}}), &session)
            .send(running.address)
            .await
            .events();
        let levels = events.iter().map(|it| it["params"]["level"].clone());
        levels.filter(|it| !it.is_null()).collect::<Vec<_>>()
    };

    let before = logged().await;
    let set = legacy("logging/setLevel", json!({"level": "debug"}), &session).send(running.address).await;
    let after = logged().await;

    assert_eq!(set.result(), json!({}));
    assert_eq!(before, ["error"]);
    assert_eq!(after, ["debug", "error"]);
}
