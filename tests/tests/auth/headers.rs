//! What a token says about its own signature is not believed.

use serde_json::{Value, json};

use super::{
    desk::{Desk, jwt},
    mint::{Hand, Ring, Token, base64},
};

// S-225.
#[tokio::test]
async fn only_signatures_on_the_list_count_and_only_with_a_key_of_their_kind() {
    let desk = Desk::open(jwt()).await;
    let unsigned = |name: &str| {
        let token = Token::good().header("alg", name);
        format!("{}.{}.", base64(token.header.to_string()), base64(token.claims.to_string()))
    };
    let rows = [
        ("`none` without a signature", unsigned("none")),
        ("`None` without a signature", unsigned("None")),
        ("`none` with one", Token::good().header("alg", "none").text()),
        ("`nOnE` with one", Token::good().header("alg", "nOnE").text()),
        ("an empty `alg`", Token::good().header("alg", "").text()),
        ("no `alg`", Token::good().without_header("alg").text()),
        ("`alg` in small letters", Token::good().header("alg", "es256").text()),
        ("`alg` as a number", Token::good().header("alg", 256).text()),
        ("`alg` as an array", Token::good().header("alg", json!(["ES256"])).text()),
        ("`alg` as null", Token::good().header("alg", Value::Null).text()),
        ("HS256 with the public key as the secret", Token::by(Hand::Hs256).text()),
        ("HS256 in the name of RS256", Token::by(Hand::Rs256).signed(Hand::Hs256).text()),
        ("HS256 with the name of an EC key", Token::by(Hand::Hs256).header("kid", "ec").text()),
        ("RS384", Token::by(Hand::Rs256).header("alg", "RS384").text()),
        ("RS512", Token::by(Hand::Rs256).header("alg", "RS512").text()),
        ("PS384", Token::by(Hand::Ps256).header("alg", "PS384").text()),
        ("ES384", Token::good().header("alg", "ES384").text()),
        ("ES256K", Token::good().header("alg", "ES256K").text()),
        ("an encrypted token's", Token::good().header("alg", "RSA-OAEP").text()),
        ("ES256 with an RSA key", Token::good().header("kid", "rsa").text()),
        ("RS256 with an EC key", Token::by(Hand::Rs256).header("kid", "ec").text()),
        ("EdDSA with an EC key", Token::by(Hand::EdDsa).header("kid", "ec").text()),
        ("ES256 with an Ed25519 key", Token::good().header("kid", "ed").text()),
        ("PSS in the name of PKCS #1", Token::by(Hand::Rs256).signed(Hand::Ps256).text()),
        ("PKCS #1 in the name of PSS", Token::by(Hand::Ps256).signed(Hand::Rs256).text()),
    ];

    for (what, token) in rows {
        desk.refuses(what, &token).await;
    }
}

#[tokio::test]
async fn a_key_is_looked_up_by_its_name_and_by_nothing_else() {
    let desk = Desk::open(jwt()).await;
    let rows = [
        ("no name among several keys", Token::good().without_header("kid")),
        ("an unknown name", Token::good().header("kid", "other")),
        ("an empty name", Token::good().header("kid", "")),
        ("a name in capitals", Token::good().header("kid", "EC")),
        ("a name that is a number", Token::good().header("kid", 1)),
        ("a name that is null", Token::good().header("kid", Value::Null)),
        ("a name that is a path", Token::good().header("kid", "../../../../etc/passwd")),
        ("a name that is a query", Token::good().header("kid", "' OR 1=1 --")),
        ("a name that is a URL", Token::good().header("kid", "https://evil.example/jwks.json")),
        ("a name of 257 bytes", Token::good().header("kid", "k".repeat(257))),
    ];

    for (what, token) in rows {
        desk.refuses(what, &token.text()).await;
    }
}

#[tokio::test]
async fn a_key_that_a_token_brings_along_is_not_looked_at() {
    let desk = Desk::open(jwt()).await;
    let theirs = Ring::theirs();
    for (name, value) in [
        ("jwk", theirs.ec_jwk("ec")),
        ("jku", json!("https://evil.example/jwks.json")),
        ("x5u", json!("https://evil.example/chain.pem")),
        ("x5c", json!([base64(b"a certificate")])),
    ] {
        desk.refuses(name, &Token::good().by_them().header(name, value.clone()).text()).await;
        desk.accepts(name, &Token::good().header(name, value).text()).await;
    }
}

#[tokio::test]
async fn what_has_to_be_understood_and_is_not_is_refused() {
    let desk = Desk::open(jwt()).await;
    let rows = [
        ("`crit` that names a claim", Token::good().header("crit", json!(["exp"]))),
        ("an empty `crit`", Token::good().header("crit", json!([]))),
        ("`crit` as a string", Token::good().header("crit", "exp")),
        ("a payload that is not encoded", Token::good().header("crit", json!(["b64"])).header("b64", false)),
    ];

    for (what, token) in rows {
        desk.refuses(what, &token.text()).await;
    }
}

// S-225.
#[tokio::test]
async fn an_access_token_says_that_it_is_one() {
    let desk = Desk::open(jwt()).await;

    for good in ["at+jwt", "AT+JWT", "application/at+jwt"] {
        desk.accepts(good, &Token::good().header("typ", good).text()).await;
    }
    let rows = [
        ("no `typ`", Token::good().without_header("typ")),
        ("`JWT`", Token::good().header("typ", "JWT")),
        ("an empty `typ`", Token::good().header("typ", "")),
        ("`typ` as a number", Token::good().header("typ", 1)),
        ("a proof", Token::good().header("typ", "dpop+jwt")),
        ("a logout token", Token::good().header("typ", "logout+jwt")),
        ("what only starts like one", Token::good().header("typ", "at+jwt2")),
    ];
    for (what, token) in rows {
        desk.refuses(what, &token.text()).await;
    }
}
