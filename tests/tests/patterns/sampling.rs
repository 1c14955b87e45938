//! What a client's own model is asked (client/sampling), and which folders it works in (client/roots).

use tollgate::{
    Client, Role, Sampling, SamplingMessage,
    prelude::*,
    serde_json::{Value, json},
};

use super::kit::{call, code, result_type, server, text, tool};

fn ann(server: &tollgate::Server) -> Client {
    server.client("ann").capabilities(json!({"sampling": {"tools": {}}, "roots": {}}))
}

/// A tool that asks the model this, and says what it said.
fn sampling(make: impl Fn() -> Sampling + Send + Sync + 'static) -> Tool {
    tool("model", move |cx: Cx| {
        let sampling = make();
        async move { Ok(cx.sample(sampling).await?.text()) }
    })
}

async fn params(make: impl Fn() -> Sampling + Send + Sync + 'static) -> Value {
    let server = server(vec![sampling(make)]);
    let exchange = call(&ann(&server), "model", json!({})).await;
    assert_eq!(result_type(&exchange), "input_required", "{exchange:?}");
    exchange.response["result"]["inputRequests"]["sampling"]["params"].clone()
}

fn counting() -> Value {
    json!({"name": "count", "inputSchema": {"type": "object"}})
}

// S-216.
#[tokio::test]
async fn tools_for_the_model_need_a_client_that_has_declared_them() {
    let server = server(vec![sampling(|| {
        let mut it = Sampling::new("Count to three.", 10);
        it.tools.push(counting());
        it
    })]);

    let without = server.client("ann").capabilities(json!({"sampling": {}}));
    let of_another_shape = server.client("ann").capabilities(json!({"sampling": {"tools": true}}));

    assert_eq!(code(&call(&without, "model", json!({})).await), -32021);
    assert_eq!(code(&call(&of_another_shape, "model", json!({})).await), -32021);
    assert_eq!(result_type(&call(&ann(&server), "model", json!({})).await), "input_required");
}

// S-217.
#[tokio::test]
async fn the_model_is_never_given_the_context_of_other_servers() {
    let params = params(|| {
        let mut it = Sampling::new("Say hello.", 10);
        it.system_prompt = Some("Be brief.".into());
        it.temperature = Some(0.5);
        it.stop_sequences = vec!["END".into()];
        it.tools.push(counting());
        it
    })
    .await;

    let members: Vec<_> = params.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(members, ["messages", "systemPrompt", "maxTokens", "temperature", "stopSequences", "tools"]);
}

// S-218.
#[tokio::test]
async fn every_message_for_the_model_is_the_users_or_its_own() {
    let params = params(|| {
        let mut it = Sampling::new("One.", 10);
        it.messages.push(SamplingMessage::text(Role::Assistant, "Two."));
        it.messages.push(SamplingMessage::text(Role::User, "Three."));
        it
    })
    .await;

    let roles: Vec<_> = params["messages"].as_array().unwrap().iter().map(|it| it["role"].clone()).collect();
    assert_eq!(roles, ["user", "assistant", "user"]);
}

fn message(role: Role, content: Value) -> SamplingMessage {
    let mut message = SamplingMessage::text(role, "");
    message.content = content;
    message
}

fn tool_use(id: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": "count", "input": {}})
}

fn tool_result(id: &str) -> Value {
    json!({"type": "tool_result", "toolUseId": id, "content": []})
}

async fn is_sent(make: impl Fn() -> Vec<SamplingMessage> + Send + Sync + 'static) -> bool {
    let server = server(vec![sampling(move || {
        let mut it = Sampling::new("Count to three.", 10);
        it.tools.push(counting());
        it.messages.extend(make());
        it
    })]);
    result_type(&call(&ann(&server), "model", json!({})).await) == "input_required"
}

// S-218.
#[tokio::test]
async fn results_of_tools_are_sent_when_each_use_is_answered() {
    assert!(
        is_sent(|| vec![
            message(
                Role::Assistant,
                json!([{"type": "text", "text": "I count."}, tool_use("1"), tool_use("2")])
            ),
            message(Role::User, json!([tool_result("2"), tool_result("1")])),
            message(Role::Assistant, json!({"type": "text", "text": "Three."})),
        ])
        .await
    );
    assert!(
        is_sent(|| vec![message(Role::Assistant, tool_use("1")), message(Role::User, tool_result("1"))])
            .await
    );
}

// S-218.
#[tokio::test]
async fn results_of_tools_do_not_stand_beside_anything_else() {
    assert!(
        !is_sent(|| vec![
            message(Role::Assistant, json!([tool_use("1")])),
            message(Role::User, json!([tool_result("1"), {"type": "text", "text": "And now?"}])),
        ])
        .await
    );
}

// S-218.
#[tokio::test]
async fn the_use_of_a_tool_is_answered_before_anything_else_is_said() {
    assert!(!is_sent(|| vec![message(Role::Assistant, tool_use("1"))]).await, "never answered");
    let said = || SamplingMessage::text(Role::User, "Never mind.");
    assert!(!is_sent(move || vec![message(Role::Assistant, tool_use("1")), said()]).await, "passed over");
    assert!(
        !is_sent(|| vec![
            message(Role::Assistant, json!([tool_use("1"), tool_use("2")])),
            message(Role::User, json!([tool_result("1")])),
        ])
        .await,
        "answered in part"
    );
    assert!(!is_sent(|| vec![message(Role::User, tool_result("1"))]).await, "never asked");
}

async fn answered(server: &tollgate::Server, name: &str, key: &str, answer: Value) -> tollgate::Exchange {
    let ann = ann(server);
    let state = call(&ann, name, json!({})).await.response["result"]["requestState"].clone();
    ann.request("tools/call", json!({"name": name, "requestState": state, "inputResponses": {key: answer}}))
        .await
}

// S-219.
#[tokio::test]
async fn what_the_model_said_has_the_shape_of_an_answer_or_is_asked_for_again() {
    let server = server(vec![sampling(|| Sampling::new("Say hello.", 10))]);
    let said = json!({"model": "m", "role": "assistant", "content": {"type": "text", "text": "Hello."}});

    let fits = answered(&server, "model", "sampling", said).await;
    let no_model = answered(&server, "model", "sampling", json!({"role": "assistant"})).await;

    assert_eq!(text(&fits), "Hello.");
    assert_eq!(result_type(&no_model), "input_required");
}

// S-220.
#[tokio::test]
async fn folders_are_asked_of_clients_that_have_some_and_read_with_care() {
    let folders = tool("folders", async |cx: Cx| {
        Ok(cx.roots().await?.into_iter().map(|it| it.uri).collect::<Vec<_>>().join(", "))
    });
    let server = server(vec![folders]);

    let cannot =
        call(&server.client("ann").capabilities(json!({"sampling": {}})), "folders", json!({})).await;
    let some = json!({"roots": [{"uri": "file:///a"}, {"uri": "file:///b", "name": "b"}]});
    let some = answered(&server, "folders", "roots", some).await;
    let broken = answered(&server, "folders", "roots", json!({"roots": [{"name": "no uri"}]})).await;

    assert_eq!(code(&cannot), -32021);
    assert_eq!(text(&some), "file:///a, file:///b");
    assert_eq!(result_type(&broken), "input_required");
}
