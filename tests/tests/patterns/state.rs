//! What comes back from an earlier round is trusted only if it is ours, unchanged, in time, and belongs to this very
//! request (basic/patterns/mrtr#server-requirements).

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use tollgate::{
    Exchange, KeyRing,
    prelude::*,
    serde_json::{Value, json},
};

use super::kit::{
    Hands, begin, call, caller, code, confirming, plain, result_type, retry, secret, server, text,
};

/// The one answer to all state that is not accepted.
fn refused(exchange: &Exchange) -> bool {
    let error = &exchange.response["error"];
    exchange.status == 200
        && error["code"] == -32602
        && error["message"] == "Invalid or expired requestState"
        && error["data"] == json!({"reason": "invalid_request_state"})
}

// S-116, S-117.
#[tokio::test]
async fn state_that_was_changed_in_any_byte_is_refused() {
    let server = server(vec![confirming("ask")]);
    let ann = caller(&server, "ann");
    let state = begin(&ann, "ask", json!({})).await;

    for at in 0..state.len() {
        let mut bytes = state.clone().into_bytes();
        bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
        let changed = String::from_utf8(bytes).unwrap();
        let exchange = retry(&ann, "ask", json!({}), changed.into()).await;
        assert!(refused(&exchange), "byte {at}: {exchange:?}");
    }
    assert_eq!(text(&retry(&ann, "ask", json!({}), state.into()).await), "ok: true");
}

// S-116, S-117.
#[tokio::test]
async fn state_that_was_cut_or_grew_is_refused() {
    let server = server(vec![confirming("ask")]);
    let ann = caller(&server, "ann");
    let state = begin(&ann, "ask", json!({})).await;

    for length in 0..state.len() {
        let exchange = retry(&ann, "ask", json!({}), state[..length].into()).await;
        assert!(refused(&exchange), "{length} bytes: {exchange:?}");
    }
    for more in ["x", "=", ".", " ", "\n", "\0", "A"] {
        for grown in [format!("{state}{more}"), format!("{more}{state}")] {
            let exchange = retry(&ann, "ask", json!({}), grown.clone().into()).await;
            assert!(refused(&exchange), "{grown}");
        }
    }
}

// S-116, S-117.
#[tokio::test]
async fn state_that_never_was_ours_is_refused() {
    let server = server(vec![confirming("ask"), plain("plain")]);
    let ann = caller(&server, "ann");
    let long = "A".repeat(1024 * 1024);

    for state in
        [json!(null), json!(1), json!({}), json!([]), json!(true), json!(""), json!("v1"), json!(long)]
    {
        let exchange = retry(&ann, "ask", json!({}), state.clone()).await;
        assert!(refused(&exchange), "{}", state.to_string().chars().take(80).collect::<String>());
    }
    assert!(refused(&retry(&ann, "plain", json!({}), "made up".into()).await), "of a tool that never asks");
}

// S-117, S-120.
#[tokio::test]
async fn the_state_of_one_tool_is_refused_by_another() {
    let server = server(vec![confirming("a"), confirming("b")]);
    let ann = caller(&server, "ann");
    let state = begin(&ann, "a", json!({})).await;

    assert!(refused(&retry(&ann, "b", json!({}), state.into()).await));
}

// S-120.
#[tokio::test]
async fn the_state_of_a_tool_is_refused_by_a_prompt_of_its_name() {
    let server =
        server(vec![confirming("ask")]).prompts(vec![Prompt::new("ask", "Asks.", async |cx: Cx, _| {
            cx.ask::<super::kit::Confirm>("Go on?").await?;
            Ok("told")
        })]);
    let ann = caller(&server, "ann");
    let state = begin(&ann, "ask", json!({})).await;

    let params = json!({"name": "ask", "arguments": {}, "requestState": state});
    let exchange = ann.request("prompts/get", params).await;

    assert!(refused(&exchange), "{exchange:?}");
}

// S-120.
#[tokio::test]
async fn state_is_refused_with_other_arguments() {
    let server = server(vec![confirming("ask")]);
    let ann = caller(&server, "ann");
    let state = begin(&ann, "ask", json!({"to": "ann", "sum": 1})).await;

    for other in [
        json!({"to": "ann", "sum": 2}),
        json!({"to": "ann", "sum": "1"}),
        json!({"to": "ann"}),
        json!({"to": "ann", "sum": 1, "more": null}),
        json!({}),
    ] {
        let exchange = retry(&ann, "ask", other.clone(), state.clone().into()).await;
        assert!(refused(&exchange), "{other}");
    }
}

// S-120.
#[tokio::test]
async fn the_order_in_which_arguments_are_written_does_not_matter() {
    let server = server(vec![confirming("ask")]);
    let ann = caller(&server, "ann");
    let state = begin(&ann, "ask", json!({"to": "ann", "sum": {"a": 1, "b": 2}})).await;

    let exchange = retry(&ann, "ask", json!({"sum": {"b": 2, "a": 1}, "to": "ann"}), state.into()).await;

    assert_eq!(text(&exchange), "ok: true");
}

