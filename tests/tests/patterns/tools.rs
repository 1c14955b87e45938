//! Tools: what is listed, what is enforced, and how a tool says no (server/tools).

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;
use tollgate::{
    Limits, Server,
    prelude::*,
    serde_json::{Map, Value, json},
};

use super::{
    kit::{begin, call, caller, code, confirming, plain, retry, server, text, tool},
    stdio::{Stdio, request},
};

async fn listed(server: &Server) -> Vec<Value> {
    let exchange = server.client("ann").request("tools/list", json!({})).await;
    exchange.response["result"]["tools"].as_array().unwrap().clone()
}

async fn names(server: &Server) -> Vec<String> {
    listed(server).await.iter().map(|it| it["name"].as_str().unwrap().to_owned()).collect()
}

fn faults(tools: Vec<Tool>) -> Vec<String> {
    server(tools).check().run().unwrap_err().faults().to_vec()
}

fn of_schema(schema: Value) -> Tool {
    Tool::new("t", "Is there.", schema, async |_, _| Ok("told"))
}

// S-138.
#[tokio::test]
async fn tools_are_declared_where_there_are_some() {
    let discover = async |server: Server| {
        let exchange = server.client("ann").request("server/discover", json!({})).await;
        exchange.response["result"]["capabilities"]["tools"].clone()
    };

    assert_eq!(discover(server(vec![plain("a")])).await, json!({"listChanged": true}));
    assert_eq!(discover(server(vec![])).await, Value::Null);
}

// S-139.
#[tokio::test]
async fn the_list_holds_what_may_be_called_now() {
    let server = server(vec![plain("a"), plain("b")]);
    assert_eq!(names(&server).await, ["a", "b"]);

    server.catalog().remove_tool("a");
    server.catalog().add_tool(plain("c")).unwrap();

    assert_eq!(names(&server).await, ["b", "c"]);
    let ann = server.client("ann");
    assert_eq!(code(&call(&ann, "a", json!({})).await), -32602);
    assert_eq!(text(&call(&ann, "c", json!({})).await), "c");
}

// S-138, S-139.
#[tokio::test]
async fn a_list_that_has_become_empty_is_still_a_list() {
    let server = server(vec![plain("a")]);

    server.catalog().remove_tool("a");

    assert_eq!(listed(&server).await, Vec::<Value>::new());
    let discovered = server.client("ann").request("server/discover", json!({})).await;
    assert_eq!(discovered.response["result"]["capabilities"]["tools"], json!({"listChanged": true}));
}

// S-142.
#[tokio::test]
async fn a_retry_may_have_any_id() {
    let mut client = Stdio::start(server(vec![confirming("ask")]));
    let mut meta = tollgate_tests::raw::meta();
    meta["io.modelcontextprotocol/clientCapabilities"] = json!({"elicitation": {}});
    let params = json!({"name": "ask", "_meta": meta});
    let asked = client.ask(&request(1, "tools/call", params.clone())).await;
    let mut params = params;
    params["requestState"] = asked["result"]["requestState"].clone();
    params["inputResponses"] = json!({"confirm": super::kit::yes()});

    for id in [json!(2), json!("a"), json!(-5)] {
        let answer = client.ask(&request(id.clone(), "tools/call", params.clone())).await;
        assert_eq!(answer["result"]["content"][0]["text"], "ok: true", "{id}");
    }
}

// S-143.
#[tokio::test]
async fn a_listener_is_told_of_new_and_of_removed_tools() {
    let server = server(vec![plain("a"), plain("b")]);
    let mut client = Stdio::start(server.clone());
    let listen = json!({"notifications": {"toolsListChanged": true}});
    client.send(&request("ear", "subscriptions/listen", listen)).await;
    client.next().await;

    server.catalog().add_tool(plain("c")).unwrap();
    assert_eq!(client.next().await["method"], "notifications/tools/list_changed");
    server.catalog().remove_tool("a");
    assert_eq!(client.next().await["method"], "notifications/tools/list_changed");
    server.catalog().remove_tool("never there");

    assert_eq!(client.rest().await[0]["method"], "notifications/cancelled");
}

// S-144.
#[test]
fn a_schema_that_is_not_of_an_object_does_not_start() {
    for schema in [
        json!(null),
        json!(true),
        json!([]),
        json!({}),
        json!({"type": "string"}),
        json!({"type": ["object"]}),
    ] {
        assert!(faults(vec![of_schema(schema.clone())])[0].contains("the tool `t`"), "{schema}");
    }
}

// S-144.
#[tokio::test]
async fn every_listed_tool_has_a_schema_of_an_object() {
    let tools =
        vec![plain("a"), of_schema(json!({"type": "object", "properties": {"a": {"type": "string"}}}))];

    let listed = listed(&server(tools)).await;

    assert_eq!(listed.len(), 2);
    assert!(listed.iter().all(|it| it["inputSchema"]["type"] == "object"), "{listed:?}");
}

