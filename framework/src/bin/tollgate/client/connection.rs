//! Asking a server, and answering what it asks meanwhile.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::{
    era::{About, Era},
    error::{ClientError, RpcError},
    http::Headers,
    message::{self, Message},
    mirror,
    wire::{Heard, Peer, Wire},
};
use crate::screen::Screen;

/// A way to one server whose era is known, or about to be.
#[derive(Debug)]
pub(crate) struct Connection {
    wire: Wire,
    /// `None` until the handshake of the older revisions is done.
    pub(crate) era: Option<Era>,
    pub(crate) about: About,
    capabilities: Value,
    next_id: u64,
    wait: Duration,
}

/// Hears what comes before an answer.
pub(crate) trait Listener {
    /// A notification.
    fn told(&mut self, method: &str, params: &Value);

    /// A question of the server, which the answer waits for.
    fn asked(&mut self, method: &str, params: &Value) -> Result<Value, RpcError>;
}

/// Hears nothing, and can answer nothing.
#[derive(Debug)]
pub(crate) struct Silent;

impl Listener for Silent {
    fn told(&mut self, _: &str, _: &Value) {}

    fn asked(&mut self, method: &str, _: &Value) -> Result<Value, RpcError> {
        Err(RpcError::new(-32601, format!("`{method}` is not supported here")))
    }
}

impl Connection {
    pub(crate) fn start(
        peer: &Peer,
        capabilities: Value,
        wait: Duration,
        screen: &Screen,
    ) -> Result<Self, ClientError> {
        let wire = Wire::open(peer, wait, screen)?;
        Ok(Self { wire, era: None, about: About::default(), capabilities, next_id: 0, wait })
    }

    /// Asks, and waits for the answer.
    pub(crate) fn request(
        &mut self,
        method: &str,
        params: Value,
        listener: &mut dyn Listener,
    ) -> Result<Value, ClientError> {
        self.request_with(method, params, Vec::new(), listener)
    }

    /// The same with headers that repeat arguments.
    pub(crate) fn request_with(
        &mut self,
        method: &str,
        mut params: Value,
        mirrored: Headers,
        listener: &mut dyn Listener,
    ) -> Result<Value, ClientError> {
        self.next_id += 1;
        let id = self.next_id;
        self.add_meta(&mut params);
        let mut headers = self.headers(method, &params);
        headers.extend(mirrored);
        self.wire.send(id, &message::request(id, method, &params), headers)?;
        let outcome = self.answer_to(id, listener);
        if matches!(outcome, Err(ClientError::Silent(_))) && method != "initialize" {
            self.cancel(id);
        }
        outcome
    }

    /// Tells the server something.
    pub(crate) fn notify(&mut self, method: &str, params: &Value) -> Result<(), ClientError> {
        let headers = self.headers(method, params);
        self.wire.deliver(&message::notification(method, params), &headers)
    }

    /// Hears an older server out where it speaks without being asked: some put their questions there.
    pub(crate) fn listen(&self) {
        if matches!(self.era, Some(Era::Legacy(_))) {
            self.wire.listen(self.headers("", &Value::Null));
        }
    }

    /// Waits for answers for as long as this.
    pub(crate) const fn wait_for(&mut self, wait: Duration) {
        self.wait = wait;
    }

    pub(crate) const fn is_modern(&self) -> bool {
        matches!(self.era, Some(Era::Modern(_)))
    }

    pub(crate) const fn is_stdio(&self) -> bool {
        self.wire.is_stdio()
    }

    fn answer_to(&mut self, id: u64, listener: &mut dyn Listener) -> Result<Value, ClientError> {
        loop {
            match self.wire.receive(self.wait)? {
                Heard::Message(message) => match Message::read(message)? {
                    Message::Answer { id: of, outcome } if of == id => {
                        return outcome.map_err(ClientError::Rpc);
                    }
                    Message::Stray(error) => return Err(ClientError::Rpc(error)),
                    // The answer to a request that we no longer wait for.
                    Message::Answer { .. } => {}
                    Message::Notification { method, params } => listener.told(&method, &params),
                    Message::Request { id, method, params } => {
                        self.answer(&id, &method, &params, listener)?
                    }
                },
                Heard::Over { id: Some(of), why } if of == id => {
                    return Err(why.unwrap_or_else(|| {
                        ClientError::NotMcp("it ended its answer before it had said anything".into())
                    }));
                }
                Heard::Over { .. } => {}
            }
        }
    }

    fn answer(
        &mut self,
        id: &Value,
        method: &str,
        params: &Value,
        listener: &mut dyn Listener,
    ) -> Result<(), ClientError> {
        let outcome = match method {
            "ping" => Ok(json!({})),
            _ => listener.asked(method, params),
        };
        let headers = self.headers("", params);
        self.wire.deliver(&message::answer(id, outcome), &headers)
    }

    /// On HTTP of the modern era, closing the stream says it, and the process is about to do that.
    fn cancel(&mut self, id: u64) {
        if self.wire.is_stdio() || !self.is_modern() {
            let params = json!({"requestId": id, "reason": "it took too long"});
            let headers = self.headers("notifications/cancelled", &params);
            let _ = self.wire.deliver(&message::notification("notifications/cancelled", &params), &headers);
        }
    }

    /// What the modern era wants in every request (basic/index#_meta).
    fn add_meta(&self, params: &mut Value) {
        if let (Some(Era::Modern(version)), Some(params)) = (&self.era, params.as_object_mut())
            && let Some(meta) = params.entry("_meta").or_insert_with(|| Map::new().into()).as_object_mut()
        {
            meta.insert("io.modelcontextprotocol/protocolVersion".into(), version.as_str().into());
            meta.insert("io.modelcontextprotocol/clientInfo".into(), client_info());
            meta.insert("io.modelcontextprotocol/clientCapabilities".into(), self.capabilities.clone());
        }
    }

    /// The headers that repeat the message, as its era has them.
    fn headers(&self, method: &str, params: &Value) -> Headers {
        let mut headers = Headers::new();
        match &self.era {
            None => {}
            Some(Era::Legacy(version)) => headers.push(("mcp-protocol-version".into(), version.clone())),
            Some(Era::Modern(version)) => {
                headers.push(("mcp-protocol-version".into(), version.clone()));
                headers.push(("mcp-method".into(), method.to_owned()));
                let member = match method {
                    "tools/call" | "prompts/get" => "name",
                    "resources/read" => "uri",
                    _ => return headers,
                };
                let name = params.get(member).and_then(Value::as_str).unwrap_or_default();
                headers.push(("mcp-name".into(), mirror::encoded(name)));
            }
        }
        headers
    }

    pub(crate) fn initialize_params(&self, version: &str) -> Value {
        let mut capabilities = self.capabilities.clone();
        // What the modern era calls extensions was experimental before.
        if let Some(extensions) = capabilities.as_object_mut().and_then(|it| it.remove("extensions")) {
            capabilities["experimental"] = extensions;
        }
        json!({"protocolVersion": version, "capabilities": capabilities, "clientInfo": client_info()})
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.wire.end(&self.headers("", &Value::Null));
    }
}

fn client_info() -> Value {
    json!({"name": "tollgate", "title": "The command tollgate", "version": env!("CARGO_PKG_VERSION")})
}
