//! The headers that repeat a tool's arguments (basic/transports/streamable-http#custom-headers-from-tool-parameters).

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::Value;

use super::error::ClientError;

/// `Mcp-Param-*` for a call of a tool with this schema.
pub(crate) fn headers(schema: &Value, arguments: &Value) -> Result<Vec<(String, String)>, ClientError> {
    let mut found = Vec::new();
    walk(schema, arguments, &mut found)?;
    Ok(found)
}

/// An annotation counts on properties that are reached from the root through `properties` alone.
fn walk(schema: &Value, value: &Value, found: &mut Vec<(String, String)>) -> Result<(), ClientError> {
    for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let Some(value) = value.get(name) else { continue };
        if let Some(header) = property.get("x-mcp-header").and_then(Value::as_str)
            && let Some(text) = written(name, property, value)?
        {
            found.push((format!("Mcp-Param-{header}"), encoded(&text)));
        }
        walk(property, value, found)?;
    }
    Ok(())
}

/// An argument as text. One that the schema does not allow has no header: the server refuses it for what it is.
fn written(name: &str, property: &Value, value: &Value) -> Result<Option<String>, ClientError> {
    match (property.get("type").and_then(Value::as_str), value) {
        (Some("string"), Value::String(text)) => Ok(Some(text.clone())),
        (Some("boolean"), Value::Bool(it)) => Ok(Some(it.to_string())),
        (Some("integer"), Value::Number(number)) => match whole(number) {
            Whole::Safe(it) => Ok(Some(it.to_string())),
            Whole::Unsafe => Err(ClientError::Unsendable(format!(
                "`{name}` is {number}, and travels in a header, where an integer is at most 2^53 - 1 either way"
            ))),
            Whole::No => Ok(None),
        },
        _ => Ok(None),
    }
}

enum Whole {
    Safe(i64),
    Unsafe,
    No,
}

fn whole(number: &serde_json::Number) -> Whole {
    const MOST: i64 = (1 << 53) - 1;
    if let Some(it) = number.as_i64() {
        return if it.unsigned_abs() <= MOST.unsigned_abs() { Whole::Safe(it) } else { Whole::Unsafe };
    }
    match number.as_f64() {
        Some(it) if it.fract() != 0.0 => Whole::No,
        #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "it is within 2^53")]
        Some(it) if it.abs() <= MOST as f64 => Whole::Safe(it as i64),
        Some(_) => Whole::Unsafe,
        None => Whole::No,
    }
}

/// Text that a header cannot carry travels encoded (basic/transports/streamable-http#value-encoding).
pub(crate) fn encoded(text: &str) -> String {
    let is_plain = text.bytes().all(|it| matches!(it, b'\t' | b' '..=b'~'));
    let is_trimmed = text.trim_matches([' ', '\t']) == text;
    let is_sentinel = text.starts_with("=?base64?") && text.ends_with("?=");
    match is_plain && is_trimmed && !is_sentinel {
        true => text.to_owned(),
        false => format!("=?base64?{}?=", STANDARD.encode(text)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn text_that_a_header_cannot_carry_is_encoded() {
        let table = [
            ("us-west1", "us-west1"),
            ("", ""),
            (" padded ", "=?base64?IHBhZGRlZCA=?="),
            ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
            ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
            ("a\nb", "=?base64?YQpi?="),
        ];
        for (text, header) in table {
            assert_eq!(encoded(text), header);
        }
    }

    #[test]
    fn annotated_arguments_are_repeated_at_any_depth_and_absent_ones_are_not() {
        let schema = json!({"properties": {
            "region": {"type": "string", "x-mcp-header": "Region"},
            "count": {"type": "integer", "x-mcp-header": "Count"},
            "zone": {"type": "string", "x-mcp-header": "Zone"},
            "deep": {"type": "object", "properties": {"on": {"type": "boolean", "x-mcp-header": "On"}}},
        }});
        let arguments = json!({"region": "eu", "count": 1e3, "zone": null, "deep": {"on": true}});

        let headers = headers(&schema, &arguments).unwrap();

        let expected = [("Mcp-Param-Region", "eu"), ("Mcp-Param-Count", "1000"), ("Mcp-Param-On", "true")];
        assert_eq!(headers, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }

    #[test]
    fn an_integer_beyond_2_53_is_refused_here() {
        let schema = json!({"properties": {"n": {"type": "integer", "x-mcp-header": "N"}}});
        let sent = |n: Value| headers(&schema, &json!({"n": n}));

        for safe in [json!(9_007_199_254_740_991_i64), json!(-9_007_199_254_740_991_i64), json!(1e15)] {
            assert_eq!(sent(safe.clone()).unwrap().len(), 1, "{safe}");
        }
        for unsafe_ in [json!(9_007_199_254_740_992_i64), json!(u64::MAX), json!(1e300)] {
            assert!(sent(unsafe_.clone()).is_err(), "{unsafe_}");
        }
        assert_eq!(sent(json!(1.5)).unwrap(), []);
    }

    #[test]
    fn a_number_is_no_type_that_travels_in_a_header() {
        let schema = json!({"properties": {"n": {"type": "number", "x-mcp-header": "N"}}});

        assert_eq!(headers(&schema, &json!({"n": 1})).unwrap(), []);
    }
}
