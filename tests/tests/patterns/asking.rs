//! What a user is asked, and what becomes of the answer (client/elicitation).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tollgate::{
    Answer, Form,
    prelude::*,
    serde_json::{Value, json},
};

use super::kit::{call, code, result_type, server, text, tool};

/// How dinner should be.
#[derive(Elicit, Serialize, Deserialize, JsonSchema)]
struct Dinner {
    /// How many will come.
    guests: Int<1, 12>,
    /// Inside or outside.
    place: Place,
    /// Anything else.
    wish: Option<Text<20>>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Place {
    /// At the window.
    Inside,
    /// Under the trees.
    Outside,
}

impl tollgate::FormField for Place {}

fn tools() -> Vec<Tool> {
    vec![
        tool("dinner", async |cx: Cx| match cx.try_ask::<Dinner>("How many of you?").await? {
            Answer::Accept(it) => Ok(format!("for {}", it.guests.get())),
            Answer::Decline => Ok("declined".into()),
            Answer::Cancel => Ok("cancelled".into()),
        }),
        tool("pay", async |cx: Cx| {
            Ok(format!("{:?}", cx.ask_url("pay", "Pay the deposit.", "https://pay.example.com/d/1").await?))
        }),
        tool("strict", async |cx: Cx| {
            cx.ask::<Dinner>("How many of you?").await?;
            Ok("dinner")
        }),
    ]
}

fn ann(server: &tollgate::Server) -> tollgate::Client {
    server.client("ann").capabilities(json!({"elicitation": {"form": {}, "url": {}}}))
}

async fn asked(name: &str) -> Value {
    let server = server(tools());
    let exchange = call(&ann(&server), name, json!({})).await;
    let questions = exchange.response["result"]["inputRequests"].as_object().unwrap().clone();
    questions.values().next().unwrap()["params"].clone()
}

/// What a tool says to an answer.
async fn told(name: &str, key: &str, answer: Value) -> tollgate::Exchange {
    let server = server(tools());
    let ann = ann(&server);
    let asked = call(&ann, name, json!({})).await;
    let state = asked.response["result"]["requestState"].clone();
    let params =
        json!({"name": name, "arguments": {}, "requestState": state, "inputResponses": {key: answer}});
    ann.request("tools/call", params).await
}

// S-205.
#[tokio::test]
async fn a_form_has_a_message_and_a_flat_schema_of_plain_fields() {
    let params = asked("dinner").await;

    assert_eq!(params["mode"], "form");
    assert_eq!(params["message"], "How many of you?");
    let schema = &params["requestedSchema"];
    assert_eq!(schema.as_object().unwrap().keys().collect::<Vec<_>>(), ["type", "properties", "required"]);
    assert_eq!(schema["type"], "object");
    assert_eq!(schema["required"], json!(["guests", "place"]));
    let fields = schema["properties"].as_object().unwrap();
    assert_eq!(fields["guests"]["type"], "integer");
    assert_eq!((&fields["guests"]["minimum"], &fields["guests"]["maximum"]), (&json!(1), &json!(12)));
    assert_eq!((&fields["wish"]["type"], &fields["wish"]["maxLength"]), (&json!("string"), &json!(20)));
    let choices = json!([{"const": "inside", "title": "At the window."}, {"const": "outside", "title": "Under the trees."}]);
    assert_eq!((&fields["place"]["type"], &fields["place"]["oneOf"]), (&json!("string"), &choices));
}

// S-205.
#[tokio::test]
async fn a_question_by_url_has_a_mode_a_message_and_the_url() {
    let params = asked("pay").await;

    assert_eq!(
        params,
        json!({"mode": "url", "message": "Pay the deposit.", "url": "https://pay.example.com/d/1"})
    );
}

// S-212.
#[tokio::test]
async fn a_question_by_url_is_https_or_on_this_machine() {
    let visit = Tool::new(
        "visit",
        "Sends the user somewhere.",
        json!({"type": "object", "properties": {"url": {"type": "string"}}, "required": ["url"]}),
        async |cx: Cx, it: tollgate::serde_json::Map<String, Value>| {
            cx.ask_url("visit", "Go there.", it["url"].as_str().unwrap_or_default()).await?;
            Ok(())
        },
    );
    let server = server(vec![visit]);
    let ann = ann(&server);

    for url in [
        "http://pay.example.com",
        "http://localhost.example.com",
        "http://127.0.0.1.example.com",
        "http://localhost@example.com",
        "javascript:alert(1)",
        "data:text/html,hello",
        "file:///etc/passwd",
        "https://",
        "https:///path",
        "pay.example.com",
        "",
    ] {
        let exchange = call(&ann, "visit", json!({"url": url})).await;
        assert_eq!(exchange.response["result"]["isError"], true, "{url}");
    }
    for url in
        ["https://pay.example.com", "http://localhost:8000/pay", "http://127.0.0.1", "http://[::1]/pay"]
    {
        assert_eq!(result_type(&call(&ann, "visit", json!({"url": url})).await), "input_required", "{url}");
    }
}

// S-205.
#[tokio::test]
async fn a_url_that_is_none_is_not_sent() {
    let visit = |url: &'static str| {
        tool("visit", move |cx: Cx| async move {
            cx.ask_url("visit", "Go there.", url).await?;
            Ok(())
        })
    };

