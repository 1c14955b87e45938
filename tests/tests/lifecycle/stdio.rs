//! One client on a pair of streams: cancelling, ids, and the end.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, duplex},
    task::JoinHandle,
    time::timeout,
};
use tollgate::{Limits, prelude::*};
use tollgate_tests::raw::meta;

use crate::{Director, Stage, hang, hang_streaming, ping, server, stage};

/// A client that speaks lines.
struct Client {
    input: DuplexStream,
    output: Lines<BufReader<DuplexStream>>,
    served: JoinHandle<std::io::Result<()>>,
}

fn client() -> (Client, Director) {
    client_with(Limits::default())
}

fn client_with(limits: Limits) -> (Client, Director) {
    let (stage, director) = stage();
    let server = server(stage, tools![hang, hang_streaming, ping]).limits(limits);
    (Client::of(server), director)
}

impl Client {
    fn of(server: Server<Stage>) -> Self {
        let (input, theirs) = duplex(64 * 1024);
        let (output, ours) = duplex(64 * 1024);
        let served = tokio::spawn(server.serve_streams(BufReader::new(theirs), output));
        Self { input, output: BufReader::new(ours).lines(), served }
    }

    async fn line(&mut self, line: &str) {
        self.input.write_all(format!("{line}\n").as_bytes()).await.expect("the server reads");
    }

    async fn request(&mut self, id: Value, method: &str, mut params: Value) {
        params["_meta"] = meta();
        self.line(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()).await;
    }

    async fn call(&mut self, id: Value, tool: &str) {
        self.request(id, "tools/call", json!({"name": tool, "arguments": {}})).await;
    }

    async fn cancel(&mut self, id: Value) {
        let params = json!({"requestId": id});
        self.line(
            &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}).to_string(),
        )
        .await;
    }

    async fn next(&mut self) -> Value {
        let line = timeout(Duration::from_secs(20), self.output.next_line()).await.expect("a line comes");
        serde_json::from_str(&line.unwrap().expect("the output is open")).unwrap()
    }

    /// Ends the input and gives back what is left of the output.
    async fn end(self) -> Vec<Value> {
        let Self { input, mut output, served } = self;
        drop(input);
        let mut rest = Vec::new();
        while let Some(line) = output.next_line().await.unwrap() {
            rest.push(serde_json::from_str(&line).unwrap());
        }
        served.await.unwrap().unwrap();
        rest
    }
}

#[tokio::test]
async fn a_call_is_answered_on_a_line() {
    let (mut client, _director) = client();

    client.call(json!("a"), "ping").await;

    let answer = client.next().await;
    assert_eq!((&answer["id"], &answer["result"]["content"][0]["text"]), (&json!("a"), &json!("pong")));
    assert!(client.end().await.is_empty());
}

#[tokio::test]
async fn a_cancelled_call_is_stopped_and_gets_no_answer() {
    let (mut client, mut director) = client();
    client.call(json!(1), "hang").await;
    director.hears("started").await;

    client.cancel(json!(1)).await;

    director.hears_within(Duration::from_millis(500), "dropped").await;
    client.call(json!(2), "ping").await;
    assert_eq!(client.next().await["id"], 2);
    assert!(client.end().await.is_empty());
}

#[tokio::test]
async fn an_id_is_free_again_once_its_call_has_stopped() {
    let (mut client, mut director) = client();
    client.call(json!(1), "hang").await;
    director.hears("started").await;

    client.cancel(json!(1)).await;
    director.hears("dropped").await;
    client.call(json!(1), "ping").await;

    assert_eq!(client.next().await["result"]["content"][0]["text"], "pong");
}

#[tokio::test]
async fn cancelling_what_is_unknown_changes_nothing() {
    let (mut client, mut director) = client();
    client.call(json!(1), "hang").await;
    director.hears("started").await;

    client.cancel(json!("1")).await;
    client.cancel(json!(null)).await;
    client.cancel(json!(9)).await;
    director.open();

    assert_eq!(client.next().await["result"]["content"][0]["text"], "done");
}

#[tokio::test]
async fn an_id_that_is_in_use_is_refused_and_the_first_call_goes_on() {
    let (mut client, mut director) = client();
    client.call(json!(1), "hang").await;
    director.hears("started").await;

    client.call(json!(1), "ping").await;

    let refused = client.next().await;
    assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!(1), &json!(-32600)));
    director.open();
    assert_eq!(client.next().await["result"]["content"][0]["text"], "done");
    client.call(json!(1), "ping").await;
    assert_eq!(client.next().await["result"]["content"][0]["text"], "pong");
}

#[tokio::test]
async fn answers_come_in_the_order_in_which_they_are_ready() {
    let (mut client, mut director) = client();
    client.call(json!(1), "hang").await;
    director.hears("started").await;
    client.call(json!(2), "ping").await;

    assert_eq!(client.next().await["id"], 2);

    director.open();
    assert_eq!(client.next().await["id"], 1);
}

#[tokio::test]
async fn the_end_of_the_input_lets_a_call_come_to_its_end() {
    let (mut client, mut director) = client();
    client.call(json!(1), "hang").await;
    director.hears("started").await;

    let (rest, ()) = tokio::join!(client.end(), async { director.open() });

    assert_eq!(rest.len(), 1);
    assert_eq!(rest[0]["result"]["content"][0]["text"], "done");
}

