//! Asking reads straight down, whatever shape the asking has.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tollgate::{Answer, FormField, prelude::*};

#[derive(Elicit, Serialize, Deserialize, JsonSchema)]
struct Name {
    /// What is it?
    name: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Colour {
    Red,
    Blue,
}

impl FormField for Colour {}

#[derive(Elicit, Serialize, Deserialize, JsonSchema)]
#[elicit(key = "taste")]
struct Taste {
    colour: Colour,
    #[schemars(range(min = 1, max = 3))]
    rank: Option<u8>,
    sure: bool,
}

/// Asks two things at once.
///
/// Use when both are wanted.
/// Do not use when one is.
#[tool]
async fn both(cx: &Cx) -> Result<String> {
    let (name, taste) = tokio::join!(cx.ask::<Name>("Who?"), cx.ask::<Taste>("Which?"));
    let (name, taste) = (name?, taste?);
    Ok(format!("{} {}", name.name, if matches!(taste.colour, Colour::Red) { "red" } else { "blue" }))
}

/// Asks the same form twice.
///
/// Use when two names are wanted.
/// Do not use when one is.
#[tool]
async fn twice(cx: &Cx) -> Result<String> {
    let first: Name = cx.ask("Who?").await?;
    let second: Name = cx.ask(format!("And beside {}?", first.name)).await?;
    Ok(format!("{} and {}", first.name, second.name))
}

/// Lets a task of its own ask.
///
/// Use when the work is elsewhere.
/// Do not use when it is here.
#[tool]
async fn child(cx: &Cx) -> Result<String> {
    let cx = cx.clone();
    let asked = tokio::spawn(async move { cx.ask::<Name>("Who?").await.map(|it| it.name) });
    asked.await?
}

/// Asks, and does not wait.
///
/// Use when the answer comes first.
/// Do not use when it does not.
#[tool]
async fn impatient(cx: &Cx) -> String {
    tokio::select! {
        biased;
        _ = cx.ask::<Name>("Who?") => "asked".into(),
        () = std::future::ready(()) => "not asked".into(),
    }
}

/// Tells apart what was done with a question.
///
/// Use when it matters.
/// Do not use when it does not.
#[tool]
async fn judge(cx: &Cx) -> Result<&'static str> {
    Ok(match cx.try_ask::<Name>("Who?").await? {
        Answer::Accept(_) => "accepted",
        Answer::Decline => "declined",
        Answer::Cancel => "cancelled",
    })
}

fn server() -> Server {
    Server::new("surface", "1").tools(tools![both, twice, child, impatient, judge]).without_auth()
}

fn name(name: &str) -> Option<Name> {
    Some(Name { name: name.into() })
}

#[tokio::test]
async fn two_questions_at_once_go_out_in_one_round() {
    let client = server().client("ann").capabilities(json!({"elicitation": {}}));

    let result =
        client.request("tools/call", json!({"name": "both", "arguments": {}})).await.response["result"]
            .clone();

    let questions = result["inputRequests"].as_object().unwrap();
    assert_eq!(questions.keys().collect::<Vec<_>>(), ["name", "taste"]);
    let form = &questions["taste"]["params"]["requestedSchema"];
    assert_eq!(form["properties"]["colour"], json!({"type": "string", "enum": ["red", "blue"]}));
    assert_eq!(form["properties"]["rank"], json!({"type": "integer", "minimum": 1, "maximum": 3}));
    assert_eq!(form["required"], json!(["colour", "sure"]));
}

#[tokio::test]
async fn two_questions_at_once_are_answered_at_once() {
    let rounds = Arc::new(AtomicU32::new(0));
    let counted = rounds.clone();
    let client = server()
        .client("ann")
        .answer(move |_| {
            counted.fetch_add(1, Ordering::Relaxed);
            name("Ann")
        })
        .answer(|_| Some(Taste { colour: Colour::Blue, rank: None, sure: true }));

    assert_eq!(client.call(both {}).await.unwrap(), "Ann blue");

    assert_eq!(rounds.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn the_same_form_can_be_asked_twice() {
    let client =
        server().client("ann").answer(|asked| if asked == "Who?" { name("Ann") } else { name("Bob") });

    assert_eq!(client.call(twice {}).await.unwrap(), "Ann and Bob");
}

#[tokio::test]
async fn a_task_of_the_tool_s_own_can_ask() {
    let client = server().client("ann").answer(|_| name("Ann"));

    assert_eq!(client.call(child {}).await.unwrap(), "Ann");
}

#[tokio::test]
async fn a_tool_that_returns_while_a_question_is_open_wins() {
    let client = server().client("ann").answer(|_| name("Ann"));

    assert_eq!(client.call(impatient {}).await.unwrap(), "not asked");
}

#[tokio::test]
async fn what_was_done_with_a_question_can_be_told_apart() {
    let client = server().client("ann").capabilities(json!({"elicitation": {}}));
    let first = client.request("tools/call", json!({"name": "judge", "arguments": {}})).await.response;
    let state = &first["result"]["requestState"];
    let answered = async |answer: Value| {
        let params = json!({
            "name": "judge", "arguments": {}, "requestState": state, "inputResponses": {"name": answer},
        });
        client.request("tools/call", params).await.response["result"]["content"][0]["text"].clone()
    };

    let accepted = answered(json!({"action": "accept", "content": {"name": "Ann"}})).await;
    let declined = answered(json!({"action": "decline"})).await;
    let cancelled = answered(json!({"action": "cancel"})).await;

    assert_eq!([accepted, declined, cancelled], ["accepted", "declined", "cancelled"]);
}

#[tokio::test]
async fn an_answer_that_does_not_fit_the_form_is_asked_for_again() {
    let client = server().client("ann").capabilities(json!({"elicitation": {}}));
    let first = client.request("tools/call", json!({"name": "judge", "arguments": {}})).await.response;
    let params = json!({
        "name": "judge",
        "arguments": {},
        "requestState": first["result"]["requestState"],
        "inputResponses": {"name": {"action": "accept", "content": {"name": 3}}},
    });

    let second = client.request("tools/call", params).await.response["result"].clone();

    assert_eq!(second["resultType"], "input_required");
    assert_eq!(second["inputRequests"]["name"]["params"]["message"], "Who?");
}
