//! A client in the same process, for tests. It sends real HTTP requests through every gate and reads real bytes.

use std::{
    collections::HashMap,
    fmt,
    future::poll_fn,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use bytes::Bytes;
use http::{Method, Request, Response};
use http_body::Body;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::{http::answer, whole::Whole};
use crate::{
    author::{
        ask::Elicit,
        error::{Result, ToolError},
        prompt::PromptRequest,
        tool::Request as ToolRequest,
    },
    caller::Caller,
    engine::Engine,
    ready::{EXTENSION, Facet, VERSION},
    wire::{names, version::Version},
};

type Answers = HashMap<&'static str, Arc<dyn Fn(&str) -> Option<Value> + Send + Sync>>;

/// A client in memory. [`Server::client`](crate::Server::client) makes one.
#[derive(Clone)]
pub struct Client {
    engine: Arc<Engine>,
    caller: Caller,
    capabilities: Value,
    answers: Answers,
    next_id: Arc<AtomicU64>,
}

/// All messages that one request brought.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Exchange {
    /// The HTTP status.
    pub status: u16,
    /// What came before the response.
    pub notifications: Vec<Value>,
    /// The response: an object with `result` or `error`.
    pub response: Value,
}

impl Client {
    pub(crate) fn new(engine: Arc<Engine>, caller: &str) -> Self {
        let caller = Caller::named(caller);
        Self { engine, caller, capabilities: json!({}), answers: HashMap::new(), next_id: Arc::default() }
    }

    /// The same caller with these scopes and no others. Without it a client in memory has all of them.
    #[must_use]
    pub fn with_scopes<T: Into<String>>(mut self, scopes: impl IntoIterator<Item = T>) -> Self {
        let name = self.caller.name().unwrap_or_default();
        self.caller = Caller::named_with(name, scopes.into_iter().map(Into::into));
        self
    }

    /// Answers questions of a form: `Some` sends it in, `None` declines. The client then declares that it can.
    #[must_use]
    pub fn answer<F: Elicit>(mut self, answer: impl Fn(&str) -> Option<F> + Send + Sync + 'static) -> Self {
        self.capabilities["elicitation"] = json!({"form": {}});
        let answer = move |message: &str| answer(message).and_then(|form| form.to_json());
        self.answers.insert(F::KEY, Arc::new(answer));
        self
    }

    /// Declares other capabilities.
    #[must_use]
    pub fn capabilities(mut self, capabilities: Value) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// Calls a tool with its typed request, and answers what it asks.
    ///
    /// # Errors
    /// What the tool said when it failed; for a protocol error, its code and message.
    pub async fn call<R>(&self, request: R) -> Result<R::Output>
    where
        R: ToolRequest,
        R::Output: DeserializeOwned,
    {
        let result =
            self.finished("tools/call", json!({"name": R::NAME, "arguments": request.arguments()})).await?;
        let text = result["content"][0]["text"].as_str().unwrap_or_default().to_owned();
        match result.get("structuredContent") {
            Some(structured) => Ok(serde_json::from_value(structured.clone())?),
            None => serde_json::from_value(Value::String(text))
                .or_else(|_| Ok(serde_json::from_value(Value::Null)?)),
        }
    }

    /// Calls a tool by name, and answers what it asks. The result is that of the protocol.
    ///
    /// # Errors
    /// What the tool said when it failed; for a protocol error, its code and message.
    pub async fn call_raw(&self, name: &str, arguments: Value) -> Result<Value> {
        self.finished("tools/call", json!({"name": name, "arguments": arguments})).await
    }

    /// Asks whether tools are ready. This adds no filters; put the question into [`request`](Self::request) by hand for
    /// those.
    ///
    /// # Errors
    /// The code and message of a protocol error.
    pub async fn preflight<T: Into<String>>(&self, ids: impl IntoIterator<Item = T>) -> Result<Facet> {
        let tools: Vec<Value> = ids.into_iter().map(|it| json!({"id": it.into()})).collect();
        let mut asking = self.clone();
        asking.capabilities["extensions"][EXTENSION] = json!({"version": VERSION});
        let result = asking.finished("tools/list", json!({"_meta": {EXTENSION: {"tools": tools}}})).await?;
        Ok(serde_json::from_value(result["_meta"][EXTENSION].clone())?)
    }

    /// Gets a prompt. The result is that of the protocol.
    ///
    /// # Errors
    /// The code and message of a protocol error.
    pub async fn prompt<R: PromptRequest>(&self, request: R) -> Result<Value> {
        let as_text = |value| match value {
            Value::String(text) => text,
            other => other.to_string(),
        };
        let arguments: Map<String, Value> =
            request.arguments().into_iter().map(|(name, value)| (name, as_text(value).into())).collect();
        self.finished("prompts/get", json!({"name": R::NAME, "arguments": arguments})).await
    }

    /// Reads a resource. The result is that of the protocol.
    ///
    /// # Errors
    /// The code and message of a protocol error.
    pub async fn read(&self, uri: &str) -> Result<Value> {
        self.finished("resources/read", json!({"uri": uri})).await
    }

