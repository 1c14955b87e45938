//! A call that takes too long is stopped, and the model is told.

use std::time::Duration;

use serde_json::json;
use tokio::time::Instant;
use tollgate::{Limits, prelude::*};
use tollgate_tests::start;

use crate::{Stage, call, hang, hang_streaming, ping, server, stage, streamed, works};

const TOLD: &str = "It took too long and was stopped. Ask for less, or try again later.";

fn limits(time: Duration) -> Limits {
    let mut limits = Limits::default();
    limits.call_time = time;
    limits
}

#[tokio::test(start_paused = true)]
async fn a_call_past_its_deadline_is_told_to_the_model() {
    let (stage, mut director) = stage();
    let client = server(stage, tools![hang]).client("ann");
    let begun = Instant::now();

    let told = client.call(hang {}).await.unwrap_err();

    assert_eq!(told.text(), TOLD);
    assert_eq!(begun.elapsed().as_secs(), 60);
    director.hears("started").await;
    director.hears("dropped").await;
}

/// Waits for its own time.
///
/// Use when two minutes are needed.
/// Do not use when one is enough.
#[tool(max_seconds = 120)]
async fn patient(cx: &Cx<Stage>) -> String {
    let left = cx.deadline() - Instant::now();
    cx.state().opened().await;
    format!("{}", left.as_secs())
}

#[tokio::test(start_paused = true)]
async fn a_tool_has_the_deadline_that_it_names() {
    let client = server(stage().0, tools![patient]).client("ann");
    let begun = Instant::now();

    let told = client.call(patient {}).await.unwrap_err();

    assert_eq!(told.text(), TOLD);
    assert_eq!(begun.elapsed().as_secs(), 120);
}

#[tokio::test(start_paused = true)]
async fn a_tool_knows_its_deadline() {
    let (stage, director) = stage();
    director.open();
    let client = server(stage, tools![patient]).client("ann");

    assert_eq!(client.call(patient {}).await.unwrap(), "120");
}

#[tokio::test]
async fn a_call_past_its_deadline_answers_on_a_socket() {
    let (stage, mut director) = stage();
    let running = start(server(stage, tools![hang, ping]).limits(limits(Duration::from_millis(100)))).await;

    let answer = call("hang").send(running.address).await;

    assert_eq!((answer.status, &answer.result()["isError"]), (200, &json!(true)));
    assert_eq!(answer.result()["content"][0]["text"], TOLD);
    director.hears("started").await;
    director.hears("dropped").await;
    works(running.address).await;
}

#[tokio::test]
async fn a_stream_past_its_deadline_ends_with_the_answer() {
    let (stage, mut director) = stage();
    let running =
        start(server(stage, tools![hang_streaming]).limits(limits(Duration::from_millis(100)))).await;

    let answer = streamed("hang_streaming").send(running.address).await;

    assert_eq!(answer.events().len(), 2);
    assert_eq!(answer.result()["content"][0]["text"], TOLD);
    director.hears("started").await;
    director.hears("dropped").await;
}

/// Never ends.
#[prompt]
async fn endless() -> String {
    std::future::pending().await
}

#[tokio::test(start_paused = true)]
async fn a_prompt_past_its_deadline_is_an_internal_error() {
    let client = Server::new("lifecycle", "1").prompts(prompts![endless]).without_auth().client("ann");

    let response = client.request("prompts/get", json!({"name": "endless"})).await.response;

    assert_eq!(response["error"]["code"], -32603);
}
