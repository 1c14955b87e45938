//! Streams of server-sent events: what they carry, and what closing them means
//! (basic/transports/streamable-http#receiving-messages).

use std::time::Duration;

use serde_json::{Map, Value, json};
use tollgate::{Cx, Form, Limits, Tool};
use tollgate_tests::{Answer, Call, Connection, start};

use super::house::{House, say_call, server, watched};

fn listen() -> Call {
    Call::modern("subscriptions/listen", json!({"notifications": {"toolsListChanged": true}}))
}

// S-074.
#[tokio::test]
async fn a_stream_tells_of_its_own_request_alone() {
    let running = start(server()).await;

    let (a, b) = (say_call("a"), say_call("b"));
    let (a, b) = tokio::join!(a.send(running.address), b.send(running.address));

    let tokens = |it: &Answer| -> Vec<Value> {
        it.events().iter().filter_map(|it| it["params"].get("progressToken").cloned()).collect()
    };
    assert_eq!((tokens(&a), tokens(&b)), (vec![json!("a")], vec![json!("b")]));
}

// S-075.
#[tokio::test]
async fn no_stream_of_a_modern_client_carries_a_request() {
    let mut running = start(server()).await;
    let mut listener = Connection::open(running.address).await;
    listener.send(&listen().bytes()).await;
    listener.head().await;

    let mut messages = say_call("a").send(running.address).await.events();
    running.signal();
    while let Some(message) = listener.event().await {
        messages.push(message);
    }

    assert!(messages.iter().all(|it| it.get("method").is_none() || it.get("id").is_none()), "{messages:?}");
    assert_eq!(messages.len(), 4);
}

// S-009, S-043, S-076.
#[tokio::test]
async fn an_error_after_the_first_event_is_the_last_one() {
    let server = server();
    let late =
        Tool::new("late", "Asks late.", json!({"type": "object"}), async |cx: Cx<House>, _: Map<_, _>| {
            cx.progress("so far").await;
            let form = Form::new("name", "Who?", json!({"type": "object", "properties": {}}));
            cx.ask_form(form).await.map(drop)
        });
    server.catalog().add_tool(late).unwrap();
    let running = start(server).await;
    let call = Call::tool("late", &json!({})).edit(|it| it["params"]["_meta"]["progressToken"] = 1.into());

    let events = call.send(running.address).await.events();

    assert_eq!(events.len(), 2);
    assert_eq!((&events[1]["id"], &events[1]["error"]["code"]), (&json!(1), &json!(-32021)));
}

// S-077.
#[tokio::test]
async fn a_stream_tells_proxies_not_to_hold_it_back() {
    let running = start(server()).await;
    let mut listener = Connection::open(running.address).await;
    listener.send(&listen().bytes()).await;

    let heads = [say_call("a").send(running.address).await, listener.head().await];

    assert!(heads.iter().all(|it| it.header("x-accel-buffering") == Some("no")));
}

// S-078.
#[tokio::test]
async fn a_quiet_stream_shows_that_it_is_alive() {
    let mut limits = Limits::default();
    limits.keep_alive = Duration::from_millis(20);
    let running = start(server().limits(limits)).await;
    let mut listener = Connection::open(running.address).await;
    listener.send(&listen().bytes()).await;
    listener.head().await;
    listener.event().await.unwrap();

    let signs = [listener.chunk().await, listener.chunk().await];

    assert_eq!(signs, [Some(b":\n\n".to_vec()), Some(b":\n\n".to_vec())]);
}

// S-079, S-080.
#[tokio::test]
async fn a_call_whose_stream_is_closed_is_dropped() {
    let (server, mut watch) = watched();
    let running = start(server).await;
    let mut connection = Connection::open(running.address).await;
    let hold = Call::tool("hold", &json!({})).edit(|it| it["params"]["_meta"]["progressToken"] = 1.into());
    connection.send(&hold.bytes()).await;
    assert_eq!(watch.next().await, "started");
    connection.head().await;
    assert_eq!(connection.event().await.unwrap()["method"], "notifications/progress");

    drop(connection);

    assert_eq!(watch.next().await, "dropped");
}

// S-079, S-080.
#[tokio::test]
async fn a_call_that_has_said_nothing_yet_is_dropped_with_its_connection() {
    let (server, mut watch) = watched();
    let running = start(server).await;
    let mut connection = Connection::open(running.address).await;
    connection.send(&Call::tool("hold", &json!({})).bytes()).await;
    assert_eq!(watch.next().await, "started");

    drop(connection);

    assert_eq!(watch.next().await, "dropped");
}

// S-080.
#[tokio::test]
async fn what_a_call_has_started_hears_that_it_was_cancelled() {
    let (server, mut watch) = watched();
    let (heard, hears) = tokio::sync::oneshot::channel();
    let heard = std::sync::Mutex::new(Some(heard));
    let starts =
        Tool::new("starts", "Starts.", json!({"type": "object"}), move |cx: Cx<House>, _: Map<_, _>| {
            let heard = heard.lock().unwrap().take();
            async move {
                cx.state().tell("started");
                let cancelled = cx.cancelled();
                tokio::spawn(async move {
                    cancelled.await;
                    heard.map(|it| it.send(()))
                });
                std::future::pending::<()>().await;
                Ok(())
            }
        });
    server.catalog().add_tool(starts).unwrap();
    let running = start(server).await;
    let mut connection = Connection::open(running.address).await;
    connection.send(&Call::tool("starts", &json!({})).bytes()).await;
    assert_eq!(watch.next().await, "started");

    drop(connection);

    assert!(tokio::time::timeout(Duration::from_secs(20), hears).await.is_ok_and(|it| it.is_ok()));
}

// S-080.
#[tokio::test]
async fn a_call_goes_on_when_another_ones_stream_is_closed() {
    let (server, mut watch) = watched();
    let running = start(server).await;
    let hold = Call::tool("hold", &json!({}));
    let mut stays = Connection::open(running.address).await;
    stays.send(&hold.bytes()).await;
    assert_eq!(watch.next().await, "started");
    let mut goes = Connection::open(running.address).await;
    goes.send(&hold.bytes()).await;
    assert_eq!(watch.next().await, "started");

    drop(goes);
    assert_eq!(watch.next().await, "dropped");
    watch.release.notify_waiters();

    assert_eq!(stays.answer().await.result()["content"][0]["text"], "let go");
}
