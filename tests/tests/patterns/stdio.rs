//! A client that speaks lines to a server in the same process.

use std::{io, time::Duration};

use serde_json::{Value, json};
use tokio::{
    io::{
        AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf, duplex, split,
    },
    task::JoinHandle,
    time::timeout,
};
use tollgate::Server;
use tollgate_tests::raw::meta;

/// The longest that anything here waits.
const PATIENCE: Duration = Duration::from_secs(20);

/// One client of one server.
pub(crate) struct Stdio {
    input: WriteHalf<DuplexStream>,
    output: Lines<BufReader<ReadHalf<DuplexStream>>>,
    served: JoinHandle<io::Result<()>>,
}

impl Stdio {
    pub(crate) fn start<S: Clone + Send + Sync + 'static>(server: Server<S>) -> Self {
        let (ours, theirs) = duplex(64 * 1024);
        let (their_input, their_output) = split(theirs);
        let served = tokio::spawn(server.serve_streams(BufReader::new(their_input), their_output));
        let (output, input) = split(ours);
        Self { input, output: BufReader::new(output).lines(), served }
    }

    pub(crate) async fn send(&mut self, message: &Value) {
        self.input.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }

    /// The next message.
    pub(crate) async fn next(&mut self) -> Value {
        self.line().await.expect("the server has more to say")
    }

    /// Sends a request and reads up to its answer; what comes before is passed over.
    pub(crate) async fn ask(&mut self, message: &Value) -> Value {
        self.send(message).await;
        loop {
            let next = self.next().await;
            if next.get("id") == message.get("id") {
                return next;
            }
        }
    }

    /// Closes the input and reads what is still said.
    pub(crate) async fn rest(mut self) -> Vec<Value> {
        self.input.shutdown().await.unwrap();
        let mut all = Vec::new();
        while let Some(message) = self.line().await {
            all.push(message);
        }
        self.served.await.unwrap().unwrap();
        all
    }

    async fn line(&mut self) -> Option<Value> {
        let line = timeout(PATIENCE, self.output.next_line()).await.expect("the server speaks in time");
        Some(serde_json::from_str(&line.unwrap()?).expect("a line is JSON"))
    }
}

/// A request with everything that the current revision wants.
pub(crate) fn request(id: impl Into<Value>, method: &str, mut params: Value) -> Value {
    if params.get("_meta").is_none() {
        params["_meta"] = meta();
    }
    json!({"jsonrpc": "2.0", "id": id.into(), "method": method, "params": params})
}

/// A call of a tool without arguments.
pub(crate) fn call(id: impl Into<Value>, name: &str) -> Value {
    request(id, "tools/call", json!({"name": name}))
}

/// What stops a request.
pub(crate) fn cancel(id: impl Into<Value>) -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id.into()}})
}

/// The `_meta` of a request, with one more member.
pub(crate) fn meta_with(key: &str, value: impl Into<Value>) -> Value {
    let mut meta = meta();
    meta[key] = value.into();
    meta
}
