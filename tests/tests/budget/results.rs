//! Results that are too long for a model.

use tollgate::{
    Server,
    prelude::*,
    serde_json::{Map, Value, json},
};

/// Finds words.
///
/// Use when words are looked for.
/// Do not use when they are known.
#[tool(read_only, result_tokens = 20)]
async fn find_words(
    /// How many.
    limit: u32,
    /// How they start.
    start: Option<String>,
) -> String {
    let start = start.unwrap_or_default();
    format!("{start}word ").repeat(usize::try_from(limit).unwrap())
}

fn server() -> Server {
    Server::new("budget", "1").tools(tools![find_words]).without_auth()
}

fn says(text: &'static str) -> Tool {
    Tool::new("say", "Says it.", json!({"type": "object"}), move |_cx, _: Map<String, Value>| async move {
        Ok(text)
    })
}

async fn called(server: Server, name: &str, arguments: Value) -> Value {
    let exchange =
        server.client("ann").request("tools/call", json!({"name": name, "arguments": arguments})).await;
    exchange.response["result"].clone()
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap()
}

#[tokio::test]
async fn a_result_within_its_tokens_is_shown() {
    let result = called(server(), "find_words", json!({"limit": 19})).await;

    assert_eq!(result.get("isError"), None);
    assert_eq!(text(&result), "word ".repeat(19));
}

#[tokio::test]
async fn a_result_over_its_tokens_is_not_shown_and_says_how_to_ask_for_less() {
    let result = called(server(), "find_words", json!({"limit": 30})).await;

    assert_eq!(result["isError"], true);
    assert_eq!(
        text(&result),
        "The result has 31 tokens, and at most 20 are allowed. It is not shown. Ask for less with `limit` or `start`."
    );
}

#[tokio::test]
async fn a_result_that_is_far_too_long_is_not_counted_to_its_end() {
    let result = called(server(), "find_words", json!({"limit": 80_000})).await;

    assert!(text(&result).starts_with("The result has over 50000 tokens, and at most 20 "), "{result}");
}

#[tokio::test]
async fn a_text_without_an_end_to_its_first_word_is_not_counted_to_its_end_either() {
    let howl =
        Tool::new("howl", "Howls.", json!({"type": "object"}), async |_cx, _| Ok("a".repeat(2_000_000)));
    let server = Server::new("budget", "1").tools(vec![howl]).result_tokens(5).without_auth();

    let result = called(server, "howl", json!({})).await;

    assert!(text(&result).starts_with("The result has over 50000 tokens"), "{result}");
}

#[tokio::test]
async fn what_was_done_is_not_to_be_done_again_for_the_answer() {
    let told = "One, two, three, four, five, six.";
    let server = Server::new("budget", "1").tools(vec![says(told).result_tokens(5)]).without_auth();

    let result = called(server, "say", json!({})).await;

    assert!(
        text(&result).contains("It is not shown. What the call changed stays changed. Use another tool"),
        "{result}"
    );
}

#[tokio::test]
async fn the_server_has_a_limit_for_tools_without_one() {
    let told = "One, two, three, four, five, six.";
    let server = |tool: Tool| Server::new("budget", "1").tools(vec![tool]).result_tokens(5).without_auth();

    let (plain, more) = (server(says(told)), server(says(told).result_tokens(50)));

    assert_eq!(called(plain, "say", json!({})).await["isError"], true);
    assert_eq!(text(&called(more, "say", json!({})).await), told);
}

#[tokio::test]
async fn structured_output_counts_as_the_text_that_goes_with_it() {
    let list = Tool::new("list", "Lists.", json!({"type": "object"}), async |_cx, _| {
        Ok(json!((0..50).collect::<Vec<_>>()))
    });
    let server =
        Server::new("budget", "1").tools(vec![list.read_only(true)]).result_tokens(50).without_auth();

    let result = called(server, "list", json!({})).await;

    assert_eq!((&result["isError"], result.get("structuredContent")), (&json!(true), None));
}

fn contents() -> Contents {
    let text = "word ".repeat(8);
    let resource = ResourceContents::text("a://b", "text/plain", &text);
    Contents::from([Content::text(text), Content::image([7; 600], "image/png"), Content::resource(resource)])
}

#[tokio::test]
async fn pieces_of_text_count_together_and_pictures_not_at_all() {
    let show = || Tool::new("show", "Shows.", json!({"type": "object"}), async |_cx, _| Ok(contents()));
    let server = |most| Server::new("budget", "1").tools(vec![show()]).result_tokens(most).without_auth();

    let (shown, not_shown) =
        (called(server(20), "show", json!({})).await, called(server(15), "show", json!({})).await);

    assert_eq!(shown["content"].as_array().unwrap().len(), 3);
    assert!(text(&not_shown).starts_with("The result has 18 tokens"), "{not_shown}");
}

#[test]
fn results_of_no_tokens_are_a_fault() {
    let tool = || says("it").result_tokens(0);
    let of = |server: Server<(), tollgate::AuthUndecided>| server.without_auth().check().run().unwrap_err();

    let of_tool = of(Server::new("budget", "1").tools(vec![tool()]));
    let of_server = of(Server::new("budget", "1").result_tokens(0));

    assert_eq!(of_tool.faults(), ["the tool `say`: its results may have 0 tokens"]);
    assert_eq!(of_server.faults(), ["results may have 0 tokens"]);
}
