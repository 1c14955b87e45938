//! A token is for this server, by an issuer that it knows, and about somebody.

use serde_json::{Value, json};

use super::{
    desk::{Desk, jwt},
    mint::{AUDIENCE, ISSUER, NOW, Token},
};

// S-225.
#[tokio::test]
async fn a_token_is_by_a_known_issuer_byte_for_byte() {
    let desk = Desk::open(jwt()).await;
    let rows = [
        ("none", Token::good().without("iss")),
        ("another", Token::good().claim("iss", "https://evil.example")),
        ("with a slash", Token::good().claim("iss", format!("{ISSUER}/"))),
        ("in capitals", Token::good().claim("iss", ISSUER.to_uppercase())),
        ("without TLS", Token::good().claim("iss", "http://login.example.com")),
        ("with its port", Token::good().claim("iss", format!("{ISSUER}:443"))),
        ("that starts alike", Token::good().claim("iss", format!("{ISSUER}.evil.example"))),
        ("in an array", Token::good().claim("iss", json!([ISSUER]))),
        ("among others", Token::good().claim("iss", json!([ISSUER, "https://evil.example"]))),
        ("as a number", Token::good().claim("iss", 1)),
        ("as null", Token::good().claim("iss", Value::Null)),
        ("empty", Token::good().claim("iss", "")),
    ];

    for (what, token) in rows {
        desk.refuses(what, &token.text()).await;
    }
}

// S-226, S-228.
#[tokio::test]
async fn a_token_is_for_this_server_byte_for_byte() {
    let desk = Desk::open(jwt()).await;
    let rows = [
        ("none", Token::good().without("aud")),
        ("a sibling", Token::good().claim("aud", "https://notes.example.com/other")),
        ("the path above", Token::good().claim("aud", "https://notes.example.com")),
        ("the path above, with a slash", Token::good().claim("aud", "https://notes.example.com/")),
        ("a path below", Token::good().claim("aud", format!("{AUDIENCE}/x"))),
        ("a prefix", Token::good().claim("aud", &AUDIENCE[..AUDIENCE.len() - 1])),
        ("what starts alike", Token::good().claim("aud", format!("{AUDIENCE}2"))),
        ("with a slash", Token::good().claim("aud", format!("{AUDIENCE}/"))),
        ("another port", Token::good().claim("aud", "https://notes.example.com:8443/mcp")),
        ("the port that it has anyway", Token::good().claim("aud", "https://notes.example.com:443/mcp")),
        ("without TLS", Token::good().claim("aud", "http://notes.example.com/mcp")),
        ("in capitals", Token::good().claim("aud", "https://NOTES.example.com/mcp")),
        ("the host alone", Token::good().claim("aud", "notes.example.com")),
        ("the client", Token::good().claim("aud", "editor")),
        (
            "an array without it",
            Token::good().claim("aud", json!(["https://a.example", "https://b.example"])),
        ),
        ("an empty array", Token::good().claim("aud", json!([]))),
        ("an array in an array", Token::good().claim("aud", json!([[AUDIENCE]]))),
        ("an array with a number", Token::good().claim("aud", json!([AUDIENCE, 1]))),
        ("a number", Token::good().claim("aud", 1)),
        ("an object", Token::good().claim("aud", json!({"x": AUDIENCE}))),
        ("null", Token::good().claim("aud", Value::Null)),
        ("empty", Token::good().claim("aud", "")),
    ];
    for (what, token) in rows {
        desk.refuses(what, &token.text()).await;
    }

    desk.accepts("in an array", &Token::good().claim("aud", json!([AUDIENCE])).text()).await;
    desk.accepts("among others", &Token::good().claim("aud", json!(["https://a.example", AUDIENCE])).text())
        .await;
}

#[tokio::test]
async fn a_token_is_about_somebody() {
    let desk = Desk::open(jwt()).await;
    let rows = [
        ("nobody", Token::good().without("sub")),
        ("an empty name", Token::good().claim("sub", "")),
        ("a number", Token::good().claim("sub", 1)),
        ("null", Token::good().claim("sub", Value::Null)),
        ("several", Token::good().claim("sub", json!(["ann", "bob"]))),
        ("a client that is a number", Token::good().claim("client_id", 1)),
        ("another name of a client that is a number", Token::good().without("client_id").claim("azp", 1)),
        ("a `jti` that is a number", Token::good().claim("jti", 1)),
    ];

    for (what, token) in rows {
        desk.refuses(what, &token.text()).await;
    }
}

#[tokio::test]
async fn scopes_are_words() {
    let desk = Desk::open(jwt()).await;
    let rows = [
        ("a number", Token::good().claim("scope", 1)),
        ("an array", Token::good().claim("scope", json!(["notes:read"]))),
        ("null", Token::good().claim("scope", Value::Null)),
        ("an object", Token::good().claim("scope", json!({"notes:read": true}))),
        ("the other name with a number", Token::good().without("scope").claim("scp", json!([1]))),
    ];
    for (what, token) in rows {
        desk.refuses(what, &token.text()).await;
    }

    let scopes = async |token: Token| desk.told(&token).await["scopes"].clone();
    assert_eq!(scopes(Token::good().claim("scope", "b a  b")).await, json!(["a", "b"]));
    assert_eq!(scopes(Token::good().claim("scope", "")).await, json!([]));
    assert_eq!(scopes(Token::good().without("scope")).await, json!([]));
    assert_eq!(
        scopes(Token::good().without("scope").claim("scp", json!(["a", "b"]))).await,
        json!(["a", "b"])
    );
    assert_eq!(scopes(Token::good().without("scope").claim("scp", "a b")).await, json!(["a", "b"]));
}

#[tokio::test]
async fn a_token_that_is_bound_to_a_key_is_no_bearer_token() {
    let desk = Desk::open(jwt()).await;

    for cnf in [json!({"jkt": "x"}), json!({"x5t#S256": "x"}), json!({}), Value::Null] {
        desk.refuses(&cnf.to_string(), &Token::good().claim("cnf", cnf.clone()).text()).await;
    }
}

#[tokio::test]
async fn a_time_is_a_number_that_a_clock_shows() {
    let desk = Desk::open(jwt()).await;
    let token = Token::good();
    let header = token.header.to_string();
    for name in ["exp", "nbf", "iat"] {
        for value in
            ["\"1900000000\"", "1e300", "-1", "-1e300", "null", "true", "[]", "{}", "253402300800", "1e17"]
        {
            let mut claims = token.clone().without(name).claims.to_string();
            claims.pop();
            let claims = format!("{claims},\"{name}\":{value}}}");
            desk.refuses(&format!("{name} {value}"), &token.of(&header, &claims)).await;
        }
    }
    desk.refuses("no `exp`", &Token::good().without("exp").text()).await;

    desk.accepts("half a second", &Token::good().claim("exp", NOW as f64 + 0.5).text()).await;
    desk.accepts("no `iat`", &Token::good().without("iat").text()).await;
}
