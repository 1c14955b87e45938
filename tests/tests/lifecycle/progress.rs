//! Progress: rarely, always more, and the newest before the result.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::{sleep, timeout};
use tollgate::{Exchange, Limits, prelude::*};
use tollgate_tests::{Connection, start};

use crate::{Stage, call, server, stage, streamed};

/// Reports a thousand times at once.
///
/// Use when much is to be reported.
/// Do not use when little is.
#[tool]
async fn eager(cx: &Cx<Stage>) -> String {
    for n in 1..=1_000 {
        cx.progress_of(f64::from(n), 1_000.0, format!("step {n}")).await;
    }
    "done".into()
}

async fn exchange(tools: ToolSet<Stage>, tool: &str) -> Exchange {
    let client = server(stage().0, tools).client("ann");
    let meta = json!({"progressToken": 7});
    client.request("tools/call", json!({"name": tool, "arguments": {}, "_meta": meta})).await
}

fn reported(exchange: &Exchange) -> Vec<f64> {
    exchange.notifications.iter().map(|it| it["params"]["progress"].as_f64().unwrap()).collect()
}

#[tokio::test(start_paused = true)]
async fn a_burst_is_limited_and_its_newest_report_comes_before_the_result() {
    let exchange = exchange(tools![eager], "eager").await;

    let all = reported(&exchange);

    assert_eq!(all, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 1_000.0]);
    assert_eq!(
        exchange.notifications[10]["params"],
        json!({"progressToken": 7, "progress": 1000, "total": 1000, "message": "step 1000"})
    );
    assert_eq!(exchange.response["result"]["content"][0]["text"], "done");
}

/// Reports for three seconds, each hundredth of a second.
///
/// Use when it takes a while.
/// Do not use when it does not.
#[tool]
async fn steady(cx: &Cx<Stage>) -> String {
    for n in 1..=300 {
        sleep(Duration::from_millis(10)).await;
        cx.progress(format!("step {n}")).await;
    }
    "done".into()
}

#[tokio::test(start_paused = true)]
async fn steady_reports_are_limited_to_ten_a_second_and_grow() {
    let exchange = exchange(tools![steady], "steady").await;

    let all = reported(&exchange);

    assert!((30..=42).contains(&all.len()), "{all:?}");
    assert!(all.windows(2).all(|it| it[0] < it[1]), "{all:?}");
    assert_eq!(all.last(), Some(&300.0));
}

/// Reports backwards and nonsense.
///
/// Use when it has to be wrong.
/// Do not use when not.
#[tool]
async fn wrong(cx: &Cx<Stage>) -> String {
    cx.progress_of(0.0, 10.0, "start").await;
    cx.progress_of(5.0, f64::INFINITY, "five").await;
    cx.progress_of(5.0, 10.0, "five again").await;
    cx.progress_of(3.0, 10.0, "back").await;
    cx.progress_of(f64::NAN, 10.0, "none").await;
    cx.progress_of(f64::INFINITY, 10.0, "too far").await;
    cx.progress_of(5.5, 10.0, "on").await;
    "done".into()
}

#[tokio::test(start_paused = true)]
async fn a_report_that_does_not_grow_is_left_out() {
    let exchange = exchange(tools![wrong], "wrong").await;

    assert_eq!(reported(&exchange), [0.0, 5.0, 5.5]);
    assert!(exchange.notifications[1]["params"].get("total").is_none());
}

/// Reports much, and then hangs.
///
/// Use when it takes long.
/// Do not use when it does not.
#[tool]
async fn stuck(cx: &Cx<Stage>) -> String {
    for n in 1..=50 {
        cx.progress(format!("step {n}")).await;
    }
    cx.state().opened().await;
    "done".into()
}

#[tokio::test]
async fn the_newest_report_of_a_tool_that_falls_silent_is_sent_once_it_is_due() {
    let (stage, _director) = stage();
    let running = start(server(stage, tools![stuck])).await;
    let mut connection = Connection::open(running.address).await;
    connection.send(&streamed("stuck").bytes()).await;
    assert_eq!(connection.head().await.status, 200);

    let newest = async {
        loop {
            let event = connection.event().await.unwrap();
            if event["params"]["progress"] == 50 {
                break event;
            }
        }
    };
    let newest: Value = timeout(Duration::from_secs(2), newest).await.unwrap();

    assert_eq!(newest["params"]["message"], "step 50");
}

#[tokio::test]
async fn who_asks_for_no_progress_gets_plain_json() {
    let running = start(server(stage().0, tools![eager])).await;

    let answer = call("eager").send(running.address).await;

    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.result()["content"][0]["text"], "done");
}

#[tokio::test]
async fn without_a_limit_every_report_is_sent_in_order() {
    let mut limits = Limits::default();
    limits.notifications_per_second = 0;
    let running = start(server(stage().0, tools![eager]).limits(limits)).await;

    let events = streamed("eager").send(running.address).await.events();

    let all: Vec<_> = events[..1_000].iter().map(|it| it["params"]["progress"].as_u64().unwrap()).collect();
    assert_eq!(all, (1..=1_000).collect::<Vec<_>>());
    assert_eq!(events.len(), 1_001);
}

/// Writes to the client's log.
///
/// Use when it has to be logged.
/// Do not use when not.
#[tool]
async fn logs(cx: &Cx<Stage>) -> String {
    cx.log(Level::Debug, "fine").await;
    cx.log(Level::Warning, json!({"left": 3})).await;
    "done".into()
}

#[tokio::test]
async fn log_messages_are_those_of_the_level_that_the_request_asks_for() {
    let server = server(stage().0, tools![logs]).logging();
    let client = server.client("ann");
    let ask =
        |meta: Value| client.request("tools/call", json!({"name": "logs", "arguments": {}, "_meta": meta}));

    let warnings = ask(json!({"io.modelcontextprotocol/logLevel": "warning"})).await.notifications;
    let none = ask(json!({})).await.notifications;

    assert_eq!(warnings.len(), 1);
    assert_eq!(warnings[0]["params"], json!({"level": "warning", "data": {"left": 3}}));
    assert!(none.is_empty());
}
