//! C13: answers to questions that do not fit, come too late, or were never asked for.

use serde_json::{Value, json};
use tollgate_tests::{Answer, Call};

use super::{
    bench::{Bench, Expect},
    fixture::METHODS,
    state::{answering, asking, handed_out, meta},
};

fn asks(answer: &Answer) -> bool {
    answer.result()["resultType"] == "input_required"
}

fn with_responses(call: Call, state: &str, responses: &Value) -> Call {
    answering(call, &json!(state)).edit(|it| it["params"]["inputResponses"] = responses.clone())
}

// S-130, S-133.
#[tokio::test]
async fn a_client_is_asked_only_for_what_it_says_it_can_do() {
    let mut bench = Bench::new().await;
    let cannot = [
        json!({}),
        json!({"elicitation": {"url": {}}}),
        json!({"elicitation": null}),
        json!({"elicitation": true}),
        json!({"elicitation": "form"}),
        json!({"elicitation": ["form"]}),
        json!({"Elicitation": {"form": {}}}),
        json!({"sampling": {}, "roots": {}}),
        json!({"extensions": {"elicitation": {"form": {}}}}),
    ];
    let can = [
        json!({"elicitation": {}}),
        json!({"elicitation": {"form": {}}}),
        json!({"elicitation": {"form": {}, "url": {}}}),
        json!({"elicitation": {"form": {"x": 1}}, "sampling": {}}),
        json!({"elicitation": {"x": {}}}),
    ];
    let declared = |capabilities: &Value| {
        asking("hold", "a").edit(|it| {
            it["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = capabilities.clone()
        })
    };

    for capabilities in &cannot {
        // The tool runs up to its question.
        let expect = Expect::refused(400, -32021).runs(1);
        let answer = bench.call(&capabilities.to_string(), &declared(capabilities), expect).await;
        let needed = &answer.json()["error"]["data"]["requiredCapabilities"];
        bench.hold("the need", needed == &json!({"elicitation": {"form": {}}}), "it is not told");
    }
    for capabilities in &can {
        let answer = bench.call(&capabilities.to_string(), &declared(capabilities), Expect::good(1)).await;
        bench.hold("the question", asks(&answer), "it was not asked");
    }

    bench.finish(14);
}

// S-134, S-135.
#[tokio::test]
async fn a_question_stays_open_until_it_is_answered() {
    let mut bench = Bench::new().await;
    let call = asking("hold", "a");
    let state = handed_out(&mut bench, &call).await;
    let accept = |content: Value| json!({"sure": {"action": "accept", "content": content}});
    let open = [
        json!({}),
        json!({"other": {"action": "accept", "content": {"sure": true}}}),
        json!({"Sure": {"action": "accept", "content": {"sure": true}}}),
        json!({"sure ": {"action": "accept", "content": {"sure": true}}}),
        json!({"sure": {}}),
        json!({"sure": {"action": null}}),
        json!({"sure": {"action": "Accept", "content": {"sure": true}}}),
        json!({"sure": {"action": "yes", "content": {"sure": true}}}),
        json!({"sure": {"action": ["accept"], "content": {"sure": true}}}),
        json!({"sure": {"content": {"sure": true}}}),
        json!({"sure": {"action": "accept"}}),
        accept(Value::Null),
        accept(json!({})),
        accept(json!([true])),
        accept(json!(true)),
        accept(json!({"sure": null})),
        accept(json!({"sure": "true"})),
        accept(json!({"sure": 1})),
        accept(json!({"sure": {"sure": true}})),
        accept(json!({"SURE": true})),
    ];
    let closed = [
        accept(json!({"sure": true})),
        accept(json!({"sure": false})),
        json!({"sure": {"action": "accept", "content": {"sure": true}}, "other": {"action": "accept"}}),
        json!({"sure": {"action": "accept", "content": {"sure": true}, "x": 1}, "other": 7}),
        json!({"sure": {"action": "decline"}}),
        json!({"sure": {"action": "decline", "content": {"sure": true}}}),
        json!({"sure": {"action": "cancel"}}),
    ];

    for responses in &open {
        let call = with_responses(call.clone(), &state, responses);
        let answer = bench.call(&responses.to_string(), &call, Expect::good(1)).await;
        bench.hold(&responses.to_string(), asks(&answer), "it was taken for an answer");
    }
    for responses in &closed {
        let call = with_responses(call.clone(), &state, responses);
        let answer = bench.call(&responses.to_string(), &call, Expect::good(1)).await;
        bench.hold(&responses.to_string(), !asks(&answer), "it was not taken for an answer");
    }

    bench.finish(28);
}

// S-135.
#[tokio::test]
async fn answers_of_another_shape_are_refused_before_anything_runs() {
    let mut bench = Bench::new().await;
    let call = asking("hold", "a");
    let state = handed_out(&mut bench, &call).await;
    let shapes = [
        Value::Null,
        json!(true),
        json!(1),
        json!("sure"),
        json!([]),
        json!([{"action": "accept"}]),
        json!({"sure": null}),
        json!({"sure": true}),
        json!({"sure": "accept"}),
        json!({"sure": [{"action": "accept"}]}),
        json!({"sure": {"action": "accept", "content": {"sure": true, "more": "m".repeat(256 * 1024)}}}),
    ];

    for responses in &shapes {
        let name: String = responses.to_string().chars().take(60).collect();
        let call = with_responses(call.clone(), &state, responses);
        bench.call(&name, &call, Expect::refused(200, -32602)).await;
    }

    bench.finish(12);
}

// V55; S-136.
#[tokio::test]
async fn a_tool_that_gets_no_answer_stops_asking() {
    let mut bench = Bench::new().await;
    let call = asking("hold", "a");
    let mut state = handed_out(&mut bench, &call).await;

    for round in 2..=10 {
        let again = with_responses(call.clone(), &state, &json!({}));
        let answer = bench.call(&format!("round {round}"), &again, Expect::good(1)).await;
        bench.hold(&format!("round {round}"), asks(&answer), "it did not ask");
        state = answer.result()["requestState"].as_str().unwrap_or_default().to_owned();
    }
    let last = bench.call("round 11", &with_responses(call, &state, &json!({})), Expect::good(1)).await;
    bench.hold("round 11", last.result()["isError"] == true, "it went on");

    bench.finish(11);
}

// S-132, S-137.
#[tokio::test]
async fn a_retry_is_the_same_request() {
    let mut bench = Bench::new().await;
    let call = asking("hold", "a");
    let state = json!(handed_out(&mut bench, &call).await);
    let refused = Expect::refused(200, -32602);
    let prompt =
        Call::modern("prompts/get", json!({"name": "confirm", "arguments": {"table": "a"}, "_meta": meta()}));

    bench.call("another tool", &answering(asking("keep_table", "a"), &state), refused).await;
    bench.call("other arguments", &answering(asking("hold", "b"), &state), refused).await;
    let edited = |edit: fn(&mut Value)| answering(asking("hold", "a"), &state).edit(edit);
    bench.call("more arguments", &edited(|it| it["params"]["arguments"]["x"] = json!(1)), refused).await;
    bench.call("a number", &edited(|it| it["params"]["arguments"]["table"] = json!(1)), refused).await;
    bench.call("no arguments", &edited(|it| it["params"]["arguments"] = json!({})), refused).await;
    bench
        .call(
            "arguments gone",
            &edited(|it| drop(it["params"].as_object_mut().unwrap().remove("arguments"))),
            refused,
        )
        .await;
    bench.call("a prompt", &answering(prompt.clone(), &state), refused).await;
    let asked = handed_out(&mut bench, &prompt).await;
    bench.call("a tool for a prompt", &answering(call.clone(), &json!(asked)), refused).await;
    bench.call("the prompt", &answering(prompt, &json!(asked)), Expect::good(1)).await;
    bench.call("another id", &edited(|it| it["id"] = json!("two")), Expect::good(1)).await;
    bench.call("more metadata", &edited(|it| it["params"]["_meta"]["x/y"] = json!(1)), Expect::good(1)).await;
    let read = |id: &str| {
        Call::modern("resources/read", json!({"uri": format!("test://ask/{id}"), "_meta": meta()}))
    };
    let asked = json!(handed_out(&mut bench, &read("a")).await);
    bench.call("another resource of one template", &answering(read("b"), &asked), refused).await;
    bench.call("the resource", &answering(read("a"), &asked), Expect::good(1)).await;
    // A tool that must not act twice says so itself; this one may.
    bench.call("once more", &answering(call, &state), Expect::good(1)).await;

    bench.finish(16);
}

// S-130.
#[tokio::test]
async fn methods_that_never_ask_take_no_answers() {
    let mut bench = Bench::new().await;

    for (method, runs) in METHODS.into_iter().filter(|it| it.1 == 0 || it.0 == "completion/complete") {
        let call = super::fixture::good(method).edit(|it| {
            it["params"]["requestState"] = json!("v1.x.y.z");
            it["params"]["inputResponses"] = json!([1]);
        });
        bench.call(method, &call, Expect::good(runs)).await;
    }

    bench.finish(6);
}
