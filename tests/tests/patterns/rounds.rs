//! Questions to the client, and the call that comes back with answers (basic/patterns/mrtr).

use tollgate::{
    Entropy, Form, Limits, Sampling,
    prelude::*,
    serde_json::{Map, Value, json},
};
use tollgate_tests::{Call, raw::meta, start};

use super::kit::{
    Confirm, begin, call, caller, code, confirming, plain, result_type, retry, server, text, tool, yes,
};

fn everything() -> Value {
    json!({"elicitation": {"form": {}, "url": {}}, "sampling": {"tools": {}}, "roots": {}})
}

/// A tool for each kind of question, and one that asks all of them at once.
fn askers() -> Vec<Tool> {
    let with_tools = || {
        let mut sampling = Sampling::new("Add up.", 10).key("counted");
        sampling.tools.push(json!({"name": "add", "inputSchema": {"type": "object"}}));
        sampling
    };
    vec![
        confirming("form"),
        tool("url", async |cx: Cx| {
            cx.ask_url("pay", "Pay here.", "https://pay.example.com/1").await?;
            Ok(())
        }),
        tool("model", async |cx: Cx| Ok(cx.sample(Sampling::new("Say hello.", 10)).await?.text())),
        tool("model_with_tools", move |cx: Cx| async move {
            cx.sample(with_tools()).await?;
            Ok(())
        }),
        tool("folders", async |cx: Cx| {
            cx.roots().await?;
            Ok(())
        }),
        tool("all", async |cx: Cx| {
            tokio::try_join!(
                cx.ask::<Confirm>("Go on?"),
                cx.ask_url("pay", "Pay here.", "https://pay.example.com/1"),
                cx.sample(Sampling::new("Say hello.", 10)),
                cx.roots(),
            )?;
            Ok(())
        }),
    ]
}

// S-110, S-114.
#[tokio::test]
async fn questions_travel_in_the_result_and_nowhere_else() {
    let server = start(server(vec![confirming("ask")])).await;
    let mut meta = meta();
    meta["io.modelcontextprotocol/clientCapabilities"] = json!({"elicitation": {}});
    let params = json!({"name": "ask", "_meta": meta});

    let answer = Call::modern("tools/call", params).send(server.address).await;

    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), Some("application/json"));
    let result = answer.result();
    assert_eq!(result["resultType"], "input_required");
    assert_eq!(result["inputRequests"]["confirm"]["method"], "elicitation/create");
    assert!(result["requestState"].is_string());
    assert!(result.get("content").is_none(), "{result}");
}

// S-111.
#[tokio::test]
async fn tools_prompts_and_resources_may_ask() {
    let server = server(vec![confirming("ask")])
        .prompts(vec![Prompt::new("ask", "Asks.", async |cx: Cx, _| {
            cx.ask::<Confirm>("Go on?").await?;
            Ok("told")
        })])
        .resources(vec![Resource::new("test://ask", "ask", async |cx: Cx, _| {
            cx.ask::<Confirm>("Go on?").await?;
            Ok("told")
        })]);
    let ann = caller(&server, "ann");

    let tool = ann.request("tools/call", json!({"name": "ask"})).await;
    let prompt = ann.request("prompts/get", json!({"name": "ask"})).await;
    let resource = ann.request("resources/read", json!({"uri": "test://ask"})).await;

    for it in [&tool, &prompt, &resource] {
        assert_eq!(result_type(it), "input_required", "{it:?}");
    }
    let answers = json!({"confirm": yes()});
    let state = prompt.response["result"]["requestState"].clone();
    let params = json!({"name": "ask", "requestState": state, "inputResponses": answers});
    let told = ann.request("prompts/get", params).await;
    assert_eq!(told.response["result"]["messages"][0]["content"]["text"], "told");
    let state = resource.response["result"]["requestState"].clone();
    let params = json!({"uri": "test://ask", "requestState": state, "inputResponses": answers});
    let told = ann.request("resources/read", params).await;
    assert_eq!(told.response["result"]["contents"][0]["text"], "told");
}

// S-111.
#[tokio::test]
async fn a_completion_that_asks_is_an_internal_error() {
    let prompt = Prompt::new("p", "Is there.", async |_, _| Ok("told"))
        .argument("a", "One.", true)
        .complete("a", async |cx: Cx, _| Ok(vec![cx.ask::<Confirm>("Go on?").await?.ok.to_string()]));
    let server = server(vec![]).prompts(vec![prompt]);
    let params = json!({"ref": {"type": "ref/prompt", "name": "p"}, "argument": {"name": "a", "value": ""}});

    let exchange = caller(&server, "ann").request("completion/complete", params).await;

    assert_eq!(code(&exchange), -32603, "{exchange:?}");
}

// S-112.
#[tokio::test]
async fn no_two_questions_of_a_call_share_a_key() {
    let form = |key: &str| {
        Form::new(
            key,
            format!("About {key}?"),
            json!({"type": "object", "properties": {"a": {"type": "string"}}}),
        )
    };
    let twins = tool("twins", move |cx: Cx| async move {
        let (a, b, c) = (form("a"), form("a"), form("a_2"));
        tokio::try_join!(cx.ask_form(a), cx.ask_form(b), cx.ask_form(c))?;
        Ok(())
    });
    let server = server(vec![twins]);

    let exchange = call(&caller(&server, "ann"), "twins", json!({})).await;

    let questions = exchange.response["result"]["inputRequests"].as_object().unwrap();
    assert_eq!(questions.len(), 3, "{questions:?}");
}

