//! The server that tokens are shown to, and what every refusal has in common.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use serde_json::{Value, json};
use tollgate::{
    Clock,
    auth::{Jwt, Keys},
    prelude::*,
};
use tollgate_tests::{Answer, Call, Running, start};

use super::mint::{AUDIENCE, ISSUER, NOW, Token, jwks};

/// A clock that is set by hand, in milliseconds.
#[derive(Clone)]
pub(crate) struct Watch(Arc<AtomicU64>);

impl Watch {
    pub(crate) fn new() -> Self {
        Self(Arc::new(AtomicU64::new(NOW * 1_000)))
    }

    pub(crate) fn set(&self, seconds: u64) {
        self.0.store(seconds * 1_000, Ordering::SeqCst);
    }

    pub(crate) fn set_millis(&self, millis: u64) {
        self.0.store(millis, Ordering::SeqCst);
    }

    pub(crate) fn pass(&self, seconds: u64) {
        self.0.fetch_add(seconds * 1_000, Ordering::SeqCst);
    }
}

impl Clock for Watch {
    fn now(&self) -> SystemTime {
        UNIX_EPOCH + Duration::from_millis(self.0.load(Ordering::SeqCst))
    }
}

/// How often a tool ran.
#[derive(Clone, Default)]
pub(crate) struct Runs(Arc<AtomicUsize>);

/// Says who calls.
///
/// Use when it has to be known.
/// Do not use when it is known.
#[tool(read_only)]
async fn whoami(cx: &Cx<Runs>, scope: Option<String>) -> Result<String> {
    cx.state().0.fetch_add(1, Ordering::SeqCst);
    let known = cx.caller().known();
    let said = json!({
        "issuer": known.map(|it| it.issuer()),
        "subject": known.map(|it| it.subject()),
        "client": known.and_then(|it| it.client()),
        "tenant": known.and_then(|it| it.tenant()),
        "scopes": known.map(|it| it.scopes().collect::<Vec<_>>()),
        "email": known.and_then(|it| it.claim("email")),
        "has": scope.map(|it| cx.caller().has_scope(&it)),
    });
    Ok(said.to_string())
}

/// A running server with its clock and its count.
pub(crate) struct Desk {
    pub(crate) running: Running,
    pub(crate) watch: Watch,
    runs: Runs,
}

/// The rules that nearly all tests take.
pub(crate) fn jwt() -> Jwt {
    Jwt::issuer(ISSUER)
        .audience(AUDIENCE)
        .keys(Keys::set(jwks()))
        .scopes_supported(["notes:read", "notes:write"])
}

/// A server that still can be changed.
pub(crate) fn server(auth: impl Into<tollgate::auth::Auth>, watch: &Watch, runs: &Runs) -> Server<Runs> {
    Server::new("notes", "1").state(runs.clone()).tools(tools![whoami]).clock(watch.clone()).auth(auth)
}

impl Desk {
    pub(crate) async fn open(auth: impl Into<tollgate::auth::Auth>) -> Self {
        let (watch, runs) = (Watch::new(), Runs::default());
        let running = start(server(auth, &watch, &runs)).await;
        Self { running, watch, runs }
    }

    pub(crate) fn runs(&self) -> usize {
        self.runs.0.load(Ordering::SeqCst)
    }

    pub(crate) async fn send(&self, call: Call) -> Answer {
        call.send(self.running.address).await
    }

    pub(crate) async fn show(&self, token: &str) -> Answer {
        self.send(call(token)).await
    }

    /// What the tool says of a good token.
    pub(crate) async fn told(&self, token: &Token) -> Value {
        said(&self.show(&token.text()).await)
    }

    /// The answer is a plain yes, and the tool ran once.
    pub(crate) async fn accepts(&self, what: &str, token: &str) {
        let before = self.runs();
        let answer = self.show(token).await;
        assert_eq!(answer.status, 200, "{what}: {}", String::from_utf8_lossy(&answer.body));
        assert_eq!(answer.header("www-authenticate"), None, "{what}");
        assert_eq!(self.runs(), before + 1, "{what}");
    }

    /// The answer is the one no that all bad tokens get, nothing ran, and the next good token works.
    pub(crate) async fn refuses(&self, what: &str, token: &str) {
        let before = self.runs();
        let answer = self.show(token).await;
        assert_eq!(answer.status, 401, "{what}: {}", String::from_utf8_lossy(&answer.body));
        assert_eq!(answer.header("www-authenticate"), Some(INVALID), "{what}");
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{what}");
        assert_eq!(String::from_utf8_lossy(&answer.body), NO, "{what}");
        assert_eq!(self.runs(), before, "{what}");
        self.accepts(what, &Token::good().text()).await;
    }
}

/// What the tool said.
pub(crate) fn said(answer: &Answer) -> Value {
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    serde_json::from_str(answer.result()["content"][0]["text"].as_str().unwrap_or_default()).unwrap()
}

/// A good call that shows a token.
pub(crate) fn call(token: &str) -> Call {
    plain().header(format!("Authorization: Bearer {token}"))
}

/// A good call without one.
pub(crate) fn plain() -> Call {
    Call::tool("whoami", &json!({}))
}

pub(crate) const METADATA: &str = "https://notes.example.com/.well-known/oauth-protected-resource/mcp";
pub(crate) const INVALID: &str = "Bearer error=\"invalid_token\", error_description=\"the token is invalid or has \
     expired\", resource_metadata=\"https://notes.example.com/.well-known/oauth-protected-resource/mcp\", \
     scope=\"notes:read notes:write\"";
pub(crate) const NO: &str =
    r#"{"jsonrpc":"2.0","error":{"code":-32600,"message":"the token is invalid or has expired"}}"#;