    /// Asks and answers until there is a result.
    async fn finished(&self, method: &str, mut params: Value) -> Result<Value> {
        loop {
            let exchange = self.request(method, params.clone()).await;
            let result = match exchange.response.get("result") {
                Some(result) => result.clone(),
                None => {
                    let error = &exchange.response["error"];
                    let message = error["message"].as_str().unwrap_or_default();
                    return Err(ToolError::told(format!("{}: {message}", error["code"])));
                }
            };
            if result["resultType"] == "input_required" {
                params["inputResponses"] = self.answers_to(&result["inputRequests"]);
                params["requestState"] = result["requestState"].clone();
                continue;
            }
            if result["isError"] == true {
                return Err(ToolError::told(result["content"][0]["text"].as_str().unwrap_or_default()));
            }
            return Ok(result);
        }
    }

    fn answers_to(&self, questions: &Value) -> Value {
        let answered = |(key, question): (&String, &Value)| {
            let message = question["params"]["message"].as_str().unwrap_or_default();
            // The second question of one form has a number behind its name.
            let form = self.answers.iter().find(|(form, _)| is_form(key, form));
            let answer = match form.and_then(|(_, answer)| answer(message)) {
                Some(content) => json!({"action": "accept", "content": content}),
                None => json!({"action": "decline"}),
            };
            (key.clone(), answer)
        };
        Value::Object(questions.as_object().into_iter().flatten().map(answered).collect::<Map<_, _>>())
    }

    /// Sends one request with everything that the current revision wants, and gives back all that came.
    pub async fn request(&self, method: &str, mut params: Value) -> Exchange {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed) + 1;
        if params.get("_meta").is_none() {
            params["_meta"] = json!({});
        }
        let meta = &mut params["_meta"];
        meta[names::PROTOCOL_VERSION] = Version::LATEST.as_str().into();
        meta[names::CLIENT_CAPABILITIES] = self.capabilities.clone();
        let name = params.get("name").or_else(|| params.get("uri")).and_then(Value::as_str).map(header_value);
        let body = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        let mut request = Request::builder()
            .method(Method::POST)
            .uri("/mcp")
            .header("host", "localhost")
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", Version::LATEST.as_str())
            .header("mcp-method", method);
        if let Some(name) = name {
            request = request.header("mcp-name", name);
        }
        let mirrored = if method == "tools/call" { self.mirrored(&params) } else { Vec::new() };
        for (name, value) in mirrored {
            request = request.header(name, value);
        }
        match request.body(body.to_string()) {
            Ok(request) => exchange(&self.send(request).await),
            Err(error) => Exchange {
                status: 0,
                notifications: Vec::new(),
                response: json!({"error": {"message": error.to_string()}}),
            },
        }
    }

    /// The headers that repeat the arguments of a tool, as its schema wants them.
    fn mirrored(&self, params: &Value) -> Vec<(String, String)> {
        let listing = self.engine.catalog.current();
        let tool = params["name"].as_str().and_then(|it| listing.tools.find(it));
        let mirrored = tool.into_iter().flat_map(|it| &it.headers).filter_map(|it| {
            let value = it.path.iter().try_fold(&params["arguments"], |value, step| value.get(step))?;
            match value {
                Value::Null => None,
                Value::String(text) => Some((it.lookup.clone(), header_value(text))),
                other => Some((it.lookup.clone(), other.to_string())),
            }
        });
        mirrored.collect()
    }

    /// Sends one raw request, and gives back the raw response with its whole body.
    pub async fn send(&self, request: Request<String>) -> Response<Bytes> {
        let request = request.map(|body| Whole::new(body.into()));
        let response = answer(self.engine.clone(), request, Some(self.caller.clone()), None).await;
        let (head, body) = response.into_parts();
        Response::from_parts(head, collected(body).await)
    }
}

fn is_form(key: &str, form: &str) -> bool {
    key.strip_prefix(form).is_some_and(|rest| {
        rest.is_empty() || rest.strip_prefix('_').is_some_and(|it| it.bytes().all(|it| it.is_ascii_digit()))
    })
}

/// Text that a header cannot carry travels encoded (basic/transports/streamable-http#value-encoding).
fn header_value(text: &str) -> String {
    let is_plain = text.bytes().all(|it| (b' '..=b'~').contains(&it)) && text.trim() == text;
    if is_plain && !text.starts_with("=?base64?") {
        return text.to_owned();
    }
    format!("=?base64?{}?=", STANDARD.encode(text))
}

fn exchange(response: &Response<Bytes>) -> Exchange {
    let status = response.status().as_u16();
    let is_stream =
        response.headers().get("content-type").is_some_and(|it| it.as_bytes() == b"text/event-stream");
    let body = String::from_utf8_lossy(response.body());
    let read = |text: &str| serde_json::from_str(text).unwrap_or_default();
    if !is_stream {
        return Exchange { status, notifications: Vec::new(), response: read(&body) };
    }
    let mut messages: Vec<Value> =
        body.lines().filter_map(|it| it.strip_prefix("data: ")).map(read).collect();
    let response = messages.pop().unwrap_or_default();
    Exchange { status, notifications: messages, response }
}

async fn collected(mut body: crate::Body) -> Bytes {
    let mut all = Vec::new();
    while let Some(Ok(frame)) = poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
        if let Ok(data) = frame.into_data() {
            all.extend_from_slice(&data);
        }
    }
    all.into()
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("caller", &self.caller).finish_non_exhaustive()
    }
}
