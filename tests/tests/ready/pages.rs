//! The list that a question rides on stays what it is; and nobody keeps what held for a moment.

use serde_json::{Value, json};
use tollgate::{Cache, Limits, Server, Tool, ready::EXTENSION};
use tollgate_tests::{Running, start};

use super::kit::{Stand, legacy_listing, listing, open_session_with};

/// The list without what a question changes.
fn plain(body: &Value) -> Value {
    let mut result = body["result"].clone();
    for name in ["_meta", "ttlMs", "cacheScope"] {
        result.as_object_mut().unwrap().remove(name);
    }
    result
}

fn rider() -> Value {
    json!({ EXTENSION: {"tools": [{"id": "t3"}]} })
}

#[tokio::test]
async fn the_list_is_the_same_with_and_without_a_question() {
    let stand = Stand::new().await;
    let address = stand.running.address;
    let without = listing(&json!({}), json!({}), &json!({})).send(address).await.json();
    let session = open_session_with(&stand.running, &json!({})).await;
    let without_legacy = legacy_listing(&session, json!({})).send(address).await.json();

    let with = stand.modern(&rider(), json!({})).await.json();
    let with_legacy = stand.legacy(json!({"_meta": rider()})).await.json();

    assert_eq!(plain(&with), plain(&without));
    assert_eq!(plain(&with_legacy), plain(&without_legacy));
    assert_eq!(with["id"], without["id"]);
    let info = "io.modelcontextprotocol/serverInfo";
    assert_eq!(with["result"]["_meta"][info], without["result"]["_meta"][info]);
    assert!(
        with_legacy["result"].get("ttlMs").is_none() && with_legacy["result"].get("resultType").is_none()
    );
}

#[tokio::test]
async fn an_answered_question_is_kept_by_nobody() {
    let stand = Stand::new().await;

    let with = stand.modern(&rider(), json!({})).await.result();
    let without = stand.modern(&json!({}), json!({})).await.result();

    assert_eq!((&with["ttlMs"], &with["cacheScope"]), (&json!(0), &json!("private")));
    assert_eq!((&without["ttlMs"], &without["cacheScope"]), (&json!(60_000), &json!("public")));
}

/// Seven tools on three pages.
async fn paged(cache: Option<Cache>) -> Running {
    let tool =
        |it| Tool::new(format!("t{it}"), "Is there.", json!({"type": "object"}), async |_, _| Ok("ok"));
    let mut limits = Limits::default();
    limits.page_items = 3;
    let server = Server::new("paged", "1").limits(limits).tools((0..7).map(tool).collect::<Vec<Tool>>());
    let server = cache.into_iter().fold(server, Server::cache);
    start(server.without_auth()).await
}

async fn page(running: &Running, meta: &Value, cursor: Option<&Value>) -> Value {
    let params = cursor.map_or(json!({}), |it| json!({"cursor": it}));
    let capabilities = json!({"extensions": {EXTENSION: {}}});
    listing(meta, params, &capabilities).send(running.address).await.result()
}

#[tokio::test]
async fn all_pages_of_a_list_that_a_question_opened_are_private() {
    let running = paged(None).await;

    let first = page(&running, &rider(), None).await;
    let second = page(&running, &json!({}), Some(&first["nextCursor"])).await;
    let third = page(&running, &json!({}), Some(&second["nextCursor"])).await;

    let scopes = [&first, &second, &third].map(|it| it["cacheScope"].clone());
    assert_eq!(scopes, ["private", "private", "private"].map(Value::from));
    let names: Vec<&str> = [&first, &second, &third]
        .into_iter()
        .flat_map(|it| it["tools"].as_array().unwrap())
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["t0", "t1", "t2", "t3", "t4", "t5", "t6"]);
    assert_eq!(third.get("nextCursor"), None);
    let shared = page(&running, &json!({}), None).await;
    assert_eq!(page(&running, &json!({}), Some(&shared["nextCursor"])).await["cacheScope"], "public");
}

#[tokio::test]
async fn a_question_may_ride_on_any_page_and_is_about_all_tools() {
    for cache in [None, Some(Cache::private(std::time::Duration::from_secs(9)))] {
        let running = paged(cache).await;
        let first = page(&running, &json!({}), None).await;

        let second = page(&running, &rider(), Some(&first["nextCursor"])).await;

        assert_eq!(second["tools"][0]["name"], "t3");
        assert_eq!(second["_meta"][EXTENSION]["verdict"], "ready");
        assert_eq!((&second["ttlMs"], &second["cacheScope"]), (&json!(0), &json!("private")));
        let third = page(&running, &rider(), Some(&second["nextCursor"])).await;
        assert_eq!(third["_meta"][EXTENSION]["tools"][0], json!({"id": "t3", "status": "ready"}));
    }
}