// S-113, S-114.
#[tokio::test]
async fn a_question_is_a_form_or_a_url_or_for_a_model_or_for_folders() {
    let server = server(askers());
    let ann = server.client("ann").capabilities(everything());

    let exchange = call(&ann, "all", json!({})).await;

    let result = &exchange.response["result"];
    let method = |key: &str| result["inputRequests"][key]["method"].as_str().unwrap().to_owned();
    assert_eq!(result["inputRequests"].as_object().unwrap().len(), 4);
    assert_eq!(method("confirm"), "elicitation/create");
    assert_eq!(method("pay"), "elicitation/create");
    assert_eq!(method("sampling"), "sampling/createMessage");
    assert_eq!(method("roots"), "roots/list");
    assert!(result["requestState"].is_string());
}

async fn needs(tool: &str, declared: Value) -> (u16, i64, Value) {
    let server = server(askers());
    let exchange = call(&server.client("ann").capabilities(declared), tool, json!({})).await;
    let required = exchange.response["error"]["data"]["requiredCapabilities"].clone();
    (exchange.status, code(&exchange), required)
}

// S-115, S-204, S-216.
#[tokio::test]
async fn what_the_client_has_not_declared_is_not_asked() {
    let form = json!({"elicitation": {"form": {}}});
    let url = json!({"elicitation": {"url": {}}});

    assert_eq!(needs("form", json!({})).await, (400, -32021, form.clone()));
    assert_eq!(needs("form", url.clone()).await, (400, -32021, form));
    assert_eq!(needs("url", json!({"elicitation": {}})).await, (400, -32021, url));
    assert_eq!(needs("model", json!({"roots": {}})).await, (400, -32021, json!({"sampling": {}})));
    let with_tools = json!({"sampling": {"tools": {}}});
    assert_eq!(needs("model_with_tools", json!({"sampling": {}})).await, (400, -32021, with_tools));
    assert_eq!(needs("folders", json!({"sampling": {}})).await, (400, -32021, json!({"roots": {}})));
}

// S-115.
#[tokio::test]
async fn what_the_client_has_declared_is_asked() {
    let server = server(askers());

    let empty = server.client("ann").capabilities(json!({"elicitation": {}}));
    let all = server.client("ann").capabilities(everything());

    assert_eq!(result_type(&call(&empty, "form", json!({})).await), "input_required");
    for name in ["form", "url", "model", "model_with_tools", "folders"] {
        assert_eq!(result_type(&call(&all, name, json!({})).await), "input_required", "{name}");
    }
}

// S-115.
#[tokio::test]
async fn one_question_too_many_stops_all_of_them() {
    let (status, code, _) = needs("all", json!({"elicitation": {"form": {}, "url": {}}, "roots": {}})).await;

    assert_eq!((status, code), (400, -32021));
}

// S-115.
#[tokio::test]
async fn a_retry_that_declares_less_is_asked_less() {
    let server = server(vec![confirming("ask")]);
    let state = begin(&caller(&server, "ann"), "ask", json!({})).await;

    let exchange = retry(&server.client("ann"), "ask", json!({}), state.into()).await;

    assert_eq!(code(&exchange), -32021);
}

// S-123, S-126, S-214.
#[tokio::test]
async fn an_answer_that_does_not_fit_the_question_is_asked_for_again() {
    let server = server(vec![confirming("ask")]);
    let ann = caller(&server, "ann");

    for answer in [
        json!({"action": "accept", "content": {"ok": "yes"}}),
        json!({"action": "accept", "content": {}}),
        json!({"action": "accept"}),
        json!({"action": "accept", "content": [true]}),
        json!({"action": "perhaps"}),
        json!({"action": true}),
        json!({}),
        json!({"roots": []}),
    ] {
        let state = begin(&ann, "ask", json!({})).await;
        let params = json!({"name": "ask", "requestState": state, "inputResponses": {"confirm": answer}});
        let exchange = ann.request("tools/call", params).await;
        assert_eq!(result_type(&exchange), "input_required", "{answer}");
        let next = exchange.response["result"]["requestState"].clone();
        assert_eq!(text(&retry(&ann, "ask", json!({}), next).await), "ok: true", "{answer}");
    }
}

// S-124.
#[tokio::test]
async fn answers_of_a_wrong_shape_are_refused() {
    let server = server(vec![confirming("ask")]);
    let ann = caller(&server, "ann");

    for answers in
        [json!([]), json!("yes"), json!(1), json!(null), json!({"confirm": "yes"}), json!({"confirm": []})]
    {
        let state = begin(&ann, "ask", json!({})).await;
        let params = json!({"name": "ask", "requestState": state, "inputResponses": answers});
        let exchange = ann.request("tools/call", params).await;
        assert_eq!((exchange.status, code(&exchange)), (200, -32602), "{answers}");
    }
}

