//! What clients have to know before they have a token is there for anybody.

use std::future::ready;

use serde_json::{Value, json};
use tokio::net::TcpListener;
use tollgate::auth::{Auth, Principal, TokenError, TokenVerifier};
use tollgate_tests::{Answer, Call, Connection};

use super::{
    desk::{Desk, Runs, Watch, call, jwt, plain, server},
    mint::{AUDIENCE, ISSUER, Token},
};

const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";

fn get(path: &str) -> Call {
    let mut call = Call::post("");
    call.line = format!("GET {path} HTTP/1.1");
    call.headers.truncate(1);
    call.with_length = false;
    call
}

fn expected() -> Value {
    json!({
        "resource": AUDIENCE,
        "authorization_servers": [ISSUER],
        "bearer_methods_supported": ["header"],
        "scopes_supported": ["notes:read", "notes:write"],
    })
}

fn is_it(answer: &Answer) {
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.header("cache-control"), Some("max-age=3600"));
    assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(answer.json(), expected());
}

// S-221, S-222, S-223.
#[tokio::test]
async fn the_metadata_is_at_both_its_places_and_needs_no_token() {
    let desk = Desk::open(jwt()).await;

    is_it(&desk.send(get(WELL_KNOWN)).await);
    is_it(&desk.send(get(&format!("{WELL_KNOWN}/mcp"))).await);
    is_it(&desk.send(get(&format!("{WELL_KNOWN}/mcp?x=y"))).await);
    is_it(&desk.send(get(WELL_KNOWN).header("Authorization: Bearer nonsense")).await);
    is_it(&desk.send(get(WELL_KNOWN).header("Origin: https://any.example")).await);
}

#[tokio::test]
async fn nothing_is_served_beside_them() {
    let desk = Desk::open(jwt()).await;

    for path in ["/mcp/", "/other", "/mcp2", "x", "/"] {
        assert_eq!(desk.send(get(&format!("{WELL_KNOWN}{path}"))).await.status, 404, "{path}");
    }
    assert_eq!(desk.send(get("/.well-known/openid-configuration")).await.status, 404);
}

// S-221.
#[tokio::test]
async fn the_metadata_is_what_was_configured_and_not_what_a_request_says() {
    let desk = Desk::open(jwt()).await;

    let answer =
        desk.send(get(WELL_KNOWN).replace("Host", "localhost:4711").header("X-Forwarded-Host: evil")).await;
    is_it(&answer);
    for host in ["evil.example", "notes.example.com"] {
        assert_eq!(desk.send(get(WELL_KNOWN).replace("Host", host)).await.status, 403, "{host}");
    }
    assert_eq!(desk.send(get(WELL_KNOWN).without("Host")).await.status, 400);
    assert_eq!(desk.send(get(WELL_KNOWN).header("Host: localhost")).await.status, 400);
}

#[tokio::test]
async fn the_metadata_can_be_asked_for_by_pages_and_not_be_changed() {
    let desk = Desk::open(jwt()).await;
    let with = |verb: &str| {
        let mut call = get(WELL_KNOWN);
        call.line = format!("{verb} {WELL_KNOWN} HTTP/1.1");
        call
    };

    let mut connection = Connection::open(desk.running.address).await;
    connection.send(&with("HEAD").bytes()).await;
    let head = connection.head().await;
    assert_eq!((head.status, head.header("cache-control")), (200, Some("max-age=3600")));
    let options = desk.send(with("OPTIONS").header("Access-Control-Request-Method: GET")).await;
    assert_eq!((options.status, options.header("access-control-allow-origin")), (204, Some("*")));
    assert_eq!(options.header("access-control-allow-headers"), Some("*"));
    for verb in ["PUT", "DELETE", "PATCH"] {
        let answer = desk.send(with(verb)).await;
        assert_eq!((answer.status, answer.header("allow")), (405, Some("GET, HEAD, OPTIONS")), "{verb}");
    }
}

// S-221.
#[tokio::test]
async fn a_server_inside_a_router_serves_its_metadata_too() {
    let nested = server(jwt(), &Watch::new(), &Runs::default());
    let router = axum::Router::new()
        .route_service("/mcp", nested.clone())
        .route_service(WELL_KNOWN, nested.clone())
        .route_service(&format!("{WELL_KNOWN}/mcp"), nested);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });

    is_it(&get(WELL_KNOWN).send(address).await);
    is_it(&get(&format!("{WELL_KNOWN}/mcp")).send(address).await);
    assert_eq!(call(&Token::good().text()).send(address).await.status, 200);
    assert_eq!(plain().send(address).await.status, 401);
}

// S-224.
#[tokio::test]
async fn a_server_that_names_no_scopes_asks_for_none() {
    let desk = Desk::open(jwt().scopes_supported([""; 0])).await;

    let metadata = desk.send(get(WELL_KNOWN)).await.json();
    let challenge = desk.send(plain()).await.header("www-authenticate").unwrap().to_owned();

    assert_eq!(metadata.get("scopes_supported"), None);
    assert!(!challenge.contains("scope="), "{challenge}");
}

struct Nobody;

impl TokenVerifier for Nobody {
    fn verify(&self, _: &str) -> impl Future<Output = Result<Principal, TokenError>> + Send {
        ready(Err(TokenError::Invalid))
    }
}

#[tokio::test]
async fn tokens_that_are_given_out_by_hand_have_no_metadata() {
    let desk = Desk::open(Nobody).await;

    assert_eq!(desk.send(get(WELL_KNOWN)).await.status, 404);
    assert_eq!(desk.send(plain()).await.header("www-authenticate"), Some("Bearer"));
}

#[tokio::test]
async fn tokens_that_the_app_checks_itself_may_have_metadata() {
    let auth =
        Auth::verifier(Nobody).resource(AUDIENCE, ISSUER).scopes_supported(["notes:read", "notes:write"]);
    let desk = Desk::open(auth).await;

    is_it(&desk.send(get(WELL_KNOWN)).await);
}
