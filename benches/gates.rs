//! What the gates cost without HTTP: requests that are in memory already, each let in up to one gate further.
//!
//! A gate cannot be asked alone, since it takes only what the gate before it has proved. So each line is a request that
//! the gate of its name refuses: what a line has over the one above is that gate and those in between, for the refusal
//! itself costs all of them about the same. `all_gates` is refused by a layer of the app behind the last one, and
//! `tools_call` runs a tool and says what came of it.
//!
//!     cargo bench -p tollgate-benches --bench gates

use std::{
    future::Future,
    pin::{Pin, pin},
    task::{Context, Poll, Waker},
};

use divan::Bencher;
use http::{Request, Response};
use http_body::Body as _;
use tollgate::{Admitted, Body, Refused, Reply, prelude::*};
use tower::{Service, layer::layer_fn, util::service_fn};

fn main() {
    // Many at a time: one alone would be timed with a cold cache, and with the clock's own cost.
    divan::Divan::default().sample_size(100).config_with_args().main();
}

/// Says a text back.
///
/// Use when the way to the server and back is measured.
/// Do not use when there is anything else to do.
#[tool(read_only)]
async fn echo(
    /// What comes back.
    text: Text<1_000>,
    /// Repeated in a header.
    #[arg(header = "Region")]
    region: Option<Text<20>>,
) -> String {
    drop(region);
    text.into()
}

fn server() -> Server {
    Server::new("bench", "1.0.0").tools(tools![echo]).without_auth()
}

const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1.0.0"},"io.modelcontextprotocol/clientCapabilities":{}}"#;

