//! A reader that does not read is given up.

use std::time::Duration;

use serde_json::json;
use tollgate::{Limits, prelude::*};
use tollgate_tests::{Connection, start};

use crate::{Stage, call, ping, server, stage, streamed, works};

/// Reports without end.
///
/// Use when a stream has to be full.
/// Do not use when it has not.
#[tool]
async fn pours(cx: &Cx<Stage>) -> String {
    let _guard = cx.state().guard();
    cx.state().tell("started");
    let water = "x".repeat(64 * 1024);
    loop {
        cx.progress(&*water).await;
        tokio::task::yield_now().await;
    }
}

/// Says more than a socket holds.
///
/// Use when much is wanted.
/// Do not use when little is.
#[tool]
async fn floods() -> String {
    "x".repeat(32 * 1024 * 1024)
}

fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.calls = 1;
    limits.result_bytes = 64 * 1024 * 1024;
    limits.notifications_per_second = 0;
    limits.write_stall = Duration::from_millis(300);
    limits
}

#[tokio::test]
async fn a_stream_that_nobody_reads_is_ended() {
    let (stage, mut director) = stage();
    let running = start(server(stage, tools![pours, ping]).limits(limits())).await;
    let mut lazy = Connection::open(running.address).await;
    lazy.send(&streamed("pours").bytes()).await;
    director.hears("started").await;

    director.hears_within(Duration::from_secs(10), "dropped").await;

    works(running.address).await;
}

#[tokio::test]
async fn an_answer_that_nobody_reads_is_ended_and_its_place_comes_back() {
    let running = start(server(stage().0, tools![floods, ping]).limits(limits())).await;
    let mut lazy = Connection::open(running.address).await;
    lazy.send(&call("floods").bytes()).await;
    assert_eq!(lazy.head().await.status, 200);
    assert_eq!(call("ping").send(running.address).await.status, 503);

    let free = async { while call("ping").send(running.address).await.status == 503 {} };

    tokio::time::timeout(Duration::from_secs(5), free).await.unwrap();
}

#[tokio::test]
async fn a_tool_that_reports_more_than_is_read_does_not_fill_the_memory() {
    let (stage, mut director) = stage();
    let mut limits = limits();
    limits.write_stall = Duration::from_secs(20);
    let running = start(server(stage, tools![counts]).limits(limits)).await;
    let mut lazy = Connection::open(running.address).await;
    lazy.send(&streamed("counts").bytes()).await;
    director.hears("started").await;

    // What the sockets hold is a few MiB, of which each report takes 64 KiB.
    director.hears_nothing_for(Duration::from_secs(2)).await;

    drop(lazy);
    director.hears("dropped").await;
}

/// Reports until it has reported 64 MiB.
///
/// Use when a stream has to be full.
/// Do not use when it has not.
#[tool]
async fn counts(cx: &Cx<Stage>) -> String {
    let _guard = cx.state().guard();
    cx.state().tell("started");
    let water = "x".repeat(64 * 1024);
    for _ in 0..1_024 {
        cx.progress(&*water).await;
    }
    cx.state().tell("all reported");
    json!({}).to_string()
}

/// Lets a task of its own report until the client has left.
///
/// Use when the work is elsewhere.
/// Do not use when it is here.
#[tool]
async fn leaves_it_to_a_task(cx: &Cx<Stage>) -> String {
    let reporter = cx.clone();
    tokio::spawn(async move {
        let water = "x".repeat(64 * 1024);
        reporter.state().tell("started");
        while !reporter.is_cancelled() {
            reporter.progress(&*water).await;
        }
        reporter.state().tell("stopped");
    });
    cx.state().opened().await;
    "done".into()
}

#[tokio::test]
async fn a_task_that_waits_to_report_goes_on_once_the_client_has_left() {
    let (stage, mut director) = stage();
    let mut limits = limits();
    limits.write_stall = Duration::from_secs(20);
    let running = start(server(stage, tools![leaves_it_to_a_task, ping]).limits(limits)).await;
    let mut lazy = Connection::open(running.address).await;
    lazy.send(&streamed("leaves_it_to_a_task").bytes()).await;
    director.hears("started").await;
    director.hears_nothing_for(Duration::from_millis(500)).await;

    drop(lazy);

    director.hears_within(Duration::from_secs(1), "stopped").await;
    works(running.address).await;
}
