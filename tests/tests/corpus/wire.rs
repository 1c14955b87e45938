//! C5: HTTP as it should not be, and as it seldom is.

mod chunks;
mod door;
mod head;
mod lengths;
mod pipeline;

use serde_json::json;
use tollgate_tests::Call;

use super::{bench::Expect, fixture::take_with};

/// A good call, to be broken.
fn call() -> Call {
    take_with(&json!({"v": 1}))
}

/// The head of a good call with these lines in place of its length, and then these bytes.
fn raw(lines: &[&[u8]], body: &[u8]) -> Vec<u8> {
    let mut head = call();
    head.with_length = false;
    head.headers.extend(lines.iter().map(|it| it.to_vec()));
    let mut bytes = head.body(b"").bytes();
    bytes.extend_from_slice(body);
    bytes
}

/// HTTP itself is broken: the answer is hyper's own, without a body, and the last one of the connection.
const BROKEN: Expect = Expect::refused(400, 0).closes();
/// Two ways to say where the body ends.
const AMBIGUOUS: Expect = Expect::refused(400, -32600).closes();
/// The body ends before its end.
const CUT: Expect = Expect::refused(400, -32700).closes();
/// A request that is refused and does no harm to those that follow.
const INVALID: Expect = Expect::refused(400, -32600);
