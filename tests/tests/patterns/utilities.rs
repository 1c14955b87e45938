//! Completion, logging and the hints for caches (server/utilities).

use std::time::Duration;

use tollgate::{
    Cache, Exchange, Limits, Server,
    prelude::*,
    serde_json::{Value, json},
};

use super::{
    kit::{call, caller, code, confirming, plain, result_type, server, text, tool},
    stdio::{Stdio, meta_with, request},
};

// --- completion ---

fn completing() -> Server {
    let prompt = Prompt::new("p", "Is there.", async |_, _| Ok("told"))
        .argument("city", "Where.", true)
        .argument("tone", "How.", true)
        .argument("broken", "Fails.", true)
        .complete("city", async |_: Cx, typed: String| {
            Ok(["Rome", "Riga", "Oslo"]
                .into_iter()
                .filter(|it| it.starts_with(&typed))
                .map(Into::into)
                .collect())
        })
        .complete("broken", async |_: Cx, _| Err(std::io::Error::other("/var/secret is locked"))?);
    let resource = Resource::new("test://{id}", "r", async |_, _| Ok("held"))
        .complete("id", async |_: Cx, _| Ok((0..250).map(|it| it.to_string()).collect()));
    server(vec![]).prompts(vec![prompt]).resources(vec![resource])
}

async fn complete(server: &Server, reference: Value, name: &str, value: &str) -> Exchange {
    let params = json!({"ref": reference, "argument": {"name": name, "value": value}});
    server.client("ann").request("completion/complete", params).await
}

fn prompt(name: &str) -> Value {
    json!({"type": "ref/prompt", "name": name})
}

// S-185.
#[tokio::test]
async fn completion_is_declared_where_something_is_completed() {
    let discover = async |server: Server| {
        let exchange = server.client("ann").request("server/discover", json!({})).await;
        exchange.response["result"]["capabilities"]["completions"].clone()
    };

    assert_eq!(discover(completing()).await, json!({}));
    assert_eq!(discover(server(vec![plain("a")])).await, Value::Null);
}

// S-186.
#[tokio::test]
async fn what_cannot_be_completed_is_an_error_of_the_protocol() {
    let server_without = server(vec![plain("a")]);
    let server = completing();
    let ann = server.client("ann");

    let unsupported = complete(&server_without, prompt("p"), "city", "R").await;
    assert_eq!((unsupported.status, code(&unsupported)), (404, -32601));
    for reference in [
        prompt("unknown"),
        json!({"type": "ref/resource", "uri": "test://unknown/{id}"}),
        json!({"type": "ref/tool", "name": "p"}),
        json!({"type": "ref/prompt"}),
        json!({}),
    ] {
        let exchange = complete(&server, reference.clone(), "city", "R").await;
        assert_eq!((exchange.status, code(&exchange)), (200, -32602), "{reference}");
    }
    for argument in
        [json!({}), json!({"name": "city"}), json!({"name": 1, "value": "R"}), json!("city"), json!(null)]
    {
        let params = json!({"ref": prompt("p"), "argument": argument});
        assert_eq!(code(&ann.request("completion/complete", params).await), -32602, "{argument}");
    }
    let broken = complete(&server, prompt("p"), "broken", "").await;
    assert_eq!(code(&broken), -32603);
    assert!(!broken.response.to_string().contains("/var/secret"), "{broken:?}");
}

// S-187.
#[tokio::test]
async fn at_most_a_hundred_values_are_offered() {
    let reference = json!({"type": "ref/resource", "uri": "test://{id}"});

    let exchange = complete(&completing(), reference, "id", "").await;

    let completion = &exchange.response["result"]["completion"];
    assert_eq!(completion["values"].as_array().unwrap().len(), 100);
    assert_eq!((&completion["total"], &completion["hasMore"]), (&json!(250), &json!(true)));
}

// S-188.
#[tokio::test]
async fn the_author_completes_what_was_typed() {
    let server = completing();

    let some = complete(&server, prompt("p"), "city", "R").await;
    let none = complete(&server, prompt("p"), "tone", "f").await;

    let completion = |it: &Exchange| it.response["result"]["completion"].clone();
    assert_eq!(completion(&some), json!({"values": ["Rome", "Riga"], "total": 2, "hasMore": false}));
    assert_eq!(completion(&none), json!({"values": [], "total": 0, "hasMore": false}));
}

