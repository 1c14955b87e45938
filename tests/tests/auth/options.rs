//! What a server may ask of tokens beyond what every server asks.

use serde_json::json;
use tollgate::auth::{Algorithm, Keys};

use super::{
    desk::{Desk, call, jwt, said},
    mint::{AUDIENCE, Hand, Ring, Token, set},
};

#[tokio::test]
async fn tokens_that_do_not_say_what_they_are_can_be_let_in_but_id_tokens_are_not() {
    let desk = Desk::open(jwt().accept_typ_jwt()).await;
    let plain = || Token::good().header("typ", "JWT");
    for (what, token) in [
        ("`nonce`", plain().claim("nonce", "x")),
        ("`at_hash`", plain().claim("at_hash", "x")),
        ("`c_hash`", plain().claim("c_hash", "x")),
        ("`nonce` and no `typ`", plain().without_header("typ").claim("nonce", "x")),
        ("a proof", Token::good().header("typ", "dpop+jwt")),
        ("`typ` as a number", Token::good().header("typ", 1)),
    ] {
        desk.refuses(what, &token.text()).await;
    }

    desk.accepts("`JWT`", &plain().text()).await;
    desk.accepts("`jwt`", &Token::good().header("typ", "jwt").text()).await;
    desk.accepts("no `typ`", &Token::good().without_header("typ").text()).await;
    desk.accepts("an access token", &Token::good().claim("nonce", "x").text()).await;
}

#[tokio::test]
async fn strict_servers_want_all_that_an_access_token_has() {
    let desk = Desk::open(jwt().strict()).await;

    for name in ["client_id", "jti", "iat"] {
        desk.refuses(name, &Token::good().without(name).text()).await;
    }
}

// S-226.
#[tokio::test]
async fn a_token_for_other_servers_too_can_be_refused() {
    let desk = Desk::open(jwt().single_audience()).await;

    desk.refuses("another", &Token::good().claim("aud", json!([AUDIENCE, "https://a.example"])).text()).await;
    desk.accepts("in an array", &Token::good().claim("aud", json!([AUDIENCE])).text()).await;
}

#[tokio::test]
async fn the_list_of_signatures_can_be_shorter() {
    let desk = Desk::open(jwt().algorithms([Algorithm::Es256])).await;

    for hand in [Hand::Rs256, Hand::Ps256, Hand::EdDsa] {
        desk.refuses(&format!("{hand:?}"), &Token::by(hand).text()).await;
    }
}

#[tokio::test]
async fn a_tenant_is_told_apart_where_a_claim_names_it() {
    let desk = Desk::open(jwt().tenant_claim("org")).await;
    let with = |it| Token::good().claim("org", it);

    assert_eq!(desk.told(&with("acme")).await["tenant"], "acme");
    for (what, token) in [("none", Token::good()), ("a number", Token::good().claim("org", 1))] {
        assert_eq!(desk.show(&token.text()).await.status, 401, "{what}");
    }
}

// S-235.
#[tokio::test]
async fn a_broad_scope_implies_the_narrow_ones() {
    let desk = Desk::open(jwt().scopes(|granted| match granted {
        "notes:admin" => vec!["notes:write"],
        "notes:write" => vec!["notes:read", "notes:admin"],
        _ => vec![],
    }))
    .await;

    let told = desk.told(&Token::good().claim("scope", "notes:admin other")).await;

    assert_eq!(told["scopes"], json!(["notes:admin", "notes:read", "notes:write", "other"]));
    for (scope, expected) in [("notes:read", true), ("notes:delete", false), ("notes", false)] {
        let ask = call(&Token::good().claim("scope", "notes:write").text())
            .edit(|it| it["params"]["arguments"]["scope"] = scope.into());
        assert_eq!(said(&desk.send(ask).await)["has"], expected, "{scope}");
    }
}

// S-235.
#[tokio::test]
async fn scopes_that_imply_more_and_more_come_to_an_end() {
    let desk = Desk::open(jwt().scopes(|granted| vec![format!("{granted}x")])).await;

    assert_eq!(desk.show(&Token::good().text()).await.status, 401);
}

// S-228.
#[tokio::test]
async fn no_key_of_one_issuer_makes_tokens_of_another() {
    const OTHER: &str = "https://other.example.com";
    let theirs = Keys::set(set(&[Ring::theirs().ec_jwk("theirs")]));
    let desk = Desk::open(jwt().also_issuer(OTHER, theirs)).await;
    let from_other = || Token::good().claim("iss", OTHER);

    desk.refuses("our key in their name", &from_other().text()).await;
    desk.refuses("our key under their name for it", &from_other().header("kid", "theirs").text()).await;
    desk.refuses("their key in our name", &Token::good().by_them().header("kid", "theirs").text()).await;
    desk.accepts("theirs", &from_other().by_them().header("kid", "theirs").text()).await;
}
