//! A token that was shown is seen nowhere again.

use serde_json::json;
use tollgate::{Limits, Server, auth::Keys, serde_json::Value};
use tollgate_tests::{Call, Log, start};
use tower::{Layer, Service};

use super::{
    desk::{Runs, Watch, call, jwt, plain, server},
    mint::{NOW, Ring, Token, base64, set},
};

/// A layer of the app that logs every request, as many do.
#[derive(Clone)]
struct Logs<S>(S);

struct Logging;

impl<S> Layer<S> for Logging {
    type Service = Logs<S>;

    fn layer(&self, inner: S) -> Logs<S> {
        Logs(inner)
    }
}

impl<S, B> Service<http::Request<B>> for Logs<S>
where
    S: Service<http::Request<B>>,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, cx: &mut std::task::Context<'_>) -> std::task::Poll<Result<(), S::Error>> {
        self.0.poll_ready(cx)
    }

    fn call(&mut self, request: http::Request<B>) -> S::Future {
        tracing::info!(headers = ?request.headers(), "a request");
        self.0.call(request)
    }
}

/// Tokens, each with a mark in every part, and what shows where one leaked.
fn marked() -> (Vec<String>, Vec<String>) {
    let mark = |it: &str| format!("canary-{it}");
    let token =
        Token::good().claim("email", mark("email")).claim("sub", mark("subject")).claim("jti", mark("jti"));
    let tokens = vec![
        token.text(),
        token.clone().by_them().text(),
        token.clone().claim("exp", NOW - 100).text(),
        token.clone().claim("aud", mark("audience")).text(),
        token.clone().claim("iss", mark("issuer")).text(),
        token.clone().header("kid", mark("key")).text(),
        token.clone().header("alg", mark("algorithm")).text(),
        token.clone().header("typ", mark("type")).text(),
        token.of(mark("header"), mark("claims")),
        mark("opaque"),
        "canary".repeat(2_000),
    ];
    let mut marks: Vec<_> =
        tokens.iter().flat_map(|it| it.split('.')).map(|it| it[..it.len().min(40)].to_owned()).collect();
    marks.extend(["canary".to_owned(), base64("canary-").trim_end_matches('t').to_owned()]);
    // The header of a good token is no secret, and starts like that of any other.
    marks.retain(|it| !it.starts_with(&base64("{\"alg\":\"ES256\"")[..12]));
    (tokens, marks)
}

fn logged(server: Server<Runs>) -> Server<Runs> {
    server.http_layer(Logging).limits(Limits::default())
}

// S-236.
#[tokio::test]
async fn no_log_and_no_answer_shows_anything_of_a_token() {
    let log = Log::start();
    let keys = Keys::set(set(&[Ring::ours().ec_jwk("ec"), Ring::ours().ed_jwk("ed")]));
    let running = start(logged(server(jwt().keys(keys), &Watch::new(), &Runs::default()))).await;
    let (tokens, marks) = marked();
    let mut answers = String::new();
    for token in &tokens {
        let in_query = {
            let mut call = plain();
            call.line = format!("POST /mcp?access_token={token} HTTP/1.1");
            call
        };
        let calls = [
            call(token),
            call(token).header(format!("Authorization: Bearer {token}")),
            call(&format!("{token} {token}")),
            plain().header(format!("Authorization: Basic {token}")),
            call(token).body("no JSON"),
            call(token).replace("Host", "evil.example"),
            Call::modern("tools/list", json!({})).header(format!("Authorization: Bearer {token}")),
            in_query,
        ];
        for (place, call) in calls.into_iter().enumerate() {
            let answer = call.send(running.address).await;
            // The tool itself repeats the claims that it reads.
            if (place, answer.status) != (0, 200) {
                answers.push_str(&format!(
                    "{:?} {}\n",
                    answer.headers,
                    String::from_utf8_lossy(&answer.body)
                ));
            }
        }
    }
    running.stop().await.unwrap();

    let log = log.text();
    assert!(log.contains("a token was refused") && log.contains("a request"), "{log}");
    for mark in marks {
        assert!(!log.contains(&mark), "{mark} is in the log");
        assert!(!answers.contains(&mark), "{mark} is in an answer");
    }
}

// S-236.
#[tokio::test]
async fn debug_shows_nothing_of_a_token_or_of_a_key() {
    let auth = jwt().keys(Keys::set("canary"));
    let shown = format!("{auth:?} {:?} {:?}", Keys::set("canary"), tollgate::auth::Auth::from(auth.clone()));
    assert!(!shown.contains("canary"), "{shown}");

    let claims = [("email".to_owned(), Value::from("canary"))].into_iter().collect();
    let principal =
        tollgate::auth::Principal::new("canary", "canary").with_claims(claims).with_scopes(["canary"]);
    assert!(!format!("{principal:?}").contains("canary"));
}
