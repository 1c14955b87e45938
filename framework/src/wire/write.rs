//! Writing JSON straight into bytes.

use serde::Serialize;
use serde_json::Value;

use super::scan;

/// Appends `text` as a JSON string. What needs no escapes is looked through and copied as a whole, where serde_json
/// goes byte by byte.
pub(crate) fn string(out: &mut Vec<u8>, text: &str) {
    let bytes = text.as_bytes();
    out.reserve(bytes.len() + 2);
    out.push(b'"');
    let mut at = 0;
    loop {
        let end = scan::plain_end(bytes, at);
        out.extend_from_slice(&bytes[at..end]);
        let Some(special) = bytes.get(end) else { break };
        escape(out, *special);
        at = end + 1;
    }
    out.push(b'"');
}

fn escape(out: &mut Vec<u8>, byte: u8) {
    let short = match byte {
        b'"' | b'\\' => byte,
        0x08 => b'b',
        b'\t' => b't',
        b'\n' => b'n',
        0x0C => b'f',
        b'\r' => b'r',
        _ => {
            const DIGITS: &[u8; 16] = b"0123456789abcdef";
            out.extend_from_slice(b"\\u00");
            return out.extend([DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
        }
    };
    out.extend([b'\\', short]);
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

/// A whole answer that tells the model what went wrong with its call. `end` is what ends a result of the modern
/// revision.
pub(crate) fn tool_error(id: &[u8], end: Option<&[u8]>, text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(192 + text.len() + end.map_or(0, <[u8]>::len));
    result(&mut out, id);
    out.push(b'{');
    if end.is_some() {
        out.extend_from_slice(br#""resultType":"complete","#);
    }
    out.extend_from_slice(br#""content":[{"type":"text","text":"#);
    string(&mut out, text);
    out.extend_from_slice(br#"}],"isError":true"#);
    out.extend_from_slice(end.unwrap_or(b"}"));
    out.push(b'}');
    out
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_written_as_serde_json_writes_it() {
        let characters = (0..=0x17F).chain([0x2028, 0xFFFD, 0x1_F600]).filter_map(char::from_u32);
        for (special, length) in characters.flat_map(|it| [0, 1, 7, 8, 63, 64, 65, 255, 600].map(|n| (it, n)))
        {
            let plain = "x".repeat(length);
            let text = format!("{plain}{special}{special}{plain}{special}");
            let mut out = Vec::new();
            string(&mut out, &text);
            assert_eq!(out, serde_json::to_vec(&text).unwrap(), "{special:?} after {length}");
        }
    }
}
