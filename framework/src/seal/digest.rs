//! One digest for all spellings of the same arguments.

use serde_json::{Number, Value};
use sha2::{Digest as _, Sha256};

/// Digests the arguments of a call: SHA-256 over JSON without spaces, with keys sorted by their bytes at every level
/// and one spelling for each number. Absent arguments and `{}` are the same.
///
/// 1, 1.0 and 1e0 are equal. An integer keeps all digits that `value` has, also beyond 2^53.
pub(crate) fn arguments_digest(arguments: Option<&Value>) -> [u8; 32] {
    arguments.map_or_else(|| Sha256::digest(b"{}").into(), json_digest)
}

/// The same digest of any value.
pub(crate) fn json_digest(value: &Value) -> [u8; 32] {
    let mut hasher = Sha256::new();
    write(value, &mut hasher);
    hasher.finalize().into()
}

/// Goes through the value with its own stack, so that depth costs memory on the heap only.
fn write(value: &Value, hasher: &mut Sha256) {
    let mut steps = vec![Step::Value(value)];
    while let Some(step) = steps.pop() {
        match step {
            Step::Mark(mark) => hasher.update(mark),
            Step::Key(key) => {
                text(key, hasher);
                hasher.update(b":");
            }
            Step::Value(Value::Null) => hasher.update(b"null"),
            Step::Value(Value::Bool(true)) => hasher.update(b"true"),
            Step::Value(Value::Bool(false)) => hasher.update(b"false"),
            Step::Value(Value::Number(it)) => hasher.update(number(it)),
            Step::Value(Value::String(it)) => text(it, hasher),
            Step::Value(Value::Array(items)) => {
                hasher.update(b"[");
                steps.push(Step::Mark(b"]"));
                for (place, item) in items.iter().enumerate().rev() {
                    steps.push(Step::Value(item));
                    steps.extend(comma(place));
                }
            }
            Step::Value(Value::Object(members)) => {
                hasher.update(b"{");
                steps.push(Step::Mark(b"}"));
                let mut members: Vec<_> = members.iter().collect();
                members.sort_unstable_by_key(|(key, _)| key.as_bytes());
                for (place, (key, member)) in members.into_iter().enumerate().rev() {
                    steps.push(Step::Value(member));
                    steps.push(Step::Key(key));
                    steps.extend(comma(place));
                }
            }
        }
    }
}

/// What is still to be written, the next on top.
enum Step<'a> {
    Mark(&'static [u8]),
    Key(&'a str),
    Value(&'a Value),
}

/// The comma before an item, which the first has not.
fn comma(place: usize) -> Option<Step<'static>> {
    (place > 0).then_some(Step::Mark(b","))
}

/// A string in quotes. Its length is told by its escapes, so no string can pass for two.
fn text(text: &str, hasher: &mut Sha256) {
    serde_json::to_writer(hasher, text).expect("a string is JSON and a hasher takes all bytes");
}

/// Integers by their digits, other numbers by the shortest digits that mean the same `f64`.
fn number(number: &Number) -> String {
    let digits = number.to_string();
    // `-0` stands here only where some crate turned on `serde_json/arbitrary_precision`.
    if digits.bytes().all(|it| it.is_ascii_digit() || it == b'-') && digits != "-0" {
        return digits;
    }
    match number.as_f64() {
        Some(float) if float.fract() == 0.0 && INTEGERS.contains(&float) => format!("{}", float as i128),
        Some(float) => format!("{float:e}"),
        None => digits,
    }
}

/// The floats that a JSON integer in 64 bits can equal.
const INTEGERS: std::ops::Range<f64> = -9_223_372_036_854_775_808.0..18_446_744_073_709_551_616.0;

#[cfg(test)]
mod tests;