/// A request with every header that it needs.
fn call(name: &str, arguments: &str, more: &str) -> (http::request::Builder, String) {
    let params = format!(r#"{{"name":"{name}","arguments":{arguments},{more}{META}}}"#);
    let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
    (headers("tools/call").header("mcp-name", name), body)
}

fn headers(method: &str) -> http::request::Builder {
    Request::post("http://127.0.0.1:8000/mcp")
        .header("host", "127.0.0.1:8000")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", method)
}

const HELLO: &str = r#"{"text":"hello"}"#;

// --- one line for each gate that refuses ---

#[divan::bench]
fn a_door(bencher: Bencher<'_, '_>) {
    refused(bencher, 415, "", || {
        let (headers, body) = call("echo", HELLO, "");
        (headers.header("content-encoding", "br"), body)
    });
}

#[divan::bench]
fn b_message(bencher: Bencher<'_, '_>) {
    refused(bencher, 400, "-32700", || {
        let (headers, mut body) = call("echo", HELLO, "");
        body.push('}');
        (headers, body)
    });
}

#[divan::bench]
fn c_agreement(bencher: Bencher<'_, '_>) {
    refused(bencher, 400, "-32020", || {
        let (headers, body) = call("echo", HELLO, "");
        (headers.header("mcp-name", "echo"), body)
    });
}

#[divan::bench]
fn d_era(bencher: Bencher<'_, '_>) {
    refused(bencher, 400, "-32602", || {
        let (headers, body) = call("echo", HELLO, "");
        (headers, body.replace("clientCapabilities", "clientCapability_s"))
    });
}

#[divan::bench]
fn e_call(bencher: Bencher<'_, '_>) {
    refused(bencher, 200, "-32602", || call("ohce", HELLO, ""));
}

#[divan::bench]
fn f_params(bencher: Bencher<'_, '_>) {
    refused(bencher, 400, "-32020", || call("echo", r#"{"text":"hello","region":"eu"}"#, ""));
}

#[divan::bench]
fn g_round(bencher: Bencher<'_, '_>) {
    refused(bencher, 200, "-32602", || call("echo", HELLO, r#""requestState":"v1.forged","#));
}

// --- what passes ---

#[divan::bench]
fn h_all_gates(bencher: Bencher<'_, '_>) {
    let turn_away = layer_fn(|_| service_fn(async |_: Admitted| Err::<Reply, _>(Refused::told("not now"))));
    let (headers, body) = call("echo", HELLO, "");
    measured(bencher, server().call_layer(turn_away), 200, "not now", headers, body);
}

#[divan::bench]
fn i_tools_call(bencher: Bencher<'_, '_>) {
    let (headers, body) = call("echo", HELLO, "");
    answered(bencher, 200, r#""text":"hello""#, headers, body);
}

#[divan::bench]
fn j_tools_list(bencher: Bencher<'_, '_>) {
    let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{{META}}}}}"#);
    answered(bencher, 200, r#""tools":["#, headers("tools/list"), body);
}

// --- the list of those who may do everything, and of those who may not ---

#[divan::bench]
fn k_tools_list_with_all_scopes(bencher: Bencher<'_, '_>) {
    listed(bencher, 40, |all| all.clone());
}

#[divan::bench]
fn l_tools_list_with_half_the_scopes(bencher: Bencher<'_, '_>) {
    listed(bencher, 20, |all| all[..20].to_vec());
}

/// Forty tools that need a scope each, for a caller with some of the scopes.
fn listed(bencher: Bencher<'_, '_>, count: usize, held: fn(&Vec<String>) -> Vec<String>) {
    let scopes: Vec<_> = (0..40).map(|it| format!("scope:{it:02}")).collect();
    let tool = |scope: &String| {
        let name = scope.replace(':', "_");
        let schema = tollgate::serde_json::json!({"type": "object"});
        Tool::new(name, "Is there.", schema, async |_cx, _| Ok("done")).scope(scope)
    };
    let server = Server::new("bench", "1.0.0").tools(scopes.iter().map(tool).collect::<Vec<_>>());
    let client = server.without_auth().client("ann").with_scopes(held(&scopes));
    let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{{META}}}}}"#);
    let request = headers("tools/list").body(body).expect("the headers are valid");
    let first = poll_once(client.send(request.clone())).into_body();
    assert_eq!(String::from_utf8_lossy(&first).matches(r#""name":"scope_"#).count(), count);
    bencher.with_inputs(|| request.clone()).bench_local_values(|request| poll_once(client.send(request)));
}

fn refused(
    bencher: Bencher<'_, '_>,
    status: u16,
    code: &str,
    request: impl Fn() -> (http::request::Builder, String),
) {
    let (headers, body) = request();
    answered(bencher, status, code, headers, body);
}

fn answered(
    bencher: Bencher<'_, '_>,
    status: u16,
    says: &str,
    headers: http::request::Builder,
    body: String,
) {
    measured(bencher, server(), status, says, headers, body);
}

fn measured(
    bencher: Bencher<'_, '_>,
    mut server: Server,
    status: u16,
    says: &str,
    headers: http::request::Builder,
    body: String,
) {
    let request = headers.body(body).expect("the headers are valid");
    let response = whole(server.call(request.clone()));
    assert_eq!(response.0, status, "{}", response.1);
    assert!(response.1.contains(says), "{}", response.1);
    bencher.with_inputs(|| request.clone()).bench_local_values(|request| poll_once(server.call(request)));
}

/// Nothing here has to wait.
fn poll_once<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(ready) => ready,
        Poll::Pending => unreachable!("the request is in memory and the tool does not wait"),
    }
}

fn whole<E: std::fmt::Debug>(answer: impl Future<Output = Result<Response<Body>, E>>) -> (u16, String) {
    let response = poll_once(answer).expect("a server always answers");
    let status = response.status().as_u16();
    let mut body = response.into_body();
    let mut text = Vec::new();
    while let Poll::Ready(Some(Ok(frame))) =
        Pin::new(&mut body).poll_frame(&mut Context::from_waker(Waker::noop()))
    {
        text.extend(frame.into_data().unwrap_or_default());
    }
    (status, String::from_utf8_lossy(&text).into_owned())
}