// S-145, S-146.
#[test]
fn a_name_is_short_and_of_plain_letters() {
    for name in ["", "a b", "a,b", "a/b", "ä", "a\n", &"a".repeat(129)] {
        let faults = faults(vec![tool(name, async |_| Ok(()))]);
        assert!(faults[0].contains("a name has 1 to 128 characters"), "{name:?}: {faults:?}");
    }
    for name in ["a", "A.b-c_9", &"a".repeat(128)] {
        assert!(server(vec![tool(name, async |_| Ok(()))]).check().run().is_ok(), "{name}");
    }
}

// S-146, S-147.
#[tokio::test]
async fn names_are_unique_and_letter_case_counts() {
    assert_eq!(faults(vec![plain("a"), plain("a")]), ["two tools are named `a`"]);

    let server = server(vec![plain("a"), plain("A")]);
    let ann = server.client("ann");
    assert_eq!(text(&call(&ann, "a", json!({})).await), "a");
    assert_eq!(text(&call(&ann, "A", json!({})).await), "A");
}

// S-147.
#[tokio::test]
async fn a_tool_that_joins_later_takes_the_place_of_the_one_of_its_name() {
    let server = server(vec![plain("a"), plain("b")]);

    server.catalog().add_tool(tool("a", async |_| Ok("another"))).unwrap();

    assert_eq!(names(&server).await, ["a", "b"]);
    assert_eq!(text(&call(&server.client("ann"), "a", json!({})).await), "another");
}

#[derive(Serialize, JsonSchema)]
struct Weather {
    degrees: i32,
    sky: &'static str,
}

// S-156.
#[tokio::test]
async fn structured_output_is_there_as_text_too() {
    let server = server(vec![tool("weather", async |_| Ok(Weather { degrees: 21, sky: "clear" }))]);

    let exchange = call(&server.client("ann"), "weather", json!({})).await;

    let structured = &exchange.response["result"]["structuredContent"];
    assert_eq!(*structured, json!({"degrees": 21, "sky": "clear"}));
    assert_eq!(tollgate::serde_json::from_str::<Value>(text(&exchange)).unwrap(), *structured);
}

// S-157.
#[tokio::test]
async fn output_that_breaks_its_own_schema_never_leaves() {
    let schema =
        json!({"type": "object", "properties": {"degrees": {"type": "string"}}, "required": ["degrees"]});
    let broken = tool("broken", async |_| Ok(Weather { degrees: 21, sky: "clear" })).output(schema.clone());
    let missing = tool("missing", async |_| Ok("no structure at all")).output(schema.clone());
    let server = server(vec![broken, missing]);

    for name in ["broken", "missing"] {
        let exchange = call(&server.client("ann"), name, json!({})).await;
        assert_eq!(code(&exchange), -32603, "{exchange:?}");
        assert!(!exchange.response.to_string().contains("clear"), "{exchange:?}");
    }
    assert_eq!(listed(&server).await[0]["outputSchema"], schema);
}

// S-157.
#[tokio::test]
async fn a_published_output_schema_is_the_one_of_the_type() {
    let server = server(vec![tool("weather", async |_| Ok(Weather { degrees: 21, sky: "clear" }))]);

    let schema = listed(&server).await[0]["outputSchema"].clone();

    assert_eq!(schema["type"], "object");
    assert_eq!(schema["required"], json!(["degrees", "sky"]));
}

// S-158.
#[tokio::test]
async fn what_a_tool_says_no_to_is_a_result_for_the_model() {
    let refusing = tool("refusing", async |_| -> Result<()> { fail!("No seat is free. Offer another day.") });
    let failing = tool("failing", async |_| -> Result<()> { Err(std::io::Error::other("/etc/db is gone"))? });
    let server = server(vec![refusing, failing]);
    let ann = server.client("ann");

    let refused = call(&ann, "refusing", json!({})).await;
    let failed = call(&ann, "failing", json!({})).await;

    assert_eq!(refused.response["result"]["isError"], true);
    assert_eq!(text(&refused), "No seat is free. Offer another day.");
    assert_eq!(failed.response["result"]["isError"], true);
    assert!(text(&failed).starts_with("internal error (reference "), "{failed:?}");
    assert!(!failed.response.to_string().contains("/etc/db"), "{failed:?}");
}

// S-159.
#[tokio::test]
async fn arguments_are_checked_before_the_tool_sees_them() {
    let schema = json!({
        "type": "object",
        "properties": {"day": {"type": "string", "maxLength": 3}, "guests": {"type": "integer", "minimum": 1}},
        "required": ["day", "guests"],
        "additionalProperties": false,
    });
    let strict = Tool::new("strict", "Is strict.", schema, async |_: Cx, it: Map<String, Value>| {
        assert!(it["day"].is_string() && it["guests"].is_i64());
        Ok("fits")
    });
    let server = server(vec![strict]);
    let ann = server.client("ann");

    let wrong = call(&ann, "strict", json!({"day": "friday", "guests": 0, "smoking": true})).await;
    let right = call(&ann, "strict", json!({"day": "fri", "guests": 4})).await;

    assert_eq!(wrong.response["result"]["isError"], true);
    for place in ["/day", "/guests", "/smoking"] {
        assert!(text(&wrong).contains(place), "{place}: {wrong:?}");
    }
    assert_eq!(text(&right), "fits");
}

