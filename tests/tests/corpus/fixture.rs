//! The server that takes the input: whatever of it runs, counts that it ran.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tollgate::{Limits, prelude::*};
use tollgate_tests::Call;

use super::base64;

/// How often anything of the app's has run.
#[derive(Clone, Debug, Default)]
pub(super) struct Runs(Arc<AtomicUsize>);

impl Runs {
    pub(super) fn one(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }

    pub(super) fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

/// The server, and the count of what it ran.
pub(super) fn server() -> (Server<Runs>, Runs) {
    server_with(|_| {})
}

/// The same with other limits.
pub(super) fn server_with(limit: impl FnOnce(&mut Limits)) -> (Server<Runs>, Runs) {
    let runs = Runs::default();
    let mut limits = Limits::default();
    limits.page_items = 2;
    limit(&mut limits);
    let server = Server::new("corpus", "1")
        .state(runs.clone())
        .limits(limits)
        .secret(Secret::random().expect("there is randomness"))
        .tools(vec![take()])
        .tools(tools![hold, keep_table, broken, panicking])
        .prompts(vec![brief("brief"), brief("summary"), brief("outline")])
        .prompts(prompts![confirm])
        .resources(vec![resource("test://plain"), resource("test://other"), resource("test://item/{id}")])
        .resources(vec![asking_resource("test://ask/{id}")])
        .resources(vec![resource("test://notes"), resource("test://day/{day}/{part}")]);
    (server.without_auth(), runs)
}

/// Takes anything and says it back; some of it is mirrored into headers.
fn take() -> Tool<Runs> {
    let schema = json!({
        "type": "object",
        "properties": {
            "v": true,
            "region": {"type": "string", "x-mcp-header": "Region"},
            "count": {"type": "integer", "x-mcp-header": "Count"},
            "flag": {"type": "boolean", "x-mcp-header": "Flag"},
            "deep": {"type": "object", "properties": {"zone": {"type": "string", "x-mcp-header": "Zone"}}},
        },
    });
    let said = "Takes anything and says it back.";
    Tool::new("take", said, schema, async |cx: Cx<Runs>, arguments: Map<String, Value>| {
        cx.state().one();
        Ok(Value::Object(arguments).to_string())
    })
}

/// What is asked before a table is held.
#[derive(Debug, Elicit, Serialize, Deserialize, JsonSchema)]
pub(super) struct Sure {
    /// Hold it?
    sure: bool,
}

/// Holds a table once the guest agrees.
///
/// Use when a table has to be held.
/// Do not use when the guest is not there.
#[tool]
async fn hold(cx: &Cx<Runs>, table: String) -> Result<String> {
    cx.state().one();
    let answer: Sure = cx.ask("Hold it?").await?;
    Ok(format!("{table}: {}", answer.sure))
}

/// Holds a table in another way once the guest agrees.
///
/// Use when a table has to be held.
/// Do not use when the guest is not there.
#[tool]
async fn keep_table(cx: &Cx<Runs>, table: String) -> Result<String> {
    cx.state().one();
    let answer: Sure = cx.ask("Keep it?").await?;
    Ok(format!("{table}: {}", answer.sure))
}

/// Fails with what nobody outside may read.
///
/// Use when a failure has to be seen.
/// Do not use when anything has to work.
#[tool]
async fn broken(cx: &Cx<Runs>) -> Result<String> {
    cx.state().one();
    Err(std::io::Error::other("SELECT canary FROM /etc/canary at http://canary.internal"))?;
    Ok(String::new())
}

/// Panics with what nobody outside may read.
///
/// Use when a panic has to be seen.
/// Do not use when anything has to work.
#[tool]
async fn panicking(cx: &Cx<Runs>) -> Result<String> {
    cx.state().one();
    panic!("canary at /home/canary/src/main.rs");
}

fn brief(name: &str) -> Prompt<Runs> {
    Prompt::new(name, "Briefs on a topic.", async |cx: Cx<Runs>, arguments: Map<String, Value>| {
        cx.state().one();
        Ok(format!("Brief me on {}.", arguments["topic"]))
    })
    .argument("topic", "The topic.", true)
    .complete("topic", async |cx: Cx<Runs>, _typed: String| {
        cx.state().one();
        Ok(vec!["weather".to_owned()])
    })
}

/// Asks before it says anything.
#[prompt]
async fn confirm(
    cx: &Cx<Runs>,
    /// What to confirm.
    table: String,
) -> Result<String> {
    cx.state().one();
    let answer: Sure = cx.ask("Sure?").await?;
    Ok(format!("{table}: {}", answer.sure))
}

/// A resource, or a template, that says its variables.
pub(super) fn resource(uri: &str) -> Resource<Runs> {
    Resource::new(uri, uri, async |cx: Cx<Runs>, variables: Map<String, Value>| {
        cx.state().one();
        Ok(Value::Object(variables).to_string())
    })
}

fn asking_resource(uri: &str) -> Resource<Runs> {
    Resource::new(uri, uri, async |cx: Cx<Runs>, variables: Map<String, Value>| {
        cx.state().one();
        let answer: Sure = cx.ask("Sure?").await?;
        Ok(format!("{}: {answer:?}", variables["id"]))
    })
}

/// The methods that any client may call, and how often each of them runs something of the app's.
pub(super) const METHODS: [(&str, usize); 9] = [
    ("server/discover", 0),
    ("tools/list", 0),
    ("tools/call", 1),
    ("prompts/list", 0),
    ("prompts/get", 1),
    ("resources/list", 0),
    ("resources/templates/list", 0),
    ("resources/read", 1),
    ("completion/complete", 1),
];

/// A good call of a method, with every header that belongs to it.
pub(super) fn good(method: &str) -> Call {
    match method {
        "tools/call" => take_with(&json!({
            "v": [1], "region": "~?>x", "count": 42, "flag": true, "deep": {"zone": "Zone b"},
        })),
        "prompts/get" => Call::modern(method, json!({"name": "brief", "arguments": {"topic": "rain"}})),
        "resources/read" => Call::modern(method, json!({"uri": "test://item/Seven"})),
        "completion/complete" => {
            let reference = json!({"type": "ref/prompt", "name": "brief"});
            Call::modern(method, json!({"ref": reference, "argument": {"name": "topic", "value": "w"}}))
        }
        _ => Call::modern(method, json!({})),
    }
}

/// A good call of the tool that takes anything.
pub(super) fn take_with(arguments: &Value) -> Call {
    let mut call = Call::tool("take", arguments);
    for (header, path) in MIRRORED {
        let value = path.iter().try_fold(arguments, |value, name| value.get(name));
        match value {
            None | Some(Value::Null) => {}
            Some(Value::String(text)) => call = call.replace(header, written(text)),
            Some(value) => call = call.replace(header, value.to_string()),
        }
    }
    call
}

/// What `take` mirrors: the header, and where its value stands.
pub(super) const MIRRORED: [(&str, &[&str]); 4] = [
    ("Mcp-Param-Region", &["region"]),
    ("Mcp-Param-Count", &["count"]),
    ("Mcp-Param-Flag", &["flag"]),
    ("Mcp-Param-Zone", &["deep", "zone"]),
];

/// A text as a header carries it.
pub(super) fn written(text: &str) -> String {
    let is_plain = text.bytes().all(|it| (b' '..=b'~').contains(&it));
    let is_sentinel = text.starts_with("=?base64?") && text.ends_with("?=");
    if is_plain && !is_sentinel && text.trim() == text { text.to_owned() } else { sentinel(text.as_bytes()) }
}

/// Bytes as a header carries what it cannot carry plainly.
pub(super) fn sentinel(bytes: &[u8]) -> String {
    format!("=?base64?{}?=", base64::encode(bytes))
}

/// The same call with the headers that its body asks for.
pub(super) fn headers_of(call: Call) -> Call {
    let body: Value = serde_json::from_slice(&call.body).expect("the body is JSON");
    let method = body["method"].as_str().unwrap_or_default();
    let name = match method {
        "tools/call" | "prompts/get" => body["params"]["name"].as_str(),
        "resources/read" => body["params"]["uri"].as_str(),
        _ => None,
    };
    // The method has no encoding, so one that no header can carry is left out there.
    let is_plain = method.bytes().all(|it| (b' '..=b'~').contains(&it));
    let call = if is_plain { call.replace("Mcp-Method", method) } else { call.without("Mcp-Method") };
    match name {
        Some(name) => call.replace("Mcp-Name", written(name)),
        None => call.without("Mcp-Name"),
    }
}