// S-189.
#[tokio::test]
async fn completion_counts_against_the_limits_of_its_caller() {
    let mut limits = Limits::default();
    limits.calls_per_second_per_caller = Some(1);
    let server = completing().limits(limits);

    complete(&server, prompt("p"), "city", "R").await;

    assert_eq!(complete(&server, prompt("p"), "city", "R").await.status, 429);
}

// --- logging ---

fn logging() -> Tool {
    tool("log", async |cx: Cx| {
        cx.log(Level::Debug, "a detail").await;
        cx.log(Level::Warning, json!({"disk": "full"})).await;
        Ok("done")
    })
}

async fn logged(server: &Server, level: Value) -> Exchange {
    let params = json!({"name": "log", "_meta": {"io.modelcontextprotocol/logLevel": level}});
    server.client("ann").request("tools/call", params).await
}

// S-190.
#[tokio::test]
async fn logging_is_declared_where_it_was_turned_on_and_only_then_is_logged() {
    let discover = async |server: &Server| {
        let exchange = server.client("ann").request("server/discover", json!({})).await;
        exchange.response["result"]["capabilities"]["logging"].clone()
    };
    let (on, off) = (server(vec![logging()]).logging(), server(vec![logging()]));

    assert_eq!(discover(&on).await, json!({}));
    assert_eq!(logged(&on, json!("debug")).await.notifications.len(), 2);
    assert_eq!(discover(&off).await, Value::Null);
    assert_eq!(logged(&off, json!("debug")).await.notifications.len(), 0);
}

// S-191.
#[tokio::test]
async fn a_request_that_names_no_level_gets_no_log() {
    let server = server(vec![logging()]).logging();

    let exchange = call(&server.client("ann"), "log", json!({})).await;

    assert_eq!(exchange.notifications, Vec::<Value>::new());
    assert_eq!(text(&exchange), "done");
}

// S-191.
#[tokio::test]
async fn a_request_gets_the_levels_from_the_one_it_names() {
    let server = server(vec![logging()]).logging();

    let exchange = logged(&server, json!("notice")).await;

    assert_eq!(exchange.notifications.len(), 1, "{exchange:?}");
    assert_eq!(exchange.notifications[0]["method"], "notifications/message");
    assert_eq!(exchange.notifications[0]["params"], json!({"level": "warning", "data": {"disk": "full"}}));
    assert_eq!(logged(&server, json!("emergency")).await.notifications, Vec::<Value>::new());
}

// S-191, S-192.
#[tokio::test]
async fn the_level_of_one_request_says_nothing_about_the_next() {
    let mut client = Stdio::start(server(vec![logging()]).logging());
    let loud = meta_with("io.modelcontextprotocol/logLevel", "debug");

    client.send(&request(1, "tools/call", json!({"name": "log", "_meta": loud}))).await;
    let first = [client.next().await, client.next().await, client.next().await];
    client.send(&request(2, "tools/call", json!({"name": "log"}))).await;
    let second = client.next().await;

    assert_eq!(first[2]["id"], 1, "{first:?}");
    assert_eq!(second["id"], 2);
    assert_eq!(client.rest().await, Vec::<Value>::new());
}

// S-192.
#[tokio::test]
async fn a_log_message_goes_to_the_call_that_it_is_about() {
    let server = server(vec![logging()]).logging();
    let loud = json!({"name": "log", "_meta": {"io.modelcontextprotocol/logLevel": "debug"}});
    let ann = server.client("ann");

    let (loud, quiet) =
        tokio::join!(ann.request("tools/call", loud), ann.request("tools/call", json!({"name": "log"})));

    assert_eq!((loud.notifications.len(), quiet.notifications.len()), (2, 0));
}

// S-193.
#[tokio::test]
async fn a_level_that_is_none_is_refused() {
    let server = server(vec![logging()]).logging();

    for level in [json!("loud"), json!("Debug"), json!(""), json!(3), json!(null)] {
        assert_eq!(code(&logged(&server, level.clone()).await), -32602, "{level}");
    }
}

// S-195.
#[tokio::test]
async fn a_flood_of_log_messages_is_thinned() {
    let mut limits = Limits::default();
    limits.notifications_per_second = 5;
    let flood = tool("log", async |cx: Cx| {
        for line in 0..1_000 {
            cx.log(Level::Error, line).await;
        }
        Ok("done")
    });
    let server = server(vec![flood]).logging().limits(limits);

    let count = logged(&server, json!("debug")).await.notifications.len();

    assert!((5..=20).contains(&count), "{count} messages");
}

