//! What these tests share: small servers, a clock that a test sets, and requests.

use std::{
    future::Future,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, SystemTime},
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tollgate::{
    Client, Clock, Exchange,
    prelude::*,
    serde_json::{Value, json},
};

/// A yes or no.
#[derive(Elicit, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Confirm {
    /// Go on?
    pub(crate) ok: bool,
}

/// A server of these tools that signs with a key which other servers of these tests have too.
pub(crate) fn server(tools: Vec<Tool>) -> Server {
    Server::new("patterns", "1").secret(secret(0)).tools(tools).without_auth()
}

/// One of several keys.
pub(crate) fn secret(number: usize) -> Secret {
    let keys = [
        "q7Zr1xWv93LmTt0pKc5YdNhB8sUeJf2A",
        "Gk48sVnB0yPwQe6ZcJrX2hTt9LmUaD5f",
        "r3FvYx7MzK1bWqHs6NdJ9tCgUe0PaL4i",
    ];
    Secret::new(keys[number].as_bytes()).unwrap()
}

/// A tool that takes any arguments.
pub(crate) fn tool<O, F, Fut>(name: &str, run: F) -> Tool
where
    O: tollgate::Output,
    F: Fn(Cx) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<O>> + Send + 'static,
{
    Tool::new(name, "Is there for a test.", json!({"type": "object"}), move |cx, _| run(cx))
}

/// A tool that says its name.
pub(crate) fn plain(name: &'static str) -> Tool {
    tool(name, move |_| async move { Ok(name) })
}

/// A tool that asks for a yes and says what it got.
pub(crate) fn confirming(name: &str) -> Tool {
    tool(name, async |cx: Cx| Ok(format!("ok: {}", cx.ask::<Confirm>("Go on?").await?.ok)))
}

/// A tool that never ends by itself.
pub(crate) fn endless(name: &str) -> Tool {
    tool(name, async |_| std::future::pending::<Result<()>>().await)
}

/// A caller that can show forms.
pub(crate) fn caller(server: &Server, name: &str) -> Client {
    server.client(name).capabilities(json!({"elicitation": {"form": {}}}))
}

/// Calls a tool once and gives back what came, whatever it is.
pub(crate) async fn call(client: &Client, name: &str, arguments: Value) -> Exchange {
    client.request("tools/call", json!({"name": name, "arguments": arguments})).await
}

/// Begins a call that asks, and gives back the state that came with the question.
pub(crate) async fn begin(client: &Client, name: &str, arguments: Value) -> String {
    let exchange = call(client, name, arguments).await;
    assert_eq!(result_type(&exchange), "input_required", "{exchange:?}");
    exchange.response["result"]["requestState"].as_str().unwrap().to_owned()
}

/// The retry of a call, with a yes.
pub(crate) async fn retry(client: &Client, name: &str, arguments: Value, state: Value) -> Exchange {
    let params = json!({
        "name": name, "arguments": arguments, "requestState": state, "inputResponses": {"confirm": yes()},
    });
    client.request("tools/call", params).await
}

/// An answer to [`Confirm`].
pub(crate) fn yes() -> Value {
    json!({"action": "accept", "content": {"ok": true}})
}

/// The code of the error; 0 when there is none.
pub(crate) fn code(exchange: &Exchange) -> i64 {
    exchange.response["error"]["code"].as_i64().unwrap_or(0)
}

/// The type of the result; empty when there is none.
pub(crate) fn result_type(exchange: &Exchange) -> &str {
    exchange.response["result"]["resultType"].as_str().unwrap_or_default()
}

/// The first text of the result; empty when there is none.
pub(crate) fn text(exchange: &Exchange) -> &str {
    exchange.response["result"]["content"][0]["text"].as_str().unwrap_or_default()
}

/// A clock that stands still until a test moves it.
#[derive(Clone)]
pub(crate) struct Hands(Arc<AtomicU64>);

impl Hands {
    /// A clock that shows the time now.
    pub(crate) fn now() -> Self {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
        Self(Arc::new(AtomicU64::new(now.as_secs())))
    }

    pub(crate) fn forward(&self, seconds: u64) {
        self.0.fetch_add(seconds, Relaxed);
    }

    pub(crate) fn back(&self, seconds: u64) {
        self.0.fetch_sub(seconds, Relaxed);
    }
}

impl Clock for Hands {
    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(self.0.load(Relaxed))
    }
}
