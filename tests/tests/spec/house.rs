//! The server that these tests talk to: everything that a server can offer, once.

use std::{net::SocketAddr, sync::Arc};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::{Notify, mpsc};
use tollgate::prelude::*;
use tollgate_tests::{Answer, Call, raw::meta};

/// What the tools of the house share with a test.
#[derive(Clone)]
pub(crate) struct House {
    events: mpsc::UnboundedSender<&'static str>,
    release: Arc<Notify>,
}

impl House {
    /// Tells the test what a call does.
    pub(crate) fn tell(&self, event: &'static str) {
        // A test that has seen enough no longer listens.
        let _ = self.events.send(event);
    }
}

/// The test's side of it.
pub(crate) struct Watch {
    pub(crate) events: mpsc::UnboundedReceiver<&'static str>,
    pub(crate) release: Arc<Notify>,
}

impl Watch {
    /// What a held call did next.
    pub(crate) async fn next(&mut self) -> &'static str {
        let next = tokio::time::timeout(std::time::Duration::from_secs(20), self.events.recv()).await;
        next.expect("something happens in time").expect("the server is there")
    }
}

// --- the tools ---

/// Says the text back.
///
/// Use when the text is wanted again.
/// Do not use when it is not.
#[tool(read_only)]
async fn echo(text: String) -> String {
    text
}

#[derive(Elicit, Serialize, Deserialize, JsonSchema)]
struct Person {
    /// What to call you.
    name: String,
}

/// Asks the user for a name, on behalf of somebody.
///
/// Use when a question has to be seen.
/// Do not use when nobody is there to answer.
#[tool]
async fn ask(cx: &Cx, host: String) -> Result<String> {
    let person: Person = cx.ask(format!("{host} wants to know your name.")).await?;
    Ok(format!("{host} greets {}", person.name))
}

/// Says how far it is and what it does, then the text.
///
/// Use when notifications have to be seen.
/// Do not use when the text is wanted alone.
#[tool(read_only)]
async fn say(cx: &Cx, text: String) -> String {
    cx.progress(&text).await;
    cx.log(Level::Warning, &text).await;
    text
}

/// Takes arguments that headers repeat.
///
/// Use when mirrored arguments have to be seen.
/// Do not use when there are no headers.
#[tool(read_only)]
async fn place(
    #[arg(header = "Region")] region: Option<String>,
    #[arg(header = "Count")] count: Option<i64>,
    #[arg(header = "Dry")] dry: Option<bool>,
) -> String {
    format!("{region:?} {count:?} {dry:?}")
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Weather {
    degrees: i32,
}

/// Tells the weather in numbers.
///
/// Use when structured output has to be seen.
/// Do not use when a text is enough.
#[tool(read_only)]
async fn weather() -> Weather {
    Weather { degrees: 21 }
}

/// Panics.
///
/// Use when a fault of the server has to be seen.
/// Do not use when anything has to work.
#[tool]
async fn panics() -> String {
    panic!("as it was told to")
}

/// Waits until it is let go.
///
/// Use when a call has to be in flight.
/// Do not use when an answer is wanted.
#[tool]
async fn hold(cx: &Cx<House>) -> String {
    let house = cx.state().clone();
    let left = Left(house.clone());
    let released = house.release.notified();
    house.tell("started");
    cx.progress("holding").await;
    released.await;
    house.tell("released");
    std::mem::forget(left);
    "let go".into()
}

/// Tells that a call was dropped before its end.
struct Left(House);

impl Drop for Left {
    fn drop(&mut self) {
        self.0.tell("dropped");
    }
}

// --- prompts and resources ---

/// Greets somebody.
#[prompt]
async fn greeting(#[arg(complete = names)] name: String) -> Result<String> {
    if name == "nobody" {
        fail!("Nobody cannot be greeted. Name a person.");
    }
    Ok(format!("Greet {name}."))
}

async fn names(_cx: &Cx, typed: &str) -> Vec<String> {
    ["Ann", "Anton", "Bea"].into_iter().filter(|it| it.starts_with(typed)).map(Into::into).collect()
}

/// Breaks.
#[prompt]
async fn broken() -> String {
    panic!("as it was told to")
}

/// A note that never changes.
#[resource(uri = "test://note", mime = "text/plain")]
async fn note() -> &'static str {
    "A note."
}

/// A note of any number.
#[resource(uri = "test://notes/{number}", mime = "text/plain")]
async fn numbered(number: String) -> String {
    format!("Note {number}.")
}

// --- the server ---