// --- hints for caches ---

/// Every method whose result may be kept.
const KEPT: [(&str, &str); 6] = [
    ("server/discover", "{}"),
    ("tools/list", "{}"),
    ("prompts/list", "{}"),
    ("resources/list", "{}"),
    ("resources/templates/list", "{}"),
    ("resources/read", r#"{"uri": "test://r"}"#),
];

fn full() -> Server {
    server(vec![plain("a"), confirming("ask")])
        .prompts(vec![Prompt::new("p", "Is there.", async |_, _| Ok("told"))])
        .resources(vec![
            Resource::new("test://r", "r", async |_, _| Ok("held")),
            Resource::new("test://{id}/r", "t", async |_, _| Ok("held")),
        ])
}

async fn hints(server: &Server, method: &str, params: &str) -> (Value, Value) {
    let params = tollgate::serde_json::from_str(params).unwrap();
    let result = server.client("ann").request(method, params).await.response["result"].clone();
    assert_eq!(result["resultType"], "complete", "{method}");
    (result["ttlMs"].clone(), result["cacheScope"].clone())
}

// S-197, S-198.
#[tokio::test]
async fn every_result_that_may_be_kept_says_for_how_long_and_for_whom() {
    let server = full();

    for (method, params) in KEPT {
        let (ttl, scope) = hints(&server, method, params).await;
        assert!(ttl.is_u64(), "{method}: {ttl}");
        assert!(scope == "public" || scope == "private", "{method}: {scope}");
    }
}

// S-197, S-198, S-201.
#[tokio::test]
async fn the_hints_are_those_that_the_author_chose() {
    let mine = full().cache(Cache::private(Duration::from_millis(1_500)));
    let forever = full().cache(Cache::public(Duration::MAX));

    for (method, params) in &KEPT[..5] {
        assert_eq!(hints(&mine, method, params).await, (json!(1_500), json!("private")), "{method}");
        assert_eq!(
            hints(&forever, method, params).await,
            (json!((1_u64 << 53) - 1), json!("public")),
            "{method}"
        );
    }
    assert_eq!(hints(&mine, KEPT[5].0, KEPT[5].1).await, (json!(0), json!("private")));
}

// S-201.
#[tokio::test]
async fn what_is_read_is_shared_only_where_its_author_says_so() {
    let resource = |uri: &str| Resource::new(uri, "r", async |_, _| Ok("held")).cache(Duration::from_secs(9));
    let server = server(vec![]).resources(vec![resource("test://mine"), resource("test://ours").shared()]);

    let mine = hints(&server, "resources/read", r#"{"uri": "test://mine"}"#).await;
    let ours = hints(&server, "resources/read", r#"{"uri": "test://ours"}"#).await;

    assert_eq!(mine, (json!(9_000), json!("private")));
    assert_eq!(ours, (json!(9_000), json!("public")));
}

// S-199.
#[tokio::test]
async fn all_pages_of_a_list_have_one_scope() {
    let mut limits = Limits::default();
    limits.page_items = 1;
    let tools = || vec![plain("a"), plain("b"), plain("c")];

    for (cache, scope) in
        [(Cache::private(Duration::ZERO), "private"), (Cache::public(Duration::ZERO), "public")]
    {
        let server = server(tools()).limits(limits.clone()).cache(cache);
        let pages = super::lists::pages(&server, "tools/list").await;
        assert_eq!(pages.len(), 3);
        assert!(pages.iter().all(|it| it["cacheScope"] == scope), "{pages:?}");
    }
}

// S-200.
#[tokio::test]
async fn a_question_is_not_to_be_kept() {
    let asking = Resource::new("test://ask", "ask", async |cx: Cx, _| {
        cx.ask::<super::kit::Confirm>("Go on?").await?;
        Ok("held")
    });
    let server = full().resources(vec![asking.cache(Duration::from_secs(60))]);
    let ann = caller(&server, "ann");

    let of_tool = call(&ann, "ask", json!({})).await;
    let of_resource = ann.request("resources/read", json!({"uri": "test://ask"})).await;

    for it in [of_tool, of_resource] {
        assert_eq!(result_type(&it), "input_required");
        assert_eq!(it.response["result"].get("ttlMs"), None, "{it:?}");
        assert_eq!(it.response["result"].get("cacheScope"), None, "{it:?}");
    }
}
