//! How far the work is (basic/patterns/progress).

use std::time::Duration;

use tokio::sync::oneshot;
use tollgate::{
    Limits,
    prelude::*,
    serde_json::{Value, json},
};
use tollgate_tests::{Call, start};

use super::{
    kit::{plain, server, tool},
    stdio::{Stdio, call, meta_with, request},
};

fn unhurried() -> Limits {
    let mut limits = Limits::default();
    limits.notifications_per_second = 0;
    limits
}

/// A tool that reports these numbers.
fn reporting(steps: &'static [f64]) -> Server {
    let tool = tool("report", move |cx: Cx| async move {
        for step in steps {
            cx.progress_of(*step, 10.0, format!("step {step}")).await;
        }
        Ok("done")
    });
    server(vec![tool]).limits(unhurried())
}

async fn reported(server: &Server, token: impl Into<Value>) -> Vec<Value> {
    let params = json!({"name": "report", "_meta": {"progressToken": token.into()}});
    server.client("ann").request("tools/call", params).await.notifications
}

// S-127.
#[tokio::test]
async fn progress_only_ever_grows() {
    let server = reporting(&[0.0, 1.0, 1.0, 0.5, 2.5, f64::NAN, f64::INFINITY, 2.0, 3.0]);

    let notes = reported(&server, "p").await;

    let numbers: Vec<_> = notes.iter().map(|it| it["params"]["progress"].as_f64().unwrap()).collect();
    assert_eq!(numbers, [0.0, 1.0, 2.5, 3.0]);
}

// S-127, S-128.
#[tokio::test]
async fn progress_that_is_counted_grows_by_one_and_says_what_goes_on() {
    let tool = tool("report", async |cx: Cx| {
        cx.progress("packing").await;
        cx.progress("shipping").await;
        Ok("done")
    });
    let server = server(vec![tool]).limits(unhurried());

    let notes = reported(&server, "p").await;

    assert_eq!(notes.len(), 2, "{notes:?}");
    assert_eq!(notes[0]["params"], json!({"progressToken": "p", "progress": 1, "message": "packing"}));
    assert_eq!(notes[1]["params"], json!({"progressToken": "p", "progress": 2, "message": "shipping"}));
}

// S-129.
#[tokio::test]
async fn progress_carries_the_token_as_it_was_written() {
    let server = reporting(&[1.0]);

    for token in [json!("p"), json!("7"), json!(7), json!(-7), json!("a \"quoted\" one"), json!("")] {
        let notes = reported(&server, token.clone()).await;
        assert_eq!(notes.len(), 1, "{token}");
        assert_eq!(notes[0]["method"], "notifications/progress");
        assert_eq!(notes[0]["params"]["progressToken"], token);
    }
}

// S-129.
#[tokio::test]
async fn without_a_token_there_is_no_progress() {
    let server = start(reporting(&[1.0, 2.0])).await;

    let answer = Call::tool("report", &json!({})).send(server.address).await;

    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.result()["content"][0]["text"], "done");
}

// S-129.
#[tokio::test]
async fn two_calls_at_once_keep_their_tokens_apart() {
    let tool = tool("report", async |cx: Cx| {
        for _ in 0..3 {
            cx.progress("on the way").await;
            tokio::task::yield_now().await;
        }
        Ok("done")
    });
    let server = server(vec![tool]);
    let params = |token| json!({"name": "report", "_meta": {"progressToken": token}});
    let ann = server.client("ann");

    let (a, b) = tokio::join!(ann.request("tools/call", params("a")), ann.request("tools/call", params("b")));

    for (exchange, token) in [(a, "a"), (b, "b")] {
        assert_eq!(exchange.notifications.len(), 3, "{exchange:?}");
        assert!(exchange.notifications.iter().all(|it| it["params"]["progressToken"] == token));
    }
}

// S-130.
#[tokio::test]
async fn nothing_is_reported_once_the_answer_is_there() {
    let (go, gone) = oneshot::channel::<()>();
    let gone = std::sync::Mutex::new(Some(gone));
    let (done, reported) = oneshot::channel::<()>();
    let done = std::sync::Mutex::new(Some(done));
    let tool = tool("report", move |cx: Cx| {
        let (gone, done) = (gone.lock().unwrap().take().unwrap(), done.lock().unwrap().take().unwrap());
        async move {
            cx.progress("in time").await;
            tokio::spawn(async move {
                let _ = gone.await;
                cx.progress("too late").await;
                let _ = done.send(());
            });
            Ok("done")
        }
    });
    let mut client = Stdio::start(server(vec![tool, plain("a")]).limits(unhurried()));

    client
        .send(&request(1, "tools/call", json!({"name": "report", "_meta": meta_with("progressToken", 9)})))
        .await;
    assert_eq!(client.next().await["params"]["message"], "in time");
    assert_eq!(client.next().await["id"], 1);
    go.send(()).unwrap();
    reported.await.unwrap();

    assert_eq!(client.ask(&call(2, "a")).await["id"], 2);
    assert_eq!(client.rest().await, Vec::<Value>::new());
}

// S-131.
#[tokio::test]
async fn a_flood_of_progress_is_thinned_and_ends_with_the_newest() {
    let mut limits = Limits::default();
    limits.notifications_per_second = 5;
    let flood = tool("report", async |cx: Cx| {
        for step in 1..=1_000 {
            cx.progress_of(f64::from(step), 1_000.0, "").await;
        }
        Ok("done")
    });
    let server = server(vec![flood]).limits(limits);

    let notes = reported(&server, "p").await;

    assert!((6..=20).contains(&notes.len()), "{} reports", notes.len());
    assert_eq!(notes.last().unwrap()["params"]["progress"], 1_000);
}

// S-131.
#[tokio::test]
async fn progress_that_was_held_back_goes_out_while_the_tool_works_on() {
    let mut limits = Limits::default();
    limits.notifications_per_second = 1;
    let tool = tool("report", async |cx: Cx| {
        cx.progress("first").await;
        cx.progress("held back").await;
        std::future::pending::<()>().await;
        Ok(())
    });
    let server = server(vec![tool.deadline(Duration::from_secs(30))]).limits(limits);
    let mut client = Stdio::start(server);

    client
        .send(&request(1, "tools/call", json!({"name": "report", "_meta": meta_with("progressToken", 9)})))
        .await;

    assert_eq!(client.next().await["params"]["message"], "first");
    assert_eq!(client.next().await["params"]["message"], "held back");
}
