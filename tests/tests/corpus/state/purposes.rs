//! State, cursors and sessions are alike, and none is ever another.

use serde_json::{Value, json};
use tollgate_tests::Call;

use super::{REFUSED, answering, asking, changed, handed_out};
use crate::corpus::bench::{Bench, Expect};

/// A cursor that is not ours.
const LOST: Expect = Expect::refused(200, -32602);
/// A session that is over, or never was.
const GONE: Expect = Expect::refused(404, -32600);

fn page(method: &str, cursor: &Value) -> Call {
    Call::modern(method, json!({"cursor": cursor}))
}

async fn cursor(bench: &mut Bench, method: &str) -> String {
    let answer = bench.call("a page", &Call::modern(method, json!({})), Expect::good(0)).await;
    answer.result()["nextCursor"].as_str().expect("there is another page").to_owned()
}

/// A legacy request in a session.
fn within(session: &str) -> Call {
    Call::post(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)
        .header("MCP-Protocol-Version: 2025-11-25")
        .header(format!("Mcp-Session-Id: {session}"))
}

async fn session(bench: &mut Bench) -> String {
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"},
    }});
    let answer = bench.call("initialize", &Call::post(&hello.to_string()), Expect::good(0)).await;
    answer.header("mcp-session-id").expect("there is a session").to_owned()
}

// V55; S-091.
#[tokio::test]
async fn no_single_change_to_a_cursor_is_accepted() {
    let mut bench = Bench::new().await;
    let token = cursor(&mut bench, "tools/list").await;

    for (name, changed) in changed(&token) {
        bench.call(&name, &page("tools/list", &json!(changed)), LOST).await;
    }
    let others =
        [json!(null), json!(1), json!(true), json!({}), json!([token]), json!(""), json!("MTA="), json!("2")];
    for other in others {
        bench.call(&other.to_string(), &page("tools/list", &other), LOST).await;
    }
    bench.call("unchanged", &page("tools/list", &json!(token)), Expect::good(0)).await;

    bench.finish(200);
}

// V09, V55.
#[tokio::test]
async fn no_single_change_to_a_session_is_accepted() {
    let mut bench = Bench::new().await;
    let token = session(&mut bench).await;

    for (name, changed) in changed(&token) {
        bench.call(&name, &within(&changed), GONE).await;
    }
    for other in ["", "1", "null", "00000000-0000-0000-0000-000000000000", "../../x", &"a".repeat(9_000)] {
        bench.call(&format!("session {other:.40}"), &within(other), GONE).await;
    }
    bench.call("unchanged", &within(&token), Expect::good(0)).await;

    bench.finish(300);
}

/// The token under every prefix that there is.
fn disguised(token: &str) -> Vec<String> {
    let rest = token.split_once('.').map_or("", |it| it.1);
    ["v1", "v1e", "v1s", "v2", "V1", ""].map(|prefix| format!("{prefix}.{rest}")).to_vec()
}

// V55.
#[tokio::test]
async fn what_was_made_for_one_purpose_serves_no_other() {
    let mut bench = Bench::new().await;
    let asked = asking("hold", "a");
    let state = handed_out(&mut bench, &asked).await;
    let session = session(&mut bench).await;
    let tools = cursor(&mut bench, "tools/list").await;
    let prompts = cursor(&mut bench, "prompts/list").await;
    let resources = cursor(&mut bench, "resources/list").await;

    for (name, token) in [("session", &session), ("cursor", &tools), ("cursor", &prompts)] {
        for token in disguised(token) {
            let call = answering(asked.clone(), &json!(token));
            bench.call(&format!("a {name} as state: {token}"), &call, REFUSED).await;
        }
    }
    for (name, token) in
        [("session", &session), ("state", &state), ("cursor", &prompts), ("cursor", &resources)]
    {
        for token in disguised(token) {
            let call = page("tools/list", &json!(token));
            bench.call(&format!("a {name} as cursor: {token}"), &call, LOST).await;
        }
    }
    for (name, token) in [("state", &state), ("cursor", &tools)] {
        for token in disguised(token) {
            bench.call(&format!("a {name} as session: {token}"), &within(&token), GONE).await;
        }
    }
    for (method, token) in
        [("prompts/list", &tools), ("resources/list", &tools), ("resources/templates/list", &resources)]
    {
        let call = page(method, &json!(token));
        bench.call(&format!("the cursor of another list for {method}"), &call, LOST).await;
    }
    // Methods that take none of it ignore it, and act on nothing.
    let stray = Call::modern("tools/list", json!({"requestState": session, "inputResponses": {"sure": 1}}));
    bench.call("state where there is none", &stray, Expect::good(0)).await;
    bench.call("the session", &within(&session), Expect::good(0)).await;
    bench.call("the state", &answering(asked, &json!(state)), Expect::good(1)).await;

    bench.finish(60);
}
