//! State belongs to one server, one key, one caller, one method, one name and one set of arguments.

use serde_json::{Value, json};
use tollgate::{Secret, Server, prelude::*};

use super::{answering, meta};
use crate::corpus::fixture::{Runs, Sure};

/// What state is bound to; each has two values here.
const BINDINGS: [&str; 6] =
    ["the audience", "the key", "the caller", "the method", "the name", "the arguments"];

/// A value for each binding, as bits.
type Combination = usize;

fn bit(of: Combination, binding: usize) -> usize {
    of >> binding & 1
}

/// Holds a table once the guest agrees.
///
/// Use when a table has to be held.
/// Do not use when the guest is not there.
#[tool]
async fn hold(cx: &Cx<Runs>, table: String) -> Result<String> {
    cx.state().one();
    let answer: Sure = cx.ask("Hold it?").await?;
    Ok(format!("{table}: {answer:?}"))
}

/// Holds a table once the guest agrees.
///
/// Use when a table has to be held.
/// Do not use when the guest is not there.
#[tool]
async fn keep(cx: &Cx<Runs>, table: String) -> Result<String> {
    cx.state().one();
    let answer: Sure = cx.ask("Hold it?").await?;
    Ok(format!("{table}: {answer:?}"))
}

fn asking_prompt(name: &str) -> Prompt<Runs> {
    Prompt::new(name, "Asks first.", async |cx: Cx<Runs>, _arguments: serde_json::Map<String, Value>| {
        cx.state().one();
        let answer: Sure = cx.ask("Hold it?").await?;
        Ok(format!("{answer:?}"))
    })
    .argument("table", "The table.", true)
}

/// Four servers: two audiences, two keys.
fn servers() -> (Vec<Server<Runs>>, Runs) {
    let runs = Runs::default();
    let server = |at: Combination| {
        let byte = b"\x1d\x5c\x88\xe7\x9a\xbb\xee\xfa"[bit(at, 1)];
        let key: Vec<u8> = (1_u8..=40).map(|it| it.wrapping_mul(byte) ^ 0x5a).collect();
        Server::new("corpus", "1")
            .state(runs.clone())
            .audience(["https://a.example", "https://b.example"][bit(at, 0)])
            .secret(Secret::new(&key).expect("it is long enough"))
            .tools(tools![hold, keep])
            .prompts(vec![asking_prompt("hold"), asking_prompt("keep")])
            .without_auth()
    };
    ((0..4).map(server).collect(), runs)
}

/// Sends a call of that combination, with state or without.
async fn send(servers: &[Server<Runs>], of: Combination, state: Option<&str>) -> Value {
    let client = servers[of & 3].client(["ann", "bob"][bit(of, 2)]);
    let method = ["tools/call", "prompts/get"][bit(of, 3)];
    let name = ["hold", "keep"][bit(of, 4)];
    let table = ["a", "b"][bit(of, 5)];
    let params = json!({"name": name, "arguments": {"table": table}, "_meta": meta()});
    let mut call = tollgate_tests::Call::modern(method, params);
    if let Some(state) = state {
        call = answering(call, &json!(state));
    }
    let mut request = http::Request::post("/mcp");
    for line in &call.headers {
        let line = std::str::from_utf8(line).unwrap();
        let (name, value) = line.split_once(": ").unwrap();
        request = request.header(name, value);
    }
    let response = client.send(request.body(String::from_utf8(call.body).unwrap()).unwrap()).await;
    serde_json::from_slice(response.body()).unwrap()
}

// V12, V55; S-131, S-132.
#[tokio::test]
async fn state_is_refused_wherever_one_binding_differs() {
    let (servers, runs) = servers();
    let mut refused = 0;

    for of in 0..1 << BINDINGS.len() {
        let asked = send(&servers, of, None).await;
        let state = asked["result"]["requestState"].as_str().unwrap();
        for (at, binding) in BINDINGS.iter().enumerate() {
            let before = runs.count();
            let answer = send(&servers, of ^ 1 << at, Some(state)).await;
            assert_eq!(answer["error"]["code"], -32602, "{binding} differs from {of:06b}: {answer}");
            assert_eq!(answer["error"]["message"], "Invalid or expired requestState", "{binding}");
            assert_eq!(runs.count(), before, "{binding} differs from {of:06b}");
            refused += 1;
        }
        let answer = send(&servers, of, Some(state)).await;
        assert_eq!(answer["result"]["resultType"], "complete", "{of:06b}: {answer}");
    }

    assert_eq!(refused, 384);
}

// V12, V55; S-131, S-132.
#[tokio::test]
async fn state_is_good_for_one_combination_of_sixty_four() {
    let (servers, runs) = servers();
    let home = 0b01_0110;
    let asked = send(&servers, home, None).await;
    let state = asked["result"]["requestState"].as_str().unwrap();

    for of in 0..1 << BINDINGS.len() {
        let before = runs.count();
        let answer = send(&servers, of, Some(state)).await;
        assert_eq!(answer.get("result").is_some(), of == home, "{of:06b}: {answer}");
        assert_eq!(runs.count() - before, usize::from(of == home), "{of:06b}");
    }
}
