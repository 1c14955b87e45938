//! A wrong configuration refuses to start, and says what to do.

use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::net::TcpListener;
use tollgate::{Limits, Resource, prelude::*};
use tollgate_tests::Log;

fn tool(name: &str, schema: Value) -> Tool {
    Tool::new(name, "Does it.", schema, async |_cx, _: Map<String, Value>| Ok(""))
}

fn object() -> Value {
    json!({"type": "object"})
}

fn faults(server: Server) -> Vec<String> {
    server.check().run().unwrap_err().faults().to_vec()
}

fn with(tools: Vec<Tool>) -> Server {
    Server::new("surface", "1").tools(tools).without_auth()
}

#[test]
fn two_tools_of_one_name_do_not_start() {
    assert_eq!(faults(with(vec![tool("a", object()), tool("a", object())])), ["two tools are named `a`"]);
}

#[test]
fn two_resources_of_one_uri_do_not_start() {
    let resource = || -> Resource { Resource::new("a://b", "b", async |_cx, _| Ok("b")) };
    let server = Server::new("surface", "1").resources(vec![resource(), resource()]).without_auth();

    assert_eq!(faults(server), ["two resources are named `a://b`"]);
}

#[test]
fn a_bad_name_says_what_a_name_is() {
    let rule = "a name has 1 to 128 characters of `A-Z a-z 0-9 _ . -`";

    assert_eq!(faults(with(vec![tool("a b", object())])), [format!("the tool `a b`: {rule}")]);
    assert_eq!(faults(with(vec![tool("", object())])), [format!("the tool ``: {rule}")]);
    assert_eq!(faults(with(vec![tool(&"a".repeat(129), object())])).len(), 1);
}

#[test]
fn all_faults_are_told_at_once() {
    let no_words: Tool = Tool::new("c", " ", json!({"type": "array"}), async |_cx, _| Ok(""));
    let mut limits = Limits::default();
    limits.calls = 0;
    let server = with(vec![tool("a b", object()), no_words]).limits(limits).path("mcp");

    let found = faults(server);

    assert_eq!(found.len(), 5, "{found:#?}");
    assert_eq!(found[0], "the limit `calls` is 0");
    assert!(found[1].contains("the path `mcp` does not start with `/`"), "{found:#?}");
    assert!(found[2].starts_with("the tool `a b`: "), "{found:#?}");
    assert_eq!(found[3], "the tool `c`: it has no description: that is all the model reads");
    assert!(found[4].contains("the root of its schema is no `\"type\": \"object\"`"), "{found:#?}");
}

#[test]
fn an_error_of_the_start_reads_as_a_list() {
    let error = with(vec![tool("a b", object()), tool("c d", object())]).check().run().unwrap_err();

    let text = error.to_string();

    assert!(text.starts_with("the server does not start:\n- the tool `a b`"), "{text}");
    assert_eq!(text.lines().count(), 3);
}

fn header(schema: Value) -> String {
    faults(with(vec![tool("a", json!({"type": "object", "properties": schema}))])).join("\n")
}

#[test]
fn a_header_that_is_no_token_does_not_start() {
    let told = header(json!({"b": {"type": "string", "x-mcp-header": "no token"}}));

    assert!(told.contains("the tool `a`") && told.contains("is not a token"), "{told}");
}

#[test]
fn a_header_that_two_arguments_want_does_not_start() {
    let told = header(json!({
        "b": {"type": "string", "x-mcp-header": "Region"},
        "c": {"type": "string", "x-mcp-header": "REGION"},
    }));

    assert!(told.contains("two arguments want the header `Mcp-Param-REGION`"), "{told}");
}

#[test]
fn a_header_on_anything_but_a_scalar_does_not_start() {
    let told = header(json!({"b": {"type": "array", "items": {}, "x-mcp-header": "List"}}));

    assert!(
        told.contains("only an argument of `type` string, integer or boolean may have a header"),
        "{told}"
    );
}