#[tokio::test(start_paused = true)]
async fn the_end_of_the_input_does_not_wait_for_ever() {
    let (mut client, mut director) = client();
    client.call(json!(1), "hang").await;
    director.hears("started").await;

    let rest = timeout(Duration::from_secs(6), client.end()).await.unwrap();

    assert!(rest.is_empty());
    director.hears("dropped").await;
}

#[tokio::test]
async fn the_end_of_the_input_ends_listeners_with_their_result() {
    let (mut client, _director) = client();
    client
        .request(json!(5), "subscriptions/listen", json!({"notifications": {"toolsListChanged": true}}))
        .await;
    assert_eq!(client.next().await["method"], "notifications/subscriptions/acknowledged");

    let rest = timeout(Duration::from_secs(1), client.end()).await.unwrap();

    assert_eq!(rest.last().unwrap()["id"], 5);
    assert_eq!(rest.last().unwrap()["result"]["resultType"], "complete");
}

#[tokio::test]
async fn a_line_that_is_no_message_is_told_and_the_next_one_works() {
    let (mut client, _director) = client();

    client.line("{").await;
    client.line("").await;
    client.line("[]").await;
    client.call(json!(1), "ping").await;

    let (first, second) = (client.next().await, client.next().await);
    assert_eq!((&first["error"]["code"], &second["error"]["code"]), (&json!(-32700), &json!(-32600)));
    assert!(first.get("id").is_none() && second.get("id").is_none());
    assert_eq!(client.next().await["id"], 1);
}

#[tokio::test]
async fn calls_over_the_limit_are_told() {
    let mut limits = Limits::default();
    limits.stdio_calls = 1;
    let (mut client, mut director) = client_with(limits);
    client.call(json!(1), "hang").await;
    director.hears("started").await;

    client.call(json!(2), "ping").await;

    let refused = client.next().await;
    assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!(2), &json!(-32600)));
    director.open();
    assert_eq!(client.next().await["id"], 1);
}

#[tokio::test]
async fn a_listener_can_be_cancelled() {
    let (mut client, _director) = client();
    client
        .request(json!(5), "subscriptions/listen", json!({"notifications": {"toolsListChanged": true}}))
        .await;
    assert_eq!(client.next().await["method"], "notifications/subscriptions/acknowledged");

    client.cancel(json!(5)).await;
    client.call(json!(6), "ping").await;

    assert_eq!(client.next().await["result"]["content"][0]["text"], "pong");
    assert!(client.end().await.is_empty());
}

#[tokio::test]
async fn two_listeners_with_the_same_id_cannot_be_told_apart_and_the_second_is_refused() {
    let (mut client, _director) = client();
    let listen = json!({"notifications": {"toolsListChanged": true}});
    client.request(json!(5), "subscriptions/listen", listen.clone()).await;
    assert_eq!(client.next().await["method"], "notifications/subscriptions/acknowledged");

    client.request(json!(5), "subscriptions/listen", listen).await;

    assert_eq!(client.next().await["error"]["code"], -32600);
}

#[tokio::test]
async fn a_progress_note_comes_before_the_result() {
    let (mut client, director) = client();
    director.open();
    let mut request = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "hang_streaming", "arguments": {}, "_meta": meta(),
    }});
    request["params"]["_meta"]["progressToken"] = json!("p");

    client.line(&request.to_string()).await;

    assert_eq!(client.next().await["params"]["message"], "started");
    assert_eq!(client.next().await["id"], 1);
}

#[derive(Elicit, Serialize, Deserialize, JsonSchema)]
struct Name {
    /// What is it?
    name: String,
}

/// Asks for a name.
///
/// Use when one is wanted.
/// Do not use when it is known.
#[tool]
async fn asks(cx: &Cx<Stage>) -> Result<String> {
    let name: Name = cx.ask("Who?").await?;
    Ok(name.name)
}

#[tokio::test]
async fn a_legacy_client_hears_of_changes_and_answers_questions_on_the_same_streams() {
    let (stage, _director) = stage();
    let server = server(stage, tools![asks, ping]);
    let catalog = server.catalog();
    let mut client = Client::of(server);
    let params = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {"elicitation": {}},
        "clientInfo": {"name": "old", "version": "1"},
    });
    let send = |id: u32, method: &str, params: Value| {
        json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()
    };
    client.line(&send(1, "initialize", params)).await;
    assert_eq!(client.next().await["result"]["protocolVersion"], "2025-11-25");
    client.line(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;

    assert!(catalog.remove_tool("ping"));

    assert_eq!(client.next().await["method"], "notifications/tools/list_changed");
    client.line(&send(2, "tools/call", json!({"name": "asks", "arguments": {}}))).await;
    let question = client.next().await;
    assert_eq!(question["method"], "elicitation/create");
    let result = json!({"action": "accept", "content": {"name": "Ann"}});
    client.line(&json!({"jsonrpc": "2.0", "id": question["id"], "result": result}).to_string()).await;
    let answer = client.next().await;
    assert_eq!((&answer["id"], &answer["result"]["content"][0]["text"]), (&json!(2), &json!("Ann")));
    assert!(client.end().await.is_empty());
}
