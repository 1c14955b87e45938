//! Questions on stdio, where a legacy client's declaration belongs to the process.

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tollgate::{Server, Tool, ready::EXTENSION};

/// The answers to these lines, one after the other.
async fn answers(lines: &[Value]) -> Vec<Value> {
    let tool = Tool::new("own", "Is there.", json!({"type": "object"}), async |_, _| Ok("ok"));
    let server = Server::new("lines", "1").tools(vec![tool]).without_auth();
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    let (input, output) = tokio::io::split(theirs);
    let served = tokio::spawn(server.serve_streams(BufReader::new(input), output));
    let (read, mut write) = tokio::io::split(ours);
    let mut read = BufReader::new(read).lines();
    let mut all = Vec::new();
    for line in lines {
        write.write_all(format!("{line}\n").as_bytes()).await.unwrap();
        all.push(serde_json::from_str(&read.next_line().await.unwrap().unwrap()).unwrap());
    }
    write.shutdown().await.unwrap();
    served.await.unwrap().unwrap();
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
