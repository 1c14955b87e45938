//! Who is told what went wrong: the model, or the protocol. One table, on both roads (server/tools#error-handling).

use tollgate::{
    prelude::*,
    serde_json::{Map, Value, json},
};
use tollgate_tests::{Call, raw::meta, start};

use super::{
    kit::{confirming, server, tool, yes},
    stdio::{Stdio, request},
};

/// Stands in every error that no client may see.
const SECRET: &str = "/var/secret";

/// What comes of a request.
#[derive(Clone, Copy, Debug)]
enum Told {
    /// A result that tells the model, with this in its text.
    Model(&'static str),
    /// An error of the protocol.
    Protocol(i64),
    /// Questions.
    Asks,
    /// A result.
    Done,
}

fn failing() -> std::io::Result<()> {
    Err(std::io::Error::other(SECRET))
}

fn full() -> Server {
    let schema = json!({
        "type": "object",
        "properties": {"day": {"type": "string"}, "guests": {"type": "integer", "maximum": 12}},
        "required": ["day"],
        "additionalProperties": false,
    });
    let book = Tool::new("book", "Books.", schema, async |_: Cx, _: Map<String, Value>| Ok("booked"));
    let wrong = tool("wrong_output", async |_| Ok("no object")).output(json!({"type": "object"}));
    server(vec![
        book,
        tool("refuses", async |_| -> Result<()> { fail!("No table is free. Offer another day.") }),
        tool("explains", async |_| failing().or_fail("The calendar is away. Try again later.")),
        tool("fails", async |_| Ok(failing()?)),
        tool("panics", async |_| -> Result<()> { panic!("{SECRET}") }),
        tool("hangs", async |_| std::future::pending::<Result<()>>().await)
            .deadline(std::time::Duration::from_millis(20)),
        wrong,
        confirming("asks"),
    ])
    .prompts(vec![Prompt::new("p", "Is there.", async |_, _| Ok("told")).argument("a", "One.", true)])
    .resources(vec![Resource::new("test://r", "r", async |_, _| Ok("held"))])
}

/// What is sent, and what comes of it.
fn table() -> Vec<(&'static str, Value, Told)> {
    use Told::{Asks, Done, Model, Protocol};
    let call = |name: &str, arguments: Value| json!({"name": name, "arguments": arguments});
    let retry = |more: Value| {
        let mut params = call("asks", json!({}));
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        params
    };
    vec![
        ("tools/call", call("book", json!({"day": "fri"})), Done),
        // The model can mend these.
        ("tools/call", call("book", json!({})), Model("/day")),
        ("tools/call", json!({"name": "book"}), Model("/day")),
        ("tools/call", call("book", json!({"day": 5, "guests": 13, "x": 1})), Model("/guests")),
        ("tools/call", call("refuses", json!({})), Model("Offer another day.")),
        ("tools/call", call("explains", json!({})), Model("Try again later.")),
        ("tools/call", call("fails", json!({})), Model("internal error (reference ")),
        ("tools/call", call("hangs", json!({})), Model("took too long")),
        // These it cannot.
        ("tools/call", call("book", json!([])), Protocol(-32602)),
        ("tools/call", call("book", json!("fri")), Protocol(-32602)),
        ("tools/call", call("book", json!(null)), Protocol(-32602)),
        ("tools/call", json!({"arguments": {}}), Protocol(-32602)),
        ("tools/call", json!({"name": 5}), Protocol(-32602)),
        ("tools/call", json!({"name": null}), Protocol(-32602)),
        ("tools/call", call("unknown", json!({})), Protocol(-32602)),
        ("tools/call", call("Book", json!({"day": "fri"})), Protocol(-32602)),
        ("tools/call", call("panics", json!({})), Protocol(-32603)),
        ("tools/call", call("wrong_output", json!({})), Protocol(-32603)),
        // What comes back from a round.
        ("tools/call", retry(json!({"requestState": "forged"})), Protocol(-32602)),
        ("tools/call", retry(json!({"requestState": 5})), Protocol(-32602)),
        ("tools/call", retry(json!({"inputResponses": []})), Protocol(-32602)),
        ("tools/call", retry(json!({"inputResponses": {"confirm": "yes"}})), Protocol(-32602)),
        ("tools/call", retry(json!({"inputResponses": {}})), Asks),
        ("tools/call", retry(json!({"inputResponses": {"other": yes()}})), Asks),
        ("tools/call", retry(json!({"inputResponses": {"confirm": yes(), "other": yes()}})), Done),
        // Prompts and resources have the protocol alone.
        ("prompts/get", call("p", json!({"a": "text"})), Done),
        ("prompts/get", call("p", json!({})), Protocol(-32602)),
        ("prompts/get", call("unknown", json!({})), Protocol(-32602)),
        ("resources/read", json!({"uri": "test://r"}), Done),
        ("resources/read", json!({"uri": "test://unknown"}), Protocol(-32602)),
        ("tools/list", json!({"cursor": "forged"}), Protocol(-32602)),
        ("prompts/list", json!({"cursor": 5}), Protocol(-32602)),
    ]
}

fn able() -> Value {
    let mut meta = meta();
    meta["io.modelcontextprotocol/clientCapabilities"] = json!({"elicitation": {}});
    meta
}

fn check(response: &Value, told: Told, sent: &Value) {
    let (result, error) = (&response["result"], &response["error"]);
    match told {
        Told::Model(part) => {
            assert_eq!(result["isError"], true, "{sent}: {response}");
            assert_eq!(result["resultType"], "complete", "{sent}: {response}");
            let text = result["content"][0]["text"].as_str().unwrap();
            assert!(text.contains(part), "{sent}: {text}");
        }
        Told::Protocol(code) => assert_eq!(error["code"], code, "{sent}: {response}"),
        Told::Asks => assert_eq!(result["resultType"], "input_required", "{sent}: {response}"),
        Told::Done => {
            assert_eq!(result["resultType"], "complete", "{sent}: {response}");
            assert_ne!(result["isError"], true, "{sent}: {response}");
        }
    }
    assert!(!response.to_string().contains(SECRET), "{sent}: {response}");
}

// S-163, S-158, S-170, S-182.
#[tokio::test]
async fn each_fault_is_told_to_whom_it_concerns_on_http() {
    let server = start(full()).await;

    for (method, mut params, told) in table() {
        params["_meta"] = able();
        let mut call = Call::modern(method, params.clone());
        if method == "tools/call" && !params["name"].is_string() {
            call = call.header("Mcp-Name: none");
        }
        let answer = call.send(server.address).await;
        assert_eq!(answer.status, 200, "{params}");
        check(&answer.json(), told, &params);
    }
}

// S-163, S-158, S-170, S-182.
#[tokio::test]
async fn each_fault_is_told_to_whom_it_concerns_on_stdio() {
    let mut client = Stdio::start(full());

    for (id, (method, mut params, told)) in table().into_iter().enumerate() {
        params["_meta"] = able();
        let response = client.ask(&request(id, method, params.clone())).await;
        check(&response, told, &params);
    }
    assert_eq!(client.rest().await, Vec::<Value>::new());
}

// S-163.
#[tokio::test]
async fn an_unknown_tool_and_one_that_was_removed_are_refused_alike() {
    let server = full();
    server.catalog().remove_tool("refuses");
    let ann = server.client("ann");

    let removed = super::kit::call(&ann, "refuses", json!({})).await;
    let unknown = super::kit::call(&ann, "refusez", json!({})).await;

    let masked = |it: &tollgate::Exchange, name: &str| it.response["error"].to_string().replace(name, "");
    assert_eq!((removed.status, masked(&removed, "refuses")), (unknown.status, masked(&unknown, "refusez")));
}

// S-163.
#[tokio::test]
async fn every_fault_of_the_arguments_is_told_at_once_up_to_twenty() {
    let names: Vec<_> = (0..30).map(|it| format!("n{it}")).collect();
    let properties: Map<_, _> = names.iter().map(|it| (it.clone(), json!({"type": "integer"}))).collect();
    let many = Tool::new(
        "many",
        "Takes many.",
        json!({"type": "object", "properties": properties}),
        async |_: Cx, _: Map<String, Value>| Ok("fits"),
    );
    let arguments: Map<_, _> = names.iter().map(|it| (it.clone(), json!("x".repeat(10_000)))).collect();
    let server = server(vec![many]);

    let exchange = super::kit::call(&server.client("ann"), "many", arguments.into()).await;

    let text = super::kit::text(&exchange);
    assert_eq!(text.lines().count(), 21, "{text}");
    assert!(text.len() < 10_000, "what was sent is shortened");
}