/// Randomness that ran dry.
struct Dry;

impl Entropy for Dry {
    fn fill(&self, _: &mut [u8]) -> std::io::Result<()> {
        Err(std::io::Error::other("there is none left in /dev/secret"))
    }
}

// S-124.
#[tokio::test]
async fn a_question_that_cannot_be_signed_is_an_internal_error() {
    let server = server(vec![confirming("ask")]).entropy(Dry);

    let exchange = call(&caller(&server, "ann"), "ask", json!({})).await;

    assert_eq!(code(&exchange), -32603);
    assert!(!exchange.response.to_string().contains("/dev/secret"), "{exchange:?}");
}

// S-125.
#[tokio::test]
async fn answers_to_questions_that_were_not_asked_are_ignored() {
    let server = server(vec![confirming("ask")]);
    let ann = caller(&server, "ann");
    let state = begin(&ann, "ask", json!({})).await;

    let answers = json!({"confirm": yes(), "other": {"action": "accept"}, "confirm_2": yes()});
    let params = json!({"name": "ask", "requestState": state, "inputResponses": answers});
    let exchange = ann.request("tools/call", params).await;

    assert_eq!(text(&exchange), "ok: true");
}

// S-126.
#[tokio::test]
async fn an_answer_that_is_missing_is_asked_for_again_and_the_others_are_kept() {
    let both = tool("both", async |cx: Cx| {
        let (a, b) = tokio::try_join!(cx.ask::<Confirm>("First?"), cx.ask::<Confirm>("Second?"))?;
        Ok(format!("{} {}", a.ok, b.ok))
    });
    let server = server(vec![both]);
    let ann = caller(&server, "ann");
    let state = begin(&ann, "both", json!({})).await;

    let params = json!({"name": "both", "requestState": state, "inputResponses": {"confirm_2": yes()}});
    let second = ann.request("tools/call", params).await;

    let result = &second.response["result"];
    assert_eq!(result["inputRequests"].as_object().unwrap().keys().collect::<Vec<_>>(), ["confirm"]);
    let third = retry(&ann, "both", json!({}), result["requestState"].clone()).await;
    assert_eq!(text(&third), "true true");
}

// S-126.
#[tokio::test]
async fn a_retry_without_any_answer_is_asked_again() {
    let server = server(vec![confirming("ask")]);
    let ann = caller(&server, "ann");
    let state = begin(&ann, "ask", json!({})).await;

    let alone = ann.request("tools/call", json!({"name": "ask", "requestState": state.clone()})).await;
    let params = json!({"name": "ask", "requestState": state, "inputResponses": {}});
    let empty = ann.request("tools/call", params).await;

    assert_eq!(result_type(&alone), "input_required");
    assert_eq!(result_type(&empty), "input_required");
}

/// A tool that asks as often as its argument says.
fn inquisitive() -> Tool {
    let schema =
        json!({"type": "object", "properties": {"times": {"type": "integer"}}, "required": ["times"]});
    Tool::new("inquisitive", "Asks often.", schema, async |cx: Cx, arguments: Map<String, Value>| {
        for _ in 0..arguments["times"].as_i64().unwrap_or_default() {
            cx.ask::<Confirm>("Go on?").await?;
        }
        Ok("done")
    })
}

/// Answers until there is a result; says how many rounds that took, too.
async fn answered(ann: &tollgate::Client, times: u32) -> (u32, tollgate::Exchange) {
    let mut params = json!({"name": "inquisitive", "arguments": {"times": times}});
    for round in 0.. {
        let exchange = ann.request("tools/call", params.clone()).await;
        let result = &exchange.response["result"];
        if result["resultType"] != "input_required" {
            return (round, exchange);
        }
        let answers: Map<_, _> =
            result["inputRequests"].as_object().unwrap().keys().map(|it| (it.clone(), yes())).collect();
        params["requestState"] = result["requestState"].clone();
        params["inputResponses"] = answers.into();
    }
    unreachable!("the rounds have no end")
}

// S-122.
#[tokio::test]
async fn a_call_may_ask_as_often_as_the_limit_says_and_no_more() {
    let mut limits = Limits::default();
    limits.rounds = 3;
    let server = server(vec![inquisitive(), plain("a")]).limits(limits);
    let ann = caller(&server, "ann");

    let (rounds, enough) = answered(&ann, 3).await;
    let (more, too_many) = answered(&ann, 4).await;

    assert_eq!((rounds, text(&enough)), (3, "done"));
    assert_eq!((more, &too_many.response["result"]["isError"]), (3, &json!(true)));
    assert!(text(&too_many).contains("asked too often"), "{too_many:?}");
}

// S-126.
#[tokio::test]
async fn answers_without_the_state_they_came_with_are_taken_where_nothing_is_redeemed() {
    let server = server(vec![confirming("ask")]);
    let ann = caller(&server, "ann");

    let exchange =
        ann.request("tools/call", json!({"name": "ask", "inputResponses": {"confirm": yes()}})).await;

    assert_eq!(text(&exchange), "ok: true");
}
