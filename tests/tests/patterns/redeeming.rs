//! Answers that may be used once (basic/patterns/mrtr, single use).

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
    time::SystemTime,
};

use bytes::Bytes;
use tollgate::{
    Server,
    prelude::*,
    serde_json::json,
    store::{Added, BoxFuture, Found, HandleKey, Holding, MemoryStore, Replaced, Spent, Store, StoreError},
};

use super::kit::{Confirm, begin, caller, code, result_type, retry, server, text, tool, yes};

/// A tool that asks, redeems and counts how often it acted; and the count.
fn acting() -> (Tool, Arc<AtomicU32>) {
    let acts = Arc::new(AtomicU32::new(0));
    let counted = acts.clone();
    let tool = tool("act", move |cx: Cx| {
        let acts = counted.clone();
        async move {
            cx.ask::<Confirm>("Act?").await?;
            cx.redeem().await?;
            Ok(format!("act {}", acts.fetch_add(1, Relaxed) + 1))
        }
    });
    (tool, acts)
}

// S-121.
#[tokio::test]
async fn a_redeemed_answer_is_refused_the_second_time() {
    let (tool, acts) = acting();
    let server = server(vec![tool]);
    let ann = caller(&server, "ann");
    let state = begin(&ann, "act", json!({})).await;

    let first = retry(&ann, "act", json!({}), state.clone().into()).await;
    let second = retry(&ann, "act", json!({}), state.into()).await;

    assert_eq!(text(&first), "act 1");
    assert_eq!(code(&second), -32602, "{second:?}");
    assert_eq!(acts.load(Relaxed), 1);
}

// S-121.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_retries_at_once_exactly_one_acts() {
    let (tool, acts) = acting();
    let server = server(vec![tool]);
    let ann = caller(&server, "ann");

    for round in 1..=50 {
        let state = begin(&ann, "act", json!({})).await;
        let (one, other) = (ann.clone(), ann.clone());
        let (one_state, other_state) = (state.clone(), state);
        let one = tokio::spawn(async move { retry(&one, "act", json!({}), one_state.into()).await });
        let other = tokio::spawn(async move { retry(&other, "act", json!({}), other_state.into()).await });
        let mut codes = [code(&one.await.unwrap()), code(&other.await.unwrap())];
        codes.sort_unstable();
        assert_eq!(codes, [-32602, 0]);
        assert_eq!(acts.load(Relaxed), round);
    }
}

// S-121.
#[tokio::test]
async fn answers_without_state_are_asked_for_again_where_they_are_redeemed() {
    let (tool, acts) = acting();
    let server = server(vec![tool]);
    let ann = caller(&server, "ann");

    let params = json!({"name": "act", "inputResponses": {"confirm": yes()}});
    let exchange = ann.request("tools/call", params).await;

    assert_eq!(result_type(&exchange), "input_required", "{exchange:?}");
    assert_eq!(acts.load(Relaxed), 0);
    let state = exchange.response["result"]["requestState"].clone();
    assert_eq!(text(&retry(&ann, "act", json!({}), state).await), "act 1");
}

// S-121.
#[tokio::test]
async fn copies_with_one_store_redeem_an_answer_once_between_them() {
    let store = Arc::new(MemoryStore::new());
    let copy = || -> Server { server(vec![acting().0]).store(store.clone()) };
    let (one, other) = (copy(), copy());
    let state = begin(&caller(&one, "ann"), "act", json!({})).await;

    let there = retry(&caller(&other, "ann"), "act", json!({}), state.clone().into()).await;
    let here = retry(&caller(&one, "ann"), "act", json!({}), state.into()).await;

    assert_eq!(text(&there), "act 1");
    assert_eq!(code(&here), -32602);
}

/// A store that cannot be reached.
struct Gone;

