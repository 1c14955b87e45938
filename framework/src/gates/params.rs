//! The `Mcp-Param-*` headers repeat the arguments they mirror
//! (basic/transports/streamable-http#server-behavior-for-custom-headers).

use serde_json::Value;

use super::{
    agreement::differs,
    call::{Resolved, Target},
    headers::Headers,
    refusal::{Reason, Refusal},
    required::Cleared,
};
use crate::{
    gate::Gate,
    limits::Limits,
    schema::{HeaderParam, ParamKind},
};

/// A request whose mirrored arguments agree.
pub(crate) struct Matched(pub(crate) Resolved);

pub(crate) struct Params;

impl Gate for Params {
    type In = Cleared;
    type Out = Matched;

    fn pass(it: Cleared) -> Result<Matched, Refusal> {
        let it = it.0;
        let read = &it.dated.read;
        if let (Target::Tool { tool, arguments }, Some(headers)) = (&it.target, &read.headers)
            && it.dated.era.version.is_modern()
            && !tool.headers.is_empty()
        {
            check(headers, &tool.headers, arguments, &read.engine.limits)
                .map_err(|reason| reason.of(read.message.id.as_ref()))?;
        }
        Ok(Matched(it))
    }
}

fn check(
    headers: &Headers,
    params: &[HeaderParam],
    arguments: &Value,
    limits: &Limits,
) -> Result<(), Reason> {
    if headers.params.len() > limits.param_headers {
        return Err(Reason::Header(format!("more than {} Mcp-Param headers", limits.param_headers)));
    }
    params.iter().try_for_each(|it| check_one(headers, it, arguments, limits.param_header_bytes))
}

fn check_one(headers: &Headers, param: &HeaderParam, arguments: &Value, most: usize) -> Result<(), Reason> {
    let in_header = headers.param(&param.lookup).decoded(&param.header, most)?;
    let in_body = param.path.iter().try_fold(arguments, |it, step| it.get(step)).filter(|it| !it.is_null());
    match (in_header, in_body) {
        (None, None) => Ok(()),
        (None, Some(_)) => Err(Reason::Header(format!("{} is missing", param.header))),
        (Some(_), None) => Err(Reason::Header(format!("{} is sent, and the argument is not", param.header))),
        (Some(in_header), Some(in_body)) if same(param.kind, &in_header, in_body) => Ok(()),
        (Some(in_header), Some(in_body)) => Err(differs(&param.header, &in_header, &plain(in_body))),
    }
}

fn same(kind: ParamKind, in_header: &str, in_body: &Value) -> bool {
    match (kind, in_body) {
        (ParamKind::Integer, Value::Number(number)) => {
            in_header == number.to_string() || (is_decimal(in_header) && is_equal(in_header, number.as_f64()))
        }
        (_, other) => in_header == plain(other),
    }
}

/// Whether both are one number, as `42.0` and `42` are. Where an `f64` cannot tell neighbours apart, none is.
fn is_equal(in_header: &str, in_body: Option<f64>) -> bool {
    const LARGEST: f64 = 9_007_199_254_740_991.0;
    in_header.parse().ok() == in_body && in_body.is_some_and(|it| it.abs() <= LARGEST)
}

/// Rust reads `inf` and `nan` as numbers too.
fn is_decimal(text: &str) -> bool {
    text.bytes().all(|it| it.is_ascii_digit() || matches!(it, b'-' | b'+' | b'.' | b'e' | b'E'))
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
