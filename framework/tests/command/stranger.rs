//! A server that answers whatever a test wants, byte by byte.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
};

use serde_json::{Value, json};

/// A request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) verb: String,
    pub(crate) path: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Value,
}

impl Request {
    pub(crate) fn method(&self) -> &str {
        self.body["method"].as_str().unwrap_or_default()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|it| it.0 == name).map(|it| it.1.as_str())
    }
}

/// What is answered.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: String,
}

impl Reply {
    pub(crate) fn new(status: u16, media: &str, body: impl Into<String>) -> Self {
        Self { status, headers: vec![("content-type", media.to_owned())], body: body.into() }
    }

    pub(crate) fn result(request: &Request, result: Value) -> Self {
        let body = json!({"jsonrpc": "2.0", "id": request.body["id"], "result": result});
        Self::new(200, "application/json", body.to_string())
    }

    pub(crate) fn error(request: &Request, status: u16, code: i64, message: &str) -> Self {
        let error = json!({"code": code, "message": message});
        let body = json!({"jsonrpc": "2.0", "id": request.body["id"], "error": error});
        Self::new(status, "application/json", body.to_string())
    }

    pub(crate) fn events(messages: &[Value]) -> Self {
        let body = messages.iter().map(|it| format!("event: message\ndata: {it}\n\n")).collect::<String>();
        Self::new(200, "text/event-stream", body)
    }

    pub(crate) fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }
}

/// A server that runs until the test has ended.
#[derive(Debug)]
pub(crate) struct Stranger {
    pub(crate) url: String,
    seen: Arc<Mutex<Vec<Request>>>,
}

impl Stranger {
    pub(crate) fn start(answer: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (answer, all) = (Arc::new(answer), seen.clone());
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (answer, all) = (answer.clone(), all.clone());
                thread::spawn(move || serve(stream, &*answer, &all));
            }
        });
        Self { url, seen }
    }

    /// One that shakes hands as older servers do, and answers the rest as the test wants.
    pub(crate) fn legacy(answer: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        Self::start(move |request| match (request.verb.as_str(), request.method()) {
            ("GET" | "DELETE", _) => Reply::new(405, "text/plain", ""),
            (_, "initialize") => Reply::result(
                request,
                json!({
                    "protocolVersion": "2025-11-25",
                    "capabilities": {"tools": {}},
                    "serverInfo": {"name": "stranger", "version": "0"},
                }),
            )
            .with("mcp-session-id", "session-7"),
            (_, "server/discover") => Reply::error(request, 400, -32000, "no session"),
            (_, method) if method.starts_with("notifications/") => Reply::new(202, "text/plain", ""),
            _ => answer(request),
        })
    }

    /// One of the modern era, with the rest as the test wants.
    pub(crate) fn modern(answer: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        Self::start(move |request| match request.method() {
            "server/discover" => Reply::result(
                request,
                json!({
                    "resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}},
                    "ttlMs": 0, "cacheScope": "private",
                    "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "stranger", "version": "0"}},
                }),
            ),
            _ => answer(request),
        })
    }

    /// What it was asked, in order.
    pub(crate) fn seen(&self) -> Vec<Request> {
        self.seen.lock().unwrap().clone()
    }

    pub(crate) fn methods(&self) -> Vec<String> {
        self.seen().iter().map(|it| it.method().to_owned()).collect()
    }
}

fn serve(stream: TcpStream, answer: &dyn Fn(&Request) -> Reply, seen: &Mutex<Vec<Request>>) {
    let mut input = BufReader::new(stream.try_clone().unwrap());
    let mut line = String::new();
    if input.read_line(&mut line).unwrap_or(0) == 0 {
        return;
    }
    let mut words = line.split_whitespace().map(str::to_owned);
    let (verb, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        input.read_line(&mut line).unwrap();
        let Some((name, value)) = line.trim().split_once(':') else { break };
        headers.push((name.to_lowercase(), value.trim().to_owned()));
    }
    let length = headers.iter().find(|it| it.0 == "content-length").map_or(0, |it| it.1.parse().unwrap());
    let mut body = vec![0; length];
    input.read_exact(&mut body).unwrap();
    let request = Request { verb, path, headers, body: serde_json::from_slice(&body).unwrap_or_default() };
    seen.lock().unwrap().push(request.clone());
    let reply = answer(&request);
    let mut head = format!(
        "HTTP/1.1 {} -\r\nconnection: close\r\ncontent-length: {}\r\n",
        reply.status,
        reply.body.len()
    );
    for (name, value) in &reply.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    let mut stream = stream;
    let _ = stream.write_all(format!("{head}\r\n{}", reply.body).as_bytes());
}

/// A server on stdio that is a script for a shell; it can `read -r line`.
pub(crate) fn script(text: &str) -> [&str; 3] {
    ["sh", "-c", text]
}