    for url in [
        "https://pay.example.com/a b",
        "https://pay.example.com/\n",
        "https://a\u{0}b",
        "https://ex ample.com",
    ] {
        let server = server(vec![visit(url)]);
        let exchange = call(&ann(&server), "visit", json!({})).await;
        assert_eq!(exchange.response["result"]["isError"], true, "{url:?}");
    }
}

// S-204.
#[tokio::test]
async fn the_mode_that_was_not_declared_is_not_sent() {
    let server = server(tools());

    for (declared, tool) in [
        (json!({}), "dinner"),
        (json!({"elicitation": {"url": {}}}), "dinner"),
        (json!({"elicitation": {}}), "pay"),
        (json!({"elicitation": {"form": {}}}), "pay"),
        (json!({"elicitation": true}), "dinner"),
    ] {
        let exchange = call(&server.client("ann").capabilities(declared.clone()), tool, json!({})).await;
        assert_eq!(code(&exchange), -32021, "{declared}");
    }
    let empty = server.client("ann").capabilities(json!({"elicitation": {}}));
    assert_eq!(result_type(&call(&empty, "dinner", json!({})).await), "input_required");
}

// S-209.
#[tokio::test]
async fn a_tool_can_tell_a_no_from_a_closed_window() {
    let decline = json!({"action": "decline"});
    let cancel = json!({"action": "cancel"});

    assert_eq!(text(&told("dinner", "dinner", decline.clone()).await), "declined");
    assert_eq!(text(&told("dinner", "dinner", cancel.clone()).await), "cancelled");
    assert_eq!(text(&told("pay", "pay", decline).await), "Decline");
    assert_eq!(text(&told("pay", "pay", cancel).await), "Cancel");
    assert_eq!(text(&told("pay", "pay", json!({"action": "accept"})).await), "Accept(())");
}

// S-209.
#[tokio::test]
async fn a_tool_that_does_not_look_tells_the_model_what_the_user_did() {
    let declined = told("strict", "dinner", json!({"action": "decline"})).await;
    let cancelled = told("strict", "dinner", json!({"action": "cancel", "content": {"guests": 4}})).await;

    for (exchange, word) in [(declined, "declined"), (cancelled, "closed")] {
        assert_eq!(exchange.response["result"]["isError"], true);
        assert!(text(&exchange).contains(word), "{exchange:?}");
    }
}

// S-209.
#[tokio::test]
async fn a_client_that_fails_to_ask_is_asked_again() {
    let failed = told("dinner", "dinner", json!({"error": {"code": -32603, "message": "no screen"}})).await;

    assert_eq!(result_type(&failed), "input_required");
}

// S-214.
#[tokio::test]
async fn an_answer_fits_the_form_or_is_asked_for_again() {
    for content in [
        json!({"guests": 0, "place": "inside"}),
        json!({"guests": 13, "place": "inside"}),
        json!({"guests": "4", "place": "inside"}),
        json!({"guests": 4.5, "place": "inside"}),
        json!({"guests": 4, "place": "roof"}),
        json!({"guests": 4}),
        json!({"guests": 4, "place": "inside", "wish": "a table that is not near the door"}),
        json!({}),
    ] {
        let exchange = told("dinner", "dinner", json!({"action": "accept", "content": content})).await;
        assert_eq!(result_type(&exchange), "input_required", "{content}");
    }
    let fits = json!({"action": "accept", "content": {"guests": 4, "place": "outside", "wish": "a candle"}});
    assert_eq!(text(&told("dinner", "dinner", fits).await), "for 4");
}

// S-205.
#[tokio::test]
async fn a_form_made_at_run_time_has_to_be_flat() {
    let property = |it: Value| json!({"type": "object", "properties": {"a": it}});

    for schema in [
        property(json!({"type": "object", "properties": {}})),
        property(json!({"type": "array", "items": {"type": "object"}})),
        json!({"type": "string"}),
        json!({"type": "array"}),
    ] {
        let shown = schema.to_string();
        let odd = tool("odd", move |cx: Cx| {
            let form = Form::new("odd", "What?", schema.clone());
            async move {
                cx.ask_form(form).await?;
                Ok(())
            }
        });
        let server = server(vec![odd]);
        let exchange = call(&ann(&server), "odd", json!({})).await;
        assert_ne!(result_type(&exchange), "input_required", "{shown}");
    }
}