impl Store for Gone {
    fn spend(&self, _: [u8; 32], _: SystemTime) -> BoxFuture<'_, Result<Spent, StoreError>> {
        Box::pin(async { Err(StoreError::Unavailable(io::Error::other("10.0.0.7 is down").into())) })
    }

    fn is_spent(&self, _: [u8; 32]) -> BoxFuture<'_, Result<bool, StoreError>> {
        Box::pin(async { Ok(false) })
    }

    fn hold(
        &self,
        _: HandleKey,
        _: Holding,
        _: Option<Bytes>,
        _: usize,
    ) -> BoxFuture<'_, Result<Added, StoreError>> {
        unreachable!("no handle is used here")
    }

    fn held(&self, _: HandleKey) -> BoxFuture<'_, Result<Option<Found>, StoreError>> {
        unreachable!("no handle is used here")
    }

    fn touch(&self, _: HandleKey, _: u64) -> BoxFuture<'_, Result<(), StoreError>> {
        unreachable!("no handle is used here")
    }

    fn replace(&self, _: [u8; 16], _: u64, _: Bytes) -> BoxFuture<'_, Result<Replaced, StoreError>> {
        unreachable!("no handle is used here")
    }

    fn delete(&self, _: [u8; 16]) -> BoxFuture<'_, Result<(), StoreError>> {
        unreachable!("no handle is used here")
    }

    fn release(&self, _: HandleKey) -> BoxFuture<'_, Result<bool, StoreError>> {
        unreachable!("no handle is used here")
    }

    fn holdings(
        &self,
        _: [u8; 32],
        _: &'static str,
        _: usize,
    ) -> BoxFuture<'_, Result<Vec<Holding>, StoreError>> {
        unreachable!("no handle is used here")
    }
}

// S-121.
#[tokio::test]
async fn nothing_happens_while_the_store_is_out_of_reach() {
    let (tool, acts) = acting();
    let server = server(vec![tool]).store(Gone);
    let ann = caller(&server, "ann");
    let state = begin(&ann, "act", json!({})).await;

    let exchange = retry(&ann, "act", json!({}), state.into()).await;

    assert_eq!(exchange.response["result"]["isError"], true);
    assert!(!exchange.response.to_string().contains("10.0.0.7"), "{exchange:?}");
    assert_eq!(acts.load(Relaxed), 0);
}

// S-121.
#[tokio::test]
async fn an_answer_that_the_tool_refused_before_it_redeemed_can_come_again() {
    let tool = tool("careful", async |cx: Cx| {
        if !cx.ask::<Confirm>("Act?").await?.ok {
            fail!("The user said no. Ask what to do instead.");
        }
        cx.redeem().await?;
        Ok("acted")
    });
    let server = server(vec![tool]);
    let ann = caller(&server, "ann");
    let state = begin(&ann, "careful", json!({})).await;
    let no = json!({"action": "accept", "content": {"ok": false}});
    let params =
        json!({"name": "careful", "arguments": {}, "requestState": state, "inputResponses": {"confirm": no}});

    let refused = ann.request("tools/call", params).await;
    let accepted = retry(&ann, "careful", json!({}), state.into()).await;

    assert_eq!(refused.response["result"]["isError"], true);
    assert_eq!(text(&accepted), "acted");
}

// S-121.
#[tokio::test]
async fn what_was_kept_in_the_first_round_is_redeemed_once_however_the_rounds_are_replayed() {
    let tool = tool("twice_asked", async |cx: Cx| {
        let price: u32 = cx.keep("price", async { Ok::<_, ToolError>(20) }).await?;
        cx.ask::<Confirm>("Really?").await?;
        cx.ask::<Confirm>("Really and truly?").await?;
        cx.redeem().await?;
        Ok(format!("sold for {price}"))
    });
    let server = server(vec![tool]);
    let ann = caller(&server, "ann");
    let first = begin(&ann, "twice_asked", json!({})).await;
    let second = async || retry(&ann, "twice_asked", json!({}), first.clone().into()).await;
    let last = async |state: tollgate::serde_json::Value| {
        let params = json!({
            "name": "twice_asked", "arguments": {}, "requestState": state, "inputResponses": {"confirm_2": yes()},
        });
        ann.request("tools/call", params).await
    };

    let bought = last(second().await.response["result"]["requestState"].clone()).await;
    let again = last(second().await.response["result"]["requestState"].clone()).await;

    assert_eq!(text(&bought), "sold for 20");
    assert_eq!(code(&again), -32602, "{again:?}");
}
