//! What the headers of a request are worth, by the text of the specification alone
//! (basic/transports/streamable-http#request-metadata): slow, plain, and without a line of the server's.

use serde_json::Value;

use super::base64;

/// What a server that reads the body has to make of the headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// They say what the body says.
    Agree,
    /// They do not: 400 and -32020.
    Disagree,
    /// They are no HTTP (RFC 9110, section 5.5): 400, and what follows cannot be trusted.
    NotHttp,
}

/// An argument that the schema of the tool mirrors into a header.
pub(super) struct Mirrored {
    pub(super) header: &'static str,
    pub(super) path: &'static [&'static str],
}

/// Judges header lines, as they travel, against the message that they came with.
pub(super) fn judge(lines: &[Vec<u8>], message: &Value, mirrored: &[Mirrored]) -> Verdict {
    let mut fields = Vec::new();
    for line in lines {
        match field(line) {
            Some(field) => fields.push(field),
            None => return Verdict::NotHttp,
        }
    }
    let agrees = |name: &str, matches: &dyn Fn(&str) -> bool| matches!(named(&fields, name).as_slice(), [value] if text(value).is_some_and(matches));
    let params = &message["params"];
    let version = params["_meta"]["io.modelcontextprotocol/protocolVersion"].as_str();
    let method = message["method"].as_str();
    let target = match method {
        Some("tools/call" | "prompts/get") => params["name"].as_str(),
        Some("resources/read") => params["uri"].as_str(),
        _ => None,
    };
    let mut all = agrees("mcp-protocol-version", &|it| Some(it) == version)
        && agrees("mcp-method", &|it| Some(it) == method);
    if target.is_some() {
        all &= agrees("mcp-name", &|it| decoded(it).as_deref() == target);
    } else {
        // No field of the body belongs to it, so nothing can differ; it has to be readable all the same.
        let stray = named(&fields, "mcp-name");
        all &= stray.is_empty() || agrees("mcp-name", &|it| decoded(it).is_some());
    }
    if method == Some("tools/call") {
        for it in mirrored {
            let value = it.path.iter().try_fold(&params["arguments"], |value, name| value.get(name));
            all &= match value {
                None | Some(Value::Null) => named(&fields, it.header).is_empty(),
                Some(value) => {
                    agrees(it.header, &|header| decoded(header).is_some_and(|header| is_same(&header, value)))
                }
            };
        }
    }
    if all { Verdict::Agree } else { Verdict::Disagree }
}

/// A name in lower case and a value without the blanks around it; `None` when it is no header field.
fn field(line: &[u8]) -> Option<(String, Vec<u8>)> {
    let colon = line.iter().position(|it| *it == b':')?;
    let (name, value) = (&line[..colon], &line[colon + 1..]);
    let is_token = |it: &u8| it.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(it);
    let is_control = |it: &u8| (*it < b' ' && *it != b'\t') || *it == 0x7f;
    if name.is_empty() || !name.iter().all(is_token) || value.iter().any(is_control) {
        return None;
    }
    let is_blank = |it: &u8| *it == b' ' || *it == b'\t';
    let start = value.iter().position(|it| !is_blank(it)).unwrap_or(value.len());
    let end = value.iter().rposition(|it| !is_blank(it)).map_or(start, |it| it + 1);
    Some((String::from_utf8_lossy(name).to_ascii_lowercase(), value[start..end].to_vec()))
}

fn named<'a>(fields: &'a [(String, Vec<u8>)], name: &str) -> Vec<&'a [u8]> {
    fields.iter().filter(|it| it.0 == name.to_ascii_lowercase()).map(|it| it.1.as_slice()).collect()
}

/// Visible ASCII, blanks and tabs (#value-encoding).
fn text(value: &[u8]) -> Option<&str> {
    value.is_ascii().then(|| std::str::from_utf8(value).ok())?
}

/// What a value stands for; `None` when it claims to be encoded and is not.
fn decoded(value: &str) -> Option<String> {
    let inner = value.strip_prefix("=?base64?").and_then(|it| it.strip_suffix("?="));
    match inner {
        Some(inner) => String::from_utf8(base64::decode(inner)?).ok(),
        None => Some(value.to_owned()),
    }
}

fn is_same(header: &str, value: &Value) -> bool {
    match value {
        Value::String(text) => header == text,
        Value::Bool(yes) => header == if *yes { "true" } else { "false" },
        Value::Number(number) => decimal(header).is_some_and(|it| Some(it) == decimal(&number.to_string())),
        _ => false,
    }
}

/// A number of JSON as its sign, its digits without zeros around them, and its power of ten.
fn decimal(text: &str) -> Option<(bool, String, i64)> {
    let (negative, text) = text.strip_prefix('-').map_or((false, text), |it| (true, it));
    let (mantissa, power) = match text.split_once(['e', 'E']) {
        Some((mantissa, power)) => (mantissa, power.parse().ok()?),
        None => (text, 0_i64),
    };
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let is_digits = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    let has_part = mantissa.contains('.');
    if !is_digits(whole) || (has_part && !is_digits(part)) || (whole.len() > 1 && whole.starts_with('0')) {
        return None;
    }
    let all = format!("{whole}{part}");
    let digits = all.trim_end_matches('0');
    let power = power + i64::try_from(all.len() - digits.len()).ok()? - i64::try_from(part.len()).ok()?;
    let digits = digits.trim_start_matches('0').to_owned();
    if digits.is_empty() { Some((false, digits, 0)) } else { Some((negative, digits, power)) }
}

#[test]
fn the_oracle_counts_as_people_do() {
    let same = [("42", "42.0"), ("42", "4.2e1"), ("-0", "0"), ("100", "1e2"), ("0.50", "5e-1")];
    let other = [("42", "43"), ("9007199254740993", "9007199254740992"), ("1", "-1"), ("10", "1")];

    assert!(same.iter().all(|(one, two)| decimal(one).is_some() && decimal(one) == decimal(two)));
    assert!(other.iter().all(|(one, two)| decimal(one) != decimal(two)));
    assert!(["", "+1", "01", "1.", ".1", "0x1", "1 ", "NaN", "1e"].iter().all(|it| decimal(it).is_none()));
}
