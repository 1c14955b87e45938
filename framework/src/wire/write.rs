//! Writing JSON straight into bytes.

use serde::Serialize;
use serde_json::Value;

/// Appends `text` as a JSON string.
pub(crate) fn string(out: &mut Vec<u8>, text: &str) {
    json(out, text);
}

/// Appends the key of a member. It is one of ours, and needs no escapes.
pub(crate) fn key(out: &mut Vec<u8>, key: &'static str) {
    out.push(b'"');
    out.extend_from_slice(key.as_bytes());
    out.extend_from_slice(b"\":");
}

/// Appends anything that serializes to JSON.
pub(crate) fn json(out: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) {
    let start = out.len();
    if serde_json::to_writer(&mut *out, value).is_err() {
        out.truncate(start);
        out.extend_from_slice(b"null");
    }
}

/// The start of a successful answer; the result follows, then `}`.
pub(crate) fn result(out: &mut Vec<u8>, id: &[u8]) {
    out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
    out.extend_from_slice(id);
    out.extend_from_slice(br#","result":"#);
}

/// A notification with parameters that are already JSON.
pub(crate) fn notification(method: &str, params: &Value) -> Vec<u8> {
    let mut out = Vec::with_capacity(192);
    out.extend_from_slice(br#"{"jsonrpc":"2.0","method":"#);
    string(&mut out, method);
    out.extend_from_slice(br#","params":"#);
    json(&mut out, params);
    out.push(b'}');
    out
}