// S-161.
#[tokio::test]
async fn calls_are_limited_for_the_process_for_a_caller_and_for_a_tool() {
    let brief = || tool("brief", async |_| Ok("told"));
    let mut of_process = Limits::default();
    of_process.calls_per_second = Some(3);
    let mut of_caller = Limits::default();
    of_caller.calls_per_second_per_caller = Some(3);

    for (server, status) in [
        (server(vec![brief()]).limits(of_process), 503),
        (server(vec![brief()]).limits(of_caller), 429),
        (server(vec![brief().calls_per_second(3)]), 429),
    ] {
        let ann = server.client("ann");
        let mut statuses = Vec::new();
        for _ in 0..20 {
            statuses.push(call(&ann, "brief", json!({})).await.status);
        }
        assert_eq!(statuses[..3], [200; 3]);
        assert!(statuses.contains(&status), "{statuses:?}");
        assert!(statuses.iter().all(|it| [200, status].contains(it)), "{statuses:?}");
    }
}

// S-161.
#[tokio::test]
async fn one_caller_who_calls_too_often_does_not_stop_another() {
    let mut limits = Limits::default();
    limits.calls_per_second_per_caller = Some(1);
    let server = server(vec![plain("a")]).limits(limits);
    let (ann, bob) = (server.client("ann"), server.client("bob"));

    call(&ann, "a", json!({})).await;
    assert_eq!(call(&ann, "a", json!({})).await.status, 429);

    assert_eq!(call(&bob, "a", json!({})).await.status, 200);
}

// S-161.
#[tokio::test]
async fn a_tool_runs_as_often_at_once_as_it_says() {
    let slow = tool("slow", async |_| {
        tokio::time::sleep(Duration::from_millis(50)).await;
        Ok("told")
    });
    let server = server(vec![slow.calls(2)]);
    let ann = server.client("ann");

    let (a, b, c) = tokio::join!(
        call(&ann, "slow", json!({})),
        call(&ann, "slow", json!({})),
        call(&ann, "slow", json!({}))
    );

    assert_eq!([a.status, b.status, c.status], [200, 200, 429]);
}

// S-160.
#[tokio::test]
async fn a_tool_knows_who_calls() {
    let whoami = tool("whoami", async |cx: Cx| Ok(cx.caller().name().unwrap_or("nobody").to_owned()));
    let server = server(vec![whoami]);

    assert_eq!(text(&call(&server.client("ann"), "whoami", json!({})).await), "ann");
    assert_eq!(text(&call(&server.client("bob"), "whoami", json!({})).await), "bob");
}

// S-162.
#[tokio::test]
async fn what_a_tool_returns_cannot_end_its_message_early() {
    const HOSTILE: &str = "a\"}]},\"id\":9}\n\ndata: {\"jsonrpc\":\"2.0\"}\r\n\u{0}\u{2028}";
    let mut client = Stdio::start(server(vec![tool("hostile", async |cx: Cx| {
        cx.progress(HOSTILE).await;
        Ok(HOSTILE)
    })]));
    let params = json!({"name": "hostile", "_meta": super::stdio::meta_with("progressToken", HOSTILE)});

    client.send(&request(1, "tools/call", params)).await;
    let (progress, result) = (client.next().await, client.next().await);

    assert_eq!(progress["params"]["message"], HOSTILE);
    assert_eq!(progress["params"]["progressToken"], HOSTILE);
    assert_eq!(result["result"]["content"][0]["text"], HOSTILE);
    assert_eq!(client.rest().await, Vec::<Value>::new());
}

// S-162.
#[tokio::test]
async fn a_result_that_is_too_large_is_replaced_by_a_sentence() {
    let mut limits = Limits::default();
    limits.result_bytes = 1_000;
    let server = server(vec![tool("large", async |_| Ok("x".repeat(2_000)))]).limits(limits);

    let exchange = call(&server.client("ann"), "large", json!({})).await;

    assert_eq!(exchange.response["result"]["isError"], true);
    assert!(text(&exchange).contains("larger than 1000 bytes"), "{exchange:?}");
}

// S-158, S-209.
#[tokio::test]
async fn a_user_who_says_no_is_no_error_of_the_protocol() {
    let server = server(vec![confirming("ask")]);
    let ann = caller(&server, "ann");
    let state = begin(&ann, "ask", json!({})).await;
    let no =
        json!({"name": "ask", "requestState": state, "inputResponses": {"confirm": {"action": "decline"}}});

    let declined = ann.request("tools/call", no).await;

    assert_eq!(declined.response["result"]["isError"], true);
    assert_eq!(text(&retry(&ann, "ask", json!({}), state.into()).await), "ok: true");
}
