//! How a refusal is written.

use serde_json::Value;

use crate::wire::{id::Id, write};

/// A JSON-RPC error. One whose request had no readable id has none (basic/index#responses).
pub(crate) fn error(id: Option<&Id>, code: i32, text: &str, data: Option<&Value>) -> Vec<u8> {
    let mut out = Vec::with_capacity(160);
    out.extend_from_slice(br#"{"jsonrpc":"2.0","#);
    if let Some(id) = id {
        out.extend_from_slice(br#""id":"#);
        out.extend_from_slice(id.json());
        out.push(b',');
    }
    out.extend_from_slice(br#""error":{"code":"#);
    write::json(&mut out, &code);
    out.extend_from_slice(br#","message":"#);
    write::string(&mut out, text);
    if let Some(data) = data {
        out.extend_from_slice(br#","data":"#);
        write::json(&mut out, data);
    }
    out.extend_from_slice(b"}}");
    out
}

/// A client's text, shortened and without control characters.
pub(crate) fn shown(text: &str) -> String {
    const MOST: usize = 64;
    let mut shown: String = text.chars().take(MOST).flat_map(char::escape_debug).collect();
    if text.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    shown
}