// S-118, S-206, S-210.
#[tokio::test]
async fn the_state_of_one_caller_is_refused_from_another() {
    let server = server(vec![confirming("ask")]);
    let state = begin(&caller(&server, "ann"), "ask", json!({})).await;

    let exchange = retry(&caller(&server, "bob"), "ask", json!({}), state.clone().into()).await;

    assert!(refused(&exchange));
    assert_eq!(text(&retry(&caller(&server, "ann"), "ask", json!({}), state.into()).await), "ok: true");
}

// S-117.
#[tokio::test]
async fn another_server_with_the_same_key_refuses_state_that_is_not_for_it() {
    let one = server(vec![confirming("ask")]).audience("https://one.example.com");
    let other = server(vec![confirming("ask")]).audience("https://other.example.com");
    let state = begin(&caller(&one, "ann"), "ask", json!({})).await;

    assert!(refused(&retry(&caller(&other, "ann"), "ask", json!({}), state.into()).await));
}

// S-117.
#[tokio::test]
async fn a_copy_of_the_server_continues_a_round_that_it_did_not_begin() {
    let (one, copy) = (server(vec![confirming("ask")]), server(vec![confirming("ask")]));
    let state = begin(&caller(&one, "ann"), "ask", json!({})).await;

    let exchange = retry(&caller(&copy, "ann"), "ask", json!({}), state.into()).await;

    assert_eq!(text(&exchange), "ok: true");
}

// S-117.
#[tokio::test]
async fn state_is_refused_once_the_tool_was_redefined() {
    let before = server(vec![confirming("ask")]);
    let after = server(vec![confirming("ask").destructive(true)]);
    let state = begin(&caller(&before, "ann"), "ask", json!({})).await;

    assert!(refused(&retry(&caller(&after, "ann"), "ask", json!({}), state.into()).await));
}

// S-119.
#[tokio::test]
async fn state_is_good_for_ten_minutes() {
    let hands = Hands::now();
    let server = server(vec![confirming("ask")]).clock(hands.clone());
    let ann = caller(&server, "ann");
    let state = begin(&ann, "ask", json!({})).await;

    hands.forward(599);
    assert_eq!(text(&retry(&ann, "ask", json!({}), state.clone().into()).await), "ok: true");
    hands.forward(1);
    assert!(refused(&retry(&ann, "ask", json!({}), state.into()).await));
}

// S-119.
#[tokio::test]
async fn state_from_the_future_is_refused_beyond_a_minute_of_skew() {
    let hands = Hands::now();
    let server = server(vec![confirming("ask")]).clock(hands.clone());
    let ann = caller(&server, "ann");
    let state = begin(&ann, "ask", json!({})).await;

    hands.back(60);
    assert_eq!(text(&retry(&ann, "ask", json!({}), state.clone().into()).await), "ok: true");
    hands.back(1);
    assert!(refused(&retry(&ann, "ask", json!({}), state.into()).await));
}

// S-117.
#[tokio::test]
async fn state_outlives_its_key_for_as_long_as_the_ring_accepts_it() {
    let ring = KeyRing::new(secret(0));
    let server = server(vec![confirming("ask")]).keys(ring.clone());
    let ann = caller(&server, "ann");
    let state = begin(&ann, "ask", json!({})).await;

    ring.rotate(secret(1), vec![secret(0)]).unwrap();
    assert_eq!(text(&retry(&ann, "ask", json!({}), state.clone().into()).await), "ok: true");
    ring.rotate(secret(1), Vec::new()).unwrap();
    assert!(refused(&retry(&ann, "ask", json!({}), state.into()).await));
}

static DRAWS: AtomicU32 = AtomicU32::new(0);

// S-117.
#[tokio::test]
async fn what_a_tool_keeps_comes_back_as_it_was() {
    let keeping = super::kit::tool("keep", async |cx: Cx| {
        let drawn = cx.keep("drawn", async { Ok::<_, ToolError>(DRAWS.fetch_add(1, Relaxed)) }).await?;
        cx.ask::<super::kit::Confirm>("Go on?").await?;
        Ok(format!("drawn {drawn}, {} times", DRAWS.load(Relaxed)))
    });
    let server = server(vec![keeping]);
    let ann = caller(&server, "ann");
    let state = begin(&ann, "keep", json!({})).await;

    let exchange = retry(&ann, "keep", json!({}), state.into()).await;

    assert_eq!(text(&exchange), "drawn 0, 1 times");
}

// S-117, S-126.
#[tokio::test]
async fn state_that_is_refused_is_an_error_and_no_new_question() {
    let server = server(vec![confirming("ask")]);
    let ann = caller(&server, "ann");
    let state = begin(&ann, "ask", json!({})).await;

    let params = json!({"name": "ask", "requestState": format!("{state}x")});
    let exchange = ann.request("tools/call", params).await;

    assert_eq!((result_type(&exchange), code(&exchange)), ("", -32602));
}

// S-118.
#[tokio::test]
async fn a_fresh_call_needs_no_state() {
    let server = server(vec![confirming("ask")]);

    let exchange = call(&caller(&server, "bob"), "ask", json!({})).await;

    assert_ne!(exchange.response["result"]["requestState"], Value::Null);
}