/// The server, and what its held calls do.
pub(crate) fn watched() -> (Server<House>, Watch) {
    let (sender, events) = mpsc::unbounded_channel();
    let release = Arc::new(Notify::new());
    let server = Server::new("house", "1")
        .state(House { events: sender, release: release.clone() })
        .logging()
        .instructions("Everything once.")
        .tools(tools![echo, ask, say, place, weather, panics, hold])
        .prompts(prompts![greeting, broken])
        .resources(resources![note, numbered])
        .without_auth();
    (server, Watch { events, release })
}

/// The same where nothing is held.
pub(crate) fn server() -> Server<House> {
    watched().0
}

// --- requests ---

/// The `_meta` of a client that can show forms.
pub(crate) fn meta_with_forms() -> Value {
    let mut meta = meta();
    meta["io.modelcontextprotocol/clientCapabilities"] = json!({"elicitation": {"form": {}}});
    meta
}

/// A call that reports progress under that token.
pub(crate) fn say_call(token: &str) -> Call {
    let params = json!({"name": "say", "arguments": {"text": token}});
    Call::modern("tools/call", params).edit(|it| it["params"]["_meta"]["progressToken"] = token.into())
}

/// A call of `ask` by a client that can show forms.
pub(crate) fn ask_call(host: &str) -> Call {
    let params = json!({"name": "ask", "arguments": {"host": host}, "_meta": meta_with_forms()});
    Call::modern("tools/call", params)
}

/// The same with the answer to the question of an earlier round.
pub(crate) fn ask_again(host: &str, asked: &Value, name: &str) -> Call {
    let answer = json!({"action": "accept", "content": {"name": name}});
    ask_call(host).edit(|it| {
        it["id"] = 2.into();
        it["params"]["requestState"] = asked["requestState"].clone();
        let questions = asked["inputRequests"].as_object().expect("there are questions");
        it["params"]["inputResponses"] =
            questions.keys().map(|it| (it.clone(), answer.clone())).collect::<serde_json::Map<_, _>>().into();
    })
}

/// A good request for each method that a server of this kind answers at once.
pub(crate) fn every_request() -> Vec<Call> {
    let reference = json!({"type": "ref/prompt", "name": "greeting"});
    let argument = json!({"name": "name", "value": "An"});
    vec![
        Call::modern("server/discover", json!({})),
        Call::modern("tools/list", json!({})),
        Call::tool("echo", &json!({"text": "hi"})),
        Call::tool("echo", &json!({"wrong": 1})),
        Call::tool("weather", &json!({})),
        Call::tool("say", &json!({"text": "hi"})),
        Call::modern("prompts/list", json!({})),
        Call::modern("prompts/get", json!({"name": "greeting", "arguments": {"name": "Ann"}})),
        Call::modern("resources/list", json!({})),
        Call::modern("resources/templates/list", json!({})),
        Call::modern("resources/read", json!({"uri": "test://note"})),
        Call::modern("resources/read", json!({"uri": "test://notes/7"})),
        Call::modern("completion/complete", json!({"ref": reference, "argument": argument})),
    ]
}

/// Sends them all.
pub(crate) async fn every_answer(address: SocketAddr) -> Vec<Answer> {
    let mut answers = Vec::new();
    for call in every_request() {
        answers.push(call.send(address).await);
    }
    answers
}

// --- legacy clients ---

/// The request that opens a legacy session.
pub(crate) fn initialize(capabilities: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": capabilities,
        "clientInfo": {"name": "raw", "version": "1"},
    }})
}

/// The id of a new legacy session.
pub(crate) async fn session(address: SocketAddr, capabilities: &Value) -> String {
    let answer = Call::post(&initialize(capabilities).to_string()).send(address).await;
    answer.header("mcp-session-id").expect("initialize opens a session").to_owned()
}

/// A good request in a legacy session.
pub(crate) fn legacy(session: &str, method: &str, params: &Value) -> Call {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    Call::post(&body.to_string())
        .header("MCP-Protocol-Version: 2025-11-25")
        .header(format!("Mcp-Session-Id: {session}"))
}

/// The legacy twins of [`every_request`], but for what only the modern wire has.
pub(crate) fn every_legacy_request(session: &str) -> Vec<Call> {
    let twin = |call: Call| {
        let body: Value = serde_json::from_slice(&call.body).expect("the body is JSON");
        let mut params = body["params"].clone();
        params.as_object_mut().expect("there are params").remove("_meta");
        (body["method"] != "server/discover")
            .then(|| legacy(session, body["method"].as_str().expect("there is a method"), &params))
    };
    every_request().into_iter().filter_map(twin).collect()
}