#[test]
fn a_header_inside_a_list_does_not_start() {
    let told = header(json!({"b": {"type": "array", "items": {"type": "string", "x-mcp-header": "Item"}}}));

    assert!(
        told.contains("only a property that a chain of `properties` leads to may have a header"),
        "{told}"
    );
}

#[test]
fn a_schema_that_cannot_be_enforced_does_not_start() {
    let elsewhere = json!({"type": "object", "properties": {"a": {"$ref": "https://example.com/s"}}});
    let dialect = json!({"type": "object", "$schema": "http://json-schema.org/draft-03/schema#"});
    let pattern = json!({"type": "object", "properties": {"a": {"type": "string", "pattern": "("}}});

    assert!(faults(with(vec![tool("a", elsewhere)]))[0].contains("https://example.com/s"));
    assert!(faults(with(vec![tool("a", dialect)]))[0].contains("draft-03"));
    assert!(faults(with(vec![tool("a", pattern)]))[0].contains("pattern"));
}

#[test]
fn a_deadline_over_the_limit_does_not_start() {
    let slow = tool("a", object()).deadline(Duration::from_secs(301));

    assert!(faults(with(vec![slow]))[0].contains("call_time_max"));
}

#[test]
fn a_tool_that_lets_no_calls_run_does_not_start() {
    let none = tool("a", object()).calls(0).calls_per_second(0);

    assert_eq!(
        faults(with(vec![none])),
        ["the tool `a`: it lets 0 calls run", "the tool `a`: it lets 0 calls a second run"]
    );
}

/// Asks about rooms.
#[prompt]
async fn ask(_rooms: Vec<String>) -> String {
    String::new()
}

#[test]
fn a_prompt_with_an_argument_that_no_text_can_be_does_not_start() {
    let server = Server::new("surface", "1").prompts(prompts![ask]).without_auth();

    assert_eq!(
        faults(server),
        ["the prompt `ask`: its argument `_rooms` is no text, number or boolean, and travels as a text"]
    );
}

#[test]
fn an_icon_in_the_clear_does_not_start() {
    let icon = tool("a", object()).icon("http://example.com/a.png");

    assert_eq!(faults(with(vec![icon])), ["the tool `a`: an icon is an `https:` or a `data:` URI"]);
}

fn limited(edit: impl FnOnce(&mut Limits)) -> Vec<String> {
    let mut limits = Limits::default();
    edit(&mut limits);
    faults(with(Vec::new()).limits(limits))
}

#[test]
fn limits_of_nothing_and_contradictions_do_not_start() {
    assert_eq!(limited(|it| it.body_bytes = 0), ["the limit `body_bytes` is 0"]);
    assert_eq!(limited(|it| it.json_depth = 0), ["the limit `json_depth` is 0"]);
    assert_eq!(limited(|it| it.keep_alive = Duration::ZERO), ["the limit `keep_alive` is 0"]);
    assert_eq!(limited(|it| it.calls_per_second = Some(0)).len(), 1);
    assert!(limited(|it| it.bodies_bytes = 1)[0].contains("`body_bytes` is over `bodies_bytes`"));
    assert!(limited(|it| it.call_time = Duration::from_secs(400))[0].contains("is over `call_time_max`"));
    assert!(limited(|it| it.head_bytes = 4096)[0].contains("no request head fits"));
    assert!(limited(|it| it.state_time = Duration::from_secs(90_000))[0].contains("over 24 h"));
}

#[test]
fn limits_that_let_nobody_listen_do_not_start() {
    assert_eq!(limited(|it| it.listeners = 0), ["the limit `listeners` is 0"]);
    assert_eq!(limited(|it| it.listeners_per_caller = 0), ["the limit `listeners_per_caller` is 0"]);
    assert_eq!(limited(|it| it.bodies_bytes = 0).len(), 1);
    assert_eq!(limited(|it| it.param_headers = 0), ["the limit `param_headers` is 0"]);
}

