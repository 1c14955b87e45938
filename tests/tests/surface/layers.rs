//! The app's own layers, and the server inside another app.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use axum::{Router, routing::get};
use serde_json::json;
use tokio::net::TcpListener;
use tollgate::{Admitted, prelude::*};
use tollgate_tests::{Call, start};
use tower::{ServiceExt as _, layer::layer_fn, util::MapRequest};

/// Says the text back.
///
/// Use when the text is wanted again.
/// Do not use when it is not.
#[tool]
async fn echo(text: String) -> String {
    text
}

fn server() -> Server {
    Server::new("surface", "1").tools(tools![echo]).without_auth()
}

fn echo_call() -> Call {
    Call::tool("echo", &json!({"text": "hi"}))
}

#[tokio::test]
async fn a_call_layer_sees_only_what_was_admitted() {
    let seen = Arc::new(AtomicUsize::new(0));
    let counted = seen.clone();
    let layer = layer_fn(move |inner| {
        let counted = counted.clone();
        MapRequest::new(inner, move |admitted: Admitted| {
            assert_eq!((admitted.method().as_str(), admitted.name()), ("tools/call", Some("echo")));
            assert_eq!(admitted.version().to_string(), "2026-07-28");
            assert_eq!(admitted.caller().name(), None);
            counted.fetch_add(1, Ordering::Relaxed);
            admitted
        })
    });
    let running = start(server().call_layer(layer)).await;

    let good = echo_call().send(running.address).await;
    let bad_host = echo_call().replace("Host", "evil.example.com").send(running.address).await;
    let bad_name = echo_call().replace("Mcp-Name", "other").send(running.address).await;
    let bad_json = echo_call().body("{").send(running.address).await;
    let unknown = Call::tool("nothing", &json!({})).send(running.address).await;

    assert_eq!(good.result()["content"][0]["text"], "hi");
    let refused = [bad_host.status, bad_name.status, bad_json.status, unknown.status];
    assert_eq!(refused, [403, 400, 400, 200]);
    assert_eq!(seen.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn the_first_call_layer_is_innermost() {
    let order = Arc::new(std::sync::Mutex::new(Vec::new()));
    let named = |name: &'static str| {
        let order = order.clone();
        layer_fn(move |inner| {
            let order = order.clone();
            MapRequest::new(inner, move |admitted: Admitted| {
                order.lock().unwrap().push(name);
                admitted
            })
        })
    };
    let running = start(server().call_layer(named("first")).call_layer(named("second"))).await;

    echo_call().send(running.address).await;

    assert_eq!(*order.lock().unwrap(), ["second", "first"]);
}

#[tokio::test]
async fn an_http_layer_sees_every_request() {
    let seen = Arc::new(AtomicUsize::new(0));
    let counted = seen.clone();
    let layer = layer_fn(move |inner| {
        let counted = counted.clone();
        MapRequest::new(inner, move |request: http::Request<_>| {
            counted.fetch_add(1, Ordering::Relaxed);
            request
        })
    });
    let running = start(server().http_layer(layer)).await;

    let good = echo_call().send(running.address).await;
    let bad_host = echo_call().replace("Host", "evil.example.com").send(running.address).await;
    let mut elsewhere = echo_call();
    elsewhere.line = "POST /elsewhere HTTP/1.1".into();
    let elsewhere = elsewhere.send(running.address).await;

    assert_eq!((good.status, bad_host.status, elsewhere.status), (200, 403, 404));
    assert_eq!(seen.load(Ordering::Relaxed), 3);
}

#[tokio::test]
async fn a_server_nests_in_axum_under_a_prefix() {
    let app = Router::new().route("/health", get(async || "fine")).nest_service("/mcp", server());
    let address = serve(app).await;

    let good = echo_call().send(address).await;
    let bad_host = echo_call().replace("Host", "evil.example.com").send(address).await;
    let mut health = Call::post("");
    health.line = "GET /health HTTP/1.1".into();

    assert_eq!(good.result()["content"][0]["text"], "hi");
    assert_eq!(bad_host.status, 403);
    assert_eq!(health.send(address).await.body, b"fine");
}

#[tokio::test]
async fn a_server_is_a_route_of_axum() {
    let app = Router::new().route_service("/tools/one", server());
    let address = serve(app).await;
    let mut call = echo_call();
    call.line = "POST /tools/one HTTP/1.1".into();

    let good = call.send(address).await;
    let elsewhere = echo_call().send(address).await;

    assert_eq!(good.result()["content"][0]["text"], "hi");
    assert_eq!(elsewhere.status, 404);
}

/// Says how far it is.
///
/// Use when progress is wanted.
/// Do not use when it is not.
#[tool]
async fn slow(cx: &Cx) -> String {
    cx.progress("half").await;
    "done".into()
}

#[tokio::test]
async fn a_nested_server_streams() {
    let app =
        Router::new().nest_service("/mcp", Server::new("surface", "1").tools(tools![slow]).without_auth());
    let address = serve(app).await;
    let call = Call::tool("slow", &json!({})).edit(|it| it["params"]["_meta"]["progressToken"] = json!(1));

    let answer = call.send(address).await;

    assert_eq!(answer.header("content-type"), Some("text/event-stream"));
    assert_eq!(answer.events().len(), 2);
    assert_eq!(answer.result()["content"][0]["text"], "done");
}

#[tokio::test]
async fn a_server_is_a_tower_service_on_its_own() {
    let request = http::Request::post("/anywhere")
        .header("host", "localhost")
        .header("content-type", "application/json")
        .body(axum::body::Body::from(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#))
        .unwrap();

    let response = server().oneshot(request).await.unwrap();

    assert_eq!(response.status(), 200);
    let body = axum::body::to_bytes(axum::body::Body::new(response.into_body()), 1_000).await.unwrap();
    assert_eq!(body, r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
}

#[tokio::test]
async fn a_nested_server_that_is_configured_wrongly_answers_500() {
    let wrong = Server::new("", "1").tools(tools![echo]).without_auth();
    let address = serve(Router::new().nest_service("/mcp", wrong)).await;

    assert_eq!(echo_call().send(address).await.status, 500);
}

async fn serve(app: Router) -> std::net::SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, app).await });
    address
}
