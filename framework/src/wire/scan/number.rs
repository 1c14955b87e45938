//! JSON numbers: where one ends, and whether an `f64` can hold it.

use super::{Bounds, Fault};

/// Finds the end of the number that starts at `start`.
pub(super) fn end(body: &[u8], start: usize, bounds: &Bounds) -> Result<usize, Fault> {
    let mut at = start + usize::from(body[start] == b'-');
    at = match body.get(at) {
        Some(b'0') => at + 1,
        _ => digits(body, at)?,
    };
    if body.get(at) == Some(&b'.') {
        at = digits(body, at + 1)?;
    }
    let has_exponent = matches!(body.get(at), Some(b'e' | b'E'));
    if has_exponent {
        at += 1;
        at = digits(body, at + usize::from(matches!(body.get(at), Some(b'+' | b'-'))))?;
    }
    if at - start > bounds.number_bytes {
        return Err(Fault::NumberTooLong(start));
    }
    if (has_exponent || at - start > FINITE) && !is_finite(&body[start..at]) {
        return Err(Fault::NumberTooLarge(start));
    }
    Ok(at)
}

/// The position after the digits at `at`, of which there is at least one.
fn digits(body: &[u8], at: usize) -> Result<usize, Fault> {
    let count = body[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    if count == 0 { Err(Fault::Syntax(at)) } else { Ok(at + count) }
}

/// Both readings must be finite: close to the largest `f64`, serde_json rounds differently.
#[cold]
fn is_finite(literal: &[u8]) -> bool {
    let exact = std::str::from_utf8(literal).ok().and_then(|it| it.parse::<f64>().ok());
    exact.is_some_and(f64::is_finite) && serde_json::from_slice::<f64>(literal).is_ok_and(f64::is_finite)
}

/// A number without exponent that is no longer than this is far below the largest `f64`.
const FINITE: usize = 300;