#[test]
fn a_wildcard_and_what_is_no_origin_do_not_start() {
    let origins = |it: &str| faults(with(Vec::new()).allow_origins([it]));

    assert!(origins("*")[0].contains("`*` is no host and no origin"));
    assert!(
        origins("app.example.com")[0]
            .contains("`app.example.com` is no origin: write `https://app.example.com`")
    );
    assert!(origins("https://app.example.com/path")[0].contains("is no origin"));
    assert!(origins("https://*.example.com")[0].contains("is no origin"));
    assert!(faults(with(Vec::new()).allow_hosts(["*"]))[0].contains("call `.allow_any_host()`"));
}

#[test]
fn a_host_that_is_a_url_does_not_start() {
    assert_eq!(faults(with(Vec::new()).allow_hosts(["https://mcp.example.com"])).len(), 1);
    assert_eq!(faults(with(Vec::new()).allow_hosts([""])).len(), 1);
}

#[test]
fn a_wildcard_among_others_does_not_start() {
    assert_eq!(faults(with(Vec::new()).allow_hosts(["mcp.example.com", "*"])).len(), 1);
    assert_eq!(faults(with(Vec::new()).allow_origins(["https://app.example.com", "*"])).len(), 1);
}

#[test]
fn a_path_that_no_request_can_have_does_not_start() {
    assert!(faults(with(Vec::new()).path("/mcp?x=1"))[0].contains("`/mcp?x=1`"));
    assert!(faults(with(Vec::new()).path("/my mcp"))[0].contains("`/my mcp`"));
}

#[test]
fn a_server_without_a_name_does_not_start() {
    assert_eq!(faults(Server::new("", "1").without_auth()), ["the server has no name"]);
}

/// What a server says that is to listen on every address.
async fn exposed(server: Server) -> std::result::Result<(), String> {
    let listener = TcpListener::bind("0.0.0.0:0").await.unwrap();
    // A server that starts stops at once.
    server.serve_on(listener, async {}).await.map_err(|it| it.to_string())
}

#[tokio::test]
async fn a_server_that_others_reach_needs_a_decision_a_key_and_its_name() {
    let told = exposed(with(Vec::new())).await.unwrap_err();

    assert!(told.contains("say `.expose_without_auth()`"), "{told}");
    assert!(told.contains(".secret(Secret::from_env(\"TOLLGATE_SECRET\")?)"), "{told}");
    assert!(told.contains(".allow_hosts([\"mcp.example.com\"])"), "{told}");
}

#[tokio::test]
async fn a_server_that_others_reach_starts_once_all_is_said() {
    let said = || with(Vec::new()).expose_without_auth().secret(Secret::random().unwrap());

    assert!(exposed(said()).await.unwrap_err().contains(".allow_hosts"));
    exposed(said().allow_hosts(["mcp.example.com"])).await.unwrap();
    exposed(said().allow_any_host()).await.unwrap();
}

#[tokio::test]
async fn a_server_on_this_machine_needs_none_of_it() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();

    with(Vec::new()).serve_on(listener, async {}).await.unwrap();
}

#[tokio::test]
async fn a_wrong_configuration_does_not_serve() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (output, _) = tokio::io::duplex(64);

    let http = with(vec![tool("a b", object())]).serve_on(listener, async {}).await.unwrap_err();
    let stdio = with(vec![tool("a b", object())]).serve_streams(&b""[..], output).await.unwrap_err();

    assert!(http.to_string().contains("the tool `a b`"), "{http}");
    assert!(stdio.to_string().contains("the tool `a b`"), "{stdio}");
}

#[test]
#[should_panic(expected = "the tool `a b`")]
fn a_client_of_a_wrong_configuration_panics_with_the_faults() {
    let _ = with(vec![tool("a b", object())]).client("ann");
}

#[test]
fn scopes_that_nobody_shows_are_warned_of_once() {
    let log = Log::start();
    let warnings = || log.with("everybody has every scope").len();

    with(vec![tool("t", object())]).check().assert();
    assert_eq!(warnings(), 0);
    let server = with(vec![tool("t", object()).scope("a"), tool("u", object()).scope("b")]);
    server.check().assert();
    server.check().assert();
    drop(server.client("ann"));
    assert_eq!(warnings(), 1);
}
