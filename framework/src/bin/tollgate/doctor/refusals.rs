//! What a server has to refuse, and with what.

use std::time::Duration;

use http::{HeaderValue, Method, Request, header};
use serde_json::{Value, json};

use super::{checkup::Checkup, eras::Spoken};
use crate::{
    client::{
        ClientError, Connection, Place, RpcError, Silent,
        http::{agent, read, text_of, unreachable},
    },
    out::Failure,
};

/// An answer as it came: the status, and the error in the body where there is one.
#[derive(Debug)]
pub(crate) struct Raw {
    pub(crate) status: u16,
    pub(crate) challenge: Option<String>,
    pub(crate) code: Option<i64>,
}

impl Raw {
    fn shown(&self) -> String {
        match self.code {
            Some(code) => format!("HTTP {} and {code}", self.status),
            None => format!("HTTP {}", self.status),
        }
    }
}

/// What only headers can say wrongly.
pub(crate) fn over_http(
    place: &Place,
    spoken: &mut Spoken,
    wait: Duration,
    checkup: &mut Checkup,
) -> Result<(), Failure> {
    origin(place, spoken.is_modern, wait, checkup)?;
    if !spoken.is_modern {
        return checkup.skip("headers", "the legacy era has none that repeat the body");
    }
    let wrong = modern(place, "tools/list", "tools/call");
    let it = send(wrong, "tools/list", wait)?;
    match (it.status, it.code) {
        (400, Some(-32020)) => checkup.ok("header mismatch", "is refused with HTTP 400 and -32020")?,
        (400..=499, _) => checkup.warn(
            "header mismatch",
            &format!("is refused with {}", it.shown()),
            "the protocol wants HTTP 400 and -32020, by which clients know what was wrong",
        )?,
        _ => checkup.fail(
            "header mismatch",
            &format!("`Mcp-Method` said tools/call, the body tools/list, and the answer was {}", it.shown()),
            "compare the headers with the body: proxies let in by header what the body then does",
        )?,
    }
    let it = send(modern(place, UNKNOWN, UNKNOWN), UNKNOWN, wait)?;
    match (it.status, it.code) {
        (404, Some(-32601)) => checkup.ok("unknown method", "is refused with HTTP 404 and -32601"),
        (_, Some(-32601)) => checkup.warn(
            "unknown method",
            &format!("is refused with {}", it.shown()),
            "the protocol wants HTTP 404 with it",
        ),
        _ => checkup.fail(
            "unknown method",
            &format!("the answer was {}", it.shown()),
            "refuse it with HTTP 404 and -32601",
        ),
    }
}

const UNKNOWN: &str = "tollgate/no-such-method";

/// A page that somebody else wrote must not speak through the browser of a user.
fn origin(place: &Place, is_modern: bool, wait: Duration, checkup: &mut Checkup) -> Result<(), Failure> {
    let (request, method) = match is_modern {
        true => (modern(place, "server/discover", "server/discover"), "server/discover"),
        false => (place.request(Method::POST), "initialize"),
    };
    let it = send(request.header(header::ORIGIN, "https://attacker.invalid"), method, wait)?;
    match it.status {
        403 => checkup.ok("foreign Origin", "is refused with HTTP 403"),
        400..=499 => checkup.warn(
            "foreign Origin",
            &format!("is refused with {}", it.shown()),
            "the protocol wants HTTP 403",
        ),
        _ => checkup.fail(
            "foreign Origin",
            &format!("a page of `https://attacker.invalid` may call: {}", it.shown()),
            "refuse an Origin that you do not know with HTTP 403, against DNS rebinding",
        ),
    }
}

fn modern(place: &Place, method: &str, in_header: &str) -> http::request::Builder {
    let builder = place.request(Method::POST).header("mcp-protocol-version", crate::client::era::MODERN);
    let named = HeaderValue::from_str(in_header);
    let builder = if method == "tools/call" { builder.header("mcp-name", UNKNOWN) } else { builder };
    named.map_or_else(|_| Request::builder(), |it| builder.header("mcp-method", it))
}

/// Sends one request with an exact head, and reads what comes first.
pub(crate) fn send(
    request: http::request::Builder,
    method: &str,
    wait: Duration,
) -> Result<Raw, ClientError> {
    let request = request
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::ACCEPT, "application/json, text/event-stream")
        .body(body(method).to_string())
        .map_err(|error| ClientError::Unsendable(error.to_string()))?;
    let response = agent(wait, Some(wait)).run(request).map_err(unreachable)?;
    let status = response.status().as_u16();
    let challenge = text_of(&response, "www-authenticate");
    let body = read(response).unwrap_or_default();
    // A stream has its message behind `data:`.
    let json = body.lines().find_map(|it| it.strip_prefix("data:")).unwrap_or(&body);
    let json: Value = serde_json::from_str(json).unwrap_or_default();
    Ok(Raw { status, challenge, code: json.pointer("/error/code").and_then(Value::as_i64) })
}

fn body(method: &str) -> Value {
    let params = match method {
        "initialize" => json!({
            "protocolVersion": crate::client::era::LEGACY[0],
            "capabilities": {},
            "clientInfo": {"name": "tollgate", "version": env!("CARGO_PKG_VERSION")},
        }),
        _ => json!({"_meta": {
            "io.modelcontextprotocol/protocolVersion": crate::client::era::MODERN,
            "io.modelcontextprotocol/clientInfo": {"name": "tollgate", "version": env!("CARGO_PKG_VERSION")},
            "io.modelcontextprotocol/clientCapabilities": {},
        }}),
    };
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
}

/// What any transport can carry.
pub(crate) fn by_message(connection: &mut Connection, checkup: &mut Checkup) -> Result<(), Failure> {
    if connection.is_stdio() || !connection.is_modern() {
        match connection.request(UNKNOWN, json!({}), &mut Silent) {
            Err(ClientError::Rpc(RpcError { code: -32601, .. })) => {
                checkup.ok("unknown method", "is refused with -32601")?;
            }
            other => checkup.fail("unknown method", &shown(&other), "refuse it with -32601")?,
        }
    }
    if connection.about.capabilities.get("tools").is_none() {
        return checkup.skip("unknown tool", "there are no tools");
    }
    let params = json!({"name": UNKNOWN, "arguments": {}});
    match connection.request("tools/call", params, &mut Silent) {
        Err(ClientError::Rpc(RpcError { code: -32602, .. })) => {
            checkup.ok("unknown tool", "is refused with -32602")
        }
        Ok(result) if result["isError"] == true => checkup.warn(
            "unknown tool",
            "is a result with `isError`",
            "the protocol wants the error -32602: it is the client's mistake, not the tool's",
        ),
        other => checkup.fail("unknown tool", &shown(&other), "refuse it with -32602"),
    }
}

fn shown(answer: &Result<Value, ClientError>) -> String {
    match answer {
        Ok(_) => "the answer was a result".into(),
        Err(error) => error.to_string(),
    }
}
