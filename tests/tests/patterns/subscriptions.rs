//! One stream for changes, and only those that were asked for (basic/patterns/subscriptions).

use std::time::Duration;

use tollgate::{
    Limits,
    prelude::*,
    serde_json::{Value, json},
};
use tollgate_tests::{Call, Connection, Running, start};

use super::{
    kit::{plain, server, tool},
    stdio::{Stdio, call, cancel, meta_with, request},
};

/// A server with one of everything.
fn full() -> Server {
    server(vec![plain("a")]).prompts(vec![Prompt::new("p", "Is there.", async |_, _| Ok("told"))]).resources(
        vec![
            Resource::new("test://r", "r", async |_, _| Ok("held")),
            Resource::new("test://s", "s", async |_, _| Ok("held")),
        ],
    )
}

/// Changes everything, the tools last.
fn change_all(server: &Server) {
    let catalog = server.catalog();
    catalog.resource_updated("test://r");
    catalog.resource_updated("test://s");
    catalog.add_resource(Resource::new("test://t", "t", async |_, _| Ok("held"))).unwrap();
    catalog.add_prompt(Prompt::new("q", "Is there.", async |_, _| Ok("told"))).unwrap();
    catalog.add_tool(plain("b")).unwrap();
}

async fn listen(running: &Running, notifications: Value) -> Connection {
    let mut connection = Connection::open(running.address).await;
    let listen = Call::modern("subscriptions/listen", json!({"notifications": notifications}));
    connection.send(&listen.bytes()).await;
    let head = connection.head().await;
    assert_eq!((head.status, head.header("content-type")), (200, Some("text/event-stream")));
    connection
}

// S-132.
#[tokio::test]
async fn a_listener_hears_what_it_asked_for_and_nothing_else() {
    let everything = ["tools/list_changed", "prompts/list_changed", "resources/list_changed"];
    for (asked, heard) in [
        (json!({"toolsListChanged": true}), "tools/list_changed"),
        (json!({"promptsListChanged": true, "toolsListChanged": false}), "prompts/list_changed"),
        (json!({"resourcesListChanged": true}), "resources/list_changed"),
        (json!({"resourceSubscriptions": ["test://r"]}), "resources/updated"),
    ] {
        let server = full();
        let mut running = start(server.clone()).await;
        let mut connection = listen(&running, asked.clone()).await;
        connection.event().await.unwrap();

        change_all(&server);
        let mut notes = vec![connection.event().await.unwrap()];
        running.signal();
        while let Some(note) = connection.event().await {
            notes.push(note);
        }

        let last = notes.pop().unwrap();
        assert_eq!(last["result"]["resultType"], "complete", "{asked}");
        let methods: Vec<_> = notes.iter().map(|it| it["method"].as_str().unwrap()).collect();
        assert_eq!(methods, [format!("notifications/{heard}")], "{asked}");
        assert!(everything.contains(&heard) || notes[0]["params"]["uri"] == "test://r", "{notes:?}");
    }
}

// S-132, S-135.
#[tokio::test]
async fn a_listener_that_asks_for_nothing_hears_nothing() {
    let server = full();
    let mut running = start(server.clone()).await;
    let mut connection = listen(&running, json!({})).await;
    let acknowledged = connection.event().await.unwrap();

    change_all(&server);
    running.signal();

    assert_eq!(acknowledged["params"]["notifications"], json!({}));
    assert_eq!(connection.event().await.unwrap()["id"], 1);
    assert_eq!(connection.event().await, None);
}

