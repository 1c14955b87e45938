//! Who listens to a note hears of it for as long as it may be read, and not for as long as the stream lasts.

use serde_json::json;
use tollgate_tests::{Call, Connection};

use super::{
    super::archive::{in_session, old},
    house::{House, in_memory},
    matrix::uri,
    oracle::{Caller, Named},
};

const BEACON: &str = "beacon://b";

/// Bob's stream, of the current revision or of an older one, with the note that is shared with him.
async fn listen(house: &House, is_old: bool) -> Connection {
    let note = uri(&house.handles[&Named::Shared]);
    let mut connection = Connection::open(house.running.address).await;
    if !is_old {
        let uris = json!({"resourceSubscriptions": [note, BEACON]});
        let call = Call::modern("subscriptions/listen", json!({"notifications": uris}));
        connection.send(&house.with(call, Caller::OtherUser).bytes()).await;
        assert_eq!(connection.head().await.status, 200);
        connection.event().await.unwrap();
        return connection;
    }
    let params = json!({
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "old", "version": "1"},
    });
    let opened = house.send(old("initialize", params), Caller::OtherUser).await;
    let session = opened.header("mcp-session-id").unwrap();
    let mut get = in_session(Call::post(""), session).replace("Accept", "text/event-stream");
    get.line = "GET /mcp HTTP/1.1".into();
    get.with_length = false;
    connection.send(&house.with(get.without("Content-Type"), Caller::OtherUser).bytes()).await;
    assert_eq!(connection.head().await.status, 200);
    for it in [&note, BEACON] {
        let call = in_session(old("resources/subscribe", json!({"uri": it})), session);
        assert_eq!(house.send(call, Caller::OtherUser).await.result(), json!({}));
    }
    connection
}

/// Whether a change of the note is heard. When the beacon was heard twice, everything was.
async fn hears(house: &House, stream: &mut Connection) -> bool {
    let catalog = house.server.catalog();
    let note = uri(&house.handles[&Named::Shared]);
    catalog.resource_updated(&note);
    let mut heard = false;
    for _ in 0..2 {
        catalog.resource_updated(BEACON);
        loop {
            let event = stream.event().await.unwrap();
            match event["params"]["uri"].as_str() {
                Some(BEACON) => break,
                told => assert_eq!(told, Some(note.as_str())),
            }
            heard = true;
        }
    }
    heard
}

#[tokio::test]
async fn what_is_taken_back_is_not_heard_of_any_more() {
    for is_old in [false, true] {
        for tool in ["take_back", "erase"] {
            let house = House::open(in_memory).await;
            let mut stream = listen(&house, is_old).await;
            assert!(hears(&house, &mut stream).await);

            house.by_ann(tool, json!({"note": house.handles[&Named::Shared]})).await;

            assert!(!hears(&house, &mut stream).await, "{tool}, {is_old}");
        }
    }
}

#[tokio::test]
async fn what_is_shared_for_a_time_is_heard_of_for_that_time() {
    for is_old in [false, true] {
        let house = House::open(in_memory).await;
        let mut stream = listen(&house, is_old).await;
        assert!(hears(&house, &mut stream).await);

        // The token is good for as long; the stream goes by another clock.
        house.watch.pass(3_600);

        assert!(!hears(&house, &mut stream).await, "{is_old}");
    }
}
