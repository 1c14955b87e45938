//! Lists: one order, the same bytes each time, and pages that fit together (server/utilities/pagination).

use tollgate::{
    Limits, Server,
    prelude::*,
    serde_json::{Value, json},
};
use tollgate_tests::{Call, Connection, start};

use super::kit::{code, confirming, plain, secret, server};

const LISTS: [(&str, &str); 4] = [
    ("tools/list", "tools"),
    ("prompts/list", "prompts"),
    ("resources/list", "resources"),
    ("resources/templates/list", "resourceTemplates"),
];

/// A server with seven of everything, in no order but the one they were written in.
fn sevens() -> Server {
    let names = ["g", "b", "z", "a", "m", "k", "c"];
    let prompt = |name: &str| Prompt::new(name, "Is there.", async |_, _| Ok("told"));
    let resource = |uri: String| Resource::new(uri, "r", async |_, _| Ok("held"));
    server(names.into_iter().map(plain).collect())
        .prompts(names.into_iter().map(prompt).collect::<Vec<_>>())
        .resources(names.into_iter().map(|it| resource(format!("test://{it}"))).collect::<Vec<_>>())
        .resources(names.into_iter().map(|it| resource(format!("test://{it}/{{id}}"))).collect::<Vec<_>>())
}

fn paged(server: Server, items: usize) -> Server {
    let mut limits = Limits::default();
    limits.page_items = items;
    server.limits(limits)
}

/// The results of all pages of a list.
pub(crate) async fn pages(server: &Server, method: &str) -> Vec<Value> {
    let ann = server.client("ann");
    let mut pages = Vec::new();
    let mut params = json!({});
    loop {
        let result = ann.request(method, params).await.response["result"].clone();
        assert_eq!(result["resultType"], "complete", "{result}");
        let next = result.get("nextCursor").cloned();
        pages.push(result);
        match next {
            Some(cursor) => params = json!({"cursor": cursor}),
            None => return pages,
        }
    }
}

async fn items(server: &Server, method: &str, member: &str) -> Vec<Value> {
    pages(server, method).await.iter().flat_map(|it| it[member].as_array().unwrap().clone()).collect()
}

async fn with_cursor(server: &Server, method: &str, cursor: Value) -> i64 {
    code(&server.client("ann").request(method, json!({"cursor": cursor})).await)
}

async fn first_cursor(server: &Server, method: &str) -> String {
    pages(server, method).await[0]["nextCursor"].as_str().unwrap().to_owned()
}

// S-140, S-141, S-166, S-178.
#[tokio::test]
async fn a_hundred_lists_are_equal_byte_for_byte() {
    let server = start(sevens()).await;

    for (method, _) in LISTS {
        let first = Call::modern(method, json!({})).send(server.address).await.body;
        assert!(first.len() > 300, "{method}");
        let mut connection = Connection::open(server.address).await;
        for _ in 0..100 {
            connection.send(&Call::modern(method, json!({})).bytes()).await;
            assert_eq!(connection.answer().await.body, first, "{method}");
        }
    }
}

// S-141.
#[tokio::test]
async fn two_builds_of_a_server_list_the_same_bytes() {
    let (one, other) = (start(paged(sevens(), 3)).await, start(paged(sevens(), 3)).await);

    for (method, _) in LISTS {
        let here = Call::modern(method, json!({})).send(one.address).await;
        let there = Call::modern(method, json!({})).send(other.address).await;
        assert!(here.result()["nextCursor"].is_string(), "{method}");
        assert_eq!(here.body, there.body, "{method}");
    }
}

// S-141.
#[tokio::test]
async fn a_list_keeps_the_order_in_which_it_was_written() {
    let names: Vec<_> =
        items(&sevens(), "tools/list", "tools").await.iter().map(|it| it["name"].clone()).collect();

    assert_eq!(names, ["g", "b", "z", "a", "m", "k", "c"]);
}

