//! An HTTP client that sends what it is told to, byte for byte, and says what came back.
//!
//! It shares no code with the server or with any HTTP library, so that one mistake cannot hide another.

use std::{net::SocketAddr, time::Duration};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

/// The longest that anything here waits.
const PATIENCE: Duration = Duration::from_secs(20);

/// One request. It starts as a good one; a test then breaks what it wants to see refused.
#[derive(Clone, Debug)]
pub struct Call {
    /// The first line, without its end.
    pub line: String,
    /// Header lines, in order, without their ends.
    pub headers: Vec<Vec<u8>>,
    /// The body.
    pub body: Vec<u8>,
    /// Whether a Content-Length is added.
    pub with_length: bool,
}

/// What came back.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The HTTP status; 0 when the connection closed without an answer.
    pub status: u16,
    /// Header lines as name and value; names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body, unchunked.
    pub body: Vec<u8>,
}

/// An open connection.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    read: Vec<u8>,
}

/// The `_meta` that every modern request carries.
#[must_use]
pub fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

impl Call {
    /// A good modern request. `params` get a `_meta` unless they have one; the name header is set where it belongs.
    #[must_use]
    pub fn modern(method: &str, mut params: Value) -> Self {
        if params.get("_meta").is_none() {
            params["_meta"] = meta();
        }
        let name = match method {
            "tools/call" | "prompts/get" => params["name"].as_str().map(ToOwned::to_owned),
            "resources/read" => params["uri"].as_str().map(ToOwned::to_owned),
            _ => None,
        };
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let mut call = Self::post(&body.to_string());
        call.headers.push(b"MCP-Protocol-Version: 2026-07-28".to_vec());
        call.headers.push(format!("Mcp-Method: {method}").into_bytes());
        if let Some(name) = name {
            call.headers.push(format!("Mcp-Name: {name}").into_bytes());
        }
        call
    }

    /// A good modern call of a tool.
    #[must_use]
    pub fn tool(name: &str, arguments: &Value) -> Self {
        Self::modern("tools/call", json!({"name": name, "arguments": arguments}))
    }

    /// A POST of that body with the headers of HTTP alone.
    #[must_use]
    pub fn post(body: &str) -> Self {
        Self {
            line: "POST /mcp HTTP/1.1".into(),
            headers: [
                "Host: localhost",
                "Content-Type: application/json",
                "Accept: application/json, text/event-stream",
            ]
            .map(|it| it.as_bytes().to_vec())
            .to_vec(),
            body: body.as_bytes().to_vec(),
            with_length: true,
        }
    }

    /// The same with one more header line.
    #[must_use]
    pub fn header(mut self, line: impl AsRef<[u8]>) -> Self {
        self.headers.push(line.as_ref().to_vec());
        self
    }

    /// The same without the headers of that name.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.headers.retain(|it| !is_named(it, name));
        self
    }

    /// The same with a header in place of those of its name.
    #[must_use]
    pub fn replace(self, name: &str, value: impl AsRef<[u8]>) -> Self {
        let mut line = format!("{name}: ").into_bytes();
        line.extend_from_slice(value.as_ref());
        self.without(name).header(line)
    }

    /// The same with another body.
    #[must_use]
    pub fn body(mut self, body: impl AsRef<[u8]>) -> Self {
        self.body = body.as_ref().to_vec();
        self
    }

    /// The same after an edit of its body as JSON.
    ///
    /// # Panics
    /// When the body is no JSON.
    #[must_use]
    pub fn edit(mut self, edit: impl FnOnce(&mut Value)) -> Self {
        let mut body = serde_json::from_slice(&self.body).expect("the body is JSON");
        edit(&mut body);
        self.body = body.to_string().into_bytes();
        self
    }

    /// The bytes that go out.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.line.clone().into_bytes();
        bytes.extend_from_slice(b"\r\n");
        for header in &self.headers {
            bytes.extend_from_slice(header);
            bytes.extend_from_slice(b"\r\n");
        }
        if self.with_length {
            bytes.extend_from_slice(format!("Content-Length: {}\r\n", self.body.len()).as_bytes());
        }
        bytes.extend_from_slice(b"\r\n");
        bytes.extend_from_slice(&self.body);
        bytes
    }

    /// Sends it on a connection of its own and reads the whole answer.
    pub async fn send(&self, address: SocketAddr) -> Answer {
        let mut connection = Connection::open(address).await;
        connection.send(&self.bytes()).await;
        connection.answer().await
    }
}

fn is_named(line: &[u8], name: &str) -> bool {
    line.get(..name.len()).is_some_and(|it| it.eq_ignore_ascii_case(name.as_bytes()))
        && line.get(name.len()) == Some(&b':')
}

