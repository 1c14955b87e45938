//! What happens when one side no longer wants an answer (basic/patterns/cancellation).

use std::time::Duration;

use tokio::{sync::mpsc, time::timeout};
use tollgate::{
    Limits,
    prelude::*,
    serde_json::{Value, json},
};
use tollgate_tests::{Call, Connection, start};

use super::{
    kit::{caller, confirming, endless, plain, server, text, tool},
    stdio::{Stdio, call, cancel, meta_with, request},
};

/// Says when a call begins and when it is dropped.
struct Watched(mpsc::UnboundedSender<&'static str>);

impl Drop for Watched {
    fn drop(&mut self) {
        let _ = self.0.send("dropped");
    }
}

/// A tool that never ends, and the road on which it tells what becomes of it.
fn watched() -> (Tool, mpsc::UnboundedReceiver<&'static str>) {
    let (sender, receiver) = mpsc::unbounded_channel();
    let tool = tool("watched", move |_| {
        let watched = Watched(sender.clone());
        async move {
            let _ = watched.0.send("begun");
            std::future::pending::<()>().await;
            drop(watched);
            Ok(())
        }
    });
    (tool, receiver)
}

async fn hear(receiver: &mut mpsc::UnboundedReceiver<&'static str>) -> &'static str {
    timeout(Duration::from_secs(20), receiver.recv()).await.expect("it happens in time").unwrap()
}

/// A tool that does everything by which a server could speak out of turn.
fn talkative() -> Tool {
    tool("talkative", async |cx: Cx| {
        cx.progress("on the way").await;
        cx.log(Level::Error, "something to log").await;
        cx.ask::<super::kit::Confirm>("Go on?").await?;
        Ok(())
    })
}

fn is_request(message: &Value) -> bool {
    message.get("method").is_some() && message.get("id").is_some()
}

// S-101.
#[tokio::test]
async fn a_server_asks_nothing_by_request_on_http() {
    let server = start(server(vec![talkative()]).logging()).await;
    let mut params = json!({"name": "talkative", "_meta": meta_with("progressToken", "p")});
    params["_meta"]["io.modelcontextprotocol/logLevel"] = "debug".into();
    params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({"elicitation": {}});

    let answer = Call::modern("tools/call", params).send(server.address).await;

    assert_eq!(answer.events().len(), 3, "{answer:?}");
    assert!(!answer.events().iter().any(is_request), "{answer:?}");
    assert_eq!(answer.result()["resultType"], "input_required");
}

// S-101.
#[tokio::test]
async fn a_server_asks_nothing_by_request_on_stdio() {
    let mut client = Stdio::start(server(vec![talkative()]).logging());
    let mut params = json!({"name": "talkative", "_meta": meta_with("progressToken", "p")});
    params["_meta"]["io.modelcontextprotocol/logLevel"] = "debug".into();
    params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({"elicitation": {}});

    client.send(&request(1, "tools/call", params)).await;
    let all = [client.next().await, client.next().await, client.next().await];

    assert!(!all.iter().any(is_request), "{all:?}");
    assert_eq!(all[2]["result"]["resultType"], "input_required");
    assert_eq!(client.rest().await, Vec::<Value>::new());
}

// S-102, S-104, S-136.
#[tokio::test]
async fn a_listener_that_the_server_ends_on_stdio_is_torn_down_by_its_id() {
    let mut client = Stdio::start(server(vec![plain("a")]));
    let listen = request("ear", "subscriptions/listen", json!({"notifications": {"toolsListChanged": true}}));
    client.send(&listen).await;
    assert_eq!(client.next().await["method"], "notifications/subscriptions/acknowledged");

    let last = client.rest().await;

    assert_eq!(last.len(), 2, "{last:?}");
    assert_eq!(last[0]["method"], "notifications/cancelled");
    assert_eq!(last[0]["params"]["requestId"], "ear");
    assert_eq!(last[1]["id"], "ear");
    assert_eq!(last[1]["result"]["resultType"], "complete");
}

// S-102, S-103.
#[tokio::test]
async fn on_http_a_listener_ends_with_its_stream_and_without_a_cancellation() {
    let mut limits = Limits::default();
    limits.listen_time = Duration::from_millis(20);
    let server = start(server(vec![plain("a")]).limits(limits)).await;

    let listen = json!({"notifications": {"toolsListChanged": true}});
    let answer = Call::modern("subscriptions/listen", listen).send(server.address).await;

    let events = answer.events();
    assert_eq!(events.len(), 2, "{events:?}");
    assert_eq!(events[0]["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(events[1]["result"]["resultType"], "complete");
}

// S-103.
#[tokio::test]
async fn nothing_but_a_listener_is_ever_torn_down() {
    let brief = endless("brief").deadline(Duration::from_millis(20));
    let mut client = Stdio::start(server(vec![endless("endless"), brief, plain("a")]));
    let listen = request(1, "subscriptions/listen", json!({"notifications": {"toolsListChanged": true}}));
    client.send(&listen).await;
    assert_eq!(client.next().await["method"], "notifications/subscriptions/acknowledged");

    client.send(&cancel(1)).await;
    client.send(&call(2, "endless")).await;
    client.send(&cancel(2)).await;
    let late = client.ask(&call(3, "brief")).await;
    let plain = client.ask(&call(4, "a")).await;

    assert_eq!(late["result"]["isError"], true);
    assert_eq!(plain["result"]["content"][0]["text"], "a");
    assert_eq!(client.rest().await, Vec::<Value>::new());
}

// S-105.
#[tokio::test]
async fn a_call_that_takes_too_long_is_ended_though_it_reports_progress() {
    let busy = tool("busy", async |cx: Cx| {
        loop {
            cx.progress("still there").await;
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        #[expect(unreachable_code, reason = "it gives the closure its type")]
        Ok(())
    });
    let server = server(vec![busy.deadline(Duration::from_millis(100))]);
    let params = json!({"name": "busy", "_meta": {"progressToken": 1}});

    let exchange = server.client("ann").request("tools/call", params).await;

    assert_eq!(exchange.response["result"]["isError"], true);
    assert!(text(&exchange).contains("took too long"), "{exchange:?}");
    assert!(!exchange.notifications.is_empty());
}

// S-105.
#[test]
fn no_tool_may_have_more_time_than_the_server_allows() {
    let tool = plain("patient").deadline(Duration::from_secs(301));

    let error = server(vec![tool]).check().run().unwrap_err();

    assert!(error.to_string().contains("call_time_max"), "{error}");
}

// S-106.
#[tokio::test]
async fn a_cancelled_call_stops_and_is_not_answered() {
    let (tool, mut told) = watched();
    let mut client = Stdio::start(server(vec![tool, plain("a")]));
    client.send(&call(1, "watched")).await;
    assert_eq!(hear(&mut told).await, "begun");

    client.send(&cancel(1)).await;

    assert_eq!(hear(&mut told).await, "dropped");
    assert_eq!(client.ask(&call(2, "a")).await["id"], 2);
    assert_eq!(client.rest().await, Vec::<Value>::new());
}

// S-106.
#[tokio::test]
async fn a_client_that_closes_its_stream_stops_its_call() {
    let (tool, mut told) = watched();
    let server = start(server(vec![tool])).await;
    let mut connection = Connection::open(server.address).await;
    connection.send(&Call::tool("watched", &json!({})).bytes()).await;
    assert_eq!(hear(&mut told).await, "begun");

    drop(connection);

    assert_eq!(hear(&mut told).await, "dropped");
}

// S-106.
#[tokio::test]
async fn what_a_tool_has_started_learns_that_nobody_waits() {
    let (sender, mut told) = mpsc::unbounded_channel();
    let tool = tool("starting", move |cx: Cx| {
        let sender = sender.clone();
        async move {
            let gone = cx.cancelled();
            let _ = sender.send("begun");
            tokio::spawn(async move {
                gone.await;
                let _ = sender.send("told");
            });
            std::future::pending::<()>().await;
            Ok(())
        }
    });
    let mut client = Stdio::start(server(vec![tool]));
    client.send(&call(1, "starting")).await;
    assert_eq!(hear(&mut told).await, "begun");

    client.send(&cancel(1)).await;

    assert_eq!(hear(&mut told).await, "told");
}

// S-107.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancellation_that_crosses_the_answer_harms_nothing() {
    let mut client = Stdio::start(server(vec![plain("a")]));

    // Few enough at a time that none is refused for want of room.
    let mut all = Vec::new();
    for round in 0..20 {
        for id in 0..10 {
            client.send(&call(format!("{round} {id}"), "a")).await;
            client.send(&cancel(format!("{round} {id}"))).await;
        }
        client.send(&call(round, "a")).await;
        while all.last().is_none_or(|it: &Value| it["id"] != round) {
            all.push(client.next().await);
        }
    }
    all.extend(client.rest().await);

    let mut ids: Vec<_> = all.iter().map(|it| it["id"].to_string()).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), all.len(), "no call is answered twice");
    assert!(all.iter().all(|it| it["result"]["content"][0]["text"] == "a"), "{all:?}");
}

// S-109.
#[tokio::test]
async fn a_cancellation_of_nothing_is_ignored_on_stdio() {
    let mut client = Stdio::start(server(vec![plain("a")]));
    client.ask(&call(1, "a")).await;

    client.send(&cancel(1)).await;
    client.send(&cancel("never seen")).await;
    client.send(&cancel(Value::Null)).await;
    client.send(&cancel(json!({"id": 1}))).await;
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {}})).await;
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled"})).await;

    assert_eq!(client.ask(&call(2, "a")).await["result"]["content"][0]["text"], "a");
    assert_eq!(client.rest().await, Vec::<Value>::new());
}

// S-109.
#[tokio::test]
async fn a_cancellation_of_nothing_is_accepted_on_http() {
    let server = start(server(vec![plain("a")])).await;
    let call = Call::post(&cancel("never seen").to_string())
        .header("MCP-Protocol-Version: 2026-07-28")
        .header("Mcp-Method: notifications/cancelled");

    let answer = call.send(server.address).await;

    assert_eq!((answer.status, answer.body.len()), (202, 0));
}

// S-106, S-122.
#[tokio::test]
async fn calls_that_were_cancelled_or_that_asked_leave_no_place_taken() {
    let mut limits = Limits::default();
    limits.calls_per_caller = 1;
    let server = server(vec![confirming("ask"), plain("a")]).limits(limits);
    let ann = caller(&server, "ann");

    for _ in 0..50 {
        super::kit::begin(&ann, "ask", json!({})).await;
    }

    assert_eq!(text(&super::kit::call(&ann, "a", json!({})).await), "a");
}
