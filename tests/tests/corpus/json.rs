//! C1: every kind of JSON and of what is nearly JSON, as the whole body and as an argument.

mod rows;

use std::collections::HashSet;

use serde_json::{Value, json};
use tollgate_tests::Call;

use super::{
    bench::{Bench, Expect},
    fixture::take_with,
};
use rows::ROWS;

// V20, V22.
#[tokio::test]
async fn no_value_alone_is_a_request() {
    let mut bench = Bench::new().await;

    for (name, bytes, is_json) in ROWS {
        let call = take_with(&Value::Null).body(bytes);
        bench.call(name, &call, Expect::refused(400, whole(bytes, *is_json))).await;
    }

    bench.finish(250);
}

/// What is no text is not read; an array is no message, whatever stands in it.
fn whole(bytes: &[u8], is_json: bool) -> i64 {
    let is_text = std::str::from_utf8(bytes).is_ok();
    if is_text && (is_json || bytes.trim_ascii_start().first() == Some(&b'[')) { -32600 } else { -32700 }
}

// V18, V19, V21, V22.
#[tokio::test]
async fn an_argument_arrives_as_it_was_written_or_not_at_all() {
    let mut bench = Bench::new().await;

    for (name, bytes, is_json) in ROWS {
        let call = with_argument(bytes);
        let expect = if *is_json { Expect::good(1) } else { Expect::refused(400, -32700) };
        let answer = bench.call(name, &call, expect).await;
        if *is_json {
            let said = answer.result()["content"][0]["text"].clone();
            let written: Value = serde_json::from_slice(bytes).unwrap();
            bench.hold(
                name,
                said.as_str() == Some(&json!({"v": written}).to_string()),
                &format!("arrived as {said}"),
            );
        }
    }

    bench.finish(250);
}

/// A good call with these bytes as the argument `v`.
pub(super) fn with_argument(bytes: &[u8]) -> Call {
    let call = take_with(&json!({"v": "here"}));
    let here = b"\"here\"";
    let at = call.body.windows(here.len()).position(|it| it == here).unwrap();
    let body = [&call.body[..at], bytes, &call.body[at + here.len()..]].concat();
    call.body(body)
}

#[test]
fn each_row_stands_once() {
    let names: HashSet<_> = ROWS.iter().map(|row| row.0).collect();

    assert_eq!(names.len(), ROWS.len());
}
