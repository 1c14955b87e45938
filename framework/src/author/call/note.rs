//! Progress, written as it travels.

use crate::wire::write;

/// A report of progress under the client's own token (basic/patterns/progress).
pub(super) fn progress(token: &[u8], done: f64, total: Option<f64>, message: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(160);
    out.extend_from_slice(
        br#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"#,
    );
    out.extend_from_slice(token);
    out.extend_from_slice(br#","progress":"#);
    number(&mut out, done);
    if let Some(total) = total {
        out.extend_from_slice(br#","total":"#);
        number(&mut out, total);
    }
    if !message.is_empty() {
        out.extend_from_slice(br#","message":"#);
        write::string(&mut out, message);
    }
    out.extend_from_slice(b"}}");
    out
}

/// Whole numbers travel without a fraction.
fn number(out: &mut Vec<u8>, number: f64) {
    if number.fract() == 0.0 && number.abs() < 1e15 {
        #[expect(clippy::cast_possible_truncation, reason = "it is whole and small")]
        let whole = number as i64;
        write::json(out, &whole);
    } else {
        write::json(out, &number);
    }
}
