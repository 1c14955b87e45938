//! Which keys of a set are used.

use serde_json::{Value, json};
use tollgate::auth::{Jwt, Keys};

use super::{
    desk::{Desk, Runs, Watch, server},
    mint::{AUDIENCE, Hand, ISSUER, Ring, Token, base64, set},
};

fn jwt(keys: Keys) -> Jwt {
    Jwt::issuer(ISSUER).audience(AUDIENCE).keys(keys)
}

/// Whether a server starts with a set.
fn starts(document: impl Into<Vec<u8>>) -> bool {
    server(jwt(Keys::set(document)), &Watch::new(), &Runs::default()).check().run().is_ok()
}

fn edited(mut key: Value, name: &str, value: impl Into<Value>) -> Value {
    key[name] = value.into();
    key
}

#[test]
fn a_server_does_not_start_without_a_key_that_can_be_used() {
    let ours = Ring::ours();
    let weak = json!({"kty": "RSA", "kid": "weak", "n": base64([0xff; 128]), "e": "AQAB"});
    let almost =
        json!({"kty": "RSA", "kid": "weak", "n": base64([&[0x7f][..], &[0xff; 255]].concat()), "e": "AQAB"});
    let zeros = json!({"kty": "RSA", "kid": "weak", "n": base64([&[0; 128][..], &[0xff; 128]].concat()), "e": "AQAB"});
    for (what, document) in [
        ("nothing", Vec::new()),
        ("no JSON", b"<html>".to_vec()),
        ("an array", b"[]".to_vec()),
        ("no `keys`", b"{}".to_vec()),
        ("`keys` that are none", b"{\"keys\":{}}".to_vec()),
        ("an empty set", set(&[])),
        ("RSA of 1 024 bits", set(&[weak])),
        ("RSA of 2 047 bits", set(&[almost])),
        ("RSA of 1 024 bits behind zeros", set(&[zeros])),
        ("a shared secret", set(&[json!({"kty": "oct", "kid": "x", "k": base64([1; 32])})])),
        ("for encryption", set(&[edited(ours.ec_jwk("x"), "use", "enc")])),
        ("for signing, not for checking", set(&[edited(ours.ec_jwk("x"), "key_ops", json!(["sign"]))])),
        ("for another algorithm", set(&[edited(ours.rsa_jwk("x"), "alg", "RS512")])),
        ("for the algorithm of another kind", set(&[edited(ours.ec_jwk("x"), "alg", "RS256")])),
        ("on another curve", set(&[edited(ours.ec_jwk("x"), "crv", "P-384")])),
        ("of another kind of curve", set(&[edited(ours.ed_jwk("x"), "crv", "X25519")])),
        ("with half a point", set(&[edited(ours.ec_jwk("x"), "y", base64([1; 31]))])),
        ("with a name that is a number", set(&[edited(ours.ec_jwk("x"), "kid", 1)])),
        ("with a name of 257 bytes", set(&[edited(ours.ec_jwk("x"), "kid", "k".repeat(257))])),
        ("two keys of one name", set(&[ours.ec_jwk("x"), ours.ed_jwk("x")])),
        ("101 keys", set(&(0..101).map(|it| ours.ec_jwk(&it.to_string())).collect::<Vec<_>>())),
        ("over 256 KiB", [set(&[ours.ec_jwk("x")]), vec![b' '; 256 * 1024]].concat()),
        ("`keys` twice", format!("{{\"keys\":[],\"keys\":[{}]}}", ours.ec_jwk("x")).into_bytes()),
    ] {
        assert!(!starts(document), "{what}");
    }

    assert!(starts(set(&[ours.ec_jwk("x")])));
    assert!(starts(set(&[edited(ours.ec_jwk("x"), "key_ops", json!(["verify"]))])));
    assert!(starts(set(&[json!({"kty": "new"}), json!(1), ours.ec_jwk("x")])));
}

#[tokio::test]
async fn a_key_is_used_for_what_it_says() {
    let pss = edited(Ring::ours().rsa_jwk("rsa"), "alg", "PS256");
    let desk = Desk::open(jwt(Keys::set(set(&[pss, Ring::ours().ec_jwk("ec")])))).await;

    assert_eq!(desk.show(&Token::by(Hand::Rs256).text()).await.status, 401);
    assert_eq!(desk.show(&Token::by(Hand::Ps256).text()).await.status, 200);
}

#[tokio::test]
async fn a_token_may_leave_the_name_out_where_there_is_one_key() {
    let desk = Desk::open(jwt(Keys::set(set(&[Ring::ours().ec_jwk("only")])))).await;

    assert_eq!(desk.show(&Token::good().without_header("kid").text()).await.status, 200);
    assert_eq!(desk.show(&Token::good().header("kid", "only").text()).await.status, 200);
    assert_eq!(desk.show(&Token::good().header("kid", "other").text()).await.status, 401);
    assert_eq!(desk.show(&Token::good().without_header("kid").by_them().text()).await.status, 401);
}

#[tokio::test]
async fn keys_in_a_file_are_read_again() {
    let folder = std::env::temp_dir().join(format!("tollgate-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("jwks.json");
    std::fs::write(&file, set(&[Ring::ours().ec_jwk("ec")])).unwrap();
    let desk = Desk::open(jwt(Keys::file(&file))).await;
    let new = Token::good().by_them().header("kid", "new").text();

    assert_eq!(desk.show(&Token::good().text()).await.status, 200);
    std::fs::write(&file, set(&[Ring::theirs().ec_jwk("new")])).unwrap();
    assert_eq!(desk.show(&new).await.status, 401);
    desk.watch.pass(30);
    assert_eq!(desk.show(&new).await.status, 200);

    std::fs::remove_dir_all(folder).unwrap();
}
