//! A client on stdio: a pair of pipes to a server in this process, a message a line.

use std::{io, time::Duration};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream},
    task::JoinHandle,
    time::timeout,
};
use tollgate::Server;
use tollgate_tests::raw::meta;

/// The longest that anything here waits.
const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) struct Lines {
    input: DuplexStream,
    output: BufReader<DuplexStream>,
    served: JoinHandle<io::Result<()>>,
}

impl Lines {
    /// Starts a server that serves this client alone.
    pub(crate) fn open<S: Clone + Send + Sync + 'static>(server: Server<S>) -> Self {
        let (input, theirs) = tokio::io::duplex(64 * 1024);
        let (output, out) = tokio::io::duplex(1024 * 1024);
        let served = tokio::spawn(server.serve_streams(BufReader::new(theirs), out));
        Self { input, output: BufReader::new(output), served }
    }

    /// Writes bytes, and the end of the line.
    pub(crate) async fn write(&mut self, line: impl AsRef<[u8]>) {
        self.input.write_all(line.as_ref()).await.expect("the server reads");
        self.input.write_all(b"\n").await.expect("the server reads");
    }

    /// Writes a message.
    pub(crate) async fn send(&mut self, message: &Value) {
        self.write(message.to_string()).await;
    }

    /// The next message.
    pub(crate) async fn next(&mut self) -> Value {
        let mut line = String::new();
        let read = timeout(PATIENCE, self.output.read_line(&mut line)).await;
        read.expect("a line comes in time").expect("it can be read");
        serde_json::from_str(&line).expect("a line is one JSON text")
    }

    /// Sends a request and gives back the next message.
    pub(crate) async fn ask(&mut self, request: &Value) -> Value {
        self.send(request).await;
        self.next().await
    }

    /// Ends the input, waits until the server has ended, and gives back the bytes that were not read yet.
    pub(crate) async fn end_raw(self) -> Vec<u8> {
        let Self { input, mut output, served } = self;
        drop(input);
        let mut rest = Vec::new();
        timeout(PATIENCE, output.read_to_end(&mut rest))
            .await
            .expect("it ends in time")
            .expect("it can be read");
        timeout(PATIENCE, served).await.expect("it ends in time").expect("no panic").expect("no error");
        rest
    }

    /// The same as messages.
    pub(crate) async fn end(self) -> Vec<Value> {
        let rest = String::from_utf8(self.end_raw().await).expect("lines are UTF-8");
        rest.lines().map(|it| serde_json::from_str(it).expect("a line is one JSON text")).collect()
    }
}

/// A good modern request.
pub(crate) fn request(id: impl Into<Value>, method: &str, mut params: Value) -> Value {
    if params.get("_meta").is_none() {
        params["_meta"] = meta();
    }
    json!({"jsonrpc": "2.0", "id": id.into(), "method": method, "params": params})
}

/// A good modern call of a tool.
pub(crate) fn call(id: impl Into<Value>, name: &str, arguments: &Value) -> Value {
    request(id, "tools/call", json!({"name": name, "arguments": arguments}))
}

/// The notification that cancels a request.
pub(crate) fn cancel(id: impl Into<Value>) -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id.into()}})
}
