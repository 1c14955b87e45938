//! A server whose auth is configured wrongly does not start, and says all that is wrong.

use std::time::Duration;

use tokio::net::TcpListener;
use tollgate::{
    Secret, Server,
    auth::{Auth, Jwt, Keys, Principal, TokenError, TokenVerifier},
};

use super::{
    desk::jwt,
    mint::{AUDIENCE, ISSUER, jwks},
};

/// What is wrong with it.
fn faults(auth: impl Into<Auth>) -> Vec<String> {
    match Server::new("notes", "1").auth(auth).check().run() {
        Ok(_) => Vec::new(),
        Err(error) => error.faults().to_vec(),
    }
}

// S-231.
#[test]
fn what_cannot_work_is_found_at_start() {
    let keys = || Keys::set(jwks());
    let rows: Vec<(Jwt, &str)> = vec![
        (Jwt::issuer(ISSUER).keys(keys()), "the audience ``"),
        (jwt().audience("notes"), "the audience `notes`"),
        (jwt().audience("http://notes.example.com/mcp"), "is not `https:`"),
        (jwt().audience("https://notes.example.com/mcp#x"), "has a query or a fragment"),
        (jwt().audience("https://Notes.example.com/mcp"), "capitals"),
        (Jwt::issuer("login").audience(AUDIENCE).keys(keys()), "the issuer `login`"),
        (Jwt::issuer("http://login.example.com").audience(AUDIENCE).keys(keys()), "is not `https:`"),
        (jwt().also_issuer(ISSUER, keys()), "stands twice"),
        (jwt().keys(Keys::set("{}")), "has no `keys`"),
        (jwt().keys(Keys::file("/nonexistent/jwks.json")), "cannot be read"),
        (jwt().algorithms([]), "no signature is believed"),
        (jwt().leeway(Duration::from_secs(301)), "over 5 min"),
        (jwt().max_token_age(Duration::ZERO), "at most 0"),
        (jwt().tenant_claim(""), "has no name"),
        (jwt().scopes_supported(["notes read"]), "`notes read` is no scope"),
        (jwt().scopes_supported(["notes\"read"]), "is no scope"),
        (jwt().scopes_supported(["notes\\read"]), "is no scope"),
        (jwt().scopes_supported(["nötes"]), "is no scope"),
        (jwt().scopes_supported(["notes\r\nX: y"]), "is no scope"),
        (jwt().scopes_supported([""]), "is no scope"),
        (jwt().scopes_supported(["offline_access"]), "leave it out"),
    ];
    for (jwt, expected) in rows {
        let faults = faults(jwt);
        assert!(faults.len() == 1 && faults[0].contains(expected), "{expected}: {faults:?}");
    }

    assert_eq!(faults(jwt()), [""; 0]);
    assert_eq!(faults(jwt().audience("http://localhost:8000/mcp")), [""; 0]);
}

#[test]
fn all_that_is_wrong_is_said_at_once() {
    let faults =
        faults(Jwt::issuer("login").audience("notes").scopes_supported(["a b"]).keys(Keys::set("{}")));

    assert_eq!(faults.len(), 4, "{faults:?}");
}

struct Nobody;

impl TokenVerifier for Nobody {
    async fn verify(&self, _: &str) -> Result<Principal, TokenError> {
        Err(TokenError::Invalid)
    }
}

#[test]
fn the_metadata_of_a_verifier_is_checked_like_that_of_tokens() {
    assert_eq!(faults(Nobody), [""; 0]);
    assert!(faults(Auth::verifier(Nobody).resource("notes", ISSUER))[0].contains("the audience `notes`"));
    assert!(faults(Auth::verifier(Nobody).scopes_supported(["a b"]))[0].contains("is no scope"));
}

#[tokio::test]
async fn a_server_with_auth_may_listen_on_any_address() {
    let all = |server: Server| async {
        let listener = TcpListener::bind("0.0.0.0:0").await.unwrap();
        server.serve_on(listener, std::future::ready(())).await
    };
    let new = || {
        let secret = Secret::random().unwrap();
        Server::new("notes", "1").secret(secret).allow_hosts(["notes.example.com"])
    };

    assert!(all(new().auth(jwt())).await.is_ok());
    assert!(all(new().without_auth()).await.unwrap_err().to_string().contains("there is no auth"));
}