impl Connection {
    /// Connects.
    ///
    /// # Panics
    /// When nobody listens.
    pub async fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).await.expect("the server listens");
        Self { stream, read: Vec::new() }
    }

    /// Writes bytes. That the other side has closed shows when reading.
    pub async fn send(&mut self, bytes: &[u8]) {
        let _ = self.stream.write_all(bytes).await;
    }

    /// Reads the head and the whole body of one answer; for a stream, to its end.
    pub async fn answer(&mut self) -> Answer {
        let mut answer = self.head().await;
        if answer.status == 0 {
            return answer;
        }
        answer.body = if answer.header("transfer-encoding") == Some("chunked") {
            let mut body = Vec::new();
            while let Some(chunk) = self.chunk().await {
                body.extend_from_slice(&chunk);
            }
            body
        } else {
            let length = answer.header("content-length").and_then(|it| it.parse().ok()).unwrap_or(0);
            self.take(length).await
        };
        answer
    }

    /// Reads the head of an answer; the body is read by [`chunk`](Self::chunk) or [`event`](Self::event).
    pub async fn head(&mut self) -> Answer {
        let none = Answer { status: 0, headers: Vec::new(), body: Vec::new() };
        let Some(end) = self.find(b"\r\n\r\n").await else { return none };
        let head = self.take(end + 4).await;
        let head = String::from_utf8_lossy(&head).into_owned();
        let mut lines = head.split("\r\n");
        let status =
            lines.next().and_then(|it| it.split(' ').nth(1)).and_then(|it| it.parse().ok()).unwrap_or(0);
        let headers = lines
            .filter_map(|it| it.split_once(':'))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
            .collect();
        Answer { status, headers, body: Vec::new() }
    }

    /// Reads one chunk of a chunked body; `None` at its end, or when the connection closes.
    pub async fn chunk(&mut self) -> Option<Vec<u8>> {
        let end = self.find(b"\r\n").await?;
        let line = self.take(end + 2).await;
        let size = usize::from_str_radix(std::str::from_utf8(&line).ok()?.trim(), 16).ok()?;
        let mut chunk = self.take(size + 2).await;
        chunk.truncate(size);
        (size > 0).then_some(chunk)
    }

    /// Reads the next server-sent message; comments are passed over. `None` at the end of the stream.
    pub async fn event(&mut self) -> Option<Value> {
        loop {
            let chunk = self.chunk().await?;
            let text = String::from_utf8_lossy(&chunk).into_owned();
            let mut messages = text.split("\n\n").filter_map(|it| it.strip_prefix("data: "));
            if let Some(first) = messages.next() {
                // What came in the same chunk is put back as chunks of its own.
                let rest: Vec<_> = messages.map(|it| format!("data: {it}\n\n")).collect();
                let put_back: String = rest.iter().map(|it| format!("{:x}\r\n{it}\r\n", it.len())).collect();
                self.read.splice(0..0, put_back.into_bytes());
                return serde_json::from_str(first).ok();
            }
        }
    }

    /// Whether the other side has closed, or closes within the time.
    pub async fn closes_within(&mut self, time: Duration) -> bool {
        let mut byte = [0];
        matches!(timeout(time, self.stream.read(&mut byte)).await, Ok(Ok(0) | Err(_)))
    }

    /// The raw stream, for what this client does not do.
    pub fn into_stream(self) -> TcpStream {
        self.stream
    }

    async fn find(&mut self, needle: &[u8]) -> Option<usize> {
        loop {
            if let Some(at) = self.read.windows(needle.len()).position(|it| it == needle) {
                return Some(at);
            }
            self.more().await?;
        }
    }

    async fn take(&mut self, length: usize) -> Vec<u8> {
        while self.read.len() < length && self.more().await.is_some() {}
        let length = length.min(self.read.len());
        self.read.drain(..length).collect()
    }

    async fn more(&mut self) -> Option<()> {
        let mut buffer = [0; 16 * 1024];
        match timeout(PATIENCE, self.stream.read(&mut buffer)).await {
            Ok(Ok(read)) if read > 0 => {
                self.read.extend_from_slice(&buffer[..read]);
                Some(())
            }
            _ => None,
        }
    }
}

impl Answer {
    /// The value of a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|it| it.0 == name).map(|it| it.1.as_str())
    }

    /// The body as JSON; of a stream, its last message. Null when there is none.
    #[must_use]
    pub fn json(&self) -> Value {
        match self.header("content-type") {
            Some("text/event-stream") => self.events().pop().unwrap_or_default(),
            _ => serde_json::from_slice(&self.body).unwrap_or_default(),
        }
    }

    /// All messages of a stream.
    #[must_use]
    pub fn events(&self) -> Vec<Value> {
        let text = String::from_utf8_lossy(&self.body).into_owned();
        text.lines()
            .filter_map(|it| it.strip_prefix("data: "))
            .filter_map(|it| serde_json::from_str(it).ok())
            .collect()
    }

    /// The code of the JSON-RPC error; 0 when there is none.
    #[must_use]
    pub fn code(&self) -> i64 {
        self.json()["error"]["code"].as_i64().unwrap_or(0)
    }

    /// The result; null when there is none.
    #[must_use]
    pub fn result(&self) -> Value {
        self.json()["result"].clone()
    }

    /// Status and code in one, as tests compare them.
    #[must_use]
    pub fn verdict(&self) -> (u16, i64) {
        (self.status, self.code())
    }
}