// S-133, S-134.
#[tokio::test]
async fn the_acknowledgement_comes_first_even_while_everything_changes() {
    let server = full();
    let changing = tokio::spawn({
        let server = server.clone();
        async move {
            loop {
                change_all(&server);
                tokio::task::yield_now().await;
            }
        }
    });
    let running = start(server).await;

    for _ in 0..20 {
        let mut connection =
            listen(&running, json!({"toolsListChanged": true, "promptsListChanged": true})).await;
        let first = connection.event().await.unwrap();
        assert_eq!(first["method"], "notifications/subscriptions/acknowledged", "{first}");
        assert_eq!(first["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 1);
    }
    changing.abort();
}

// S-133, S-135.
#[tokio::test]
async fn the_acknowledgement_names_exactly_what_will_be_heard() {
    let server = start(server(vec![plain("a")])).await;
    let asked = json!({
        "toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true,
        "resourceSubscriptions": ["test://r"], "weatherChanged": true,
    });

    let acknowledged = listen(&server, asked).await.event().await.unwrap();

    assert_eq!(acknowledged["params"]["notifications"], json!({"toolsListChanged": true}));
}

// S-135.
#[tokio::test]
async fn a_server_that_can_do_all_of_it_acknowledges_all_of_it() {
    let server = start(full()).await;
    let asked = json!({
        "toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true,
        "resourceSubscriptions": ["test://r", "test://s"],
    });

    let acknowledged = listen(&server, asked.clone()).await.event().await.unwrap();

    assert_eq!(acknowledged["params"]["notifications"], asked);
}

// S-136.
#[tokio::test]
async fn a_server_that_stops_ends_its_listeners_with_a_result() {
    let mut running = start(full()).await;
    let mut connection = listen(&running, json!({"toolsListChanged": true})).await;
    connection.event().await.unwrap();

    running.signal();

    let last = connection.event().await.unwrap();
    assert_eq!(last["id"], 1);
    assert_eq!(last["result"]["resultType"], "complete");
    assert_eq!(last["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 1);
    assert_eq!(connection.event().await, None);
    running.stop().await.unwrap();
}

// S-136.
#[tokio::test]
async fn a_listener_whose_time_is_over_ends_with_a_result() {
    let mut limits = Limits::default();
    limits.listen_time = Duration::from_millis(20);
    let running = start(full().limits(limits)).await;
    let mut connection = listen(&running, json!({"toolsListChanged": true})).await;
    connection.event().await.unwrap();

    let last = connection.event().await.unwrap();

    assert_eq!(last["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 1);
    assert_eq!(connection.event().await, None);
}

// S-137, S-192.
#[tokio::test]
async fn a_listener_hears_no_progress_and_no_log() {
    let loud = tool("loud", async |cx: Cx| {
        cx.progress("on the way").await;
        cx.log(Level::Error, "something to log").await;
        Ok("done")
    });
    let mut client = Stdio::start(server(vec![loud]).logging());
    let mut meta = meta_with("progressToken", "of the listener");
    meta["io.modelcontextprotocol/logLevel"] = "debug".into();
    let params = json!({"notifications": {"toolsListChanged": true}, "_meta": meta.clone()});
    client.send(&request("ear", "subscriptions/listen", params)).await;
    client.next().await;

    assert_eq!(client.ask(&call(1, "loud")).await["id"], 1);
    meta["progressToken"] = "of the call".into();
    client.send(&request(2, "tools/call", json!({"name": "loud", "_meta": meta}))).await;
    let all = [client.next().await, client.next().await, client.next().await];

    assert_eq!(all[0]["params"]["progressToken"], "of the call");
    assert_eq!(all[1]["method"], "notifications/message");
    assert!(!all[1].to_string().contains("subscriptionId"), "{all:?}");
    assert_eq!(all[2]["id"], 2);
}

// S-132.
#[tokio::test]
async fn a_listener_that_was_cancelled_hears_nothing_more() {
    let server = full();
    let mut client = Stdio::start(server.clone());
    client
        .send(&request("ear", "subscriptions/listen", json!({"notifications": {"toolsListChanged": true}})))
        .await;
    client.next().await;

    client.send(&cancel("ear")).await;
    assert_eq!(client.ask(&call(1, "a")).await["id"], 1);
    change_all(&server);

    assert_eq!(client.ask(&call(2, "b")).await["id"], 2);
    assert_eq!(client.rest().await, Vec::<Value>::new());
}

// S-132.
#[tokio::test]
async fn two_listeners_of_one_client_are_told_apart() {
    let server = full();
    let mut client = Stdio::start(server.clone());
    for (id, asked) in [("one", "toolsListChanged"), ("two", "promptsListChanged")] {
        client.send(&request(id, "subscriptions/listen", json!({"notifications": {asked: true}}))).await;
        client.next().await;
    }

    change_all(&server);
    let notes = [client.next().await, client.next().await];

    for note in notes {
        let id = &note["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"];
        let expected = if note["method"] == "notifications/tools/list_changed" { "one" } else { "two" };
        assert_eq!(id, expected, "{note}");
    }
}

// S-132.
#[tokio::test]
async fn a_filter_of_a_wrong_shape_is_refused() {
    let server = full();
    let ann = server.client("ann");

    for params in [
        json!({}),
        json!({"notifications": []}),
        json!({"notifications": {"toolsListChanged": "yes"}}),
        json!({"notifications": {"resourceSubscriptions": "test://r"}}),
        json!({"notifications": {"resourceSubscriptions": [1]}}),
    ] {
        let exchange = ann.request("subscriptions/listen", params.clone()).await;
        assert_eq!(exchange.response["error"]["code"], -32602, "{params}");
    }
}
