//! C8: what the server hands out and gets back, changed, cut, mixed up and presented elsewhere.

mod bindings;
mod forged;
mod purposes;

use serde_json::{Value, json};
use tollgate_tests::{Answer, Call};

use super::bench::{Bench, Expect};

/// The one answer to a `requestState` that is not good, whatever is wrong with it.
const REFUSED: Expect = Expect::refused(200, -32602);

/// A client that can show forms.
pub(super) fn meta() -> Value {
    let mut meta = tollgate_tests::raw::meta();
    meta["io.modelcontextprotocol/clientCapabilities"] = json!({"elicitation": {"form": {}}});
    meta
}

/// A call of a tool that asks.
pub(super) fn asking(tool: &str, table: &str) -> Call {
    Call::modern("tools/call", json!({"name": tool, "arguments": {"table": table}, "_meta": meta()}))
}

/// The same call once more, with the answer and with what was handed out.
pub(super) fn answering(call: Call, state: &Value) -> Call {
    call.edit(|it| {
        it["params"]["inputResponses"] = json!({"sure": {"action": "accept", "content": {"sure": true}}});
        it["params"]["requestState"] = state.clone();
    })
}

/// What the server hands out with its question.
pub(super) async fn handed_out(bench: &mut Bench, call: &Call) -> String {
    let answer = bench.call("the question", call, Expect::good(1)).await;
    answer.result()["requestState"].as_str().expect("it asks").to_owned()
}

/// All that a refusal of state says.
fn says_nothing(answer: &Answer) -> bool {
    let error = &answer.json()["error"];
    error["message"] == "Invalid or expired requestState"
        && error["data"] == json!({"reason": "invalid_request_state"})
}

/// Every text that is one small change away: a letter changed to its neighbour, to none of the alphabet, and gone.
pub(super) fn changed(token: &str) -> Vec<(String, String)> {
    const ALPHABET: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let at = |at: usize, with: &str| format!("{}{with}{}", &token[..at], &token[at + 1..]);
    let neighbour = |it: char| match ALPHABET.find(it) {
        Some(place) => &ALPHABET[(place ^ 1)..=(place ^ 1)],
        None => "A",
    };
    token
        .char_indices()
        .flat_map(|(place, letter)| {
            [
                (format!("{letter} at {place} changed"), at(place, neighbour(letter))),
                (format!("{letter} at {place} broken"), at(place, "~")),
                (format!("{letter} at {place} gone"), at(place, "")),
            ]
        })
        .filter(|it| it.1 != token)
        .collect()
}

#[test]
fn a_change_is_always_one() {
    let all = changed("v1.aA-_.09");

    assert!(all.iter().all(|it| it.1 != "v1.aA-_.09"));
    assert_eq!(all.len(), 30);
}