// S-140.
#[tokio::test]
async fn calls_and_callers_do_not_change_a_list() {
    let server = sevens().tools(vec![confirming("ask")]);
    let list = async |name: &str| {
        server.client(name).request("tools/list", json!({})).await.response["result"].clone()
    };
    let before = list("ann").await;

    super::kit::begin(&super::kit::caller(&server, "ann"), "ask", json!({})).await;
    super::kit::call(&server.client("ann"), "g", json!({})).await;
    super::kit::call(&server.client("ann"), "unknown", json!({})).await;

    assert_eq!(list("ann").await, before);
    assert_eq!(list("bob").await, before);
}

// S-196.
#[tokio::test]
async fn the_pages_of_a_list_are_the_list() {
    for (method, member) in LISTS {
        let whole = items(&sevens(), method, member).await;
        assert_eq!(whole.len(), 7, "{method}");
        for size in 1..=8 {
            assert_eq!(items(&paged(sevens(), size), method, member).await, whole, "{method} by {size}");
        }
    }
}

// S-196.
#[tokio::test]
async fn pages_have_no_more_bytes_than_the_limit_says_unless_one_item_has() {
    let mut limits = Limits::default();
    limits.page_bytes = 1;
    let server = sevens().limits(limits);

    let pages = pages(&server, "tools/list").await;

    assert_eq!(pages.len(), 7);
    assert!(pages.iter().all(|it| it["tools"].as_array().unwrap().len() == 1));
}

// S-196.
#[tokio::test]
async fn a_cursor_works_as_often_as_it_is_used_and_on_every_copy() {
    let (one, copy) = (paged(sevens(), 3), paged(sevens(), 3));
    let cursor = first_cursor(&one, "tools/list").await;

    for _ in 0..3 {
        assert_eq!(with_cursor(&one, "tools/list", cursor.clone().into()).await, 0);
        assert_eq!(with_cursor(&copy, "tools/list", cursor.clone().into()).await, 0);
    }
}

// S-196.
#[tokio::test]
async fn a_cursor_that_is_none_is_refused() {
    let server = paged(sevens(), 3);

    for (method, _) in LISTS {
        for cursor in [json!(""), json!("3"), json!(null), json!(3), json!({}), json!("x".repeat(100_000))] {
            assert_eq!(with_cursor(&server, method, cursor).await, -32602, "{method}");
        }
    }
}

// S-196.
#[tokio::test]
async fn a_cursor_that_was_altered_in_any_byte_is_refused() {
    let server = paged(sevens(), 3);
    let cursor = first_cursor(&server, "tools/list").await;

    for at in 0..cursor.len() {
        let mut bytes = cursor.clone().into_bytes();
        bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
        let altered = String::from_utf8(bytes).unwrap();
        assert_eq!(with_cursor(&server, "tools/list", altered.into()).await, -32602, "byte {at}");
    }
    assert_eq!(with_cursor(&server, "tools/list", format!("{cursor}A").into()).await, -32602);
}

// S-196.
#[tokio::test]
async fn the_cursor_of_one_list_is_refused_by_every_other() {
    let server = paged(sevens(), 3);
    let cursor = first_cursor(&server, "tools/list").await;

    for (method, _) in &LISTS[1..] {
        assert_eq!(with_cursor(&server, method, cursor.clone().into()).await, -32602, "{method}");
    }
}

// S-196.
#[tokio::test]
async fn the_cursor_of_a_list_that_has_changed_is_refused() {
    let server = paged(sevens(), 3);
    let cursor = first_cursor(&server, "tools/list").await;
    let prompts = first_cursor(&server, "prompts/list").await;

    server.catalog().add_tool(plain("new")).unwrap();

    assert_eq!(with_cursor(&server, "tools/list", cursor.into()).await, -32602);
    assert_eq!(with_cursor(&server, "prompts/list", prompts.into()).await, 0, "that list is as it was");
    assert_eq!(items(&server, "tools/list", "tools").await.len(), 8);
}

// S-196.
#[tokio::test]
async fn the_cursor_of_a_server_with_another_key_is_refused() {
    let other = paged(sevens(), 3).secret(secret(1));
    let cursor = first_cursor(&other, "tools/list").await;

    assert_eq!(with_cursor(&paged(sevens(), 3), "tools/list", cursor.into()).await, -32602);
}
