//! The app's state, and its parts.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use serde_json::json;
use tollgate::prelude::*;

#[derive(Clone)]
struct App {
    calendar: Calendar,
    name: &'static str,
}

#[derive(Clone, Default)]
struct Calendar(Arc<AtomicU32>);

impl FromRef<App> for Calendar {
    fn from_ref(app: &App) -> Self {
        app.calendar.clone()
    }
}

/// Books a day.
///
/// Use when one is wanted.
/// Do not use when none is.
#[tool]
async fn book(cx: &Cx<Calendar>) -> u32 {
    cx.state().0.fetch_add(1, Ordering::Relaxed) + 1
}

/// Says whose calendar it is.
///
/// Use when the name matters.
/// Do not use when it does not.
#[tool]
async fn whose(cx: &Cx<App>) -> String {
    cx.state().name.to_owned()
}

/// Says who calls.
///
/// Use when the caller matters.
/// Do not use when not.
#[tool]
async fn who(cx: &Cx) -> String {
    format!("{} {}", cx.caller().name().unwrap_or("nobody"), cx.version())
}

/// Looks at a day.
#[prompt]
async fn look(cx: &Cx<Calendar>) -> String {
    cx.state().0.load(Ordering::Relaxed).to_string()
}

/// The day.
#[resource(uri = "app://day")]
async fn day(cx: &Cx<Calendar>) -> String {
    cx.state().0.load(Ordering::Relaxed).to_string()
}

fn app() -> App {
    App { calendar: Calendar::default(), name: "Ann's" }
}

#[tokio::test]
async fn a_tool_sees_the_whole_state_or_the_part_it_names() {
    let client =
        Server::new("surface", "1").state(app()).tools(tools![book, whose, who]).without_auth().client("ann");

    assert_eq!(client.call(book {}).await.unwrap(), 1);
    assert_eq!(client.call(book {}).await.unwrap(), 2);
    assert_eq!(client.call(whose {}).await.unwrap(), "Ann's");
    assert_eq!(client.call(who {}).await.unwrap(), "ann 2026-07-28");
}

#[tokio::test]
async fn prompts_and_resources_see_the_same_state() {
    let client = Server::new("surface", "1")
        .state(app())
        .tools(tools![book])
        .prompts(prompts![look])
        .resources(resources![day])
        .without_auth()
        .client("ann");
    client.call(book {}).await.unwrap();

    let prompt = client.prompt(look {}).await.unwrap();
    let resource = client.read("app://day").await.unwrap();

    assert_eq!(prompt["messages"][0]["content"]["text"], "1");
    assert_eq!(resource["contents"][0]["text"], "1");
}

#[tokio::test]
async fn what_was_added_before_the_state_stays() {
    let client = Server::new("surface", "1")
        .tools(tools![who])
        .state(app())
        .tools(tools![book])
        .without_auth()
        .client("bob");

    let list = client.request("tools/list", json!({})).await.response["result"]["tools"].clone();

    assert_eq!((&list[0]["name"], &list[1]["name"]), (&json!("who"), &json!("book")));
    assert_eq!(client.call(who {}).await.unwrap(), "bob 2026-07-28");
    assert_eq!(client.call(book {}).await.unwrap(), 1);
}

#[tokio::test]
async fn a_function_stays_callable_as_it_was() {
    async fn twice(text: &str) -> String {
        let once = super::state::echo(text.to_owned()).await;
        super::state::echo(once).await
    }

    assert_eq!(twice("a").await, "aaaa");
}

/// Doubles.
///
/// Use when twice is wanted.
/// Do not use when once is.
#[tool]
async fn echo(text: String) -> String {
    text.repeat(2)
}
