//! Questions on stdio, where a legacy client's declaration belongs to the process.

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};
use tollgate::{Server, Tool, Unready, ready::EXTENSION};
use tollgate_tests::{Call, start};

use super::kit::listing;

/// A server and its client on two streams.
struct Lines {
    read: tokio::io::Lines<BufReader<ReadHalf<DuplexStream>>>,
    write: WriteHalf<DuplexStream>,
}

impl Lines {
    fn open(server: Server) -> Self {
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        let (input, output) = tokio::io::split(theirs);
        tokio::spawn(server.serve_streams(BufReader::new(input), output));
        let (read, write) = tokio::io::split(ours);
        Self { read: BufReader::new(read).lines(), write }
    }

    async fn ask(&mut self, line: &Value) -> Value {
        self.write.write_all(format!("{line}\n").as_bytes()).await.unwrap();
        serde_json::from_str(&self.read.next_line().await.unwrap().unwrap()).unwrap()
    }
}

/// The answers to these lines, one after the other.
async fn answers(lines: &[Value]) -> Vec<Value> {
    let tool = Tool::new("own", "Is there.", json!({"type": "object"}), async |_, _| Ok("ok"));
    let mut open = Lines::open(Server::new("lines", "1").tools(vec![tool]).without_auth());
    let mut all = Vec::new();
    for line in lines {
        all.push(open.ask(line).await);
    }
    all
}

fn rider() -> Value {
    json!({ EXTENSION: {"tools": [{"id": "own"}]} })
}

fn initialize(capabilities: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": capabilities,
        "clientInfo": {"name": "raw", "version": "1"},
    }})
}

#[tokio::test]
async fn a_legacy_client_that_declared_it_is_answered() {
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": rider()}});

    let with = answers(&[initialize(&json!({"experimental": {EXTENSION: {}}})), list.clone()]).await;
    let without = answers(&[initialize(&json!({})), list]).await;

    assert_eq!(with[1]["result"]["_meta"][EXTENSION]["verdict"], "ready");
    assert_eq!(without[1]["result"].get("_meta"), None);
}

#[tokio::test]
async fn a_function_that_panics_is_an_internal_error_and_the_server_goes_on() {
    let panics = |_: &()| -> Result<(), Unready> { panic!("SECRET-OF-CODE") };
    let tool = |name: &str| Tool::new(name, "Is there.", json!({"type": "object"}), async |_, _| Ok("ok"));
    let server =
        Server::new("panics", "1").tools(vec![tool("bad").ready(panics), tool("good")]).without_auth();
    let running = start(server.clone()).await;
    let ask = |id: &str| {
        let rider = json!({ EXTENSION: {"tools": [{"id": id}]} });
        listing(&rider, json!({}), &json!({"extensions": {EXTENSION: {}}}))
    };

    let by_http = ask("bad").send(running.address).await;
    let called = Call::tool("bad", &json!({})).send(running.address).await;
    let mut lines = Lines::open(server);
    let body: Value = serde_json::from_slice(&ask("bad").body).unwrap();
    let on_stdio = lines.ask(&body).await;

    for told in [by_http.json(), called.json(), on_stdio] {
        assert_eq!(told["error"]["code"], -32603, "{told}");
        assert!(!told.to_string().contains("SECRET"));
    }
    assert_eq!(ask("good").send(running.address).await.result()["_meta"][EXTENSION]["verdict"], "ready");
    let body: Value = serde_json::from_slice(&ask("good").body).unwrap();
    assert_eq!(lines.ask(&body).await["result"]["_meta"][EXTENSION]["verdict"], "ready");
}

#[tokio::test]
async fn a_modern_client_is_answered_by_what_its_request_says() {
    let list = |capabilities: Value| {
        let mut meta = rider();
        meta["io.modelcontextprotocol/protocolVersion"] = "2026-07-28".into();
        meta["io.modelcontextprotocol/clientCapabilities"] = capabilities;
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta}})
    };

    let told = answers(&[list(json!({"extensions": {EXTENSION: {}}})), list(json!({}))]).await;

    assert_eq!(told[0]["result"]["_meta"][EXTENSION]["verdict"], "ready");
    assert!(told[1]["result"]["_meta"].get(EXTENSION).is_none());
}
