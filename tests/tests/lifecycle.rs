//! What happens to a call and to a stream from its start to its end, whatever the client, the tool or the clock does.

mod lifecycle {
    mod deadlines;
    mod draining;
    mod leaving;
    mod legacy;
    mod listening;
    mod panics;
    mod permits;
    mod progress;
    mod stdio;
    mod stalling;
}

use std::time::Duration;

use serde_json::json;
use tokio::{
    sync::{mpsc, watch},
    time::timeout,
};
use tollgate::{Server, ToolSet, prelude::*};
use tollgate_tests::Call;

/// What the tools of these tests share: a way to tell the test what happens, and a gate that the test opens.
#[derive(Clone)]
struct Stage {
    tell: mpsc::UnboundedSender<&'static str>,
    open: watch::Receiver<bool>,
}

/// The test's side of the stage.
struct Director {
    heard: mpsc::UnboundedReceiver<&'static str>,
    open: watch::Sender<bool>,
}

fn stage() -> (Stage, Director) {
    let (tell, heard) = mpsc::unbounded_channel();
    let (opens, open) = watch::channel(false);
    (Stage { tell, open }, Director { heard, open: opens })
}

/// A server of these tools on that stage.
fn server(stage: Stage, tools: ToolSet<Stage>) -> Server<Stage> {
    Server::new("lifecycle", "1").state(stage).tools(tools).without_auth()
}

impl Stage {
    fn tell(&self, what: &'static str) {
        // The test may be over.
        let _ = self.tell.send(what);
    }

    /// Waits until the test opens the gate.
    async fn opened(&self) {
        // A test that keeps no hold of the gate leaves it shut.
        if self.open.clone().wait_for(|it| *it).await.is_err() {
            std::future::pending().await
        }
    }

    /// Tells the test when it is dropped.
    fn guard(&self) -> Guard {
        Guard(self.clone())
    }
}

struct Guard(Stage);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.tell("dropped");
    }
}

impl Director {
    /// Waits for the next thing that a tool tells.
    async fn hears(&mut self, what: &str) {
        self.hears_within(Duration::from_secs(20), what).await;
    }

    async fn hears_within(&mut self, time: Duration, what: &str) {
        let heard =
            timeout(time, self.heard.recv()).await.unwrap_or_else(|_| panic!("`{what}` is not heard"));
        assert_eq!(heard, Some(what));
    }

    fn hears_nothing(&mut self) {
        assert!(self.heard.try_recv().is_err());
    }

    async fn hears_nothing_for(&mut self, time: Duration) {
        let heard = timeout(time, self.heard.recv()).await;
        assert!(heard.is_err(), "{heard:?} is heard");
    }

    fn open(&self) {
        self.open.send_replace(true);
    }
}

/// Waits until the test opens the gate.
///
/// Use when a call has to run for a while.
/// Do not use when it has not.
#[tool]
async fn hang(cx: &Cx<Stage>) -> String {
    let _guard = cx.state().guard();
    cx.state().tell("started");
    cx.state().opened().await;
    "done".into()
}

/// The same, after a first report, so that the answer is a stream.
///
/// Use when a stream has to run for a while.
/// Do not use when it has not.
#[tool]
async fn hang_streaming(cx: &Cx<Stage>) -> String {
    let _guard = cx.state().guard();
    cx.progress("started").await;
    cx.state().tell("started");
    cx.state().opened().await;
    "done".into()
}

/// Answers at once.
///
/// Use when it has to be seen that the server works.
/// Do not use when not.
#[tool]
async fn ping() -> String {
    "pong".into()
}

/// A good call of a tool without arguments.
fn call(tool: &str) -> Call {
    Call::tool(tool, &json!({}))
}

/// A good call that asks for progress.
fn streamed(tool: &str) -> Call {
    call(tool).edit(|it| it["params"]["_meta"]["progressToken"] = json!("p"))
}

/// Asserts that the server still answers.
async fn works(address: std::net::SocketAddr) {
    assert_eq!(call("ping").send(address).await.result()["content"][0]["text"], "pong");
}
